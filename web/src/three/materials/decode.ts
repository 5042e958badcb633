// Decodes image files to textures. Decoders are imported on demand.
import { LinearMipmapLinearFilter, Texture } from 'three';
import { type BlockExtension, dataTexture, MAX_SIZE } from './imageKinds.ts';
import { copyOf } from '../../core/bytes.ts';
import { RigcastError } from '../../core/error.ts';
import { UNSUPPORTED_IMAGES } from '../../textures/names.ts';
import { extensionOf, type FoundImage } from '../../textures/sources.ts';

/**
 * Decodes an image file. The image format is detected by content, except TGA, which has no
 * signature and is detected by name.
 */
export async function decodeTexture({ name, bytes }: FoundImage, draws?: (extension: BlockExtension) => boolean): Promise<Texture> {
  const data = bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes;
  const extension = extensionOf(name);
  const mime = browserType(data);
  if (mime === 'image/bmp' && typeof createImageBitmap === 'undefined') {
    const { readBmp, readBmpHeader } = await import('../rareModules.ts');
    const { width, height } = readBmpHeader(data);
    checkSize('BMP', width, height, data.length);
    return fromPixels(readBmp(data));
  }
  if (mime) return decodeInBrowser(data, mime);
  if (starts(data, 'DDS ')) return (await import('../rareModules.ts')).readDds(data, draws);
  if (starts(data, 'II*\0') || starts(data, 'MM\0*')) {
    checkTiff(data);
    const { TIFFLoader } = await import('three/addons/loaders/TIFFLoader.js');
    return fromPixels(new TIFFLoader().parse(copyOf(data).buffer));
  }
  if (extension === 'tga') {
    checkTga(data);
    const { TGALoader } = await import('three/addons/loaders/TGALoader.js');
    return fromPixels(new TGALoader().parse(copyOf(data).buffer));
  }
  if (extension === 'pcx') {
    const { readPcx, readPcxHeader } = await import('../rareModules.ts');
    const { width, height } = readPcxHeader(data);
    checkSize('PCX', width, height, data.length);
    return fromPixels(readPcx(data));
  }
  const what = UNSUPPORTED_IMAGES.includes(extension) ? `.${extension} files` : 'files of this format';
  throw new RigcastError('IMAGE_UNSUPPORTED', `${what} are not supported`);
}

/**
 * Returns the pixels of a decoded texture, or null if the texture is compressed or canvases aren't
 * available.
 */
export function pixelsOf({ image }: Texture): { data: Uint8Array | Uint8ClampedArray; width: number; height: number } | null {
  const { data, width = 0, height = 0 } = (image ?? {}) as { data?: unknown; width?: number; height?: number };
  if (data instanceof Uint8Array || data instanceof Uint8ClampedArray) return { data, width, height };
  if (typeof ImageBitmap === 'undefined' || !(image instanceof ImageBitmap)) return null;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  context?.drawImage(image, 0, 0);
  return context && { data: context.getImageData(0, 0, width, height).data, width, height };
}

/**
 * Maximum number of pixels of an image: a constant plus 8 pixels per byte of the file. Run-length
 * encoding and LZW could otherwise expand a small file enormously.
 */
const FREE_PIXELS = 2 ** 24;
const PIXELS_PER_BYTE = 8;
const MAX_PIXELS = 2 ** 27;

function checkSize(kind: string, width: number, height: number, bytes: number): void {
  const isBomb = width * height > Math.min(FREE_PIXELS + PIXELS_PER_BYTE * bytes, MAX_PIXELS);
  if (width > MAX_SIZE || height > MAX_SIZE || isBomb)
    throw new RigcastError('IMAGE_DAMAGED', `the ${kind} declares ${width} × ${height} pixels in ${bytes} bytes`);
}

/** Checks the size of the first image in a TIFF. Throws IMAGE_DAMAGED if it exceeds the limits. */
function checkTiff(data: Uint8Array): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isLittle = data[0] === 0x49;
  const at = data.length >= 8 ? view.getUint32(4, isLittle) : data.length;
  let width = 0;
  let height = 0;
  for (let entry = at + 2; entry + 12 <= data.length && entry < at + 2 + 12 * 256; entry += 12) {
    const tag = view.getUint16(entry, isLittle);
    const value = view.getUint16(entry + 2, isLittle) === 3 ? view.getUint16(entry + 8, isLittle) : view.getUint32(entry + 8, isLittle);
    if (tag === 256) width = value;
    if (tag === 257) height = value;
    if (tag > 257) break; // the tags of a TIFF are in ascending order
  }
  checkSize('TIFF', width, height, data.length);
}

/**
 * Checks the header and length of a TGA, because TGALoader trusts the header and reads past the
 * end.
 */
function checkTga(data: Uint8Array): void {
  if (data.length < 18) throw new RigcastError('IMAGE_DAMAGED', 'the TGA header is cut off');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const kind = view.getUint8(2);
  const width = view.getUint16(12, true);
  const height = view.getUint16(14, true);
  const bytes = view.getUint8(16) >> 3;
  checkSize('TGA', width, height, data.length);
  const start = 18 + view.getUint8(0) + view.getUint16(5, true) * (view.getUint8(7) >> 3);
  const isRunLength = kind >= 9; // a packet of up to 128 pixels is one byte larger than a pixel
  const least = isRunLength ? Math.ceil((width * height) / 128) * (1 + bytes) : width * height * bytes;
  if (start + least > data.length) throw new RigcastError('IMAGE_DAMAGED', 'the TGA is cut off');
}

function fromPixels(made: { data?: unknown; width?: number; height?: number }): Texture {
  const { data, width = 0, height = 0 } = made;
  const isPixels = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (!isPixels || !width || data.length < 4 * width * height) throw new RigcastError('IMAGE_DAMAGED', 'the image is cut off');
  return dataTexture(new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength), width, height);
}

async function decodeInBrowser(data: Uint8Array, type: string): Promise<Texture> {
  if (typeof createImageBitmap === 'undefined') throw new RigcastError('IMAGE_UNSUPPORTED', `${type} is supported only in browsers`);
  const blob = new Blob([data as Uint8Array<ArrayBuffer>], { type });
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const texture = new Texture(bitmap as unknown as HTMLImageElement);
  texture.minFilter = LinearMipmapLinearFilter;
  return texture;
}

function starts(data: Uint8Array, text: string, at = 0): boolean {
  return [...text].every((char, i) => data[at + i] === char.charCodeAt(0));
}

function browserType(data: Uint8Array): string | null {
  if (starts(data, '\x89PNG')) return 'image/png';
  if (starts(data, '\xff\xd8\xff')) return 'image/jpeg';
  if (starts(data, 'RIFF') && starts(data, 'WEBP', 8)) return 'image/webp';
  if (starts(data, 'ftypavif', 4)) return 'image/avif';
  if (starts(data, 'GIF8')) return 'image/gif';
  if (starts(data, 'BM') && starts(data, '\0\0\0\0', 6)) return 'image/bmp';
  return null;
}
