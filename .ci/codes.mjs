// `npm run codes -- --write`: prints web/src/core/codeTable.ts from wasm/core/codes.def, and docs/findings.md from that. Without --write the table goes to the terminal.
import { writeFileSync } from 'node:fs';
import { build } from './cpp.mjs';
import { main as printDocs } from './docs.mjs';
import { Trouble, inRoot, start } from './lib.mjs';
import { setup } from './setup.mjs';

export async function main(args) {
  await setup(['native']);
  await build('native', { targets: ['rigcast_codes'] });
  const { code, output } = await start(inRoot('build/native/rigcast_codes'), []);
  if (code !== 0) throw new Trouble(`rigcast_codes failed:\n\n${output}`);
  if (!args.includes('--write')) return console.log(output);
  writeFileSync(inRoot('web/src/core/codeTable.ts'), output);
  await printDocs(['--write']);
}
