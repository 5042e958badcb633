// Finds the images and material files that models refer to, in folders and their subfolders.
import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { entry } from '../core/entry.ts';
import { commonStart, partsOf } from '../core/paths.ts';
import type { ImageSource } from '../convert/common/imageSource.ts';
import { baseName, hasSeveralModels, isModelWithoutTextures } from '../textures/names.ts';
import { isImage, Listing, type Nearness } from '../textures/sources.ts';
import { entriesBelow, readInside } from './files.ts';
import { startingWith } from '../convert/common/sorted.ts';

/** Text files that assign textures to an Unreal material. */
const TEXT = /\.(mat|props\.txt|json)$/i;

/**
 * Folders of materials and textures beside the folder of a model, as in the exports of UE Viewer
 * (MaterialInstanceConstant, Texture2D) and FModel (Materials, Textures).
 */
const BESIDE = /^(materials?3?|materialinstances?(constant)?|textures?|texture2d)$/i;

interface Place {
  folder: string;
  path: string;
}

/**
 * Files below each folder. Each folder is listed only once per process, because the models of a run
 * usually use the same folders.
 */
const listed = new Map<string, [name: string, place: Place][]>();

/** Folders of materials and textures in each folder. */
const beside = new Map<string, readonly string[]>();

/** Images and models below each folder, sorted by path. */
const filesByFolder = new Map<string, string[]>();

/**
 * Images in the folder of a model and its subfolders. All models in a folder use the same array, so
 * that it is indexed only once.
 */
const imagesBeside = new Map<string, readonly string[]>();

/** True for folders with several models, including their subfolders. */
const sharedFolders = new Map<string, boolean>();

/**
 * The listing of the most recently used folders, because consecutive models usually have the same
 * folders.
 */
let last: { key: string; listing: Listing<Place> } | undefined;

/**
 * Finds images, ignoring case, in the folders that `searchedFolders` returns and their subfolders.
 * Never reads files outside of these folders. If several files have the requested name, uses the one
 * that is nearest to the model.
 */
export class FolderImages implements ImageSource {
  readonly #folders: readonly string[];
  readonly #model: string;
  readonly #out: string;

  /**
   * `extra`: folders given on the command line. `files`: paths of the model and its animations,
   * starting with the model. `out`: folder of the result.
   */
  constructor(extra: readonly string[], files: readonly string[], out: string) {
    this.#out = resolve(out);
    this.#folders = searchedFolders(files, extra);
    this.#model = resolve(files[0] ?? '');
  }

  /**
   * Returns an image by name. `path` in the result is relative to the folder of the converted file.
   */
  async image(wanted: string): Promise<{ name: string; bytes: Uint8Array; path: string } | null> {
    const [name = '', place] = this.#files.image(wanted, this.#nearness) ?? [];
    const bytes = place && read(place);
    return bytes ? { name, bytes, path: relative(this.#out, join(place.folder, place.path)).replaceAll(sep, '/') } : null;
  }

  get names(): readonly string[] {
    return this.#files.images;
  }

  /**
   * Names of the images in the model's folder and its subfolders. Images in other folders are left
   * out, because they may belong to other models.
   */
  get beside(): readonly string[] {
    return entry(imagesBeside, dirname(this.#model), () => this.#filesBeside().filter(isImage).map(baseName));
  }

  /** True if there are other models in the model's folder and its subfolders. */
  get hasOtherModels(): boolean {
    return entry(sharedFolders, dirname(this.#model), () => hasSeveralModels(this.#filesBeside()));
  }

  #filesBeside(): readonly string[] {
    const own = dirname(this.#model);
    const root = this.#folders.find(folder => own === folder || isBelow(own, folder)) ?? own;
    const isBeside = (name: string): boolean => isImage(name) || isModelWithoutTextures(name);
    const files = entry(filesByFolder, root, () => namesBelow(root).filter(isBeside));
    return startingWith(files, own === root ? '' : `${relative(root, own).replaceAll(sep, '/')}/`);
  }

  async text(name: string, folder = ''): Promise<string | null> {
    const place = this.#files.file(name, folder, this.#nearness);
    const bytes = place && read(place);
    return bytes ? new TextDecoder().decode(bytes) : null;
  }

  /**
   * Returns how near a file is to the model: 0 if they are not below the same searched folder,
   * otherwise 1 plus the number of leading folders that their paths have in common.
   */
  readonly #nearness: Nearness<Place> = (name, { folder }) =>
    isBelow(this.#model, folder) ? 1 + commonStart(partsOf(name).slice(0, -1), partsOf(relative(folder, dirname(this.#model)))) : 0;

  get #files(): Listing<Place> {
    const key = this.#folders.join('\0');
    if (last?.key !== key) last = { key, listing: new Listing(this.#folders.flatMap(filesBelow)) };
    return last.listing;
  }
}

/**
 * Returns the folders in which images and material files are searched, without those that are below
 * another one: the folders of the model and its animations, folders of materials and textures beside
 * these, and `extra`. `files`: paths of the model and its animations.
 */
export function searchedFolders(files: readonly string[], extra: readonly string[]): string[] {
  const own = files.map(file => dirname(resolve(file)));
  return outermost([...own, ...own.flatMap(foldersBeside), ...extra]);
}

/** Returns the folders of materials and textures beside a folder. */
export function foldersBeside(folder: string): readonly string[] {
  const parent = dirname(resolve(folder));
  return entry(beside, parent, () => {
    try {
      const all = readdirSync(parent, { withFileTypes: true });
      return all.flatMap(each => (each.isDirectory() && BESIDE.test(each.name) ? [join(parent, each.name)] : []));
    } catch {
      return []; // the user may not be allowed to list this folder
    }
  });
}

/** Returns the absolute paths of folders, without those that are below another one. */
function outermost(folders: readonly string[]): string[] {
  const all = [...new Set(folders.map(folder => resolve(folder)))];
  return all.filter(folder => !all.some(other => isBelow(folder, other)));
}

/** Lists the images and material files below a folder, with paths relative to the folder. */
export const imagesBelow = (folder: string): string[] => namesBelow(folder).filter(name => !isModelWithoutTextures(name));

/** Lists the models below a folder whose files name no textures, with paths relative to the folder. */
export const modelsBelow = (folder: string): string[] => namesBelow(folder).filter(isModelWithoutTextures);

const namesBelow = (folder: string): string[] => filesBelow(folder).map(([name]) => name);

const isBelow = (path: string, folder: string): boolean => path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const read = ({ folder, path }: Place): Uint8Array | null => readInside(folder, join(folder, path));

/**
 * Lists the files below a folder that determine textures: images, material files, and models. Leaves
 * out subfolders that cannot be listed.
 */
function filesBelow(folder: string): [name: string, place: Place][] {
  return entry(listed, folder, () => {
    const names = Array.from(entriesBelow(folder), ({ place }) => place);
    const used = names.filter(name => TEXT.test(name) || isImage(name) || isModelWithoutTextures(name));
    return used.sort().map(name => [name, { folder, path: name }]);
  });
}
