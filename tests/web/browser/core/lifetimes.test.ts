// Ownership while files are read: transferred bytes are returned, dead workers are detected, memory
// does not grow, and no call hangs.
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import { configure, open, type Progress, type RigFile } from '../../../../web/src/core/index.ts';
import { makePsa, makePsk } from '../../../support/actorx.ts';
import { workersReady } from '../../../support/inWorker.ts';

const psk = makePsk({ side: 40 });
const large = makePsk({ side: 300 });

/** Collects all workers that are created from now on. */
function watchWorkers(): Worker[] {
  const made: Worker[] = [];
  class Watched extends globalThis.Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      made.push(this);
    }
  }
  vi.stubGlobal('Worker', Watched);
  return made;
}

beforeAll(workersReady);

afterEach(() => {
  configure({ worker: undefined });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const points = async (file: RigFile, signal?: AbortSignal): Promise<Uint8Array> => {
  const { outline } = await file.outline(signal && { signal });
  return outline.find(({ kind }) => kind === 'PNTS0000')!.fields[0]!.bytes();
};
/**
 * Returns the number of points if all bytes are correct, otherwise 0. The bytes themselves would be
 * too large for a failure report.
 */
const rightPoints = (got: Uint8Array, bytes: Uint8Array): number =>
  got.length && got.every((byte, i) => byte === bytes[64 + i]) ? got.length / 12 : 0;
/** Returns 'done' or the name of the error, because results are too large for a failure report. */
const outcome = (promise: Promise<unknown>, part: 'name' | 'message' = 'name'): Promise<string> =>
  promise.then(
    () => 'done',
    (error: Error) => error[part],
  );
const verticesOf = ({ scene }: RigFile): number => scene!.meshes[0]!.positions.length / 3;

describe.each([
  ['in a worker', true],
  ['on the page itself', false],
])('a buffer that was handed over, %s,', (_, worker) => {
  const opened = (bytes = psk): Promise<RigFile> => open(bytes.slice(), { name: 'a.psk', transfer: true, worker });

  test('serves two outlines at the same time, repeatedly', async () => {
    const file = await opened();
    const both = await Promise.all([file.outline(), file.outline()]);
    await file.supply(new Map());
    await file.outline();
    for (const { outline } of both)
      expect(rightPoints(outline.find(({ kind }) => kind === 'PNTS0000')!.fields[0]!.bytes(), psk)).toBe(41 ** 2);
  });

  test('serves outline and supply at the same time', async () => {
    const file = await opened();
    const [bytes, again, third] = await Promise.all([points(file), file.supply(new Map()), file.supply(new Map())]);
    expect(rightPoints(bytes, psk)).toBe(41 ** 2);
    expect([verticesOf(again), verticesOf(third)]).toEqual([41 ** 2, 41 ** 2]);
    expect(rightPoints(await points(again), psk)).toBe(41 ** 2);
  });

  test.each([
    ['at once', 0],
    ['a moment later', 1],
    ['while it is read', 4],
    ['towards its end', 12],
  ])('is there again when an outline was aborted %s', async (__, ms) => {
    const file = await opened(large);
    for (let round = 0; round < 3; round++) {
      const controller = new AbortController();
      const aborted = outcome(points(file, controller.signal));
      if (ms > 0) await new Promise(resolve => setTimeout(resolve, ms));
      controller.abort();
      expect(['AbortError', 'done']).toContain(await aborted); // on the page's own thread, the job may already be done
    }
    expect(rightPoints(await points(file), large)).toBe(301 ** 2);
    expect(verticesOf(await file.supply(new Map()))).toBe(301 ** 2);
  });

  test('is available for supply after an aborted outline', async () => {
    const file = await opened(large);
    const controller = new AbortController();
    const outline = outcome(file.outline({ signal: controller.signal }));
    const supplied = file.supply(new Map());
    controller.abort();
    expect(verticesOf(await supplied)).toBe(301 ** 2);
    await outline;
  });

  test('is available after animations whose keys are decoded on demand were aborted', async () => {
    const controller = new AbortController();
    let isGivenUp = false;
    const onProgress = ({ phase }: Progress): void => void (isGivenUp && phase === 'decode' && controller.abort());
    const psa = makePsa();
    const file = await open(psa.slice(), { name: 'a.psa', transfer: true, worker, signal: controller.signal, onProgress });
    isGivenUp = true;
    expect(await outcome(file.supply(new Map()))).toBe('AbortError');
    const { outline } = await file.outline();
    expect(outline.find(({ kind }) => kind === 'ANIMKEYS')!.fields[0]!.bytes()).toEqual(psa.subarray(psa.length - 32 * 6));
  });

  test('stops waiting for the bytes when the caller aborts', async () => {
    const file = await opened(large);
    const controller = new AbortController();
    const first = file.outline();
    const second = file.outline({ signal: controller.signal });
    controller.abort();
    expect(await outcome(second)).toBe('AbortError');
    await first;
  });
});

const script = new URL('../../../../web/src/core/worker/worker.ts', import.meta.url);

describe('a worker that ended unexpectedly', () => {
  test('is replaced if it was idle', async () => {
    const made = watchWorkers();
    configure({ worker: script }); // prevents the use of an idle worker of an earlier test
    await workersReady();
    expect(made).toHaveLength(1);
    made[0]!.terminate();
    expect((await open(psk.slice(), { transfer: true })).scene).not.toBeNull();
    expect(made).toHaveLength(2);
    made[1]!.terminate();
    await new Promise(resolve => setTimeout(resolve, 100));
    expect((await open(psk)).scene).not.toBeNull();
    expect(made).toHaveLength(3);
  });

  test('rejects its file if it was reading, and the next file opens', async () => {
    const made = watchWorkers();
    configure({ worker: () => new Worker(script, { type: 'module' }) });
    await workersReady();
    const file = open(new Blob([makePsk({ side: 700 })]), { onProgress: ({ phase }) => phase === 'decode' && made.at(-1)!.terminate() });
    expect(await outcome(file, 'message')).toMatch(/worker.*ended from outside/);
    expect((await open(psk)).scene).not.toBeNull();
    expect(made).toHaveLength(2);
  });

  test('loses the transferred bytes, which the file reports', async () => {
    let isDying = false;
    class Dying extends globalThis.Worker {
      override postMessage(message: { kind: string }, transfer?: Transferable[] | StructuredSerializeOptions): void {
        super.postMessage(message, transfer as Transferable[]);
        if (isDying && message.kind === 'job') this.terminate();
      }
    }
    configure({ worker: () => new Dying(script, { type: 'module' }) });
    await workersReady();
    const file = await open(psk.slice(), { transfer: true });
    isDying = true;
    expect(await outcome(file.outline(), 'message')).toMatch(/ended from outside/);
    isDying = false;
    expect(await outcome(file.outline(), 'message')).toMatch(/lost with the worker.*open the file again/);
    expect((await open(psk.slice(), { transfer: true })).scene).not.toBeNull();
  });
});

test('passes an error that cannot be cloned with its name and message', async () => {
  const failing = `
    import '${script.href}';
    globalThis.fetch = async () => { throw Object.assign(new RangeError('the moon is too far'), { name: 'MoonError', cause: () => {} }); };`;
  configure({ worker: URL.createObjectURL(new Blob([failing], { type: 'text/javascript' })) });
  await workersReady();
  const error = await open('http://127.0.0.1:9/a.psk').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'MoonError', message: 'the moon is too far' });
  expect((error as Error).stack).toContain('MoonError: the moon');
});

test('works without locks in insecure contexts, but does not detect the end of a worker', async () => {
  const module = (text: string): string => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const without = module("Object.defineProperty(navigator, 'locks', { value: undefined });");
  configure({ worker: module(`import '${without}'; import '${script.href}';`) });
  await workersReady();
  const file = await open(large.slice(), { transfer: true });
  const controller = new AbortController();
  const outline = outcome(file.outline({ signal: controller.signal }));
  controller.abort();
  expect(await outline).toBe('AbortError');
  expect(rightPoints(await points(file), large)).toBe(301 ** 2);
});

test('keeps a worker whose file failed to load or was aborted', async () => {
  const made = watchWorkers();
  configure({ worker: script });
  await workersReady();
  await expect(open(new URL('/none/of/these.psk', location.href), { request: { method: 'POST' } })).rejects.toThrow(/404/);
  const controller = new AbortController();
  const given = open(new Response(new ReadableStream()), { signal: controller.signal }); // a response that never ends
  setTimeout(() => controller.abort(), 50);
  await expect(given).rejects.toMatchObject({ name: 'AbortError' });
  await new Promise(resolve => setTimeout(resolve, 200)); // the worker stops during the wait
  await expect(open(psk, { wasm: new Uint8Array(8) })).rejects.toThrow(/not WebAssembly/);
  await new Promise(resolve => setTimeout(resolve, 200));
  expect((await open(psk)).scene).not.toBeNull();
  expect(made).toHaveLength(1);
});

test('reads files in the order of the calls', async () => {
  const begun: string[] = [];
  class Noting extends globalThis.Worker {
    override postMessage(message: { kind: string; job?: { name: string } }, transfer?: Transferable[] | StructuredSerializeOptions): void {
      if (message.job) begun.push(message.job.name);
      super.postMessage(message, transfer as Transferable[]);
    }
  }
  configure({ worker: () => new Noting(script, { type: 'module' }) });
  await workersReady();
  begun.length = 0;
  const names = Array.from({ length: 12 }, (_, i) => `${i}.psk`);
  const late: Promise<unknown>[] = [];
  const controller = new AbortController();
  await Promise.allSettled(
    names.map(async name => {
      await open(new Blob([psk]), { name, ...(name === '7.psk' && { signal: controller.signal }) });
      controller.abort(); // one of the waiting calls is aborted
      if (late.length < 4) late.push(open(new Blob([psk]), { name: `late ${late.length}` }));
    }),
  );
  await Promise.all(late);
  // The first calls may still wait for their workers, and parallel calls may finish in any order.
  const wanted = [...names.slice(4).filter(name => name !== '7.psk'), 'late 0', 'late 1', 'late 2', 'late 3'];
  const seen = begun.filter(name => wanted.includes(name));
  expect(seen).toHaveLength(wanted.length);
  expect(Math.max(...wanted.map((name, i) => Math.abs(seen.indexOf(name) - i)))).toBeLessThan(4);
});

/** Returns reproducible random numbers. */
function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a function that counts the current listeners of a signal. Doesn't use a mock, which would
 * retain all listeners.
 */
function countListeners(signal: AbortSignal): () => number {
  let count = 0;
  const add = signal.addEventListener.bind(signal) as (...args: unknown[]) => void;
  const remove = signal.removeEventListener.bind(signal) as typeof add;
  signal.addEventListener = (...args: unknown[]) => (count++, add(...args));
  signal.removeEventListener = (...args: unknown[]) => (count--, remove(...args));
  return () => count;
}

test('settles twenty parallel files, some aborted at random, and leaves no worker', async () => {
  const made = watchWorkers();
  const ended = new Set<Worker>();
  const { terminate } = Worker.prototype;
  vi.spyOn(Worker.prototype, 'terminate').mockImplementation(function (this: Worker) {
    ended.add(this);
    terminate.call(this);
  });
  const random = seeded(7);
  for (let round = 0; round < 5; round++) {
    const wanted = Array.from({ length: 20 }, () => ({
      isAborted: random() < 0.5,
      after: Math.floor(random() * 60),
      side: 5 + Math.floor(random() * 200),
      transfer: random() < 0.5,
    }));
    const results = await Promise.allSettled(
      wanted.map(async ({ isAborted, after, side, transfer }) => {
        const controller = new AbortController();
        const file = open(makePsk({ side }), { signal: controller.signal, transfer });
        if (isAborted) setTimeout(() => controller.abort(), after);
        const { scene } = await file;
        return scene!.meshes[0]!.vertexCount;
      }),
    );
    for (const [i, result] of results.entries()) {
      if (result.status === 'fulfilled') expect(result.value).toBe((wanted[i]!.side + 1) ** 2);
      else expect([wanted[i]!.isAborted, (result.reason as Error).name]).toEqual([true, 'AbortError']);
    }
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
  }
  expect((await open(psk)).scene).not.toBeNull();
  await expect.poll(() => made.filter(worker => !ended.has(worker)).length, { timeout: 5000 }).toBeLessThanOrEqual(2);
}, 120_000);

test('leaves no memory behind after 500 files', async () => {
  const made = watchWorkers();
  const devtools = cdp() as unknown as { send(method: string): Promise<Record<string, number>> };
  const measured = async (): Promise<number> => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
    return usedSize! + embedderHeapUsedSize! + backingStorageSize!;
  };
  const bytes = makePsk({ side: 60 });
  const motion = makePsa({ sequences: ['a', 'b'] });
  const { signal } = new AbortController(); // one signal for all files, as on a page
  const listeners = countListeners(signal);
  const used: number[] = [];
  for (let i = 0; i < 500; i++) {
    const file = await open(i % 3 === 0 ? new Blob([bytes]) : i % 3 === 1 ? bytes.slice() : motion, { signal, transfer: i % 3 === 1 });
    if (!file.scene) throw new Error(`file ${i} has no scene`);
    if (i % 100 === 99) used.push(await measured());
  }
  expect(made.length).toBeLessThanOrEqual(1);
  expect(listeners()).toBe(0);
  console.log(`memory after 100 … 500 files: ${used.map(size => (size / 2 ** 20).toFixed(1)).join(', ')} MB`);
  expect(used[4]! - used[1]!).toBeLessThan(2 ** 20); // one of these files takes 0.3 MB
}, 120_000);
