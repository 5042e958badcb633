// Texture sources: local files, or files next to a model on a server.
import { entry } from '../core/entry.ts';
import { commonEnd, isAbsolute, partsOf } from '../core/paths.ts';
import { baseName, IMAGE_EXTENSIONS, UNSUPPORTED_IMAGES, stemOf } from './names.ts';

/**
 * Provides images and material files. Names are file names or paths as stored in the model. Only
 * files that the source provides are used.
 */
export interface TextureSource {
  /** Returns the contents of a text file, or null. */
  text(name: string): Promise<string | null>;
  /**
   * Returns the image of that name, ignoring case. If it does not exist, returns one with another
   * extension, or null.
   */
  image(path: string): Promise<FoundImage | null>;
  /** Names of all available images. If null, no texture is inferred from file names. */
  readonly names: readonly string[] | null;
  /**
   * Names of images in the model's folder; default: all. Only these are used for a material that
   * nothing else describes.
   */
  readonly sameFolder?: readonly string[];
  /**
   * True if every lookup is a request. Requests are then limited in number (`maxTextures`) and
   * concurrency.
   */
  readonly isRemote?: boolean;
}

export interface FoundImage {
  name: string;
  bytes: Uint8Array | Blob;
  /** Path of the image in converted files, if it differs from the name. */
  path?: string;
}

/**
 * Closeness of a file to the model, to choose between files of the same name. The largest value
 * wins.
 */
export type Nearness<T> = (name: string, value: T) => number;

/**
 * Finds files by name, ignoring case, and images also by stem. If several images match, prefers
 * matching folders, then the better extension, then the nearer file, then the first.
 */
export class Listing<T> {
  /** Names of images, without folders. */
  readonly images: readonly string[];
  readonly #byName = new Map<string, [name: string, value: T][]>();
  readonly #byStem = new Map<string, [name: string, value: T][]>();

  constructor(files: Iterable<readonly [string, T]>) {
    const images: string[] = [];
    for (const [name, value] of files) {
      const base = baseName(name).toLowerCase();
      entry(this.#byName, base, () => []).push([name, value]);
      if (!isImage(base)) continue;
      entry(this.#byStem, stemOf(base), () => []).push([name, value]);
      images.push(baseName(name));
    }
    this.images = images;
  }

  file(name: string, nearness?: Nearness<T>): T | undefined {
    return best(this.#byName.get(name.toLowerCase()) ?? [], file => [nearness?.(...file) ?? 0])?.[1];
  }

  image(path: string, nearness?: Nearness<T>): [name: string, value: T] | null {
    const base = baseName(path).toLowerCase();
    const found = this.#byName.get(base)?.filter(([name]) => isImage(name)) ?? [];
    const candidates = found.length ? found : (this.#byStem.get(stemOf(base)) ?? []);
    const folders = partsOf(path).slice(0, -1);
    return best(candidates, file => [commonEnd(folders, partsOf(file[0]).slice(0, -1)), -rank(file[0]), nearness?.(...file) ?? 0]);
  }
}

/** Returns the first element with the largest score. Scores are compared component by component. */
function best<T>(all: readonly T[], scoreOf: (one: T) => readonly number[]): T | null {
  const [first = null] = all;
  if (all.length < 2) return first;
  let found = first;
  let most: readonly number[] = [];
  for (const one of all) {
    const score = scoreOf(one);
    const differs = score.findIndex((value, i) => value !== most[i]);
    if (most.length > 0 && (differs < 0 || score[differs]! < most[differs]!)) continue;
    found = one;
    most = score;
  }
  return found;
}

/** Local files: dropped, picked, or from an archive. Keys are names or paths. */
export class FileTextures implements TextureSource {
  readonly names: readonly string[];
  readonly #files: Listing<Uint8Array | Blob>;

  constructor(files: ReadonlyMap<string, Uint8Array | Blob>) {
    this.#files = new Listing(files);
    this.names = this.#files.images;
  }

  async text(name: string): Promise<string | null> {
    const bytes = this.#files.file(name);
    if (!bytes) return null;
    return bytes instanceof Blob ? bytes.text() : new TextDecoder().decode(bytes);
  }

  async image(path: string): Promise<FoundImage | null> {
    const [name, bytes] = this.#files.image(path) ?? [];
    return name !== undefined && bytes ? { name, bytes } : null;
  }
}

/**
 * Files next to a model on a server. `fetch` gets a path relative to the model's folder and
 * resolves with null if the file does not exist. With a `listing` of all paths, only listed files
 * are requested and textures can be inferred from names. Without one, no names are inferred, and a
 * strategy that has failed repeatedly without success (an extension, a subfolder) is not tried
 * again.
 */
export class UrlTextures implements TextureSource {
  readonly names: readonly string[] | null;
  readonly isRemote = true;
  readonly #fetch: (path: string) => Promise<Uint8Array | null>;
  readonly #listing: Listing<string> | null;
  #extensions = ['png', 'tga', 'dds', 'jpg'];
  readonly #attempts = new Map<string, { hits: number; misses: number }>();

  constructor(fetch: (path: string) => Promise<Uint8Array | null>, listing: Iterable<string> | null = null) {
    this.#fetch = fetch;
    this.#listing = listing && new Listing(Array.from(listing, path => [path, path] as const));
    this.names = this.#listing?.images ?? null;
  }

  async text(name: string): Promise<string | null> {
    const path = this.#listing ? this.#listing.file(name) : name;
    const bytes = path === undefined ? null : await this.#fetch(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  async image(path: string): Promise<FoundImage | null> {
    if (this.#listing) {
      const [listed] = this.#listing.image(path) ?? [];
      return listed === undefined ? null : this.#get(listed);
    }
    const name = baseName(path);
    const own = isImage(name) ? extensionOf(name) : '';
    if (own) {
      const below = path !== name && !isAbsolute(path) && (await this.#try('folder', partsOf(path).join('/')));
      const found = below || (await this.#get(name));
      if (found) return found;
    }
    // Exporters may convert images, so the stored name may have an outdated extension.
    const stem = own ? stemOf(name) : name;
    for (const [i, extension] of this.#extensions.entries()) {
      if (extension === own) continue;
      const file = `${stem}.${extension}`;
      const found = await (i === 0 && !own ? this.#get(file) : this.#try(extension, file));
      if (!found) continue;
      this.#extensions = [extension, ...this.#extensions.filter(other => other !== extension)];
      return found;
    }
    return null;
  }

  /** Tries a lookup strategy unless it has always failed. */
  async #try(way: string, path: string): Promise<FoundImage | null> {
    const odds = this.#attempts.get(way) ?? { hits: 0, misses: 0 };
    this.#attempts.set(way, odds);
    if (odds.hits === 0 && odds.misses >= MAX_MISSES) return null;
    const found = await this.#get(path);
    if (found) odds.hits++;
    else odds.misses++;
    return found;
  }

  async #get(path: string): Promise<FoundImage | null> {
    const bytes = await this.#fetch(path);
    return bytes && { name: path, bytes };
  }
}

/** Maximum number of failures of a lookup strategy that has never succeeded. */
const MAX_MISSES = 16;

export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function isImage(name: string): boolean {
  return [...IMAGE_EXTENSIONS, ...UNSUPPORTED_IMAGES].includes(extensionOf(name));
}

function rank(name: string): number {
  const at = IMAGE_EXTENSIONS.indexOf(extensionOf(name));
  return at < 0 ? IMAGE_EXTENSIONS.length : at;
}
