// `npm run schema`: what is printed from wasm/scene/scene.def. With --write into web/src/core/sceneTypes.ts, sceneWords.ts and docs/scene.md; without, it
// prints the page.
import { writeFileSync } from 'node:fs';
import { build } from './cpp.mjs';
import { Trouble, inRoot, start } from './lib.mjs';
import { setup } from './setup.mjs';

const pages = { types: 'web/src/core/sceneTypes.ts', words: 'web/src/core/sceneWords.ts', page: 'docs/scene.md' };

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
