import type { Companions } from '../core/open.ts';
import type { Need } from '../core/types.ts';
import { baseName, folderOf, type GivenFile, shared } from './given.ts';

/** Files that may complete others, by name without folder and case. The nearest one wins where a name occurs in several folders. */
export class Shelf {
  #files = new Map<string, GivenFile[]>();
  #answers = new Map<string, File>();

  get size(): number {
    return this.#files.size;
  }

  add(files: readonly GivenFile[]): void {
    for (const given of files) {
      const key = given.file.name.toLowerCase();
      const same = (this.#files.get(key) ?? []).filter(other => other.path !== given.path);
      this.#files.set(key, [given, ...same]);
    }
  }

  /** A file by its name, folders and case left aside; `near` is the path of the file that asks. */
  find(name: string, near = ''): File | null {
    const list = this.#files.get(baseName(name).toLowerCase());
    if (!list) return null;
    const folder = folderOf(near);
    return [...list].sort((a, b) => shared(folderOf(b.path), folder) - shared(folderOf(a.path), folder))[0]?.file ?? null;
  }

  #onlyKey(): File | null {
    const keys = this.list().filter(({ file }) => /\.vgk$/i.test(file.name));
    return keys.length === 1 ? keys[0]!.file : null;
  }

  /** All of them by path, the nearest to `near` first. */
  files(near: string): Map<string, File> {
    const folder = folderOf(near);
    const all = [...this.#files.values()].flat().sort((a, b) => shared(folderOf(b.path), folder) - shared(folderOf(a.path), folder));
    return new Map(all.map(({ path, file }) => [path, file]));
  }

  list(): GivenFile[] {
    return [...this.#files.values()].flat();
  }

  /** That file is meant by the need of that name, whatever its own name is. */
  answer({ kind, name }: Need, file: File): void {
    this.#answers.set(`${kind} ${name}`, file);
  }

  /** For `open`: what a file asks for by name. A key may have another name, if it is the only one. */
  companions(near: string): Companions {
    return async (need: Need) => {
      const file =
        this.#answers.get(`${need.kind} ${need.name}`) ?? this.find(need.name, near) ?? (need.kind === 'key' ? this.#onlyKey() : null);
      return file ? new Uint8Array(await file.arrayBuffer()) : null;
    };
  }
}
