// Where the files are that a world places: in hand, or below the folder of the world on a server.
import { addressOf, commonEnd, isAbsolute, partsOf } from '../core/paths.ts';
import { FileTextures, type TextureSource } from '../dressing/sources.ts';

/** A file that an instance names. */
export interface PlacedFile {
  /** Tells files apart: what has the same key is opened once. */
  key: string;
  name: string;
  /** Parts of the folder it lies in. */
  folder: readonly string[];
  data: Uint8Array | Blob;
}

export interface InstanceSource {
  /** Where the world itself lies, by its name. */
  placeOf(world: string): Pick<PlacedFile, 'key' | 'folder'>;
  /** `wanted` are the parts of the path in the order in which they should be tried. */
  find(wanted: readonly (readonly string[])[], signal: AbortSignal | undefined): Promise<PlacedFile | null>;
  textures(folder: readonly string[]): TextureSource | null;
}

/**
 * Parts of the paths at which a placed file may lie: below the scene root, beside the world's file, and the bare name, in this order. `root`: what the
 * world calls its scene root.
 */
export function wantedPaths(path: string, folder: readonly string[], root: string): string[][] {
  const parts = partsOf(path);
  const name = parts.slice(-1);
  if (isAbsolute(path)) return [parts, [...folder, ...name]];
  const below = isAbsolute(root) ? [] : [partsOf([...folder, root, path].join('/'))];
  return [...below, partsOf([...folder, path].join('/')), [...folder, ...name]];
}

interface HeldFile {
  key: string;
  parts: string[];
  data: Uint8Array | Blob;
}

/** Dropped files, whatever folders they were dropped with: the longest common end of the path wins. */
export class FileInstances implements InstanceSource {
  readonly #byName = new Map<string, HeldFile[]>();
  readonly #textures: FileTextures;

  constructor(files: ReadonlyMap<string, Uint8Array | Blob>) {
    for (const [key, data] of files) {
      const parts = partsOf(key);
      const name = parts.at(-1)?.toLowerCase() ?? '';
      const list = this.#byName.get(name);
      if (list) list.push({ key, parts, data });
      else this.#byName.set(name, [{ key, parts, data }]);
    }
    this.#textures = new FileTextures(files);
  }

  placeOf(world: string): Pick<PlacedFile, 'key' | 'folder'> {
    const file = this.#byName.get(world.toLowerCase())?.[0];
    return { key: file?.key ?? world, folder: file?.parts.slice(0, -1) ?? [] };
  }

  async find(wanted: readonly (readonly string[])[]): Promise<PlacedFile | null> {
    const [path = []] = wanted;
    let best: HeldFile | null = null;
    let longest = 0;
    for (const file of this.#byName.get(path.at(-1)?.toLowerCase() ?? '') ?? []) {
      const length = commonEnd(file.parts, path);
      if (length > longest) [best, longest] = [file, length];
    }
    return best && { key: best.key, name: best.parts.at(-1)!, folder: best.parts.slice(0, -1), data: best.data };
  }

  textures(): TextureSource {
    return this.#textures;
  }
}

const MOST_MISSES = 16;

/** Files below the folder of a loaded file. `fetch` answers null where there is nothing. */
export class UrlInstances implements InstanceSource {
  readonly #fetch: (address: string) => Promise<Uint8Array | null>;
  readonly #textures: (folder: string) => TextureSource | null;
  /** By place of an address among those wanted, from the last: how often nothing was there; NaN once something was. */
  readonly #misses: number[] = [];

  constructor(fetch: (address: string) => Promise<Uint8Array | null>, textures: (folder: string) => TextureSource | null) {
    this.#fetch = fetch;
    this.#textures = textures;
  }

  placeOf(world: string): Pick<PlacedFile, 'key' | 'folder'> {
    return { key: addressOf([world]), folder: [] };
  }

  async find(wanted: readonly (readonly string[])[], signal: AbortSignal | undefined): Promise<PlacedFile | null> {
    const tried = new Set<string>();
    for (const [i, parts] of wanted.entries()) {
      const key = addressOf(parts);
      const place = wanted.length - i;
      // A world's files lie all in the same manner: where none of them was is looked no more, but for the place that the file names.
      if (tried.has(key) || (i > 0 && this.#misses[place]! >= MOST_MISSES)) continue;
      tried.add(key);
      const data = await this.#fetch(key);
      signal?.throwIfAborted();
      this.#misses[place] = data ? NaN : (this.#misses[place] ?? 0) + 1;
      if (data) return { key, name: parts.at(-1)!, folder: parts.slice(0, -1), data };
    }
    return null;
  }

  textures(folder: readonly string[]): TextureSource | null {
    return this.#textures(folder.length ? `${addressOf(folder)}/` : '');
  }
}
