// Small images of the kinds that browsers do not decode, made byte by byte.

/** A DDS with the header's fields that readers look at. */
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

/** An uncompressed true-colour TGA, its rows from the top or from the bottom. `pixel` counts rows from the top. */
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

/** An uncompressed RGB TIFF of one strip, little-endian. */
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
    view.setUint32(at + 8, value, true); // little-endian: a short lies in front; the bits of three channels lie at 8
  });
  return bytes;
}
