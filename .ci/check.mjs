// `npm run check`: checks types, lint rules, format of C++ and scripts, and prose, in parallel.
// Shows only the output of checks that fail.
import { existsSync, readdirSync } from 'node:fs';
import { inRoot, installed, start } from './lib.mjs';
import { checkProse } from './prose.mjs';
import { installPackages } from './setup.mjs';
import { ensureTools } from './tools.mjs';

export function cppFiles(folders = ['wasm', 'tests']) {
  return folders
    .filter(folder => existsSync(inRoot(folder)))
    .flatMap(folder => readdirSync(inRoot(folder), { recursive: true }).map(file => `${folder}/${file}`))
    .filter(file => /\.(cpp|hpp)$/.test(file) && !file.includes('/data/'))
    .sort();
}

/** Scripts that Prettier formats. It skips the files in .gitignore and .prettierignore. */
export const scripts = ['web/**/*.ts', 'tests/**/*.{ts,mjs}', '.ci/*.mjs', '*.config.ts', '.github/**/*.yml', '.devcontainer/*.json'];

/**
 * Cache folder for the tools, so that they check only files that have changed since the last run.
 */
const cache = inRoot('node_modules/.cache/rigcast');
export const prettierCache = ['--cache', '--cache-strategy', 'content', '--cache-location', `${cache}/prettier`];

export const checks = [
  { name: 'types', run: () => start(installed('tsc'), ['-p', '.', '--incremental', '--tsBuildInfoFile', `${cache}/types.json`]) },
  { name: 'lint', run: () => start(installed('oxlint'), ['--deny-warnings']) },
  { name: 'C++ format', run: () => start('clang-format', ['--dry-run', '-Werror', ...cppFiles()]) },
  { name: 'format', run: () => start(installed('prettier'), ['--log-level', 'warn', '--list-different', ...prettierCache, ...scripts]) },
  { name: 'prose', run: checkProse },
];

export async function main() {
  await ensureTools(['test']);
  installPackages();
  const results = await Promise.all(checks.map(async check => ({ ...check, result: await check.run() })));
  for (const { name, result } of results) {
    console.log(`${result.code === 0 ? 'ok    ' : 'FAILED'} ${name}`);
    if (result.code !== 0) console.log(result.output);
  }
  return results.some(({ result }) => result.code !== 0) ? 1 : 0;
}
