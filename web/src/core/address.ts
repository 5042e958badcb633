// URLs of files, and the parts of a remote file that were read.

/** A part of a file. `offset`: position in the file in bytes. */
export interface Block {
  offset: number;
  bytes: Uint8Array;
}

/** A file on a server that answers range requests. Contains only data that can be cloned. */
export interface RemoteFile {
  /** File name; redirects may have changed it. */
  name: string;
  byteLength: number;
  /** Value of the header ETag; null if there is none or if the server hides it from the page. */
  etag: string | null;
  /** Value of the header Last-Modified; null if there is none. */
  modified: string | null;
  /** Parts that were read, sorted by offset. They neither overlap nor touch each other. */
  blocks: Block[];
}

/** A URL that is fetched when the file is read. */
export interface Address {
  url: string;
  request: RequestInit;
  /** The parts of the file that were read so far, if it is read in parts. */
  remote?: RemoteFile;
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
