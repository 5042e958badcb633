// Skies whose shaders are GLSL, such as those of Unity. WebGPURenderer can't draw them, so WebGL
// draws their cube map, whose pixels are then copied.
import {
  CubeTexture,
  DataTexture,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  type Material,
  Mesh,
  type Scene,
  WebGLRenderer,
} from 'three';
import type { Sky } from '../environment.ts';
import type { SkyMap } from '../graphics.ts';
import { cubeOf } from '../webglGraphics.ts';

/** Maximum width of a face in pixels. The pixels of wider skies would take hundreds of megabytes. */
const MAX_SIZE = 1024;

/** Returns true if a material of the scene is GLSL. */
export function hasGlsl(scene: Scene): boolean {
  let isFound = false;
  scene.traverse(object => (isFound ||= object instanceof Mesh && 'isShaderMaterial' in (object.material as Material)));
  return isFound;
}

/** Draws a sky with a WebGL context that exists only during this call. */
export function pixelsOf(sky: Sky): NonNullable<SkyMap['cube']> {
  const size = Math.min(sky.size, MAX_SIZE);
  const renderer = new WebGLRenderer();
  const cube = cubeOf(renderer, { ...sky, size });
  const faces = Array.from({ length: 6 }, (_, face) => {
    const pixels = new Uint16Array(4 * size * size);
    renderer.readRenderTargetPixels(cube, 0, 0, size, size, pixels, face);
    return pixels;
  });
  cube.dispose();
  renderer.dispose();
  renderer.forceContextLoss();
  // three.js reads cube textures mirrored, except render targets of WebGL.
  const [px, nx, ...others] = faces.map(pixels => new DataTexture(mirrored(pixels, size), size, size, undefined, HalfFloatType));
  const texture = new CubeTexture([nx, px, ...others] as never);
  Object.assign(texture, { type: HalfFloatType, generateMipmaps: true, minFilter: LinearMipmapLinearFilter, magFilter: LinearFilter });
  texture.needsUpdate = true;
  return { texture, dispose: () => texture.dispose() };
}

/** Reverses the pixels in each row. */
function mirrored(pixels: Uint16Array<ArrayBuffer>, size: number): Uint16Array<ArrayBuffer> {
  const texels = new BigUint64Array(pixels.buffer); // one per pixel
  for (let row = 0; row < size; row++) texels.subarray(row * size, (row + 1) * size).reverse();
  return pixels;
}
