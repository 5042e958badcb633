// Encodes MP4 and WebM with the encoders of the browser (WebCodecs).
import {
  BufferTarget,
  CanvasSource,
  canEncodeVideo,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  NullTarget,
  Output,
  Quality,
  type VideoCodec,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
} from './vendor/mediabunny.ts';
import { RigcastError } from '../core/error.ts';
import type { FrameEncoder, FrameSeries } from './frameSeries.ts';

export type MovieFormat = 'mp4' | 'webm';

/** Codecs in order of preference. Few programs play MP4 with a codec other than H.264. */
const CODECS: Record<MovieFormat, readonly VideoCodec[]> = { mp4: ['avc'], webm: ['vp9', 'vp8'] };

const quality = new Quality('high');
/** Time between key frames in seconds. A player can jump to key frames only. */
const KEY_FRAME_INTERVAL = 1;

/** Returns the first codec that the browser can encode in this size; undefined if there is none. */
export async function codecFor(
  format: MovieFormat,
  { width, height }: { width: number; height: number },
  frameRate: number,
): Promise<VideoCodec | undefined> {
  if (typeof VideoEncoder === 'undefined') return undefined;
  for (const codec of CODECS[format]) if (await canEncodeVideo(codec, { width, height, frameRate, quality })) return codec;
  return undefined;
}

export async function movieEncoder(format: MovieFormat, series: FrameSeries): Promise<FrameEncoder> {
  const { canvas, frameRate } = series;
  const codec = await codecFor(format, canvas, frameRate);
  if (!codec) throw new RigcastError('VIDEO_FAILED', `This browser can’t encode ${format} with ${canvas.width} × ${canvas.height} pixels.`);
  return format === 'webm' && series.isTransparent ? transparentEncoder(codec, series) : opaqueEncoder(format, codec, series);
}

async function opaqueEncoder(format: MovieFormat, codec: VideoCodec, { canvas, frameRate, count }: FrameSeries): Promise<FrameEncoder> {
  const target = new BufferTarget();
  const output = new Output({
    format: format === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat(),
    target,
  });
  let encoded = 0;
  const source = new CanvasSource(canvas, { codec, quality, keyFrameInterval: KEY_FRAME_INTERVAL, onEncodedPacket: () => void encoded++ });
  output.addVideoTrack(source, { frameRate });
  await output.start();
  return {
    add: index => source.add(index / frameRate, 1 / frameRate),
    async finish() {
      await output.finalize();
      return fileOf(target, `video/${format}`, encoded, count);
    },
    cancel: () => output.cancel(),
  };
}

/** A stream of encoded packets. */
interface Stream {
  output: Output;
  source: VideoSampleSource;
  /** Packets that are not in the file yet. */
  packets: { packet: EncodedPacket; meta: EncodedVideoChunkMetadata | undefined }[];
}

async function openStream(codec: VideoCodec, frameRate: number): Promise<Stream> {
  const packets: Stream['packets'] = [];
  const output = new Output({ format: new WebMOutputFormat(), target: new NullTarget() });
  const source = new VideoSampleSource({
    codec,
    quality,
    keyFrameInterval: KEY_FRAME_INTERVAL,
    onEncodedPacket: (packet, meta) => void packets.push({ packet, meta }),
  });
  output.addVideoTrack(source, { frameRate });
  await output.start();
  return { output, source, packets };
}

/**
 * Encodes WebM with transparency: one stream for the colours, and one for the alpha channel, which
 * becomes side data of the first. mediabunny can do this by itself, but with a worker that the
 * content security policy of the viewer forbids.
 */
async function transparentEncoder(codec: VideoCodec, { canvas, frameRate, count }: FrameSeries): Promise<FrameEncoder> {
  const { width, height } = canvas;
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(source, { frameRate });
  const streams = await Promise.all([openStream(codec, frameRate), openStream(codec, frameRate)]);
  const [colors, alphas] = streams;
  await output.start();
  let encoded = 0;
  const addPairs = async (): Promise<void> => {
    while (colors.packets.length > 0 && alphas.packets.length > 0) {
      const { packet, meta } = colors.packets.shift()!;
      const { data: alpha } = alphas.packets.shift()!.packet;
      const { data, type, timestamp, duration } = packet;
      encoded++;
      await source.add(new EncodedPacket(data, type, timestamp, duration, undefined, undefined, { alpha }), meta);
    }
  };
  const encode = async (stream: Stream, data: Uint8Array<ArrayBuffer>, format: 'RGBX' | 'I420', index: number): Promise<void> => {
    const init = { format, codedWidth: width, codedHeight: height, timestamp: index / frameRate, duration: 1 / frameRate };
    const sample = new VideoSample(data, init);
    await stream.source.add(sample);
    sample.close();
  };
  return {
    async add(index, context) {
      const { data } = context.getImageData(0, 0, width, height);
      await Promise.all([
        encode(colors, new Uint8Array(data.buffer as ArrayBuffer), 'RGBX', index),
        encode(alphas, alphaPlanes(data, width, height), 'I420', index),
      ]);
      await addPairs();
    },
    async finish() {
      await Promise.all(streams.map(stream => stream.output.finalize()));
      await addPairs();
      await output.finalize();
      return fileOf(target, 'video/webm', encoded, count);
    },
    async cancel() {
      await Promise.all([output, ...streams.map(stream => stream.output)].map(each => each.cancel()));
    },
  };
}

/** Returns a picture in the format I420 whose brightness is the alpha channel of RGBA pixels. */
function alphaPlanes(rgba: Uint8ClampedArray, width: number, height: number): Uint8Array<ArrayBuffer> {
  const pixels = width * height;
  const planes = new Uint8Array(pixels + 2 * Math.ceil(width / 2) * Math.ceil(height / 2)).fill(128, pixels);
  for (let i = 0; i < pixels; i++) planes[i] = rgba[4 * i + 3]!;
  return planes;
}

/** Returns the file that was written to `target`. Throws if frames are missing. */
function fileOf({ buffer }: BufferTarget, type: string, encoded: number, count: number): Blob {
  if (encoded !== count || !buffer) throw new RigcastError('VIDEO_FAILED', `The browser encoded ${encoded} of ${count} frames.`);
  return new Blob([buffer], { type });
}
