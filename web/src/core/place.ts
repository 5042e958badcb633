// Where the files are that stand beside the modules of this package.

/**
 * Vite 7 and older move a module into `node_modules/.vite` while they serve and leave the files that it names where npm has put them; they serve those
 * from there. All else that moves modules gives the right address itself.
 */
export function placed(address: string | URL, file: string): string {
  const [before, inside] = String(address).split('/node_modules/.vite/');
  return inside === undefined ? String(address) : `${before}/node_modules/rigcast/dist/core/${file}`;
}
