// Reads files, completely or in ranges, and records which files were read.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { UsageError } from './usage.ts';

/**
 * Thrown if a file cannot be read, because it does not exist, is too large, is not a regular file,
 * or access is denied.
 */
export class UnreadableError extends UsageError {
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.reason = reason;
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'no such file' : message;
}

/**
 * Returns what a path refers to, such as "a folder", if it is not a regular file. Pipes and devices
 * are not read, because reading them may never end.
 */
function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

export const notFile = (stats: Stats): string => `${kindOf(stats)}, not a file`;

/** Path, size, times and hash of a file at the time when it was read or written. */
export interface FileState {
  path: string;
  byteLength: number;
  mtimeMs: number;
  ctimeMs: number;
  sha256: string;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let recorded: Map<string, FileState> | undefined;

/** Starts a new record of all files that are read, and returns it. */
export const recordReads = (): Map<string, FileState> => (recorded = new Map());

/**
 * Reads a whole file, or standard input if `path` is `-`. Throws an UnreadableError if the file
 * cannot be read.
 */
export function readWhole(path: string): Uint8Array {
  try {
    if (path === '-') return plainBytes(readFileSync(0));
    const stats = statSync(path);
    if (!stats.isFile()) throw new UnreadableError(path, notFile(stats));
    const bytes = plainBytes(readFileSync(path));
    recorded?.set(path, { ...stateOf(path, stats), byteLength: bytes.length, sha256: hashOf(bytes) });
    return bytes;
  } catch (error) {
    throw error instanceof UnreadableError ? error : new UnreadableError(path, reasonOf(error));
  }
}

/**
 * Returns a plain Uint8Array that shares the memory of a Buffer. Unlike `slice` of a Buffer, its
 * `slice` copies.
 */
const plainBytes = ({ buffer, byteOffset, length }: Buffer): Uint8Array => new Uint8Array(buffer, byteOffset, length);

export const stateOf = (path: string, { size, mtimeMs, ctimeMs }: Stats): Omit<FileState, 'sha256'> => ({
  path,
  byteLength: size,
  mtimeMs,
  ctimeMs,
});

/**
 * Compares the size and times of a file with its recorded state. Returns null if only the times
 * differ; `isUnchanged` then compares the bytes.
 */
export function seemsUnchanged({ path, byteLength, mtimeMs, ctimeMs }: FileState): boolean | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size !== byteLength) return false;
  return stats.mtimeMs === mtimeMs && stats.ctimeMs === ctimeMs ? true : null;
}

/**
 * True if a file is unchanged since its state was recorded. Compares the bytes if the times differ.
 */
export function isUnchanged(state: FileState): boolean {
  const isSame = seemsUnchanged(state);
  try {
    return isSame ?? hashOf(readFileSync(state.path)) === state.sha256;
  } catch {
    return false;
  }
}

/** Number of bytes at the start of a file that are read in the first step. */
const HEAD = 2 ** 16;

/**
 * A Blob for `probe` that reads the start of a file at once, and further ranges on demand. The
 * constructor throws an UnreadableError if the file cannot be read.
 */
export class HeadOf extends Blob {
  readonly #handle: number;
  readonly #size: number;
  readonly #head: Uint8Array<ArrayBuffer>;

  constructor(path: string) {
    super();
    try {
      const stats = statSync(path);
      if (!stats.isFile()) throw new UnreadableError(path, notFile(stats));
      this.#handle = openSync(path, 'r');
      this.#size = stats.size;
      this.#head = this.#read(0, HEAD);
    } catch (error) {
      throw error instanceof UnreadableError ? error : new UnreadableError(path, reasonOf(error));
    }
  }

  override get size(): number {
    return this.#size;
  }

  override slice(start = 0, end = this.#size): Blob {
    return new Blob([end <= this.#head.length ? this.#head.subarray(start, end) : this.#read(start, end - start)]);
  }

  close(): void {
    closeSync(this.#handle);
  }

  #read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(Math.min(length, this.#size - offset), 0));
    return bytes.subarray(0, readSync(this.#handle, bytes, 0, bytes.length, offset));
  }
}
