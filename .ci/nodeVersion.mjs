/**
 * Returns an error message if a version of Node (such as '18.20.8') is too old, and '' otherwise.
 * The minimum version is the one that Vite and Vitest require.
 */
export function nodeTrouble(version) {
  const parts = version.split('.').map(Number);
  const major = parts[0];
  const minor = parts[1];
  const good = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  return good
    ? ''
    : 'Node ' + version + ' is too old: Node 20.19+ or 22.12+ is needed. Get one at https://nodejs.org and run the command again.';
}
