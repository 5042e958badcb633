// Limits the size of conversion results in proportion to the sources, because a small file can
// describe an animation that would fill a disk.
import { inputOf } from '../../core/contents.ts';
import type { RigFile } from '../../core/open.ts';
import type { RigScene } from '../../core/types.ts';
import { type ConversionError, refusal, sharedRefusals } from './refusals.ts';

const MIN_LIMIT = 64 * 2 ** 20;
const PER_BYTE = 24;

/** Counts the bytes of numbers and text that a conversion calculates or writes, and limits them. */
export class Budget {
  readonly #isFixed: boolean;
  #limit: number;
  #spent = 0;
  #refunded = 0;

  /** `limit`: limit in bytes. The default is 64 MB plus 24 bytes for each byte of the sources. */
  constructor(limit?: number) {
    this.#isFixed = limit !== undefined;
    this.#limit = limit ?? MIN_LIMIT;
  }

  get limit(): number {
    return this.#limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /**
   * Raises the default limit for a source. `bytes`: size of the source. A limit given to the
   * constructor stays unchanged.
   */
  admit(bytes: number): void {
    if (!this.#isFixed && bytes > 0) this.#limit += PER_BYTE * bytes;
  }

  /** Spends the bytes and returns true if this many bytes are left, otherwise returns false. */
  afford(bytes: number): boolean {
    const isLeft = this.#spent + bytes <= this.#limit;
    if (isLeft) this.#spent += bytes;
    return isLeft;
  }

  /**
   * True if the bytes are available for optional work, such as more precise curves. Optional work
   * can only use the first half of the limit.
   */
  hasMore(bytes: number): boolean {
    return 2 * (this.#spent + bytes) <= this.#limit;
  }

  /**
   * Spends the bytes and returns true if they are available for optional work (see `hasMore`),
   * otherwise returns false.
   */
  affordMore(bytes: number): boolean {
    return this.hasMore(bytes) && this.afford(bytes);
  }

  /** Spends the bytes. Throws a ConversionError if the limit would be exceeded. */
  spend(bytes: number): void {
    if (!this.afford(bytes)) throw this.refusal();
  }

  /**
   * Refunds the bytes that were spent on data that is not written. `before`: value of `spent`
   * before this data was calculated. The sum of all refunds cannot exceed the limit, because the
   * calculations took time.
   */
  refund(before: number): void {
    const bytes = this.#spent - before;
    if (this.#refunded + bytes > this.#limit) return;
    this.#refunded += bytes;
    this.#spent = before;
  }

  /** Returns the ConversionError for a conversion that would exceed the limit. */
  refusal(): ConversionError {
    return refusal(sharedRefusals, 'WORK_LIMIT', { limit: Math.ceil(this.#limit / 1e6).toString() });
  }

  /** Spends the approximate JSON length of a value. */
  spendJson(value: unknown): void {
    this.spend(lengthOf(value));
  }
}

/** Returns the size in bytes of a source file, including its companion files. */
export function sizeOf({ scene, byteLength }: Pick<RigFile, 'scene' | 'byteLength'>): number {
  return scene ? (inputOf(scene) ?? byteLength + columnsOf(scene)) : byteLength;
}

/** Returns the size in bytes of a scene's vertices and keys. */
function columnsOf({ meshes, clips }: RigScene): number {
  let bytes = 0;
  for (const mesh of meshes)
    for (const column of [mesh.positions, mesh.normals, mesh.indices, ...mesh.uvs, ...mesh.morphs.map(({ positions }) => positions)])
      bytes += column?.byteLength ?? 0;
  for (const { tracks } of clips) for (const { times, values } of tracks) bytes += times.byteLength + values.byteLength;
  return bytes;
}

const lengths = new WeakMap<object, number>();

/**
 * Returns the approximate JSON length of a value, in characters. The length of each object is
 * calculated only once.
 */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let length = lengths.get(value);
  if (length === undefined) {
    length = ArrayBuffer.isView(value) ? 12 * value.byteLength : 2;
    if (!ArrayBuffer.isView(value))
      for (const [key, each] of value instanceof Map ? value : Object.entries(value)) length += key.length + 4 + lengthOf(each);
    lengths.set(value, length);
  }
  return length;
}
