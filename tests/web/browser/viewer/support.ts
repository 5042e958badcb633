// Helpers for tests of the viewer: they create the page, drop files, and read the pixels of the
// picture.
import { cdp } from 'vitest/browser';
import { Viewer } from '../../../../web/src/viewer/viewer.ts';

/** Creates a viewer with its own style sheet. */
export async function makeViewer(): Promise<Viewer> {
  await addStyle();
  const root = document.createElement('div');
  document.body.append(root);
  return new Viewer(root);
}

export async function addStyle(): Promise<void> {
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = new URL('../../../../web/src/viewer/style.css', import.meta.url).href;
  const loaded = new Promise(resolve => style.addEventListener('load', resolve));
  document.head.append(style);
  await loaded;
}

/**
 * URL of this module. It is kept in a variable, because Vite would resolve a literal `new URL(…,
 * import.meta.url)` at build time.
 */
const here = import.meta.url;

export async function fetchBlob(path: string): Promise<Blob> {
  const response = await fetch(new URL(`../../../../${path}`, here));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.blob();
}

/** Drops files on the page. */
export async function dropOn(viewer: Viewer, ...files: File[]): Promise<void> {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  await viewer.idle;
}

/** Returns the RGBA pixels of the viewport without the floor, 160 × 120. */
export function pixelsOf(viewer: Viewer): Uint8ClampedArray {
  const { view } = viewer;
  view.ground.object.visible = false;
  viewer.viewport.sharedRenderer.renderer.render(view.scene, view.cameraRig.active);
  const canvas = document.createElement('canvas');
  canvas.width = 160;
  canvas.height = 120;
  const context = canvas.getContext('2d')!;
  context.drawImage(viewer.viewport.sharedRenderer.canvas, 0, 0, 160, 120);
  view.ground.object.visible = true;
  return context.getImageData(0, 0, 160, 120).data;
}

/**
 * Counts the drawn pixels without the floor: all, those in the orange of the fox, and those in the
 * teal of a pinch.
 */
export function pictureOf(viewer: Viewer): { drawn: number; orange: number; teal: number } {
  const data = pixelsOf(viewer);
  let drawn = 0;
  let orange = 0;
  let teal = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    if (alpha < 128) continue;
    ++drawn;
    if (red > 150 && red > blue * 1.6 && red > green * 1.2) ++orange;
    if (green > red * 1.2 && blue > red * 1.1) ++teal;
  }
  return { drawn, orange, teal };
}

export const press = (key: string, init: KeyboardEventInit = {}): boolean =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));

export const frames = (count: number): Promise<void> =>
  new Promise(resolve => {
    const step = (left: number): void => void (left <= 0 ? resolve() : requestAnimationFrame(() => step(left - 1)));
    step(count);
  });

/** Makes a touch screen the primary pointer, or the mouse again. */
export const emulateTouch = (enabled: boolean): Promise<unknown> =>
  (cdp() as { send: (method: string, parameters: object) => Promise<unknown> }).send('Emulation.setTouchEmulationEnabled', { enabled });
