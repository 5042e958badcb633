// A PSA file of any size whose bytes are computed when they are read, and a server for it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Plugin } from 'vite';
import { makePsa, makePsk } from './actorx.ts';

export interface LargePsa {
  byteLength: number;
  sequences: readonly string[];
  /** Number of bytes of the keys of a sequence. */
  clipSize: number;
  /** Returns bytes `start` to `end` (exclusive). */
  part(start: number, end: number): Uint8Array<ArrayBuffer>;
}

const keySize = 32;

/** The sequences `Clip0`, `Clip1`, … of a chain of bones. All bones except the last one rotate. */
export function largePsa(count: number, boneCount = 100, frames = 340): LargePsa {
  const bones = Array.from({ length: boneCount }, (_, i) => `bone${i}`);
  const sequences = Array.from({ length: count }, (_, i) => `Clip${i}`);
  const head = makePsa({ bones, sequences, frames: 0 });
  const view = new DataView(head.buffer);
  const infoAt = 32 + 32 + 120 * boneCount + 32;
  for (let i = 0; i < count; i++) {
    view.setInt32(infoAt + 168 * i + 140, boneCount * frames, true);
    view.setFloat32(infoAt + 168 * i + 148, frames, true);
    view.setInt32(infoAt + 168 * i + 160, i * frames, true);
    view.setInt32(infoAt + 168 * i + 164, frames, true);
  }
  const keys = count * frames * boneCount;
  view.setInt32(head.length - 4, keys, true);
  const clipSize = frames * boneCount * keySize;
  const keyAt = (key: number): Float32Array => {
    const bone = key % boneCount;
    const angle = bone === boneCount - 1 ? 0 : Math.sin(key * 0.001) / 4;
    return Float32Array.of(0, 0, bone ? 10 : 0, Math.sin(angle), 0, 0, Math.cos(angle), 1);
  };
  const part = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    if (start < head.length) bytes.set(head.subarray(start, Math.min(end, head.length)));
    const first = Math.max(0, Math.floor((start - head.length) / keySize));
    for (let key = first; head.length + key * keySize < end; key++) {
      const at = head.length + key * keySize - start;
      const own = new Uint8Array(keyAt(key).buffer);
      bytes.set(own.subarray(Math.max(0, -at), Math.min(keySize, bytes.length - at)), Math.max(0, at));
    }
    return bytes;
  };
  return { byteLength: head.length + keys * keySize, sequences, clipSize, part };
}

/** Returns a file whose bytes are kept in memory, so that they can be read several times quickly. */
export function stored(file: LargePsa): LargePsa {
  const bytes = file.part(0, file.byteLength);
  return { ...file, part: (start, end) => bytes.slice(start, end) };
}

/** A request for bytes `start` to `end` (exclusive). */
export interface PartRequest {
  start: number;
  end: number;
  /** Number of the request, from 0. */
  number: number;
}

/** Answers a request. Returns false for the usual answer. */
export type Answer = (request: PartRequest | null, response: ServerResponse, incoming: IncomingMessage) => boolean;

export interface PsaServer {
  url: string;
  /** Number of requests, and bytes of bodies that were written so far. */
  counted: { requests: number; bytes: number };
  /** Connections that are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Returns a request listener for a file with support for range requests. `answer` can replace an answer. */
function listener(
  file: LargePsa,
  counted: PsaServer['counted'],
  headers: Record<string, string>,
  answer: Answer = () => false,
): (incoming: IncomingMessage, response: ServerResponse) => void {
  return (incoming, response) => {
    const number = counted.requests++;
    const write = response.write.bind(response) as (...args: unknown[]) => boolean;
    response.write = ((...args: unknown[]) => {
      counted.bytes += (args[0] as Uint8Array).length;
      return write(...args);
    }) as typeof response.write;
    const range = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range ?? '');
    const request = range ? { start: Number(range[1]), end: Math.min(Number(range[2]) + 1, file.byteLength), number } : null;
    if (answer(request, response, incoming)) return;
    if (!request) {
      response.writeHead(200, { ...headers, 'content-length': file.byteLength });
      return void sendPart(response, file, 0, file.byteLength);
    }
    const { start, end } = request;
    response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${end - 1}/${file.byteLength}`, 'content-length': end - start });
    void sendPart(response, file, start, end);
  };
}

/** Serves a file with support for range requests. */
export async function servePsa(file: LargePsa, answer?: Answer, headers: Record<string, string> = { etag: '"1"' }): Promise<PsaServer> {
  const counted = { requests: 0, bytes: 0 };
  const server = createServer(listener(file, counted, headers, answer));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/many.psa`,
    counted,
    connections: () => new Promise(resolve => server.getConnections((_, count) => resolve(count))),
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}

/**
 * A plugin of Vite's server for tests in Chromium. `/large.psa` is a file of 60 MB with ten
 * animations, and `/large.psk` its model. `/large.psa?whole` ignores requests for parts. `/counted`
 * returns the number of requests and bytes since the last call. `/other-origin` returns a URL of the
 * same animations on another origin, whose server allows all pages to read the file, but hides the
 * headers ETag and Content-Range from them. With `?exposed` it shows both.
 */
export function largeFiles(): Plugin {
  const bones = Array.from({ length: 20 }, (_, i) => `bone${i}`);
  const file = largePsa(10, bones.length, 10_000);
  const counted = { requests: 0, bytes: 0 };
  const headers = { etag: '"1"', 'cache-control': 'no-store' };
  return {
    name: 'large files',
    configureServer({ middlewares }) {
      const other = createServer((incoming, response) => {
        const shown = incoming.url?.includes('exposed') ? 'etag, content-range' : '';
        const access = { 'access-control-allow-origin': '*', 'access-control-expose-headers': shown };
        listener(file, counted, { ...headers, ...access })(incoming, response);
      }).listen(0);
      other.unref(); // does not keep the process alive
      middlewares.use('/other-origin', ({ headers: { host = '' } }, response) => {
        const url = new URL(`http://${host}/large.psa`);
        url.port = String((other.address() as AddressInfo).port);
        response.end(url.href);
      });
      middlewares.use('/large.psk', (_, response) => void response.end(makePsk({ bones, side: 19 })));
      middlewares.use('/counted', (_, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(counted));
        counted.requests = counted.bytes = 0;
      });
      middlewares.use('/large.psa', (incoming, response) => {
        if (incoming.url?.includes('whole')) delete incoming.headers.range;
        listener(file, counted, headers)(incoming, response);
      });
    },
  };
}

/** Writes bytes of a file and ends the response. Waits until the connection accepts more bytes. */
export async function sendPart(response: ServerResponse, file: LargePsa, start: number, end: number): Promise<void> {
  for (let at = start; at < end && !response.destroyed; at += 2 ** 18) {
    const isFree = response.write(file.part(at, Math.min(end, at + 2 ** 18)));
    if (isFree) continue;
    await new Promise<void>(resolve => {
      const go = (): void => {
        response.off('drain', go).off('close', go);
        resolve();
      };
      response.on('drain', go).on('close', go);
    });
  }
  response.end();
}
