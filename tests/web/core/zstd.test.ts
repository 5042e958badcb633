// Decompression of Zstandard frames.
import { describe, expect, it } from 'vitest';
import { decompressZstd } from '../../../web/src/core/zstd.ts';
import { zstdFrames } from '../../support/zstdFrames.ts';

/** Returns the bytes that `frame` contains, at most `size`. */
function decompress(frame: Uint8Array, size: number): Uint8Array {
  const to = new Uint8Array(size);
  return to.subarray(0, decompressZstd(frame, to));
}
const isStartOf = (part: Uint8Array, whole: Uint8Array): boolean => Buffer.compare(part, whole.subarray(0, part.length)) === 0;

/** Returns a frame that declares 1 MiB of content: a block of 8 equal bytes and a compressed block. */
function frameOf(block: number[]): Uint8Array {
  const header = (block.length << 3) | 5;
  const blocks = [(8 << 3) | 2, 0, 0, 7, header & 255, (header >> 8) & 255, header >> 16, ...block];
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 16, 0, ...blocks]);
}
/** Returns a block without literals and with 98,047 sequences that copy 65,539 bytes or more each. */
const longMatches = (bits: number[]): number[] => [1, 0, 255, 255, 255, 0x54, 0, 0, 52, ...bits];

describe('Zstandard frames', () => {
  it.each(zstdFrames)('$name', ({ content, frame }) => {
    expect(isStartOf(decompress(frame, content.length + 1), content)).toBe(true);
    expect(decompress(frame, content.length + 1)).toHaveLength(content.length);
  });

  it('stop when the output is full', () => {
    for (const { content, frame } of zstdFrames) {
      const part = decompress(frame, content.length - 9);
      expect([part.length, isStartOf(part, content)]).toEqual([content.length - 9, true]);
    }
  });

  it('return the bytes before the damage', () => {
    for (const { content, frame } of zstdFrames)
      for (let length = 0; length < frame.length - 4; length += 11) {
        const part = decompress(frame.subarray(0, length), content.length);
        expect([part.length < content.length, isStartOf(part, content)], `${length} bytes`).toEqual([true, true]);
      }
  });

  it('are bounded by their own size and the size of the output, whatever they contain', () => {
    const start = performance.now();
    // fzstd 0.1.1 needs minutes for the first frame, because it does not compare with any size.
    expect(decompress(frameOf(longMatches([1])), 2 ** 20)).toHaveLength(8);
    expect(decompress(frameOf(longMatches(Array<number>(100_000).fill(128))), 2 ** 20).length).toBeLessThanOrEqual(8 + 2 ** 17);
    for (const { content, frame } of zstdFrames)
      for (let i = 4; i < frame.length; i += 7) {
        const damaged = frame.slice();
        damaged[i]! ^= 1 + (i % 255);
        expect(decompress(damaged, content.length + 1).length).toBeLessThanOrEqual(content.length + 1);
      }
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('that refer to bytes before the content, or need a dictionary, are damaged', () => {
    // One sequence: 4 of 8 literals, then 3 bytes from some bytes before. The other literals follow.
    const withOffset = (code: number, bits: number): Uint8Array => frameOf([8 * 8 + 1, 6, 1, 0x54, 4, code, 0, bits]);
    expect(decompress(withOffset(3, 0b1111), 100)).toEqual(Uint8Array.of(7, 7, 7, 7, 7, 7, 7, 7, 6, 6, 6, 6, 7, 7, 7, 6, 6, 6, 6)); // offset 12
    expect(decompress(withOffset(4, 0b10000), 100)).toHaveLength(12); // offset 13
    const { frame, content } = zstdFrames[1]!;
    const withDictionary = Uint8Array.of(...frame.subarray(0, 4), frame[4]! | 1, 1, ...frame.subarray(5));
    expect(decompress(withDictionary, content.length)).toHaveLength(0);
  });

  it('whose bit streams are longer than their content are damaged', () => {
    expect(decompress(frameOf([8 * 8 + 1, 6, 1, 0x54, 4, 3, 0, 0b11111]), 100)).toHaveLength(15);
    const shorter = zstdFrames[1]!.frame.slice();
    shorter[9]! -= 16; // declares 59 of 60 literals
    expect(decompress(shorter, 60)).toHaveLength(0);
  });
});
