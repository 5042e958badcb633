// Writes the numbers and strings of SE files.
import { GrowingBytes } from '../common/growingBytes.ts';

/** Returns the size in bytes of the smallest unsigned integer type that can store `largest`. */
export const widthOf = (largest: number): 1 | 2 | 4 => (largest <= 0xff ? 1 : largest <= 0xff_ff ? 2 : 4);

export class SeBytes extends GrowingBytes {
  index(value: number, width: 1 | 2 | 4): this {
    return width === 1 ? this.u8(value) : width === 2 ? this.u16(value) : this.u32(value);
  }

  /** Writes a string with a terminating zero byte. */
  text(text: string): this {
    return this.utf8(text.replaceAll('\0', ' ')).u8(0);
  }
}
