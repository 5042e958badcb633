// What a page gives to `open`, held so that it can be read as often as needed.
import { copyOf } from './bytes.ts';
import { type Address, type Flow, flowOfBytes, nameOf } from './flow.ts';
import { readLocalFile } from './wasm.ts';

export type OpenSource = ArrayBuffer | ArrayBufferView | Blob | Response | URL | string;

/** `fetch`: bytes from the network. `read`: bytes from memory or disk. `decode`: the core at work; it cannot tell how far it is. */
export interface Progress {
  phase: 'fetch' | 'read' | 'decode';
  loaded: number;
  /** Null where the length is not known. */
  total: number | null;
}

/** A file in hand. */
export interface HeldSource {
  /** '' for an address until it is read: that of its last redirection counts. */
  name: string;
  /** Of an address and a response: 0 until they are read. */
  byteLength: number;
  /**
   * Bytes and Blobs as they were given. An address and a response are read once, into the core's memory; a copy of what came is kept as a Blob
   * then, for `outline` and `supply`: an address may answer something else the next time. Null where it did not fit into memory.
   */
  data: Uint8Array | Blob | Address | Response | null;
  /** Whether the bytes are rigcast's own, so that their buffer may travel to a worker and back. One reader at a time has them, see `borrow`. */
  owned: boolean;
  /** Settles when the reader who has them brings them back. */
  away?: Promise<void> | undefined;
}

export interface HoldOptions {
  name?: string | undefined;
  transfer?: boolean | undefined;
  request?: RequestInit | undefined;
}

/** Takes hold of a source. Nothing is fetched yet. */
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
    if (source.bodyUsed) throw new TypeError('open: the body of the response was already read');
    return hold(source, '');
  }
  if (typeof source !== 'string' && !(source instanceof URL)) {
    throw new TypeError('open: the source must be an ArrayBuffer, typed array, Blob, File, Response, URL or string');
  }
  const url = addressOf(source);
  if (url.protocol === 'file:') {
    const bytes = await readLocalFile(url);
    return hold(bytes, nameOf(url.href), bytes.length, true);
  }
  if (url.protocol === 'blob:') {
    // may be revoked as soon as this call returns
    const blob = await (await fetch(url)).blob();
    return hold(blob, nameOf(url.href), blob.size);
  }
  return hold({ url: url.href, request }, '');
}

function addressOf(source: string | URL): URL {
  try {
    return new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (error) {
    throw new TypeError(`open: "${String(source)}" is not a valid URL; outside a page use a file: or https: URL, or the bytes`, {
      cause: error,
    });
  }
}

/** The bytes or where they come from. Throws where they are gone: the caller has detached the buffer since, or it went with a worker. */
export function dataOf({ data, byteLength, owned }: HeldSource): HeldSource['data'] {
  if (!(data instanceof Uint8Array) || data.length === byteLength) return data;
  if (owned) throw new Error('the bytes of this file were lost with the worker that read them; open the file again');
  throw new TypeError('the bytes of this file were detached or resized since it was opened');
}

/**
 * Bytes lent to one reader. `end` returns them, possibly in another buffer; null if they are lost. `isInUse`: they are not sent away any more, since somebody reads
 * them from now on.
 */
export interface Loan {
  bytes: Uint8Array;
  end(bytes: Uint8Array | null, isInUse: boolean): void;
}

/** Takes the bytes for a reader that may send them away, after those who asked before. Null where they stay: they are not rigcast's own. */
export async function borrow(source: HeldSource, signal: AbortSignal | undefined): Promise<Loan | null> {
  while (source.away) await unlessAborted(source.away, signal);
  const bytes = dataOf(source);
  if (!source.owned || !(bytes instanceof Uint8Array)) return null;
  let back!: () => void;
  source.away = new Promise(resolve => (back = resolve));
  const end = (given: Uint8Array | null, isInUse: boolean): void => {
    if (given) source.data = given;
    if (isInUse) source.owned = false;
    source.away = undefined;
    back();
  };
  return { bytes, end };
}

/** The promise, but a rejection with `signal.reason` as soon as the signal fires. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** For the calling thread. Bytes that may be sent away are borrowed first. */
export async function flowHere(source: HeldSource, signal: AbortSignal | undefined): Promise<Flow> {
  const data = dataOf(source);
  if (!data || data instanceof Uint8Array) return flowOfBytes(data ?? new Uint8Array(), source.byteLength);
  return (await import('./input.ts')).flowOf(data, signal);
}

/** Pieces that may be handed to a worker: bytes of others are copied a few megabytes at a time with pauses between, so that the page stays responsive. */
export async function flowAway(source: HeldSource, signal: AbortSignal | undefined): Promise<Flow> {
  const flow = await flowHere(source, signal);
  return flow.owned ? flow : { ...flow, pieces: copiesOf(flow.pieces), owned: true, isWhole: false };
}

const sliceSize = 4 * 2 ** 20;

async function* copiesOf(pieces: Flow['pieces']): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += sliceSize) {
      if (!isFirst) await pause();
      isFirst = false;
      yield copyOf(piece.subarray(at, at + sliceSize));
    }
  }
}

/** An address as it can be posted to a worker; null where its request holds what cannot be (a form, a stream). */
export function portable({ url, request }: Address): Address | null {
  const { signal: _, headers, ...rest } = request;
  try {
    return structuredClone({ url, request: { ...rest, headers: [...new Headers(headers)] } });
  } catch {
    return null;
  }
}

/** All bytes of a source that was read; none of one that did not fit. They are not sent away any more, since somebody may look at them from now on. */
export async function bytesOf(source: HeldSource): Promise<Uint8Array> {
  while (source.away) await source.away;
  const data = dataOf(source);
  source.owned = false;
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer());
  return data instanceof Uint8Array ? data : new Uint8Array();
}

/** Bytes [offset, offset + byteLength) of a source that was read; null where it is shorter. */
export async function sliceOf(source: HeldSource, offset: number, byteLength: number): Promise<Uint8Array | null> {
  const end = offset + byteLength;
  if (!(offset >= 0 && byteLength >= 0 && end <= source.byteLength)) return null;
  while (source.away) await source.away;
  const data = dataOf(source);
  if (data instanceof Blob) return new Uint8Array(await data.slice(offset, end).arrayBuffer());
  return data instanceof Uint8Array ? copyOf(data.subarray(offset, end)) : null;
}

/** Lets the page do something else: a macrotask, unlike a promise. */
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
