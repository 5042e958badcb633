// `npm run codes`: the documentation of all codes, printed from the one table in wasm/core/codes.def. With --write into wasm/core/codes.md.
import { writeFileSync } from 'node:fs';
import { buildPackage } from './build.mjs';
import { inRoot } from './lib.mjs';
import { setup } from './setup.mjs';

export const codesFile = inRoot('wasm/core/codes.md');

export function codesPage(codes) {
  const cell = text => text.replaceAll('|', '\\|');
  const rows = codes.map(({ code, severity, sentence }) => `| \`${code}\` | ${severity} | ${cell(sentence)} |`);
  return [
    '# Codes of findings',
    '',
    'Printed by `npm run codes -- --write` from `codes.def`. A code is stable; severities are defaults: `strict` raises warnings to errors.',
    '',
    '| code | severity | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export async function main(args) {
  await setup();
  await buildPackage();
  const { codes } = await import(inRoot('dist/core/index.js'));
  const page = codesPage(await codes());
  if (args.includes('--write')) writeFileSync(codesFile, page);
  else console.log(page);
}
