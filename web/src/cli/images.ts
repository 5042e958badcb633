// Images and side files of materials below folders, found by the names that files spell.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ImageSource } from '../convert/imageSource.ts';
import { IMAGE_EXTENSIONS, OTHER_IMAGES } from '../dressing/names.ts';
import { extensionOf, Listing } from '../dressing/sources.ts';
import { readInside } from './files.ts';

/** What says which textures a material of Unreal uses. */
const TEXT = /\.(mat|props\.txt|json)$/i;

/** Files that a folder is looked at for. */
const MOST_FILES = 100_000;

interface Place {
  folder: string;
  path: string;
}

/** Images in and below some folders, whatever the case of their names; never outside of them. They are looked through when something is first asked for. */
export class FolderImages implements ImageSource {
  readonly #folders: readonly string[];
  #listing: Listing<Place> | undefined;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async image(path: string): Promise<{ name: string; bytes: Uint8Array } | null> {
    const [name = '', place] = this.#files.image(path) ?? [];
    const bytes = place && read(place);
    return bytes ? { name, bytes } : null;
  }

  get names(): readonly string[] {
    return this.#files.images;
  }

  async text(name: string): Promise<string | null> {
    const place = this.#files.file(name);
    const bytes = place && read(place);
    return bytes ? new TextDecoder().decode(bytes) : null;
  }

  get #files(): Listing<Place> {
    return (this.#listing ??= new Listing(this.#folders.flatMap(list)));
  }
}

const read = ({ folder, path }: Place): Uint8Array | null => readInside(folder, join(folder, path));

function list(folder: string): [name: string, place: Place][] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).slice(0, MOST_FILES);
  const isWanted = (path: string): boolean => TEXT.test(path) || [...IMAGE_EXTENSIONS, ...OTHER_IMAGES].includes(extensionOf(path));
  return paths
    .filter(isWanted)
    .sort()
    .map(path => [path.replaceAll(sep, '/'), { folder, path }]);
}
