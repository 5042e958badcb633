// Calculates local transforms whose product gives the world matrices of the pose engine. glTF
// always multiplies matrices, so bones with other scale inheritance (per axis in Unreal, segment
// scale compensation in Maya) need other local transforms than in the source. A transform with
// shear cannot be reproduced exactly.
import { vectorAt } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import { compose, decompose, invert, multiply } from '../../core/math/matrix.ts';
import type { RigScene } from '../../core/types.ts';
import type { Pose } from '../../rig/pose.ts';
import { parentBone } from '../common/scaleInheritance.ts';

/**
 * Returns the bones that use segment scale compensation and have a non-uniformly scaled parent.
 * Each of these bones is split into two nodes: the first has its translation and the inverse of the
 * parent's scale (T S⁻¹), the second has its rotation and scale. `uneven`: bones that are scaled
 * non-uniformly in the rest pose or a clip.
 */
export function splitRows({ nodes }: RigScene, uneven: ReadonlySet<number>): Set<number> {
  const rows = new Set<number>();
  for (let row = 1; row < nodes.length; row++) {
    const parent = parentBone(nodes, row);
    if (parent >= 0 && nodes.segmentScaleCompensate[row] && uneven.has(parent)) rows.add(row);
  }
  return rows;
}

/**
 * Local transforms for some nodes, with which glTF gets the same world matrices as the pose engine
 * in one pose.
 */
export class CorrectedLocals {
  /**
   * Corrected local transforms, in the order of `rows`. Each has ten numbers: translation, rotation
   * and scale.
   */
  readonly locals: Float64Array;
  /**
   * World matrices of the written nodes in glTF, with 16 numbers per node. Except for shear, they
   * equal those of the pose engine.
   */
  readonly matrices: Float64Array;
  readonly #parents: Int32Array;
  readonly #places: Int32Array;
  readonly #split: ReadonlySet<number>;
  #world: Float64Array = new Float64Array(0);

  /**
   * `rows`: rows of the nodes to correct. `split`: rows of bones that are written as two nodes and
   * therefore need no correction.
   */
  constructor({ nodes }: RigScene, rows: ReadonlySet<number>, split: ReadonlySet<number>) {
    this.#split = split;
    this.locals = new Float64Array(10 * rows.size);
    this.matrices = new Float64Array(16 * nodes.length);
    this.#parents = nodes.parents;
    this.#places = new Int32Array(nodes.length).fill(-1);
    for (const [i, row] of [...rows].entries()) this.#places[row] = i;
  }

  /** Calculates `locals` and `matrices` for a pose. `world`: world matrices of the pose engine. */
  update(pose: Pose, world: Float64Array): void {
    this.#world = world;
    this.#place(pose, true);
  }

  /**
   * Calculates `matrices` again after `locals` were changed. `pose`: the pose that was passed to
   * `update`.
   */
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
          // A parent with scale zero moves all of its children to its own position, so any local
          // transform is correct.
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
