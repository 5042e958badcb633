// Resolves the files that are next to the modules of this package.

/**
 * Returns the URL of a file next to a module. In development, Vite 7 and older move modules to
 * `node_modules/.vite` but leave the files that they refer to in the original folder. Other
 * bundlers rewrite the URL themselves.
 */
export function resolveAsset(address: string | URL, file: string): string {
  const [before, inside] = String(address).split('/node_modules/.vite/');
  return inside === undefined ? String(address) : `${before}/node_modules/rigcast/dist/core/${file}`;
}
