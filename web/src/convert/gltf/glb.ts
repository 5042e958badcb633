// The container of glTF's JSON and numbers, filled in one piece: a copy fewer than a library that joins chunk by chunk makes (glTF 2.0, "GLB File Format Specification").
import type { JSONDocument } from '../vendor/gltfTransform.ts';

const MAGIC = 0x46_54_6c_67;
const JSON_CHUNK = 0x4e_4f_53_4a;
const BINARY_CHUNK = 0x00_4e_49_42;
/** Lengths are 32 bits. */
const LONGEST = 0xff_ff_ff_ff;

/** Throws a RangeError where it would be larger than GLB can be. */
export function glb(json: JSONDocument['json'], columns: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const text = padded(new TextEncoder().encode(JSON.stringify(json)), 0x20);
  const numbers = columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const chunk = 4 * Math.ceil(numbers / 4);
  const total = 12 + 8 + text.length + (numbers > 0 ? 8 + chunk : 0);
  if (total > LONGEST)
    throw new RangeError(`a GLB holds at most 4 GB, and this would be ${(total / 2 ** 30).toFixed(1)}: write glTF, or fewer motions`);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  const header = (at: number, ...words: number[]): void => words.forEach((word, i) => view.setUint32(at + 4 * i, word, true));
  header(0, MAGIC, 2, total, text.length, JSON_CHUNK);
  bytes.set(text, 20);
  if (numbers > 0) {
    header(20 + text.length, chunk, BINARY_CHUNK);
    fill(bytes, 28 + text.length, columns);
  }
  return bytes;
}

export function joined(columns: readonly ArrayBufferView[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + byteLength, 0));
  fill(bytes, 0, columns);
  return bytes;
}

function fill(bytes: Uint8Array, from: number, columns: readonly ArrayBufferView[]): void {
  let at = from;
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
}

/** As long as a multiple of four bytes. */
export function padded(bytes: Uint8Array, filler = 0): Uint8Array {
  if (bytes.length % 4 === 0) return bytes;
  const longer = new Uint8Array(4 * Math.ceil(bytes.length / 4)).fill(filler, bytes.length);
  longer.set(bytes);
  return longer;
}
