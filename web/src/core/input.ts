// Reads a file's bytes into an instance, chunk by chunk as they arrive. Used in the worker and on
// the calling thread. A page loads this module only if it reads without a worker, or for input that
// cannot be passed to a worker as a whole: responses, and requests with streams or forms.
import { fetched, requestFailed, unreachable } from './fetched.ts';
import { Ranges, requestStart, type RangesRefused } from './ranges.ts';
import type { RemoteFile } from './address.ts';
import { streamOfBytes, nameOf, type Address, type ByteStream } from './byteStream.ts';
import type { Family } from './formats.ts';
import type { RigcastGlue } from './wasm/rigcast.mjs';
import { invalidArgument } from './error.ts';

/** The bytes of a file that was read. */
export interface InputBytes {
  name: string;
  byteLength: number;
  /**
   * Copy of a stream that has `keep` set. It is a Blob, because browsers move large Blobs to disk.
   * Null if the data did not fit into memory, or if `bytes` is set.
   */
  kept: Blob | null;
  /**
   * Bytes of a file that is kept outside the heap; the core reads ranges of them. Otherwise null.
   */
  bytes: Uint8Array | null;
  /** The parts of a remote file that were read, if the file was read in parts. */
  remote?: RemoteFile;
  /** Reason why a remote file was not read in parts, although this was requested. */
  refused?: Pick<RangesRefused, 'reason' | 'detail'>;
}

export interface Plan {
  /** Family of the file's format; '' if no format recognised it. */
  family: Family | '';
  /** True if this module can read the format of the file. */
  isLinked: boolean;
  /**
   * Maximum length in bytes of a file that can stay outside the heap (see `plan` in bindings.cpp).
   */
  outside: number;
}

/**
 * Determines from the first bytes of a file how to read it. Ignores errors: they are reported when
 * the file is read.
 */
export function planOf(glue: RigcastGlue, ...file: Parameters<RigcastGlue['plan']>): Plan {
  try {
    const [family, isLinked, outside] = glue.plan(...file).split(' ');
    return { family: family as Family | '', isLinked: isLinked === '1', outside: Number(outside) };
  } catch {
    return { family: '', isLinked: false, outside: 0 };
  }
}

/**
 * Opens a stream on a source. Rejects on network errors and if the status is not 2xx. `inParts`:
 * true to read a large file from a URL in parts, if the server supports this.
 */
export async function openStream(
  source: Uint8Array | Blob | Address | Response,
  signal?: AbortSignal,
  inParts = false,
): Promise<ByteStream> {
  if (source instanceof Uint8Array) return streamOfBytes(source);
  if (source instanceof Blob) {
    const isWhole = source.size <= maxWholeBlob;
    const pieces = isWhole ? wholeOf(source) : piecesOf(source.stream(), signal);
    return { name: '', byteLength: source.size, pieces, keep: false, owned: true, isWhole, lasting: isWhole };
  }
  if (source instanceof Response) return flowOfResponse(source, source.url, signal);
  return inParts ? streamInParts(source, signal) : requestWhole(source, signal);
}

async function requestWhole({ url, request }: Address, signal: AbortSignal | undefined): Promise<ByteStream> {
  return flowOfResponse(await fetched(url, { ...request, ...(signal && { signal }) }), url, signal);
}

async function streamInParts(address: Address, signal: AbortSignal | undefined): Promise<ByteStream> {
  const ofRanges = (ranges: Ranges): ByteStream => ({
    name: ranges.file.name,
    byteLength: ranges.file.byteLength,
    pieces: [],
    keep: true,
    owned: true,
    parts: { ranges, signal, whole: () => requestWhole(address, signal) },
  });
  if (address.remote) return ofRanges(new Ranges(address, address.remote));
  const { ranges, whole, response, refused } = await requestStart(address, signal);
  if (ranges) return ofRanges(ranges);
  const flow = whole
    ? {
        ...streamOfBytes(whole.bytes),
        name: whole.name,
        keep: true,
        owned: true,
        ...(whole.rest && withRest(whole.bytes, whole.rest, signal)),
      }
    : await (response ? flowOfResponse(response, address.url, signal) : requestWhole(address, signal));
  return refused ? { ...flow, refused } : flow;
}

/** Returns the stream of a file whose first bytes were received. `rest`: the answer with its other bytes. */
function withRest(
  bytes: Uint8Array,
  rest: Response,
  signal: AbortSignal | undefined,
): Pick<ByteStream, 'byteLength' | 'pieces' | 'isWhole'> {
  const { byteLength, pieces } = flowOfResponse(rest, rest.url, signal);
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
    yield* pieces;
  };
  return { byteLength: byteLength && bytes.length + byteLength, pieces: all(), isWhole: false };
}

/**
 * Blobs up to this size, in bytes, are read into memory at once, so that their chunks need not be
 * joined before the core can read ranges.
 */
const maxWholeBlob = 256 * 2 ** 20;

async function* wholeOf(blob: Blob): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await blob.arrayBuffer());
}

function flowOfResponse(response: Response, address: string, signal: AbortSignal | undefined): ByteStream {
  const { ok, url, headers, type, body } = response;
  if (!ok) {
    body?.cancel().catch(() => {});
    throw requestFailed(url || address, response);
  }
  const length = Number(headers.get('content-length') ?? NaN);
  return {
    name: nameOf(url || address),
    byteLength: Number.isFinite(length) && !headers.has('content-encoding') ? length : null,
    pieces: body ? piecesOf(body, signal, url || address) : [],
    keep: true,
    owned: type !== 'default', // a page that created the response may still use its buffers
  };
}

async function* piecesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined, address = ''): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw address ? unreachable(error, `${address} broke off before its end`) : error;
      });
      signal?.throwIfAborted();
      if (done) return;
      if (!(value instanceof Uint8Array)) throw invalidArgument('open: the body of the response does not consist of bytes');
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop(); // has no effect if the stream has ended
  }
}

/**
 * Returns a view of the instance's memory, which is valid until the heap grows. The view is empty
 * if `address` is 0.
 */
export function memoryAt(glue: RigcastGlue, address: number, byteLength: number): Uint8Array {
  return glue.HEAPU8.subarray(address, address && address + byteLength);
}

/** Size in bytes of the Blobs into which downloaded chunks are combined. */
const keptSize = 8 * 2 ** 20;

/** Number of bytes at the start of a file that are used to detect its format. */
export const headSize = 4096;

/** Yields the first bytes of a stream, then all chunks of the stream from its start. */
export async function* withHead(pieces: ByteStream['pieces']): AsyncGenerator<Uint8Array, void, void> {
  let first: Uint8Array[] | null = [];
  let size = 0;
  for await (const piece of pieces) {
    if (!first) {
      yield piece;
      continue;
    }
    first.push(piece);
    size += piece.length;
    if (size < headSize) continue;
    const start = joined(first);
    first = null;
    yield start.subarray(0, headSize);
    yield start;
  }
  if (!first) return;
  const all = joined(first);
  yield all;
  if (all.length) yield all;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/**
 * Reads a stream into the instance's heap, which grows if the length is unknown. If the format
 * supports random access, a file of at most `outside` bytes stays outside the heap: in the stream's
 * own array if that remains valid, otherwise in a copy. If the data does not fit, reading
 * stops and the session reports OUT_OF_MEMORY.
 */
export async function readInput(
  glue: RigcastGlue,
  { name, byteLength, pieces, keep, isWhole = false, lasting = false }: ByteStream,
  outside: number,
  onProgress?: (loaded: number, total: number | null) => void,
): Promise<InputBytes> {
  let room: Uint8Array = new Uint8Array();
  const inHeap = (size: number): Uint8Array => memoryAt(glue, glue.input(size), size);
  const beside = (size: number): Uint8Array => {
    try {
      if (glue.useExternalFile(size)) return resized(room, size);
    } catch {
      glue.input(Infinity); // larger than any array: the core reports that the data does not fit
    }
    return new Uint8Array();
  };
  let take: typeof inHeap | undefined;
  let isUncopied = false;
  let loaded = 0;
  const parts: Blob[] = [];
  let recent: BlobPart[] = [];
  let recentSize = 0;
  const keepRecent = (): void => {
    parts.push(new Blob(recent));
    recent = [];
    recentSize = 0;
  };
  for await (const piece of pieces) {
    if (!take) {
      isUncopied = outside >= 2 ? lasting : outside === 1 && isWhole;
      take = isUncopied || outside >= 2 ? beside : inHeap;
      if (isUncopied) room = piece;
      room = take(byteLength ?? room.length);
      if (byteLength && !room.length) return { name, byteLength, kept: null, bytes: null };
    }
    const end = loaded + piece.length;
    for (const size of [2 * room.length, room.length + 64 * 2 ** 20, end]) {
      if (end > room.length && size >= end) room = take(size);
    }
    if (end > room.length) return { name, byteLength: end, kept: null, bytes: null };
    if (!isUncopied) room.set(piece, loaded);
    loaded = end;
    if (keep && take === inHeap) {
      recent.push(piece as Uint8Array<ArrayBuffer>);
      recentSize += piece.length;
      if (recentSize >= keptSize) keepRecent();
    }
    onProgress?.(loaded, byteLength);
  }
  if (take && room.length !== loaded) room = take(loaded);
  if (take === beside) return { name, byteLength: loaded, kept: null, bytes: room };
  if (keep) keepRecent();
  return { name, byteLength: loaded, kept: keep ? new Blob(parts) : null, bytes: null };
}

/** Returns the bytes shortened to `size`, or a larger copy. */
function resized(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes.subarray(0, size);
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}

/** Allocates the blocks that the core writes while it reads. Returns them by block number. */
export function blocksFrom(glue: RigcastGlue): Map<number, ArrayBuffer> {
  const blocks = new Map<number, ArrayBuffer>();
  glue.allocateBlock = (block, size) => {
    blocks.delete(block);
    if (size) blocks.set(block, new ArrayBuffer(size));
    return true;
  };
  glue.writeBlock = (block, offset, size, address) => new Uint8Array(blocks.get(block)!, offset).set(memoryAt(glue, address, size));
  return blocks;
}

/** Serves the byte ranges that the core requests from a file outside its heap. */
export function serveFile(glue: RigcastGlue, bytes: Uint8Array): void {
  glue.readFile = (offset, size, address) => glue.HEAPU8.set(bytes.subarray(offset, offset + size), address);
}
