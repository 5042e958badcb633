// `npm run schema`: prints wasm/scene/scene.def and the list of formats (wasm/formats/registry.cpp) for TypeScript and docs/scene.md. Without --write it
// prints the page of the scene to the terminal.
import { writeFileSync } from 'node:fs';
import { build } from './cpp.mjs';
import { Trouble, inRoot, start } from './lib.mjs';
import { setup } from './setup.mjs';

const pages = {
  types: 'web/src/core/sceneTypes.ts',
  words: 'web/src/core/sceneWords.ts',
  page: 'docs/scene.md',
  formats: 'web/src/core/formatTable.ts',
  modules: 'web/src/core/moduleAddresses.ts',
};

async function printed(what) {
  const result = await start(inRoot('build/native/rigcast_schema'), [what]);
  if (result.code !== 0) throw new Trouble(`rigcast_schema failed:\n\n${result.output}`);
  return result.output;
}

export async function main(args) {
  await setup(['native']);
  await build('native', { targets: ['rigcast_schema'] });
  if (!args.includes('--write')) return console.log(await printed('page'));
  for (const [what, file] of Object.entries(pages)) writeFileSync(inRoot(file), await printed(what));
}
