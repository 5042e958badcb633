// `npm run docs [-- PAGE]`: runs the code blocks of README.md and docs/, or of one page, with the
// package that `npm run build` has built.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparePackage } from './archive.mjs';
import { runBlocks } from './blocks.mjs';

export async function main([page]) {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-docs-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    preparePackage(join(folder, 'node_modules/rigcast'));
    console.log(await runBlocks(folder, page));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
