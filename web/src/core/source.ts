// Where a file comes from: anything a page has in hand becomes a list of chunks, without a copy where that is possible.
import { workersExist } from './pool.ts';
import { readLocalFile } from './wasm.ts';

export type OpenSource = ArrayBuffer | ArrayBufferView | Blob | Response | URL | string;

/** `fetch`: bytes from the network. `read`: bytes from memory or disk. `decode`: the core at work; it cannot tell how far it is. */
export interface Progress {
  phase: 'fetch' | 'read' | 'decode';
  loaded: number;
  /** Null where the length is not known. */
  total: number | null;
}

/** A file in hand. It can be read as often as needed. */
export interface HeldSource {
  name: string;
  byteLength: number;
  /** The bytes in order, or a Blob. */
  data: Uint8Array[] | Blob;
  /** Whether `data` is rigcast's own, so that its buffers may travel to a worker and back. */
  owned: boolean;
}

export interface HoldOptions {
  name?: string | undefined;
  transfer?: boolean | undefined;
  request?: RequestInit | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  worker?: boolean | undefined;
}

/** Takes hold of a source; network sources are read to their end. Rejects where the network does, with the status where it is not 2xx. */
export async function holdSource(source: OpenSource, options: HoldOptions): Promise<HeldSource> {
  options.signal?.throwIfAborted();
  if (source instanceof ArrayBuffer) return holdBytes(new Uint8Array(source), options);
  if (ArrayBuffer.isView(source)) return holdBytes(new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength), options);
  if (source instanceof Blob) {
    const name = options.name ?? (source as Partial<File>).name ?? '';
    return { name, byteLength: source.size, data: source, owned: false };
  }
  if (source instanceof Response) return holdResponse(source, options);
  if (typeof source !== 'string' && !(source instanceof URL)) {
    throw new TypeError('open: the source is none of ArrayBuffer, typed array, Blob, File, Response, URL and string');
  }
  const url = addressOf(source);
  if (url.protocol === 'file:') {
    return { ...holdBytes(await readLocalFile(url), { name: options.name ?? nameOf(url.href) }), owned: true };
  }
  const response = await fetch(url, { ...options.request, ...(options.signal && { signal: options.signal }) });
  // For a worker, and with nobody who watches, the bytes need not pass through the page at all.
  const isUnseen = !options.onProgress && (options.worker ?? true) && workersExist();
  return holdResponse(response, options, url.href, isUnseen);
}

function addressOf(source: string | URL): URL {
  try {
    return new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (error) {
    throw new TypeError(`open: "${String(source)}" is no address; outside a page give a file: or https: URL, or the bytes`, { cause: error });
  }
}

function holdBytes(bytes: Uint8Array, { name = '', transfer = false }: HoldOptions): HeldSource {
  return { name, byteLength: bytes.length, data: [bytes], owned: transfer };
}

async function holdResponse(response: Response, options: HoldOptions, address = response.url, asBlob = false): Promise<HeldSource> {
  if (!response.ok) throw new Error(`${address || 'The response'} answers ${response.status} ${response.statusText}`.trim());
  if (response.bodyUsed) throw new TypeError('open: the body of the response was already read');
  const name = options.name ?? nameOf(response.url || address);
  if (asBlob) {
    const blob = await response.blob();
    return { name, byteLength: blob.size, data: blob, owned: false };
  }
  const length = Number(response.headers.get('content-length') ?? NaN);
  const total = Number.isFinite(length) && !response.headers.has('content-encoding') ? length : null;
  const data: Uint8Array[] = [];
  let loaded = 0;
  if (response.body) {
    const reader = response.body.getReader();
    const stop = (): void => void reader.cancel(options.signal?.reason).catch(() => {});
    options.signal?.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        const { done, value } = await reader.read();
        options.signal?.throwIfAborted();
        if (done) break;
        data.push(value);
        loaded += value.length;
        options.onProgress?.({ phase: 'fetch', loaded, total });
      }
    } finally {
      options.signal?.removeEventListener('abort', stop);
    }
  }
  return { name, byteLength: loaded, data, owned: true };
}

/** The last part of an address's path, decoded. */
function nameOf(address: string): string {
  try {
    const last = new URL(address).pathname.split('/').at(-1) ?? '';
    return decodeURIComponent(last);
  } catch {
    return ''; // no address, or an escape that is none
  }
}

const sliceSize = 4 * 2 ** 20;

/**
 * Chunks that may be handed to a worker. What is not rigcast's own is copied a few megabytes at a time with pauses between, so that the page
 * stays responsive. Throws TypeError where the caller has detached the buffer since.
 */
export async function sendable(source: HeldSource, options: HoldOptions): Promise<Uint8Array[] | Blob> {
  if (source.data instanceof Blob || source.owned) return source.data;
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  for (const chunk of attached(source.data, source.byteLength)) {
    for (let at = 0; at < chunk.length; at += sliceSize) {
      if (loaded > 0) await pause();
      options.signal?.throwIfAborted();
      chunks.push(chunk.slice(at, at + sliceSize));
      loaded += chunks.at(-1)!.length;
      options.onProgress?.({ phase: 'read', loaded, total: source.byteLength });
    }
  }
  return chunks;
}

/** Chunks for the calling thread. */
export async function readable(source: HeldSource, options: HoldOptions): Promise<Uint8Array[]> {
  const chunks = source.data instanceof Blob ? [new Uint8Array(await source.data.arrayBuffer())] : attached(source.data, source.byteLength);
  options.signal?.throwIfAborted();
  options.onProgress?.({ phase: 'read', loaded: source.byteLength, total: source.byteLength });
  return chunks;
}

/** Bytes [offset, offset + byteLength) of a source; null where it is shorter. */
export async function sliceOf(source: HeldSource, offset: number, byteLength: number): Promise<Uint8Array | null> {
  const end = offset + byteLength;
  if (!(offset >= 0 && byteLength >= 0 && end <= source.byteLength)) return null;
  if (source.data instanceof Blob) return new Uint8Array(await source.data.slice(offset, end).arrayBuffer());
  const slice = new Uint8Array(byteLength);
  let at = 0;
  for (const chunk of attached(source.data, source.byteLength)) {
    if (at < end && at + chunk.length > offset) {
      const from = Math.max(offset - at, 0);
      slice.set(chunk.subarray(from, end - at), at + from - offset);
    }
    at += chunk.length;
  }
  return slice;
}

function attached(chunks: Uint8Array[], byteLength: number): Uint8Array[] {
  if (chunks.reduce((sum, chunk) => sum + chunk.length, 0) !== byteLength) throw new TypeError('the bytes of this file were detached or resized since it was opened');
  return chunks;
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
