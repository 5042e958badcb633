// Decodes BMP images in Node, which has no decoder for them.
//
// Supports 1, 4, 8, 16, 24 and 32 bits per pixel, palettes, bit masks, run-length encoding and the
// short OS/2 header. Does not support embedded JPEG or PNG data, or colour profiles.
import { RigcastError } from '../core/error.ts';

interface Header {
  width: number;
  height: number;
  /** True if the rows are stored from top to bottom, false if from bottom to top. */
  isTopDown: boolean;
  bits: number;
  compression: number;
  /** Offset of the pixels from the start of the file, in bytes. */
  pixels: number;
  /** Colours of the palette as RGBA, red in the lowest byte. */
  palette: Uint32Array;
  /** Bit masks of red, green, blue and alpha; 0 for a channel that is not stored. */
  masks: readonly number[];
}

const RLE8 = 1;
const RLE4 = 2;
const BIT_FIELDS = 3;
const ALPHA_BIT_FIELDS = 6;
const CORE_HEADER = 12;
const OPAQUE = 0xff000000;

/** For each compression method, the numbers of bits per pixel that it allows. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 4, 8, 16, 24, 32],
  [RLE8]: [8],
  [RLE4]: [4],
  [BIT_FIELDS]: [16, 32],
  [ALPHA_BIT_FIELDS]: [16, 32],
};

/**
 * Reads the header of a BMP file. Throws IMAGE_DAMAGED if the header is truncated or invalid, and
 * IMAGE_UNSUPPORTED if this variant of BMP is not supported.
 */
export function readBmpHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.length < 26 ? Infinity : view.getUint32(14, true);
  const isCore = size === CORE_HEADER;
  const hasMasks = !isCore && bytes.length >= 34 && [BIT_FIELDS, ALPHA_BIT_FIELDS].includes(view.getUint32(30, true));
  if (bytes.length < 14 + size + (hasMasks && size === 40 ? 16 : 0) || (!isCore && size < 40))
    throw new RigcastError('IMAGE_DAMAGED', 'the BMP header is cut off');
  const [width, tall] = isCore ? [view.getUint16(18, true), view.getUint16(20, true)] : [view.getInt32(18, true), view.getInt32(22, true)];
  const bits = view.getUint16(isCore ? 24 : 28, true);
  const compression = isCore ? 0 : view.getUint32(30, true);
  if (!DEPTHS[compression]?.includes(bits))
    throw new RigcastError('IMAGE_UNSUPPORTED', `a BMP of ${bits} bits per pixel and compression ${compression} is not supported`);
  if (width <= 0 || tall === 0) throw new RigcastError('IMAGE_DAMAGED', `the BMP declares ${width} × ${tall} pixels`);
  const colors = bits > 8 ? 0 : 2 ** bits;
  const stored = isCore ? colors : Math.min(view.getUint32(46, true) || colors, colors);
  const mask = (i: number): number => view.getUint32(54 + 4 * i, true);
  const hasAlpha = size >= 56 || compression === ALPHA_BIT_FIELDS;
  return {
    width,
    height: Math.abs(tall),
    isTopDown: tall < 0,
    bits,
    compression,
    pixels: view.getUint32(10, true),
    palette: paletteAt(bytes, 14 + size, isCore ? 3 : 4, colors, stored),
    masks: hasMasks
      ? [mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0]
      : bits === 16
        ? [0x7c00, 0x3e0, 0x1f, 0]
        : [0xff0000, 0xff00, 0xff, 0],
  };
}

/**
 * Reads a palette whose entries are stored as blue, green, red. Entries that are missing in the
 * file are black.
 */
function paletteAt(bytes: Uint8Array, start: number, entrySize: number, colors: number, stored: number): Uint32Array {
  return Uint32Array.from({ length: colors }, (_, i) => {
    const at = start + entrySize * i;
    return i < stored && at + 3 <= bytes.length ? OPAQUE | (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]! : OPAQUE;
  });
}

/**
 * Decodes a BMP image to RGBA, top row first. Throws if pixels are missing. Before calling this
 * function, check the dimensions of the image, because memory for all pixels is allocated.
 */
export function readBmp(bytes: Uint8Array): { data: Uint8Array<ArrayBuffer>; width: number; height: number } {
  const header = readBmpHeader(bytes);
  const { width, height, isTopDown, bits, compression, pixels } = header;
  const words = new Uint32Array(width * height);
  const startOf = (row: number): number => width * (isTopDown ? row : height - 1 - row);
  if (compression === RLE8 || compression === RLE4) {
    words.fill(header.palette[0]!);
    readRuns(bytes, header, (x, row, color) => (words[startOf(row) + x] = color));
  } else {
    const stride = 4 * Math.ceil((width * bits) / 32);
    if (pixels + stride * (height - 1) + Math.ceil((width * bits) / 8) > bytes.length)
      throw new RigcastError('IMAGE_DAMAGED', 'the BMP is cut off');
    const pixelAt = bits <= 8 ? indexed(bytes, header) : direct(bytes, header);
    for (let row = 0; row < height; row++)
      for (let x = 0, to = startOf(row); x < width; x++, to++) words[to] = pixelAt(pixels + stride * row, x);
  }
  return { data: new Uint8Array(words.buffer), width, height };
}

/** Returns the RGBA value of a pixel. `row`: byte offset of the pixel's row. `x`: column. */
type PixelAt = (row: number, x: number) => number;

/**
 * Returns a function that reads palette indices. Several pixels may be packed into a byte, the
 * leftmost one in the highest bits.
 */
function indexed(bytes: Uint8Array, { bits, palette }: Header): PixelAt {
  const perByte = 8 / bits;
  const most = 2 ** bits - 1;
  return (row, x) => palette[(bytes[row + Math.floor(x / perByte)]! >> (bits * (perByte - 1 - (x % perByte)))) & most]!;
}

function direct(bytes: Uint8Array, { bits, masks }: Header): PixelAt {
  const size = bits / 8;
  const shifts = masks.map(mask => (mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)));
  const largest = masks.map((mask, i) => mask >>> shifts[i]!);
  return (row, x) => {
    const at = row + size * x;
    let stored = 0;
    for (let i = 0; i < size; i++) stored |= bytes[at + i]! << (8 * i);
    let word = 0;
    for (let i = 0; i < 4; i++) {
      const most = largest[i]!;
      const value = most === 0 ? (i === 3 ? 255 : 0) : Math.round((255 * ((stored & masks[i]!) >>> shifts[i]!)) / most);
      word |= value << (8 * i);
    }
    return word;
  };
}

/**
 * Decodes run-length encoded pixels. Calls `put` for every pixel that the data contains; the data
 * may skip pixels or end early.
 */
function readRuns(
  bytes: Uint8Array,
  { width, height, bits, pixels, palette }: Header,
  put: (x: number, row: number, color: number) => void,
): void {
  const perByte = 8 / bits;
  const indexIn = (byte: number, k: number): number => (bits === 8 ? byte : k % 2 === 0 ? byte >> 4 : byte & 15);
  let x = 0;
  let row = 0;
  const add = (byte: number, k: number): void => {
    if (x < width && row < height) put(x, row, palette[indexIn(byte, k)]!);
    x++;
  };
  for (let at = pixels; at + 1 < bytes.length && row < height;) {
    const count = bytes[at]!;
    const value = bytes[at + 1]!;
    at += 2;
    if (count > 0) for (let k = 0; k < count; k++) add(value, k);
    else if (value === 0) [x, row] = [0, row + 1];
    else if (value === 1) return;
    else if (value === 2) {
      x += bytes[at] ?? 0;
      row += bytes[at + 1] ?? 0;
      at += 2;
    } else {
      for (let k = 0; k < value; k++) add(bytes[at + Math.floor(k / perByte)] ?? 0, k);
      const size = Math.ceil(value / perByte);
      at += size + (size % 2);
    }
  }
}
