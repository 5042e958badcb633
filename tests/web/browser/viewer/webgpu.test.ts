// The page with WebGPU: the parameter `renderer` selects it, and the checkbox switches to WebGL.
import { page } from 'vitest/browser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Viewer } from '../../../../web/src/viewer/viewer.ts';
import { words } from '../../../../web/src/viewer/words/index.ts';
import { addStyle } from './support.ts';

const address = location.href;
let main: { viewer: Viewer };

beforeAll(async () => {
  await addStyle();
  await page.viewport(1000, 640);
  const app = document.createElement('div');
  app.id = 'app';
  document.body.append(app);
  history.replaceState(null, '', '?renderer=webgpu');
  main = await import('../../../../web/src/viewer/main.ts');
  await opened();
}, 120_000);

afterAll(() => {
  main.viewer.dispose();
  localStorage.removeItem('rigcast.renderer');
  history.replaceState(null, '', address);
});

/** Resolves when the model is shown in its final light. */
async function opened(): Promise<void> {
  await vi.waitFor(() => expect(main.viewer?.model).toBeTruthy(), 60_000);
  await main.viewer.idle;
  await vi.waitFor(() => expect(main.viewer.view.environmentShare).toBe(1), 60_000);
}

/** Returns the shares of pixels that are drawn, and that have the orange of the fox. */
async function seen(): Promise<{ drawn: number; orange: number }> {
  const { sharedRenderer } = main.viewer.viewport;
  const picture = await createImageBitmap((await sharedRenderer.toBlob(main.viewer.view, { width: 160, height: 120 }))!);
  const context = new OffscreenCanvas(160, 120).getContext('2d')!;
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, 160, 120);
  let [drawn, orange] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    if (alpha < 128) continue;
    drawn++;
    if (red > 150 && red > blue * 1.6 && red > green * 1.2) orange++;
  }
  return { drawn: drawn / (160 * 120), orange: orange / (160 * 120) };
}

const checkbox = (): HTMLInputElement => main.viewer.root.querySelector<HTMLInputElement>('.check[data-command="webgpu"] input')!;

it('shows the model with WebGPU, and the checkbox switches to WebGL', async () => {
  const { viewer } = main;
  expect(viewer.viewport.sharedRenderer.isWebGPU).toBe(true);
  expect(viewer.refusal.value).toBeNull();
  viewer.playback.pause();
  const webgpu = await seen();
  expect(webgpu.orange).toBeGreaterThan(0.02);
  viewer.showSection('shading');
  await vi.waitFor(() => expect(checkbox().checked).toBe(true), 20_000);
  checkbox().click();
  await vi.waitFor(() => expect(main.viewer).not.toBe(viewer), 60_000);
  await opened();
  expect(main.viewer.viewport.sharedRenderer.isWebGPU).toBe(false);
  expect(location.search).toBe(''); // the visitor's choice replaces the parameter
  expect(localStorage.getItem('rigcast.renderer')).toBe('webgl');
  const webgl = await seen();
  expect(Math.abs(webgl.drawn - webgpu.drawn)).toBeLessThan(0.02);
  expect(Math.abs(webgl.orange - webgpu.orange)).toBeLessThan(0.02);
});

it('keeps WebGL and reports the reason if WebGPU is not available', async () => {
  const { viewer } = main;
  vi.spyOn(navigator.gpu, 'requestAdapter').mockResolvedValue(null);
  viewer.run('webgpu');
  await vi.waitFor(() => expect(viewer.refusal.value?.problem).toEqual({ code: 'failed', message: words.noWebGPU }), 20_000);
  expect(main.viewer).toBe(viewer); // the page was not replaced
  expect(viewer.viewport.sharedRenderer.isWebGPU).toBe(false);
  expect(localStorage.getItem('rigcast.renderer')).toBe('webgl');
});

it('keeps the model, its animation and the camera when the checkbox turns WebGPU on', async () => {
  const { viewer } = main;
  const state = ({ playback, session, view }: Viewer) => ({
    file: session.value.shown?.file.name,
    animation: session.value.selected,
    time: playback.time,
    isPlaying: playback.playing,
    camera: view.cameraRig.camera.position.toArray(),
  });
  vi.restoreAllMocks();
  viewer.refusal.value = null;
  viewer.playback.seek(0.4);
  viewer.playback.pause();
  viewer.view.cameraRig.orbitBy(0.6, 0.1);
  const before = state(viewer);
  const webgl = await seen();
  viewer.showSection('shading');
  await vi.waitFor(() => expect(checkbox().checked).toBe(false), 20_000);
  checkbox().click();
  await vi.waitFor(() => expect(main.viewer).not.toBe(viewer), 60_000);
  await opened();
  expect(main.viewer.viewport.sharedRenderer.isWebGPU).toBe(true);
  expect(main.viewer.refusal.value).toBeNull();
  expect(localStorage.getItem('rigcast.renderer')).toBe('webgpu');
  expect(state(main.viewer)).toEqual(before);
  const webgpu = await seen();
  expect(Math.abs(webgl.drawn - webgpu.drawn)).toBeLessThan(0.02);
  expect(Math.abs(webgl.orange - webgpu.orange)).toBeLessThan(0.02);
});
