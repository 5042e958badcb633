// Draws scenes with WebGLRenderer and with both back ends of WebGPURenderer, and compares the pictures.
import {
  AmbientLight,
  Box3,
  Color,
  DataTexture,
  DirectionalLight,
  FloatType,
  LinearFilter,
  type Object3D,
  PerspectiveCamera,
  RenderTarget,
  RepeatWrapping,
  Scene,
  type Texture,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { WebGPURenderer } from 'three/webgpu';

export const SIZE = 128;
export const webgl = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
webgl.setSize(SIZE, SIZE, false);
/** WebGPURenderer on either of its two back ends. */
export const backends = {
  WebGPU: new WebGPURenderer({ antialias: false }),
  'WebGL 2': new WebGPURenderer({ antialias: false, forceWebGL: true }),
};
export const hasWebGPU = ((await (navigator as { gpu?: { requestAdapter(): Promise<unknown> } }).gpu?.requestAdapter()) ?? null) !== null;
/** The back ends that this browser supports, with their names. */
export const usableBackends = Object.entries(backends).filter(([name]) => hasWebGPU || name !== 'WebGPU');
for (const each of Object.values(backends)) each.setSize(SIZE, SIZE, false);

export function disposeRenderers(): void {
  webgl.dispose();
  for (const each of Object.values(backends)) each.dispose();
}

/** Returns a scene with `thing`, and a camera that frames it from the front. */
export function staged(thing: Object3D): { scene: Scene; camera: PerspectiveCamera } {
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
export function pixelsOf(canvas: HTMLCanvasElement): Uint8ClampedArray {
  const copy = new OffscreenCanvas(SIZE, SIZE).getContext('2d')!;
  copy.drawImage(canvas, 0, 0);
  return copy.getImageData(0, 0, SIZE, SIZE).data;
}

const isDrawn = (data: Uint8ClampedArray, at: number): boolean => !(data[at] === 0 && data[at + 1] === 0 && data[at + 2] === 255);

/**
 * Compares two pictures. Returns the number of drawn pixels in `a`, and the fractions of them that
 * differ in coverage, and by more than `step` in a color channel. `isShifted`: a pixel of `b` may also
 * have a color between those of the nine pixels around it in `a`.
 */
export function differing(
  a: Uint8ClampedArray,
  b: Uint8ClampedArray,
  step: number,
  isShifted = false,
): { drawn: number; shape: number; colour: number } {
  const around = isShifted ? [-1, 0, 1].flatMap(y => [-1, 0, 1].map(x => 4 * (y * SIZE + x))) : [0];
  let drawn = 0;
  let shape = 0;
  let colour = 0;
  for (let at = 0; at < a.length; at += 4) {
    drawn += Number(isDrawn(a, at));
    const isSame = [0, 1, 2].every(channel => {
      const near = around.flatMap(offset => a[at + offset + channel] ?? []);
      const value = b[at + channel]!;
      return value >= Math.min(...near) - step && value <= Math.max(...near) + step;
    });
    if (isShifted ? isSame : isDrawn(a, at) === isDrawn(b, at)) colour += Number(!isSame);
    else ++shape;
  }
  return { drawn, shape: shape / drawn, colour: colour / drawn };
}

// Renders to float targets, because a WebGPU canvas stays empty with software rendering in
// Chromium.

export async function targetOfWebGL(thing: Object3D): Promise<Uint8ClampedArray> {
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

export async function targetOfWebGPU(thing: Object3D, renderer: WebGPURenderer): Promise<Uint8ClampedArray> {
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

/** Returns a texture with a pattern in all channels. */
export function pattern(seed: number): Texture {
  const size = 16;
  const data = Uint8Array.from({ length: 4 * size * size }, (_, i) => {
    const x = (i >> 2) % size;
    const y = Math.floor((i >> 2) / size);
    return 40 + ((Math.floor(x / 4) * 53 + Math.floor(y / 4) * 91 + (i % 4) * 37 * seed) % 200);
  });
  const texture = new DataTexture(data, size, size);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
