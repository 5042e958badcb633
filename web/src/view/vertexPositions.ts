// World positions of single vertices, for samples of the surface.

import { Matrix4, Mesh, type SkinnedMesh, type Vector3 } from 'three';

/** Maximum difference between equal elements of two matrices, relative to the element. */
const TOLERANCE = 1e-5;

/**
 * Returns a function that writes the world position of a vertex to `target`. World matrices must be
 * up to date. If all bones have moved alike, as in the bind pose, one matrix moves all vertices,
 * which is several times faster than skinning each of them.
 */
export function worldPositionsOf(mesh: Mesh): (vertex: number, target: Vector3) => Vector3 {
  const rigid = 'isSkinnedMesh' in mesh ? rigidMatrixOf(mesh as SkinnedMesh) : null;
  const weights = mesh.geometry.attributes.skinWeight;
  const isWeighted = (i: number): boolean =>
    Math.abs(weights!.getX(i) + weights!.getY(i) + weights!.getZ(i) + weights!.getW(i) - 1) < TOLERANCE;
  return (vertex, target) =>
    rigid && weights && isWeighted(vertex)
      ? Mesh.prototype.getVertexPosition.call(mesh, vertex, target).applyMatrix4(rigid)
      : mesh.getVertexPosition(vertex, target).applyMatrix4(mesh.matrixWorld);
}

/** Returns the matrix from vertices to world space if all bones have moved alike; otherwise null. */
function rigidMatrixOf({ skeleton, bindMatrix, bindMatrixInverse, matrixWorld }: SkinnedMesh): Matrix4 | null {
  const { bones, boneInverses } = skeleton;
  const product = new Matrix4();
  let first: Matrix4 | null = null;
  for (const [i, bone] of bones.entries()) {
    product.multiplyMatrices(bone.matrixWorld, boneInverses[i]!);
    first ??= product.clone();
    const { elements } = first;
    if (product.elements.some((element, k) => Math.abs(element - elements[k]!) > TOLERANCE * (1 + Math.abs(element)))) return null;
  }
  return first && first.premultiply(bindMatrixInverse).multiply(bindMatrix).premultiply(matrixWorld);
}
