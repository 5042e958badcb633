// Loads the images of materials, removes duplicates, and converts formats that glTF does not
// support to PNG.
import { RigcastError } from '../../core/error.ts';
import { needsThree } from '../../core/needsThree.ts';
import { vectorAt } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import type { TexturedScene, RawImage } from './texturedScene.ts';
import type { ReportBuilder } from './report.ts';
import { encodePng, type Pixels } from './png.ts';

/** An image in a format that glTF supports. */
export interface StoredImage {
  name: string;
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Uint8Array;
  /** True if `bytes` is the unchanged image file. */
  isUnchanged: boolean;
}

/**
 * Images that were stored unchanged, by name. The map prevents an image that several materials or
 * models use from being stored again.
 */
export type UnchangedImages = Map<string, [RawImage, StoredImage]>;

/**
 * Loads images and converts them for glTF. `wanted`: rows of `scene.images`. The result contains
 * null for an image that cannot be stored. `unchanged`: images that earlier calls stored unchanged.
 */
export async function storeImages(
  textured: TexturedScene,
  wanted: ReadonlySet<number>,
  report: ReportBuilder,
  unchanged: UnchangedImages = new Map(),
): Promise<Map<number, StoredImage | null>> {
  const stored = new Map<number, StoredImage | null>();
  for (const row of wanted) {
    const found = await textured.imageOf(row);
    const { path, name } = textured.scene.images[row] ?? {};
    if (!found) report.add('TEXTURE_MISSING', path || name || '', 1);
    let made = found && (await store(found, report));
    if (found && made?.isUnchanged) {
      const [same, before] = unchanged.get(found.name) ?? [];
      if (before && same && isSame(same.bytes, found.bytes, before.bytes, made.bytes)) made = before;
      unchanged.set(found.name, [found, made]);
    }
    stored.set(row, made);
  }
  return stored;
}

/**
 * True if two images have the same bytes. `a`, `b`: blobs or arrays from which their bytes were
 * read.
 */
function isSame(a: RawImage['bytes'], b: RawImage['bytes'], bytesA: Uint8Array, bytesB: Uint8Array): boolean {
  return a === b || (bytesA.length === bytesB.length && bytesA.every((byte, i) => byte === bytesB[i]));
}

async function store({ name, bytes: source, isTurned, isCut }: RawImage, report: ReportBuilder): Promise<StoredImage | null> {
  const bytes = source instanceof Blob ? new Uint8Array(await source.arrayBuffer()) : source;
  const mimeType = typeOf(bytes);
  if (mimeType && !isTurned && !isCut) return { name, mimeType, bytes, isUnchanged: true };
  try {
    const pixels = await decode(name, bytes);
    const cut = isCut ? await cutByColor(pixels, bytes) : null;
    if (mimeType && !isTurned && !cut) return { name, mimeType, bytes, isUnchanged: true };
    if (cut) pixels.data = cut.data;
    if (isTurned) for (let i = 1; i < pixels.data.length; i += 4) pixels.data[i] = 255 - numberAt(pixels.data, i);
    const how = [
      `${pixels.width} × ${pixels.height}`,
      ...(isTurned ? ['green channel of normals inverted'] : []),
      ...(cut ? [`${cut.color} made transparent`] : []),
    ];
    report.add('TEXTURE_REENCODED', name, 1, how.join(', '));
    return { name, mimeType: 'image/png', bytes: await encodePng(pixels), isUnchanged: false };
  } catch (error) {
    if (mimeType && !isTurned) {
      report.add('TEXTURE_UNCUT', name, 1, error instanceof Error ? error.message : String(error));
      return { name, mimeType, bytes, isUnchanged: true };
    }
    report.add('TEXTURE_UNSUPPORTED', name, 1, error instanceof Error ? error.message : String(error));
    return null;
  }
}

/**
 * Copies the red channel of an image to green and blue. If the image cannot be decoded, returns it
 * unchanged and reports this.
 */
export const redAsGrey = async (image: StoredImage, report: ReportBuilder): Promise<StoredImage> =>
  (await repainted(image, report, 'red channel in all channels', (data, i) => data.fill(data[i]!, i + 1, i + 3))) ?? image;

/**
 * Converts a metallic-roughness texture from glTF to Unity: metalness in red, smoothness in alpha.
 * If the image cannot be decoded, returns null and reports this.
 */
export const roughInAlpha = (image: StoredImage, report: ReportBuilder): Promise<StoredImage | null> =>
  repainted(image, report, 'smoothness instead of roughness', (data, i) => {
    const [r, g, b] = vectorAt(data, i);
    data.set([b, r, 0, 255 - g], i);
  });

/**
 * Calls `paint` for each pixel of an image and returns the result as PNG, or null if the image
 * cannot be decoded. `paint` gets the pixel data and the offset of the pixel's red channel, and
 * changes the data in place.
 */
async function repainted(
  { name, bytes }: StoredImage,
  report: ReportBuilder,
  how: string,
  paint: (data: Pixels['data'], offset: number) => void,
): Promise<StoredImage | null> {
  try {
    const pixels = await decode(name, bytes);
    for (let i = 0; i < pixels.data.length; i += 4) paint(pixels.data, i);
    report.add('TEXTURE_REENCODED', name, 1, `${pixels.width} × ${pixels.height}, ${how}`);
    return { name, mimeType: 'image/png', bytes: await encodePng(pixels), isUnchanged: false };
  } catch (error) {
    report.add('TEXTURE_UNSUPPORTED', name, 1, error instanceof Error ? error.message : String(error));
    return null;
  }
}

/**
 * Makes pixels in the mask colour transparent. Returns null if the image has no mask colour or
 * already contains transparent pixels.
 */
async function cutByColor({ data, width, height }: Pixels, file: Uint8Array): Promise<{ data: Uint8Array; color: string } | null> {
  const { colorText, applyColorKey: cutColorKey, findColorKey } = await import('../../textures/colorKey.ts');
  const key = findColorKey(data, width, height, file);
  return key && { data: cutColorKey(data, width, height, key), color: colorText(key.color) };
}

/** Decodes an image to RGBA. Rejects if the format is not supported or the file is damaged. */
export async function decode(name: string, bytes: Uint8Array): Promise<Pixels> {
  if (typeOf(bytes) === 'image/png' && typeof createImageBitmap === 'undefined') return (await import('./pngDecode.ts')).decodePng(bytes);
  // The module is imported on demand, because it loads three.js and the decoders of the viewer.
  const { decodeTexture, pixelsOf } = await needsThree(import('../../three/materials/decode.ts'));
  const pixels = pixelsOf(await decodeTexture({ name, bytes }, () => false));
  if (!pixels) throw new RigcastError('IMAGE_UNSUPPORTED', 'the image has a compressed format that only GPUs can decode');
  return pixels;
}

/**
 * Determines the type of an image from its first bytes, because file extensions can be wrong.
 * Returns null if the type is unknown.
 */
function typeOf(bytes: Uint8Array): StoredImage['mimeType'] | null {
  const starts = (text: string, at = 0): boolean => [...text].every((char, i) => bytes[at + i] === char.charCodeAt(0));
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  return null;
}
