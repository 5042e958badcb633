// Tests yielding to the event loop during long work. An aborted conversion ends at the next yield.
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { yieldingTo } from '../../../web/src/convert/common/yielding.ts';
import { convert } from '../../../web/src/convert/index.ts';
import { open } from '../../../web/src/core/index.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';

/** Number of times that a function has yielded: `pause` creates a channel each time. */
let pauses = 0;
vi.stubGlobal(
  'MessageChannel',
  class extends MessageChannel {
    constructor() {
      super();
      pauses++;
    }
  },
);
afterAll(() => vi.unstubAllGlobals());

let clock: { mockRestore(): void } | undefined;
afterEach(() => clock?.mockRestore());

/** True if the work yields to the event loop before it ends. */
async function gaveTurn(work: Promise<unknown>): Promise<boolean> {
  const atOnce = async (): Promise<boolean> => {
    for (let i = 0; i < 100; i++) await Promise.resolve();
    return true;
  };
  const hadTurn = await Promise.race([work.then(() => false), atOnce()]);
  await work;
  return hadTurn;
}

it('yields to the event loop only after enough time has passed', async () => {
  let now = 0;
  clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const yieldToEventLoop = yieldingTo(undefined);
  now = 10;
  expect(await gaveTurn(yieldToEventLoop())).toBe(false);
  now = 20;
  expect(await gaveTurn(yieldToEventLoop())).toBe(true);
  now = 30; // 10 ms after the last yield
  expect(await gaveTurn(yieldToEventLoop())).toBe(false);
});

it('rejects with the reason of the signal at the next yield', async () => {
  const stop = new AbortController();
  const yieldToEventLoop = yieldingTo(stop.signal);
  await yieldToEventLoop();
  stop.abort(new Error('enough'));
  await expect(yieldToEventLoop()).rejects.toThrow('enough');
});

it.each(['glb', 'cast', 'se', 'psk', 'uemodel', 'vgo', 'csv'] as const)(
  'yields between the animations that are written as %s',
  async to => {
    const sequences = Array.from({ length: 20 }, (_, i) => `Run ${i}`);
    const bytes = { 'hero.psk': makePsk(), 'run.psa': makePsa({ sequences }) };
    const files = await Promise.all(Object.entries(bytes).map(([name, content]) => open(content, { name, worker: false })));
    let now = 0;
    clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20)); // every step takes 20 ms
    pauses = 0;
    await convert(files, { to });
    expect(pauses).toBeGreaterThanOrEqual(sequences.length);
  },
);
