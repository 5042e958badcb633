// Files of the command line: folders, standard input, and what lies beside a file.
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { formats } from '../core/codes.ts';
import type { OpenOptions } from '../core/open.ts';
import type { Need } from '../core/types.ts';
import type { InstanceSource, PlacedFile } from '../three/instanceSources.ts';
import { UsageError } from './usage.ts';

/** A file that the system does not give: it is not there, too large for one piece, or may not be read. Ends a command that cannot do without it. */
export class UnreadableError extends UsageError {
  /** What the system says. */
  readonly reason: string;

  constructor(path: string, error: unknown) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no such file' : message;
    super(`${path}: ${reason}`);
    this.reason = reason;
  }
}

export const isFolder = (word: string): boolean => word !== '-' && statSync(word, { throwIfNoEntry: false })?.isDirectory() === true;

/** Every file that is meant: a folder stands for all files below it whose extension a format has. */
export async function expandFiles(words: readonly string[], mayBeEmpty = false): Promise<string[]> {
  const files: string[] = [];
  for (const word of words) {
    const found = isFolder(word) ? await filesBelow(word) : [word];
    if (found.length === 0 && !mayBeEmpty) throw new UsageError(`${word}: no file with a known extension in this folder`);
    files.push(...found);
  }
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  const extensions = new Set((await formats()).flatMap(format => format.extensions));
  const known = (name: string): boolean => extensions.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && known(entry.name))
    .map(entry => join(entry.parentPath ?? entry.path, entry.name));
  return found.sort();
}

/** What `open` and `readOutline` take: a file's bytes (`-`: standard input), and that its companions lie beside it. Nothing is fetched. */
export function fromPath(path: string, options: OpenOptions): [bytes: Uint8Array, options: OpenOptions] {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    throw new UnreadableError(path, error);
  }
  const beside = path === '-' ? {} : { companions: (need: Need) => findBeside(dirname(path), need) };
  return [bytes, { worker: false, transfer: true, ...(path !== '-' && { name: basename(path) }), ...beside, ...options }];
}

/** A needed file in or below `folder`, without regard to case; never outside of it, neither by its name nor through links. */
function findBeside(folder: string, need: Need): Uint8Array | null {
  if (need.kind === 'texture') return null; // nothing here is drawn
  const parts = need.name.split(/[/\\]+/).filter(part => part !== '' && part !== '.');
  const last = parts.at(-1);
  if (!last || last === '..') return null;
  const isInside = !parts.includes('..') && !/^[A-Za-z]:$/.test(parts[0]!);
  const path = (isInside && walk(folder, parts)) || walk(folder, [last]);
  return path ? readInside(folder, path) : null;
}

/** A file's bytes; null where it is none, lies outside of the folder when all links are followed, or cannot be read. */
export function readInside(folder: string, path: string): Uint8Array | null {
  try {
    const real = realpathSync(path);
    return real.startsWith(join(realpathSync(folder), sep)) && statSync(real).isFile() ? readFileSync(real) : null;
  } catch {
    return null;
  }
}

/** The files that a world places, below the folder it lies in. */
export class FolderInstances implements InstanceSource {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  placeOf(world: string): Pick<PlacedFile, 'key' | 'folder'> {
    return { key: join(this.#folder, world), folder: [] };
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
    return null; // nothing here is drawn
  }
}

function walk(folder: string, parts: readonly string[]): string | null {
  let at = folder;
  for (const part of parts) {
    const names = statSync(at, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(at) : [];
    const name = names.includes(part) ? part : names.find(candidate => candidate.toLowerCase() === part.toLowerCase());
    if (name === undefined) return null;
    at = join(at, name);
  }
  return at;
}
