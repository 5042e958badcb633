// Streams bytes from a source into the core.

/** A URL that is fetched when the file is read. */
export interface Address {
  url: string;
  request: RequestInit;
}

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
}

/** Returns the last part of a URL's path, decoded. */
export function nameOf(address: string): string {
  try {
    const last = new URL(address).pathname.split('/').at(-1) ?? '';
    return decodeURIComponent(last);
  } catch {
    return ''; // not a URL, or an invalid escape
  }
}

export function streamOfBytes(bytes: Uint8Array, byteLength = bytes.length): ByteStream {
  return { name: '', byteLength, pieces: [bytes], keep: false, owned: false, isWhole: true };
}
