// Writes numbers and text in little-endian byte order into a growing buffer.
import { FiniteNumbers } from './finite.ts';
import type { ReportBuilder } from './report.ts';

const utf8 = new TextEncoder();

export class GrowingBytes {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;
  readonly #numbers = new FiniteNumbers();

  /** Number of bytes that have been written. */
  get size(): number {
    return this.#size;
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

  /** Replaces the number at an offset that has already been written. */
  setU32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }

  /**
   * Reserves `count` bytes and returns their offset. The call can replace the buffer and its view.
   */
  #room(count: number): number {
    const at = this.#size;
    this.#size += count;
    if (this.#size > this.#bytes.length) {
      const more = new Uint8Array(Math.max(2 * this.#bytes.length, this.#size));
      more.set(this.#bytes);
      this.#bytes = more;
      this.#view = new DataView(more.buffer);
    }
    return at;
  }
}
