// A large file on a server whose bytes are requested when they are needed.
import type { Address } from '../core/address.ts';
import { MissingRange, Ranges } from '../core/ranges.ts';

/**
 * A file on a server that answers range requests. Has the members of a File that the session uses.
 * `open` reads it in parts from `address`.
 */
export class RangedFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Time of the last change in milliseconds since 1970; 0 if the server does not declare it. */
  readonly lastModified: number;
  readonly address: Address;
  readonly #ranges: Ranges;

  /** `name`: file name. `ranges`: the first answer of the server. */
  constructor(name: string, ranges: Ranges) {
    const { byteLength, modified } = ranges.file;
    this.name = name;
    this.size = byteLength;
    this.lastModified = Date.parse(modified ?? '') || 0;
    this.address = ranges.address;
    this.#ranges = ranges;
  }

  /**
   * Returns a part of the file. Its bytes are requested when they are read. `arrayBuffer` rejects if
   * the request fails or if the file has changed on the server.
   */
  slice(start = 0, end = this.size): Pick<Blob, 'size' | 'arrayBuffer'> {
    const from = Math.min(Math.max(start, 0), this.size);
    const size = Math.max(Math.min(end, this.size) - from, 0);
    return { size, arrayBuffer: () => this.#read(from, size) };
  }

  /** Downloads the whole file. */
  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read(0, this.size);
  }

  async #read(from: number, size: number): Promise<ArrayBuffer> {
    const { address, file } = this.#ranges;
    const part = new Ranges(address, { ...file, blocks: [] });
    if (size > 0) await part.load(new MissingRange(from, size), false, undefined);
    return part.at(from, size).slice().buffer as ArrayBuffer;
  }
}
