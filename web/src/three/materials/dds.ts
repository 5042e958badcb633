// Reads DDS images that Unreal tools write. Unlike three's DDSLoader, this module supports BC4, BC5
// and BC7 with a DX10 header.
import {
  CompressedTexture,
  type CompressedPixelFormat,
  type DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  RED_GREEN_RGTC2_Format,
  RED_RGTC1_Format,
  RGB_BPTC_SIGNED_Format,
  RGB_BPTC_UNSIGNED_Format,
  RGBA_BPTC_Format,
  RGBA_S3TC_DXT1_Format,
  RGBA_S3TC_DXT3_Format,
  RGBA_S3TC_DXT5_Format,
  SIGNED_RED_GREEN_RGTC2_Format,
  SIGNED_RED_RGTC1_Format,
  type Texture,
} from 'three';
import { copyOf } from '../../core/bytes.ts';
import { RigcastError } from '../../core/error.ts';
import { type BlockExtension, dataTexture, MAX_SIZE } from './imageKinds.ts';

interface BlockFormat {
  format: CompressedPixelFormat;
  blockBytes: 8 | 16;
  extension: BlockExtension;
}

function block(format: number, blockBytes: 8 | 16, extension: BlockExtension): BlockFormat {
  return { format: format as CompressedPixelFormat, blockBytes, extension };
}

const S3TC = 'WEBGL_compressed_texture_s3tc';
const RGTC = 'EXT_texture_compression_rgtc';
const BPTC = 'EXT_texture_compression_bptc';
const BC1 = block(RGBA_S3TC_DXT1_Format, 8, S3TC);
const BC2 = block(RGBA_S3TC_DXT3_Format, 16, S3TC);
const BC3 = block(RGBA_S3TC_DXT5_Format, 16, S3TC);
const BC4 = block(RED_RGTC1_Format, 8, RGTC);
const BC4S = block(SIGNED_RED_RGTC1_Format, 8, RGTC);
const BC5 = block(RED_GREEN_RGTC2_Format, 16, RGTC);
const BC5S = block(SIGNED_RED_GREEN_RGTC2_Format, 16, RGTC);
const BC6U = block(RGB_BPTC_UNSIGNED_Format, 16, BPTC);
const BC6S = block(RGB_BPTC_SIGNED_Format, 16, BPTC);
const BC7 = block(RGBA_BPTC_Format, 16, BPTC);

const BY_FOURCC = new Map<string, BlockFormat>([
  ['DXT1', BC1],
  ['DXT2', BC2],
  ['DXT3', BC2],
  ['DXT4', BC3],
  ['DXT5', BC3],
  ['ATI1', BC4],
  ['BC4U', BC4],
  ['BC4S', BC4S],
  ['ATI2', BC5],
  ['BC5U', BC5],
  ['BC5S', BC5S],
]);
const BY_DXGI = new Map<number, BlockFormat>([
  [70, BC1],
  [71, BC1],
  [72, BC1],
  [73, BC2],
  [74, BC2],
  [75, BC2],
  [76, BC3],
  [77, BC3],
  [78, BC3],
  [79, BC4],
  [80, BC4],
  [81, BC4S],
  [82, BC5],
  [83, BC5],
  [84, BC5S],
  [94, BC6U],
  [95, BC6U],
  [96, BC6S],
  [97, BC7],
  [98, BC7],
  [99, BC7],
]);
/**
 * Byte offsets of the red, green, blue and alpha channels in a pixel; -1 for a channel that the
 * format doesn't have.
 */
type Layout = readonly [number, number, number, number];
const LAYOUTS = new Map<number, { bytes: number; layout: Layout }>([
  [27, { bytes: 4, layout: [0, 1, 2, 3] }],
  [28, { bytes: 4, layout: [0, 1, 2, 3] }],
  [29, { bytes: 4, layout: [0, 1, 2, 3] }],
  [87, { bytes: 4, layout: [2, 1, 0, 3] }],
  [90, { bytes: 4, layout: [2, 1, 0, 3] }],
  [91, { bytes: 4, layout: [2, 1, 0, 3] }],
  [88, { bytes: 4, layout: [2, 1, 0, -1] }],
  [92, { bytes: 4, layout: [2, 1, 0, -1] }],
  [93, { bytes: 4, layout: [2, 1, 0, -1] }],
  [61, { bytes: 1, layout: [0, 0, 0, -1] }],
]);

const HEADER = 128;
const DX10_HEADER = 20;

/**
 * Returns the first image in a DDS file, with its mipmaps. `draws` returns true if the renderer
 * supports a compressed format. Throws IMAGE_DAMAGED if the file is damaged, and IMAGE_UNSUPPORTED
 * for other formats.
 */
export function readDds(bytes: Uint8Array, draws: (extension: BlockExtension) => boolean = () => true): Texture {
  if (bytes.length < HEADER) throw new RigcastError('IMAGE_DAMAGED', 'the DDS header is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u32 = (offset: number): number => view.getUint32(offset, true);
  const height = u32(12);
  const width = u32(16);
  if (!width || !height || width > MAX_SIZE || height > MAX_SIZE)
    throw new RigcastError('IMAGE_DAMAGED', `the DDS declares ${width} × ${height} pixels`);
  const levels = u32(8) & 0x20000 ? Math.min(Math.max(u32(28), 1), 15) : 1;
  const fourCC = u32(80) & 4 ? String.fromCharCode(...bytes.subarray(84, 88)) : '';
  let start = HEADER;
  let format: BlockFormat | undefined, plain: { bytes: number; layout: Layout } | undefined;
  if (fourCC === 'DX10') {
    if (bytes.length < HEADER + DX10_HEADER) throw new RigcastError('IMAGE_DAMAGED', 'the DX10 header is cut off');
    start += DX10_HEADER;
    format = BY_DXGI.get(u32(HEADER));
    plain = LAYOUTS.get(u32(HEADER));
    if (!format && !plain) throw new RigcastError('IMAGE_UNSUPPORTED', `DXGI format ${u32(HEADER)}`);
  } else if (fourCC) {
    format = BY_FOURCC.get(fourCC);
    if (!format) throw new RigcastError('IMAGE_UNSUPPORTED', `DDS format ${JSON.stringify(fourCC)}`);
  } else {
    plain = plainLayout(u32(88), [u32(92), u32(96), u32(100), u32(104)]);
    if (!plain) throw new RigcastError('IMAGE_UNSUPPORTED', `DDS with ${u32(88)} bits per pixel`);
  }
  if (plain) return plainTexture(bytes, start, width, height, plain.bytes, plain.layout);

  const { format: gpu, blockBytes, extension } = format!;
  if (!draws(extension)) throw new RigcastError('IMAGE_UNSUPPORTED', `the GPU does not support ${extension}`);
  if (width % 4 || height % 4) throw new RigcastError('IMAGE_UNSUPPORTED', `${width} × ${height} pixels, not a multiple of 4 × 4`);
  const mipmaps: { data: Uint8Array<ArrayBuffer>; width: number; height: number }[] = [];
  for (let level = 0, w = width, h = height, at = start; level < levels; level++) {
    const size = Math.ceil(w / 4) * Math.ceil(h / 4) * blockBytes;
    if (at + size > bytes.length) break;
    mipmaps.push({ data: copyOf(bytes.subarray(at, at + size)), width: w, height: h });
    at += size;
    w = Math.max(w >> 1, 1);
    h = Math.max(h >> 1, 1);
  }
  if (!mipmaps.length) throw new RigcastError('IMAGE_DAMAGED', 'the DDS is cut off');
  const texture = new CompressedTexture(mipmaps, width, height, gpu);
  texture.minFilter = mipmaps.length > 1 ? LinearMipmapLinearFilter : LinearFilter;
  texture.magFilter = LinearFilter;
  return texture;
}

function plainLayout(bits: number, masks: number[]): { bytes: number; layout: Layout } | undefined {
  if (bits !== 32 && bits !== 24 && bits !== 8) return undefined;
  const byteOf = (mask: number): number => [0xff, 0xff00, 0xff0000, 0xff000000].indexOf(mask >>> 0);
  if (bits === 8) return { bytes: 1, layout: [0, 0, 0, -1] };
  const [r = 0, g = 0, b = 0, a = 0] = masks;
  const layout: Layout = [byteOf(r), byteOf(g), byteOf(b), byteOf(a)];
  return layout.slice(0, 3).every(byte => byte >= 0 && byte < bits / 8) ? { bytes: bits / 8, layout } : undefined;
}

function plainTexture(bytes: Uint8Array, start: number, width: number, height: number, stride: number, [r, g, b, a]: Layout): DataTexture {
  const count = width * height;
  if (start + count * stride > bytes.length) throw new RigcastError('IMAGE_DAMAGED', 'the DDS is cut off');
  const data = new Uint8Array(4 * count);
  for (let i = 0, from = start; i < data.length; i += 4, from += stride) {
    data[i] = bytes[from + r]!;
    data[i + 1] = bytes[from + g]!;
    data[i + 2] = bytes[from + b]!;
    data[i + 3] = a < 0 ? 255 : bytes[from + a]!;
  }
  return dataTexture(data, width, height);
}
