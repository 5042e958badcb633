// `npm run codes`: the documentation of all codes, printed from the one table in wasm/core/codes.def. With --write into wasm/core/codes.md.
import { writeFileSync } from 'node:fs';
import { build } from './cpp.mjs';
import { Trouble, inRoot, start } from './lib.mjs';
import { setup } from './setup.mjs';

export const codesFile = inRoot('wasm/core/codes.md');

export async function main(args) {
  await setup(['native']);
  await build('native', { targets: ['rigcast_codes'] });
  const printed = await start(inRoot('build/native/rigcast_codes'), []);
  if (printed.code !== 0) throw new Trouble(`rigcast_codes failed:\n\n${printed.output}`);
  if (args.includes('--write')) writeFileSync(codesFile, printed.output);
  else console.log(printed.output);
}
