// Elements that draw with WebGPU: one device for all, the same picture as with WebGL, a lost device,
// and WebGL if WebGPU is not available.
import { afterEach, describe, expect, it, vi } from 'vitest';
import '../../../../web/src/element/webgpu.ts';
import type { RigcastViewerElement } from '../../../../web/src/element/index.ts';
import { SharedRenderer } from '../../../../web/src/view/sharedRenderer.ts';
import { createWebGPU } from '../../../../web/src/view/webgpu/graphics.ts';
// @ts-expect-error a plain script
import { encodeVgo as encode, VgoResource as Resource } from '../../../support/vgoFile.mjs';
import { add, demo, drawn, frame, inside } from './support.ts';

const encodeVgo = encode as (parts: object) => Uint8Array<ArrayBuffer>;
const VgoResource = Resource as new () => { add(values: ArrayBufferView, type: string, kind?: number): number };

const fox = { src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}`, shadow: '0.6', ground: '', loading: 'eager' };

afterEach(() => {
  document.querySelectorAll('rigcast-viewer').forEach(element => element.remove());
  vi.restoreAllMocks();
});

/** Resolves when all elements show their model in its final light. */
async function settled(...elements: RigcastViewerElement[]): Promise<void> {
  window.scrollTo(0, 0);
  const all = await Promise.all(elements.map(({ ready }) => ready));
  await expect
    .poll(async () => (await frame(), all.some(({ view }) => view.isVisible && (view.isDirty || view.environmentShare < 1))), {
      timeout: 60_000,
    })
    .toBe(false);
}

/** Size of the elements, whose pictures are compared at a quarter of the size. */
const style = 'width: 320px; height: 240px';

/** Returns the pixels of an element at a quarter of its size. The graphics APIs sample edges at different positions. */
function pixelsOf(element: RigcastViewerElement): ImageData {
  const [half, quarter] = [160, 80].map(width => new OffscreenCanvas(width, (width * 3) / 4).getContext('2d')!) as [
    OffscreenCanvasRenderingContext2D,
    OffscreenCanvasRenderingContext2D,
  ];
  half.drawImage(inside<HTMLCanvasElement>(element, 'canvas'), 0, 0, 160, 120);
  quarter.drawImage(half.canvas, 0, 0, 80, 60);
  return quarter.getImageData(0, 0, 80, 60);
}

/** Returns the share of the drawn pixels that differ by more than `tolerance` of 255 in a channel. */
function differing({ data: a }: ImageData, { data: b }: ImageData, tolerance = 16): number {
  let count = 0;
  let different = 0;
  for (let at = 0; at < a.length; at += 4) {
    if (a[at + 3] === 0 && b[at + 3] === 0) continue;
    count++;
    if ([0, 1, 2, 3].some(c => Math.abs(a[at + c]! - b[at + c]!) > tolerance)) different++;
  }
  expect(count).toBeGreaterThan(300);
  return different / count;
}

it('the first frames of another model, its shadow, and parts beside the camera compile nothing while the page waits', async () => {
  const element = add({ src: demo('Mushroom.cast'), shadow: '0.6', loading: 'eager', renderer: 'webgpu', style });
  await settled(element);
  const compiled: string[] = [];
  const { createRenderPipeline } = GPUDevice.prototype;
  vi.spyOn(GPUDevice.prototype, 'createRenderPipeline').mockImplementation(function (this: GPUDevice, descriptor) {
    if (!descriptor.label?.startsWith('mipmap')) compiled.push(descriptor.label ?? '');
    return createRenderPipeline.call(this, descriptor);
  });
  element.setAttribute('src', demo('Tock.cast'));
  await vi.waitFor(() => expect(element.matches(':state(loading)')).toBe(true));
  await settled(element);
  expect(compiled).toEqual([]);
});

/** Attributes, and the share of pixels that may differ. */
const scenes: Record<string, [attributes: Record<string, string>, limit: number]> = {
  'a skinned model with a floor and a shadow': [fox, 0.02],
  // Its outlines are narrower than a pixel of the comparison. The pictures differ only along edges,
  // and 2.5 % of the pixels differ even without outlines.
  'toon materials with outlines': [{ src: demo('Lotl.vgo'), shadow: '0.6' }, 0.05],
  'hair, metal and emission': [{ src: demo('Tock.cast'), shadow: '0.6', skeleton: '' }, 0.02],
  'recorded hands': [{ src: demo('wavingHands.bin'), ground: '' }, 0.02],
};

/** Paints a picture whose quarters have different colours, which also differ from those of other faces. */
async function picture(face: number): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(64, 64);
  const context = canvas.getContext('2d')!;
  for (let quarter = 0; quarter < 4; quarter++) {
    context.fillStyle = `hsl(${60 * face + 15 * quarter} 70% ${30 + 15 * quarter}%)`;
    context.fillRect((quarter % 2) * 32, Math.floor(quarter / 2) * 32, 32, 32);
  }
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

/** Returns the URL of a VGO file with a triangle, and with a sky of six images. */
async function skyFile(): Promise<string> {
  const slots = ['Front', 'Back', 'Left', 'Right', 'Up', 'Down'].map(face => `_${face}Tex`);
  const resource = new VgoResource();
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const images = await Promise.all(slots.map(async (_, face) => resource.add(await picture(face), 'u8', 1)));
  const attributes = {
    POSITION: resource.add(Float32Array.of(-1, -1, 0, 1, -1, 0, 0, 1, 0), 'vec3'),
    NORMAL: resource.add(Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1), 'vec3'),
  };
  const subMeshes = [resource.add(Uint16Array.of(0, 1, 2), 'u16')];
  resource.add(Float32Array.from([...identity, ...identity]), 'mat4', 2);
  const layout = {
    nodes: [
      { name: 'root', isRoot: true, children: [1] },
      { name: 'triangle', meshRenderer: { name: 'triangle', mesh: 0, materials: [0] }, skybox: { materialIndex: 1 } },
    ],
    meshes: [{ name: 'triangle', attributes, subMeshes }],
    textures: slots.map((name, i) => ({
      name,
      source: images[i],
      dimensionType: 2,
      mimeType: 'image/png',
      filterMode: 1,
      wrapModeU: 1,
      wrapModeV: 1,
      colorSpace: 1,
    })),
    materials: [
      { name: 'white', shaderName: 'Standard', colorProperties: { _Color: [1, 1, 1, 1] }, floatProperties: { _Glossiness: 0 } },
      { name: 'sky', shaderName: 'Skybox/6 Sided', textureIndexProperties: Object.fromEntries(slots.map((slot, i) => [slot, i])) },
    ],
  };
  const bytes = encodeVgo({ assetInfo: { generator: { name: 'rigcast tests', version: '1' } }, layout, resource });
  return URL.createObjectURL(new File([bytes], 'sky.vgo'));
}

describe('an element with renderer="webgpu"', () => {
  it.each(Object.entries(scenes))('draws %s as with WebGL', async (_, [attributes, limit]) => {
    const errors: string[] = [];
    const [webgl, webgpu] = ['webgl', 'webgpu'].map(renderer => {
      const element = add({ ...attributes, renderer, style, loading: 'eager' });
      element.addEventListener('error', ({ detail }) => errors.push(detail.message));
      return element;
    }) as [RigcastViewerElement, RigcastViewerElement];
    await settled(webgl, webgpu);
    expect(errors).toEqual([]);
    expect(differing(pixelsOf(webgl), pixelsOf(webgpu))).toBeLessThan(limit);
  });

  it('draws the same picture in other shading modes', async () => {
    const { ViewModePass } = await import('../../../../web/src/view/modes.ts');
    const { showWeights } = await import('../../../../web/src/view/weights.ts');
    const both = ['webgl', 'webgpu'].map(renderer => add({ ...fox, renderer, style }));
    await settled(...both);
    for (const [mode, wireframe] of [
      ['normals', false],
      ['weights', false],
      ['lit', true],
    ] as const) {
      for (const element of both) {
        const { rig, view } = await element.ready;
        showWeights(rig.scene, null);
        view.pass = Object.assign(new ViewModePass(), { mode, wireframe });
        view.invalidate();
      }
      await settled(...both);
      expect(differing(pixelsOf(both[0]!), pixelsOf(both[1]!)), mode).toBeLessThan(0.02);
    }
  });

  it('draws the same sky, and lights the model with it', async () => {
    const { createPreset } = await import('../../../../web/src/view/environmentPresets.ts');
    const both = ['webgl', 'webgpu'].map(renderer => add({ ...fox, renderer, style }));
    await settled(...both);
    for (const { ready } of both) (await ready).view.sky = createPreset('evening', true);
    await settled(...both);
    expect(drawn(both[1]!)).toBe(1);
    expect(differing(pixelsOf(both[0]!), pixelsOf(both[1]!))).toBeLessThan(0.02);
  });

  it('draws the sky of a VGO file in the same directions', async () => {
    // The camera sees four faces of the sky.
    const sky = { src: await skyFile(), 'camera-orbit': '20deg 70deg 400%', 'field-of-view': '90deg', shadow: 'none' };
    const both = ['webgl', 'webgpu'].map(renderer => add({ ...sky, renderer, style }));
    await settled(...both);
    expect(drawn(both[1]!)).toBe(1);
    expect(differing(pixelsOf(both[0]!), pixelsOf(both[1]!), 8)).toBeLessThan(0.02);
  });

  it('shares one device with fifty others', async () => {
    const devices = vi.spyOn(GPUAdapter.prototype, 'requestDevice');
    const page = document.createElement('div');
    document.body.append(page);
    const elements = Array.from({ length: 50 }, () =>
      add({ ...fox, renderer: 'webgpu', style: 'display: inline-block; width: 60px; height: 60px' }, page),
    );
    await Promise.all(elements.map(({ ready }) => ready));
    const shared = await SharedRenderer.sharedWebGPU(createWebGPU);
    expect(shared.size).toBe(50);
    expect(devices.mock.calls.length).toBeLessThanOrEqual(1); // none if an earlier test has created it
    page.remove();
    await frame();
    expect(shared.size).toBe(0);
  });

  it('shows its picture again after the device was lost', async () => {
    const devices: GPUDevice[] = [];
    const create = GPUAdapter.prototype.requestDevice;
    (await SharedRenderer.sharedWebGPU(createWebGPU)).dispose(); // that of earlier tests
    vi.spyOn(GPUAdapter.prototype, 'requestDevice').mockImplementation(async function (this: GPUAdapter, options) {
      devices.push(await create.call(this, options));
      return devices.at(-1)!;
    });
    const element = add({ ...fox, renderer: 'webgpu' });
    await settled(element);
    const before = pixelsOf(element);
    const { rig, view } = await element.ready;
    devices[0]!.destroy();
    await expect.poll(() => devices.length).toBe(2);
    await expect.poll(() => element.matches(':state(lost)')).toBe(false);
    const canvas = inside<HTMLCanvasElement>(element, 'canvas');
    canvas.width = 1; // clears the picture
    view.invalidate();
    await settled(element);
    expect((await element.ready).rig).toBe(rig); // the model was not loaded again
    expect(differing(before, pixelsOf(element))).toBe(0);
  });

  it('loads the model again with the other renderer if the attribute changes', async () => {
    const element = add({ ...fox, renderer: 'webgpu' });
    await settled(element);
    const { rig } = await element.ready;
    element.renderer = null;
    await frame();
    await settled(element);
    expect((await element.ready).rig).not.toBe(rig);
    expect((await SharedRenderer.sharedWebGPU(createWebGPU)).size).toBe(0);
    expect(drawn(element)).toBeGreaterThan(0.05);
  });

  it('uses WebGL and reports the reason if WebGPU is not available', async () => {
    (await SharedRenderer.sharedWebGPU(createWebGPU)).dispose();
    vi.spyOn(navigator.gpu, 'requestAdapter').mockResolvedValue(null);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const errors: string[] = [];
    const element = add({ ...fox, renderer: 'webgpu' });
    element.addEventListener('error', ({ detail }) => errors.push(detail.message));
    await settled(element);
    expect(errors).toEqual(['renderer="webgpu": WebGPU is not available in this browser, or it is turned off. WebGL is used.']);
    expect(warn).toHaveBeenCalledOnce();
    expect(drawn(element)).toBeGreaterThan(0.05);
  });
});
