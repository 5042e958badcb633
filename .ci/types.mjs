// Removes type declarations that no entry point of the package imports, directly or indirectly.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Matches `from './x.ts'` and `import('./x.ts')`, with any file extension that the compiler writes.
 */
const IMPORTS = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/**
 * Returns the absolute paths of the declaration files that the `exports` of package.json refer to.
 */
export function typesOf(root, exported) {
  if (typeof exported === 'string') return exported.endsWith('.d.ts') ? [resolve(root, exported)] : [];
  return exported && typeof exported === 'object' ? Object.values(exported).flatMap(each => typesOf(root, each)) : [];
}

/**
 * Removes declaration files in a folder that no entry point reaches. Returns their names. Throws if
 * an entry point or an imported file is missing.
 */
export function pruneTypes(folder, entries) {
  const kept = new Set(entries);
  for (const file of kept) {
    if (!existsSync(file)) throw new Error(`${relative(folder, file)}: there are no such types`);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const path = resolve(dirname(file), specifier);
      if (path.endsWith('.mts') || path.endsWith('.mjs')) continue; // declarations of the glue code, which are copied unchanged
      kept.add(path.endsWith('.d.ts') ? path : path.replace(/\.(ts|js)$/, '.d.ts'));
    }
  }
  const left = readdirSync(folder, { recursive: true })
    .map(name => join(folder, name))
    .filter(file => file.endsWith('.d.ts') && !kept.has(file));
  for (const file of left) rmSync(file);
  return left.map(file => relative(folder, file)).sort();
}
