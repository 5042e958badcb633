// The container of glTF's JSON and numbers, filled in one piece: a copy fewer than a library that joins chunk by chunk makes (glTF 2.0, "GLB File Format Specification").
import type { Breath } from '../breath.ts';
import { ConversionError, gigabytes } from '../refusals.ts';

const MAGIC = 0x46_54_6c_67;
const JSON_CHUNK = 0x4e_4f_53_4a;
const BINARY_CHUNK = 0x00_4e_49_42;
/** Lengths are 32 bits. */
const LONGEST = 0xff_ff_ff_ff;
/** Bytes between two breaths: new memory takes its time. */
const STEP = 2 ** 22;

/** `json`: pieces of its text. Throws a ConversionError where it would be larger than GLB can be. */
export async function glb(
  json: readonly Uint8Array[],
  columns: readonly ArrayBufferView[],
  breathe?: Breath,
): Promise<Uint8Array<ArrayBuffer>> {
  const text = wholeWords(lengthOf(json));
  const numbers = lengthOf(columns);
  const chunk = wholeWords(numbers);
  const total = 12 + 8 + text + (numbers > 0 ? 8 + chunk : 0);
  if (total > LONGEST) throw new ConversionError('GLB_TOO_LARGE', { size: gigabytes(total) });
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  const header = (at: number, ...words: number[]): void => words.forEach((word, i) => view.setUint32(at + 4 * i, word, true));
  header(0, MAGIC, 2, total, text, JSON_CHUNK);
  bytes.fill(0x20, await fill(bytes, 20, json, breathe), 20 + text);
  if (numbers > 0) {
    header(20 + text, chunk, BINARY_CHUNK);
    await fill(bytes, 28 + text, columns, breathe);
  }
  return bytes;
}

const lengthOf = (pieces: readonly ArrayBufferView[]): number => pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
const wholeWords = (length: number): number => 4 * Math.ceil(length / 4);

export async function joined(columns: readonly ArrayBufferView[], breathe?: Breath): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(lengthOf(columns));
  await fill(bytes, 0, columns, breathe);
  return bytes;
}

/** Gives where they end. */
async function fill(bytes: Uint8Array, from: number, columns: readonly ArrayBufferView[], breathe?: Breath): Promise<number> {
  let at = from;
  let pause = from + STEP;
  for (const { buffer, byteOffset, byteLength } of columns) {
    for (let done = 0; done < byteLength; done += STEP) {
      const length = Math.min(STEP, byteLength - done);
      bytes.set(new Uint8Array(buffer, byteOffset + done, length), at);
      at += length;
      if (at < pause) continue;
      pause = at + STEP;
      await breathe?.();
    }
  }
  return at;
}

/** As long as a multiple of four bytes. */
export function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length % 4 === 0) return bytes;
  const longer = new Uint8Array(wholeWords(bytes.length));
  longer.set(bytes);
  return longer;
}
