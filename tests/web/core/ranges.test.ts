// Large remote animation sets, which are read in parts.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { contentsOf } from '../../../web/src/core/contents.ts';
import { bind } from '../../../web/src/core/bind.ts';
import { match } from '../../../web/src/core/match.ts';
import { open, type OpenOptions, type RigFile } from '../../../web/src/core/open.ts';
import { minRangedSize } from '../../../web/src/core/ranges.ts';
import type { Progress } from '../../../web/src/core/source.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { castFile, node } from '../../support/castFile.ts';
import {
  type Answer,
  largePsa,
  type LargePsa,
  type PartRequest,
  type PsaServer,
  sendPart,
  servePsa,
  stored,
} from '../../support/largePsa.ts';

/** A file just above 16 MB with four animations. */
const small = stored(largePsa(4, 100, 1400));

let server: PsaServer | undefined;
afterEach(() => server?.close());

async function serving(file: LargePsa = small, answer?: Answer, headers?: Record<string, string>): Promise<PsaServer> {
  return (server = await servePsa(file, answer, headers));
}

const opened = (url: string, options: OpenOptions = {}): Promise<RigFile> => open(url, { ranges: true, ...options });
const codes = ({ report }: RigFile): string[] => report.items.map(({ code }) => code);

/** Returns a hash of the keys of each track. */
const hashes = (clip: Clip): string[] =>
  Array.from(clip.tracks, ({ times, values }) => createHash('sha1').update(times).update(values).digest('hex'));

/** Waits for a request that the test answers later. */
function pendingRequest(): { promise: Promise<ServerResponse>; resolve: (response: ServerResponse) => void } {
  let resolve!: (response: ServerResponse) => void;
  const promise = new Promise<ServerResponse>(done => (resolve = done));
  return { promise, resolve };
}

test('reads the first animation of a 1 GB file with at most 2 MB and 5 requests', async () => {
  const file = largePsa(1000);
  expect(file.byteLength).toBeGreaterThan(2 ** 30);
  const { url, counted } = await serving(file);
  const { scene, report } = await opened(url);
  expect(scene!.clips.map(({ name }) => name)).toEqual(file.sequences);
  const [first] = scene!.clips;
  expect(first).toMatchObject({ keysUnread: true, frameCount: 340 });
  expect(report.items).toContainEqual(
    expect.objectContaining({ code: 'KEYS_NOT_READ', count: 1000, detail: '0 of 1000 animations were read' }),
  );
  await first!.tracks.load!();
  expect(first!.keysUnread).toBe(false);
  expect(first!.tracks.get(1).values).toHaveLength(4 * 340);
  expect(counted.requests).toBeLessThanOrEqual(5);
  expect(counted.bytes).toBeLessThanOrEqual(2 * 2 ** 20);
  expect(report.items).toContainEqual(
    expect.objectContaining({ code: 'KEYS_NOT_READ', count: 999, detail: '1 of 1000 animations were read' }),
  );
});

test('gives the same animations and findings as the whole file', async () => {
  // The second sequence has the name of the first one, which is a finding about the list.
  const part = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const bytes = small.part(start, end);
    const at = 32 + 32 + 120 * 100 + 32 + 168 + 4 - start; // the digit in the name of the second sequence
    if (at >= 0 && at < bytes.length) bytes[at] = '0'.charCodeAt(0);
    return bytes;
  };
  const { url } = await serving({ ...small, part });
  const [file, reference] = [await opened(url), await open(part(0, small.byteLength), { name: 'many.psa' })];
  expect(codes(file)).toEqual(['SEQUENCE_NAME_DUPLICATE', 'KEYS_NOT_READ']);
  for (const [i, clip] of file.scene!.clips.entries()) {
    await clip.tracks.load!();
    const other = reference.scene!.clips[i]!;
    expect(clip.tracks.length).toBe(other.tracks.length);
    expect(hashes(clip)).toEqual(hashes(other));
    expect([clip.name, clip.duration, clip.frameRate, clip.frameCount]).toEqual([
      other.name,
      other.duration,
      other.frameRate,
      other.frameCount,
    ]);
  }
  expect(file.report).toEqual(reference.report);
});

test('reads keys, names and targets only when they are needed', async () => {
  const { url, counted } = await serving();
  const file = await opened(url);
  const requests = counted.requests;
  const [clip] = file.scene!.clips;
  expect(match(file.scene!.clips, file.scene!)).toMatchObject({ found: 100, moved: 100 });
  expect(bind(clip!, file.scene!).report.matched).toHaveLength(100);
  expect(counted.requests).toBe(requests);
  const early = clip!.tracks.get(1);
  expect(early).toMatchObject({ target: 'bone0', path: 'rotation' });
  expect(() => early.values).toThrow(expect.objectContaining({ code: 'KEYS_NOT_READ' }));
  await Promise.all([clip!.tracks.load!(), clip!.tracks.load!()]);
  await clip!.tracks.load!();
  expect(counted.requests).toBe(requests + 1);
  expect(early.values).toHaveLength(4 * 1400);
  expect(early.times).toHaveLength(1400);
});

test('reports a damaged key when its animation is read', async () => {
  const keysAt = small.byteLength - 4 * small.clipSize;
  const damagedAt = keysAt + 2 * small.clipSize + 32 * 7;
  const part = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const bytes = small.part(start, end);
    if (start <= damagedAt && damagedAt + 4 <= end) new DataView(bytes.buffer).setFloat32(damagedAt - start, NaN, true);
    return bytes;
  };
  const { url } = await serving({ ...small, part });
  const file = await opened(url);
  const clips = file.scene!.clips;
  await clips[1]!.tracks.load!();
  expect(codes(file)).toEqual(['KEYS_NOT_READ']);
  await clips[2]!.tracks.load!();
  expect(codes(file)).toEqual(['NON_FINITE', 'KEYS_NOT_READ']);
  expect(file.report).toMatchObject({ items: [{ offset: damagedAt, count: 1 }, { count: 2 }] });
});

test('downloads every byte of a file of at most 16 MB once, without a finding', async () => {
  const tiny = largePsa(2, 10, 400);
  const { url, counted } = await serving(tiny);
  const progress: Progress[] = [];
  const file = await opened(url, { onProgress: each => progress.push(each) });
  expect([codes(file), file.scene!.clips[1]!.tracks.get(1).values.length]).toEqual([[], 1600]);
  expect(hashes(file.scene!.clips[1]!)).toEqual(hashes((await open(tiny.part(0, tiny.byteLength), { name: 'a.psa' })).scene!.clips[1]!));
  expect(counted).toEqual({ requests: 2, bytes: tiny.byteLength });
  expect(progress[0]).toEqual({ phase: 'fetch', loaded: 2 ** 16, total: tiny.byteLength });
  await server!.close();
  const least = largePsa(1, 2, 3);
  const one = await serving(least);
  expect(codes(await opened(one.url))).toEqual([]);
  expect(one.counted).toEqual({ requests: 1, bytes: least.byteLength });
});

test.each<[string, Answer, string]>([
  ['changes', (request, response) => (request?.number === 1 ? Boolean(response.writeHead(416).end()) : false), 'FILE_CHANGED'],
  [
    'is sent as a whole',
    (request, response) => {
      if (request?.number !== 1) return false;
      response.writeHead(200).end();
      return true;
    },
    '',
  ],
])('downloads a file of at most 16 MB again if it %s after the first request', async (_, answer, code) => {
  const tiny = largePsa(2, 10, 400);
  const { url } = await serving(tiny, answer);
  const file = await opened(url);
  expect([codes(file), file.scene!.clips[1]!.tracks.get(1).values.length]).toEqual([code ? [code] : [], 1600]);
});

/** A server that hides the headers of a part. */
const without =
  (file: LargePsa): Answer =>
  (request, response) => {
    if (request) response.writeHead(206, { etag: '"1"' }).end(file.part(request.start, request.end));
    return request !== null;
  };

/** A server that ignores requests for parts. */
const ignoring: Answer = (request, response) => {
  if (request) {
    response.writeHead(200, { etag: '"1"' }); // without Content-Length
    void sendPart(response, small, 0, small.byteLength);
  }
  return request !== null;
};

const declaring =
  (range: (start: number, end: number) => string): Answer =>
  (request, response) => {
    if (request)
      response.writeHead(206, { 'content-range': range(request.start, request.end) }).end(small.part(request.start, request.end));
    return request !== null;
  };

test.each<[string, Answer, string]>([
  ['ignores parts', ignoring, 'RANGES_IGNORED'],
  ['hides Content-Range', without(small), 'RANGES_HIDDEN'],
  ['declares another range', declaring((start, end) => `bytes ${start + 1}-${end}/${small.byteLength}`), 'RANGES_INVALID'],
  ['declares no size', declaring((start, end) => `bytes ${start}-${end - 1}/*`), 'RANGES_INVALID'],
  [
    'sends fewer bytes than it declares',
    (request, response) => {
      if (!request) return false;
      const { start, end } = request;
      response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${small.byteLength}` }).end(small.part(start, end - 1));
      return true;
    },
    'RANGES_INVALID',
  ],
  [
    'sends more bytes than it declares',
    (request, response) => {
      if (!request) return false;
      const { start, end } = request;
      response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${small.byteLength}` }).end(small.part(start, end + 1));
      return true;
    },
    'RANGES_INVALID',
  ],
  [
    'compresses parts',
    (request, response) => {
      if (!request) return false;
      const { start, end } = request;
      const headers = { 'content-range': `bytes ${start}-${end - 1}/${small.byteLength}`, 'content-encoding': 'gzip' };
      response.writeHead(206, headers).end(gzipSync(small.part(start, end)));
      return true;
    },
    'RANGES_INVALID',
  ],
])('downloads the whole file from a server that %s', async (_, answer, code) => {
  const { url } = await serving(small, answer);
  const file = await opened(url);
  expect(codes(file)).toEqual([code]);
  const { clips } = file.scene!;
  expect(clips.map(({ keysUnread }) => keysUnread ?? false)).toEqual([false, false, false, false]);
  expect(clips[3]!.tracks.get(1).values).toHaveLength(4 * 1400);
});

/** Twice as many animations as fit into the first request, so that the list needs another one. */
const long = stored(largePsa(800, 100, 8));

/** Answers all requests after the first ones like a server that has a new version of the file. */
const changing =
  (first: number): Answer =>
  (request, response) => {
    if (request && request.number >= first) response.setHeader('etag', '"2"');
    return false;
  };

test('downloads a file again as a whole if it changes while its list is read', async () => {
  const { url } = await serving(long, changing(1), {});
  expect(codes(await opened(url))).toEqual(['KEYS_NOT_READ']); // the first answer had no ETag
  await server!.close();
  const other = await serving(
    long,
    (request, response) => {
      response.setHeader('etag', request?.number === 0 ? '"1"' : '"2"');
      return false;
    },
    {},
  );
  const file = await opened(other.url);
  expect(file.report.items).toEqual([expect.objectContaining({ code: 'FILE_CHANGED', severity: 'warning' })]);
  expect(file.scene!.clips).toHaveLength(800);
});

test.each<[string, Record<string, string>, Answer, string]>([
  ['the ETag differs', { etag: '"1"' }, (request, response) => other(small, request, response, { etag: '"2"' }), 'FILE_CHANGED'],
  [
    'Last-Modified differs',
    { 'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    (request, response) => other(small, request, response, { 'last-modified': 'Fri, 02 Jan 1970 00:00:00 GMT' }),
    'FILE_CHANGED',
  ],
  [
    'the size differs',
    {},
    (request, response) => other({ ...small, byteLength: small.byteLength + 1 }, request, response, {}),
    'FILE_CHANGED',
  ],
  [
    'the file became shorter',
    {},
    (request, response) => (request?.number ? Boolean(response.writeHead(416).end()) : false),
    'FILE_CHANGED',
  ],
  [
    'the server ignores parts',
    {},
    (request, response, incoming) => (request?.number ? ignoring(request, response, incoming) : false),
    'RANGES_REFUSED',
  ],
  ['the file is gone', {}, (request, response) => (request?.number ? Boolean(response.writeHead(404).end()) : false), 'REQUEST_FAILED'],
])('rejects when keys are read and %s', async (_, headers, answer, code) => {
  const { url } = await serving(small, answer, headers);
  const file = await opened(url);
  const [clip] = file.scene!.clips;
  await expect(clip!.tracks.load!()).rejects.toMatchObject({ code });
  expect([clip!.keysUnread, codes(file)]).toEqual([true, ['KEYS_NOT_READ']]);
});

/** Answers all requests except the first one with another version of the file. */
function other(file: LargePsa, request: PartRequest | null, response: ServerResponse, headers: Record<string, string>): boolean {
  if (!request?.number) return false;
  const { start, end } = request;
  response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${end - 1}/${file.byteLength}` }).end(small.part(start, end));
  return true;
}

test('rejects if the connection breaks off, and can be called again', async () => {
  let isBroken = true;
  const { url } = await serving(small, (request, response) => {
    if (!request?.number || !isBroken) return false;
    isBroken = false;
    response.writeHead(206, { 'content-range': `bytes ${request.start}-${request.end - 1}/${small.byteLength}`, 'content-length': 1e6 });
    response.write(small.part(request.start, request.start + 1000), () => response.destroy());
    return true;
  });
  const [clip] = (await opened(url)).scene!.clips;
  await expect(clip!.tracks.load!()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  await clip!.tracks.load!();
  expect(clip!.tracks.get(1).values).toHaveLength(4 * 1400);
});

test('ends the request when the caller aborts, and reads the keys for another caller', async () => {
  let isHeld = true;
  const requested = pendingRequest();
  const { url } = await serving(small, (request, response) => {
    if (!request?.number || !isHeld) return false;
    isHeld = false;
    response.writeHead(206, { 'content-range': `bytes ${request.start}-${request.end - 1}/${small.byteLength}` });
    response.write(small.part(request.start, request.start + 1000));
    requested.resolve(response);
    return true;
  });
  const [clip] = (await opened(url)).scene!.clips;
  const abort = new AbortController();
  const aborted = expect(clip!.tracks.load!(abort.signal)).rejects.toThrow('enough');
  const waiting = clip!.tracks.load!();
  const response = await requested.promise;
  const closed = new Promise(resolve => response.once('close', resolve));
  abort.abort(new Error('enough'));
  await aborted;
  await closed;
  await waiting;
  expect(clip!.keysUnread).toBe(false);
});

test('ends the request when the caller aborts while the list is read', async () => {
  const requested = pendingRequest();
  const { url } = await serving(long, (request, response) => {
    if (request?.number !== 1) return false;
    response.writeHead(206, { 'content-range': `bytes ${request.start}-${request.end - 1}/${long.byteLength}` });
    response.write(long.part(request.start, request.start + 1000));
    requested.resolve(response);
    return true;
  });
  const abort = new AbortController();
  const opening = expect(opened(url, { signal: abort.signal })).rejects.toThrow('enough');
  const response = await requested.promise;
  const closed = new Promise(resolve => response.once('close', resolve));
  abort.abort(new Error('enough'));
  await opening;
  await closed;
});

test('reads the outline, companion files and the bytes of a file in parts', async () => {
  const { url } = await serving();
  const file = await opened(url);
  expect(file.needs.map(({ name }) => name)).toEqual(['many.config', 'many.props.txt']);
  const config = new TextEncoder().encode('[AnimSet]\nbAnimRotationOnly=1\n');
  const supplied = await file.supply(new Map([['many.config', config]]));
  expect(supplied.scene!.clips[0]!.keysUnread).toBe(true);
  await supplied.scene!.clips[0]!.tracks.load!();
  expect(supplied.scene!.clips[0]!.tracks.length).toBe(
    (await open(small.part(0, small.byteLength), { name: 'many.psa', companions: new Map([['many.config', config]]) })).scene!.clips[0]!
      .tracks.length,
  );
  expect((await contentsOf(file.scene!))!.bytes).toHaveLength(small.byteLength);
  expect((await file.outline()).outline.map(({ kind }) => kind)).toContain('ANIMKEYS');
  await file.scene!.clips[1]!.tracks.load!();
  expect(file.scene!.clips[1]!.tracks.get(1).values).toHaveLength(4 * 1400);
});

test('downloads a file whose list of animations cannot be found quickly', async () => {
  const part = (start: number, end: number): Uint8Array<ArrayBuffer> => {
    const bytes = small.part(start, end);
    const at = small.byteLength - 4 * small.clipSize - 4 - start; // number of keys in the header of ANIMKEYS
    if (at >= 0 && at + 4 <= bytes.length) new DataView(bytes.buffer).setInt32(at, 2 ** 30, true);
    return bytes;
  };
  const { url, counted } = await serving({ ...small, part });
  expect(codes(await opened(url))).toContain('RANGES_SCATTERED');
  expect(counted.requests).toBe(2);
});

/** Number of keys in the files of `castAnimation` and `ueAnimation`, which are larger than 16 MB. */
const keyCount = 1_100_000;
const keyNumbers = Array.from({ length: keyCount }, (_, i) => i);

/** A Cast file with an animation of one bone. */
const castAnimation = (): Uint8Array =>
  castFile(
    node(
      'anim',
      { n: ['s', 'Run'], fr: ['f', [30]] },
      node('curv', {
        nn: ['s', 'hip'],
        kp: ['s', 'rq'],
        m: ['s', 'absolute'],
        kb: ['i', keyNumbers],
        kv: ['4v', keyNumbers.flatMap(() => [0, 0, 0, 1])],
      }),
    ),
  );

/** A UEFormat file with an animation of one bone. */
function ueAnimation(): Uint8Array {
  const text = (value: string): number[] => [value.length, 0, 0, 0, ...new TextEncoder().encode(value)];
  const keys = new DataView(new ArrayBuffer(20 * keyCount));
  for (const i of keyNumbers) {
    keys.setInt32(20 * i, i, true);
    keys.setFloat32(20 * i + 16, 1, true);
  }
  const numbers = (...values: number[]): number[] => [...new Uint8Array(Int32Array.from(values).buffer)];
  const head = [...text('hip'), ...numbers(0, keyCount)];
  const chunk = [...text('TRACKS'), ...numbers(1, head.length + keys.byteLength + 4), ...head];
  const rate = [...new Uint8Array(Float32Array.of(30).buffer)];
  const start = [...new TextEncoder().encode('UEFORMAT'), ...text('UEANIM'), 1, ...text('Run'), 0, ...numbers(keyCount), ...rate, ...chunk];
  const bytes = new Uint8Array(start.length + keys.byteLength + 4);
  bytes.set(start);
  bytes.set(new Uint8Array(keys.buffer), start.length);
  return bytes;
}

test.each([
  ['cast', castAnimation],
  ['ueanim', ueAnimation],
])('downloads a .%s file above 16 MB with one request, without a finding', async (extension, make) => {
  const bytes = make();
  expect(bytes.length).toBeGreaterThan(minRangedSize);
  const part = (start: number, end: number): Uint8Array<ArrayBuffer> => bytes.slice(start, end) as Uint8Array<ArrayBuffer>;
  const { url, counted } = await serving({ byteLength: bytes.length, sequences: [], clipSize: 0, part });
  const loaded: number[] = [];
  const file = await opened(url.replace('.psa', `.${extension}`), {
    onProgress: each => each.phase === 'fetch' && loaded.push(each.loaded),
  });
  expect([codes(file), file.scene!.clips.map(({ name }) => name)]).toEqual([[], ['Run']]);
  expect(file.scene!.clips[0]!.tracks.get(0).times).toHaveLength(keyCount);
  expect(counted).toEqual({ requests: 1, bytes: bytes.length });
  expect(loaded).toEqual(loaded.toSorted((a, b) => a - b));
  expect(loaded.at(-1)).toBe(bytes.length);
});

test('reads other files and sources as a whole', async () => {
  const { url, counted } = await serving();
  const bytes = small.part(0, small.byteLength);
  for (const source of [bytes, new Blob([bytes])])
    expect((await open(source as never, { name: 'a.psa', ranges: true })).report.items).toEqual([]);
  expect((await open(url)).report.items).toEqual([]);
  expect((await open(url, { ranges: true, request: { method: 'POST' } })).report.items).toEqual([]);
  expect(counted.requests).toBe(2);
  await expect(open(url, { ranges: 1 as never })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});
