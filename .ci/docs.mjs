// `npm run docs [-- PAGE]`: runs the code blocks of README.md and docs/, or of one page, with the
// package that `npm run build` has built.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBlocks } from './blocks.mjs';
import { inRoot } from './lib.mjs';

export async function main([page]) {
  const folder = mkdtempSync(join(tmpdir(), 'rigcast-docs-'));
  try {
    mkdirSync(join(folder, 'node_modules/rigcast'), { recursive: true });
    cpSync(inRoot('package.json'), join(folder, 'node_modules/rigcast/package.json'));
    cpSync(inRoot('dist'), join(folder, 'node_modules/rigcast/dist'), { recursive: true, filter: path => !/dist[/\\]site/.test(path) });
    console.log(await runBlocks(folder, page));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
