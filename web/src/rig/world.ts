// Computes the world matrices of a pose. Supports two special rules by which bones inherit scale.
// Solvers call `reach` for every bone; for speed, it indexes arrays without checks (`!`).
import { compose, conjugateScale, divideRows, multiply, multiplyComposed } from '../core/math/matrix.ts';
import { copyVector, vec3 } from '../core/math/vector.ts';
import { isBone, parentOf } from '../core/tree.ts';
import type { ScaleInheritance } from '../core/types.ts';
import type { Pose, PoseShape } from './pose.ts';

/**
 * World matrices of all nodes: 16 numbers per node, column-major, in scene space. With Maya's
 * segment scale compensation, the local matrix of a bone is T S(parent)⁻¹ R S. With scale
 * inheritance by axis (Unreal's FTransform), rotations below a non-uniform scale don't cause shear.
 *
 * @experimental
 */
export class WorldMatrices {
  readonly matrices: Float64Array;
  readonly #shape: PoseShape;
  readonly #isCompensated: Uint8Array;
  /**
   * 1 for each node whose world matrix is not the product of its parent's world matrix and its
   * local matrix; 0 for the others.
   */
  readonly #isSpecial: Uint8Array;
  /**
   * Product of the scales from the root to each bone, 3 numbers per node. Only used if scale is
   * inherited by axis; otherwise null.
   */
  readonly #axes: Float64Array | null;
  /**
   * Value that `#clock` had, for each node, when its matrix was last updated (`#made`) and when
   * `touch` was last called for it.
   */
  readonly #made: Float64Array;
  readonly #touched: Float64Array;
  #clock = 0;
  readonly #path: Int32Array;

  constructor(shape: PoseShape, inheritance: ScaleInheritance = shape.scene.scaleInheritance) {
    const { nodes } = shape.scene;
    const { length: count, segmentScaleCompensate } = nodes;
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

  /** Updates the world matrices of all nodes. */
  update(pose: Pose): void {
    const { nodes } = this.#shape.scene;
    const { length: count } = nodes;
    const { translations, rotations, scales } = pose;
    const isSpecial = this.#isSpecial;
    const matrices = this.matrices;
    this.#made.fill(++this.#clock);
    for (let row = 0; row < count; row++)
      if (isSpecial[row]) this.#place(pose, row);
      else multiplyComposed(matrices, 16 * row, 16 * parentOf(nodes, row), translations, scales, 3 * row, rotations, 4 * row);
  }

  /**
   * Marks the world matrices of a node and its descendants as outdated. `touch(0)` marks all
   * matrices.
   *
   * @internal
   */
  touch(row: number): void {
    this.#touched[row] = ++this.#clock;
  }

  /**
   * Updates the world matrix of a node, and those of its ancestors, if they are outdated. Call this
   * before you read the node's matrix.
   *
   * @internal
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
      // The product of scales is 1 for nodes that are not bones.
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
