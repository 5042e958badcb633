// Writes numbers and text in little-endian byte order. The bytes are stored in blocks, because one
// growing buffer would need up to three times the memory of its contents.
import { FiniteNumbers } from './finite.ts';
import type { ReportBuilder } from './report.ts';

const utf8 = new TextEncoder();

/** Sizes of the smallest and of the largest block in bytes. A larger column has its own block. */
const SMALLEST = 2 ** 10;
const LARGEST = 2 ** 20;

interface Block {
  /** Offset of the block in the file. */
  start: number;
  bytes: Uint8Array<ArrayBuffer>;
}

export class GrowingBytes {
  /** Complete blocks. */
  readonly #blocks: Block[] = [];
  /** Offset of the current block in the file. */
  #start = 0;
  #bytes = new Uint8Array(SMALLEST);
  #view = new DataView(this.#bytes.buffer);
  /** Number of bytes in the current block. */
  #length = 0;
  readonly #numbers = new FiniteNumbers();

  /** Number of bytes that have been written. */
  get size(): number {
    return this.#start + this.#length;
  }

  /** Reports numbers that the file cannot store. */
  reportLosses(report: ReportBuilder): void {
    if (this.#numbers.count > 0) report.add('NUMBERS_REPAIRED', '', this.#numbers.count);
  }

  u8(value: number): this {
    const at = this.#room(1);
    this.#view.setUint8(at, value);
    return this;
  }

  u16(value: number): this {
    const at = this.#room(2);
    this.#view.setUint16(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.#room(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  f32(value: number): this {
    const at = this.#room(4);
    this.#view.setFloat32(at, this.#numbers.one(value), true);
    return this;
  }

  floats(values: readonly number[]): this {
    for (const value of values) this.f32(value);
    return this;
  }

  column(column: Float32Array | Uint8Array | Uint32Array): this {
    const values = this.#numbers.column(column);
    const at = this.#room(values.byteLength);
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    return this;
  }

  /** Writes text as UTF-8, without its length and without a terminating zero byte. */
  utf8(text: string): this {
    return this.column(utf8.encode(text));
  }

  /** Replaces a number that `u32` has written. `at`: its offset in the file. */
  setU32(at: number, value: number): void {
    const block = this.#blocks.findLast(({ start, bytes }) => at >= start && at < start + bytes.length);
    const { buffer, byteOffset } = block?.bytes ?? this.#bytes;
    new DataView(buffer, byteOffset).setUint32(at - (block?.start ?? this.#start), value, true);
  }

  /** Returns all bytes, in pieces. */
  finish(): Uint8Array<ArrayBuffer>[] {
    this.#endBlock(0);
    return this.#blocks.map(({ bytes }) => bytes);
  }

  /**
   * Reserves `count` bytes in one block and returns their offset in this block. The call can replace
   * the current block and its view.
   */
  #room(count: number): number {
    if (this.#length + count > this.#bytes.length) this.#endBlock(Math.max(count, Math.min(2 * this.#bytes.length, LARGEST)));
    const at = this.#length;
    this.#length += count;
    return at;
  }

  /** Adds the current block to the complete ones, and starts another one. */
  #endBlock(size: number): void {
    if (this.#length > 0) this.#blocks.push({ start: this.#start, bytes: this.#bytes.subarray(0, this.#length) });
    this.#start += this.#length;
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
    this.#length = 0;
  }
}
