// Computes the average color of an image, for meshes without texture coordinates.
import { Color, SRGBColorSpace, type Texture } from 'three';

/**
 * Returns the average linear color of a texture, or null if its pixels can't be read (compressed
 * textures).
 */
export function averageColor({ image }: Texture): Color | null {
  const { data } = image as { data?: unknown };
  const pixels = data instanceof Uint8Array || data instanceof Uint8ClampedArray ? data : pixelsOf(image);
  if (!pixels || pixels.length < 4) return null;
  const sum = new Color(0, 0, 0);
  const one = new Color();
  const step = 4 * Math.max(1, Math.floor(pixels.length / 4 / 65_536));
  let count = 0;
  for (let i = 0; i + 3 < pixels.length; i += step, count++) {
    sum.add(one.setRGB(pixels[i]! / 255, pixels[i + 1]! / 255, pixels[i + 2]! / 255, SRGBColorSpace));
  }
  return sum.multiplyScalar(1 / count);
}

function pixelsOf(image: unknown): Uint8ClampedArray | null {
  if (typeof ImageBitmap === 'undefined' || !(image instanceof ImageBitmap)) return null;
  const context = new OffscreenCanvas(64, 64).getContext('2d');
  context?.drawImage(image, 0, 0, 64, 64);
  return context?.getImageData(0, 0, 64, 64).data ?? null;
}
