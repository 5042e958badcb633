// After `prepare`, the first file fetches nothing and starts no worker, and its reader has run.
import { afterEach, expect, test, vi } from 'vitest';
import { configure, open, prepare } from '../../../../web/src/core/index.ts';
import { makePsk } from '../../../support/actorx.ts';
import { workersReady } from '../../../support/inWorker.ts';

const psk = makePsk({ side: 8 });

/** Collects the workers that are created and the URLs that are fetched from now on. */
function watch(): { workers: number; fetched: string[] } {
  const seen = { workers: 0, fetched: [] as string[] };
  const { Worker, fetch } = globalThis;
  vi.stubGlobal(
    'Worker',
    class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        seen.workers++;
      }
    },
  );
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => {
    seen.fetched.push(String(args[0]));
    return fetch(...args);
  });
  return seen;
}

afterEach(() => {
  configure({ worker: undefined });
  vi.unstubAllGlobals();
});

test('fetches nothing and starts no worker for the first file of a prepared page', async () => {
  const seen = watch();
  await prepare({ files: ['hero.psk'] });
  expect(seen).toMatchObject({ workers: 1, fetched: [expect.stringContaining('unreal.wasm')] });
  await prepare();
  const { scene, report } = await open(psk, { name: 'a.psk' });
  expect(scene?.meshes).toHaveLength(1);
  expect(report.items.filter(({ code }) => code === 'WORKER_REFUSED')).toEqual([]);
  expect(seen.workers).toBe(1);
  expect(seen.fetched).toHaveLength(1);
});

test('reads a small file of each format in the worker, once', async () => {
  const formats: string[] = [];
  const { postMessage } = Worker.prototype;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...args: unknown[]) {
    const { job } = args[0] as { job?: { format: string } };
    if (job) formats.push(job.format);
    return Reflect.apply(postMessage, this, args);
  });
  await workersReady();
  formats.length = 0;
  await prepare({ files: ['walk.seanim', 'cast', 'photo.png'] });
  await prepare({ files: ['https://example.test/run.seanim?v=2'] });
  expect(formats).toEqual(['seanim', 'cast']);
  vi.restoreAllMocks();
});

test('rejects like open without rigcast.wasm, and for unknown options', async () => {
  await expect(prepare({ worker: false, wasm: '/nowhere/rigcast.wasm' })).rejects.toThrow(/rigcast\.wasm could not be loaded/);
  await expect(prepare({ workers: true } as never)).rejects.toThrow(/workers/);
});

test('does not reject if no worker can be started', async () => {
  await workersReady();
  configure({ worker: '/nowhere/worker.js' });
  const seen = watch();
  await expect(prepare()).resolves.toBeUndefined();
  expect(seen.workers).toBe(1);
  expect((await open(psk, { name: 'a.psk' })).report.items.map(({ code }) => code)).toContain('WORKER_REFUSED');
});
