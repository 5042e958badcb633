// Bytes on their way from a source into the core.

/** An address that is fetched where the file is read. */
export interface Address {
  url: string;
  request: RequestInit;
}

/** Bytes on their way. */
export interface Flow {
  /** '' where it is not known. */
  name: string;
  /** Null where it is not known before the end; a wrong one does no harm. */
  byteLength: number | null;
  /** In order. */
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Whether they come only once, so that a copy has to be kept for those who read the file again. */
  keep: boolean;
  /** Whether no one else holds the buffers of the pieces. */
  owned: boolean;
  /** Whether the first piece is all there is, and stays as it is until the file is read. */
  isWhole?: boolean;
  /** Whether the one piece there is stays as it is from now on, so that no copy is needed of what is read later. */
  lasting?: boolean;
}

/** The last part of an address's path, decoded. */
export function nameOf(address: string): string {
  try {
    const last = new URL(address).pathname.split('/').at(-1) ?? '';
    return decodeURIComponent(last);
  } catch {
    return ''; // no address, or an escape that is none
  }
}

export function flowOfBytes(bytes: Uint8Array, byteLength = bytes.length): Flow {
  return { name: '', byteLength, pieces: [bytes], keep: false, owned: false, isWhole: true };
}
