// What was left for later of a file: keys of motions, made when values of a track are first asked for. A page loads this for files that have some.
import { helperOf } from './glue.ts';
import { pullFrom } from './input.ts';
import { fill, type Gap, type RawResult, type Waiting } from './instance.ts';
import type { Wasm } from './wasm.ts';
import type { RigcastGlue } from './wasm/rigcast.mjs';

/** Holds the bytes of a file until the last of its gaps is filled. */
export class Later {
  readonly #maker: RigcastGlue;
  readonly #format: number;
  readonly #gaps: Map<number, { gap: Gap; in: ArrayBuffer }>;
  readonly #byteLength: number;
  #bytes: Uint8Array | null;

  private constructor(maker: RigcastGlue, { format, gaps }: Waiting, blocks: readonly ArrayBuffer[], bytes: Uint8Array) {
    this.#maker = maker;
    this.#format = format;
    this.#gaps = new Map(gaps.map(gap => [gap.block, { gap, in: blocks[gap.block]! }]));
    this.#bytes = bytes;
    this.#byteLength = bytes.length;
  }

  /** Null where nothing was left. */
  static async of(wasm: Wasm, { waiting, blocks, taken, family }: RawResult): Promise<Later | null> {
    if (!waiting || !taken.bytes || !family) return null;
    return new Later(await helperOf(await wasm.with(family)), waiting, blocks, taken.bytes);
  }

  /** Makes what is left of a block, so that nothing is missing in it. Throws where the page has detached its buffer since. */
  make(block: number): void {
    const left = this.#gaps.get(block);
    if (!left || !this.#bytes) return;
    if (this.#bytes.length !== this.#byteLength) throw new TypeError('the bytes of this file were detached or resized since it was opened');
    pullFrom(this.#maker, this.#bytes);
    fill(this.#maker, this.#format, left.gap, left.in);
    delete this.#maker.pull; // it would hold the bytes
    this.#gaps.delete(block);
    if (this.#gaps.size === 0) this.#bytes = null;
  }
}
