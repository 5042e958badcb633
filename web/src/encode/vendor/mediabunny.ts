// The parts of mediabunny that rigcast uses. The build replaces this file by the code of the
// library, so the package has no dependency on it.
export {
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
} from 'mediabunny';
