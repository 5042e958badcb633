// How a file's bytes get into an instance: straight into its memory, piece by piece as they come. The same code runs in the worker and on the
// calling thread; a page loads it for what it does not hand to a worker whole: responses, requests with streams and forms, pages without workers.
import { fetched, unreachable } from './fetched.ts';
import { flowOfBytes, nameOf, type Address, type Flow } from './flow.ts';
import type { Family } from './formats.ts';
import type { RigcastGlue } from './wasm/rigcast.mjs';

/** What came in. */
export interface Taken {
  name: string;
  byteLength: number;
  /** A copy of a flow that said `keep`; a Blob, since browsers move large ones to the disk. Null also where it did not fit, and where there are `bytes`. */
  kept: Blob | null;
  /** Where they are not in the heap: the core pulls what it needs of them. */
  bytes: Uint8Array | null;
}

export interface Plan {
  /** Family of the file's format; '' if no format recognised it. */
  family: Family | '';
  /** True if this module has the reader of that format. */
  isLinked: boolean;
  /** How long its bytes may stay out of the heap (`plan` in bindings.cpp). */
  outside: number;
}

/** By the file's head. What fails here does so again where it is reported. */
export function planOf(glue: RigcastGlue, ...file: Parameters<RigcastGlue['plan']>): Plan {
  try {
    const [family, isLinked, outside] = glue.plan(...file).split(' ');
    return { family: family as Family | '', isLinked: isLinked === '1', outside: Number(outside) };
  } catch {
    return { family: '', isLinked: false, outside: 0 };
  }
}

/** Rejects where the network does, and with the status where it is not 2xx. */
export async function flowOf(source: Uint8Array | Blob | Address | Response, signal?: AbortSignal): Promise<Flow> {
  if (source instanceof Uint8Array) return flowOfBytes(source);
  if (source instanceof Blob) {
    const isWhole = source.size <= mostAtOnce;
    const pieces = isWhole ? wholeOf(source) : piecesOf(source.stream(), signal);
    return { name: '', byteLength: source.size, pieces, keep: false, owned: true, isWhole, lasting: isWhole };
  }
  if (source instanceof Response) return flowOfResponse(source, source.url, signal);
  const { url, request } = source;
  return flowOfResponse(await fetched(url, { ...request, ...(signal && { signal }) }), url, signal);
}

/** Blobs of so many bytes or less are read at once, into memory from which the core pulls what it needs; in pieces they would be copied together first. */
const mostAtOnce = 256 * 2 ** 20;

async function* wholeOf(blob: Blob): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await blob.arrayBuffer());
}

function flowOfResponse(response: Response, address: string, signal: AbortSignal | undefined): Flow {
  const { ok, url, status, statusText, headers, type, body } = response;
  if (!ok) {
    body?.cancel().catch(() => {});
    throw new Error(`${url || address ? `Request to ${url || address}` : 'The request'} failed: ${status} ${statusText}`.trim());
  }
  const length = Number(headers.get('content-length') ?? NaN);
  return {
    name: nameOf(url || address),
    byteLength: Number.isFinite(length) && !headers.has('content-encoding') ? length : null,
    pieces: body ? piecesOf(body, signal, url || address) : [],
    keep: true,
    owned: type !== 'default', // a page that made the response itself may hold on to what it put into it
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
      if (!(value instanceof Uint8Array)) throw new TypeError('open: the body of the response does not consist of bytes');
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop(); // of no effect at the end
  }
}

/** Memory of the instance, until its heap grows; none at address 0. */
export function memoryAt(glue: RigcastGlue, address: number, byteLength: number): Uint8Array {
  return glue.HEAPU8.subarray(address, address && address + byteLength);
}

/** Bytes from the network that become a Blob together. */
const keptSize = 8 * 2 ** 20;

/** More than any format looks at to know its own. */
const headSize = 4096;

/** The head of a flow, then all of its pieces, of which the first has the head in it. */
export async function* headFirst(pieces: Flow['pieces']): AsyncGenerator<Uint8Array, void, void> {
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
 * Takes a flow into the instance's memory, which grows where the length was not known; of a format that reads by an index (`outside`, as planned), into an array
 * beside it, which is the flow's own where that stays long enough. What does not fit is not read any further: the session then reports OUT_OF_MEMORY.
 */
export async function takeIn(
  glue: RigcastGlue,
  { name, byteLength, pieces, keep, isWhole = false, lasting = false }: Flow,
  outside: number,
  onProgress?: (loaded: number, total: number | null) => void,
): Promise<Taken> {
  let room: Uint8Array = new Uint8Array();
  const inHeap = (size: number): Uint8Array => memoryAt(glue, glue.input(size), size);
  const beside = (size: number): Uint8Array => {
    try {
      if (glue.outside(size)) return resized(room, size);
    } catch {
      glue.input(Infinity); // no array is that large: what does not fit is reported
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
      isUncopied = outside === 2 ? lasting : outside === 1 && isWhole;
      take = isUncopied || outside === 2 ? beside : inHeap;
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

/** Bytes with room for more, or fewer of them. */
function resized(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes.subarray(0, size);
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}

/** Memory for blocks that the core writes while it reads, by their numbers. */
export function blocksFrom(glue: RigcastGlue): Map<number, ArrayBuffer> {
  const blocks = new Map<number, ArrayBuffer>();
  glue.open = (block, size) => {
    blocks.delete(block);
    if (size) blocks.set(block, new ArrayBuffer(size));
    return true;
  };
  glue.push = (block, offset, size, address) => new Uint8Array(blocks.get(block)!, offset).set(memoryAt(glue, address, size));
  return blocks;
}

/** Where the core asks for bytes of a file that is not in its heap. */
export function pullFrom(glue: RigcastGlue, bytes: Uint8Array): void {
  glue.pull = (offset, size, address) => glue.HEAPU8.set(bytes.subarray(offset, offset + size), address);
}
