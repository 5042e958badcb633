// Videos of the viewport, and the dialog that saves pictures and videos.
import { page } from 'vitest/browser';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { renderVideo, type VideoChoice } from '../../../../web/src/viewer/capture/renderVideo.ts';
import { pointOnBone } from '../../../../web/src/viewer/measure.ts';
import type { ViewSettings } from '../../../../web/src/session/viewSettings.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { decodedFrames, movieFacts, pixelsOfImage, zipFiles } from '../encode/support.ts';
import { frames, makeViewer, press } from './support.ts';

let viewer: Viewer;

beforeAll(async () => {
  await page.viewport(620, 480);
  viewer = await makeViewer();
  await viewer.openDemo('pip');
  viewer.playback.pause();
}, 120_000);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  viewer.root.querySelector<HTMLDialogElement>('dialog.capture[open]')?.remove();
});
afterAll(() => viewer.dispose());

/** One second of the animation, which has 49 frames at this frame rate. */
const choice: VideoChoice = {
  content: 'animation',
  isRange: true,
  turnSeconds: 1,
  format: 'mp4',
  frameRate: 48,
  width: 96,
  height: 64,
  isTransparent: false,
  hasFloor: false,
};

function render(
  changes: Partial<VideoChoice>,
  signal = new AbortController().signal,
  onFrame: (done: number) => void = () => {},
): Promise<Blob> {
  return renderVideo(viewer, { ...choice, ...changes }, '#ffffff', document.createElement('canvas'), { signal, onFrame });
}

/** Returns the mean difference of two pictures, from 0 to 255. */
function difference(a: ImageData, b: ImageData): number {
  let sum = 0;
  for (const [i, value] of a.data.entries()) sum += Math.abs(value - b.data[i]!);
  return sum / a.data.length;
}

/** State of the page that a video must not change. */
function stateOf(): unknown {
  const { view, sharedRenderer } = viewer.viewport;
  const { camera, controls } = view.cameraRig;
  return {
    time: viewer.playback.time,
    range: viewer.playback.range,
    playing: viewer.playback.playing,
    size: { ...view.size },
    isVisible: view.isVisible,
    hasFloor: view.ground.object.visible,
    canvas: sharedRenderer.canvas.style.visibility,
    camera: [...camera.position.toArray(), ...camera.quaternion.toArray(), ...controls.target.toArray()].map(
      value => Number(value.toFixed(4)) + 0,
    ),
  };
}

function prepare(): unknown {
  viewer.playback.range = { from: 0.5, to: 1.5 };
  viewer.playback.seek(0.1);
  viewer.viewport.drawNow();
  return stateOf();
}

it('renders each frame of the range at its exact time and restores the page', async () => {
  const before = prepare();
  const shown: number[] = [];
  const blob = await render({}, undefined, () => shown.push(viewer.playback.time));
  expect(shown).toHaveLength(49);
  for (const [i, time] of shown.entries()) expect(time).toBeCloseTo(0.5 + i / 48, 9);
  const { frames: count, frameRate, size, codec } = await movieFacts(blob);
  expect([count, size, codec]).toEqual([49, [96, 64], 'avc']);
  expect(frameRate).toBeCloseTo(48, 1);
  const pictures = await decodedFrames(blob);
  expect(difference(pictures[0]!, pictures[12]!)).toBeGreaterThan(0.5);
  viewer.viewport.drawNow();
  expect(stateOf()).toEqual(before);
});

it('renders equal pictures for equal choices, also after the page was drawn', async () => {
  prepare();
  const some = { format: 'png', frameRate: 6, isTransparent: true } as const;
  const [first, second] = [await zipFiles(await render(some)), await frames(2).then(async () => zipFiles(await render(some)))];
  expect([...first.keys()]).toHaveLength(7);
  for (const [name, blob] of first) expect(difference(await pixelsOfImage(blob), await pixelsOfImage(second.get(name)!))).toBe(0);
});

it('shows bones, their names and the measured length in each frame', async () => {
  prepare();
  const some = { frameRate: 2, width: 248, height: 192 } as const;
  const plain = (await decodedFrames(await render(some)))[0]!;
  const changed = async (): Promise<number> => {
    const frames = await decodedFrames(await render(some));
    expect(frames).toHaveLength(3);
    return frames[0]!.data.filter((value, i) => i % 4 !== 3 && Math.abs(value - plain.data[i]!) > 64).length;
  };
  expect(await changed()).toBe(0);
  const show = (settings: Partial<ViewSettings>): void => viewer.dispatch({ type: 'set-view', settings });
  show({ bones: true });
  const withBones = await changed();
  show({ boneNames: true });
  const withNames = await changed();
  show({ bones: false, boneNames: false });
  viewer.run('measure');
  const measure = await vi.waitUntil(() => viewer.viewport.measure.value);
  const { bones } = viewer.model!;
  [bones[0]!, bones.at(-1)!].forEach((bone, i) => measure.set(i, pointOnBone(bone)));
  viewer.viewport.drawNow();
  const withMeasure = await changed();
  measure.clear();
  expect([withBones > 50, withNames > withBones + 100, withMeasure > 100], `${withBones}, ${withNames}, ${withMeasure}`).toEqual([
    true,
    true,
    true,
  ]);
});

it('renders WebM with a transparent background', async () => {
  prepare();
  const blob = await render({ format: 'webm', frameRate: 4, isTransparent: true });
  expect(await movieFacts(blob)).toMatchObject({ frames: 5, framesWithAlpha: 5 });
  const [first] = await decodedFrames(blob);
  expect(first!.data[3]).toBeLessThan(16);
  expect(first!.data.filter((value, i) => i % 4 === 3 && value > 200).length).toBeGreaterThan(200);
});

it('renders a turntable around the current pose, and one in which the animation plays', async () => {
  const before = prepare();
  const turning = { format: 'png', frameRate: 4, isTransparent: true } as const;
  const picturesOf = async (content: VideoChoice['content']): Promise<ImageData[]> =>
    Promise.all([...(await zipFiles(await render({ ...turning, content }))).values()].map(pixelsOfImage));
  const turntable = await picturesOf('turntable');
  expect(turntable).toHaveLength(4);
  for (const [i, picture] of turntable.entries()) if (i > 0) expect(difference(turntable[0]!, picture)).toBeGreaterThan(1);
  const both = await picturesOf('both');
  expect(both).toHaveLength(4);
  expect(difference(turntable[2]!, both[2]!)).toBeGreaterThan(0.5);
  viewer.viewport.drawNow();
  expect(stateOf()).toEqual(before);
});

it('leaves the page unchanged if it is cancelled or fails', async () => {
  const before = prepare();
  const abort = new AbortController();
  const cancelled = render({ content: 'both', format: 'webm' }, abort.signal, done => done === 3 && abort.abort());
  await expect(cancelled).rejects.toThrow('abort');
  viewer.viewport.drawNow();
  expect(stateOf()).toEqual(before);
  await expect(render({ width: 95 })).rejects.toThrow('can’t encode mp4 with 95 × 64 pixels');
  expect(stateOf()).toEqual(before);
});

const dialog = (): HTMLDialogElement => viewer.root.querySelector('dialog.capture[open]')!;
const button = (text: string): HTMLElement =>
  [...dialog().querySelectorAll<HTMLElement>('button, a')].find(each => each.textContent!.startsWith(text))!;
const field = (label: string): HTMLInputElement =>
  dialog().querySelector<HTMLInputElement>(`input[aria-label="${label}"]`) ??
  [...dialog().querySelectorAll('.video label')]
    .find(each => each.firstChild!.textContent === label)!
    .querySelector<HTMLInputElement>('input, select')!;

function set(label: string, value: string): void {
  const input = field(label);
  input.value = value;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

async function openVideoForm(): Promise<void> {
  press('e');
  await expect.poll(dialog).not.toBeNull();
  dialog().querySelectorAll<HTMLInputElement>('.switch input')[1]!.click();
  expect(dialog().querySelector('form.video')!.checkVisibility()).toBe(true);
}

const summary = (): string => dialog().querySelector('[role=status]')!.textContent!;

it('offers a form that shows the number of frames, then a file with these frames', async () => {
  prepare();
  await openVideoForm();
  expect([...dialog().querySelectorAll<HTMLOptionElement>('select:not([hidden]) option')].map(({ value }) => value)).toEqual(
    expect.arrayContaining(['animation', 'turntable', 'both', 'mp4', 'webm', 'gif', 'png']),
  );
  set('Width in pixels', '101');
  set('Height in pixels', '64');
  set('Frames per second', '24');
  // MP4 needs even numbers.
  expect(summary()).toBe('25 frames, 1.04 seconds, 102 × 64 pixels');
  set('Range', 'whole');
  expect(summary()).not.toContain('25 frames');
  set('Range', 'selected');
  set('Content', 'turntable');
  expect([summary(), field('Turn in seconds').value]).toEqual(['144 frames, 6.00 seconds, 102 × 64 pixels', '6']);
  set('Content', 'animation');
  button('Render video').click();
  await expect.poll(() => dialog().textContent).toMatch(/Frame \d+ of 25/);
  const result = (): HTMLAnchorElement | null => dialog().querySelector('a[download]');
  await expect.poll(result).not.toBeNull();
  const link = result()!;
  expect(link.download).toMatch(/\.mp4$/);
  expect((await movieFacts(await (await fetch(link.href)).blob())).frames).toBe(25);
  button('Close').click();
  expect(viewer.root.querySelector('dialog.capture[open]')).toBeNull();
});

it('returns to the form when the visitor cancels, and shows the reason of a failure', async () => {
  const before = prepare();
  await openVideoForm();
  set('Width in pixels', '64');
  set('Height in pixels', '64');
  set('Range', 'whole');
  button('Render video').click();
  button('Cancel').click();
  await expect.poll(() => dialog().querySelector('form.video')).not.toBeNull();
  expect(field('Range').value).toBe('whole');
  await viewer.idle;
  viewer.viewport.drawNow();
  expect(stateOf()).toEqual(before);
  vi.spyOn(viewer.viewport.sharedRenderer, 'drawPicture').mockReturnValue(false);
  button('Render video').click();
  await expect
    .poll(() => dialog().querySelector('[role=alert]:not([hidden])')?.textContent)
    .toMatch(/^Couldn’t render the video: The browser lost/);
  button('Change settings').click();
  expect(dialog().querySelector('form.video')).not.toBeNull();
});

it('explains that the browser has no encoder and offers the other formats', async () => {
  vi.stubGlobal('VideoEncoder', undefined);
  await openVideoForm();
  await expect.poll(() => dialog().textContent).toContain('This browser can’t encode MP4 or WebM in this size.');
  expect([...(field('Format') as unknown as HTMLSelectElement).options].filter(each => !each.disabled).map(({ value }) => value)).toEqual([
    'gif',
    'png',
  ]);
  expect(field('Format').value).toBe('gif');
});
