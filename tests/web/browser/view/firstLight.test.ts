// Without a graphics card, views are first shown in analytic light, because generating the
// environment takes seconds. The tests run with the software rasteriser of Chromium.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Mesh, MeshStandardMaterial, PMREMGenerator, Scene, SphereGeometry } from 'three';
import { deferred } from '../../../../web/src/element/deferred.ts';
import { isSoftware } from '../../../../web/src/view/software.ts';
import { SharedRenderer } from '../../../../web/src/view/sharedRenderer.ts';
import { View } from '../../../../web/src/view/view.ts';

interface Frame {
  hasEnvironment: boolean;
  share: number;
  /** Mean of red, green and blue over the drawn pixels, 0 to 255. */
  brightness: number;
}

let sharedRenderer: SharedRenderer;
let views: View[] = [];

/** Adds a view of a diffuse ball. Returns the view and its frames. */
function add(): { view: View; frames: Frame[]; firstFrame: Promise<void> } {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const frames: Frame[] = [];
  const first = deferred<void>();
  const view = new View(canvas, {
    drawn: () => {
      const { environment } = view.scene;
      frames.push({ hasEnvironment: environment !== null, share: view.environmentShare, brightness: brightness(canvas) });
      first.resolve();
    },
  });
  view.ground.shadowVisible = view.ground.gridVisible = false;
  view.show(new Mesh(new SphereGeometry(1, 32, 16), new MeshStandardMaterial({ color: 0xb08060 })));
  view.setSize(60, 60);
  sharedRenderer.add(view, canvas);
  views.push(view);
  return { view, frames, firstFrame: first.promise };
}

function brightness(canvas: HTMLCanvasElement): number {
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  let [sum, count] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3]! < 255) continue;
    sum += (data[i]! + data[i + 1]! + data[i + 2]!) / 3;
    count++;
  }
  return sum / count;
}

async function pixels(view: View): Promise<string> {
  const bitmap = await createImageBitmap((await sharedRenderer.toBlob(view))!);
  const context = Object.assign(document.createElement('canvas'), { width: 60, height: 60 }).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, 60, 60).data.join();
}

const isFinal = (view: View): boolean => view.environmentShare === 1 && !view.isDirty;

/** Resolves after an idle time in which a planned environment would be generated. */
async function idle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame);
  await new Promise(resolve => requestIdleCallback(resolve));
}

afterEach(() => {
  for (const view of views) view.dispose();
  views = [];
  sharedRenderer.dispose();
  vi.restoreAllMocks();
});

describe('without a graphics card', () => {
  it('views appear at once and fade to one environment without a change of brightness', async () => {
    const made = vi.spyOn(PMREMGenerator.prototype, 'fromScene');
    sharedRenderer = new SharedRenderer();
    const shown = [add(), add()];
    await Promise.all(shown.map(({ firstFrame }) => firstFrame));
    expect(made).not.toHaveBeenCalled();
    await expect.poll(() => shown.every(({ view }) => isFinal(view))).toBe(true);
    expect(made).toHaveBeenCalledTimes(1);
    for (const { frames } of shown) {
      const { brightness: last } = frames.at(-1)!;
      expect(frames[0]).toMatchObject({ hasEnvironment: false, share: 0 });
      expect(frames.at(-1)).toMatchObject({ hasEnvironment: true, share: 1 });
      expect(frames.some(({ hasEnvironment, share }) => hasEnvironment && share < 0.2)).toBe(true);
      for (const frame of frames) expect(Math.abs(frame.brightness - last)).toBeLessThan(0.06 * last);
    }
  });

  it('a picture that is taken before shows the environment', async () => {
    sharedRenderer = new SharedRenderer();
    const { view, frames, firstFrame } = add();
    await firstFrame;
    expect(frames.some(({ hasEnvironment }) => hasEnvironment)).toBe(false);
    const early = await pixels(view);
    await expect.poll(() => isFinal(view)).toBe(true);
    expect(early).toBe(await pixels(view));
  });

  it('the environment appears without a fade for visitors who prefer reduced motion, and although a view is removed', async () => {
    vi.spyOn(window, 'matchMedia').mockReturnValue(Object.assign(new EventTarget(), { matches: true }) as MediaQueryList);
    const made = vi.spyOn(PMREMGenerator.prototype, 'fromScene');
    sharedRenderer = new SharedRenderer();
    const [removed, kept] = [add(), add()];
    await Promise.all([removed.firstFrame, kept.firstFrame]);
    await expect.poll(() => made.mock.calls.length).toBe(1);
    sharedRenderer.remove(removed.view);
    await expect.poll(() => isFinal(kept.view)).toBe(true);
    expect(new Set(kept.frames.map(({ share }) => share))).toEqual(new Set([0, 1]));
    expect(removed.view.scene.environment).toBeNull();
  });

  it('a sky that is set before replaces the room, which is not generated', async () => {
    const made = vi.spyOn(PMREMGenerator.prototype, 'fromScene');
    sharedRenderer = new SharedRenderer();
    const { view, frames, firstFrame } = add();
    await firstFrame;
    view.sky = { scene: new Scene(), size: 32 };
    await expect.poll(() => isFinal(view)).toBe(true);
    await idle();
    expect(frames.at(-1)!.hasEnvironment).toBe(true);
    expect(made).not.toHaveBeenCalled();
  });

  it('no environment is generated for views that were removed', async () => {
    const made = vi.spyOn(PMREMGenerator.prototype, 'fromScene');
    sharedRenderer = new SharedRenderer();
    const { view, firstFrame } = add();
    await firstFrame;
    sharedRenderer.remove(view);
    await idle();
    expect(made).not.toHaveBeenCalled();
  });
});

it('with a graphics card, the first picture shows the environment', async () => {
  const { getParameter } = WebGL2RenderingContext.prototype;
  vi.spyOn(WebGL2RenderingContext.prototype, 'getParameter').mockImplementation(function (
    this: WebGL2RenderingContext,
    name: number,
  ): unknown {
    return name === this.RENDERER ? 'NVIDIA GeForce' : getParameter.call(this, name);
  });
  sharedRenderer = new SharedRenderer();
  const { frames, firstFrame } = add();
  await firstFrame;
  expect(frames[0]).toMatchObject({ hasEnvironment: true, share: 1 });
});

it('software rasterisers are detected by their names', () => {
  const nameOf = (renderer: string, unmasked: string | null): WebGL2RenderingContext => {
    const names: Record<string, unknown> = { RENDERER: 1, getExtension: () => unmasked && { UNMASKED_RENDERER_WEBGL: 2 } };
    return { ...names, getParameter: (name: number) => (name === 1 ? renderer : unmasked) } as unknown as WebGL2RenderingContext;
  };
  sharedRenderer = new SharedRenderer();
  expect(isSoftware(nameOf('WebKit WebGL', 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)))'))).toBe(true);
  expect(isSoftware(nameOf('llvmpipe, or similar', null))).toBe(true);
  expect(isSoftware(nameOf('WebKit WebGL', 'ANGLE (Microsoft, Microsoft Basic Render Driver Direct3D11)'))).toBe(true);
  expect(isSoftware(nameOf('WebKit WebGL', 'ANGLE (Intel, Mesa Intel(R) UHD Graphics 620)'))).toBe(false);
  expect(isSoftware(nameOf('WebKit WebGL', null))).toBe(false);
});
