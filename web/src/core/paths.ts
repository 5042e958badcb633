// Parses paths that occur in files, with backslashes, drives and dots. The results never leave the
// folder to which they are relative.

/**
 * Splits a path into folders and file name. Removes leading slashes, drives and schemes. `..` never
 * leaves the first folder.
 */
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

/**
 * Encodes the parts of a path as a relative URL. Replaces lone surrogates, which a URL cannot
 * contain.
 */
export function addressOf(parts: readonly string[]): string {
  return parts.map(part => encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\uFFFD'))).join('/');
}

/** Percent-decodes a text. A text with an invalid escape remains unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * True if one of `roots` allows the URL `address`. A root is the URL of a folder, relative to
 * `base`, or a scheme (`https:`), which allows all of its URLs. Percent-encoded slashes and
 * backslashes are rejected, because servers may treat them as separators.
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

/** Counts the leading parts that two paths have in common. */
export function commonStart(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

/**
 * Sorts files by their distance to a folder, the nearest first. Files at the same distance keep
 * their order. `foldersOf`: returns the folders in the path of a file.
 */
export function nearestFirst<T>(files: readonly T[], folder: readonly string[], foldersOf: (file: T) => readonly string[]): T[] {
  const shared = new Map(files.map(file => [file, commonStart(foldersOf(file), folder)]));
  return [...files].sort((a, b) => shared.get(b)! - shared.get(a)!);
}

/** Counts the trailing parts that two paths have in common, ignoring case. */
export function commonEnd(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[a.length - 1 - n]!.toLowerCase() === b[b.length - 1 - n]!.toLowerCase()) n++;
  return n;
}

/** Returns the file extension in lower case, without the dot; '' if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Returns the names of the folders in a path. */
export function folderOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}
