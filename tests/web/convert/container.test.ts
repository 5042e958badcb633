// Tests the GLB container: header, chunks and length.
import { describe, expect, it } from 'vitest';
import { glb, padded } from '../../../web/src/convert/gltf/glb.ts';
import { joined } from '../../../web/src/convert/common/written.ts';

const asset = { version: '2.0' };
const json = ['{"asset":', JSON.stringify(asset), '}'].map(piece => new TextEncoder().encode(piece));

describe('the container of a GLB', () => {
  it('declares its lengths and pads its chunks to four bytes', () => {
    const bytes = joined(glb(json, [Uint8Array.of(1, 2, 3, 4), Float32Array.of(1.5)]));
    const view = new DataView(bytes.buffer);
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('glTF');
    expect([view.getUint32(4, true), view.getUint32(8, true)]).toEqual([2, bytes.length]);
    const length = view.getUint32(12, true);
    expect(length % 4).toBe(0);
    expect(JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)))).toEqual({ asset });
    expect([view.getUint32(20 + length, true), view.getFloat32(32 + length, true)]).toEqual([8, 1.5]);
    expect(bytes.length).toBe(20 + length + 8 + 8);
  });

  it('has no second chunk without binary data', () => {
    const bytes = joined(glb(json, []));
    expect(bytes.length).toBe(20 + new DataView(bytes.buffer).getUint32(12, true));
  });

  it('rejects content whose length exceeds 32 bits', () => {
    const large = { buffer: new ArrayBuffer(0), byteOffset: 0, byteLength: 2 ** 32 };
    expect(() => glb(json, [large])).toThrow(/at most 4 GB, and this one would have 4\.0 GB\. Write glTF, or choose fewer animations/);
  });

  it('does not pad bytes whose length is a multiple of four', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    expect(padded(bytes)).toBe(bytes);
    expect([...padded(bytes.subarray(0, 3))]).toEqual([1, 2, 3, 0]);
  });
});
