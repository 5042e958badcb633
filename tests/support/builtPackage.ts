// The package as `npm run build` makes it, in a folder of its own: for tests that need what is shipped, not the sources.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds into build/test-package/<name>/dist and gives that folder and a function that removes it. */
export function buildPackage(name: string): { dist: string; remove(): void } {
  const folder = join(root, 'build/test-package', name);
  const dist = join(folder, 'dist');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(root, 'tsconfig.build.json'),
    '--outDir',
    dist,
  ]);
  cpSync(join(root, 'web/src/core/wasm'), join(dist, 'core/wasm'), { recursive: true });
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  return { dist, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
