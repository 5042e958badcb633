// Images and side files of materials below folders, found by the names that files spell.
import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { entry } from '../core/entry.ts';
import { commonStart, partsOf } from '../core/paths.ts';
import type { ImageSource } from '../convert/imageSource.ts';
import { IMAGE_EXTENSIONS, OTHER_IMAGES } from '../dressing/names.ts';
import { extensionOf, Listing, type Nearness } from '../dressing/sources.ts';
import { readInside } from './files.ts';

/** Files that state the textures of a material of Unreal. */
const TEXT = /\.(mat|props\.txt|json)$/i;
const IMAGES = new Set([...IMAGE_EXTENSIONS, ...OTHER_IMAGES]);

interface Place {
  folder: string;
  path: string;
}

/** Files below each folder, listed once per process because the models of a run share their folders. */
const listed = new Map<string, [name: string, place: Place][]>();

/** The listing of the last set of folders: models that follow each other mostly have the same. */
let last: { key: string; listing: Listing<Place> } | undefined;

/**
 * Finds images in and below the given folders and the folders of the model's own files, ignoring case; never outside of them. If several files have the wanted name,
 * uses the nearest to the model. Lists the folders on first use.
 */
export class FolderImages implements ImageSource {
  readonly #folders: readonly string[];
  readonly #model: string;

  /** `given`: folders of the command line. `files`: the model and its animations, the model first. */
  constructor(given: readonly string[], files: readonly string[]) {
    const folders = new Set([...files.map(dirname), ...given].map(folder => resolve(folder)));
    this.#folders = [...folders].filter(folder => ![...folders].some(other => isBelow(folder, other)));
    this.#model = resolve(files[0] ?? '');
  }

  async image(path: string): Promise<{ name: string; bytes: Uint8Array } | null> {
    const [name = '', place] = this.#files.image(path, this.#nearness) ?? [];
    const bytes = place && read(place);
    return bytes ? { name, bytes } : null;
  }

  get names(): readonly string[] {
    return this.#files.images;
  }

  async text(name: string): Promise<string | null> {
    const place = this.#files.file(name, this.#nearness);
    const bytes = place && read(place);
    return bytes ? new TextDecoder().decode(bytes) : null;
  }

  /** Number of folders that the paths of the file and of the model begin with; 0 if they are below different given folders. */
  readonly #nearness: Nearness<Place> = (name, { folder }) =>
    isBelow(this.#model, folder) ? 1 + commonStart(partsOf(name).slice(0, -1), partsOf(relative(folder, dirname(this.#model)))) : 0;

  get #files(): Listing<Place> {
    const key = this.#folders.join('\0');
    if (last?.key !== key) last = { key, listing: new Listing(this.#folders.flatMap(folder => entry(listed, folder, () => list(folder)))) };
    return last.listing;
  }
}

const isBelow = (path: string, folder: string): boolean => path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const read = ({ folder, path }: Place): Uint8Array | null => readInside(folder, join(folder, path));

function list(folder: string): [name: string, place: Place][] {
  const isWanted = (path: string): boolean => TEXT.test(path) || IMAGES.has(extensionOf(path));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
    .sort()
    .map(path => [path.replaceAll(sep, '/'), { folder, path }]);
}
