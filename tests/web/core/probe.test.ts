// Detects the role of files from their headers only, for every kind of source.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formats, open, probe } from '../../../web/src/core/index.ts';

const demo = (name: string): Uint8Array => readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url));

/** A Blob that counts the bytes that are read. */
class Counted extends Blob {
  asked = 0;
  override slice(start = 0, end = this.size): Blob {
    this.asked += Math.min(end, this.size) - Math.min(start, this.size);
    return super.slice(start, end);
  }
}

describe('probe', () => {
  test('detects models, animations, rigs and scenes with instances, whatever their file names', async () => {
    const names = ['Pip.psk', 'Pip.psa', 'Tock.cast', 'Isle.cast', 'Lotl.vgo'];
    const told = await Promise.all(names.map(name => probe(demo(name), 'x.bin')));
    expect(told).toEqual([
      { format: 'psk', role: 'model' },
      { format: 'psa', role: 'animation' },
      { format: 'cast', role: 'rig' },
      { format: 'cast', role: 'scene' },
      { format: 'vgo', role: 'model' },
    ]);
  });

  test('returns the same format as open', async () => {
    const ids = formats().map(({ id }) => id);
    for (const name of ['Pip.psk', 'Isle.cast', 'Lotl.vgo']) {
      const { format } = await probe(demo(name));
      expect(ids).toContain(format);
      expect((await open(demo(name))).format).toBe(format);
    }
  });

  test('reads only headers', async () => {
    const file = new Counted([demo('Isle.cast') as Uint8Array<ArrayBuffer>]);
    expect(await probe(file)).toEqual({ format: 'cast', role: 'scene' });
    expect(file.asked).toBeLessThan(file.size / 4);
  });

  test('uses the extension if the content is unknown, and returns null if both are unknown', async () => {
    expect(await probe(new File([], 'hero.PSK'))).toEqual({ format: 'psk', role: 'model' });
    expect(await probe(new Uint8Array(8), 'some.glb')).toEqual({ format: null, role: 'unknown' });
    expect(await probe(new Uint8Array(0))).toEqual({ format: null, role: 'unknown' });
  });

  test('accepts a file that ends in the middle of a header', async () => {
    const whole = demo('Tock.cast');
    for (const length of [4, 16, 30, 4100, 5000]) {
      const file = new Counted([whole.slice(0, length) as Uint8Array<ArrayBuffer>]);
      expect(await probe(file)).toEqual({ format: 'cast', role: 'rig' });
      expect(file.asked).toBeLessThan(length + 2048);
    }
  });

  test('rejects if the bytes cannot be read', async () => {
    const gone = new Counted(['x']);
    gone.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }) as unknown as Blob;
    await expect(probe(gone)).rejects.toThrow('gone');
  });
});
