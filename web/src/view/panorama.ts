// Creates skies from panorama images that a page or a visitor provides. This module is loaded with
// the first panorama.
import {
  DataTexture,
  EquirectangularReflectionMapping,
  HalfFloatType,
  LinearFilter,
  LinearSRGBColorSpace,
  Scene,
  SRGBColorSpace,
  Texture,
} from 'three';
import { fetched, requestFailed } from '../core/fetched.ts';
import type { DisposableSky } from './environmentPresets.ts';
import { RigcastError } from '../core/error.ts';

/** Width of a cube map face in pixels if the panorama is used only for lighting. */
const FACE = 256;
/** Maximum width of a cube map face in pixels if the panorama is visible. */
const VISIBLE_FACE = 1024;
/** Maximum width of a panorama in pixels. Wider images are scaled down. */
const MAX_WIDTH = 2048;

/**
 * Fetches a panorama and creates a sky. `isVisible`: true to draw the panorama as background. Throws
 * `Error` if the image can't be fetched or decoded.
 */
export async function fetchPanorama(url: string, request: RequestInit, isVisible = false): Promise<DisposableSky> {
  const response = await fetched(url, request);
  if (!response.ok) throw requestFailed(url, response);
  return loadPanorama(await response.blob(), url, isVisible);
}

/**
 * Creates a sky from a panorama. `name`: name for error messages. `isVisible`: true to draw the
 * panorama as background. Throws `Error` if the image can't be decoded.
 */
export async function loadPanorama(blob: Blob, name: string, isVisible = false): Promise<DisposableSky> {
  const head = await blob.slice(0, 10).text();
  const texture = head.startsWith('#?') ? await decodeRadiance(blob, name) : await image(blob, name);
  texture.mapping = EquirectangularReflectionMapping;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  const scene = new Scene();
  scene.background = texture;
  return {
    scene,
    size: isVisible ? visibleFace((texture.image as { width: number }).width) : FACE,
    isLightingOnly: !isVisible,
    dispose() {
      texture.dispose();
      if (texture.image instanceof ImageBitmap) texture.image.close();
    },
  };
}

/**
 * Returns the width of a cube map face in pixels for a visible panorama of this width: half of it as a
 * power of two, which keeps all details, because a face covers a quarter of the horizon.
 */
function visibleFace(width: number): number {
  return Math.min(Math.max(2 ** Math.ceil(Math.log2(width / 2)), FACE), VISIBLE_FACE);
}

/** Decodes a Radiance image. `flipY` is set, because the first row of the image is the top. */
async function decodeRadiance(blob: Blob, name: string): Promise<Texture> {
  const { HDRLoader } = await import('./vendor/hdr.ts');
  let read;
  try {
    read = new HDRLoader().parse(await blob.arrayBuffer());
  } catch (error) {
    throw new RigcastError(
      'IMAGE_UNREADABLE',
      `${name} is not a readable Radiance image: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  const { data, width, height } = read as { data: Uint16Array<ArrayBuffer>; width: number; height: number };
  const texture = new DataTexture(data, width, height);
  texture.type = HalfFloatType;
  texture.colorSpace = LinearSRGBColorSpace;
  texture.flipY = true;
  return texture;
}

async function image(blob: Blob, name: string): Promise<Texture> {
  const bitmap = await createImageBitmap(blob, { imageOrientation: 'flipY', colorSpaceConversion: 'none' }).catch(() => null);
  if (!bitmap) throw new RigcastError('IMAGE_UNREADABLE', `${name} is not an image that this browser supports.`);
  const texture = new Texture(bitmap.width > MAX_WIDTH ? await scaleDown(bitmap) : bitmap);
  texture.colorSpace = SRGBColorSpace;
  texture.flipY = false;
  return texture;
}

async function scaleDown(bitmap: ImageBitmap): Promise<ImageBitmap> {
  const resizeHeight = Math.max(Math.round((bitmap.height * MAX_WIDTH) / bitmap.width), 1);
  const made = await createImageBitmap(bitmap, { resizeWidth: MAX_WIDTH, resizeHeight, resizeQuality: 'medium' });
  bitmap.close();
  return made;
}
