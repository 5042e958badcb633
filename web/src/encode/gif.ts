// Encodes animated GIFs with up to 256 colours per frame.
import { applyPalette, GIFEncoder, quantize } from './vendor/gifenc.ts';
import type { FrameEncoder, FrameSeries } from './frameSeries.ts';

const MAX_COLORS = 256;
/** Alpha from which a pixel is opaque. GIF has no partly transparent pixels. */
const OPAQUE = 128;
/** Disposal method that clears the picture, for frames with transparent pixels. */
const CLEAR = 2;

/**
 * Returns how long a frame is shown, in hundredths of a second. The durations differ by one
 * hundredth if necessary, so that each frame begins at most half a hundredth too early or too late.
 */
export const gifDelay = (index: number, frameRate: number): number =>
  Math.round((100 * (index + 1)) / frameRate) - Math.round((100 * index) / frameRate);

export function gifEncoder({ canvas: { width, height }, frameRate, isTransparent }: FrameSeries): FrameEncoder {
  const gif = GIFEncoder();
  return {
    async add(index, context) {
      const { data } = context.getImageData(0, 0, width, height);
      const palette = quantize(data, isTransparent ? MAX_COLORS - 1 : MAX_COLORS);
      const pixels = applyPalette(data, palette);
      const delay = 10 * gifDelay(index, frameRate);
      if (!isTransparent) return gif.writeFrame(pixels, width, height, { palette, delay });
      const transparentIndex = palette.length;
      for (let i = 0; i < pixels.length; i++) if (data[4 * i + 3]! < OPAQUE) pixels[i] = transparentIndex;
      gif.writeFrame(pixels, width, height, {
        palette: [...palette, [0, 0, 0]],
        delay,
        transparent: true,
        transparentIndex,
        dispose: CLEAR,
      });
    },
    async finish() {
      gif.finish();
      return new Blob([gif.bytes()], { type: 'image/gif' });
    },
    async cancel() {},
  };
}
