// World matrices of a pose, parents first, with the two ways in which bones take over the scale above them.
import { compose, multiply } from '../core/math/matrix.ts';
import type { ScaleInheritance } from '../core/types.ts';
import type { Pose, PoseShape } from './pose.ts';

/**
 * 16 numbers per node, column-major, in the space of the scene (three's `matrixWorld` where the rig's group is not moved). Segment scale
 * compensate: local = T S(parent)⁻¹ R S (Maya). Scale axis by axis: rotations below a scale do not shear (Unreal's FTransform).
 */
export class WorldMatrices {
  readonly matrices: Float64Array;
  readonly #shape: PoseShape;
  readonly #isCompensated: Uint8Array;
  /** By row: whether more is to be done than to multiply. */
  readonly #isSpecial: Uint8Array;
  /** Products of the scales down to each bone, where they are inherited axis by axis; else null. */
  readonly #axes: Float64Array | null;
  /** By row, on one clock: when the matrix was made, when the node was touched. */
  readonly #made: Float64Array;
  readonly #touched: Float64Array;
  #clock = 0;
  readonly #path: Int32Array;

  constructor(shape: PoseShape, inheritance: ScaleInheritance = shape.scene.scaleInheritance) {
    const { count, bones, parents, segmentScaleCompensate } = shape.scene.nodes;
    this.#shape = shape;
    this.matrices = new Float64Array(16 * count);
    const isUnderBone = (row: number): boolean => bones[row]! >= 0 && parents[row]! >= 0 && bones[parents[row]!]! >= 0;
    this.#isCompensated = Uint8Array.from({ length: count }, (_, row) => (segmentScaleCompensate[row] && isUnderBone(row) ? 1 : 0));
    this.#isSpecial = Uint8Array.from(this.#isCompensated, (is, row) => is | Number(inheritance === 'axes' && bones[row]! >= 0));
    this.#made = new Float64Array(count).fill(-1);
    this.#touched = new Float64Array(count);
    this.#path = new Int32Array(count);
    this.#axes = inheritance === 'axes' ? new Float64Array(3 * count).fill(1) : null;
  }

  /** All of them anew. Allocates nothing. */
  update(pose: Pose): void {
    const { count, parents } = this.#shape.scene.nodes;
    const { translations, rotations, scales } = pose;
    const isSpecial = this.#isSpecial;
    const matrices = this.matrices;
    this.#made.fill(++this.#clock);
    for (let row = 0; row < count; row++)
      if (isSpecial[row]) this.#place(pose, row);
      else place(matrices, row, parents[row]!, translations, rotations, scales);
  }

  /** A node's place in the pose has changed: its matrix and those below it are old until `reach` comes by. Of node 0 it makes all old. */
  touch(row: number): void {
    this.#touched[row] = ++this.#clock;
  }

  /** Makes the matrices of a node and of those above it new where they are old. Solvers read through it what solvers before them wrote. */
  reach(pose: Pose, row: number): void {
    const { parents } = this.#shape.scene.nodes;
    let length = 0;
    for (let at = row; at >= 0; at = parents[at]!) this.#path[length++] = at;
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
    const { parents, bones } = this.#shape.scene.nodes;
    const parent = parents[row]!;
    if (!this.#isSpecial[row]) return place(this.matrices, row, parent, t, q, s);
    const axes = this.#axes;
    const at = 3 * row;
    const above = 3 * parent;
    compose(local, t, at, q, 4 * row, s[at]!, s[at + 1]!, s[at + 2]!);
    const isBone = bones[row]! >= 0;
    if (this.#isCompensated[row]) divideRows(local, s[above]!, s[above + 1]!, s[above + 2]!);
    if (axes && isBone) {
      // Nodes that are not bones keep a product of 1.
      const x = axes[above] ?? 1;
      const y = axes[above + 1] ?? 1;
      const z = axes[above + 2] ?? 1;
      conjugate(local, x, y, z);
      axes[at] = x * s[at]!;
      axes[at + 1] = y * s[at + 1]!;
      axes[at + 2] = z * s[at + 2]!;
    }
    if (parent < 0) this.matrices.set(local, 16 * row);
    else multiply(this.matrices, 16 * row, this.matrices, 16 * parent, local);
  }
}

/** One matrix, by that of `parent` (negative: there is none). `compose` and `multiply` in one, with no matrix in between: to the same bits. */
function place(m: Float64Array, row: number, parent: number, t: Float64Array, q: Float64Array, s: Float64Array): void {
  const x = q[4 * row]!;
  const y = q[4 * row + 1]!;
  const z = q[4 * row + 2]!;
  const w = q[4 * row + 3]!;
  const sx = s[3 * row]!;
  const sy = s[3 * row + 1]!;
  const sz = s[3 * row + 2]!;
  const xx = x * (x + x);
  const xy = x * (y + y);
  const xz = x * (z + z);
  const yy = y * (y + y);
  const yz = y * (z + z);
  const zz = z * (z + z);
  const wx = w * (x + x);
  const wy = w * (y + y);
  const wz = w * (z + z);
  const l0 = (1 - (yy + zz)) * sx;
  const l1 = (xy + wz) * sx;
  const l2 = (xz - wy) * sx;
  const l4 = (xy - wz) * sy;
  const l5 = (1 - (xx + zz)) * sy;
  const l6 = (yz + wx) * sy;
  const l8 = (xz + wy) * sz;
  const l9 = (yz - wx) * sz;
  const l10 = (1 - (xx + yy)) * sz;
  const l12 = t[3 * row]!;
  const l13 = t[3 * row + 1]!;
  const l14 = t[3 * row + 2]!;
  const at = 16 * row;
  m[at + 3] = 0;
  m[at + 7] = 0;
  m[at + 11] = 0;
  m[at + 15] = 1;
  if (parent < 0) {
    m[at] = l0;
    m[at + 1] = l1;
    m[at + 2] = l2;
    m[at + 4] = l4;
    m[at + 5] = l5;
    m[at + 6] = l6;
    m[at + 8] = l8;
    m[at + 9] = l9;
    m[at + 10] = l10;
    m[at + 12] = l12;
    m[at + 13] = l13;
    m[at + 14] = l14;
    return;
  }
  const above = 16 * parent;
  const a0 = m[above]!;
  const a1 = m[above + 1]!;
  const a2 = m[above + 2]!;
  const a4 = m[above + 4]!;
  const a5 = m[above + 5]!;
  const a6 = m[above + 6]!;
  const a8 = m[above + 8]!;
  const a9 = m[above + 9]!;
  const a10 = m[above + 10]!;
  m[at] = a0 * l0 + a4 * l1 + a8 * l2;
  m[at + 1] = a1 * l0 + a5 * l1 + a9 * l2;
  m[at + 2] = a2 * l0 + a6 * l1 + a10 * l2;
  m[at + 4] = a0 * l4 + a4 * l5 + a8 * l6;
  m[at + 5] = a1 * l4 + a5 * l5 + a9 * l6;
  m[at + 6] = a2 * l4 + a6 * l5 + a10 * l6;
  m[at + 8] = a0 * l8 + a4 * l9 + a8 * l10;
  m[at + 9] = a1 * l8 + a5 * l9 + a9 * l10;
  m[at + 10] = a2 * l8 + a6 * l9 + a10 * l10;
  m[at + 12] = a0 * l12 + a4 * l13 + a8 * l14 + m[above + 12]!;
  m[at + 13] = a1 * l12 + a5 * l13 + a9 * l14 + m[above + 13]!;
  m[at + 14] = a2 * l12 + a6 * l13 + a10 * l14 + m[above + 14]!;
}

const local = new Float64Array(16);

/** Divides the rows of the upper left 3 x 3: S⁻¹ from the left. A scale of zero cannot be undone and stays. */
function divideRows(m: Float64Array, x: number, y: number, z: number): void {
  if ((x === 1 && y === 1 && z === 1) || x * y * z === 0) return;
  for (let column = 0; column < 12; column += 4) {
    m[column]! /= x;
    m[column + 1]! /= y;
    m[column + 2]! /= z;
  }
}

/** S⁻¹ M S, so that the scale above acts along this bone's own axes. */
function conjugate(m: Float64Array, x: number, y: number, z: number): void {
  if ((x === 1 && y === 1 && z === 1) || x * y * z === 0) return;
  divideRows(m, x, y, z);
  for (let row = 0; row < 3; row++) {
    m[row]! *= x;
    m[row + 4]! *= y;
    m[row + 8]! *= z;
  }
}
