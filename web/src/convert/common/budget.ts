// Limits the output of a conversion in proportion to the size of its sources, because a small file
// can describe an animation that would fill a disk.
import { inputOf, type RigFile } from '../../core/open.ts';
import type { RigScene } from '../../core/types.ts';
import { type ConversionError, refusal, sharedRefusals } from './refusals.ts';

const LEAST = 64 * 2 ** 20;
const PER_BYTE = 24;

/** Limit for the bytes of numbers and text that a conversion calculates or writes. */
export class Budget {
  readonly #isFixed: boolean;
  #most: number;
  #spent = 0;
  #refunded = 0;

  /** `most`: limit in bytes. Default: 64 MB, plus 24 bytes for each byte of the sources. */
  constructor(most?: number) {
    this.#isFixed = most !== undefined;
    this.#most = most ?? LEAST;
  }

  get most(): number {
    return this.#most;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Raises the limit for a source of the given size in bytes, unless the limit is fixed. */
  admit(bytes: number): void {
    if (!this.#isFixed && bytes > 0) this.#most += PER_BYTE * bytes;
  }

  /** Spends the bytes if they are available. Returns true if the bytes were spent. */
  afford(bytes: number): boolean {
    const isLeft = this.#spent + bytes <= this.#most;
    if (isLeft) this.#spent += bytes;
    return isLeft;
  }

  /**
   * True if the bytes are available for optional work, which only improves a result. Optional work
   * can use up to half of the limit.
   */
  hasMore(bytes: number): boolean {
    return 2 * (this.#spent + bytes) <= this.#most;
  }

  /**
   * Spends the bytes on optional work if they are available. Returns true if the bytes were spent.
   */
  affordMore(bytes: number): boolean {
    return this.hasMore(bytes) && this.afford(bytes);
  }

  /** Spends the bytes. Throws a ConversionError if the limit would be exceeded. */
  spend(bytes: number): void {
    if (!this.afford(bytes)) throw this.refusal();
  }

  /**
   * Refunds the bytes of a part that was left out. `before`: value of `spent` before this part. The
   * sum of all refunds cannot exceed the limit, because the refunded work still took time.
   */
  refund(before: number): void {
    const bytes = this.#spent - before;
    if (this.#refunded + bytes > this.#most) return;
    this.#refunded += bytes;
    this.#spent = before;
  }

  /** Returns the error of a conversion that would exceed the limit. */
  refusal(): ConversionError {
    return refusal(sharedRefusals, 'WORK_LIMIT', { limit: Math.ceil(this.#most / 1e6).toString() });
  }

  /** Spends the length of a value in JSON. */
  spendJson(value: unknown): void {
    this.spend(lengthOf(value));
  }
}

/** Returns the size in bytes of a source file, including its companion files. */
export function sizeOf({ scene, byteLength }: Pick<RigFile, 'scene' | 'byteLength'>): number {
  return scene ? (inputOf(scene) ?? byteLength + columnsOf(scene)) : byteLength;
}

/** Returns the size in bytes of the vertices and keys of a scene. */
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
 * Returns the approximate length of a value as JSON. Objects that occur several times are only
 * measured once.
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
