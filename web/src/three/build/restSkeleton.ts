// A skeleton that tells shaders where its bones are at rest, for scale that acts about their heads.
import { DataTexture, FloatType, Matrix4, RGBAFormat, Skeleton, Vector3 } from 'three';

/** The second half of `boneTexture` has the bones at rest, each where its matrix is in the first half. */
export class RestSkeleton extends Skeleton {
  override computeBoneTexture(): this {
    const { bones, boneInverses } = this;
    // Two matrices of four texels for each bone, in whole matrices a row as three reads them.
    const side = Math.max(4 * Math.ceil(Math.sqrt(8 * bones.length) / 4), 4);
    const matrices = new Float32Array(4 * side * side);
    matrices.set(this.boneMatrices ?? []);
    for (const [j, inverse] of boneInverses.entries()) restOf(inverse).toArray(matrices, 2 * side * side + 16 * j);
    this.boneMatrices = matrices;
    this.boneTexture = new DataTexture(matrices, side, side, RGBAFormat, FloatType);
    this.boneTexture.needsUpdate = true;
    return this;
  }

  /** As three's own, of the same kind. */
  override clone(): this {
    return new RestSkeleton(this.bones, this.boneInverses) as this;
  }
}

const x = /*@__PURE__*/ new Vector3();
const y = /*@__PURE__*/ new Vector3();
const z = /*@__PURE__*/ new Vector3();

/** Where a bone is at rest in the space in which its mesh was bound: its head, and axes without scale. */
export function restOf(inverse: Matrix4): Matrix4 {
  const rest = new Matrix4().copy(inverse).invert();
  const { elements } = rest;
  const [hx = 0, hy = 0, hz = 0] = elements.slice(12, 15);
  return (turnOf(rest) ?? rest.identity()).setPosition(hx, hy, hz);
}

/** The rotation of a matrix that keeps the direction of its Y axis, in its place; null for one that is flat. */
export function turnOf(matrix: Matrix4): Matrix4 | null {
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
