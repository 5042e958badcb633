// World positions of sampled vertices, against those that three.js computes vertex by vertex.
import { Bone, BufferAttribute, BufferGeometry, Matrix4, Mesh, MeshBasicMaterial, Skeleton, SkinnedMesh, Vector3 } from 'three';
import { expect, it, vi } from 'vitest';
import { worldPositionsOf } from '../../../web/src/view/vertexPositions.ts';

/** Creates a strip of six vertices between two bones. The last vertex has no weights. */
function strip(): { mesh: SkinnedMesh; bones: Bone[] } {
  const geometry = new BufferGeometry();
  const points = Array.from({ length: 6 }, (_, i) => [i / 5, i % 2, 0.2 * i]);
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(points.flat()), 3));
  geometry.setAttribute('skinIndex', new BufferAttribute(Uint16Array.from(points.flatMap(() => [0, 1, 0, 0])), 4));
  const weights = points.flatMap((_, i) => (i === 5 ? [0, 0, 0, 0] : [1 - i / 5, i / 5, 0, 0]));
  geometry.setAttribute('skinWeight', new BufferAttribute(Float32Array.from(weights), 4));
  geometry.morphAttributes.position = [new BufferAttribute(Float32Array.from(points.flatMap(() => [0, 0, 0.5])), 3)];
  geometry.morphTargetsRelative = true;
  const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
  const bones = [new Bone(), new Bone()];
  bones[0]!.add(bones[1]!);
  bones[1]!.position.set(0, 1, 0);
  mesh.add(bones[0]!);
  mesh.position.set(3, 1, -2);
  mesh.rotation.y = 0.4;
  mesh.updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones));
  mesh.morphTargetInfluences = [0.5];
  return { mesh, bones };
}

/** Expects the positions that three.js computes, and returns the number of vertices that were skinned. */
function skinnedVertices(mesh: Mesh): number {
  mesh.updateMatrixWorld(true);
  const skin = vi.spyOn(SkinnedMesh.prototype, 'applyBoneTransform');
  const write = worldPositionsOf(mesh);
  const found = Array.from({ length: 6 }, (_, i) => write(i, new Vector3()).toArray());
  const count = skin.mock.calls.length;
  skin.mockRestore();
  for (const [i, position] of found.entries())
    for (const [axis, value] of mesh.getVertexPosition(i, new Vector3()).applyMatrix4(mesh.matrixWorld).toArray().entries())
      expect(position[axis], `vertex ${i}`).toBeCloseTo(value, 5);
  return count;
}

it('do not skin vertices with weights in the bind pose, also after the whole model was moved', () => {
  const { mesh, bones } = strip();
  expect(skinnedVertices(mesh)).toBe(1);
  mesh.scale.setScalar(2);
  mesh.position.x = 40;
  expect(skinnedVertices(mesh)).toBe(1);
  bones[0]!.rotation.z = 0.7; // moves both bones alike
  expect(skinnedVertices(mesh)).toBe(1);
});

it('are skinned in other poses', () => {
  const { mesh, bones } = strip();
  bones[1]!.rotation.z = 0.01;
  expect(skinnedVertices(mesh)).toBe(6);
});

it('are those of the geometry without bones', () => {
  const { mesh } = strip();
  const plain = new Mesh(mesh.geometry, mesh.material);
  plain.applyMatrix4(new Matrix4().makeTranslation(1, 2, 3));
  expect(skinnedVertices(plain)).toBe(0);
});
