// Calculates local transforms for glTF, which simply multiplies matrices, from world matrices of
// the engine. Bones that inherit scale differently (Unreal: per axis; Maya: segment scale
// compensate) need other local transforms. If the difference contains shear, no local transform is
// exact.
import { type Vector, vectorAt } from '../../core/math/vector.ts';
import { isBone, parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { compose, decompose, invert, multiply } from '../../core/math/matrix.ts';
import type { BoundTrack } from '../../core/bound.ts';
import type { NodeTable, RigScene } from '../../core/types.ts';
import type { Pose } from '../../rig/pose.ts';

/**
 * Returns the rows whose local transforms glTF cannot use unchanged. `scaled`, `uneven`: bones with
 * a scale other than 1, and with a scale that differs by axis.
 */
export function correctedRows(
  { nodes, scaleInheritance }: RigScene,
  scaled: ReadonlySet<number>,
  uneven: ReadonlySet<number>,
  split: ReadonlySet<number>,
): Set<number> {
  const rows = new Set<number>();
  if (scaled.size === 0) return rows;
  const isBelowUneven = new Uint8Array(nodes.count);
  for (let row = 1; row < nodes.count; row++) {
    const parent = parentBone(nodes, row);
    if (parent < 0) continue;
    isBelowUneven[row] = isBelowUneven[parent] || uneven.has(parent) ? 1 : 0;
    if (scaleInheritance === 'axes' && isBelowUneven[row]) rows.add(row);
    if (nodes.segmentScaleCompensate[row] && scaled.has(parent) && !split.has(row)) rows.add(row);
  }
  return rows;
}

/** Returns the parent of a bone if it is a bone as well, else -1. */
export function parentBone(nodes: NodeTable, row: number): number {
  const parent = parentOf(nodes, row);
  return parent >= 0 && isBone(nodes, row) && isBone(nodes, parent) ? parent : -1;
}

/**
 * Returns the bones with segment scale compensate whose parent has a scale that differs by axis.
 * They need an extra node below the parent, with the translation and the inverse of the parent's
 * scale (T S⁻¹, then R S). `uneven`: bones with such a scale in the rest pose or any clip.
 */
export function splitRows({ nodes }: RigScene, uneven: ReadonlySet<number>): Set<number> {
  const rows = new Set<number>();
  for (let row = 1; row < nodes.count; row++) {
    const parent = parentBone(nodes, row);
    if (parent >= 0 && nodes.segmentScaleCompensate[row] && uneven.has(parent)) rows.add(row);
  }
  return rows;
}

/** Returns the inverse of a scale. Returns 1 if an axis is zero, like the engine. */
export function inverseScale([x, y, z]: Vector): Vector {
  return x * y * z === 0 ? [1, 1, 1] : [1 / x, 1 / y, 1 / z];
}

/**
 * Adds bones with a scale other than 1 to `scaled`, and those with a scale that differs by axis to
 * `uneven`.
 */
export function scaledRows(scales: ArrayLike<number>, count: number, scaled: Set<number>, uneven: Set<number>): void {
  for (let row = 0; row < count; row++) {
    const [x, y, z] = vectorAt(scales, 3 * row);
    if (Math.abs(x - 1) + Math.abs(y - 1) + Math.abs(z - 1) > NEARLY) scaled.add(row);
    if (Math.abs(x - y) + Math.abs(y - z) > NEARLY) uneven.add(row);
  }
}

/**
 * Adds bones that curves scale to `scaled`, and those that curves scale differently per axis to
 * `uneven`.
 */
export function scaledByTracks(tracks: Iterable<BoundTrack>, scaled: Set<number>, uneven: Set<number>): void {
  for (const { path, node, values, component, mode } of tracks) {
    if (path !== 'scale') continue;
    const isPlain = mode === 'absolute' && component < 0;
    if (!isPlain || values.some(value => Math.abs(value - 1) > 1e-6)) scaled.add(node);
    if (!isPlain || values.some((value, i) => Math.abs(value - (values[i - (i % 3)] ?? value)) > 1e-6)) uneven.add(node);
  }
}

const NEARLY = 1e-6;

/** Translation 3, rotation 4, scale 3. */
export type Local = Float64Array;

/**
 * Local transforms of some nodes that reproduce the engine's world matrices, one pose at a time.
 */
export class PlainLocals {
  /** Ten numbers (Local) for each of the rows, in their order. */
  readonly locals: Float64Array;
  /**
   * World matrices as glTF multiplies them. Those of the rows approximate the engine's as closely
   * as possible.
   */
  readonly matrices: Float64Array;
  readonly #parents: Int32Array;
  readonly #places: Int32Array;
  readonly #split: ReadonlySet<number>;
  #world: Float64Array = new Float64Array(0);

  /** `split`: rows that keep the engine's world matrices. */
  constructor({ nodes }: RigScene, rows: ReadonlySet<number>, split: ReadonlySet<number>) {
    this.#split = split;
    this.locals = new Float64Array(10 * rows.size);
    this.matrices = new Float64Array(16 * nodes.count);
    this.#parents = nodes.parents;
    this.#places = new Int32Array(nodes.count).fill(-1);
    for (const [i, row] of [...rows].entries()) this.#places[row] = i;
  }

  /** Calculates locals and matrices. `world`: the engine's matrices of the pose. */
  update(pose: Pose, world: Float64Array): void {
    this.#world = world;
    this.#place(pose, true);
  }

  /** Recalculates the matrices after `locals` have changed, for the pose of the last `update`. */
  place(pose: Pose): void {
    this.#place(pose, false);
  }

  #place({ translations, rotations, scales }: Pose, isNew: boolean): void {
    const world = this.#world;
    for (const [row, parent] of this.#parents.entries()) {
      const place = numberAt(this.#places, row);
      if (this.#split.has(row)) {
        this.matrices.set(world.subarray(16 * row, 16 * row + 16), 16 * row);
        continue;
      }
      if (place < 0) {
        const [sx, sy, sz] = vectorAt(scales, 3 * row);
        compose(one, translations, 3 * row, rotations, 4 * row, sx, sy, sz);
      } else {
        const local = this.locals.subarray(10 * place, 10 * place + 10);
        if (isNew) {
          // A parent of scale zero moves all its children to its own position, so any local
          // transform is right.
          if (invert(one, this.matrices, 16 * parent)) multiply(relative, 0, one, 0, world, 16 * row);
          else relative.fill(0);
          decompose(relative, local);
        }
        const [sx, sy, sz] = vectorAt(local, 7);
        compose(one, local, 0, local, 3, sx, sy, sz);
      }
      if (parent < 0) this.matrices.set(one, 16 * row);
      else multiply(this.matrices, 16 * row, this.matrices, 16 * parent, one);
    }
  }
}

const one = new Float64Array(16);
const relative = new Float64Array(16);
