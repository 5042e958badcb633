// Tests functions that take bytes with Buffers of Node. Small files share one ArrayBuffer, and
// `slice` of a Buffer does not copy, so these functions must only read the bytes of their own file.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { encodePng } from '../../../web/src/convert/common/png.ts';
import { TARGETS } from '../../../web/src/convert/targets.ts';
import { applyColorKey, findColorKey } from '../../../web/src/textures/colorKey.ts';
import { open, probe, readOutline } from '../../../web/src/core/index.ts';
import { FileTextures } from '../../../web/src/three/index.ts';
import { decodeTexture, pixelsOf } from '../../../web/src/three/materials/decode.ts';
import { openGlb } from '../../../web/src/interop/openEncoded.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { bmp, BMPS, dds, tga, tiff } from '../../support/images.ts';
import { plain } from '../../support/sameScene.ts';

/**
 * Returns the bytes as part of a larger buffer, as Node does. Creating a 32-bit view at its odd
 * offset throws.
 */
function pooled(bytes: Uint8Array): Buffer {
  const pool = new Uint8Array(bytes.length + 4096).fill(0xa5);
  pool.set(bytes, 1027);
  return Buffer.from(pool.buffer, 1027, bytes.length);
}

const filled = (length: number, value: number): number[] => Array.from({ length }, () => value);
const pixel = (x: number, y: number): number[] => [16 * x, 16 * y, 128, 255];
const palette = [0, 0, 0, 9, 8, 7];
const pcx = Uint8Array.from([
  10,
  5,
  1,
  8,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  ...filled(53, 0),
  1,
  1,
  ...filled(61, 0),
  1,
  12,
  ...palette,
  ...filled(762, 0),
]);
const data = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`../../data/${name}`, import.meta.url)));

describe('bytes in a buffer of Node', () => {
  it.each<[string, Uint8Array]>([
    ['a.tga', tga(4, 4, pixel)],
    ['a.tif', tiff(4, 4, pixel)],
    [
      'a.dds',
      dds({ width: 2, height: 2, bits: 32, masks: [0xff, 0xff00, 0xff0000, 0xff000000], data: new Uint8Array(16).map((_, i) => i) }),
    ],
    ['a.pcx', pcx],
    ['a.bmp', bmp(BMPS['24 bits']!)],
  ])('decodes an image: %s', async (name, bytes) => {
    const [own, shared] = await Promise.all([bytes, pooled(bytes)].map(async each => pixelsOf(await decodeTexture({ name, bytes: each }))));
    expect(own!.data.length).toBeGreaterThan(0);
    expect(shared).toEqual(own);
  });

  it('copies the pixels of GPU formats', async () => {
    const shared = pooled(dds({ width: 4, height: 4, fourCC: 'DXT1', data: new Uint8Array(8).fill(7) }));
    const { mipmaps } = (await decodeTexture({ name: 'a.dds', bytes: shared })) as unknown as { mipmaps: { data: Uint8Array }[] };
    shared.fill(0);
    expect([...mipmaps[0]!.data]).toEqual(filled(8, 7));
  });

  it('finds the mask colour and makes it transparent', () => {
    const black = new Uint8Array(4 * 16).map((_, i) => (i % 4 === 3 ? 255 : i > 15 && i < 20 ? 200 : 0));
    const key = findColorKey(black, 4, 4, new Uint8Array(0))!;
    expect(findColorKey(pooled(black), 4, 4, new Uint8Array(0))).toEqual(key);
    expect(applyColorKey(pooled(black), 4, 4, key)).toEqual(applyColorKey(black, 4, 4, key));
  });

  it('opens a GLB', async () => {
    const { files } = await convert([makePsk()], { to: 'glb', open: { name: 'hero.psk' } });
    const { scene, report } = await openGlb(pooled(files[0]!.bytes), 'hero.glb');
    expect([report.errors, scene?.nodes.names.includes('arm')]).toEqual([0, true]);
  });

  it.each([
    'psk/hero.psk',
    'psa/run.psa',
    'cast/everything.cast',
    'mrtk/everyCurve.bin',
    'se/arm.semodel',
    'se/absolute.seanim',
    'vgo/puppet.vgo',
  ])('opens, probes and outlines a file: %s', async path => {
    const bytes = path.endsWith('psk') ? makePsk() : path.endsWith('psa') ? makePsa() : data(path);
    const name = path.split('/')[1]!;
    const of = async (source: Uint8Array) => {
      const { scene, report } = await open(source, { name, worker: false });
      return [
        scene && plain(scene),
        report,
        await probe(source, name),
        (await readOutline(source, { name, worker: false })).outline.length,
      ];
    };
    expect(await of(pooled(bytes))).toEqual(await of(bytes));
  });

  const isWhole = (to: string): boolean => !['vrm', 'mrtk', 'iwer'].includes(to); // the other targets require a humanoid or hands
  it.each(TARGETS.filter(isWhole))('converts a model with an animation and an image to the same %s files', async to => {
    const png = await encodePng({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 255) });
    const image = tga(2, 2, pixel);
    const made = async (as: (bytes: Uint8Array) => Uint8Array) => {
      const images = new FileTextures(
        new Map([
          ['Skin_D.tga', as(image)],
          ['Skin_N.png', as(png)],
        ]),
      );
      const sources = await Promise.all([open(as(makePsk()), { name: 'hero.psk' }), open(as(makePsa()), { name: 'run.psa' })]);
      return (await convert(sources, { to, images })).files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('base64')]);
    };
    expect(await made(pooled)).toEqual(await made(bytes => bytes));
  });
});
