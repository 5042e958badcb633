// Decompression outside the core: GZIP data is made by Node's own.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompressNeed } from '../../../web/src/core/decompress.ts';
import { open } from '../../../web/src/core/open.ts';

const clear = Uint8Array.from({ length: 20_000 }, (_, i) => Math.abs(Math.sin(i) * 1e6) & 255);

/** Decompresses `bytes`, which start at offset 3 of a file. */
function decompress(name: string, bytes: Uint8Array, size: number, byteLength = bytes.length): Promise<Uint8Array | null> {
  const file = Uint8Array.of(9, 9, 9, ...bytes);
  const read = async (offset: number, length: number) => (offset + length <= file.length ? file.slice(offset, offset + length) : null);
  return decompressNeed({ kind: 'decompress', name, required: true, properties: { offset: 3, byteLength, size } }, read);
}

/** Returns a Zstandard frame with one raw block that declares `size` bytes of content. */
function zstdFrame(content: Uint8Array, size = content.length): Uint8Array {
  const frame = new Uint8Array(12 + content.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, 0xfd2fb528, true);
  view.setUint8(4, 0xa0);
  view.setUint32(5, size, true);
  view.setUint16(9, (content.length << 3) | 1, true);
  view.setUint8(11, content.length >> 13);
  frame.set(content, 12);
  return frame;
}

/** Returns a `.uemodel` of version 9 with a compressed body. */
function compressedFile(name: string, size: number, body: Uint8Array): Uint8Array {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const withLength = (text: string): number[] => [text.length, 0, 0, 0, ...encode(text)];
  const sizes = new Uint8Array(Uint32Array.of(size, body.length).buffer);
  return Uint8Array.of(...encode('UEFORMAT'), ...withLength('UEMODEL'), 9, ...withLength('N'), 1, ...withLength(name), ...sizes, ...body);
}

describe('decompression', () => {
  it('returns the content', async () => {
    expect(await decompress('GZIP', gzipSync(clear), clear.length)).toEqual(clear);
    const some = clear.slice(0, 1000);
    expect(await decompress('ZSTD', zstdFrame(some), some.length)).toEqual(some);
  });

  it('returns one byte more than declared if the content is longer', async () => {
    for (const [name, bytes] of [
      ['GZIP', gzipSync(clear)],
      ['ZSTD', zstdFrame(clear)],
    ] as const)
      for (const size of [0, 1000, clear.length - 1]) expect(await decompress(name, bytes, size)).toEqual(clear.slice(0, size + 1));
  });

  it('returns the bytes before the damage', async () => {
    const cut = (await decompress('GZIP', gzipSync(clear).subarray(0, 2000), clear.length))!;
    expect(cut.length).toBeLessThan(clear.length);
    expect(cut).toEqual(clear.slice(0, cut.length));
    expect(await decompress('GZIP', Uint8Array.of(1, 2, 3, 4), 100)).toHaveLength(0);
    expect(await decompress('ZSTD', zstdFrame(clear.slice(0, 1000)).subarray(0, 500), 1000)).toHaveLength(0);
    expect(await decompress('ZSTD', Uint8Array.of(1, 2, 3), 100)).toHaveLength(0);
    expect(await decompress('GZIP', gzipSync(clear), clear.length, 1e6)).toBeNull();
  });

  it('is reported if the content is longer or shorter than declared', async () => {
    const body = new Uint8Array(12);
    const file = (size: number): Uint8Array => compressedFile('GZIP', size, gzipSync(body));
    const details = async (size: number): Promise<(string | undefined)[]> => {
      const { report } = await open(file(size), { name: 'a.uemodel' });
      return report.items.filter(({ code }) => code === 'DECOMPRESS_FAILED').map(({ detail }) => detail);
    };
    expect(await details(12)).toEqual([]);
    expect(await details(11)).toEqual(['11 bytes declared, more decompressed']);
    expect(await details(13)).toEqual(['13 bytes declared, 12 decompressed']);
  });

  it('is refused if the declared size is implausible', async () => {
    const bytes = compressedFile('ZSTD', 2 ** 30, Uint8Array.of(1, 2, 3, 4));
    const { scene, report, needs } = await open(bytes, { name: 'bomb.uemodel' });
    expect([scene, needs, report.items.map(({ code }) => code)]).toEqual([null, [], ['COMPRESSION_RATIO']]);
  });
});
