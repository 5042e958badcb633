// The bit streams of Zstandard (RFC 8878).
import { outOfRange } from './error.ts';

/** Ends decompression because the data is damaged or the output is full. */
export function damaged(): never {
  throw outOfRange('The Zstandard frame is damaged.');
}

/** A stream that is read from its last bit to its first (RFC 8878, 4.1). */
export class BackwardBits {
  /** Number of unread bits. Negative after reading beyond the start; those bits are 0. */
  left: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    // The highest 1 in the last byte marks the end of the stream.
    const last = bytes[bytes.length - 1] || damaged();
    this.#bytes = bytes;
    this.left = bytes.length * 8 - Math.clz32(last) + 23;
  }

  /** Reads at most 31 bits. */
  read(count: number): number {
    if (count > 16) return this.read(count - 16) * 2 ** 16 + this.read(16);
    const value = this.peek(count);
    this.left -= count;
    return value;
  }

  /** Returns the next bits, at most 16, without reading them. */
  peek(count: number): number {
    const at = this.left - count;
    if (at < 0) return this.left > 0 ? bitsAt(this.#bytes, 0, this.left) << -at : 0;
    return bitsAt(this.#bytes, at, count);
  }
}

/** Returns at most 16 bits from bit `at` of a little-endian stream. Bits beyond its end are 0. */
export function bitsAt(bytes: Uint8Array, at: number, count: number): number {
  const byte = at >>> 3;
  return ((bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16)) >>> (at & 7)) & ((1 << count) - 1);
}
