// Where textures and what speaks of them are found: files in hand, or files beside a model on a server.
import { entry } from '../core/entry.ts';
import { commonEnd, isAbsolute, partsOf } from '../core/paths.ts';
import { baseName, IMAGE_EXTENSIONS, OTHER_IMAGES, stemOf } from './names.ts';

/**
 * Where images and sidecars come from. Names are bare names or paths as a file spells them; nothing is found that the source does not
 * choose to give.
 */
export interface TextureSource {
  /** A text file of that name, or null. */
  text(name: string): Promise<string | null>;
  /** An image of that name, ignoring case; if there is none, of that name with another extension. */
  image(path: string): Promise<FoundImage | null>;
  /** All image names there are, or null where that is not known: then nothing is guessed by name. */
  readonly names: readonly string[] | null;
  /** Those of `names` that are in the folder of the model; default: all. One of them may be used because no other is left. */
  readonly beside?: readonly string[];
  /** Whether every name costs a request: few are then under way at once, and not more than `maxTextures` names are asked for. */
  readonly isRemote?: boolean;
}

export interface FoundImage {
  name: string;
  bytes: Uint8Array | Blob;
  /** How a converted file names it, if not by its name. */
  path?: string;
}

/** Nearness of a listed file to the model, used to choose between files of one name. The largest wins. */
export type Nearness<T> = (name: string, value: T) => number;

/**
 * Files found by their name in any case, images also by their stem. If several images match, prefers the one whose folders agree best with the wanted path, then the
 * better extension, then the nearer file, then the first.
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

/** Returns the first element with the largest score. Scores are compared number by number. */
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

/** Files in hand: dropped, picked, or from an archive. Keys are names or paths. */
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
 * Files beside a model on a server. `fetch` gets paths below the model's folder (paths.ts) and resolves with null if there is no such file. With a
 * `listing`, the paths of what is there, nothing else is requested, and names can be guessed as among files in hand. Without one a server cannot be
 * asked for a list: names are never guessed, and what failed several times and never answered (an extension, the folder that a path names) is not tried again.
 */
export class UrlTextures implements TextureSource {
  readonly names: readonly string[] | null;
  readonly isRemote = true;
  readonly #fetch: (path: string) => Promise<Uint8Array | null>;
  readonly #listing: Listing<string> | null;
  #extensions = ['png', 'tga', 'dds', 'jpg'];
  readonly #odds = new Map<string, { hits: number; misses: number }>();

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
    // Exporters re-encode: the name that a file knows may have another extension now.
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

  /** Asks in a way that may never answer here. */
  async #try(way: string, path: string): Promise<FoundImage | null> {
    const odds = this.#odds.get(way) ?? { hits: 0, misses: 0 };
    this.#odds.set(way, odds);
    if (odds.hits === 0 && odds.misses >= MOST_MISSES) return null;
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

/** How often a way of asking may fail before it is given up. */
const MOST_MISSES = 16;

export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function isImage(name: string): boolean {
  return [...IMAGE_EXTENSIONS, ...OTHER_IMAGES].includes(extensionOf(name));
}

function rank(name: string): number {
  const at = IMAGE_EXTENSIONS.indexOf(extensionOf(name));
  return at < 0 ? IMAGE_EXTENSIONS.length : at;
}
