// Finds images and material files below folders, by the names that models contain.
import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { entry } from '../core/entry.ts';
import { commonStart, partsOf } from '../core/paths.ts';
import type { ImageSource } from '../convert/common/imageSource.ts';
import { baseName } from '../textures/names.ts';
import { isImage, Listing, type Nearness } from '../textures/sources.ts';
import { readInside } from './files.ts';
import { startingWith } from './sorted.ts';

/** Text files that assign textures to an Unreal material. */
const TEXT = /\.(mat|props\.txt|json)$/i;

interface Place {
  folder: string;
  path: string;
}

/**
 * Files below each folder, listed once per process because the models of a run share their folders.
 */
const listed = new Map<string, [name: string, place: Place][]>();

/** Images below each folder, sorted by path. */
const imagesBelow = new Map<string, string[]>();

/**
 * Images in and below the folder of a model. Models of one folder share the list, which is indexed
 * once.
 */
const imagesBeside = new Map<string, readonly string[]>();

/** The listing of the last set of folders. Consecutive models usually have the same set. */
let last: { key: string; listing: Listing<Place> } | undefined;

/**
 * Finds images in and below the given folders and the folders of the model's files, ignoring case.
 * Files outside of these folders are never read. If several files have the requested name, the one
 * nearest to the model is used.
 */
export class FolderImages implements ImageSource {
  readonly #folders: readonly string[];
  readonly #model: string;
  readonly #out: string;

  /**
   * `given`: folders of the command line. `files`: the model and its animations, the model first.
   * `out`: the folder of the result.
   */
  constructor(given: readonly string[], files: readonly string[], out: string) {
    this.#out = resolve(out);
    const folders = new Set([...files.map(dirname), ...given].map(folder => resolve(folder)));
    this.#folders = [...folders].filter(folder => ![...folders].some(other => isBelow(folder, other)));
    this.#model = resolve(files[0] ?? '');
  }

  /** `path` is relative to the folder of the result. */
  async image(wanted: string): Promise<{ name: string; bytes: Uint8Array; path: string } | null> {
    const [name = '', place] = this.#files.image(wanted, this.#nearness) ?? [];
    const bytes = place && read(place);
    return bytes ? { name, bytes, path: relative(this.#out, join(place.folder, place.path)).replaceAll(sep, '/') } : null;
  }

  get names(): readonly string[] {
    return this.#files.images;
  }

  /**
   * Images in and below the model's folder. A single image in another folder is probably not meant
   * for every model.
   */
  get beside(): readonly string[] {
    const own = dirname(this.#model);
    const root = this.#folders.find(folder => own === folder || isBelow(own, folder)) ?? own;
    const images = entry(imagesBelow, root, () => filesBelow(root).flatMap(([name]) => (isImage(name) ? [name] : [])));
    return entry(imagesBeside, own, () => {
      const prefix = own === root ? '' : `${relative(root, own).replaceAll(sep, '/')}/`;
      return startingWith(images, prefix).map(baseName);
    });
  }

  async text(name: string): Promise<string | null> {
    const place = this.#files.file(name, this.#nearness);
    const bytes = place && read(place);
    return bytes ? new TextDecoder().decode(bytes) : null;
  }

  /**
   * Returns the number of leading folders that the paths of the file and the model have in common,
   * plus 1. Returns 0 if they are below different given folders.
   */
  readonly #nearness: Nearness<Place> = (name, { folder }) =>
    isBelow(this.#model, folder) ? 1 + commonStart(partsOf(name).slice(0, -1), partsOf(relative(folder, dirname(this.#model)))) : 0;

  get #files(): Listing<Place> {
    const key = this.#folders.join('\0');
    if (last?.key !== key) last = { key, listing: new Listing(this.#folders.flatMap(filesBelow)) };
    return last.listing;
  }
}

const isBelow = (path: string, folder: string): boolean => path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const read = ({ folder, path }: Place): Uint8Array | null => readInside(folder, join(folder, path));

function filesBelow(folder: string): [name: string, place: Place][] {
  return entry(listed, folder, () => {
    const paths = new Map(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(path => [path.replaceAll(sep, '/'), path]));
    const names = [...paths.keys()].filter(name => TEXT.test(name) || isImage(name)).sort();
    return names.map(name => [name, { folder, path: paths.get(name) ?? name }]);
  });
}
