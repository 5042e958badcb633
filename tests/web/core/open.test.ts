// `open` on the calling thread, in node, with the real wasm. tests/web/browser/core does the same
// with workers.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantiate, keepHeap } from '../../../web/src/core/glue.ts';
import { codes, compileWasm, configure, formats, open, type Progress, type RigFile } from '../../../web/src/core/index.ts';
import { makePsa, makePsk, patched } from '../../support/actorx.ts';
import type { RigcastGlue } from '../../../web/src/core/wasm/rigcast.mjs';
import { serve, type Served } from '../../support/serve.ts';

const psk = makePsk();
const codesOf = (file: RigFile): string[] => file.report.items.map(({ code }) => code);
const wasmFile = new URL('../../../web/src/core/wasm/rigcast.wasm', import.meta.url);

let server: Served;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rigcast-open-'));
  server = await serve((path, response) => {
    if (path === '/a folder/hero ü.psk' || path === '/plain.psk') response.writeHead(200, { 'content-length': psk.length }).end(psk);
    else if (path === '/packed.psk') {
      const packed = gzipSync(psk);
      response.writeHead(200, { 'content-length': packed.length, 'content-encoding': 'gzip' }).end(packed);
    } else if (path === '/chunked.psk') response.writeHead(200).end(psk);
    else if (path === '/endless.psk') response.writeHead(200, { 'content-length': 1e9 }).write(psk);
    else if (path === '/silent.psk') return true;
    else if (path === '/broken.psk')
      response.writeHead(200, { 'content-length': 1e9 }).write(psk, () => setTimeout(() => response.destroy(), 50));
    else if (path.startsWith('/app/')) response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>app</title>');
    else if (path === '/right.wasm') response.writeHead(200, { 'content-type': 'application/wasm' }).end(readFileSync(wasmFile));
    else if (path === '/cut.wasm')
      response.writeHead(200, { 'content-type': 'application/wasm' }).end(readFileSync(wasmFile).subarray(0, 9999));
    else if (path === '/page.wasm')
      response.writeHead(200, { 'content-type': 'application/wasm' }).end('<!doctype html><title>app</title>');
    else if (path === '/untyped.wasm') response.writeHead(200).end(readFileSync(wasmFile));
    else return false;
    return true;
  });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('sources', () => {
  const padded = new Uint8Array(psk.length + 24);
  padded.set(psk, 7);
  const file = (): string => {
    const path = join(folder, 'local.psk');
    writeFileSync(path, psk);
    return path;
  };
  const sources: Record<string, () => Parameters<typeof open>[0]> = {
    ArrayBuffer: () => psk.slice().buffer,
    Uint8Array: () => psk,
    'a view into a larger buffer': () => padded.subarray(7, 7 + psk.length),
    DataView: () => new DataView(padded.buffer, 7, psk.length),
    Blob: () => new Blob([psk]),
    Response: () => new Response(psk),
    'URL of a server': () => new URL('/plain.psk', server.origin),
    'string URL of a server': () => `${server.origin}/plain.psk`,
    'an answer of unknown length': () => `${server.origin}/chunked.psk`,
    'data: URL': () => `data:application/octet-stream;base64,${Buffer.from(psk).toString('base64')}`,
    'file: URL': () => pathToFileURL(file()),
  };

  test.each(Object.entries(sources))('%s', async (_, source) => {
    const wanted = await open(psk, { name: 'hero.psk' });
    const got = await open(source(), { name: 'hero.psk' });
    expect(got.byteLength).toBe(psk.length);
    expect(got.report).toEqual(wanted.report);
    expect(got.scene).toEqual(wanted.scene);
    expect(got.scene!.meshes[0]!.vertexCount).toBe(9);
    expect((await got.outline()).outline.map(({ kind }) => kind)).toContain('PNTS0000');
  });

  test('takes the name from the option, otherwise from the File or URL', async () => {
    expect((await open(new File([psk], 'hero.psk'))).name).toBe('hero.psk');
    expect((await open(`${server.origin}/a%20folder/hero%20%C3%BC.psk?v=1`)).name).toBe('hero ü.psk');
    expect((await open(new File([psk], 'hero.psk'), { name: 'other.psk' })).scene!.asset.name).toBe('other');
    expect((await open(psk)).name).toBe('');
  });

  test("neither changes nor detaches the caller's buffer", async () => {
    const mine = psk.slice();
    await open(mine);
    expect(mine).toEqual(psk);
  });

  test('throws TypeError for an invalid source', async () => {
    for (const wrong of [42, null, undefined, {}, []]) await expect(open(wrong as never)).rejects.toThrow(TypeError);
    await expect(open('hero.psk')).rejects.toThrow(/not a valid URL/);
  });

  test('rejects with the status of a failed request', async () => {
    await expect(open(`${server.origin}/missing.psk`)).rejects.toThrow(/missing\.psk failed: 404/);
  });

  test('rejects with the URL if the server does not answer or the connection breaks', async () => {
    await expect(open('http://127.0.0.1:1/hero.psk')).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1\/hero\.psk cannot be fetched: the server is unreachable/,
    );
    await expect(open(`${server.origin}/broken.psk`)).rejects.toThrow(/\/broken\.psk broke off before its end/);
    const aborted = AbortSignal.abort();
    await expect(open('http://127.0.0.1:1/hero.psk', { signal: aborted })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the result', () => {
  test('has blocks with buffers of their own, outside the heap', async () => {
    const { scene } = await open(psk);
    const [mesh] = scene!.meshes;
    const meshBuffers = new Set(
      [mesh!.positions, mesh!.normals!, mesh!.indices!, mesh!.weights!, mesh!.uvs[0]!].map(({ buffer }) => buffer),
    );
    expect(meshBuffers.size).toBe(1);
    expect(meshBuffers.has(scene!.nodes.translations.buffer)).toBe(false);
    for (const buffer of [...meshBuffers, scene!.nodes.translations.buffer]) {
      expect(buffer.byteLength).toBeLessThan(4096);
      expect(() => structuredClone(buffer, { transfer: [buffer as ArrayBuffer] })).not.toThrow(); // a heap cannot be transferred
    }
  });

  test('has a root without a parent, for any column width', async () => {
    expect([...(await open(psk)).scene!.nodes.parents]).toEqual([-1, 0, 1]);
  });

  test('opens files in parallel, each in its own instance', async () => {
    const sides = [1, 2, 3, 4, 5, 6, 7, 8];
    const files = await Promise.all(sides.map(side => open(makePsk({ side }), { name: `${side}.psk` })));
    expect(files.map(file => file.scene!.meshes[0]!.vertexCount)).toEqual(sides.map(side => (side + 1) ** 2));
    expect(files.map(file => file.scene!.asset.name)).toEqual(sides.map(String));
  });

  test('keeps hostile names unchanged', async () => {
    const names = ['__proto__', 'constructor', 'a\u0001\u001bb', '"}],', '💀 bone'];
    const { scene } = await open(makePsk({ bones: names, material: '__proto__' }));
    expect(scene!.nodes.names.slice(1)).toEqual(names);
    expect(scene!.materials[0]!.name).toBe('__proto__');
    expect(Object.getPrototypeOf(scene!.materials[0])).toBe(Object.prototype);
    const motion = await open(makePsa({ bones: names, sequences: ['__proto__'] }));
    expect(motion.scene!.clips[0]!.name).toBe('__proto__');
    expect(new Set([...motion.scene!.clips[0]!.tracks].map(({ target }) => target))).toEqual(new Set(names));
  });

  test('contains tangents only with the option', async () => {
    expect((await open(psk)).scene!.meshes[0]!.tangents).toBeUndefined();
    expect((await open(psk, { tangents: true })).scene!.meshes[0]!.tangents).toHaveLength(36);
  });

  test('creates no track objects when a file of 300 sequences and 547 bones is opened', async () => {
    const many = (count: number, word: string): string[] => Array.from({ length: count }, (_, i) => `${word}${i}`);
    const { scene } = await open(makePsa({ bones: many(547, 'bone'), sequences: many(300, 'sequence'), frames: 1 }));
    expect(scene!.clips).toHaveLength(300);
    const { tracks } = scene!.clips[299]!;
    expect(tracks.length).toBeGreaterThanOrEqual(547);
    expect(tracks.get(tracks.length - 1).target).toBe('bone546');
    expect(() => tracks.get(tracks.length)).toThrow(RangeError);
  });
});

describe('the report', () => {
  test('lists the supported formats for an unknown file', async () => {
    const file = await open(new TextEncoder().encode('just some words, no model'), { name: 'notes.txt' });
    expect(file).toMatchObject({ format: null, scene: null, needs: [] });
    expect(file.report).toMatchObject({ errors: 1, warnings: 0, items: [{ code: 'UNKNOWN_FORMAT', severity: 'error' }] });
    for (const { label } of formats()) expect(file.report.items[0]!.detail).toContain(label);
  });

  test('contains EMPTY_FILE for an empty file', async () => {
    expect(codesOf(await open(new Uint8Array()))).toEqual(['EMPTY_FILE']);
  });

  test('follows the content and reports a contradictory file name', async () => {
    const file = await open(psk, { name: 'motion.psa' });
    expect(file.format).toBe('psk');
    expect(codesOf(file)).toContain('FORMAT_MISMATCH');
    expect(codesOf(await open(psk, { name: 'model.psk' }))).not.toContain('FORMAT_MISMATCH');
  });

  test('follows the format option against the content', async () => {
    expect((await open(psk, { format: 'psa' })).format).toBe('psa');
    expect(codesOf(await open(psk, { format: 'fbx' }))).toEqual(['UNKNOWN_FORMAT']);
  });

  test('raises warnings to errors with strict', async () => {
    const odd = new Uint8Array(psk.length + 3); // bytes behind the last chunk
    odd.set(psk);
    const loose = await open(odd);
    expect(loose.report.warnings).toBeGreaterThan(0);
    expect(loose.report.errors).toBe(0);
    const strict = await open(odd, { strict: true });
    expect(strict.report).toMatchObject({ warnings: 0, errors: loose.report.warnings });
  });

  test('keeps the readable part of a damaged file', async () => {
    const cut = await open(psk.subarray(0, psk.length - 10));
    expect(cut.report.errors).toBeGreaterThan(0);
    expect(cut.scene!.meshes[0]!.vertexCount).toBe(9);
    const header = await open(patched(psk, 0, 88));
    expect(header.scene).toBeNull();
  });

  test('contains only codes of the table', async () => {
    const known = new Set((await codes()).map(({ code }) => code));
    for (const length of [0, 1, 31, 32, 33, 64, 200, 400, psk.length - 1])
      for (const code of codesOf(await open(psk.subarray(0, length)))) expect(known).toContain(code);
  });

  test('contains findings for invalid format options', async () => {
    const file = await open(psk, { formatOptions: { unreal: { unitScale: 1, unitscale: 2, yaw: 'far' }, unrael: {} } as never });
    const paths = file.report.items.filter(({ code }) => code === 'BAD_OPTION').map(({ path }) => path);
    expect(paths.sort()).toEqual(['formatOptions.unrael', 'formatOptions.unreal.unitscale', 'formatOptions.unreal.yaw']);
    expect(file.scene!.meshes[0]!.max[0]).toBeCloseTo(2); // the valid option unitScale was applied
  });

  test('rejects invalid options of open immediately', async () => {
    await expect(open(psk, { strikt: true } as never)).rejects.toThrow(/unknown option "strikt".*strict/);
    await expect(open(psk, { maxMemory: 'much' } as never)).rejects.toThrow(/"maxMemory" must be a number/);
    await expect(open(psk, { maxMemory: -1 })).rejects.toThrow(/above 0/);
    await expect(open(psk, { maxWork: 0 })).rejects.toThrow(/above 0/);
    await expect(open(psk, { companions: {} } as never)).rejects.toThrow(/function or Map/);
  });
});

describe('memory', () => {
  test('refuses a file above maxMemory with an explanation', async () => {
    const file = await open(psk, { maxMemory: 100 });
    expect(file.scene).toBeNull();
    expect(file.report.items).toMatchObject([{ code: 'OUT_OF_MEMORY', severity: 'error', detail: 'the file itself does not fit' }]);
  });

  test('refuses a result above maxMemory', async () => {
    const big = makePsk({ side: 60 });
    expect(codesOf(await open(big, { maxMemory: big.length + 1000 }))).toContain('OUT_OF_MEMORY');
    expect(codesOf(await open(big, { maxMemory: 4 * big.length }))).toEqual([]);
    for (let room = 0; room < 1500; room += 50) {
      // also if the last tables do not fit
      const tight = await open(psk, { maxMemory: psk.length + room });
      expect(tight.scene === null).toBe(codesOf(tight).includes('OUT_OF_MEMORY'));
    }
  });

  test('limits the heap to maxMemory, and does not reuse a heap with another limit', async () => {
    const module = await compileWasm();
    await instantiate(module); // uses up the spare heap
    const glue = await instantiate(module, 3_000_000);
    const pages = 16 + Math.ceil(3_000_000 / 65536);
    expect(glue.wasmMemory.grow(pages - glue.wasmMemory.buffer.byteLength / 65536)).toBeGreaterThan(0);
    expect(() => glue.wasmMemory.grow(1)).toThrow(RangeError);
    keepHeap(glue);
    expect((await instantiate(module)).wasmMemory).not.toBe(glue.wasmMemory);
    expect((await instantiate(module, 4_000_000)).wasmMemory).not.toBe(glue.wasmMemory);
    expect((await instantiate(module, 3_000_000)).wasmMemory).toBe(glue.wasmMemory);
  });

  test('distinguishes an exhausted heap from a bug', async () => {
    const cramp = async (): Promise<void> => {
      await instantiate(await compileWasm()); // uses up the spare heap
      keepHeap({ wasmMemory: new WebAssembly.Memory({ initial: 16, maximum: 48 }) } as RigcastGlue);
    };
    await cramp();
    expect((await open(psk)).scene).not.toBeNull();
    for (const source of [makePsk({ side: 200 }), makePsk({ side: 400 })]) {
      // too large while it is read, and too large as declared
      await cramp();
      const file = await open(source);
      expect(file.scene).toBeNull();
      expect(codesOf(file)).toEqual(['OUT_OF_MEMORY']);
      await cramp();
      expect((await file.outline()).report.errors).toBeLessThan(2);
    }
  });

  test('survives a companion file that does not fit', async () => {
    const motion = makePsa();
    const file = await open(motion, { name: 'a.psa', maxMemory: motion.length + 50_000, companions: () => new Uint8Array(100_000) });
    expect(codesOf(file)).toContain('OUT_OF_MEMORY');
  });

  test('releases the heap of a file that was read', async () => {
    const { setFlagsFromString } = await import('node:v8');
    const { runInNewContext } = await import('node:vm');
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const settle = async (): Promise<number> => {
      for (let i = 0; i < 5; i++) {
        collect();
        await new Promise(resolve => setTimeout(resolve, 10));
      }
      return process.memoryUsage().rss;
    };
    const large = new Uint8Array(32 * 2 ** 20);
    const kept: RigFile[] = [];
    await open(large);
    const before = await settle();
    for (let i = 0; i < 24; i++) kept.push(await open(large));
    expect(kept).toHaveLength(24);
    expect((await settle()) - before).toBeLessThan(8 * large.length); // 24 heaps would be three times that
  });
});

describe('companions', () => {
  const motion = makePsa({ bones: ['root', 'arm'] });
  const config = new TextEncoder().encode('[AnimSet]\nbAnimRotationOnly=1\n');
  const trackCount = (file: RigFile): number => file.scene!.clips[0]!.tracks.length;

  test('lists missing files in needs', async () => {
    const file = await open(motion, { name: 'Idle.psa' });
    expect(file.needs).toEqual([
      { kind: 'config', name: 'Idle.config', required: false },
      { kind: 'props', name: 'Idle.props.txt', required: false },
    ]);
  });

  test.each([
    ['a function', async () => config],
    ['a function that answers at once', () => config],
    ['a Map', new Map([['Idle.config', config]])],
    ['a Map with other case and a folder', new Map([['Anims\\IDLE.CONFIG', config]])],
    ['a Map of Blobs', new Map([['Idle.config', new Blob([config])]])],
  ])('%s', async (_, companions) => {
    const plain = await open(motion, { name: 'Idle.psa' });
    const file = await open(motion, { name: 'Idle.psa', companions });
    expect(file.needs).toEqual([]);
    expect(codesOf(file)).toContain('CONFIG_APPLIED');
    expect(trackCount(file)).toBeLessThan(trackCount(plain));
  });

  test('calls the function once per need, and keeps the need after null', async () => {
    const asked: string[] = [];
    const file = await open(motion, {
      name: 'Idle.psa',
      companions: need => {
        asked.push(`${need.kind} ${need.name}`);
        return null;
      },
    });
    expect(asked).toEqual(['config Idle.config', 'props Idle.props.txt']);
    expect(file.needs).toHaveLength(2);
  });

  test('reads the file again with supply', async () => {
    const file = await open(new Blob([motion]), { name: 'Idle.psa' });
    const whole = await file.supply(new Map([['Idle.config', config]]));
    expect(whole.needs).toEqual([]);
    expect(codesOf(whole)).toContain('CONFIG_APPLIED');
    expect(file.needs).toHaveLength(2);
  });

  test('uses the properties of an animation set beside an empty .config', async () => {
    const props = new TextEncoder().encode('bAnimRotationOnly = true\n');
    const files = new Map([
      ['Idle.config', new Uint8Array()],
      ['Idle.props.txt', props],
    ]);
    const file = await open(motion, { name: 'Idle.psa', companions: files });
    expect(codesOf(file)).toContain('PROPS_APPLIED');
    expect(codesOf(file)).not.toContain('CONFIG_APPLIED');
    expect(trackCount(file)).toBeLessThan(trackCount(await open(motion, { name: 'Idle.psa' })));
  });
});

describe('the outline', () => {
  test('returns the bytes of fields', async () => {
    const streamed = await open(
      new Response(
        new ReadableStream({
          // many small chunks
          start(controller) {
            for (let at = 0; at < psk.length; at += 37) controller.enqueue(psk.slice(at, at + 37));
            controller.close();
          },
        }),
      ),
    );
    for (const file of [await open(psk), await open(new Blob([psk])), streamed]) {
      const { format, byteLength, outline, report } = await file.outline();
      expect({ format, byteLength, errors: report.errors }).toEqual({ format: 'psk', byteLength: psk.length, errors: 0 });
      const points = outline.find(({ kind }) => kind === 'PNTS0000')!.fields[0]!;
      expect(points).toMatchObject({ name: 'records', count: 9, byteLength: 108 });
      expect(points.bytes()).toEqual(psk.subarray(points.offset, points.offset + 108));
    }
  });

  test('rejects if the bytes were detached', async () => {
    const mine = psk.slice();
    const file = await open(mine);
    structuredClone(mine, { transfer: [mine.buffer] });
    await expect(file.outline()).rejects.toThrow(/detached/);
  });
});

describe('progress and abort', () => {
  test('reports fetch or read, then decode, each up to the end', async () => {
    const seen: Progress[] = [];
    await open(`${server.origin}/plain.psk`, { onProgress: progress => seen.push(progress) });
    expect([...new Set(seen.map(({ phase }) => phase))]).toEqual(['fetch', 'decode']);
    expect(seen.filter(({ phase }) => phase === 'fetch').at(-1)).toEqual({ phase: 'fetch', loaded: psk.length, total: psk.length });
    seen.length = 0;
    await open(`${server.origin}/chunked.psk`, { onProgress: progress => seen.push(progress) });
    expect(seen[0]).toMatchObject({ phase: 'fetch', total: null });
    seen.length = 0;
    await open(new Blob([psk]), { onProgress: progress => seen.push(progress) });
    expect(seen.map(({ phase }) => phase)).toEqual(['read', 'decode']);
    expect(seen.every(({ loaded, total }) => loaded === psk.length && total === psk.length)).toBe(true);
    seen.length = 0;
    await open(`${server.origin}/packed.psk`, { onProgress: progress => seen.push(progress) }); // the declared length is that of the compressed bytes
    expect(seen.filter(({ phase }) => phase === 'fetch').at(-1)).toEqual({ phase: 'fetch', loaded: psk.length, total: null });
  });

  test('aborts before reading', async () => {
    await expect(open(psk, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    const reason = new Error('the user left');
    await expect(open(psk, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('aborts while the server is silent, and while it sends', async () => {
    for (const path of ['silent', 'endless']) {
      const controller = new AbortController();
      const opened = open(`${server.origin}/${path}.psk`, { signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      await expect(opened).rejects.toMatchObject({ name: 'AbortError' });
    }
  });

  test('aborts while a given Response is read', async () => {
    const controller = new AbortController();
    const opened = open(await fetch(`${server.origin}/endless.psk`), { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(opened).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('aborts while a companion file is loaded', async () => {
    const controller = new AbortController();
    const companions = async (): Promise<null> => {
      controller.abort();
      return null;
    };
    await expect(open(makePsa(), { name: 'a.psa', companions, signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('finding rigcast.wasm', () => {
  test.each<[string, () => Parameters<typeof compileWasm>[0]]>([
    ['an address', () => `${server.origin}/right.wasm`],
    ['an address whose type is not told', () => new URL('/untyped.wasm', server.origin)],
    ['a response to come', () => fetch(`${server.origin}/right.wasm`)],
    ['bytes', () => readFileSync(wasmFile)],
    ['a file: address', () => wasmFile],
    ['a module', () => new WebAssembly.Module(readFileSync(wasmFile))],
  ])('from %s', async (_, source) => {
    expect((await open(psk, { wasm: source()! })).scene).not.toBeNull();
  });

  test('explains an HTML page in place of the module', async () => {
    const opened = open(psk, { wasm: `${server.origin}/app/rigcast.wasm` });
    await expect(opened).rejects.toThrow(/app\/rigcast\.wasm is not WebAssembly but an HTML page.*Copy rigcast\.wasm/s);
  });

  test('explains a missing module, and other bytes', async () => {
    await expect(open(psk, { wasm: `${server.origin}/none.wasm` })).rejects.toThrow(/was not served: 404.*Copy rigcast\.wasm/s);
    await expect(open(psk, { wasm: psk })).rejects.toThrow(/the given source is not WebAssembly/);
  });

  test('explains a truncated module, and an HTML page sent as wasm, with the URL', async () => {
    for (const name of ['cut', 'page']) {
      const error = (await open(psk, { wasm: `${server.origin}/${name}.wasm` }).catch((reason: Error) => reason)) as Error;
      expect(error.message).toMatch(
        new RegExp(`/${name}\\.wasm is damaged, cut off or not WebAssembly.*configure\\(\\{ wasm.*open\\(.*loader\\.setOptions`, 's'),
      );
      expect(error.cause).toBeInstanceOf(WebAssembly.CompileError);
    }
    await expect(open(psk, { wasm: readFileSync(wasmFile).subarray(0, 5000) })).rejects.toThrow(/the given source is damaged/);
  });

  test('recognizes the servers of Vite 7 and older by their folder', async () => {
    await expect(open(psk, { wasm: `${server.origin}/app/.vite/deps/wasm/rigcast.wasm` })).rejects.toThrow(
      /HTML page.*optimizeDeps: \{ exclude: \["rigcast"\] \}/s,
    );
  });

  test('does not retain a given module after the caller releases it', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const given = await (async () => {
      const bytes = readFileSync(wasmFile).slice();
      await compileWasm(bytes);
      expect(compileWasm(bytes)).toBe(compileWasm(bytes));
      return new WeakRef(bytes);
    })();
    await expect.poll(() => (gc(), given.deref() === undefined)).toBe(true);
  });

  test('uses the configured URL', async () => {
    configure({ wasm: `${server.origin}/none.wasm` });
    await expect(open(psk)).rejects.toThrow(/none\.wasm was not served: 404/);
    expect((await open(psk, { wasm: wasmFile })).scene).not.toBeNull();
    configure({ wasm: undefined });
    expect((await open(psk)).scene).not.toBeNull();
    expect(() => configure({ wsam: wasmFile } as never)).toThrow(
      /configure: unknown option "wsam" \(expected one of: wasm, worker, decoders\)/,
    );
  });

  test('tries again after a failure', async () => {
    let isThere = false;
    const late = await serve((_, response) => {
      if (isThere) response.writeHead(200, { 'content-type': 'application/wasm' }).end(readFileSync(wasmFile));
      return isThere;
    });
    await expect(open(psk, { wasm: `${late.origin}/a.wasm` })).rejects.toThrow(/404/);
    isThere = true;
    expect((await open(psk, { wasm: `${late.origin}/a.wasm` })).scene).not.toBeNull();
    await late.close();
  });

  test('compiles the module once', () => {
    expect(compileWasm()).toBe(compileWasm());
  });
});
