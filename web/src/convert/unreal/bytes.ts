// Writes the chunks of PSK and PSA, each of which is a list of records (docs/formats/psk-psa.md
// sections 1 and 4).

import { cutToBytes } from '../common/fileNames.ts';
import { FiniteNumbers } from '../common/finite.ts';
import type { ReportBuilder } from '../common/report.ts';

/** Writes record `i` at offset `at` of `view`. All bytes of the record are 0 before the call. */
export type WriteRecord = (view: DataView, at: number, i: number) => void;

/** Flag of the first chunk, which declares that the file can contain optional chunks. */
export const HEAD = 20100422;
const NAME = 64;
const HEADER = 32;

const utf8 = new TextEncoder();

export class ActorXBytes {
  readonly #pieces: (Uint8Array | Iterable<Uint8Array>)[] = [];
  /** Number of names that were shortened. */
  cut = 0;
  readonly #numbers = new FiniteNumbers();

  /**
   * Reports shortened names, and numbers that the file cannot store. Numbers in streams are not
   * checked, because they are created later.
   */
  reportLosses(report: ReportBuilder): void {
    if (this.cut > 0) report.add('NAMES_CUT', '', this.cut);
    if (this.#numbers.count > 0) report.add('NUMBERS_REPAIRED', '', this.#numbers.count);
  }

  floats(view: DataView, at: number, ...values: number[]): void {
    putFloats(view, at, ...values.map(value => this.#numbers.one(value)));
  }

  chunk(id: string, size: number, count: number, write: WriteRecord = () => {}, flag = 0): this {
    const bytes = new Uint8Array(HEADER + size * count);
    bytes.set(headerOf(id, size, count, flag));
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < count; i++) write(view, HEADER + size * i, i);
    this.#pieces.push(bytes);
    return this;
  }

  /**
   * Adds a chunk of `count` records that are created while the pieces of the file are read.
   * `records`: the bytes of all records, in pieces of any length.
   */
  stream(id: string, size: number, count: number, records: Iterable<Uint8Array>): this {
    this.#pieces.push(headerOf(id, size, count, 0), records);
    return this;
  }

  /**
   * Writes a name into a field of `size` bytes. Short names are padded with zeros, and long names
   * are shortened.
   */
  name(view: DataView, at: number, text: string, size = NAME): void {
    const { bytes, isCut } = fixedName(text, size);
    if (isCut) this.cut++;
    new Uint8Array(view.buffer, view.byteOffset + at, bytes.length).set(bytes);
  }

  get pieces(): Iterable<Uint8Array> {
    const pieces = this.#pieces;
    return {
      *[Symbol.iterator]() {
        for (const piece of pieces)
          if (piece instanceof Uint8Array) yield piece;
          else yield* piece;
      },
    };
  }
}

function headerOf(id: string, size: number, count: number, flag: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(HEADER));
  const bytes = new Uint8Array(view.buffer);
  bytes.set(utf8.encode(id));
  view.setInt32(20, flag, true);
  view.setInt32(24, size, true);
  view.setInt32(28, count, true);
  return bytes;
}

/** Encodes a name, and shortens it to `size` bytes without splitting a character. */
export function fixedName(text: string, size = NAME): { bytes: Uint8Array; isCut: boolean } {
  const printable = text.replace(/\p{Cc}/gu, ' ');
  const cut = cutToBytes(printable, size - 1);
  return { bytes: utf8.encode(cut), isCut: cut !== printable };
}

/** Returns a name as a file stores it. `reserved`: number of bytes that are left for a suffix. */
export const storedName = (text: string, reserved = 0): string => new TextDecoder().decode(fixedName(text, NAME - reserved).bytes);

/** Writes float32 numbers at offset `at`. A number that overflows is replaced by 0. */
export function putFloats(view: DataView, at: number, ...values: number[]): void {
  for (const [i, value] of values.entries()) view.setFloat32(at + 4 * i, Number.isFinite(Math.fround(value)) ? value : 0, true);
}
