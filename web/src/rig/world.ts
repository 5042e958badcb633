// Computes the world matrices of a pose, including the two special rules by which bones inherit
// scale. Solvers call `reach` for every bone; for speed, it indexes rows without checks (`!`).
import { compose, conjugateScale, divideRows, multiply, multiplyComposed } from '../core/math/matrix.ts';
import { copyVector, vec3 } from '../core/math/vector.ts';
import { isBone, parentOf } from '../core/tree.ts';
import type { ScaleInheritance } from '../core/types.ts';
import type { Pose, PoseShape } from './pose.ts';

/**
 * World matrices: 16 numbers per node, column-major, in the space of the scene. With segment scale
 * compensate (Maya), local = T S(parent)⁻¹ R S. With scale inheritance per axis (Unreal's
 * FTransform), rotations below a non-uniform scale don't shear.
 */
export class WorldMatrices {
  readonly matrices: Float64Array;
  readonly #shape: PoseShape;
  readonly #isCompensated: Uint8Array;
  /** 1 for rows whose world matrix is not the product of parent and local matrix. */
  readonly #isSpecial: Uint8Array;
  /**
   * Product of the scales from the root to each bone, 3 numbers per row; null unless scale is
   * inherited per axis.
   */
  readonly #axes: Float64Array | null;
  /**
   * Values of `#clock`, one per row: at the last update of the matrix, and at the last call of
   * `touch`.
   */
  readonly #made: Float64Array;
  readonly #touched: Float64Array;
  #clock = 0;
  readonly #path: Int32Array;

  constructor(shape: PoseShape, inheritance: ScaleInheritance = shape.scene.scaleInheritance) {
    const { nodes } = shape.scene;
    const { count, segmentScaleCompensate } = nodes;
    this.#shape = shape;
    this.matrices = new Float64Array(16 * count);
    const isUnderBone = (row: number): boolean => isBone(nodes, row) && parentOf(nodes, row) >= 0 && isBone(nodes, parentOf(nodes, row));
    this.#isCompensated = Uint8Array.from({ length: count }, (_, row) => (segmentScaleCompensate[row] && isUnderBone(row) ? 1 : 0));
    this.#isSpecial = Uint8Array.from(this.#isCompensated, (is, row) => is | Number(inheritance === 'axes' && isBone(nodes, row)));
    this.#made = new Float64Array(count).fill(-1);
    this.#touched = new Float64Array(count);
    this.#path = new Int32Array(count);
    this.#axes = inheritance === 'axes' ? new Float64Array(3 * count).fill(1) : null;
  }

  /** Updates all matrices. */
  update(pose: Pose): void {
    const { nodes } = this.#shape.scene;
    const { count } = nodes;
    const { translations, rotations, scales } = pose;
    const isSpecial = this.#isSpecial;
    const matrices = this.matrices;
    this.#made.fill(++this.#clock);
    for (let row = 0; row < count; row++)
      if (isSpecial[row]) this.#place(pose, row);
      else multiplyComposed(matrices, 16 * row, 16 * parentOf(nodes, row), translations, scales, 3 * row, rotations, 4 * row);
  }

  /** Marks the matrices of a node and its descendants as outdated. `touch(0)` marks all. */
  touch(row: number): void {
    this.#touched[row] = ++this.#clock;
  }

  /**
   * Updates outdated matrices of a node and its ancestors. Call before reading the node's matrix.
   */
  reach(pose: Pose, row: number): void {
    const { nodes } = this.#shape.scene;
    let length = 0;
    for (let at = row; at >= 0; at = parentOf(nodes, at)) this.#path[length++] = at;
    let above = 0;
    while (length--) {
      const at = this.#path[length]!;
      if (this.#made[at]! < this.#touched[at]! || this.#made[at]! < above) {
        this.#place(pose, at);
        this.#made[at] = ++this.#clock;
      }
      above = this.#made[at]!;
    }
  }

  #place({ translations: t, rotations: q, scales: s }: Pose, row: number): void {
    const { nodes } = this.#shape.scene;
    const parent = parentOf(nodes, row);
    if (!this.#isSpecial[row]) return multiplyComposed(this.matrices, 16 * row, 16 * parent, t, s, 3 * row, q, 4 * row);
    const axes = this.#axes;
    copyVector(scale, 0, s, 3 * row);
    compose(local, t, 3 * row, q, 4 * row, scale[0], scale[1], scale[2]);
    if (this.#isCompensated[row]) {
      copyVector(inherited, 0, s, 3 * parent);
      divideRows(local, inherited[0], inherited[1], inherited[2]);
    }
    if (axes && isBone(nodes, row)) {
      // Nodes that are not bones keep a product of 1.
      if (parent < 0) inherited.fill(1);
      else copyVector(inherited, 0, axes, 3 * parent);
      conjugateScale(local, inherited[0], inherited[1], inherited[2]);
      axes[3 * row] = inherited[0] * scale[0];
      axes[3 * row + 1] = inherited[1] * scale[1];
      axes[3 * row + 2] = inherited[2] * scale[2];
    }
    if (parent < 0) this.matrices.set(local, 16 * row);
    else multiply(this.matrices, 16 * row, this.matrices, 16 * parent, local);
  }
}

const local = new Float64Array(16);
const scale = vec3();
const inherited = vec3();
