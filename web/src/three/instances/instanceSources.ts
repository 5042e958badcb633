// Finds the files that instances refer to, among given files or on a server below the folder of the
// scene.
import { addressOf, commonEnd, isAbsolute, partsOf } from '../../core/paths.ts';
import { FileTextures, type TextureSource } from '../../textures/sources.ts';

/** A file that an instance refers to. */
export interface PlacedFile {
  /** Unique key of the file. Files with the same key are opened once. */
  key: string;
  name: string;
  /** Path of the folder that contains the file, split into segments. */
  folder: readonly string[];
  data: Uint8Array | Blob;
}

export interface InstanceSource {
  /**
   * Returns the key and the folder of the file that contains the scene. `name` is the name of this
   * file.
   */
  placeOf(name: string): Pick<PlacedFile, 'key' | 'folder'>;
  /**
   * Finds a file. `wanted` contains possible paths in order of preference, each split into
   * segments.
   */
  find(wanted: readonly (readonly string[])[], signal: AbortSignal | undefined): Promise<PlacedFile | null>;
  textures(folder: readonly string[]): TextureSource | null;
}

/**
 * Returns possible paths of a referenced file, each split into segments, in order of preference:
 * below the scene root, in the folder of the scene's file, only the file name. `root` is the scene
 * root that the file declares.
 */
export function wantedPaths(path: string, folder: readonly string[], root: string): string[][] {
  const parts = partsOf(path);
  const name = parts.slice(-1);
  if (isAbsolute(path)) return [parts, [...folder, ...name]];
  const below = isAbsolute(root) ? [] : [partsOf([...folder, root, path].join('/'))];
  return [...below, partsOf([...folder, path].join('/')), [...folder, ...name]];
}

interface KnownFile {
  key: string;
  parts: string[];
}

/** Finds the known file whose path has the most last segments in common with a wanted path. */
class KnownFiles {
  readonly #byName = new Map<string, KnownFile[]>();

  constructor(paths: Iterable<string>) {
    for (const key of paths) {
      const parts = partsOf(key);
      const name = parts.at(-1)?.toLowerCase() ?? '';
      const list = this.#byName.get(name);
      if (list) list.push({ key, parts });
      else this.#byName.set(name, [{ key, parts }]);
    }
  }

  placeOf(name: string): Pick<PlacedFile, 'key' | 'folder'> {
    const file = this.#byName.get(name.toLowerCase())?.[0];
    return { key: file?.key ?? name, folder: file?.parts.slice(0, -1) ?? [] };
  }

  find(path: readonly string[]): KnownFile | null {
    let best: KnownFile | null = null;
    let longest = 0;
    for (const file of this.#byName.get(path.at(-1)?.toLowerCase() ?? '') ?? []) {
      const length = commonEnd(file.parts, path);
      if (length > longest) [best, longest] = [file, length];
    }
    return best;
  }
}

const placed = ({ key, parts }: KnownFile, data: PlacedFile['data']): PlacedFile => ({
  key,
  name: parts.at(-1)!,
  folder: parts.slice(0, -1),
  data,
});

/** Finds referenced files among dropped or picked files. */
export class FileInstances implements InstanceSource {
  readonly #files: ReadonlyMap<string, Uint8Array | Blob>;
  readonly #known: KnownFiles;
  readonly #textures: FileTextures;

  constructor(files: ReadonlyMap<string, Uint8Array | Blob>) {
    this.#files = files;
    this.#known = new KnownFiles(files.keys());
    this.#textures = new FileTextures(files);
  }

  placeOf(name: string): Pick<PlacedFile, 'key' | 'folder'> {
    return this.#known.placeOf(name);
  }

  async find([path = []]: readonly (readonly string[])[]): Promise<PlacedFile | null> {
    const file = this.#known.find(path);
    return file && placed(file, this.#files.get(file.key)!);
  }

  textures(): TextureSource {
    return this.#textures;
  }
}

type FetchBelow = (address: string) => Promise<Uint8Array | null>;

/**
 * Finds files on a server with a known list of paths below the folder of the loaded file. `fetch`
 * returns null for missing files.
 */
export class ListedInstances implements InstanceSource {
  readonly #fetch: FetchBelow;
  readonly #known: KnownFiles;
  readonly #textures: TextureSource | null;

  constructor(fetch: FetchBelow, listing: Iterable<string>, textures: TextureSource | null) {
    this.#fetch = fetch;
    this.#known = new KnownFiles(listing);
    this.#textures = textures;
  }

  placeOf(name: string): Pick<PlacedFile, 'key' | 'folder'> {
    return this.#known.placeOf(name);
  }

  async find([path = []]: readonly (readonly string[])[], signal: AbortSignal | undefined): Promise<PlacedFile | null> {
    const file = this.#known.find(path);
    const data = file && (await this.#fetch(addressOf(file.parts)));
    signal?.throwIfAborted();
    return data && placed(file, data);
  }

  textures(): TextureSource | null {
    return this.#textures;
  }
}

const MAX_MISSES = 16;

/** Finds files below the folder of the loaded file. `fetch` returns null for missing files. */
export class UrlInstances implements InstanceSource {
  readonly #fetch: FetchBelow;
  readonly #textures: (folder: string) => TextureSource | null;
  /**
   * Number of failed requests for each position in `wanted`, counted from the end of `wanted`. NaN
   * once a request has succeeded.
   */
  readonly #misses: number[] = [];

  constructor(fetch: FetchBelow, textures: (folder: string) => TextureSource | null) {
    this.#fetch = fetch;
    this.#textures = textures;
  }

  placeOf(name: string): Pick<PlacedFile, 'key' | 'folder'> {
    return { key: addressOf([name]), folder: [] };
  }

  async find(wanted: readonly (readonly string[])[], signal: AbortSignal | undefined): Promise<PlacedFile | null> {
    const tried = new Set<string>();
    for (const [i, parts] of wanted.entries()) {
      const key = addressOf(parts);
      const place = wanted.length - i;
      // The files of a scene usually have the same folder structure, so positions at which no file
      // was ever found are skipped after several requests. The first position is always tried.
      if (tried.has(key) || (i > 0 && this.#misses[place]! >= MAX_MISSES)) continue;
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
