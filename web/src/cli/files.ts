// Finds and reads the files to which a command line refers, including those in folders, standard
// input, and companion files.
import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { formats } from '../core/formats.ts';
import { entry } from '../core/entry.ts';
import type { OpenOptions } from '../core/open.ts';
import { isOtherFormat } from '../core/otherFormats.ts';
import { extensionOf } from '../core/paths.ts';
import type { Need } from '../core/types.ts';
import type { InstanceSource, PlacedFile } from '../three/instances/instanceSources.ts';
import { notFile, readWhole } from './reading.ts';
import { UsageError } from './usage.ts';

/** Returns the target of a symbolic link, as stored in the link; null if the path is not a link. */
export function linkedTo(path: string): string | null {
  try {
    return path !== '-' && lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

export const isFolder = (word: string): boolean => word !== '-' && statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;

export interface FoundFile {
  path: string;
  /**
   * Path with slashes, relative to the folder given on the command line; only the name if the file
   * itself was given.
   */
  place: string;
  /** Folder on the command line that contains the file; absent if the file itself was given. */
  folder?: string;
  /** Reason why the file cannot be read, if this is known without opening it. */
  reason?: string;
}

/** Anything in a folder that is not a folder itself. */
interface FolderEntry {
  path: string;
  /** Path with slashes, relative to the folder that was listed. */
  place: string;
  entry: Dirent;
}

/**
 * Yields everything in a folder and its subfolders, except folders. Does not follow links to
 * folders. `onUnreadable`: called with the path, the relative path and the error code of each folder
 * that cannot be listed, for example because access is denied.
 */
export function* entriesBelow(
  folder: string,
  onUnreadable: (path: string, place: string, code: string) => void = () => {},
): Generator<FolderEntry, void> {
  const folders = [{ path: folder, place: '' }];
  for (const { path, place } of folders) {
    let entries: Dirent[] = [];
    try {
      entries = readdirSync(path, { withFileTypes: true });
    } catch (error) {
      onUnreadable(path, place, (error as NodeJS.ErrnoException).code ?? String(error));
    }
    for (const each of entries) {
      const found = { path: join(path, each.name), place: place === '' ? each.name : `${place}/${each.name}` };
      if (each.isDirectory()) folders.push(found);
      else yield { ...found, entry: each };
    }
  }
}

/**
 * Finds the files to which command-line arguments refer. For a folder, these are all files in it
 * and its subfolders that have a supported extension. Links to files are followed. For links to
 * folders, broken links, pipes, devices and folders that cannot be listed, `reason` is set.
 * `hasOtherFormats`: true to find files that the loaders of three.js read, too.
 */
export async function findFiles(words: readonly string[], { mayBeEmpty = false, hasOtherFormats = false } = {}): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  for (const word of words) {
    const found = isFolder(word) ? await filesBelow(word, hasOtherFormats) : [{ path: word, place: basename(word) }];
    if (found.length === 0 && !mayBeEmpty) throw new UsageError(`${word}: no file with a supported extension in this folder`);
    for (const file of found) files.push(file);
  }
  if (files.length === 0)
    throw new UsageError(
      `${words.join(', ')}: no file with a supported extension in ${words.length === 1 ? 'this folder' : 'these folders'}`,
    );
  return files;
}

/**
 * Finds the files below a folder that have a supported extension. The result also contains each
 * folder that cannot be listed, with a `reason`. `hasOtherFormats`: true to find files that the
 * loaders of three.js read, too.
 */
export async function filesBelow(folder: string, hasOtherFormats = false): Promise<FoundFile[]> {
  const extensions = new Set(formats().flatMap(format => format.extensions));
  const isKnown = (name: string): boolean => extensions.has(extensionOf(name)) || (hasOtherFormats && isOtherFormat(name));
  const found: FoundFile[] = [];
  const addUnreadable = (path: string, place: string, code: string): void =>
    void found.push({ path, place: place || basename(path), folder, reason: `a folder whose files cannot be listed (${code})` });
  for (const { path, place, entry: each } of entriesBelow(folder, addUnreadable)) {
    const reason = each.isFile() ? undefined : reasonNotToRead(path, isKnown(each.name));
    if (isKnown(each.name) || reason !== undefined) found.push({ path, place, folder, ...(reason !== undefined && { reason }) });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Returns the reason why a path that is not a regular file is not read. Returns undefined for links
 * to files. `isKnown`: true if the name has a supported extension; otherwise only links to folders
 * have a reason.
 */
function reasonNotToRead(path: string, isKnown: boolean): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return 'a link to a folder, which is not followed; give the folder itself';
  if (!isKnown || stats?.isFile()) return undefined;
  return stats ? notFile(stats) : `a broken link to ${linkedTo(path)}`;
}

/**
 * Returns the arguments of `open` and `readOutline` for a file. `path`: path of the file, or `-`
 * for standard input. Companion files are searched only in the folder of the file and its
 * subfolders.
 */
export function fromPath(path: string, options: OpenOptions): [bytes: Uint8Array, options: OpenOptions] {
  const bytes = readWhole(path);
  const beside = path === '-' ? {} : { companions: (need: Need) => findBeside(dirname(path), need) };
  return [bytes, { worker: false, transfer: true, ...(path !== '-' && { name: basename(path) }), ...beside, ...options }];
}

/**
 * Reads a companion file in `folder` or its subfolders, ignoring case. Returns null if there is
 * none. Never reads files outside of the folder, even through links.
 */
export function findBeside(folder: string, need: Need): Uint8Array | null {
  if (need.kind === 'texture') return null; // textures are not needed to read a file
  const parts = need.name.split(/[/\\]+/).filter(part => part !== '' && part !== '.');
  const last = parts.at(-1);
  if (!last || last === '..') return null;
  const isInside = !parts.includes('..') && !/^[A-Za-z]:$/.test(parts[0]!);
  const path = (isInside && walk(folder, parts)) || walk(folder, [last]);
  return path ? readInside(folder, path) : null;
}

/**
 * Reads a file by its path relative to a folder. Returns null if the path leaves the folder or is a
 * URL.
 */
export function readBelow(folder: string, name: string): Uint8Array | null {
  const parts = name.split('/').filter(part => part !== '' && part !== '.');
  const isRelative = !name.startsWith('/') && !/^[A-Za-z][A-Za-z0-9+.-]*:|\\/.test(name);
  const path = isRelative && parts.length > 0 ? walk(folder, parts) : null;
  return path ? readInside(folder, path) : null;
}

/**
 * Reads a file. Returns null if it cannot be read, or if it is outside of `folder` after links are
 * resolved.
 */
export function readInside(folder: string, path: string): Uint8Array | null {
  try {
    const real = realpathSync(path);
    return real.startsWith(join(realpathSync(folder), sep)) ? readWhole(path) : null;
  } catch {
    return null;
  }
}

/**
 * Finds the files to which the instances of a scene refer. Searches the folder of the scene file
 * and its subfolders.
 */
export class FolderInstances implements InstanceSource {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  placeOf(name: string): Pick<PlacedFile, 'key' | 'folder'> {
    return { key: join(this.#folder, name), folder: [] };
  }

  async find(wanted: readonly (readonly string[])[]): Promise<PlacedFile | null> {
    for (const parts of wanted) {
      const key = walk(this.#folder, parts);
      if (!key) continue;
      const data = readInside(this.#folder, key);
      if (data) return { key, name: basename(key), folder: parts.slice(0, -1), data };
    }
    return null;
  }

  textures(): null {
    return null; // textures are not needed to read a file
  }
}

/**
 * Names of the files in each folder, by lower-case name; empty for folders that cannot be listed.
 * Each folder is listed only once per process, because companion files are searched for every file
 * of a batch.
 */
const listed = new Map<string, ReadonlyMap<string, readonly string[]>>();

function namesIn(folder: string): ReadonlyMap<string, readonly string[]> {
  return entry(listed, folder, () => {
    const byKey = new Map<string, string[]>();
    try {
      if (isFolder(folder)) for (const name of readdirSync(folder)) entry(byKey, name.toLowerCase(), () => []).push(name);
    } catch {
      // The user may not be allowed to list this folder.
    }
    return byKey;
  });
}

function walk(folder: string, parts: readonly string[]): string | null {
  let at = folder;
  for (const part of parts) {
    const names = namesIn(at).get(part.toLowerCase()) ?? [];
    const name = names.includes(part) ? part : names[0];
    if (name === undefined) return null;
    at = join(at, name);
  }
  return at;
}
