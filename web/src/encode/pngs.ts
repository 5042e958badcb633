// Encodes numbered PNG pictures in a ZIP archive.
import { RigcastError } from '../core/error.ts';
import type { FrameEncoder, FrameSeries } from './frameSeries.ts';
import { zipOf } from './zipping.ts';

export function pngEncoder({ canvas, count, name }: FrameSeries): FrameEncoder {
  const files: { name: string; blob: Blob }[] = [];
  const digits = Math.max(String(count).length, 4);
  return {
    async add(index) {
      const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve));
      if (!blob) throw new RigcastError('PICTURE_FAILED', `The browser could not encode frame ${index + 1} as PNG.`);
      files.push({ name: `${name}-${String(index + 1).padStart(digits, '0')}.png`, blob });
    },
    finish: () => zipOf(files),
    async cancel() {},
  };
}
