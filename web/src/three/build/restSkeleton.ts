// A skeleton that also stores the rest transforms of its bones. Shaders need them to apply the
// scale of a bone about its head.
import { DataTexture, FloatType, Matrix4, RGBAFormat, Skeleton, Vector3 } from 'three';

/**
 * A skeleton whose `boneTexture` contains bone matrices in its first half, and the rest transforms
 * of the bones, in the same order, in its second half.
 */
export class RestSkeleton extends Skeleton {
  override computeBoneTexture(): this {
    const { bones, boneInverses } = this;
    // Each bone has two matrices of four texels. three.js requires that each matrix lies within one
    // row.
    const side = Math.max(4 * Math.ceil(Math.sqrt(8 * bones.length) / 4), 4);
    const matrices = new Float32Array(4 * side * side);
    matrices.set(this.boneMatrices ?? []);
    for (const [j, inverse] of boneInverses.entries()) restOf(inverse).toArray(matrices, 2 * side * side + 16 * j);
    this.boneMatrices = matrices;
    this.boneTexture = new DataTexture(matrices, side, side, RGBAFormat, FloatType);
    this.boneTexture.needsUpdate = true;
    return this;
  }

  override clone(): this {
    return new RestSkeleton(this.bones, this.boneInverses) as this;
  }
}

const x = /*@__PURE__*/ new Vector3();
const y = /*@__PURE__*/ new Vector3();
const z = /*@__PURE__*/ new Vector3();

/**
 * Returns the rest transform of a bone in bind space, without scale. `inverse` is the inverse bind
 * matrix of the bone.
 */
export function restOf(inverse: Matrix4): Matrix4 {
  const rest = new Matrix4().copy(inverse).invert();
  const { elements } = rest;
  const [hx = 0, hy = 0, hz = 0] = elements.slice(12, 15);
  return (toRotation(rest) ?? rest.identity()).setPosition(hx, hy, hz);
}

/**
 * Reduces a matrix to its rotation, in place. The Y axis keeps its direction. Returns null if the
 * matrix is singular.
 */
export function toRotation(matrix: Matrix4): Matrix4 | null {
  const size = matrix.determinant();
  if (!(Math.abs(size) > 0)) return null;
  matrix.extractBasis(x, y, z);
  if (size < 0) {
    x.negate();
    y.negate();
  }
  y.normalize();
  x.addScaledVector(y, -x.dot(y)).normalize();
  return matrix.makeBasis(x, y, z.crossVectors(x, y));
}
