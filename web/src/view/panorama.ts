// Skies from panorama images that a page or a visitor provides. This module is loaded when the
// first one is used.
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

/** Pixels per face of the cube map if the panorama is only used for lighting. */
const FACE = 256;
/** Pixels per face if the panorama is visible. */
const VISIBLE_FACE = 1024;
/** Wider images are scaled down to this width. */
const MAX_WIDTH = 2048;

/** Throws `Error` if the image is missing or invalid, and whatever `fetch` throws. */
export async function fetchPanorama(url: string, request: RequestInit): Promise<DisposableSky> {
  const response = await fetched(url, request);
  if (!response.ok) throw requestFailed(url, response);
  return loadPanorama(await response.blob(), url);
}

/**
 * `name` appears in error messages. `isVisible`: also draws the panorama as background. Throws
 * `Error` if the image can't be decoded.
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
    size: isVisible ? VISIBLE_FACE : FACE,
    isLightingOnly: !isVisible,
    dispose() {
      texture.dispose();
      if (texture.image instanceof ImageBitmap) texture.image.close();
    },
  };
}

/** Decodes a Radiance image. Its rows start at the top, so `flipY` is set. */
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
