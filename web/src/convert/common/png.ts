// Encodes pixels as PNG: RGBA, 8 bits per channel, one filter per row. Uses CompressionStream,
// which is available in pages, workers and Node.

import { numberAt } from '../../core/math/column.ts';
import { joined } from './written.ts';

export interface Pixels {
  /** Pixels as RGBA, 8 bits per channel. */
  data: Uint8Array | Uint8ClampedArray;
  width: number;
  height: number;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export async function encodePng({ data, width, height }: Pixels): Promise<Uint8Array> {
  const stride = 4 * width;
  const rows = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const at = (stride + 1) * y;
    const from = stride * y;
    rows[at] = y > 0 ? UP : NONE;
    if (y === 0) rows.set(data.subarray(0, stride), 1);
    else for (let x = 0; x < stride; x++) rows[at + 1 + x] = numberAt(data, from + x) - numberAt(data, from + x - stride);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits per channel, RGBA
  const body = await through(rows, new CompressionStream('deflate'));
  return joined([Uint8Array.from(SIGNATURE), chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', new Uint8Array(0))]);
}

/** PNG row filters: none, and the difference from the row above. */
const NONE = 0;
const UP = 2;

function chunk(kind: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = kind.charCodeAt(i);
  bytes.set(body, 8);
  view.setUint32(8 + body.length, crc(bytes.subarray(4, 8 + body.length)));
  return bytes;
}

let table: Uint32Array | undefined;

function crc(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n;
  });
  let value = 0xffffffff;
  for (const byte of bytes) value = numberAt(table, (value ^ byte) & 255) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

async function through(bytes: Uint8Array, stream: CompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream)).arrayBuffer());
}
