// `npm run codes`: the documentation of all codes, printed from the one table in wasm/core/codes.def. With --write into wasm/core/codes.md, and
// the table for pages into web/src/core/codeTable.ts, and docs/findings.md.
import { writeFileSync } from 'node:fs';
import { build } from './cpp.mjs';
import { main as printDocs } from './docs.mjs';
import { Trouble, inRoot, start } from './lib.mjs';
import { setup } from './setup.mjs';

async function printed(args) {
  const result = await start(inRoot('build/native/rigcast_codes'), args);
  if (result.code !== 0) throw new Trouble(`rigcast_codes failed:\n\n${result.output}`);
  return result.output;
}

export async function main(args) {
  await setup(['native']);
  await build('native', { targets: ['rigcast_codes'] });
  const page = await printed([]);
  if (!args.includes('--write')) return console.log(page);
  writeFileSync(inRoot('wasm/core/codes.md'), page);
  writeFileSync(inRoot('web/src/core/codeTable.ts'), await printed(['--module']));
  await printDocs(['--write']);
}
