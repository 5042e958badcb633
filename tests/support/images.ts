// Builds small images byte by byte, in formats that browsers cannot decode.

/** Builds a DDS image. Only those fields of its header that readers use are set. */
export function dds({
  width = 8,
  height = 4,
  mips = 0,
  fourCC = '',
  dxgi = -1,
  bits = 0,
  masks = [0, 0, 0, 0],
  data = new Uint8Array(0),
}): Uint8Array {
  const head = dxgi >= 0 ? 148 : 128;
  const bytes = new Uint8Array(head + data.length);
  const view = new DataView(bytes.buffer);
  const ascii = (at: number, text: string) => [...text].forEach((char, i) => view.setUint8(at + i, char.charCodeAt(0)));
  ascii(0, 'DDS ');
  view.setUint32(4, 124, true);
  view.setUint32(8, 0x1007 | (mips ? 0x20000 : 0), true);
  view.setUint32(12, height, true);
  view.setUint32(16, width, true);
  view.setUint32(28, mips, true);
  view.setUint32(80, fourCC || dxgi >= 0 ? 4 : 0x41, true);
  ascii(84, dxgi >= 0 ? 'DX10' : fourCC);
  view.setUint32(88, bits, true);
  masks.forEach((mask, i) => view.setUint32(92 + 4 * i, mask, true));
  if (dxgi >= 0) view.setUint32(128, dxgi, true);
  bytes.set(data, head);
  return bytes;
}

/**
 * Builds an uncompressed true-colour TGA. `pixel` returns the colour of a pixel; y is counted from
 * the top. `fromTop`: whether the file stores rows from the top or from the bottom.
 */
export function tga(width: number, height: number, pixel: (x: number, y: number) => number[], fromTop = true): Uint8Array {
  const row = (y: number): number => (fromTop ? y : height - 1 - y);
  const pixels = Array.from({ length: width * height }, (_, i) => pixel(i % width, row(Math.floor(i / width)))).flatMap(([r, g, b, a]) => [
    b!,
    g!,
    r!,
    a!,
  ]);
  return Uint8Array.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, height, 0, 32, fromTop ? 0x28 : 8, ...pixels]);
}

/** Builds an uncompressed, little-endian RGB TIFF with one strip. */
export function tiff(width: number, height: number, pixel: (x: number, y: number) => number[]): Uint8Array {
  const pixels = Array.from({ length: width * height }, (_, i) => pixel(i % width, Math.floor(i / width)).slice(0, 3)).flat();
  const tags: [tag: number, type: 3 | 4, count: number, value: number][] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 3, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [273, 4, 1, 16],
    [277, 3, 1, 3],
    [278, 4, 1, height],
    [279, 4, 1, pixels.length],
  ];
  const directory = 16 + pixels.length + (pixels.length & 1);
  const bytes = new Uint8Array(directory + 2 + 12 * tags.length + 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, directory, true);
  [8, 8, 8].forEach((bits, i) => view.setUint16(8 + 2 * i, bits, true));
  bytes.set(pixels, 16);
  view.setUint16(directory, tags.length, true);
  tags.forEach(([tag, type, count, value], i) => {
    const at = directory + 2 + 12 * i;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    view.setUint32(at + 8, value, true); // little-endian: a short value comes first; the bits of three channels are at offset 8
  });
  return bytes;
}

/** Contents of a BMP for tests. The file stores rows from the bottom unless `isTopDown` is true. */
export interface BmpParts {
  width: number;
  bits: number;
  /**
   * Pixel bytes of each row without padding, top row first. For `compression` 1 or 2, a single list
   * of all runs.
   */
  rows: number[][];
  /** Height in pixels (default: the number of rows in `rows`). */
  height?: number;
  /** Colours of the palette as [blue, green, red]. */
  palette?: number[][];
  compression?: number;
  masks?: number[];
  isTopDown?: boolean;
  /**
   * Size of the header in bytes: 12 for OS/2, 40 for Windows, 56 for a header that contains channel
   * masks.
   */
  headerSize?: 12 | 40 | 56;
}

export function bmp({
  width,
  bits,
  rows,
  height = rows.length,
  palette = [],
  compression = 0,
  masks = [],
  isTopDown = false,
  headerSize = 40,
}: BmpParts): Uint8Array {
  const stride = 4 * Math.ceil((width * bits) / 32);
  const stored =
    compression === 1 || compression === 2
      ? rows
      : (isTopDown ? rows : rows.toReversed()).map(row => [...row, ...Array.from({ length: stride - row.length }, () => 0)]);
  const colors = palette.flatMap(entry => (headerSize === 12 ? entry : [...entry, 0]));
  const outside = headerSize === 40 ? 4 * masks.length : 0;
  const start = 14 + headerSize + outside + colors.length;
  const head = new DataView(new ArrayBuffer(start));
  const pixels = stored.flat();
  head.setUint16(0, 0x424d);
  head.setUint32(2, start + pixels.length, true);
  head.setUint32(10, start, true);
  head.setUint32(14, headerSize, true);
  if (headerSize === 12) [width, height, 1, bits].forEach((value, i) => head.setUint16(18 + 2 * i, value, true));
  else {
    head.setInt32(18, width, true);
    head.setInt32(22, isTopDown ? -height : height, true);
    head.setUint16(26, 1, true);
    head.setUint16(28, bits, true);
    head.setUint32(30, compression, true);
    head.setUint32(46, palette.length, true);
    masks.forEach((mask, i) => head.setUint32(54 + 4 * i, mask, true));
  }
  colors.forEach((byte, i) => head.setUint8(14 + headerSize + outside + i, byte));
  return Uint8Array.from([...new Uint8Array(head.buffer), ...pixels]);
}

const RGB = [
  [0, 0, 0],
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
].map(([r, g, b]) => [b!, g!, r!]);

/** BMP images of every supported kind. They are five pixels wide, so that rows have padding. */
export const BMPS: Readonly<Record<string, BmpParts>> = {
  '1 bit': { width: 5, bits: 1, rows: [[0b10110000], [0b01001000]], palette: RGB.slice(0, 2) },
  '4 bits': {
    width: 5,
    bits: 4,
    rows: [
      [0x01, 0x23, 0x30],
      [0x32, 0x10, 0x00],
    ],
    palette: RGB,
  },
  '8 bits': {
    width: 5,
    bits: 8,
    rows: [
      [0, 1, 2, 3, 1],
      [3, 2, 1, 0, 2],
    ],
    palette: RGB,
  },
  '8 bits, from the top': {
    width: 5,
    bits: 8,
    rows: [
      [0, 1, 2, 3, 1],
      [3, 2, 1, 0, 2],
    ],
    palette: RGB,
    isTopDown: true,
  },
  '8 bits of OS/2': {
    width: 5,
    bits: 8,
    rows: [
      [0, 1, 2, 3, 1],
      [3, 2, 1, 0, 2],
    ],
    palette: [...RGB, ...Array.from({ length: 252 }, () => [9, 9, 9])],
    headerSize: 12,
  },
  '8 bits in runs': {
    width: 5,
    height: 2,
    bits: 8,
    compression: 1,
    rows: [[3, 1, 2, 2, 0, 0, 0, 5, 1, 2, 3, 1, 2, 0, 0, 1]],
    palette: RGB,
  },
  '4 bits in runs': {
    width: 5,
    height: 2,
    bits: 4,
    compression: 2,
    rows: [[5, 0x12, 0, 0, 0, 5, 0x12, 0x31, 0x20, 0, 0, 1]],
    palette: RGB,
  },
  '16 bits': {
    width: 3,
    bits: 16,
    rows: [
      [0x00, 0x7c, 0xe0, 0x03, 0x1f, 0x00],
      [0xff, 0x7f, 0x00, 0x00, 0x10, 0x42],
    ],
  },
  '16 bits by masks': { width: 3, bits: 16, compression: 3, masks: [0xf800, 0x7e0, 0x1f], rows: [[0x00, 0xf8, 0xe0, 0x07, 0x1f, 0x00]] },
  '24 bits': {
    width: 3,
    bits: 24,
    rows: [
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
      [250, 100, 50, 0, 0, 255, 255, 0, 0],
    ],
  },
  '32 bits': {
    width: 2,
    bits: 32,
    rows: [
      [1, 2, 3, 0, 4, 5, 6, 0],
      [7, 8, 9, 0, 10, 11, 12, 0],
    ],
  },
  '32 bits by masks, with alpha': {
    width: 2,
    bits: 32,
    compression: 3,
    masks: [0xff, 0xff00, 0xff0000, 0xff000000],
    rows: [[1, 2, 3, 255, 4, 5, 6, 128]],
    headerSize: 56,
  },
};
