// Calculates local transforms for glTF, which simply multiplies matrices, from world matrices of
// the engine. Bones that inherit scale differently (Unreal: per axis; Maya: segment scale
// compensate) need other local transforms. If the difference contains shear, no local transform is
// exact.
import { vectorAt } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import { compose, decompose, invert, multiply } from '../../core/math/matrix.ts';
import type { RigScene } from '../../core/types.ts';
import type { Pose } from '../../rig/pose.ts';
import { parentBone } from '../common/scaleInheritance.ts';

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

/**
 * Local transforms of some nodes that reproduce the engine's world matrices, one pose at a time.
 */
export class CorrectedLocals {
  /** Ten numbers (LocalTransform) for each of the rows, in their order. */
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
