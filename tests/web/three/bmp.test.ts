// Decodes BMP without a browser. A browser test compares the same files with Chromium.
import { describe, expect, it } from 'vitest';
import { readBmp } from '../../../web/src/textures/bmp.ts';
import { decodeTexture, pixelsOf } from '../../../web/src/three/materials/decode.ts';
import { bmp, BMPS } from '../../support/images.ts';

const colors = { k: [0, 0, 0], r: [255, 0, 0], g: [0, 255, 0], b: [0, 0, 255] };
const opaque = (words: string): number[] => [...words].flatMap(word => [...colors[word as keyof typeof colors], 255]);

describe('BMP', () => {
  it.each<[string, number[]]>([
    ['1 bit', opaque('rkrrkkrkkr')],
    ['4 bits', opaque('krgbbbgrkk')],
    ['8 bits', opaque('krgbrbgrkg')],
    ['8 bits, from the top', opaque('krgbrbgrkg')],
    ['8 bits of OS/2', opaque('krgbrbgrkg')],
    ['8 bits in runs', opaque('rgbrgrrrgg')],
    ['4 bits in runs', opaque('rgbrgrgrgr')],
    ['16 bits', [...opaque('rgb'), 255, 255, 255, 255, 0, 0, 0, 255, 132, 132, 132, 255]],
    ['16 bits by masks', opaque('rgb')],
    ['24 bits', [3, 2, 1, 255, 6, 5, 4, 255, 9, 8, 7, 255, 50, 100, 250, 255, 255, 0, 0, 255, 0, 0, 255, 255]],
    ['32 bits', [3, 2, 1, 255, 6, 5, 4, 255, 9, 8, 7, 255, 12, 11, 10, 255]],
    ['32 bits by masks, with alpha', [1, 2, 3, 255, 4, 5, 6, 128]],
  ])('decodes the pixels of %s', async (kind, pixels) => {
    const made = pixelsOf(await decodeTexture({ name: 'a.bmp', bytes: bmp(BMPS[kind]!) }));
    expect([...made!.data]).toEqual(pixels);
  });

  it('fills pixels that run-length deltas skip with the first color', () => {
    const { data } = readBmp(
      bmp({
        width: 4,
        height: 2,
        bits: 8,
        compression: 1,
        rows: [[0, 2, 1, 1, 2, 1, 0, 1]],
        palette: [
          [9, 8, 7],
          [0, 0, 255],
        ],
      }),
    );
    const first = [7, 8, 9, 255];
    expect([...data]).toEqual([...first, ...opaque('rr'), ...first, ...first, ...first, ...first, ...first]);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['of a few bytes says so', bmp(BMPS['24 bits']!).subarray(0, 20), /header is cut off/],
    ['without its last row says so', bmp(BMPS['24 bits']!).subarray(0, -8), /cut off/],
    [
      'of 2 billion pixels in 66 bytes is refused before they are made',
      bmp({ ...BMPS['24 bits']!, width: 16000, height: 16000, rows: [] }),
      /16000 × 16000 pixels in/,
    ],
    ['wider than any texture is refused', bmp({ width: 70000, height: 1, bits: 8, compression: 1, rows: [[0, 1]] }), /70000 × 1/],
    ['that holds a JPEG is refused', bmp({ width: 1, bits: 24, compression: 4, rows: [[0, 0, 0]] }), /compression 4/],
    ['without width is refused', bmp({ width: 0, bits: 24, rows: [[]] }), /0 × 1/],
  ])('%s', async (_, bytes, words) => {
    await expect(decodeTexture({ name: 'a.bmp', bytes })).rejects.toThrow(words);
  });

  it('returns pixels or throws for truncated and corrupted files', () => {
    for (const [kind, parts] of Object.entries(BMPS)) {
      const whole = bmp(parts);
      for (let at = 0; at < whole.length; at++) {
        for (const bytes of [whole.subarray(0, at), whole.with(at, 255 - whole[at]!)]) {
          // Skips files with changed sizes, which are rejected before decoding. Decoding may only
          // throw errors with a message.
          const isSmall = bytes.length < 26 || (bytes.length >= 26 && at >= 26);
          if (!isSmall) continue;
          try {
            expect(readBmp(bytes).data.length, kind).toBeGreaterThan(0);
          } catch (error) {
            expect((error as Error).message, kind).toMatch(/BMP/);
          }
        }
      }
    }
  });
});
