// Writes the files of a result to disk. If writing one file fails, the files that were already
// written are removed.
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ConvertedFile } from '../convert/common/written.ts';
import { RigcastError } from '../core/error.ts';
import { type FileState, stateOf, UnreadableError } from './reading.ts';

/** A file to write. Its name may differ from the name that `convert` chose. */
export type ResultFile = Pick<ConvertedFile, 'name' | 'pieces'>;

export interface Written {
  byteLength: number;
  states: FileState[];
  /**
   * Names of files, other than the main file, that replaced an existing file with different
   * contents.
   */
  replaced: string[];
  /** Names of shared files that were not written, because a file with different contents exists. */
  left: string[];
}

/**
 * Thrown if a result cannot be written: the file system refuses it, or a folder has the name of the
 * file.
 */
export class UnwritableError extends RigcastError {
  constructor(message: string) {
    super('IO_ERROR', message);
  }
}

/** True for errors of reading and writing files, which have the code IO_ERROR in reports. */
export const isInputOutput = (error: Error): boolean =>
  error instanceof UnreadableError || error instanceof UnwritableError || 'syscall' in error;

/**
 * Maximum age of a temporary file, in milliseconds. Older files are removed, because the run that
 * created them has certainly ended.
 */
const STALE = 24 * 60 * 60 * 1000;
const TEMPORARY = /^\.rigcast-[0-9a-z]{12}\.part$/;

export interface WriteOptions {
  /**
   * Returns true if several results may share the file with this name. A shared file is only
   * written if it does not exist yet.
   */
  isShared: (name: string) => boolean;
  /** If true, nothing is written if a shared file exists with different contents. */
  isStrict: boolean;
}

/**
 * Writes the files of a result under temporary names, then renames them. The first file is the main
 * file, which refers to the others and is therefore renamed last. If an operation fails, removes
 * the files that were written so far and throws an UnwritableError.
 */
export function writeResult(folder: string, files: readonly ResultFile[], options: WriteOptions): Written {
  try {
    return writeFiles(folder, files, options);
  } catch (error) {
    const isSystems = error instanceof Error && 'syscall' in error;
    throw isSystems ? new UnwritableError(whyNotWritten(error as NodeJS.ErrnoException, folder)) : error;
  }
}

function writeFiles(folder: string, files: readonly ResultFile[], { isShared, isStrict }: WriteOptions): Written {
  makeFolder(folder);
  removeStale(folder);
  for (const { name } of files) {
    const path = join(folder, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UnwritableError(`${path} is a folder; choose another name for the result`);
  }
  const made: string[] = [];
  const undo = (): void => {
    for (const path of made) rmSync(path, { force: true });
  };
  const written: Written = { byteLength: 0, states: [], replaced: [], left: [] };
  try {
    const drafts = files.map((file, row) => {
      const temporary = join(folder, `.rigcast-${randomWord()}.part`);
      made.push(temporary);
      return { name: file.name, row, temporary, ...writePieces(temporary, file) };
    });
    const commit = ({ name, byteLength, sha256 }: (typeof drafts)[number]): void => {
      const path = join(folder, name);
      made.push(path);
      written.byteLength += byteLength;
      written.states.push({ ...stateOf(path, statSync(path)), sha256 });
    };
    for (const draft of drafts.filter(({ name }) => isShared(name))) {
      const path = join(folder, draft.name);
      if (renameUnlessTaken(draft.temporary, path)) commit(draft);
      else if (!areEqual(draft.temporary, path)) written.left.push(draft.name);
      rmSync(draft.temporary, { force: true });
    }
    if (isStrict && written.left.length > 0) {
      undo();
      return { ...written, byteLength: 0, states: [] };
    }
    for (const draft of drafts.filter(({ name }) => !isShared(name)).toReversed()) {
      const path = join(folder, draft.name);
      if (draft.row > 0 && existsSync(path) && !areEqual(draft.temporary, path)) written.replaced.push(draft.name);
      renameSync(draft.temporary, path);
      commit(draft);
    }
    return written;
  } catch (error) {
    undo();
    throw error;
  }
}

const randomWord = (): string =>
  BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(16, '0')
    .slice(-12);

/**
 * Renames a file unless a file with the new name exists. If two processes use the same name at the
 * same time, only one of them succeeds.
 */
function renameUnlessTaken(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // The file system does not support hard links.
    if (existsSync(path)) return false;
    renameSync(temporary, path);
    return true;
  }
}

const BLOCK = 2 ** 20;

function areEqual(a: string, b: string): boolean {
  const sizes = [a, b].map(path => statSync(path)).map((stats: Stats) => (stats.isFile() ? stats.size : -1));
  if (sizes[0] !== sizes[1]) return false;
  const handles = [openSync(a, 'r'), openSync(b, 'r')] as const;
  const [x, y] = [Buffer.alloc(BLOCK), Buffer.alloc(BLOCK)];
  try {
    for (;;) {
      const count = readSync(handles[0], x, 0, BLOCK, null);
      if (readSync(handles[1], y, 0, BLOCK, null) !== count || !x.subarray(0, count).equals(y.subarray(0, count))) return false;
      if (count === 0) return true;
    }
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

/** Writes the pieces of a file as they are produced. Returns the size and hash of the file. */
function writePieces(path: string, file: ResultFile): { byteLength: number; sha256: string } {
  const handle = openSync(path, 'wx');
  const hash = createHash('sha256');
  let byteLength = 0;
  try {
    for (const piece of file.pieces()) {
      hash.update(piece);
      for (let at = 0; at < piece.length;) at += writeSync(handle, piece, at);
      byteLength += piece.length;
    }
  } finally {
    closeSync(handle);
  }
  return { byteLength, sha256: hash.digest('hex') };
}

/**
 * Creates a folder and its parents. Does not use the recursive mode of `mkdirSync`, which never
 * returns if a parent cannot be created, as below /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // another process may have created the folder
  }
}

const cleaned = new Set<string>();

/**
 * Removes the temporary files of earlier runs from a folder, once per process. Keeps files younger
 * than STALE, which may belong to running processes.
 */
function removeStale(folder: string): void {
  if (cleaned.has(folder)) return;
  cleaned.add(folder);
  for (const name of readdirSync(folder)) {
    if (!TEMPORARY.test(name)) continue;
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > STALE) rmSync(join(folder, name), { force: true });
  }
}

const CLOSED = 'is not writable';
const FULL = 'cannot be written: the disk is full';
const REASONS: Readonly<Record<string, string>> = {
  EACCES: CLOSED,
  EPERM: CLOSED,
  EROFS: `${CLOSED}: the disk is read-only`,
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: 'does not accept files of this size',
  ENAMETOOLONG: 'does not support names of this length',
  // Node also reports ENOENT for a folder on a read-only disk.
  ENOENT: 'does not exist and cannot be created',
};

/** Explains why the file system refused to write into a folder. */
function whyNotWritten({ code = '', message }: NodeJS.ErrnoException, folder: string): string {
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${folder} is not a folder (${code})`;
  return Object.hasOwn(REASONS, code) ? `the folder ${folder} ${REASONS[code]} (${code})` : message;
}

/** Explains why a plan or report with the given path cannot be written. */
export function whyNotStored(error: NodeJS.ErrnoException, path: string): string {
  const folder = dirname(path);
  if (error.code === 'EISDIR') return `${path} is a folder`;
  return error.code === 'ENOENT' ? `the folder ${folder} does not exist` : whyNotWritten(error, folder);
}

/** True if `path` refers to the same file as one of `files`, possibly through links. */
export function isOneOf(path: string, files: readonly string[]): boolean {
  if (!existsSync(path)) return false;
  const found = realpathSync(path);
  return files.some(file => realpathSync(file) === found);
}
