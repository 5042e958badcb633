// A process that converts files for `convert`, so that one which takes too long or too much can be ended without the others.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type ConvertOptions, convertFiles, openGiven } from '../convert/convert.ts';
import { type LedgerEntry, LossError } from '../convert/ledger.ts';
import { wantsTangents } from '../convert/targets.ts';
import { type ConvertedFile, joined } from '../convert/written.ts';
import type { OpenOptions } from '../core/open.ts';
import { endingIn } from './convertPlan.ts';
import { FolderInstances, fromPath, UnreadableError } from './files.ts';
import { FolderImages } from './images.ts';

export interface ConvertTask {
  /** The model first, then its motions. */
  paths: string[];
  out: string;
  /** Folders of the command line, in and below which images are looked for. */
  folders: readonly string[];
  convert: Pick<ConvertOptions, 'to' | 'tolerance' | 'clips' | 'split' | 'strict' | 'additive' | 'vgo' | 'gltf'>;
  open: OpenOptions;
}

export interface ConvertAnswer {
  /** Bytes written; null where nothing was. */
  byteLength: number | null;
  ledger: LedgerEntry[];
  /** Why nothing was written. */
  error?: { code: 'IO_ERROR' | 'LOSSES_REFUSED' | 'NOT_CONVERTED' | 'TIME_LIMIT' | 'OUT_OF_MEMORY' | 'INTERNAL_TRAP'; detail: string };
}

async function answer({ paths, out, folders, convert, open: options }: ConvertTask): Promise<ConvertAnswer> {
  try {
    const given = [];
    for (const path of paths) given.push(await openGiven(...fromPath(path, { tangents: wantsTangents(convert.to), ...options }), path));
    const images = new FolderImages(
      folders,
      paths.filter(path => path !== '-'),
    );
    const ending = endingIn(out, convert.to);
    const name = basename(out).slice(0, -1 - ending.length);
    const [model = '-'] = paths;
    const instances = model === '-' ? undefined : new FolderInstances(dirname(model));
    const { files, ledger } = await convertFiles(given, {
      ...convert,
      name,
      images,
      ...(instances && { instances }),
      open: { ...options, worker: false },
    });
    const made = convert.split ? files : only(files, out);
    if (!made) return failed('NOT_CONVERTED', 'several models: give a folder (-o FOLDER)', ledger);
    const own = made.find(({ name: each }) => isOneOf(join(dirname(out), each), paths));
    if (own) return failed('NOT_CONVERTED', `${own.name} would take the place of its own source: choose another folder or name`, ledger);
    const left = made.filter(file => isOthersMaterial(dirname(out), file));
    for (const { name: each } of left) ledger.push({ code: 'MATERIAL_FILE_THERE', path: each, amount: 1, detail: '' });
    if (convert.strict && left.length > 0) throw new LossError(ledger);
    return {
      byteLength: write(
        dirname(out),
        made.filter(file => !left.includes(file)),
      ),
      ledger,
    };
  } catch (error) {
    if (error instanceof LossError) return failed('LOSSES_REFUSED', error.message, [...error.ledger]);
    if (error instanceof UnreadableError) return failed('IO_ERROR', error.message);
    const isSystems = error instanceof Error && 'syscall' in error;
    if (isSystems) return failed('IO_ERROR', whyNotWritten(error as NodeJS.ErrnoException, dirname(out)));
    return failed('NOT_CONVERTED', error instanceof Error ? error.message : String(error));
  }
}

const CLOSED = 'may not be written into';
const FULL = 'has no room left: the disk is full';
const REASONS: Readonly<Record<string, string>> = {
  EACCES: CLOSED,
  EPERM: CLOSED,
  EROFS: `${CLOSED}: the disk is read-only`,
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: 'takes no file that large',
  ENOTDIR: 'is no folder',
  EEXIST: 'is no folder',
  ENAMETOOLONG: 'takes no name that long',
  // Of a read-only disk as well: making folders, Node says no more.
  ENOENT: 'is not there and cannot be made',
};

function whyNotWritten({ code = '', message }: NodeJS.ErrnoException, folder: string): string {
  return Object.hasOwn(REASONS, code) ? `the folder ${folder} ${REASONS[code]} (${code})` : message;
}

/** Whether a path leads to one of the files, by whatever name. */
function isOneOf(path: string, files: readonly string[]): boolean {
  if (!existsSync(path)) return false;
  const found = realpathSync(path);
  return files.some(file => file !== '-' && realpathSync(file) === found);
}

/** Materials of several models may have one name: the file of another one is left alone. */
function isOthersMaterial(folder: string, file: Result): boolean {
  const path = join(folder, file.name);
  return file.name.endsWith('.mat') && existsSync(path) && !readFileSync(path).equals(joined(file.pieces()));
}

/** A file to write, which may have another name than `convert` has given it. */
type Result = Pick<ConvertedFile, 'name' | 'pieces'>;

/** What belongs into a file that was named: one model with all that is beside it, or one motion; null where there are several. */
function only(files: readonly Result[], out: string): Result[] | null {
  const ending = extname(out).toLowerCase();
  const main = files.filter(({ name }) => name.toLowerCase().endsWith(ending));
  const [motion] = main;
  if (ending === '.seanim') return motion && main.length === 1 ? [{ name: basename(out), pieces: () => motion.pieces() }] : null;
  if (ending === '.pskx')
    return (
      only(files, out.replace(/x$/i, ''))?.map(file =>
        /\.psk$/i.test(file.name) ? { name: basename(out), pieces: () => file.pieces() } : file,
      ) ?? null
    );
  return main.length > 1 ? null : [...files];
}

function failed(code: NonNullable<ConvertAnswer['error']>['code'], detail: string, ledger: LedgerEntry[] = []): ConvertAnswer {
  return { byteLength: null, ledger, error: { code, detail } };
}

/** Every file under another name first, the one to open last: whoever finds it, finds it whole, with all that it refers to. */
function write(folder: string, files: readonly Result[]): number {
  makeFolder(folder);
  let total = 0;
  for (const file of [...files].reverse()) {
    const { name } = file;
    for (const stale of readdirSync(folder)) if (isPart(name, stale)) rmSync(join(folder, stale), { force: true });
    const temporary = join(folder, `.${name}.${process.pid}.part`);
    try {
      total += writePieces(temporary, file);
      renameSync(temporary, join(folder, name));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
  return total;
}

/** Each piece goes to the disk as soon as it is made. Returns their length. */
function writePieces(path: string, file: Result): number {
  const handle = openSync(path, 'w');
  let total = 0;
  try {
    for (const piece of file.pieces())
      for (let at = 0; at < piece.length;) {
        const written = writeSync(handle, piece, at);
        at += written;
        total += written;
      }
  } finally {
    closeSync(handle);
  }
  return total;
}

/** Folder by folder: Node's own way never ends where a folder seems to be missing that cannot be made (below /proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // else another process has made it meanwhile
  }
}

/** What an ended process has left of a file. */
function isPart(name: string, found: string): boolean {
  return found.startsWith(`.${name}.`) && /^\d+\.part$/.test(found.slice(name.length + 2));
}

// Whoever asked is gone: what is under way is another's now.
process.on('disconnect', () => process.exit());
process.on('message', (task: ConvertTask) => void answer(task).then(made => process.send?.(made)));
process.send?.('ready');
