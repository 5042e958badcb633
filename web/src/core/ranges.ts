// Reads parts of a remote file with HTTP range requests, for formats that list their animations in
// front of the keys.
import { RigcastError } from './error.ts';
import { fetched, requestFailed, unreachable } from './fetched.ts';
import { nameOf, type Address, type Block, type RemoteFile } from './address.ts';

/** Files up to this size, in bytes, are downloaded as a whole. */
export const minRangedSize = 16 * 2 ** 20;

/** Size in bytes of the first request. It contains the list of animations of most files. */
const headSize = 2 ** 16;

/** Maximum number of bytes that are requested beyond the bytes that the reader needs. */
const maxReadAhead = 2 ** 20;

/**
 * Maximum share of a file that is read by range requests to list its animations. Beyond it, the
 * whole file is downloaded, which takes fewer requests.
 */
const maxIndexShare = 1 / 4;

/** Codes of the reasons why a file is not read in parts. */
export type RangeCode = 'RANGES_IGNORED' | 'RANGES_INVALID' | 'RANGES_HIDDEN' | 'RANGES_SCATTERED' | 'FILE_CHANGED';

/** Thrown if a file cannot be read in parts, or no longer. */
export class RangesRefused extends RigcastError {
  readonly reason: RangeCode;
  readonly detail: string;

  constructor(reason: RangeCode, detail: string, url: string) {
    super('RANGES_REFUSED', `${url} cannot be read in parts: ${detail}. Open it again.`);
    this.reason = reason;
    this.detail = detail;
  }
}

/** Thrown into the reader if it needs a part of the file that is not read yet. */
export class MissingRange extends RigcastError {
  readonly offset: number;
  readonly size: number;

  constructor(offset: number, size: number) {
    super('KEYS_NOT_READ', 'a part of the file is missing');
    this.offset = offset;
    this.size = size;
  }
}

/** The parts of a remote file that were read so far. */
export class Ranges {
  readonly address: Address;
  readonly file: RemoteFile;
  /** Number of bytes that were received. */
  loaded: number;
  #readAhead = headSize;

  constructor(address: Address, file: RemoteFile) {
    this.address = address;
    this.file = { ...file, blocks: [...file.blocks] };
    this.loaded = file.blocks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Returns a part of the file. Throws MissingRange if it is not read yet. */
  at(offset: number, size: number): Uint8Array {
    const block = this.#blockAt(offset);
    if (size === 0) return new Uint8Array();
    if (!block || offset + size > block.offset + block.bytes.length) throw new MissingRange(offset, size);
    return block.bytes.subarray(offset - block.offset, offset - block.offset + size);
  }

  /**
   * Requests the missing bytes of a part. `isIndex`: true while the list of animations is read.
   * Bytes behind the part are then requested in advance, twice as many each time. Throws RangesRefused if the
   * server no longer answers with parts of the same file.
   */
  async load({ offset, size }: MissingRange, isIndex: boolean, signal: AbortSignal | undefined): Promise<void> {
    const { file } = this;
    const known = this.#blockAt(offset);
    const start = known ? known.offset + known.bytes.length : offset;
    const next = file.blocks.find(block => block.offset >= start)?.offset ?? file.byteLength;
    const end = Math.min(offset + size + (isIndex ? this.#readAhead : 0), file.byteLength, next);
    if (isIndex) {
      this.#readAhead = Math.min(2 * this.#readAhead, maxReadAhead);
      if (this.loaded + end - start > file.byteLength * maxIndexShare)
        throw new RangesRefused('RANGES_SCATTERED', 'its list of animations takes too many requests', this.address.url);
    }
    const bytes = await this.#request(start, end, signal);
    this.loaded += bytes.length;
    this.#put({ offset: start, bytes });
  }

  /**
   * Requests all bytes behind the first block. Checks the headers of the answer, and does not wait
   * for its body. Throws RangesRefused if the server does not answer with this part of the file.
   */
  async requestRest(signal: AbortSignal | undefined): Promise<Response> {
    const { url } = this.address;
    const { byteLength } = this.file;
    const start = this.file.blocks[0]!.bytes.length;
    const response = await requestRange(this.address, start, byteLength, signal);
    try {
      checkIdentity(response, this.file, url);
      checkPart(response, start, byteLength, url, byteLength);
      return response;
    } catch (error) {
      response.body?.cancel().catch(() => {});
      throw error;
    }
  }

  #blockAt(offset: number): Block | undefined {
    return this.file.blocks.find(block => offset >= block.offset && offset <= block.offset + block.bytes.length);
  }

  /** Adds a block. Joins it with the blocks that it touches. */
  #put(block: Block): void {
    const blocks = [...this.file.blocks, block].toSorted((a, b) => a.offset - b.offset);
    this.file.blocks = blocks.reduce<Block[]>((joined, each) => {
      const last = joined.at(-1);
      if (!last || last.offset + last.bytes.length < each.offset) return [...joined, each];
      const bytes = new Uint8Array(last.bytes.length + each.bytes.length);
      bytes.set(last.bytes);
      bytes.set(each.bytes, last.bytes.length);
      return [...joined.slice(0, -1), { offset: last.offset, bytes }];
    }, []);
  }

  async #request(start: number, end: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { url } = this.address;
    const response = await requestRange(this.address, start, end, signal);
    try {
      checkIdentity(response, this.file, url);
      return await partOf(response, start, end, url, this.file.byteLength);
    } catch (error) {
      response.body?.cancel().catch(() => {});
      throw error;
    }
  }
}

/**
 * Result of the first requests for a file. `ranges`: the server answers range requests, and the file
 * is large. `whole`: the first bytes of a small file, and the answer that contains its other bytes,
 * if there are any. `response`: the answer of a server that ignores the request for a part.
 * Otherwise, the file must be requested again as a whole.
 */
export interface FirstAnswer {
  ranges?: Ranges;
  whole?: { name: string; bytes: Uint8Array; rest: Response | null };
  response?: Response;
  /** Reason why the file is not read in parts; undefined if it is small. */
  refused?: RangesRefused;
}

/**
 * Requests the start of a file. Rejects on network errors, and if the status is an error other than
 * 416, with which servers answer for an empty file.
 */
export async function requestStart(address: Address, signal: AbortSignal | undefined): Promise<FirstAnswer> {
  const { url } = address;
  const response = await requestRange(address, 0, headSize, signal);
  const { status, headers } = response;
  if (status === 416) return {};
  if (!response.ok) throw requestFailed(url, response);
  if (status !== 206)
    return { response, refused: new RangesRefused('RANGES_IGNORED', `the server sent the whole file (status ${status})`, url) };
  try {
    const total = totalOf(headers.get('content-range'));
    const bytes = await partOf(response, 0, Math.min(headSize, total ?? headSize), url, total);
    const name = nameOf(response.url || url);
    if (bytes.length === total || (total === null && bytes.length < headSize)) return { whole: { name, bytes, rest: null } };
    if (total === null) {
      throw headers.has('content-range')
        ? new RangesRefused('RANGES_INVALID', `the server declares the range "${headers.get('content-range')}" without a size`, url)
        : new RangesRefused('RANGES_HIDDEN', 'the server does not show the header Content-Range to this page', url);
    }
    const file: RemoteFile = {
      name,
      byteLength: total,
      etag: headers.get('etag'),
      modified: headers.get('last-modified'),
      blocks: [{ offset: 0, bytes }],
    };
    const ranges = new Ranges(address, file);
    return total > minRangedSize ? { ranges } : { whole: { name, bytes, rest: await ranges.requestRest(signal) } };
  } catch (error) {
    response.body?.cancel().catch(() => {});
    if (error instanceof RangesRefused) return { refused: error };
    throw error;
  }
}

function requestRange({ url, request }: Address, start: number, end: number, signal: AbortSignal | undefined): Promise<Response> {
  // If-Range is not set: it would cause a preflight, and a server that does not support it sends
  // the whole file. The validators are compared instead.
  const headers = new Headers(request.headers);
  headers.set('range', `bytes=${start}-${end - 1}`);
  return fetched(url, { ...request, headers, ...(signal && { signal }) });
}

/** Throws RangesRefused if the response does not belong to the file that was opened. */
function checkIdentity({ status, headers }: Response, file: RemoteFile, url: string): void {
  const validators = [
    ['ETag', headers.get('etag'), file.etag],
    ['Last-Modified', headers.get('last-modified'), file.modified],
    ['size', status === 206 ? totalOf(headers.get('content-range')) : null, file.byteLength],
  ] as const;
  const different = validators.find(([, now, before]) => now !== null && before !== null && now !== before);
  if (different) throw new RangesRefused('FILE_CHANGED', `the file changed on the server (${different[0]})`, url);
  if (status === 416) throw new RangesRefused('FILE_CHANGED', 'the file on the server became shorter', url);
}

/** Returns the size of the file in a Content-Range header; null if it is missing or unknown. */
function totalOf(header: string | null): number | null {
  const total = /^bytes \d+-\d+\/(\d+)$/.exec(header ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

/**
 * Throws RangesRefused if the headers of a response do not declare the bytes `start` to `end`
 * (exclusive). Returns a function that creates this error, for checks of the body.
 */
function checkPart(response: Response, start: number, end: number, url: string, total: number | null): (detail: string) => RangesRefused {
  const { status, headers } = response;
  if (!response.ok) throw requestFailed(url, response);
  const invalid = (detail: string): RangesRefused => new RangesRefused('RANGES_INVALID', detail, url);
  if (status !== 206) throw new RangesRefused('RANGES_IGNORED', `the server sent the whole file (status ${status})`, url);
  if (headers.has('content-encoding')) throw invalid(`the part is compressed (${headers.get('content-encoding')})`);
  const range = headers.get('content-range');
  if (range !== null && total !== null && range !== `bytes ${start}-${end - 1}/${total}`)
    throw invalid(`bytes ${start}-${end - 1} were requested, the answer declares "${range}"`);
  return invalid;
}

/**
 * Returns the bytes `start` to `end` (exclusive) that a response contains. Throws RangesRefused if
 * it contains anything else. `total`: size of the file in bytes, null if it is unknown.
 */
async function partOf(response: Response, start: number, end: number, url: string, total: number | null): Promise<Uint8Array> {
  const invalid = checkPart(response, start, end, url, total);
  const { body } = response;
  const bytes = new Uint8Array(end - start);
  let at = 0;
  const reader = body?.getReader();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true as const, value: undefined };
      if (done) break;
      if (at + value.length > bytes.length) throw invalid(`${bytes.length} bytes were requested, more were received`);
      bytes.set(value, at);
      at += value.length;
    }
  } catch (error) {
    reader?.cancel().catch(() => {});
    throw unreachable(error, `${url} broke off before its end`);
  }
  if (at < bytes.length && total !== null) throw invalid(`${bytes.length} bytes were requested, ${at} were received`);
  return bytes.subarray(0, at);
}
