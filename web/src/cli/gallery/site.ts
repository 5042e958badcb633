// Writes the files of a site. Files that are equal already are not touched, and files that no longer
// belong to the site are removed.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../usage.ts';

/** The folder `dist` of the package. */
const dist = fileURLToPath(new URL('../..', import.meta.url));

/** Folders whose files all belong to the site. */
const OWN = ['models', 'files', 'search', 'lists', 'rigcast'];
/** Other files that only some sites have. */
const OWN_FILES = ['files.html'];
/** File that marks a folder as a gallery. */
const MARK = 'rigcast/gallery.txt';

export class Site {
  /** Number of files that were written. */
  written = 0;
  readonly #folder: string;
  /** Relative paths, with slashes, of all files of the site. */
  readonly #kept = new Set<string>();

  /** Creates the folder. Throws a UsageError if it contains something else than a gallery. */
  constructor(folder: string) {
    this.#folder = folder;
    if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, MARK)))
      throw new UsageError(`${folder} is not empty and not a gallery: choose another folder`);
    this.write(MARK, `rigcast gallery writes the folders ${OWN.join(', ')}. It removes other files from them.\n`);
  }

  /** Writes a file unless its contents are equal. `path`: relative, with slashes. */
  write(path: string, data: string | Uint8Array): void {
    this.keep(path);
    const full = join(this.#folder, path);
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    if (existsSync(full) && readFileSync(full).equals(bytes)) return;
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(`${full}.part`, bytes);
    renameSync(`${full}.part`, full);
    this.written++;
  }

  /** Writes a file that the owner of the site may change, unless it exists. */
  writeOnce(path: string, text: string): void {
    if (!existsSync(join(this.#folder, path))) this.write(path, text);
  }

  /** Marks a file as a part of the site. */
  keep(path: string): void {
    this.#kept.add(path);
  }

  /** Copies the element with its modules, and the script of the pages, from the package. */
  copyScripts(): void {
    const from = (path: string): string => join(dist, path);
    for (const name of scriptsOf(from('browser'), 'element.js', 'worker.js', 'gallery.js'))
      this.#copy(from(`browser/${name}`), `rigcast/browser/${name}`);
    for (const name of readdirSync(from('core/wasm')))
      if (name.endsWith('.wasm') && name !== 'rigcast.wasm') this.#copy(from(`core/wasm/${name}`), `rigcast/core/wasm/${name}`);
    const notices = from('THIRD-PARTY-NOTICES.txt'); // written by the build of the package
    if (existsSync(notices)) this.#copy(notices, 'rigcast/THIRD-PARTY-NOTICES.txt');
  }

  #copy(from: string, to: string): void {
    this.write(to, readFileSync(from));
  }

  /** Removes files that were not written or kept from the folders of the site. Returns their number. */
  removeOthers(): number {
    let removed = 0;
    for (const name of OWN_FILES.filter(each => !this.#kept.has(each) && existsSync(join(this.#folder, each)))) {
      rmSync(join(this.#folder, name));
      removed++;
    }
    for (const own of OWN) {
      const folder = join(this.#folder, own);
      if (!existsSync(folder)) continue;
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      const folders: string[] = [];
      for (const each of entries) {
        const path = join(each.parentPath ?? each.path, each.name);
        if (each.isDirectory()) folders.push(path);
        else if (!this.#kept.has(relative(this.#folder, path).split(sep).join('/'))) {
          rmSync(path);
          removed++;
        }
      }
      for (const path of folders.sort((a, b) => b.length - a.length)) if (readdirSync(path).length === 0) rmdirSync(path);
    }
    return removed;
  }
}

/** Returns the names of the scripts in a folder that `names` import, and `names` themselves. */
function scriptsOf(folder: string, ...names: string[]): string[] {
  const found = new Set(names);
  for (const name of found)
    for (const [, other] of readFileSync(join(folder, name), 'utf8').matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) found.add(other!);
  return [...found];
}
