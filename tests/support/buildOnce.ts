// Builds of the package and of the site that several test files share: each is made once and kept until a source changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Milliseconds after which a build that has not ended is taken for dead. */
const PATIENCE = 180_000;

/** Names, sizes and times of all files that a build reads. */
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
 * Returns the folder build/tests/<name>-<stamp>, which `build` has filled: in this process, in another one that runs at the same time, or in an earlier
 * run with the same `inputs` (paths in the repository). Tests must not change its files.
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
