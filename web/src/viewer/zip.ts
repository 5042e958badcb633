// Unpacks ZIP archives. This module is loaded when the first archive is opened.
import { Inflate } from 'fflate';
import { extensionOf } from '../core/paths.ts';
import type { LocalInput } from '../session/inputFile.ts';
import type { SkippedEntry } from '../session/notices.ts';
import { RigcastError } from '../core/error.ts';

export interface Unpacked {
  files: LocalInput[];
  leftOut: SkippedEntry[];
  /** True if some entries of the archive were ignored because there were too many. */
  truncated: boolean;
}

/**
 * Limits of the unpacked size of an archive, in bytes: at most `MAX_BYTES`, and at most
 * `FREE_BYTES` plus `MAX_RATIO` times the packed size. The ratio rejects zip bombs.
 */
const MAX_BYTES = 2 ** 30;
const FREE_BYTES = 2 ** 26;
const MAX_RATIO = 100;
/** Maximum number of levels that are unpacked: an archive and the archives inside it. */
const MAX_LEVELS = 2;
/** Maximum size of the central directory in bytes. */
const MAX_DIRECTORY = 2 ** 25;
/**
 * Size of the end record of an archive, and maximum size of the comment that follows it, in bytes.
 */
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;
/**
 * Number of packed bytes that are decompressed per step. Deflate expands data by a factor of at
 * most 1,032, so a step produces at most 17 MB.
 */
const PIECE = 2 ** 14;
/** Minimum number of bytes per read, so that neighbouring small files are read together. */
const WINDOW = 2 ** 22;
/** Number of unpacked bytes after which unpacking yields to the event loop. */
const YIELD_BYTES = 2 ** 22;

interface Entry {
  name: string;
  flags: number;
  method: number;
  packed: number;
  size: number;
  offset: number;
}

/**
 * Remaining number of files and bytes that can be unpacked, for an archive and the archives inside
 * it.
 */
interface Budget {
  files: number;
  bytes: number;
}

/**
 * Unpacks at most `maxFiles` files. Their paths start with the path of the archive. Skips folders
 * and the metadata copies of macOS. Throws ARCHIVE_TOO_LARGE if the files are too large, and
 * ARCHIVE_DAMAGED if the archive has no central directory.
 */
export async function filesOfZip({ path, file }: LocalInput, maxFiles: number, signal?: AbortSignal): Promise<Unpacked> {
  const budget: Budget = { files: maxFiles, bytes: Math.min(MAX_BYTES, FREE_BYTES + MAX_RATIO * file.size) };
  return unpack(path, file, budget, 1, signal);
}

async function unpack(path: string, file: File, budget: Budget, level: number, signal: AbortSignal | undefined): Promise<Unpacked> {
  const all = (await entriesOf(file)).filter(({ name }) => !/\/$|^__MACOSX\//.test(name));
  const some = all.slice(0, budget.files);
  budget.files -= some.length;
  const leftOut: SkippedEntry[] = [];
  const isSupported = ({ name, flags, method, packed, size, offset }: Entry): boolean => {
    const why =
      flags & 1 ? 'encrypted' : method !== 0 && method !== 8 ? 'method' : Math.max(packed, size, offset) === 0xffffffff ? 'large' : null;
    if (why) leftOut.push({ name, why, method });
    return why === null;
  };
  const entries = some.filter(isSupported);
  budget.bytes -= entries.reduce((sum, { size }) => sum + size, 0);
  if (budget.bytes < 0) throw new RigcastError('ARCHIVE_TOO_LARGE', `${file.name} is too large to unpack`);
  const result: Unpacked = { files: [], leftOut, truncated: some.length < all.length };
  const reader = new Reader(file);
  for (const entry of entries) {
    const { name, method } = entry;
    const parts = await contentOf(reader, entry, signal).catch(() => null);
    signal?.throwIfAborted();
    if (!parts) {
      leftOut.push({ name, why: 'damaged', method });
      continue;
    }
    const input: LocalInput = { path: `${path}/${name}`, file: new File(parts, name.slice(name.lastIndexOf('/') + 1)) };
    const inner = level < MAX_LEVELS && extensionOf(input.file.name) === 'zip' ? await inside(input, budget, level, signal) : null;
    result.files.push(...(inner && inner.files.length > 0 ? inner.files : [input]));
    leftOut.push(...(inner?.leftOut ?? []));
    result.truncated ||= inner?.truncated ?? false;
  }
  return result;
}

export const isTooLarge = (error: unknown): boolean => error instanceof RigcastError && error.code === 'ARCHIVE_TOO_LARGE';

/** Unpacks an archive inside another archive. Resolves with null if the file is not an archive. */
async function inside(
  { path, file }: LocalInput,
  budget: Budget,
  level: number,
  signal: AbortSignal | undefined,
): Promise<Unpacked | null> {
  try {
    return await unpack(path, file, budget, level + 1, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (isTooLarge(error)) throw error;
    return null;
  }
}

/**
 * Reads the central directory at the end of an archive. Corrects the offsets in self-extracting
 * archives, which start with a program.
 */
async function entriesOf(file: Blob): Promise<Entry[]> {
  const tail = await viewOf(file, Math.max(file.size - END_SIZE - MAX_COMMENT, 0), file.size);
  let end = tail.byteLength - END_SIZE;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new RigcastError('ARCHIVE_DAMAGED', 'The list of files of the archive is missing');
  const length = tail.getUint32(end + 12, true);
  const stated = tail.getUint32(end + 16, true);
  const start = file.size - tail.byteLength + end - length;
  if (stated === 0xffffffff || start < stated)
    throw new RigcastError('ARCHIVE_DAMAGED', 'The list of files of the archive is at another position than declared');
  const view = await viewOf(file, start, start + Math.min(length, MAX_DIRECTORY));
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === 0x02014b50;) {
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map(field => view.getUint16(at + field, true)) as [number, number, number];
    const name = new Uint8Array(view.buffer, at + 46, Math.min(nameSize, view.byteLength - at - 46));
    entries.push({
      name: textOf(name).replaceAll('\\', '/'),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true) + start - stated,
    });
    at += 46 + nameSize + extraSize + commentSize;
  }
  return entries;
}

/**
 * Decodes a file name as UTF-8. If that fails, decodes it as Latin-1, because old programs use
 * local encodings.
 */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** Returns the unpacked bytes of an entry. Throws if they contradict the central directory. */
async function contentOf(reader: Reader, { method, packed, size, offset }: Entry, signal: AbortSignal | undefined): Promise<BlobPart[]> {
  const header = await reader.read(offset, offset + 30);
  if (header.getUint32(0, true) !== 0x04034b50)
    throw new RigcastError('ARCHIVE_DAMAGED', 'A file of the archive is missing at its declared position');
  const from = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const to = from + packed;
  if (to > reader.file.size || (method === 0 && packed !== size))
    throw new RigcastError('ARCHIVE_DAMAGED', 'A file of the archive does not have its declared size');
  if (method === 0) return [reader.file.slice(from, to)];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let lastYield = 0;
  const inflate = new Inflate(chunk => {
    length += chunk.length;
    parts.push(chunk as Uint8Array<ArrayBuffer>);
  });
  for (let at = from; at < to && length <= size; at += PIECE) {
    const { buffer, byteOffset, byteLength } = await reader.read(at, Math.min(at + PIECE, to));
    inflate.push(new Uint8Array(buffer, byteOffset, byteLength), at + PIECE >= to);
    if (length - lastYield < YIELD_BYTES) continue;
    lastYield = length;
    await new Promise(resolve => setTimeout(resolve));
    signal?.throwIfAborted();
  }
  if (length !== size) throw new RigcastError('ARCHIVE_DAMAGED', 'A file of the archive does not have its declared size');
  return parts;
}

/** Reads a file in large blocks. */
class Reader {
  readonly file: Blob;
  #from = 0;
  #window = new ArrayBuffer(0);

  constructor(file: Blob) {
    this.file = file;
  }

  async read(from: number, to: number): Promise<DataView<ArrayBuffer>> {
    if (from < this.#from || to > this.#from + this.#window.byteLength) {
      this.#window = await this.file.slice(from, Math.max(to, from + WINDOW)).arrayBuffer();
      this.#from = from;
    }
    return new DataView(this.#window, from - this.#from, to - from);
  }
}

async function viewOf(file: Blob, from: number, to: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.slice(from, to).arrayBuffer());
}
