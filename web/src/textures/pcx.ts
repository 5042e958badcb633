// Decodes PCX images, to which the class scripts of UE1 refer. Supports 8 bits per pixel with a
// palette after the pixels, and 24 bits in three planes.
import { RigcastError } from '../core/error.ts';

const HEADER = 128;
const PALETTE = 769;

interface PcxHeader {
  width: number;
  height: number;
  planes: number;
  /** Number of bytes per row of one plane. */
  bytesPerRow: number;
}

/** Reads the header of a PCX file. Throws if the file is not a supported PCX image. */
export function readPcxHeader(bytes: Uint8Array): PcxHeader {
  if (bytes.length < HEADER) throw new RigcastError('IMAGE_DAMAGED', 'the PCX header is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const planes = bytes[65]!;
  const bytesPerRow = view.getUint16(66, true);
  const width = view.getUint16(8, true) - view.getUint16(4, true) + 1;
  const height = view.getUint16(10, true) - view.getUint16(6, true) + 1;
  const isKnown = bytes[0] === 10 && bytes[2] === 1 && bytes[3] === 8 && (planes === 1 || planes === 3);
  if (!isKnown || width < 1 || height < 1 || bytesPerRow < width)
    throw new RigcastError('IMAGE_UNSUPPORTED', 'not a PCX with 8 or 24 bits');
  if (planes === 1 && paletteAt(bytes) < 0) throw new RigcastError('IMAGE_DAMAGED', 'the PCX has no palette');
  return { width, height, planes, bytesPerRow };
}

/** Returns the offset of the 256-colour palette of an 8-bit PCX, or -1 if there is none. */
export function paletteAt(bytes: Uint8Array): number {
  const at = bytes.length - PALETTE;
  return at >= HEADER && bytes[at] === 12 ? at + 1 : -1;
}

/** Decodes a PCX image to RGBA, top row first. Pixels that are missing in the file are white. */
export function readPcx(bytes: Uint8Array): { data: Uint8Array<ArrayBuffer>; width: number; height: number } {
  const { width, height, planes, bytesPerRow } = readPcxHeader(bytes);
  const palette = planes === 1 ? paletteAt(bytes) : -1;
  const end = palette < 0 ? bytes.length : palette - 1;
  const data = new Uint8Array(4 * width * height).fill(255);
  const row = planes * bytesPerRow;
  const total = row * height;
  let at = HEADER;
  for (let i = 0; i < total && at < end;) {
    const byte = bytes[at++]!;
    const isRun = byte >= 0xc0;
    const value = isRun ? (bytes[at++] ?? 0) : byte;
    for (let left = isRun ? byte & 0x3f : 1; left > 0 && i < total; left--, i++) {
      const y = Math.floor(i / row);
      const plane = Math.floor((i % row) / bytesPerRow);
      const x = i % bytesPerRow;
      const to = 4 * (y * width + x);
      if (x >= width) continue;
      if (palette < 0) data[to + plane] = value;
      else for (let c = 0; c < 3; c++) data[to + c] = bytes[palette + 3 * value + c]!;
    }
  }
  return { data, width, height };
}
