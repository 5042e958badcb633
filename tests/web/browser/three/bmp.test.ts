// The decoder for Node returns the same pixels as Chromium.
import { expect, it } from 'vitest';
import { readBmp } from '../../../../web/src/textures/bmp.ts';
import { decodeTexture, pixelsOf } from '../../../../web/src/three/materials/decode.ts';
import { bmp, BMPS } from '../../../support/images.ts';

it.each(Object.keys(BMPS))('a BMP of %s', async kind => {
  const bytes = bmp(BMPS[kind]!);
  const theirs = pixelsOf(await decodeTexture({ name: 'a.bmp', bytes }));
  const ours = readBmp(bytes);
  expect([theirs!.width, theirs!.height]).toEqual([ours.width, ours.height]);
  expect([...ours.data].map((value, i) => Math.abs(value - theirs!.data[i]!) <= 1)).toEqual([...ours.data].map(() => true));
});
