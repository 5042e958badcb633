// The WebAssembly modules that a page fetches: first the one that the file name suggests, then the
// one that the content needs.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { configure, open, prepare, type OpenOptions } from '../../../../web/src/core/index.ts';
import { makePsa, makePsk } from '../../../support/actorx.ts';
import { castFile, model, triangle } from '../../../support/castFile.ts';
import { workersReady } from '../../../support/inWorker.ts';

const whole = new URL('../../../../web/src/core/wasm/rigcast.wasm', import.meta.url);
const seModel = new URL('../../../../tests/data/se/arm.semodel', import.meta.url);
const avatar = new URL('../../../../tests/data/vgo/puppet.vgo', import.meta.url);

/**
 * Collects the names of the modules that the page requests from now on. Requests for `refused` fail
 * with status 404.
 */
function watch(refused = ''): string[] {
  const asked: string[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => {
    const [, name] = /\/(\w+)\.wasm/.exec(String(args[0])) ?? [];
    if (name) asked.push(name);
    return name === refused ? fetch(`/nowhere/${name}.wasm`) : fetch(...args);
  });
  return asked;
}

afterEach(() => {
  configure({ wasm: undefined });
  vi.unstubAllGlobals();
});

/** A page fetches each module only once, so each of these tests depends on the tests before it. */
describe('a page', () => {
  test('requests only rigcast.wasm if it has set that address', async () => {
    const bytes = await (await fetch(whole)).arrayBuffer();
    const asked = watch();
    for (const wasm of [bytes, await WebAssembly.compile(bytes), whole])
      for (const worker of [true, false]) expect((await open(makePsk(), { name: 'a.cast', worker, wasm })).format).toBe('psk');
    configure({ wasm: whole });
    await prepare({ files: ['a.psk'] });
    expect((await open(makePsk(), { name: 'a.cast' })).format).toBe('psk');
    expect(asked).toEqual(['rigcast']);
  });

  test('fetches the smallest module if it prepares for unknown files', async () => {
    const asked = watch();
    await prepare();
    expect(asked).toEqual(['mrtk']);
  });

  test('can abort a file whose module does not arrive, and opens it once the module is there', async () => {
    await workersReady();
    const { fetch } = globalThis;
    let release = (): void => {};
    const released = new Promise<void>(resolve => (release = resolve));
    let isAsked = false;
    vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
      if (!/vgo\.wasm/.test(String(args[0]))) return fetch(...args);
      isAsked = true;
      await released;
      return fetch(...args);
    });
    const bytes = await (await fetch(avatar)).arrayBuffer();
    const opened = [true, false].map(worker => {
      const ending = new AbortController();
      return { ending, opened: open(bytes, { worker, signal: ending.signal }) };
    });
    await vi.waitFor(() => expect(isAsked).toBe(true));
    for (const { ending, opened: file } of opened) {
      ending.abort(new Error('enough'));
      await expect(file).rejects.toThrow('enough');
    }
    const later = open(bytes);
    release();
    expect((await later).format).toBe('vgo');
  });

  test('names the module that cannot be fetched, and requests it again the next time', async () => {
    await workersReady();
    const { fetch } = globalThis;
    const bytes = await (await fetch(seModel)).arrayBuffer();
    for (const worker of [true, false]) {
      const asked = watch('se');
      const opened = open(bytes, { name: 'arm.semodel', worker });
      await expect(opened).rejects.toThrow(/rigcast\.wasm could not be loaded: .*\/se\.wasm .*configure\(\{ wasm/s);
      expect(new Set(asked)).toEqual(new Set(['se']));
      vi.unstubAllGlobals();
    }
    const expecting = watch('se');
    await expect(prepare({ files: ['arm.semodel'] })).rejects.toThrow(/se\.wasm/);
    expect(new Set(expecting)).toEqual(new Set(['se']));
    vi.unstubAllGlobals();
    expect((await open(bytes, { name: 'arm.semodel' })).scene?.meshes).toHaveLength(1);
  });

  test('requests the module in parallel with the file if the file name identifies the family', async () => {
    const asked = watch();
    const { fetch } = globalThis;
    let isFileHere = false;
    vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
      if (/\.wasm/.test(String(args[0]))) expect(isFileHere).toBe(false);
      return fetch(...args);
    });
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await vi.waitFor(() => expect(asked).toEqual(['cast'])); // before the first byte of the file arrives
        isFileHere = true;
        controller.enqueue(castFile(model('a', triangle('mesh'))));
        controller.close();
      },
    });
    const { format } = await open(new Response(body), { name: 'a.cast' });
    expect([format, isFileHere]).toEqual(['cast', true]);
  });

  test('requests the module that the content needs if the file name identifies none', async () => {
    const asked = watch();
    const file = await open(new File([makePsk() as Uint8Array<ArrayBuffer>], 'hero'));
    expect([file.format, asked]).toEqual(['psk', ['unreal']]);
    expect((await file.outline()).outline.length).toBeGreaterThan(0);
  });

  test('fetches no module twice', async () => {
    const blob = await (await fetch(avatar)).blob();
    const asked = watch();
    const sources: [BlobPart, OpenOptions][] = [
      [makePsk() as Uint8Array<ArrayBuffer>, { name: 'a.psk' }],
      [makePsa(), { name: 'a.psa' }],
      [castFile(model('a', triangle('mesh'))) as Uint8Array<ArrayBuffer>, { name: 'a.cast' }],
      [blob, { name: 'a.bin' }],
    ];
    for (const [source, options] of sources)
      for (const worker of [true, false]) {
        const { scene, report } = await open(new Blob([source]), { ...options, worker });
        expect(scene).not.toBeNull();
        expect(report.items.map(({ code }) => code)).not.toContain('INTERNAL_TRAP');
      }
    await prepare({ files: ['a.psk', 'https://example.com/b.vgo?key=1#2', 'semodel'] });
    expect(asked).toEqual([]);
  });

  test('decodes deferred keys with the same module, on its own thread', async () => {
    const bones = Array.from({ length: 100 }, (_, i) => `bone ${i}`);
    const long = makePsa({ bones, frames: 1000, position: (bone, frame) => [frame, bone, 1] });
    const values = async (options: OpenOptions): Promise<unknown[]> =>
      Array.from((await open(long, { name: 'a.psa', ...options })).scene!.clips[0]!.tracks, track => track.values);
    const [there, here, all] = [await values({}), await values({ worker: false }), await values({ wasm: whole })];
    expect(there).toHaveLength(200);
    expect([there, here]).toEqual([all, all]);
  });
});
