// Holds the source that was passed to `open`, so that it can be read several times.
import { copyOf } from './bytes.ts';
import { type Address, type ByteStream, streamOfBytes, nameOf } from './byteStream.ts';
import { readLocalFile } from './wasm.ts';
import { invalidArgument, RigcastError } from './error.ts';
import { fetched, requestFailed } from './fetched.ts';

export type OpenSource = ArrayBuffer | ArrayBufferView | Blob | Response | URL | string;

/**
 * Progress of reading. Phases: `fetch` reads bytes from the network, `read` reads bytes from memory
 * or disk, `decode` parses them in the core and has no intermediate progress.
 */
export interface Progress {
  phase: 'fetch' | 'read' | 'decode';
  loaded: number;
  /** Total number of bytes; null if unknown. */
  total: number | null;
}

/** A source that can be read again. */
export interface HeldSource {
  /** File name. '' for a URL that has not been read yet, because redirects may change it. */
  name: string;
  /** Size of the source in bytes; 0 for a URL or response that has not been read yet. */
  byteLength: number;
  /**
   * The bytes or Blob that the caller passed. A URL or response is read only once, and its bytes
   * are kept as a Blob for `outline` and `supply`, because a second request may return other bytes.
   * Of a file that is read in parts, the URL and the parts are kept.
   * Null if the bytes did not fit into memory.
   */
  data: Uint8Array | Blob | Address | Response | null;
  /**
   * True if rigcast owns the bytes and may transfer their buffer to a worker. Only one job at a
   * time can use them; see `acquire`.
   */
  owned: boolean;
  /** Settles when the current job returns the bytes. */
  leased?: Promise<void> | undefined;
}

export interface HoldOptions {
  name?: string | undefined;
  transfer?: boolean | undefined;
  request?: RequestInit | undefined;
}

/** Prepares a source for reading. Does not fetch anything yet. */
export async function holdSource(source: OpenSource, { name, transfer = false, request = {} }: HoldOptions): Promise<HeldSource> {
  const hold = (data: HeldSource['data'], own: string, byteLength = 0, owned = false): HeldSource => ({
    name: name ?? own,
    byteLength,
    data,
    owned,
  });
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    const bytes =
      source instanceof ArrayBuffer
        ? new Uint8Array(source)
        : new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
    return hold(bytes, '', bytes.length, transfer);
  }
  if (source instanceof Blob) return hold(source, (source as Partial<File>).name ?? '', source.size);
  if (source instanceof Response) {
    if (source.bodyUsed) throw invalidArgument('open: the body of the response was already read');
    return hold(source, '');
  }
  if (typeof source !== 'string' && !(source instanceof URL)) {
    throw invalidArgument('open: the source must be an ArrayBuffer, typed array, Blob, File, Response, URL or string');
  }
  const url = addressOf(source);
  if (url.protocol === 'file:') {
    const bytes = await readLocalFile(url);
    return hold(bytes, nameOf(url.href), bytes.length, true);
  }
  if (url.protocol === 'blob:') {
    // fetched now, because the page may revoke the URL as soon as this call returns
    const blob = await (await fetched(url.href)).blob();
    return hold(blob, nameOf(url.href), blob.size);
  }
  return hold({ url: url.href, request }, '');
}

function addressOf(source: string | URL): URL {
  try {
    return new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (error) {
    throw invalidArgument(`open: "${String(source)}" is not a valid URL; outside a page use a file: or https: URL, or the bytes`, {
      cause: error,
    });
  }
}

/**
 * Returns `data`. Throws if the caller has detached or resized the buffer, or if the bytes were
 * lost with a worker.
 */
export function dataOf({ data, byteLength, owned }: HeldSource): HeldSource['data'] {
  if (!(data instanceof Uint8Array) || data.length === byteLength) return data;
  if (owned) throw new RigcastError('BYTES_LOST', 'the bytes of this file were lost with the worker that read them; open the file again');
  throw new RigcastError('BYTES_LOST', 'the bytes of this file were detached or resized since it was opened');
}

/**
 * Exclusive access of one job to the bytes of a source. Call `end` with the bytes, possibly in
 * another buffer, or with null if they are lost. `isInUse`: the result refers to the bytes, so they
 * can no longer be transferred.
 */
export interface Lease {
  bytes: Uint8Array;
  end(bytes: Uint8Array | null, isInUse: boolean): void;
}

/**
 * Acquires the bytes for a job that may transfer them, first come first served. Returns null if
 * rigcast does not own them.
 */
export async function acquire(source: HeldSource, signal: AbortSignal | undefined): Promise<Lease | null> {
  while (source.leased) await unlessAborted(source.leased, signal);
  const bytes = dataOf(source);
  if (!source.owned || !(bytes instanceof Uint8Array)) return null;
  let release!: () => void;
  source.leased = new Promise(resolve => (release = resolve));
  const end = (returned: Uint8Array | null, isInUse: boolean): void => {
    if (returned) source.data = returned;
    if (isInUse) source.owned = false;
    source.leased = undefined;
    release();
  };
  return { bytes, end };
}

/** Resolves like `promise`, but rejects with `signal.reason` as soon as the signal is aborted. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * Returns a stream of the source for the calling thread. If rigcast owns the bytes, `acquire` them
 * first. `inParts`: true to read a large remote file in parts, if possible.
 */
export async function streamHere(source: HeldSource, signal: AbortSignal | undefined, inParts = false): Promise<ByteStream> {
  const data = dataOf(source);
  if (!data || data instanceof Uint8Array) return streamOfBytes(data ?? new Uint8Array(), source.byteLength);
  return (await import('./onPage.ts')).openStream(data, signal, inParts);
}

/**
 * Returns a stream whose chunks can be transferred to a worker. Bytes that rigcast does not own are
 * copied in slices of 4 MB, yielding to the event loop after each.
 */
export async function streamToWorker(source: HeldSource, signal: AbortSignal | undefined): Promise<ByteStream> {
  const flow = await streamHere(source, signal);
  return flow.owned ? flow : { ...flow, pieces: copiesOf(flow.pieces), owned: true, isWhole: false };
}

const sliceSize = 4 * 2 ** 20;

async function* copiesOf(pieces: ByteStream['pieces']): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += sliceSize) {
      if (!isFirst) await pause();
      isFirst = false;
      yield copyOf(piece.subarray(at, at + sliceSize));
    }
  }
}

/**
 * Returns a copy of a URL and its request that can be posted to a worker, or null if the request
 * contains a form or stream.
 */
export function toCloneable({ url, request, ...parts }: Address): Address | null {
  const { signal: _, headers, ...rest } = request;
  try {
    return structuredClone({ url, request: { ...rest, headers: [...new Headers(headers)] }, ...parts });
  } catch {
    return null;
  }
}

/**
 * Returns all bytes of a source that has been read; empty if they did not fit into memory. Requests
 * a file that was read in parts as a whole.
 * Afterwards they can no longer be transferred, because the caller may keep them.
 */
export async function bytesOf(source: HeldSource): Promise<Uint8Array> {
  while (source.leased) await source.leased;
  const data = dataOf(source);
  source.owned = false;
  if (data && 'url' in data && !(data instanceof Response)) {
    const response = await fetched(data.url, data.request);
    if (!response.ok) throw requestFailed(data.url, response);
    return new Uint8Array(await response.arrayBuffer());
  }
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer());
  return data instanceof Uint8Array ? data : new Uint8Array();
}

/**
 * Returns bytes [offset, offset + byteLength) of a source that has been read, or null if the source
 * is shorter.
 */
export async function sliceOf(source: HeldSource, offset: number, byteLength: number): Promise<Uint8Array | null> {
  const end = offset + byteLength;
  if (!(offset >= 0 && byteLength >= 0 && end <= source.byteLength)) return null;
  while (source.leased) await source.leased;
  const data = dataOf(source);
  if (data instanceof Blob) return new Uint8Array(await data.slice(offset, end).arrayBuffer());
  return data instanceof Uint8Array ? copyOf(data.subarray(offset, end)) : null;
}

/**
 * Yields to the event loop. Resolves in a macrotask, because a microtask would not let the page
 * paint.
 */
export function pause(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
