// The package's declarations: those that its entries lead to. All others belong to modules that cannot be imported.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** `from './x.ts'` and `import('./x.ts')`, with any of the endings that the compiler writes. */
const IMPORTS = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/** Every file that `package.json` names as types in its exports, absolute. */
export function typesOf(root, exported) {
  if (typeof exported === 'string') return exported.endsWith('.d.ts') ? [resolve(root, exported)] : [];
  return exported && typeof exported === 'object' ? Object.values(exported).flatMap(each => typesOf(root, each)) : [];
}

/** Removes what none of the entries leads to from a folder; throws where an entry, or what one leads to, is not there. Returns the names of what went. */
export function pruneTypes(folder, entries) {
  const kept = new Set(entries);
  for (const file of kept) {
    if (!existsSync(file)) throw new Error(`${relative(folder, file)}: there are no such types`);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const path = resolve(dirname(file), specifier);
      if (path.endsWith('.mts') || path.endsWith('.mjs')) continue; // of the glue, copied as it is
      kept.add(path.endsWith('.d.ts') ? path : path.replace(/\.(ts|js)$/, '.d.ts'));
    }
  }
  const left = readdirSync(folder, { recursive: true })
    .map(name => join(folder, name))
    .filter(file => file.endsWith('.d.ts') && !kept.has(file));
  for (const file of left) rmSync(file);
  return left.map(file => relative(folder, file)).sort();
}
