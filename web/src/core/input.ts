// How a file's bytes get into an instance: straight into its memory, piece by piece as they come. The same code runs in the worker and on the
// calling thread; a page loads it for what it does not hand to a worker whole: responses, requests with streams and forms, pages without workers.
import { flowOfBytes, nameOf, type Address, type Flow } from './flow.ts';
import type { RigcastGlue } from './wasm/rigcast.mjs';

/** What came in. */
export interface Taken {
  name: string;
  byteLength: number;
  /** A copy of a flow that said `keep`; a Blob, since browsers move large ones to the disk. Null also where it did not fit. */
  kept: Blob | null;
}

/** Rejects where the network does, and with the status where it is not 2xx. */
export async function flowOf(source: Uint8Array | Blob | Address | Response, signal?: AbortSignal): Promise<Flow> {
  if (source instanceof Uint8Array) return flowOfBytes(source);
  if (source instanceof Blob)
    return { name: '', byteLength: source.size, pieces: piecesOf(source.stream(), signal), keep: false, owned: true };
  if (source instanceof Response) return flowOfResponse(source, source.url, signal);
  const { url, request } = source;
  return flowOfResponse(await fetch(url, { ...request, ...(signal && { signal }) }), url, signal);
}

function flowOfResponse(response: Response, address: string, signal: AbortSignal | undefined): Flow {
  const { ok, url, status, statusText, headers, type, body } = response;
  if (!ok) {
    body?.cancel().catch(() => {});
    throw new Error(`${url || address || 'The response'} answers ${status} ${statusText}`.trim());
  }
  const length = Number(headers.get('content-length') ?? NaN);
  return {
    name: nameOf(url || address),
    byteLength: Number.isFinite(length) && !headers.has('content-encoding') ? length : null,
    pieces: body ? piecesOf(body, signal) : [],
    keep: true,
    owned: type !== 'default', // a page that made the response itself may hold on to what it put into it
  };
}

async function* piecesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      if (!(value instanceof Uint8Array)) throw new TypeError('open: the body of the response is not made of bytes');
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

/**
 * Moves a flow into the instance's memory, which grows where the length was not known. What does not fit is not read any further: the session
 * then reports OUT_OF_MEMORY.
 */
export async function takeIn(
  glue: RigcastGlue,
  { name, byteLength, pieces, keep, lasting }: Flow,
  onProgress?: (loaded: number, total: number | null) => void,
): Promise<Taken> {
  const take = (size: number): Uint8Array => memoryAt(glue, glue.input(size), size);
  let room = take(byteLength ?? 0);
  if (byteLength && !room.length) {
    if ('return' in pieces) await (pieces as AsyncGenerator).return(undefined);
    return { name, byteLength, kept: null };
  }
  if (lasting) {
    glue.pull = (offset, size, address) => glue.HEAPU8.set(lasting.subarray(offset, offset + size), address);
    onProgress?.(lasting.length, lasting.length);
    return { name, byteLength: lasting.length, kept: null };
  }
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
    const end = loaded + piece.length;
    for (const size of [2 * room.length, room.length + 64 * 2 ** 20, end]) {
      if (end > room.length && size >= end) room = take(size);
    }
    if (end > room.length) return { name, byteLength: end, kept: null };
    room.set(piece, loaded);
    loaded = end;
    if (keep) {
      recent.push(piece as Uint8Array<ArrayBuffer>);
      recentSize += piece.length;
      if (recentSize >= keptSize) keepRecent();
    }
    onProgress?.(loaded, byteLength);
  }
  if (room.length !== loaded) glue.input(loaded);
  if (keep) keepRecent();
  return { name, byteLength: loaded, kept: keep ? new Blob(parts) : null };
}
