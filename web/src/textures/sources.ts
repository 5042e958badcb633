// Sources of textures: local files, or files next to a model on a server.
import { entry } from '../core/entry.ts';
import { commonEnd, isAbsolute, partsOf } from '../core/paths.ts';
import type { NamedMaterialValues } from './materialValues.ts';
import { baseName, hasSeveralModels, IMAGE_EXTENSIONS, UNSUPPORTED_IMAGES, stemOf } from './names.ts';

/** Provides images and material files. Names are file names or paths as stored in the model. */
export interface TextureSource {
  /**
   * Returns the contents of a text file, or null if it does not exist. `folder`: folder of the file
   * in the project from which the model was exported; '' if it is unknown. If several files have the
   * name, the file in the most similar folder is the right one.
   */
  text(name: string, folder?: string): Promise<string | null>;
  /**
   * Returns the image with the given name or path, ignoring case. If it does not exist, returns an
   * image with the same name and another extension, or null if there is none.
   */
  image(path: string): Promise<FoundImage | null>;
  /**
   * Names of all available images; null if they are unknown. Textures are then not inferred from
   * file names.
   */
  readonly names: readonly string[] | null;
  /**
   * Names of the images in the model's folder; by default, all names. Only these images are used
   * for a material for which no textures were found by other means.
   */
  readonly sameFolder?: readonly string[];
  /**
   * True if there are other models to which these images may belong. An image is then used only if its
   * name matches a material or the model.
   */
  readonly hasOtherModels?: boolean;
  /**
   * True if files are requested from a server. The number of requests (`maxTextures`) and of
   * parallel requests is then limited.
   */
  readonly isRemote?: boolean;
  /** Images that were chosen for materials. */
  readonly choices?: readonly TextureChoice[];
  /**
   * Values of materials. They replace those of the file NAME.materials.json, which is read if the names
   * of all images are known.
   */
  readonly values?: readonly NamedMaterialValues[];
}

/**
 * An image that was chosen for a slot of all materials with the name `material`. It overrides what
 * the model file, a material file or file names indicate.
 */
export interface TextureChoice {
  material: string;
  slot: string;
  image: FoundImage;
}

export interface FoundImage {
  name: string;
  bytes: Uint8Array | Blob;
  /** Path by which converted files refer to the image, if it differs from the name. */
  path?: string;
}

/**
 * Returns how near a file is to the model. Of several files with the same name, the one with the
 * largest value is used.
 */
export type Nearness<T> = (name: string, value: T) => number;

/**
 * Finds files by name, ignoring case; images also match if only their extension differs. If several
 * files match, prefers those in folders that match the requested path, then preferred extensions of
 * images (IMAGE_EXTENSIONS), then files nearer to the model, then the first file.
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

  file(name: string, folder = '', nearness?: Nearness<T>): T | undefined {
    const folders = partsOf(folder);
    const candidates = this.#byName.get(name.toLowerCase()) ?? [];
    return best(candidates, file => [commonEnd(folders, partsOf(file[0]).slice(0, -1)), nearness?.(...file) ?? 0])?.[1];
  }

  image(path: string, nearness?: Nearness<T>): [name: string, value: T] | null {
    const base = baseName(path).toLowerCase();
    const found = this.#byName.get(base)?.filter(([name]) => isImage(name)) ?? [];
    const candidates = found.length ? found : (this.#byStem.get(stemOf(base)) ?? []);
    const folders = partsOf(path).slice(0, -1);
    return best(candidates, file => [commonEnd(folders, partsOf(file[0]).slice(0, -1)), -rank(file[0]), nearness?.(...file) ?? 0]);
  }
}

/**
 * Returns the first element with the largest score. Scores are lists of numbers, which are compared
 * in order.
 */
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

/**
 * Provides local files, such as those that a user has dropped or an archive contains. Keys of
 * `files` are names or paths.
 */
export class FileTextures implements TextureSource {
  readonly names: readonly string[];
  readonly hasOtherModels: boolean;
  readonly choices: readonly TextureChoice[];
  declare readonly values?: readonly NamedMaterialValues[];
  readonly #files: Listing<Uint8Array | Blob>;

  constructor(
    files: ReadonlyMap<string, Uint8Array | Blob>,
    choices: readonly TextureChoice[] = [],
    values: readonly NamedMaterialValues[] | null = null,
  ) {
    this.choices = choices;
    if (values) this.values = values;
    this.#files = new Listing(files);
    this.names = this.#files.images;
    this.hasOtherModels = hasSeveralModels(files.keys());
  }

  async text(name: string, folder = ''): Promise<string | null> {
    const bytes = this.#files.file(name, folder);
    if (!bytes) return null;
    return bytes instanceof Blob ? bytes.text() : new TextDecoder().decode(bytes);
  }

  async image(path: string): Promise<FoundImage | null> {
    const [name, bytes] = this.#files.image(path) ?? [];
    return name !== undefined && bytes ? { name, bytes } : null;
  }
}

/**
 * Provides files next to a model on a server. `fetch`: function that requests a path relative to
 * the model's folder and resolves with null if the file does not exist. `listing`: paths of all
 * existing files, if known. With a listing, only these files are requested, and textures can be
 * inferred from their names. Without a listing, other extensions and subfolders are tried as well.
 * An extension or the subfolder is no longer tried after 16 failures without any success.
 * `hasMaterialFiles`: false to request no material files without a listing.
 */
export class UrlTextures implements TextureSource {
  readonly names: readonly string[] | null;
  readonly hasOtherModels: boolean;
  readonly isRemote = true;
  readonly #fetch: (path: string) => Promise<Uint8Array | null>;
  readonly #listing: Listing<string> | null;
  readonly #hasMaterialFiles: boolean;
  #extensions = ['png', 'tga', 'dds', 'jpg'];
  readonly #attempts = new Map<string, { hits: number; misses: number }>();

  constructor(fetch: (path: string) => Promise<Uint8Array | null>, listing: Iterable<string> | null = null, hasMaterialFiles = true) {
    this.#fetch = fetch;
    this.#hasMaterialFiles = hasMaterialFiles;
    const paths = listing && [...listing];
    this.#listing = paths && new Listing(paths.map(path => [path, path] as const));
    this.names = this.#listing?.images ?? null;
    this.hasOtherModels = hasSeveralModels(paths ?? []);
  }

  async text(name: string, folder = ''): Promise<string | null> {
    const path = this.#listing ? this.#listing.file(name, folder) : this.#hasMaterialFiles ? name : undefined;
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
    // Exporters may convert images, so the extension of the stored name may be wrong.
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

  /**
   * Requests a file unless the lookup strategy `way` has failed MAX_MISSES times and never
   * succeeded.
   */
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

/** Number of failures after which a lookup strategy that has never succeeded is no longer tried. */
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
