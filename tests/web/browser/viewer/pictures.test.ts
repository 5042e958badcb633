// Pictures and videos of the viewport.
import { page } from 'vitest/browser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { framesIn } from '../../../../web/src/viewer/videoFrames.ts';
import { pictureOf, recordVideo, videoType } from '../../../../web/src/viewer/pictures.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { makeViewer, press } from './support.ts';

let viewer: Viewer;

beforeAll(async () => {
  await page.viewport(620, 480);
  viewer = await makeViewer();
  await viewer.openDemo('pip');
  viewer.playback.pause();
}, 120_000);
afterAll(() => viewer.dispose());

async function pixels(blob: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(blob);
  const context = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height }).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

it('renders a PNG in the chosen size, transparent or on a colour, and leaves the page unchanged', async () => {
  const { width, height } = viewer.view.size;
  const wish = { scale: 2, isTransparent: true, hasFloor: false };
  const clear = await pixels((await pictureOf(viewer.viewport, '#ff0000', wish))!);
  expect([clear.width, clear.height]).toEqual([2 * width, 2 * height]);
  expect([...clear.data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  expect(clear.data.filter((value, i) => i % 4 === 3 && value > 200).length).toBeGreaterThan(4000);
  const red = await pixels((await pictureOf(viewer.viewport, '#ff0000', { ...wish, scale: 1, isTransparent: false }))!);
  expect([...red.data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
  expect([viewer.view.size, viewer.view.ground.object.visible]).toEqual([{ width, height }, true]);
});

function recordedType(): string {
  const type = videoType();
  if (!type) throw new Error('this Chromium makes no films');
  return type;
}

it('records the played range or rejects a video with too few frames, and restores the playback time', async () => {
  const type = recordedType();
  viewer.playback.seek(0.1);
  viewer.playback.range = { from: 0.5, to: 1.5 };
  const made = await recordVideo(viewer, '#ffffff', type, false, new AbortController().signal).catch((error: Error) => error.message);
  if (typeof made === 'string') {
    expect(made).toMatch(/^Only [0-4] of 30 frames could be recorded/);
  } else {
    expect(new TextDecoder('latin1').decode(await made.slice(0, 64).arrayBuffer())).toContain('webm');
    expect(await framesIn(made)).toBeGreaterThanOrEqual(5);
  }
  expect(viewer.playback.time).toBeCloseTo(0.1);
  await expect(recordVideo(viewer, '#ffffff', type, true, AbortSignal.abort())).rejects.toThrow();
  viewer.playback.range = null;
});

it('rejects a video without frames', async () => {
  const { captureStream } = HTMLCanvasElement.prototype;
  // Records a canvas without content instead.
  vi.spyOn(HTMLCanvasElement.prototype, 'captureStream').mockImplementation(() => captureStream.call(document.createElement('canvas'), 0));
  viewer.playback.range = { from: 0.5, to: 1 };
  try {
    await expect(recordVideo(viewer, '#ffffff', recordedType(), false, new AbortController().signal)).rejects.toThrow(
      'Only 0 of 15 frames',
    );
  } finally {
    vi.restoreAllMocks();
    viewer.playback.range = null;
  }
});

it('opens by key with separate sections for picture and video', async () => {
  press('e');
  await expect.poll(() => viewer.root.querySelector('dialog.picture')).not.toBeNull();
  const dialog = viewer.root.querySelector<HTMLDialogElement>('dialog.picture')!;
  const [still, moving] = [...dialog.querySelectorAll('section')].map(part => [
    part.querySelectorAll('input, select').length,
    [...part.querySelectorAll('button')].map(({ textContent }) => textContent),
  ]);
  expect([still, moving]).toEqual([
    [3, ['Save PNG']],
    [0, ['Record animation', 'Record turntable']],
  ]);
  dialog.close();
});
