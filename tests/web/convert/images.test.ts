// Tests images: decoding and encoding of PNG, material files of Unreal, and inverted normal maps in
// GLB.
import { deflateSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { encodePng, type Pixels } from '../../../web/src/convert/common/png.ts';
import { decodePng } from '../../../web/src/convert/common/pngDecode.ts';
import { open } from '../../../web/src/core/index.ts';
import { contentOf } from '../../support/glbContent.ts';
import { complaints } from '../../support/gltf.ts';
import { tga } from '../../support/images.ts';

function pixels(width: number, height: number): Pixels {
  return { width, height, data: Uint8Array.from({ length: 4 * width * height }, (_, i) => (i * 37 + (i >> 3) * 11) & 255) };
}

/** Encodes a PNG as the specification defines it. The rows use all filters in turn. */
function png(kind: number, channels: number, width: number, raw: Uint8Array, extra: Uint8Array[] = []): Uint8Array {
  const stride = width * channels;
  const height = raw.length / stride;
  const at = (x: number, y: number): number => (x < 0 || y < 0 ? 0 : (raw[stride * y + x] ?? 0));
  const rows: number[] = [];
  for (let y = 0; y < height; y++) {
    const filter = y % 5;
    rows.push(filter);
    for (let x = 0; x < stride; x++) {
      const [a, b, c] = [at(x - channels, y), at(x, y - 1), x < channels ? 0 : at(x - channels, y - 1)];
      const p = a + b - c;
      const nearest = [a, b, c].reduce((best, value) => (Math.abs(p - value) < Math.abs(p - best) ? value : best));
      rows.push((at(x, y) - ([0, a, b, Math.floor((a + b) / 2), nearest][filter] ?? 0)) & 255);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, kind], 8);
  const chunk = (name: string, body: Uint8Array): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, Buffer.from(name), body, Buffer.alloc(4)]);
  };
  const [palette, alpha] = extra;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    ...(alpha ? [chunk('tRNS', alpha)] : []),
    chunk('IDAT', deflateSync(Uint8Array.from(rows))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

describe('PNG', () => {
  it('is decoded to the encoded pixels', async () => {
    const image = pixels(7, 5);
    expect(await decodePng(await encodePng(image))).toEqual({ ...image });
  });

  it('is decoded with every filter and colour type', async () => {
    const { data } = pixels(4, 10);
    expect((await decodePng(png(6, 4, 4, data as Uint8Array))).data).toEqual(data);
    const grey = await decodePng(png(0, 1, 4, data.subarray(0, 40) as Uint8Array));
    expect([...grey.data.subarray(4, 8)]).toEqual([data[1], data[1], data[1], 255]);
    const palette = Uint8Array.from({ length: 768 }, (_, i) => 255 - (i & 255));
    const indexed = await decodePng(
      png(
        3,
        1,
        4,
        Uint8Array.from({ length: 20 }, (_, i) => i),
        [palette, Uint8Array.from([9])],
      ),
    );
    expect([...indexed.data.subarray(0, 8)]).toEqual([255, 254, 253, 9, 252, 251, 250, 255]);
  });

  it('that is truncated, damaged or too large is rejected with a message', async () => {
    const whole = await encodePng(pixels(9, 9));
    await expect(decodePng(whole.subarray(0, 60))).rejects.toThrow('truncated');
    const huge = whole.slice();
    huge.set([0, 255, 255, 255, 0, 255, 255, 255], 16);
    await expect(decodePng(huge)).rejects.toThrow('pixels');
  });
});

describe('materials of Unreal', () => {
  it('get the textures that files beside the model assign, with flipped normals', async () => {
    const model = await open(readFileSync(new URL('../../data/unreal/arm.psk', import.meta.url)), {
      name: 'arm.psk',
      worker: false,
      tangents: true,
    });
    const [material] = model.scene?.materials ?? [];
    const normal = pixels(4, 4);
    const files: Record<string, Uint8Array> = { T_Arm_D: tga(2, 2, () => [10, 20, 30, 255]), T_Arm_N: await encodePng(normal) };
    const images = {
      image: async (name: string) =>
        files[name] ? { name: name === 'T_Arm_D' ? `${name}.tga` : `${name}.png`, bytes: files[name] } : null,
      text: async (name: string) =>
        name === `${material?.name}.mat`
          ? 'Diffuse=T_Arm_D\nNormal=T_Arm_N\n'
          : name === `${material?.name}.props.txt`
            ? 'TwoSided = true\n'
            : null,
    };
    const { files: made, report } = await convert([model], { to: 'glb', images });
    const bytes = made[0]?.bytes ?? new Uint8Array(0);
    expect(await complaints(bytes)).toEqual([]);
    const { json, image } = contentOf(bytes);
    const found = json.materials.find(({ name }) => name === material?.name);
    expect(found).toMatchObject({ doubleSided: true, pbrMetallicRoughness: { baseColorTexture: {} }, normalTexture: {} });
    const stored = await decodePng(image(json.textures[found?.normalTexture?.index ?? -1]?.source ?? -1));
    expect(stored.data).toEqual(normal.data.map((value, i) => (i % 4 === 1 ? 255 - value : value)));
    expect(report.items.filter(({ code }) => code === 'TEXTURE_REENCODED')).toHaveLength(2);
  });

  it('get textures by name if no file assigns them', async () => {
    const read = (name: string): Uint8Array => readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url));
    const model = await open(read('Pip.psk'), { name: 'Pip.psk', worker: false });
    const images = { names: ['Pip_D.png'], text: async () => null, image: async (name: string) => ({ name, bytes: read(name) }) };
    const { files } = await convert([model], { to: 'glb', images });
    const { json, image } = contentOf(files[0]?.bytes ?? new Uint8Array(0));
    expect(json.images).toHaveLength(1);
    expect(Buffer.from(image(0)).equals(read('Pip_D.png'))).toBe(true);
  });
});
