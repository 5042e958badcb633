// Compiles the package, as `npm run build` does, for tests that use the published files instead of
// the sources.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, root } from './buildOnce.ts';

/**
 * Compiles the package and returns the folder dist. Test files share it, so tests must not modify
 * its files.
 */
export async function builtPackage(): Promise<string> {
  const folder = await buildOnce('package', ['web/src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'], to => {
    execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(to, 'dist')]);
    cpSync(join(root, 'web/src/core/wasm'), join(to, 'dist/core/wasm'), { recursive: true });
    copyFileSync(join(root, 'package.json'), join(to, 'package.json'));
  });
  return join(folder, 'dist');
}

/**
 * Compiles the package with the bundles for browsers, and returns the folder dist.
 */
export async function builtPackageWithBrowser(): Promise<string> {
  const compiled = await builtPackage();
  const inputs = ['web/src', 'package.json', 'tsconfig.json', 'tsconfig.build.json', '.ci/bundles.mjs'];
  const folder = await buildOnce('browserPackage', inputs, async to => {
    cpSync(join(compiled, '..'), to, { recursive: true });
    const { bundleForBrowsers } = await import('../../.ci/bundles.mjs');
    await bundleForBrowsers(join(to, 'dist'));
  });
  return join(folder, 'dist');
}
