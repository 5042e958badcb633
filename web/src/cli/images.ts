// Images below folders, found by the names that files spell.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ImageSource } from '../convert/images.ts';
import { readInside } from './files.ts';

/** Extensions, the best first: exporters re-encode, so the name that a file knows may have another one now. */
const EXTENSIONS = ['png', 'webp', 'jpg', 'jpeg', 'tga', 'dds', 'tif', 'tiff', 'avif', 'bmp', 'gif', 'pcx'];

/** What says which textures a material of Unreal uses. */
const TEXT = /\.(mat|props\.txt|json)$/;

/** Files that a folder is looked at for. */
const MOST_FILES = 100_000;

/** Images in and below some folders, whatever the case of their names; never outside of them. */
export class FolderImages implements ImageSource {
  readonly #folders: readonly string[];
  readonly #texts = new Map<string, { folder: string; path: string }>();
  #found: Map<string, { folder: string; path: string }[]> | undefined;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async image(path: string): Promise<{ name: string; bytes: Uint8Array } | null> {
    this.#found ??= this.#list();
    const parts = path.toLowerCase().split(/[/\\]/);
    const stem = stemOf(parts.at(-1) ?? '');
    const extension = (name: string): number => EXTENSIONS.indexOf(extensionOf(name));
    const candidates = [...(this.#found.get(stem) ?? [])].sort((a, b) => extension(a.path) - extension(b.path));
    const agreeing = candidates.map(each => ({ ...each, agrees: commonEnd(parts, each.path.toLowerCase().split(sep)) }));
    const best = agreeing.reduce<(typeof agreeing)[number] | undefined>(
      (most, one) => (one.agrees > (most?.agrees ?? -1) ? one : most),
      undefined,
    );
    const bytes = best && readInside(best.folder, join(best.folder, best.path));
    return bytes ? { name: best.path.split(sep).at(-1) ?? '', bytes } : null;
  }

  get names(): readonly string[] {
    this.#found ??= this.#list();
    return [...this.#found.values()].flatMap(list => list.map(({ path }) => path.split(sep).at(-1) ?? ''));
  }

  async text(name: string): Promise<string | null> {
    this.#found ??= this.#list();
    const at = this.#texts.get(name.toLowerCase());
    const bytes = at && readInside(at.folder, join(at.folder, at.path));
    return bytes ? new TextDecoder().decode(bytes) : null;
  }

  #list(): Map<string, { folder: string; path: string }[]> {
    const found = new Map<string, { folder: string; path: string }[]>();
    for (const folder of this.#folders) {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).slice(0, MOST_FILES);
      for (const path of names.sort()) {
        const name = (path.split(sep).at(-1) ?? '').toLowerCase();
        if (TEXT.test(name) && !this.#texts.has(name)) this.#texts.set(name, { folder, path });
        if (!EXTENSIONS.includes(extensionOf(path))) continue;
        const stem = stemOf(name);
        const list = found.get(stem);
        if (list) list.push({ folder, path });
        else found.set(stem, [{ folder, path }]);
      }
    }
    return found;
  }
}

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '');

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < Math.min(a.length, b.length) && a[a.length - 1 - n] === b[b.length - 1 - n]) n++;
  return n;
}
