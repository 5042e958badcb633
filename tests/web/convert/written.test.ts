// Tests files that are written in pieces. The joined pieces are the same file for any size of
// pieces and any number of iterations.
import { describe, expect, it } from 'vitest';
import { convert, type Target } from '../../../web/src/convert/index.ts';
import { ConvertedFile, joined } from '../../../web/src/convert/common/written.ts';
import { open } from '../../../web/src/core/index.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';

const megabyte = 2 ** 20;

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b);
const counted = (length: number, first: number): Uint8Array => Uint8Array.from({ length }, (_, i) => first + i);

describe('a file', () => {
  const parts = [counted(3, 0), counted(megabyte, 7), counted(5, 1), counted(6, 2), Float32Array.of(1.5), counted(0, 0)];

  it('consists of its pieces in order, with small pieces joined', () => {
    const file = new ConvertedFile({ name: 'a.bin', pieces: parts });
    const pieces = [...file.pieces()];
    expect(pieces.map(({ length }) => length)).toEqual([3, megabyte, 15]);
    expect(isSame(joined(pieces), joined(parts))).toBe(true);
    expect(isSame(file.bytes, joined(parts))).toBe(true);
  });

  it('never joins pieces to more than a megabyte', () => {
    const file = new ConvertedFile({ name: 'a.bin', pieces: Array.from({ length: 70 }, (_, i) => counted(100_000, i)) });
    const lengths = [...file.pieces()].map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(megabyte);
    expect(lengths).toHaveLength(7);
  });

  it('keeps its bytes when it is copied or posted to another thread', () => {
    const file = new ConvertedFile({ name: 'a.bin', pieces: [counted(3, 1)] });
    expect({ ...file }).toEqual({ name: 'a.bin', bytes: counted(3, 1) });
    expect(structuredClone(file)).toEqual({ name: 'a.bin', bytes: counted(3, 1) });
  });

  it('creates its bytes once', () => {
    const file = new ConvertedFile({ name: 'a.bin', pieces: [counted(3, 1), counted(3, 1)] });
    expect(file.bytes).toBe(file.bytes);
  });
});

describe.each(['csv', 'json', 'psa', 'glb', 'cast', 'vgo'] as const satisfies Target[])('%s', to => {
  it('has the same bytes whether it is read whole or in pieces', async () => {
    const inputs = { 'hero.psk': makePsk(), 'run.psa': makePsa({ sequences: ['Run', 'Walk'] }) };
    const sources = await Promise.all(Object.entries(inputs).map(([name, bytes]) => open(bytes, { name, worker: false })));
    for (const file of (await convert(sources, { to })).files) {
      expect(isSame(joined([...file.pieces()]), joined([...file.pieces()]))).toBe(true);
      expect(isSame(file.bytes, joined([...file.pieces()]))).toBe(true);
    }
  });
});
