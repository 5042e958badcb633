import type { Companions } from '../core/open.ts';
import type { Need } from '../core/types.ts';
import { baseName, extensionOf, folderOf, nearestFirst } from '../core/paths.ts';
import { type InputFile, isLocal, type LocalInput, type SourceFile } from './inputFile.ts';

/**
 * Immutable set of companion files: textures, keys and data files to which other files refer.
 * Lookup uses the file name without folders and is case-insensitive. If several folders contain a
 * file with this name, the nearest folder is used.
 */
export class CompanionFiles {
  #files: ReadonlyMap<string, readonly LocalInput[]>;
  #assigned: ReadonlyMap<string, File>;

  constructor(files: ReadonlyMap<string, readonly LocalInput[]> = new Map(), assigned: ReadonlyMap<string, File> = new Map()) {
    this.#files = files;
    this.#assigned = assigned;
  }

  get size(): number {
    return this.#files.size;
  }

  /** Returns a copy with more files. Files that are read in parts are left out: no other file needs them. */
  with(files: readonly InputFile[]): CompanionFiles {
    if (files.length === 0) return this;
    const all = new Map(this.#files);
    for (const input of files.filter(isLocal)) {
      const key = input.file.name.toLowerCase();
      const others = (all.get(key) ?? []).filter(other => other.path !== input.path);
      all.set(key, [input, ...others]);
    }
    return new CompanionFiles(all, this.#assigned);
  }

  /** Returns a copy that uses `file` for a needed file, even if the names differ. */
  withAssigned({ kind, name }: Need, file: File): CompanionFiles {
    return new CompanionFiles(this.#files, new Map(this.#assigned).set(`${kind} ${name}`, file));
  }

  /**
   * Returns a copy in which each file is replaced by its reloaded version. `input` and `file`:
   * return the reloaded version of a file.
   */
  withReloaded(input: (old: InputFile) => InputFile, file: (old: SourceFile) => SourceFile): CompanionFiles {
    const files = [...this.#files].map(([key, list]): [string, LocalInput[]] => [key, list.map(input).filter(isLocal)]);
    const assigned = [...this.#assigned].flatMap(([need, old]): [string, File][] => {
      const reloaded = file(old);
      return reloaded instanceof File ? [[need, reloaded]] : [];
    });
    return new CompanionFiles(new Map(files), new Map(assigned));
  }

  /**
   * Returns the file with the given name; null if there is none. `near`: path of the file that
   * refers to it.
   */
  find(name: string, near = ''): File | null {
    const list = this.#files.get(baseName(name).toLowerCase());
    if (!list) return null;
    return nearestFirst(list, folderOf(near), ({ path }) => folderOf(path))[0]!.file;
  }

  /** Returns the file with the given path; null if there is none. */
  at(path: string): File | null {
    return this.#files.get(baseName(path).toLowerCase())?.find(input => input.path === path)?.file ?? null;
  }

  /**
   * Returns the only file with the given extension; null if there is no such file or more than one.
   */
  #only(extension: string): File | null {
    const keys = this.list().filter(({ file }) => extensionOf(file.name) === extension);
    return keys.length === 1 ? keys[0]!.file : null;
  }

  /** Returns all files by path, starting with the files in the folder nearest to `near`. */
  files(near: string): Map<string, File> {
    const all = nearestFirst(this.list(), folderOf(near), ({ path }) => folderOf(path));
    return new Map(all.map(({ path, file }) => [path, file]));
  }

  list(): LocalInput[] {
    return [...this.#files.values()].flat();
  }

  /**
   * Returns a function for the option `companions` of `open`, which finds the files that another
   * file needs. If there is only one key file, it is used regardless of its name. `near`: path of
   * the file to open.
   */
  resolver(near: string): Companions {
    return async (need: Need) => {
      const file =
        this.#assigned.get(`${need.kind} ${need.name}`) ??
        this.find(need.name, near) ??
        (need.kind === 'key' ? this.#only(extensionOf(need.name)) : null);
      return file ? new Uint8Array(await file.arrayBuffer()) : null;
    };
  }
}
