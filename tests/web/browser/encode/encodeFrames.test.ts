// Encodes series of simple frames in each format, and reads the results.
import { expect, it, vi } from 'vitest';
import { encodableFormats, encodeFrames, type VideoFormat } from '../../../../web/src/encode/encodeFrames.ts';
import type { FrameSeries } from '../../../../web/src/encode/frameSeries.ts';
import { decodedFrames, gifFacts, movieFacts, pixelsOfImage, zipFiles } from './support.ts';

const [WIDTH, HEIGHT, COUNT, RATE] = [64, 48, 49, 30];

/**
 * A series of frames in which an opaque square moves from left to right over a transparent or grey
 * background.
 */
const movingSquare = (isTransparent = false): FrameSeries => ({
  canvas: Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT }),
  frameRate: RATE,
  count: COUNT,
  isTransparent,
  name: 'square',
  draw(index, context) {
    if (!isTransparent) {
      context.fillStyle = '#808080';
      context.fillRect(0, 0, WIDTH, HEIGHT);
    }
    context.fillStyle = '#f08000';
    context.fillRect(index, 16, 16, 16);
  },
});

const encode = (format: VideoFormat, series = movingSquare()): Promise<Blob> =>
  encodeFrames(format, series, { signal: new AbortController().signal, onFrame: () => {} });

const rgba = ({ data, width }: ImageData, x: number, y: number): number[] => [
  ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
];

function expectNear(color: readonly number[], expected: readonly number[]): void {
  for (const [i, value] of expected.entries()) expect(Math.abs(color[i]! - value), `${color} near ${expected}`).toBeLessThan(40);
}

it.each([
  ['mp4', 'avc'],
  ['webm', 'vp9'],
] as const)('encodes %s with the exact frames, size, frame rate and duration', async (format, codec) => {
  const blob = await encode(format);
  const { frameRate, duration, ...facts } = await movieFacts(blob);
  expect(facts).toEqual({ frames: COUNT, codec, size: [WIDTH, HEIGHT], framesWithAlpha: 0 });
  expect(frameRate).toBeCloseTo(RATE, 1);
  expect(duration).toBeCloseTo(COUNT / RATE, 2);
  const frames = await decodedFrames(blob);
  expect(frames).toHaveLength(COUNT);
  for (const index of [0, 20, 48]) {
    expectNear(rgba(frames[index]!, index + 8, 24), [240, 128, 0, 255]);
    expectNear(rgba(frames[index]!, (index + 30) % 60, 4), [128, 128, 128, 255]);
  }
});

it('encodes WebM with an alpha channel in each frame', async () => {
  const blob = await encode('webm', movingSquare(true));
  const { frames, framesWithAlpha, duration } = await movieFacts(blob);
  expect([frames, framesWithAlpha]).toEqual([COUNT, COUNT]);
  expect(duration).toBeCloseTo(COUNT / RATE, 2);
  const decoded = await decodedFrames(blob);
  expect(decoded).toHaveLength(COUNT);
  for (const index of [0, 48]) {
    expectNear(rgba(decoded[index]!, index + 8, 24), [240, 128, 0, 255]);
    expect(rgba(decoded[index]!, index + 8, 4)[3]).toBeLessThan(16);
  }
});

it.each([false, true])('encodes GIF with each frame, and with transparent pixels if requested: %s', async isTransparent => {
  const blob = await encode('gif', movingSquare(isTransparent));
  const { size, delays, framesWithAlpha } = await gifFacts(blob);
  expect([size, delays.length, framesWithAlpha]).toEqual([[WIDTH, HEIGHT], COUNT, isTransparent ? COUNT : 0]);
  expect(delays.reduce((sum, delay) => sum + delay)).toBe(Math.round((100 * COUNT) / RATE));
  const decoder = new ImageDecoder({ data: await blob.arrayBuffer(), type: 'image/gif' });
  const { image } = await decoder.decode({ frameIndex: 48 });
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0);
  const last = context.getImageData(0, 0, WIDTH, HEIGHT);
  expectNear(rgba(last, 56, 24), [240, 128, 0, 255]);
  expectNear(rgba(last, 8, 24), isTransparent ? [0, 0, 0, 0] : [128, 128, 128, 255]);
});

it('encodes numbered PNG pictures in a ZIP archive', async () => {
  const files = await zipFiles(await encode('png', movingSquare(true)));
  expect([...files.keys()]).toEqual(Array.from({ length: COUNT }, (_, i) => `square-${String(i + 1).padStart(4, '0')}.png`));
  const last = await pixelsOfImage(files.get('square-0049.png')!);
  expect([last.width, last.height]).toEqual([WIDTH, HEIGHT]);
  expect([rgba(last, 56, 24), rgba(last, 8, 24)]).toEqual([
    [240, 128, 0, 255],
    [0, 0, 0, 0],
  ]);
});

it.each(['mp4', 'webm', 'gif', 'png'] as const)('reports the progress of %s and stops when it is aborted', async format => {
  const abort = new AbortController();
  const done: number[] = [];
  const onFrame = (count: number): void => {
    done.push(count);
    if (count === 3) abort.abort(new Error('stopped'));
  };
  await expect(encodeFrames(format, movingSquare(format === 'webm'), { signal: abort.signal, onFrame })).rejects.toThrow('stopped');
  expect(done).toEqual([1, 2, 3]);
});

it('stops when a frame cannot be drawn', async () => {
  const series: FrameSeries = {
    ...movingSquare(),
    draw: () => {
      throw new Error('lost');
    },
  };
  await expect(encode('mp4', series)).rejects.toThrow('lost');
});

it('lists the formats that the browser can encode in the requested size', async () => {
  expect(await encodableFormats({ width: 640, height: 360 }, 30)).toEqual(['mp4', 'webm', 'gif', 'png']);
  // H.264 needs an even width and height.
  expect(await encodableFormats({ width: 641, height: 360 }, 30)).not.toContain('mp4');
  vi.stubGlobal('VideoEncoder', undefined);
  try {
    expect(await encodableFormats({ width: 640, height: 360 }, 30)).toEqual(['gif', 'png']);
    await expect(encode('mp4')).rejects.toThrow('This browser can’t encode mp4 with 64 × 48 pixels.');
  } finally {
    vi.unstubAllGlobals();
  }
});
