// Shares builds, for example of the package and of the site, between test files. Each build runs
// once, and its result is reused until a source changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Time in milliseconds after which an unfinished build counts as failed. */
const PATIENCE = 180_000;

/** Returns a hash of the names, sizes and modification times of all input files. */
function stampOf(inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const path = join(root, input);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map(file => join(path, file))
      : [path];
    for (const file of files.toSorted()) {
      const { mtimeMs, size } = statSync(file);
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Returns the folder build/tests/<name>-<stamp> with the result of `build`. If another process or
 * an earlier run has built it from the same `inputs` (paths in the repository), reuses this result.
 * Tests must not modify the files in the folder.
 */
export async function buildOnce(name: string, inputs: readonly string[], build: (folder: string) => unknown): Promise<string> {
  const parent = join(root, 'build/tests');
  const folder = join(parent, `${name}-${stampOf(inputs)}`);
  const lock = `${folder}.lock`;
  mkdirSync(parent, { recursive: true });
  while (!existsSync(folder)) {
    try {
      mkdirSync(lock);
    } catch {
      await pause(100);
      if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > PATIENCE) rmSync(lock, { recursive: true, force: true });
      continue;
    }
    const started = mkdtempSync(`${lock}/`);
    try {
      await build(started);
      for (const old of readdirSync(parent).filter(each => each.startsWith(`${name}-`) && !each.endsWith('.lock')))
        rmSync(join(parent, old), { recursive: true, force: true });
      renameSync(started, folder);
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return folder;
}
