// Decodes animation keys when the values of a track are first read. A page loads this module only
// for files with deferred keys.
import { helperOf } from './glue.ts';
import { serveFile } from './input.ts';
import { decodeBlock, type Gap, type RawResult, type DeferredBlocks } from './instance.ts';
import type { Wasm } from './wasm.ts';
import type { RigcastGlue } from './wasm/rigcast.d.mts';
import { RigcastError } from './error.ts';

/**
 * The deferred keys of a file. Holds the bytes of the file until all deferred blocks are decoded.
 */
export class DeferredKeys {
  readonly #decoder: RigcastGlue;
  readonly #format: number;
  readonly #gaps: Map<number, { gap: Gap; in: ArrayBuffer }>;
  readonly #byteLength: number;
  #bytes: Uint8Array | null;

  private constructor(decoder: RigcastGlue, { format, gaps }: DeferredBlocks, blocks: readonly ArrayBuffer[], bytes: Uint8Array) {
    this.#decoder = decoder;
    this.#format = format;
    this.#gaps = new Map(gaps.map(gap => [gap.block, { gap, in: blocks[gap.block]! }]));
    this.#bytes = bytes;
    this.#byteLength = bytes.length;
  }

  /** Creates the decoder of a file's deferred keys. Returns null if no keys were deferred. */
  static async of(wasm: Wasm, { deferred, blocks, taken, family }: RawResult): Promise<DeferredKeys | null> {
    if (!deferred || !taken.bytes || !family) return null;
    return new DeferredKeys(await helperOf(await wasm.with(family)), deferred, blocks, taken.bytes);
  }

  /**
   * Decodes the deferred part of a block. Throws BYTES_LOST if the page has detached or resized the
   * file's buffer.
   */
  decode(block: number): void {
    const deferred = this.#gaps.get(block);
    if (!deferred || !this.#bytes) return;
    if (this.#bytes.length !== this.#byteLength)
      throw new RigcastError('BYTES_LOST', 'the bytes of this file were detached or resized since it was opened');
    serveFile(this.#decoder, this.#bytes);
    decodeBlock(this.#decoder, this.#format, deferred.gap, deferred.in);
    delete this.#decoder.readFile; // releases the decoder's reference to the bytes
    this.#gaps.delete(block);
    if (this.#gaps.size === 0) this.#bytes = null;
  }
}
