// The vertices of a mesh as they are drawn, in world space: what the vertex shader does, for the command line, exports and tests.
import { Matrix4, SkinnedMesh, type Mesh as ThreeMesh, type Object3D } from 'three';
import type { Mesh } from '../core/types.ts';

/** 3n world coordinates. World matrices are taken as they are: update them first. */
export function drawnPositions(object: Object3D, mesh: Mesh): Float64Array {
  const positions = morphed(mesh, (object as ThreeMesh).morphTargetInfluences);
  if (object instanceof SkinnedMesh && mesh.joints && mesh.weights) skin(positions, object, mesh.joints, mesh.weights);
  else transform(positions, object.matrixWorld.elements);
  return positions;
}

function morphed({ positions, morphs }: Mesh, influences: readonly number[] | undefined): Float64Array {
  const result = Float64Array.from(positions);
  for (const [m, influence] of (influences ?? []).entries()) {
    const morph = morphs[m];
    if (!morph || influence === 0) continue;
    for (const [i, vertex] of morph.vertices.entries()) {
      for (let c = 0; c < 3; c++) result[3 * vertex + c]! += influence * morph.positions[3 * i + c]!;
    }
  }
  return result;
}

function transform(positions: Float64Array, e: readonly number[]): void {
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i]!, y = positions[i + 1]!, z = positions[i + 2]!;
    positions[i] = e[0]! * x + e[4]! * y + e[8]! * z + e[12]!;
    positions[i + 1] = e[1]! * x + e[5]! * y + e[9]! * z + e[13]!;
    positions[i + 2] = e[2]! * x + e[6]! * y + e[10]! * z + e[14]!;
  }
}

/** An attached skinned mesh is drawn where its bones are: its own matrix cancels out. */
function skin(positions: Float64Array, mesh: SkinnedMesh, joints: Uint16Array, weights: Float32Array): void {
  const { skeleton, bindMatrix, bindMatrixInverse, matrixWorld } = mesh;
  const place = new Matrix4().multiplyMatrices(matrixWorld, bindMatrixInverse), matrix = new Matrix4();
  const matrices = new Float64Array(16 * skeleton.bones.length);
  for (const [j, bone] of skeleton.bones.entries()) {
    matrix.multiplyMatrices(bone.matrixWorld, skeleton.boneInverses[j]!).premultiply(place).multiply(bindMatrix);
    matrices.set(matrix.elements, 16 * j);
  }
  for (let i = 0, at = 0; i < positions.length; i += 3, at += 4) {
    const x = positions[i]!, y = positions[i + 1]!, z = positions[i + 2]!;
    let sx = 0, sy = 0, sz = 0;
    for (let k = at; k < at + 4; k++) {
      const w = weights[k]!;
      if (w === 0) continue;
      const m = 16 * joints[k]!;
      sx += w * (matrices[m]! * x + matrices[m + 4]! * y + matrices[m + 8]! * z + matrices[m + 12]!);
      sy += w * (matrices[m + 1]! * x + matrices[m + 5]! * y + matrices[m + 9]! * z + matrices[m + 13]!);
      sz += w * (matrices[m + 2]! * x + matrices[m + 6]! * y + matrices[m + 10]! * z + matrices[m + 14]!);
    }
    positions[i] = sx;
    positions[i + 1] = sy;
    positions[i + 2] = sz;
  }
}
