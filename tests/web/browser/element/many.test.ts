// Many elements on a page: shared resources, drawn elements, memory after removal.
import { afterEach, expect, it, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import { campaign } from '../../../support/campaign.ts';
import { SharedRenderer } from '../../../../web/src/view/sharedRenderer.ts';
import { add, demo, frame } from './support.ts';

afterEach(() => document.querySelectorAll('rigcast-viewer').forEach(element => element.remove()));

it('fifty elements share one context, and only visible elements that change are drawn', async () => {
  const contexts = vi.spyOn(HTMLCanvasElement.prototype, 'getContext');
  const requested = (): number => contexts.mock.calls.filter(([kind]) => kind.startsWith('webgl')).length;
  const page = document.createElement('div');
  document.body.append(page);
  const elements = Array.from({ length: 50 }, () =>
    add({ src: demo('Pip.psk'), files: demo('Pip.psa'), style: 'width: 60px; height: 60px; margin-top: 9000px' }, page),
  );
  for (let i = 0; i < 5; i++) await frame();
  expect(requested()).toBe(0);
  expect(elements.filter(element => element.matches(':state(loading)'))).toEqual([]);
  for (const element of elements) {
    element.style.marginTop = '0';
    element.style.display = 'inline-block';
  }
  const all = await Promise.all(elements.map(({ ready }) => ready));
  await expect
    .poll(async () => (await frame(), all.some(({ view }) => view.isVisible && (view.isDirty || view.environmentShare < 1))), {
      timeout: 60_000,
    })
    .toBe(false);
  const sharedRenderer = SharedRenderer.shared();
  expect([requested(), sharedRenderer.size]).toEqual([1, 50]);
  const shown = all.filter(({ view }) => view.isVisible);
  expect(shown.length).toBeGreaterThan(5);
  const { frames } = sharedRenderer;
  for (let i = 0; i < 3; i++) await frame();
  expect(sharedRenderer.frames).toBe(frames);
  shown[2]!.view.invalidate();
  for (let i = 0; i < 3; i++) await frame();
  expect(sharedRenderer.frames).toBe(frames + 1);
  page.remove();
  await frame();
  expect(sharedRenderer.size).toBe(0);
  contexts.mockRestore();
}, 120_000);

/** Fields of a Chromium heap snapshot. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
  nodes: number[];
}

/**
 * Returns a function that takes a heap snapshot after a garbage collection. Snapshots arrive in
 * chunks, some of them after the response.
 */
function memoryTool(): () => Promise<Snapshot> {
  const tools = cdp() as unknown as {
    send(method: string): Promise<void>;
    on(event: string, listener: (part: { chunk: string }) => void): void;
  };
  let parts: string[] = [];
  tools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void parts.push(chunk));
  return async () => {
    parts = [];
    await frame();
    await tools.send('HeapProfiler.takeHeapSnapshot');
    await vi.waitFor(() => expect(parts.at(-1)?.trimEnd().endsWith(']}')).toBe(true), { timeout: 150_000 });
    return JSON.parse(parts.join('')) as Snapshot;
  };
}

/**
 * Returns the size in bytes of all JavaScript objects and of their native memory. Excludes code,
 * because the engine can recompile code at any time.
 */
function heapSize({ snapshot, nodes }: Snapshot): { objects: number; native: number } {
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [kindAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const held = { objects: 0, native: 0 };
  for (let i = 0; i < nodes.length; i += fields.length) {
    const kind = types[0][nodes[i + kindAt]!];
    if (kind !== 'code') held[kind === 'native' ? 'native' : 'objects'] += nodes[i + sizeAt]!;
  }
  return held;
}

/**
 * Counts active observers. Doesn't use a spy of Vitest, which would keep references to them.
 * Returns a function that restores the page.
 */
function follow(
  kind: { prototype: { observe: (target: Element) => void; disconnect: () => void } },
  open: Record<string, number>,
  name: string,
) {
  const { prototype } = kind;
  const { observe, disconnect } = prototype;
  const count = (by: number): void => void (open[name] = (open[name] ?? 0) + by);
  prototype.observe = function (target) {
    count(1);
    observe.call(this, target);
  };
  prototype.disconnect = function () {
    count(-1);
    disconnect.call(this);
  };
  return () => void Object.assign(prototype, { observe, disconnect });
}

it('added and removed elements leak nothing', async () => {
  const keeper = add({ src: demo('Pip.psk') });
  await keeper.ready;
  const sharedRenderer = SharedRenderer.shared();
  const { renderer } = sharedRenderer;
  const held = (): object => ({
    ...renderer.info.memory,
    programs: renderer.info.programs!.length,
    views: sharedRenderer.size,
    nodes: document.querySelectorAll('*').length,
  });
  const open = { intersection: 0, resize: 0 };
  const restore = [follow(IntersectionObserver, open, 'intersection'), follow(ResizeObserver, open, 'resize')];
  const once = async (isWhole: boolean): Promise<void> => {
    const element = add({ src: demo('Pip.psk'), files: demo('Pip.psa'), autoplay: '', controls: '', skeleton: '' });
    if (isWhole) {
      await element.ready;
      await expect.poll(() => element.time > 0, { timeout: 20_000 }).toBe(true);
    } else await frame();
    element.remove();
    await frame();
  };
  for (let i = 0; i < 10; i++) await once(i % 2 === 0);
  await expect.poll(() => sharedRenderer.size).toBe(1);
  const look = memoryTool();
  const [before, memory] = [held(), heapSize(await look())];
  // Most elements are removed while they load, as in a list that the visitor scrolls.
  const count = campaign(500, 100);
  for (let i = 0; i < count; i++) await once(i % 50 === 0);
  await expect.poll(held, { timeout: 20_000 }).toEqual(before);
  const after = heapSize(await look());
  expect(
    { objects: after.objects - memory.objects < 3e5, native: after.native - memory.native < 1e6 },
    JSON.stringify([memory, after]),
  ).toEqual({ objects: true, native: true });
  expect(open).toEqual({ intersection: 0, resize: 0 });
  for (const undo of restore) undo();
}, 400_000);

it('all elements are drawn again after a lost context is restored', async () => {
  const elements = [add({ src: demo('Pip.psk'), files: demo('Pip.psa'), autoplay: '' }), add({ src: demo('Tock.cast') })];
  await Promise.all(elements.map(({ ready }) => ready));
  const sharedRenderer = SharedRenderer.shared();
  const extension = sharedRenderer.renderer.getContext().getExtension('WEBGL_lose_context')!;
  extension.loseContext();
  const states = (state: string): boolean[] => elements.map(element => element.matches(`:state(${state})`));
  await expect.poll(() => states('lost'), { timeout: 20_000 }).toEqual([true, true]);
  await expect(elements[0]!.toBlob()).rejects.toMatchObject({ code: 'PICTURE_FAILED' });
  expect([states('ready'), states('playing')]).toEqual([
    [true, true],
    [true, false],
  ]);
  extension.restoreContext();
  await expect.poll(() => states('lost'), { timeout: 20_000 }).toEqual([false, false]);
  expect([states('ready'), states('playing')]).toEqual([
    [true, true],
    [true, false],
  ]);
});
