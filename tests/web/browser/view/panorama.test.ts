// The size of the cube maps into which panoramas are drawn.
import { expect, it } from 'vitest';
import { loadPanorama } from '../../../../web/src/view/panorama.ts';

async function sizeFor(width: number, isVisible: boolean): Promise<number> {
  const canvas = new OffscreenCanvas(width, 2);
  canvas.getContext('2d')!.fillRect(0, 0, width, 2);
  const sky = await loadPanorama(await canvas.convertToBlob(), 'panorama.png', isVisible);
  sky.dispose();
  return sky.size;
}

it('draws a visible panorama into a cube map with all its details, and not into a larger one', async () => {
  expect(await Promise.all([64, 512, 1000, 1024, 2048, 4096].map(width => sizeFor(width, true)))).toEqual([256, 256, 512, 512, 1024, 1024]);
  expect(await Promise.all([64, 2048].map(width => sizeFor(width, false)))).toEqual([256, 256]);
});
