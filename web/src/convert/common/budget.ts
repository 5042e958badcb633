// The limit of what one conversion may take, in proportion to its sources: a small file can describe an animation that fills a disk.
import { inputOf, type RigFile } from '../../core/open.ts';
import type { RigScene } from '../../core/types.ts';
import { type ConversionError, refusal, sharedRefusals } from './refusals.ts';

const LEAST = 64 * 2 ** 20;
const PER_BYTE = 24;

/** Bytes of numbers and text that are calculated or written. */
export class Budget {
  readonly #isFixed: boolean;
  #most: number;
  #spent = 0;
  #refunded = 0;

  /** `most`: bytes; by default 64 MB, and 24 bytes for each byte of the sources. */
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

  /** Raises the limit for another source. */
  admit(bytes: number): void {
    if (!this.#isFixed && bytes > 0) this.#most += PER_BYTE * bytes;
  }

  /** Spends the bytes if they are left. Returns whether they were. */
  afford(bytes: number): boolean {
    const isLeft = this.#spent + bytes <= this.#most;
    if (isLeft) this.#spent += bytes;
    return isLeft;
  }

  /** True if the bytes are left for work that only improves a result, which may take half of the limit. */
  hasMore(bytes: number): boolean {
    return 2 * (this.#spent + bytes) <= this.#most;
  }

  /** Spends the bytes on such work if they are left. Returns whether they were. */
  affordMore(bytes: number): boolean {
    return this.hasMore(bytes) && this.afford(bytes);
  }

  /** Throws a ConversionError if fewer bytes are left. */
  spend(bytes: number): void {
    if (!this.afford(bytes)) throw this.refusal();
  }

  /** Gives back what was spent since then on something that is left out. At most the limit itself is given back in all, so that work has a limit as well. */
  refund(before: number): void {
    const bytes = this.#spent - before;
    if (this.#refunded + bytes > this.#most) return;
    this.#refunded += bytes;
    this.#spent = before;
  }

  /** The error of a conversion that would exceed the limit. */
  refusal(): ConversionError {
    return refusal(sharedRefusals, 'WORK_LIMIT', { limit: Math.ceil(this.#most / 1e6).toString() });
  }

  /** Spends the length of a value as JSON. */
  spendJson(value: unknown): void {
    this.spend(lengthOf(value));
  }
}

/** Bytes of a source with its companion files. */
export function sizeOf({ scene, byteLength }: Pick<RigFile, 'scene' | 'byteLength'>): number {
  return scene ? (inputOf(scene) ?? byteLength + columnsOf(scene)) : byteLength;
}

/** Bytes of vertices and keys, for a scene that was not read from a file as it is. */
function columnsOf({ meshes, clips }: RigScene): number {
  let bytes = 0;
  for (const mesh of meshes)
    for (const column of [mesh.positions, mesh.normals, mesh.indices, ...mesh.uvs, ...mesh.morphs.map(({ positions }) => positions)])
      bytes += column?.byteLength ?? 0;
  for (const { tracks } of clips) for (const { times, values } of tracks) bytes += times.byteLength + values.byteLength;
  return bytes;
}

const lengths = new WeakMap<object, number>();

/** Letters of a value as JSON, about. Objects that are shared are measured once. */
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
