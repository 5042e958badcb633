// Paths as files spell them: back-slashes, drives, dots. What comes out names something below a folder that the page chose, never outside of it.

/** The parts of a path. Leading slashes, drives and schemes go; `..` goes up, but never above the first part. */
export function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, '').split(/[/\\]/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.' && !part.includes('\0')) parts.push(part);
  }
  return parts;
}

export function isAbsolute(path: string): boolean {
  return /^([/\\]|[A-Za-z][A-Za-z0-9+.-]*:)/.test(path);
}

/** An address below a folder. Half a character, which no address can spell, is replaced: nothing is found there. */
export function addressOf(parts: readonly string[]): string {
  return parts.map(part => encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\uFFFD'))).join('/');
}

/**
 * Returns true if any of the roots allows an address: a folder, relative to `base`, or a scheme (`https:`) for all of its addresses. A percent-encoded slash
 * or backslash is refused, because servers may read it as the end of a folder.
 */
export function isBelow(address: string, roots: readonly string[], base: string): boolean {
  const { href, protocol, pathname } = new URL(address);
  if (/%(2f|5c)/i.test(pathname)) return false;
  return roots.some(root => {
    if (/^https?:$/.test(root)) return root === protocol;
    if (!URL.canParse(root, base)) return false;
    const folder = new URL(root, base);
    if (!folder.pathname.endsWith('/')) folder.pathname += '/';
    return href.startsWith(folder.origin + folder.pathname);
  });
}

/** Counts the parts that two paths begin with alike. */
export function commonStart(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

/** How many parts agree from the end, ignoring case. */
export function commonEnd(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[a.length - 1 - n]!.toLowerCase() === b[b.length - 1 - n]!.toLowerCase()) n++;
  return n;
}

/** Returns the lower-case extension without the dot, or '' if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The folders above it. */
export function folderOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}
