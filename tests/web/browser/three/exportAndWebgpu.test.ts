// Rigs that are exported with GLTFExporter and loaded again, and rigs that are drawn with
// WebGPURenderer.
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  type MeshStandardMaterial,
  type Object3D,
  FloatType,
  PerspectiveCamera,
  RenderTarget,
  Scene,
  Texture,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { WebGPURenderer } from 'three/webgpu';
import { afterAll, describe, expect, it } from 'vitest';
import { assignTexture } from '../../../../web/src/three/materials/assignTexture.ts';
import { RigcastLoader } from '../../../../web/src/three/index.ts';

const SIZE = 128;
const webgl = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
webgl.setSize(SIZE, SIZE, false);
/** WebGPURenderer on either of its two back ends. */
const backends = {
  WebGPU: new WebGPURenderer({ antialias: false }),
  'WebGL 2': new WebGPURenderer({ antialias: false, forceWebGL: true }),
};
const hasWebGPU = ((await (navigator as { gpu?: { requestAdapter(): Promise<unknown> } }).gpu?.requestAdapter()) ?? null) !== null;
for (const each of Object.values(backends)) each.setSize(SIZE, SIZE, false);
afterAll(() => {
  webgl.dispose();
  for (const each of Object.values(backends)) each.dispose();
});

/** Returns a scene with `thing`, and a camera that frames it from the front. */
function staged(thing: Object3D): { scene: Scene; camera: PerspectiveCamera } {
  const scene = new Scene();
  scene.background = new Color(0x0000ff);
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(1, 2, 3);
  scene.add(thing, sun, new AmbientLight(0xffffff, 1));
  scene.updateMatrixWorld(true);
  const box = new Box3().setFromObject(thing, true);
  const center = box.getCenter(new Vector3());
  const camera = new PerspectiveCamera(30, 1, 0.01, 100);
  camera.position.copy(center).add(new Vector3(0, 0, box.getSize(new Vector3()).length() * 2));
  camera.lookAt(center);
  return { scene, camera };
}

/** Returns the pixels of `canvas`, row by row. */
function pixelsOf(canvas: HTMLCanvasElement): Uint8ClampedArray {
  const copy = new OffscreenCanvas(SIZE, SIZE).getContext('2d')!;
  copy.drawImage(canvas, 0, 0);
  return copy.getImageData(0, 0, SIZE, SIZE).data;
}

const isDrawn = (data: Uint8ClampedArray, at: number): boolean => !(data[at] === 0 && data[at + 1] === 0 && data[at + 2] === 255);

/**
 * Compares two pictures. Returns the number of drawn pixels in `a`, and the fractions of them that
 * differ in coverage, and by more than `step` in a color channel.
 */
function differing(a: Uint8ClampedArray, b: Uint8ClampedArray, step: number): { drawn: number; shape: number; colour: number } {
  let drawn = 0;
  let shape = 0;
  let colour = 0;
  for (let at = 0; at < a.length; at += 4) {
    drawn += Number(isDrawn(a, at));
    if (isDrawn(a, at) !== isDrawn(b, at)) ++shape;
    else if ([0, 1, 2].some(channel => Math.abs(a[at + channel]! - b[at + channel]!) > step)) ++colour;
  }
  return { drawn, shape: shape / drawn, colour: colour / drawn };
}

function drawnByWebGL(thing: Object3D): Uint8ClampedArray {
  const { scene, camera } = staged(thing);
  webgl.render(scene, camera);
  return pixelsOf(webgl.domElement);
}

async function drawnByWebGPU(thing: Object3D, renderer = backends['WebGL 2']): Promise<Uint8ClampedArray> {
  await renderer.init();
  const { scene, camera } = staged(thing);
  renderer.render(scene, camera);
  return pixelsOf(renderer.domElement);
}

const rigs = {
  'an avatar with toon materials': new URL('../../../../web/src/viewer/demo/Lotl.vgo', import.meta.url).href,
  'a VGO scene': new URL('../../../data/vgo/puppet.vgo', import.meta.url).href,
  'a skinned model': new URL('../../../data/unreal/arm.psk', import.meta.url).href,
};

it('is reported when WebGPURenderer draws materials with patched shaders', async () => {
  const rig = await new RigcastLoader().loadAsync(new URL('../../../../web/src/viewer/demo/Tock.cast', import.meta.url).href);
  // A gloss map uses the channel from which three.js reads roughness.
  const [made] = rig.materialsOf(0) as MeshStandardMaterial[];
  assignTexture(made!, 'gloss', new Texture());
  const told = () => rig.report.items.filter(({ code }) => code === 'MATERIAL_REDUCED').length;
  drawnByWebGL(rig.scene);
  expect(told()).toBe(0);
  await drawnByWebGPU(rig.scene);
  expect(told()).toBe(1);
});

describe.each(Object.entries(rigs))('%s', (_, address) => {
  it('looks the same after export and import by three.js', async () => {
    const rig = await new RigcastLoader().setOptions({ toon: 'standard' }).loadAsync(address);
    const shown = drawnByWebGL(rig.scene);
    const shader = await new RigcastLoader().loadAsync(address);
    const exported = await new GLTFExporter().parseAsync(await shader.cloneForExport(), { binary: true, animations: shader.animations });
    const gltf = await new GLTFLoader().parseAsync(exported as ArrayBuffer, '');
    expect(gltf.animations.map(({ name }) => name)).toEqual(shader.animations.map(({ name }) => name));
    const difference = differing(shown, drawnByWebGL(gltf.scene), 24);
    expect(difference.drawn).toBeGreaterThan(1000);
    expect(difference.shape).toBeLessThan(0.01);
    expect(difference.colour).toBeLessThan(0.05);
  });

  it.skipIf(!hasWebGPU)('looks the same with WebGPURenderer on WebGPU', async () => {
    await looksTheSame(address, backends.WebGPU);
    expect((backends.WebGPU.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend).toBe(true);
  });

  it('looks the same with WebGPURenderer on WebGL 2', () => looksTheSame(address, backends['WebGL 2']));
});

async function looksTheSame(address: string, renderer: WebGPURenderer): Promise<void> {
  const rig = await new RigcastLoader().detectSupport(renderer).loadAsync(address);
  await renderer.init();
  const difference = differing(await targetOfWebGL(rig.scene), await targetOfWebGPU(rig.scene, renderer), 8);
  expect(difference.drawn).toBeGreaterThan(1000);
  expect(difference.shape).toBeLessThan(0.01);
  expect(difference.colour).toBeLessThan(0.01);
}

// Renders to float targets, because a WebGPU canvas stays empty with software rendering in
// Chromium.

async function targetOfWebGL(thing: Object3D): Promise<Uint8ClampedArray> {
  const { scene, camera } = staged(thing);
  const target = new WebGLRenderTarget(SIZE, SIZE, { type: FloatType });
  webgl.setRenderTarget(target);
  webgl.render(scene, camera);
  webgl.setRenderTarget(null);
  const linear = new Float32Array(4 * SIZE * SIZE);
  webgl.readRenderTargetPixels(target, 0, 0, SIZE, SIZE, linear);
  target.dispose();
  return shown(linear, true);
}

async function targetOfWebGPU(thing: Object3D, renderer: WebGPURenderer): Promise<Uint8ClampedArray> {
  const { scene, camera } = staged(thing);
  const target = new RenderTarget(SIZE, SIZE, { type: FloatType });
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  renderer.setRenderTarget(null);
  const linear = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE)) as Float32Array;
  target.dispose();
  return shown(linear, (renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend !== true);
}

/**
 * Converts linear colors to an image. `isFromBelow` is true for WebGL, which stores rows bottom-up.
 */
function shown(linear: Float32Array, isFromBelow: boolean): Uint8ClampedArray {
  const picture = new Uint8ClampedArray(linear.length);
  const row = 4 * SIZE;
  for (let at = 0; at < linear.length; at++) {
    const from = isFromBelow ? linear.length - row * (1 + Math.floor(at / row)) + (at % row) : at;
    const value = Math.min(Math.max(linear[from]!, 0), 1);
    picture[at] = 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
  }
  return picture;
}
