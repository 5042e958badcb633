// Unpacks ZIP archives. Fetched with the first archive.
import { Inflate } from 'fflate';
import { extensionOf } from '../core/paths.ts';
import type { InputFile } from '../session/inputFile.ts';
import type { SkippedEntry } from '../session/notices.ts';

export interface Unpacked {
  files: InputFile[];
  leftOut: SkippedEntry[];
  /** There are more files than were asked for. */
  truncated: boolean;
}

/** Bytes that the files of one archive may take. The ratio refuses archives that are made to fill memory. */
const MOST_BYTES = 2 ** 30;
const FREE_BYTES = 2 ** 26;
const MOST_RATIO = 100;
/** Archives inside an archive are opened, archives inside those are not. */
const MOST_LEVELS = 2;
/** Bytes of the central directory that are read. */
const MOST_DIRECTORY = 2 ** 25;
/** An archive ends with this record and a comment of at most 65,535 bytes. */
const END_SIZE = 22;
const MOST_COMMENT = 0xffff;
/** Packed bytes that are unpacked at once: they make at most 1,032 times as many. */
const PIECE = 2 ** 14;
/** Bytes that are read from the disk at once: small files lie side by side. */
const WINDOW = 2 ** 22;
/** Unpacked bytes after which the page may answer. */
const TURN = 2 ** 22;

interface Entry {
  name: string;
  flags: number;
  method: number;
  packed: number;
  size: number;
  offset: number;
}

/** The room that is left for an archive and the archives inside it. */
interface Room {
  files: number;
  bytes: number;
}

/**
 * Unpacks at most `most` files; the paths begin with the path of the archive. Folders and the copies that macOS keeps of files' properties are not files.
 * Throws RangeError if the files take too much room, and Error if the archive has no list of files.
 */
export async function filesOfZip({ path, file }: InputFile, most: number, signal?: AbortSignal): Promise<Unpacked> {
  const room: Room = { files: most, bytes: Math.min(MOST_BYTES, FREE_BYTES + MOST_RATIO * file.size) };
  return unpack(path, file, room, 1, signal);
}

async function unpack(path: string, file: File, room: Room, level: number, signal: AbortSignal | undefined): Promise<Unpacked> {
  const all = (await entriesOf(file)).filter(({ name }) => !/\/$|^__MACOSX\//.test(name));
  const some = all.slice(0, room.files);
  room.files -= some.length;
  const leftOut: SkippedEntry[] = [];
  const isSupported = ({ name, flags, method, packed, size, offset }: Entry): boolean => {
    const why =
      flags & 1 ? 'encrypted' : method !== 0 && method !== 8 ? 'method' : Math.max(packed, size, offset) === 0xffffffff ? 'large' : null;
    if (why) leftOut.push({ name, why, method });
    return why === null;
  };
  const entries = some.filter(isSupported);
  room.bytes -= entries.reduce((sum, { size }) => sum + size, 0);
  if (room.bytes < 0) throw new RangeError(`${file.name} is too large to unpack`);
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
    const given: InputFile = { path: `${path}/${name}`, file: new File(parts, name.slice(name.lastIndexOf('/') + 1)) };
    const inner = level < MOST_LEVELS && extensionOf(given.file.name) === 'zip' ? await inside(given, room, level, signal) : null;
    result.files.push(...(inner && inner.files.length > 0 ? inner.files : [given]));
    leftOut.push(...(inner?.leftOut ?? []));
    result.truncated ||= inner?.truncated ?? false;
  }
  return result;
}

/** The files of an archive inside of another one; null if it is not an archive. */
async function inside({ path, file }: InputFile, room: Room, level: number, signal: AbortSignal | undefined): Promise<Unpacked | null> {
  try {
    return await unpack(path, file, room, level + 1, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof RangeError) throw error;
    return null;
  }
}

/** Reads the central directory at the end. In a self-extracting archive a program precedes the entries and moves all offsets. */
async function entriesOf(file: Blob): Promise<Entry[]> {
  const tail = await viewOf(file, Math.max(file.size - END_SIZE - MOST_COMMENT, 0), file.size);
  let end = tail.byteLength - END_SIZE;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error('Its list of files is missing');
  const length = tail.getUint32(end + 12, true);
  const stated = tail.getUint32(end + 16, true);
  const start = file.size - tail.byteLength + end - length;
  if (stated === 0xffffffff || start < stated) throw new Error('Its list of files is not where it says');
  const view = await viewOf(file, start, start + Math.min(length, MOST_DIRECTORY));
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

/** Old programs write names in the letters of their own country: these keep one letter for each byte. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** The bytes of an entry, which lie behind a header of their own. Throws if they are not what the list says. */
async function contentOf(reader: Reader, { method, packed, size, offset }: Entry, signal: AbortSignal | undefined): Promise<BlobPart[]> {
  const header = await reader.read(offset, offset + 30);
  if (header.getUint32(0, true) !== 0x04034b50) throw new Error('No file begins where the list says');
  const from = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const to = from + packed;
  if (to > reader.file.size || (method === 0 && packed !== size)) throw new Error('Not the size that the list says');
  if (method === 0) return [reader.file.slice(from, to)];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let turn = 0;
  const inflate = new Inflate(chunk => {
    length += chunk.length;
    parts.push(chunk as Uint8Array<ArrayBuffer>);
  });
  for (let at = from; at < to && length <= size; at += PIECE) {
    const { buffer, byteOffset, byteLength } = await reader.read(at, Math.min(at + PIECE, to));
    inflate.push(new Uint8Array(buffer, byteOffset, byteLength), at + PIECE >= to);
    if (length - turn < TURN) continue;
    turn = length;
    await new Promise(resolve => setTimeout(resolve));
    signal?.throwIfAborted();
  }
  if (length !== size) throw new Error('Not the size that the list says');
  return parts;
}

/** Reads a file in windows. */
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
