// Pictures and films of what stands on the stage.
import { page } from 'vitest/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { film, filmType, pictureOf } from '../../../../web/src/viewer/pictures.ts';
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

it('a PNG is as large as wished, transparent around the model or on a colour, and the page stays as it is', async () => {
  const { width, height } = viewer.view.size;
  const wish = { scale: 2, isTransparent: true, hasFloor: false };
  const clear = await pixels((await pictureOf(viewer.scenery, '#ff0000', wish))!);
  expect([clear.width, clear.height]).toEqual([2 * width, 2 * height]);
  expect([...clear.data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  expect(clear.data.filter((value, i) => i % 4 === 3 && value > 200).length).toBeGreaterThan(4000);
  const red = await pixels((await pictureOf(viewer.scenery, '#ff0000', { ...wish, scale: 1, isTransparent: false }))!);
  expect([...red.data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
  expect([viewer.view.size, viewer.view.ground.object.visible]).toEqual([{ width, height }, true]);
});

it('a film is as long as the piece that is played, and the motion stands where it stood', async () => {
  const type = filmType();
  if (!type) throw new Error('this Chromium makes no films');
  viewer.playback.seek(0.1);
  viewer.playback.range = { from: 0.5, to: 1.5 };
  const blob = await film(viewer, '#ffffff', type, false, new AbortController().signal);
  expect(new TextDecoder('latin1').decode(await blob.slice(0, 64).arrayBuffer())).toContain('webm');
  expect(blob.size).toBeGreaterThan(500);
  expect(viewer.playback.time).toBeCloseTo(0.1);
  await expect(film(viewer, '#ffffff', type, true, AbortSignal.abort())).rejects.toThrow();
  viewer.playback.range = null;
});

it('is asked for by a key', async () => {
  press('e');
  await expect.poll(() => viewer.root.querySelector('dialog.picture')).not.toBeNull();
  viewer.root.querySelector<HTMLDialogElement>('dialog.picture')!.close();
});
