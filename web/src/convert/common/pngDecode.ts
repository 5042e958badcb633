// Decodes PNG without a browser. Supports images with 8 bits per channel that are not interlaced,
// which most game tools write.
import { RigcastError } from '../../core/error.ts';
import { numberAt } from '../../core/math/column.ts';
import type { Pixels } from './png.ts';

/** Bytes per pixel for each PNG colour type: grey, RGB, palette, grey with alpha, RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;
/** Byte offsets of red, green, blue and alpha within a pixel for each PNG colour type. */
const LAYOUTS: Readonly<Record<number, readonly number[]>> = { 0: [0, 0, 0], 2: [0, 1, 2], 4: [0, 0, 0, 1], 6: [0, 1, 2, 3] };
const MAX_PIXELS = 2 ** 26;

const damaged = (message: string): RigcastError => new RigcastError('IMAGE_DAMAGED', message);

/**
 * Decodes a PNG to RGBA. Throws a RigcastError if the file is damaged or has an unsupported layout.
 */
export async function decodePng(bytes: Uint8Array): Promise<Pixels> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33) throw damaged('the PNG is truncated');
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [depth, kind, interlaced] = [bytes[24], numberAt(bytes, 25), bytes[28]];
  const channels = CHANNELS[kind];
  if (depth !== 8 || !channels || interlaced !== 0)
    throw new RigcastError('IMAGE_UNSUPPORTED', 'only PNG files with 8 bits per channel and without interlacing can be decoded');
  if (width * height > MAX_PIXELS || width === 0 || height === 0)
    throw damaged(`the PNG declares an invalid size of ${width} × ${height} pixels`);
  const { body, palette, alpha } = chunksOf(bytes, view);
  const stride = width * channels;
  const rows = await inflate(body, (stride + 1) * height);
  unfilter(rows, stride, height, channels);
  const data = new Uint8Array(4 * width * height);
  const colors = kind === PALETTE ? colorsOf(palette, alpha) : null;
  const [r = 0, g = 0, b = 0, a] = LAYOUTS[kind] ?? [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = (stride + 1) * y + 1 + x * channels;
      const to = 4 * (width * y + x);
      const at = (channel: number): number => numberAt(rows, from + channel);
      if (colors) data.set(colors.subarray(4 * at(0), 4 * at(0) + 4), to);
      else data.set([at(r), at(g), at(b), a === undefined ? 255 : at(a)], to);
    }
  return { data, width, height };
}

/** Returns the RGBA colours of all 256 palette indices. Indices beyond the palette are black. */
function colorsOf(palette: Uint8Array, alpha: Uint8Array): Uint8Array {
  const colors = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; i++) colors.set([...palette.subarray(3 * i, 3 * i + 3)], 4 * i);
  for (let i = 0; i < 256; i++) colors[4 * i + 3] = alpha[i] ?? 255;
  return colors;
}

function chunksOf(bytes: Uint8Array, view: DataView): { body: Uint8Array[]; palette: Uint8Array; alpha: Uint8Array } {
  const nothing = new Uint8Array(0);
  const found: { body: Uint8Array[]; palette: Uint8Array; alpha: Uint8Array } = { body: [], palette: nothing, alpha: nothing };
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (at + 12 + length > bytes.length) throw damaged('the PNG is truncated');
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (kind === 'IDAT') found.body.push(chunk);
    if (kind === 'PLTE') found.palette = chunk;
    if (kind === 'tRNS') found.alpha = chunk;
    at += 12 + length;
  }
  return found;
}

/** Decompresses the first `size` bytes and ignores the rest of the stream. */
async function inflate(parts: readonly Uint8Array[], size: number): Promise<Uint8Array> {
  const stream = new Blob(parts as Uint8Array<ArrayBuffer>[]).stream().pipeThrough(new DecompressionStream('deflate'));
  const rows = new Uint8Array(size);
  const reader = stream.getReader();
  let at = 0;
  while (at < size) {
    const { value, done } = await reader.read();
    if (done) throw damaged('the PNG is truncated');
    rows.set(value.subarray(0, size - at), at);
    at += value.length;
  }
  await reader.cancel().catch(() => {});
  return rows;
}

/**
 * Reverses the PNG row filters, which store each byte as the difference from bytes to the left,
 * above, or both.
 */
function unfilter(rows: Uint8Array, stride: number, height: number, size: number): void {
  for (let y = 0; y < height; y++) {
    const start = (stride + 1) * y + 1;
    const filter = numberAt(rows, start - 1);
    if (filter > 4) throw damaged('the PNG is damaged');
    for (let x = 0; filter > 0 && x < stride; x++) {
      const at = start + x;
      const left = x >= size ? numberAt(rows, at - size) : 0;
      const up = y > 0 ? numberAt(rows, at - stride - 1) : 0;
      const corner = x >= size && y > 0 ? numberAt(rows, at - stride - 1 - size) : 0;
      const guess = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
      rows[at]! += guess;
    }
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
