// GLB files with more than four influences per vertex, which GLTFLoader does not draw: they are
// read completely, converted completely, and drawn by the loader's materials.
import { expect, test } from 'vitest';
import { Matrix4, type SkinnedMesh, Vector3 } from 'three';
import { influencesAt } from '../../../web/src/convert/common/influences.ts';
import { convert } from '../../../web/src/convert/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { openGlb } from '../../../web/src/interop/openEncoded.ts';
import { openImportedRig } from '../../../web/src/interop/open.ts';
import { Rig } from '../../../web/src/three/index.ts';
import { drawnPositions } from '../../../web/src/three/build/skinning.ts';
import { fileOf } from '../../support/armScene.ts';
import { chainScene } from '../../support/chainScene.ts';

const glbOf = async (influences: number): Promise<Uint8Array<ArrayBuffer>> => {
  const { files } = await convert([fileOf(chainScene(influences, 'linear'))], { to: 'glb' });
  return new Uint8Array(files[0]!.bytes);
};

/** Returns the influences of each vertex as `bone weight`, strongest first. */
function influencesIn({ meshes, skins, nodes }: RigScene): string[][] {
  const [mesh] = meshes;
  return Array.from({ length: mesh!.vertexCount }, (_, v) => {
    const { joints, weights, from, to } = influencesAt(mesh!, v);
    return Array.from({ length: to - from }, (_, i) => from + i)
      .filter(k => weights[k]! > 0)
      .map(k => `${nodes.names[skins[0]!.joints[joints[k]!]!]} ${weights[k]!.toFixed(4)}`)
      .sort();
  });
}

test.each([3, 6, 8])('a GLB with %i influences per vertex is read completely', async count => {
  const { scene, report } = await openGlb(await glbOf(count), 'chain.glb');
  expect(report.items).toEqual([]);
  expect(influencesIn(scene!)).toEqual(influencesIn(chainScene(count, 'linear')));
  expect(scene!.meshes[0]!.influenceOffsets === undefined).toBe(count <= 4);
  for (const at of scene!.meshes[0]!.weights!.keys())
    if (at % 4 === 0)
      expect([...scene!.meshes[0]!.weights!.subarray(at, at + 4)].reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
});

test('the boxes of joints contain the vertices of their weakest influences', async () => {
  const { scene } = await openGlb(await glbOf(8), 'chain.glb');
  const { joints, inverseBindMatrices, jointBoxes } = scene!.skins[0]!;
  const [mesh] = scene!.meshes;
  const used = new Set<number>();
  for (let v = 0; v < mesh!.vertexCount; v++) {
    for (let k = mesh!.influenceOffsets![v]!; k < mesh!.influenceOffsets![v + 1]!; k++) {
      const j = mesh!.influenceJoints![k]!;
      used.add(j);
      const place = new Vector3().fromArray(mesh!.positions, 3 * v).applyMatrix4(new Matrix4().fromArray(inverseBindMatrices, 16 * j));
      for (let c = 0; c < 3; c++) {
        expect(place.getComponent(c)).toBeGreaterThanOrEqual(jointBoxes[6 * j + c]! - 1e-5);
        expect(place.getComponent(c)).toBeLessThanOrEqual(jointBoxes[6 * j + 3 + c]! + 1e-5);
      }
    }
  }
  expect(used.size).toBe(joints.length);
});

test('conversions keep all influences', async () => {
  const file = new File([await glbOf(8)], 'chain.glb');
  const { files, report } = await convert([file], { to: 'glb', strict: true });
  expect(report.items.filter(({ kind }) => kind === 'loss')).toEqual([]);
  const { scene } = await openGlb(files[0]!.bytes, 'again.glb');
  expect(influencesIn(scene!)).toEqual(influencesIn(chainScene(8, 'linear')));
});

test('materials of the loader draw all influences', async () => {
  const open = async (influences: number): Promise<SkinnedMesh> => {
    const file = new File([await glbOf(influences)], 'chain.glb');
    const beside = { find: async () => null, files: () => new Map<string, File>() };
    const rig = await openImportedRig({ path: file.name, file }, beside as never, new AbortController().signal, Rig.make);
    return rig.meshes[0] as SkinnedMesh;
  };
  const keyOf = ({ material }: SkinnedMesh): string => [material].flat()[0]!.customProgramCacheKey();
  const [four, eight] = [await open(4), await open(8)];
  expect(keyOf(eight)).toContain('8 linear');
  expect(keyOf(four)).not.toContain('linear');
  // The same bend as that of a rig without the loader.
  const own = await Rig.make(fileOf(chainScene(8, 'linear')));
  const bend = (mesh: SkinnedMesh): SkinnedMesh => {
    for (const [i, bone] of mesh.skeleton.bones.entries()) bone.rotation.set(0.05 * i, i * 0.12, i % 2 ? 0.5 : 0.1);
    (mesh.skeleton.bones[0]!.parent ?? mesh).updateWorldMatrix(true, true);
    return mesh;
  };
  const [mine, theirs] = [own.meshes[0] as SkinnedMesh, eight].map(bend);
  const { scene } = await openGlb(await glbOf(8), 'chain.glb');
  const [a, b] = [drawnPositions(mine!, own.file.scene!.meshes[0]!), drawnPositions(theirs!, scene!.meshes[0]!)];
  expect(a.length).toBe(b.length);
  expect(Math.max(...a.map((value, i) => Math.abs(value - b[i]!)))).toBeLessThan(1e-4);
});
