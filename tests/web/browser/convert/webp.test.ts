// Images that the browser encodes as WebP keep every pixel.
import { WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { expect, test } from 'vitest';
import { convert } from '../../../../web/src/convert/index.ts';
import { encodePng } from '../../../../web/src/convert/common/png.ts';
import { open } from '../../../../web/src/core/index.ts';

async function pixelsOf(image: Uint8Array, type: string): Promise<Uint8ClampedArray> {
  const bitmap = await createImageBitmap(new Blob([image as Uint8Array<ArrayBuffer>], { type }), {
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
  });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
}

test('encodes images as WebP without changing their pixels', async () => {
  const demo = async (name: string): Promise<Blob> =>
    (await fetch(new URL(`../../../../web/src/viewer/demo/${name}`, import.meta.url))).blob();
  const file = await open(await demo('Pip.psk'), { name: 'Pip.psk' });
  // PNG compresses this image badly, so its WebP version is smaller. Images that would become
  // larger keep their format.
  const data = Uint8Array.from(
    { length: 4 * 256 * 256 },
    (_, i) => [(i >> 2) & 255, i >> 10, (((i >> 2) & 255) * (i >> 10)) >> 8, 255][i & 3]!,
  );
  const picture = { name: 'Pip_D.png', bytes: await encodePng({ data, width: 256, height: 256 }) };
  const images = { names: ['Pip_D.png'], image: () => Promise.resolve(picture) };
  const texturesOf = async (webp: boolean) => {
    const { files } = await convert([file], { to: 'glb', gltf: { webp }, images });
    return (await new WebIO().registerExtensions(ALL_EXTENSIONS).readBinary(files[0]!.bytes)).getRoot().listTextures();
  };
  const [before, after] = [await texturesOf(false), await texturesOf(true)];
  expect(after.map(texture => texture.getMimeType())).toContain('image/webp');
  for (const [i, texture] of after.entries()) {
    const [old, made] = [before[i]!, texture].map(each => pixelsOf(each.getImage()!, each.getMimeType()));
    const [a, b] = [await old!, await made!];
    let most = 0;
    for (let k = 0; k < a.length; k++) most = Math.max(most, Math.abs(a[k]! - b[k]!));
    expect(most).toBe(0);
  }
});
