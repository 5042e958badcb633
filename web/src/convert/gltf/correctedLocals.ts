// Calculates local transforms whose product gives the world matrices of the pose engine, because
// glTF multiplies matrices. Bones that inherit scale differently (Unreal: per axis; Maya: segment
// scale compensate) need other local transforms than in the source. A transform with shear cannot
// be exact.
import { vectorAt } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import { compose, decompose, invert, multiply } from '../../core/math/matrix.ts';
import type { RigScene } from '../../core/types.ts';
import type { Pose } from '../../rig/pose.ts';
import { parentBone } from '../common/scaleInheritance.ts';

/**
 * Returns the bones with segment scale compensate whose parent is scaled differently per axis. Such
 * a bone is split into two nodes: T S⁻¹ (S: scale of the parent) and the bone's rotation and scale.
 * `uneven`: bones that are scaled differently per axis in the rest pose or a clip.
 */
export function splitRows({ nodes }: RigScene, uneven: ReadonlySet<number>): Set<number> {
  const rows = new Set<number>();
  for (let row = 1; row < nodes.count; row++) {
    const parent = parentBone(nodes, row);
    if (parent >= 0 && nodes.segmentScaleCompensate[row] && uneven.has(parent)) rows.add(row);
  }
  return rows;
}

/**
 * Local transforms of some nodes that reproduce the engine's world matrices, one pose at a time.
 */
export class CorrectedLocals {
  /** A LocalTransform (ten numbers) per corrected row, in the order of `rows`. */
  readonly locals: Float64Array;
  /**
   * World matrices in glTF, 16 numbers per node. Equal to the matrices of the pose engine except
   * for shear.
   */
  readonly matrices: Float64Array;
  readonly #parents: Int32Array;
  readonly #places: Int32Array;
  readonly #split: ReadonlySet<number>;
  #world: Float64Array = new Float64Array(0);

  /** `rows`: nodes to correct. `split`: nodes that keep the world matrices of the pose engine. */
  constructor({ nodes }: RigScene, rows: ReadonlySet<number>, split: ReadonlySet<number>) {
    this.#split = split;
    this.locals = new Float64Array(10 * rows.size);
    this.matrices = new Float64Array(16 * nodes.count);
    this.#parents = nodes.parents;
    this.#places = new Int32Array(nodes.count).fill(-1);
    for (const [i, row] of [...rows].entries()) this.#places[row] = i;
  }

  /**
   * Calculates `locals` and `matrices`. `world`: world matrices of the pose engine for this pose.
   */
  update(pose: Pose, world: Float64Array): void {
    this.#world = world;
    this.#place(pose, true);
  }

  /** Recalculates `matrices` from changed `locals`. `pose`: the pose of the last `update`. */
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
