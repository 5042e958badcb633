// Writes the numbers and strings of SE files in little-endian byte order.

import { FiniteNumbers } from '../common/finite.ts';
import type { ReportBuilder } from '../common/report.ts';

/** Returns the size in bytes of the smallest unsigned integer type that can store `largest`. */
export const widthOf = (largest: number): 1 | 2 | 4 => (largest <= 0xff ? 1 : largest <= 0xff_ff ? 2 : 4);

const utf8 = new TextEncoder();

export class SeBytes {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;
  readonly #numbers = new FiniteNumbers();

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

  index(value: number, width: 1 | 2 | 4): this {
    return width === 1 ? this.u8(value) : width === 2 ? this.u16(value) : this.u32(value);
  }

  f32(value: number): this {
    const at = this.#room(4);
    this.#view.setFloat32(at, this.#numbers.one(value), true);
    return this;
  }

  column(column: Float32Array | Uint8Array): this {
    const values = this.#numbers.column(column);
    const at = this.#room(values.byteLength);
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    return this;
  }

  /** Writes a string without a terminating zero byte. */
  magic(text: string): this {
    return this.column(utf8.encode(text));
  }

  text(text: string): this {
    return this.magic(text.replaceAll('\0', ' ')).u8(0);
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
