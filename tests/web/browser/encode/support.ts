// Reads encoded videos: with mediabunny, and GIF and ZIP by their own structure.
import { unzipSync } from 'fflate';
import { ALL_FORMATS, BlobSource, CanvasSink, EncodedPacketSink, Input, type InputVideoTrack } from 'mediabunny';

export interface MovieFacts {
  frames: number;
  codec: string | null;
  size: [number, number];
  /** Duration in seconds. */
  duration: number;
  frameRate: number;
  /** Number of frames with an alpha channel. */
  framesWithAlpha: number;
}

async function trackOf(blob: Blob): Promise<InputVideoTrack> {
  const input = new Input({ source: new BlobSource(blob), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error('The file has no video track.');
  return track;
}

export async function movieFacts(blob: Blob): Promise<MovieFacts> {
  const track = await trackOf(blob);
  const stamps: number[] = [];
  let framesWithAlpha = 0;
  for await (const { timestamp, sideData } of new EncodedPacketSink(track).packets()) {
    stamps.push(timestamp);
    if (sideData.alpha) framesWithAlpha++;
  }
  return {
    frames: stamps.length,
    codec: await track.getCodec(),
    size: [await track.getDisplayWidth(), await track.getDisplayHeight()],
    duration: await track.computeDuration(),
    frameRate: (stamps.length - 1) / (stamps.at(-1)! - stamps[0]!),
    framesWithAlpha,
  };
}

/** Decodes all frames to RGBA pixels. */
export async function decodedFrames(blob: Blob): Promise<ImageData[]> {
  const frames: ImageData[] = [];
  const sink = new CanvasSink(await trackOf(blob), { alpha: true });
  for await (const { canvas } of sink.canvases()) {
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    frames.push(context.getImageData(0, 0, canvas.width, canvas.height));
  }
  return frames;
}

export interface GifFacts {
  size: [number, number];
  /** Duration of each frame in hundredths of a second. */
  delays: number[];
  framesWithAlpha: number;
}

export async function gifFacts(blob: Blob): Promise<GifFacts> {
  const view = new DataView(await blob.arrayBuffer());
  const tableSize = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const delays: number[] = [];
  let framesWithAlpha = 0;
  let images = 0;
  let at = 13 + tableSize(view.getUint8(10));
  const skipBlocks = (): void => {
    while (view.getUint8(at) > 0) at += view.getUint8(at) + 1;
    at++;
  };
  for (;;) {
    const kind = view.getUint8(at++);
    if (kind === 0x3b) break;
    if (kind === 0x2c) {
      images++;
      at += 9 + tableSize(view.getUint8(at + 8)) + 1; // descriptor, colours, size of codes
    } else {
      if (view.getUint8(at) === 0xf9) {
        delays.push(view.getUint16(at + 3, true));
        framesWithAlpha += view.getUint8(at + 2) & 1;
      }
      at++;
    }
    skipBlocks();
  }
  if (images !== delays.length) throw new Error(`${images} images, ${delays.length} delays`);
  return { size: [view.getUint16(6, true), view.getUint16(8, true)], delays, framesWithAlpha };
}

/** Returns the files of a ZIP archive by name. */
export async function zipFiles(blob: Blob): Promise<Map<string, Blob>> {
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  return new Map(Object.entries(files).map(([name, bytes]) => [name, new Blob([bytes as Uint8Array<ArrayBuffer>])]));
}

export async function pixelsOfImage(blob: Blob): Promise<ImageData> {
  const bitmap = await createImageBitmap(blob);
  const context = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height }).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}
