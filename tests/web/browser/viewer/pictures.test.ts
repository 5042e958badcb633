// Pictures of the viewport.
import { page } from 'vitest/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pictureOf } from '../../../../web/src/viewer/pictures.ts';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { pixelsOfImage } from '../encode/support.ts';
import { makeViewer } from './support.ts';

let viewer: Viewer;

beforeAll(async () => {
  await page.viewport(620, 480);
  viewer = await makeViewer();
  await viewer.openDemo('pip');
  viewer.playback.pause();
}, 120_000);
afterAll(() => viewer.dispose());

it('renders a PNG in the chosen size, transparent or on a colour, and leaves the page unchanged', async () => {
  const { width, height } = viewer.view.size;
  const wish = { scale: 2, isTransparent: true, hasFloor: false };
  const clear = await pixelsOfImage((await pictureOf(viewer.viewport, '#ff0000', wish))!);
  expect([clear.width, clear.height]).toEqual([2 * width, 2 * height]);
  expect([...clear.data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  expect(clear.data.filter((value, i) => i % 4 === 3 && value > 200).length).toBeGreaterThan(4000);
  const red = await pixelsOfImage((await pictureOf(viewer.viewport, '#ff0000', { ...wish, scale: 1, isTransparent: false }))!);
  expect([...red.data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
  expect([viewer.view.size, viewer.view.ground.object.visible]).toEqual([{ width, height }, true]);
});
