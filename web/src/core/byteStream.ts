// Streams bytes from a source into the core.
import type { Ranges, RangesRefused } from './ranges.ts';

export { nameOf, type Address } from './address.ts';

/** The bytes of a file as a sequence of chunks. */
export interface ByteStream {
  /** File name; '' if unknown. */
  name: string;
  /** Declared length in bytes, which may differ from the actual length; null if unknown. */
  byteLength: number | null;
  /** The chunks of the stream, in order. */
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** True if the chunks can be read only once, so that a copy must be kept for further reads. */
  keep: boolean;
  /** True if only rigcast uses the buffers of the chunks, so that they can be transferred. */
  owned: boolean;
  /** True if the first chunk is the whole file and does not change while the file is read. */
  isWhole?: boolean;
  /**
   * True if the stream has a single chunk that never changes, so that deferred reads need no copy.
   */
  lasting?: boolean;
  /** A remote file that is read in parts. `pieces` is then empty. */
  parts?: Parts;
  /** Reason why a remote file is not read in parts, although this was requested. */
  refused?: RangesRefused;
}

/** A remote file that is read in parts. */
export interface Parts {
  ranges: Ranges;
  signal: AbortSignal | undefined;
  /** Requests the whole file. */
  whole(): Promise<ByteStream>;
}

export function streamOfBytes(bytes: Uint8Array, byteLength = bytes.length): ByteStream {
  return { name: '', byteLength, pieces: [bytes], keep: false, owned: false, isWhole: true };
}
