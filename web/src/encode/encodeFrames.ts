// Encodes a series of frames. Frames are drawn and encoded one after another, so a slow computer
// takes longer but omits none.
import { pause } from '../core/source.ts';
import type { FrameEncoder, FrameSeries } from './frameSeries.ts';

export const VIDEO_FORMATS = ['mp4', 'webm', 'gif', 'png'] as const;

/** `png`: numbered pictures in a ZIP archive. */
export type VideoFormat = (typeof VIDEO_FORMATS)[number];

export interface FormatTraits {
  extension: string;
  supportsTransparency: boolean;
  /** True if width and height must be even, because the colours have half the resolution. */
  needsEvenSize: boolean;
  /** Maximum frame rate in frames per second. */
  maxFrameRate: number;
}

export const FORMAT_TRAITS: Record<VideoFormat, FormatTraits> = {
  mp4: { extension: 'mp4', supportsTransparency: false, needsEvenSize: true, maxFrameRate: 240 },
  webm: { extension: 'webm', supportsTransparency: true, needsEvenSize: true, maxFrameRate: 240 },
  // Browsers slow down frames that are shown for less than two hundredths of a second.
  gif: { extension: 'gif', supportsTransparency: true, needsEvenSize: false, maxFrameRate: 50 },
  png: { extension: 'zip', supportsTransparency: true, needsEvenSize: false, maxFrameRate: 240 },
};

/** Returns the formats that this browser can encode in the given size. */
export async function encodableFormats(size: { width: number; height: number }, frameRate: number): Promise<VideoFormat[]> {
  const { codecFor } = await import('./movie.ts');
  const isEncodable = async (format: VideoFormat): Promise<boolean> =>
    format === 'gif' || format === 'png' || (await codecFor(format, size, frameRate)) !== undefined;
  const answers = await Promise.all(VIDEO_FORMATS.map(isEncodable));
  return VIDEO_FORMATS.filter((_, i) => answers[i]);
}

async function encoderFor(format: VideoFormat, series: FrameSeries): Promise<FrameEncoder> {
  if (format === 'gif') return (await import('./gif.ts')).gifEncoder(series);
  if (format === 'png') return (await import('./pngs.ts')).pngEncoder(series);
  return (await import('./movie.ts')).movieEncoder(format, series);
}

export interface EncodeOptions {
  signal: AbortSignal;
  /** Called after each frame. `done`: number of encoded frames. */
  onFrame: (done: number) => void;
}

/**
 * Draws and encodes all frames. Rejects with the signal's reason if it is aborted, and with an
 * error if the browser can't encode the format.
 */
export async function encodeFrames(format: VideoFormat, series: FrameSeries, { signal, onFrame }: EncodeOptions): Promise<Blob> {
  const { canvas, count, isTransparent } = series;
  const isRead = format === 'gif' || (format === 'webm' && isTransparent);
  const context = canvas.getContext('2d', { willReadFrequently: isRead })!;
  signal.throwIfAborted();
  const encoder = await encoderFor(format, series);
  try {
    for (let i = 0; i < count; i++) {
      signal.throwIfAborted();
      context.clearRect(0, 0, canvas.width, canvas.height);
      series.draw(i, context);
      await encoder.add(i, context);
      onFrame(i + 1);
      await pause();
    }
    signal.throwIfAborted();
    return await encoder.finish();
  } catch (error) {
    await encoder.cancel();
    throw error;
  }
}
