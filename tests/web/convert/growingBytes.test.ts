// Writes files in blocks.
import { expect, it } from 'vitest';
import { GrowingBytes } from '../../../web/src/convert/common/growingBytes.ts';
import { joined } from '../../../web/src/convert/common/written.ts';

it('writes the same bytes in blocks as in one buffer, and changes numbers in earlier blocks', () => {
  const bytes = new GrowingBytes();
  const expected: number[] = [];
  const places: number[] = [];
  for (let i = 0; i < 3000; i++) {
    if (i % 7 === 0) {
      places.push(bytes.size);
      bytes.u32(0);
      expected.push(i & 0xff, i >> 8, 0, 0);
    }
    const column = Uint8Array.from({ length: i % 50 }, (_, k) => k);
    bytes
      .u8(i & 0xff)
      .column(column)
      .u16(i);
    expected.push(i & 0xff, ...column, i & 0xff, i >> 8);
  }
  for (const [k, at] of places.entries()) bytes.setU32(at, 7 * k);
  expect(bytes.size).toBe(expected.length);
  expect(bytes.finish().length).toBeGreaterThan(3);
  expect([...joined(bytes.finish())]).toEqual(expected);
});

it('needs little more memory than the bytes that it contains', () => {
  const bytes = new GrowingBytes();
  const column = new Float32Array(5000);
  for (let i = 0; i < 1000; i++) bytes.column(column).u32(i);
  bytes.column(new Float32Array(3_000_000));
  const reserved = new Set(bytes.finish().map(({ buffer }) => buffer));
  expect([...reserved].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(1.05 * bytes.size);
});
