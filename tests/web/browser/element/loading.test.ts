// Loading from a slow or failing server: all files are requested at once, and the mesh does not wait
// for textures and animations.
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { AnsweredRequest } from '../../../support/slowServer.ts';
import type { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import { add, demo, drawn, frame, isShown, once, part } from './support.ts';

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

const slow = (name: string, delay: number): string => `${demo(name)}?delay=${delay}&log`;
const answered = async (): Promise<AnsweredRequest[]> => (await (await fetch('/requests')).json()) as AnsweredRequest[];

/** A model that takes one second, a texture that takes two, and an animation in between. */
const SLOW = { src: slow('Pip.psk', 1000), files: `${slow('Pip_D.png', 2000)} ${slow('Pip.psa', 1200)}` };

// Modules, shaders and the environment of the first model take time, which is not measured here.
beforeAll(async () => {
  const element = add({ src: demo('Pip.psk') });
  await Promise.all([element.ready, once(element, 'firstframe')]);
  await element.toBlob();
});

/** Returns the mean saturation of the drawn pixels, 0 to 1. A model without textures is grey. */
function saturation(element: RigcastViewerElement): number {
  const canvas = part(element, 'canvas') as HTMLCanvasElement;
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  let [sum, count] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3]! < 200) continue;
    const color = [...data.subarray(i, i + 3)];
    sum += (Math.max(...color) - Math.min(...color)) / 255;
    count++;
  }
  return count > 0 ? sum / count : 0;
}

it('takes as long as the slowest request, and shows the mesh as soon as it arrives', async () => {
  await answered();
  const element = add({ ...SLOW, autoplay: '' });
  const events: string[] = [];
  const totals: (number | null)[] = [];
  let early = { animations: -1, drawn: 0, saturation: 1, isReady: true, isPosterShown: true };
  for (const type of ['firstframe', 'load', 'play', 'error'] as const) element.addEventListener(type, () => events.push(type));
  element.addEventListener('progress', ({ detail: { total } }) => totals.push(total));
  element.addEventListener('firstframe', () => {
    early = {
      animations: element.animations.length,
      drawn: drawn(element),
      saturation: saturation(element),
      isReady: element.matches(':state(ready)'),
      isPosterShown: isShown(part(element, 'poster')),
    };
  });
  const { rig, view } = await element.ready;
  const loaded = Date.now();
  expect(events).toEqual(['firstframe', 'play', 'load']);
  expect(early).toMatchObject({ animations: 0, isReady: false, isPosterShown: false });
  expect(early.drawn).toBeGreaterThan(0.05);
  expect([view.content, element.animations.length > 0, element.paused]).toEqual([rig.scene, true, false]);
  await expect.poll(() => saturation(element)).toBeGreaterThan(early.saturation + 0.05);
  const requests = (await answered()).toSorted((a, b) => a.end - b.end);
  expect(requests.map(({ path }) => path.split('/').at(-1))).toEqual(['Pip.psk', 'Pip.psa', 'Pip_D.png']);
  const [start, end] = [Math.min(...requests.map(each => each.start)), requests.at(-1)!.end];
  console.info(`slow server: requests ${end - start} ms, load ${loaded - start} ms`);
  expect(Math.max(...requests.map(each => each.start))).toBeLessThan(requests[0]!.end);
  expect(end - start).toBeLessThan(2200);
  const size = (await Promise.all(['Pip.psk', 'Pip.psa', 'Pip_D.png'].map(async name => (await fetch(demo(name))).blob())))
    .map(blob => blob.size)
    .reduce((sum, each) => sum + each);
  expect([totals.at(-2), totals.at(-1)]).toEqual([size, size]);
});

it('keeps a camera that the visitor moves before all files are there', async () => {
  const element = add({ src: demo('Pip.psk'), files: slow('Pip.psa', 1500) });
  await once(element, 'firstframe');
  const before = String(element.getCameraOrbit());
  part(element, 'viewport').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
  await frame();
  const orbit = String(element.getCameraOrbit());
  expect(orbit).not.toBe(before);
  await expect(element.toBlob()).rejects.toThrow('No model is loaded.');
  element.time = 0.25;
  await element.ready;
  expect([String(element.getCameraOrbit()), element.time]).toEqual([orbit, 0.25]);
});

it('replaces a model whose textures are still loading', async () => {
  const element = add({ src: demo('Pip.psk'), files: slow('Pip_D.png', 60_000) });
  await once(element, 'firstframe');
  element.files = null;
  element.src = demo('Tock.cast');
  expect((await element.ready).rig.file.name).toBe('Tock.cast');
  await expect.poll(() => drawn(element)).toBeGreaterThan(0.03);
  element.remove();
});

it('shows everything at once if all files arrive within 150 ms', async () => {
  const { setTimeout } = window;
  vi.spyOn(window, 'setTimeout').mockImplementation(((act: () => void, delay: number) =>
    setTimeout(act, delay === 150 ? 60_000 : delay)) as typeof setTimeout);
  const element = add({ src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}`, autoplay: '' });
  const events: string[] = [];
  for (const type of ['firstframe', 'load'] as const) element.addEventListener(type, () => events.push(type));
  await Promise.all([element.ready, once(element, 'firstframe')]);
  await frame();
  expect(events).toEqual(['load', 'firstframe']);
});

it('requests nothing but the model without files, and logs nothing', async () => {
  const logged = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
  await answered();
  performance.clearResourceTimings();
  const element = add({ src: slow('Pip.psk', 1) });
  const { rig } = await element.ready;
  expect(rig.report.items.map(({ code }) => code)).toContain('TEXTURE_MISSING');
  const near = performance.getEntriesByType('resource').filter(({ name }) => /\.(mat|json|txt|png)(\?|$)/.test(name));
  expect(near.map(({ name }) => name)).toEqual([]);
  expect(logged.map(({ mock }) => mock.calls)).toEqual([[], []]);
});

it('offers to try again after an error', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const element = add({ src: `${demo('Pip.psk')}?fail=1&key=${Date.now()}` });
  const { message } = await once<{ message: string }>(element, 'error');
  expect(message).toMatch(/503/);
  expect(logged.mock.calls).toEqual([[message, element]]);
  expect(part(element, 'error').querySelector('span')!.textContent).toBe('The model could not be loaded.');
  await expect(element.ready).rejects.toThrow('503');
  const retry = part(element, 'retry-button');
  expect(retry.textContent).toBe('Try again');
  retry.focus();
  retry.click();
  expect([isShown(part(element, 'error')), element.shadowRoot!.activeElement]).toEqual([false, part(element, 'viewport')]);
  await element.ready;
  expect([isShown(part(element, 'error')), element.matches(':state(ready)')]).toEqual([false, true]);
});
