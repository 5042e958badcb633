// Skinning beyond three's own, on the CPU: what pose prints, what picking hits, what bounds hold, and what the report says.
import { Box3, type BufferAttribute, Matrix4, Quaternion, Raycaster, Vector3, type WebGLRenderer } from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it, vi } from 'vitest';
import { readPose, Rig, RigcastLoader, type RigSkinnedMesh } from '../../../web/src/three/index.ts';
import { drawnPositions } from '../../../web/src/three/skinning.ts';
import { chainScene } from '../../support/chainScene.ts';

function bent(influences: number, method: 'linear' | 'dualQuaternion' = 'linear', options: ConstructorParameters<typeof Rig>[1] = {}): Rig {
  const rig = new Rig({ scene: chainScene(influences, method) }, options);
  for (const [i, bone] of rig.nodes.slice(1).entries()) bone.rotation.set(0.05 * i, i * 0.12, i % 2 ? 0.5 : 0.1);
  rig.scene.updateMatrixWorld(true);
  return rig;
}

const meshOf = (rig: Rig) => rig.meshes[0] as RigSkinnedMesh;
const positionsOf = (rig: Rig) => drawnPositions(meshOf(rig), rig.file.scene!.meshes[0]!);

/** Straight from the definition: the sum over all of the file's influences. */
function linear(rig: Rig, vertex: number, most = Infinity): Vector3 {
  const { positions, influenceOffsets, influenceJoints, influenceWeights } = rig.file.scene!.meshes[0]!;
  const point = new Vector3().fromArray(positions, 3 * vertex);
  const sum = new Vector3();
  const first = influenceOffsets![vertex]!;
  const end = Math.min(influenceOffsets![vertex + 1]!, first + most);
  let total = 0;
  for (let i = first; i < end; i++) {
    const { bones, boneInverses } = meshOf(rig).skeleton;
    const matrix = new Matrix4().multiplyMatrices(bones[influenceJoints![i]!]!.matrixWorld, boneInverses[influenceJoints![i]!]!);
    sum.addScaledVector(point.clone().applyMatrix4(matrix), influenceWeights![i]!);
    total += influenceWeights![i]!;
  }
  return sum.divideScalar(total);
}

describe('more than four influences', () => {
  it('all count, up to eight', () => {
    const rig = bent(8);
    const drawn = positionsOf(rig);
    for (let v = 0; v < 50; v++) expect(new Vector3().fromArray(drawn, 3 * v).distanceTo(linear(rig, v)), `${v}`).toBeLessThan(1e-6);
    expect(rig.report.items).toEqual([]);
  });

  it('beyond eight the strongest eight are drawn, and the report says what that leaves out', () => {
    const rig = bent(10);
    const drawn = positionsOf(rig);
    for (let v = 0; v < 50; v++) expect(new Vector3().fromArray(drawn, 3 * v).distanceTo(linear(rig, v, 8)), `${v}`).toBeLessThan(1e-6);
    const { influenceWeights: weights } = rig.file.scene!.meshes[0]!;
    const omitted = Math.max(...Array.from({ length: 50 }, (_, v) => weights![10 * v + 8]! + weights![10 * v + 9]!));
    expect(rig.report.items).toEqual([
      {
        code: 'SKINNING_REDUCED',
        severity: 'warning',
        offset: null,
        path: 'ribbon',
        count: 50,
        detail: `up to 10 influences a vertex; the eight drawn leave out at most ${Math.ceil(100 * omitted)} %`,
      },
    ]);
    expect(rig.report.warnings).toBe(50);
  });

  it('leave three the four that it can draw by itself', () => {
    const { geometry } = meshOf(bent(8));
    const weights = geometry.getAttribute('skinWeight') as BufferAttribute;
    for (let v = 0; v < weights.count; v++) expect(weights.getX(v) + weights.getY(v) + weights.getZ(v) + weights.getW(v)).toBeCloseTo(1, 6);
  });
});

describe('dual quaternions', () => {
  it('keep the distance from the joint where linear skinning loses it', () => {
    const twist = (method: 'linear' | 'dualQuaternion') => {
      const rig = new Rig({ scene: chainScene(2, method) });
      rig.nodes[6]!.rotation.y = 2.8;
      rig.scene.updateMatrixWorld(true);
      const drawn = positionsOf(rig);
      return Math.min(...Array.from({ length: 50 }, (_, v) => Math.hypot(drawn[3 * v]!, drawn[3 * v + 2]!)));
    };
    expect(twist('linear')).toBeLessThan(0.2);
    expect(twist('dualQuaternion')).toBeCloseTo(0.3, 6);
  });

  it('turn over the short way, whatever sign a quaternion has', () => {
    const rig = new Rig({ scene: chainScene(2, 'dualQuaternion') });
    rig.scene.updateMatrixWorld(true);
    const rest = positionsOf(rig);
    for (const bone of rig.nodes.slice(1)) bone.quaternion.copy(new Quaternion(0, 0, 0, -1));
    rig.nodes[4]!.rotation.y = 2 * Math.PI;
    rig.scene.updateMatrixWorld(true);
    for (const [i, value] of positionsOf(rig).entries()) expect(value).toBeCloseTo(rest[i]!, 6);
  });

  it('do not mind how the page scales the rig', () => {
    const rig = bent(4, 'dualQuaternion');
    const before = positionsOf(rig);
    rig.scene.scale.setScalar(100);
    rig.scene.updateMatrixWorld(true);
    for (const [i, value] of positionsOf(rig).entries()) expect(value / 100).toBeCloseTo(before[i]!, 6);
  });
});

describe('bounds of dual quaternions', () => {
  it('hold what swings out of the boxes of the joints', () => {
    for (const bend of [1, 2, 3])
      for (const axis of ['x', 'y', 'z'] as const)
        for (const influences of [2, 4]) {
          const rig = new Rig({ scene: chainScene(influences, 'dualQuaternion') });
          for (const [i, bone] of rig.nodes.slice(1).entries()) bone.rotation[axis] = i % 2 ? bend : -bend;
          rig.scene.updateMatrixWorld(true);
          const drawn = new Box3().setFromArray(positionsOf(rig));
          expect(meshOf(rig).boundingBox.containsBox(drawn), `${axis} ${bend} ${influences}`).toBe(true);
        }
  });
});

describe.each([
  ['linear', 8],
  ['dualQuaternion', 3],
  ['dualQuaternion', 8],
] as const)('%s with %i', (method, influences) => {
  it('is what three asks a mesh for, vertex by vertex', () => {
    const rig = bent(influences, method);
    const mesh = meshOf(rig);
    const drawn = positionsOf(rig);
    for (let v = 0; v < 50; v++) {
      const vertex = mesh.getVertexPosition(v, new Vector3()).applyMatrix4(mesh.matrixWorld);
      expect(vertex.distanceTo(new Vector3().fromArray(drawn, 3 * v)), `${v}`).toBeLessThan(1e-6);
    }
  });

  it('is hit where it is drawn', () => {
    const rig = bent(influences, method);
    const drawn = positionsOf(rig);
    const source = rig.file.scene!.meshes[0]!;
    let hits = 0;
    for (let t = 0; t < source.indices!.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map(k => new Vector3().fromArray(drawn, 3 * source.indices![t + k]!)) as [Vector3, Vector3, Vector3];
      const normal = b.clone().sub(a).cross(c.clone().sub(a));
      if (normal.length() < 1e-3) continue;
      const middle = a.clone().add(b).add(c).divideScalar(3);
      const ray = new Raycaster(middle.clone().addScaledVector(normal.normalize(), 0.01), normal.clone().negate(), 0, 0.02);
      const [hit] = ray.intersectObject(rig.scene, true);
      expect(hit?.point.distanceTo(middle), `${t}`).toBeLessThan(1e-5);
      hits++;
    }
    expect(hits).toBeGreaterThan(30);
  });

  it('stays inside the bounds that follow the bones', () => {
    const rig = bent(influences, method);
    const box = new Box3().setFromObject(rig.scene);
    const { min, max } = readPose(rig, null, null).meshes[0]!;
    expect(box.containsBox(new Box3(new Vector3(...min!), new Vector3(...max!)).expandByScalar(-1e-6))).toBe(true);
  });

  it('has exact bounds at rest, wherever the rig stands', () => {
    const rig = new Rig({ scene: chainScene(influences, method) });
    rig.scene.position.set(3, 1, 2);
    rig.scene.scale.setScalar(2);
    rig.scene.updateMatrixWorld(true);
    const box = new Box3().setFromObject(rig.scene);
    const { min, max } = readPose(rig, null, null).meshes[0]!;
    for (const [k, axis] of (['x', 'y', 'z'] as const).entries())
      expect([box.min[axis], box.max[axis]]).toEqual([expect.closeTo(min![k]!, 4), expect.closeTo(max![k]!, 4)]);
  });

  it('survives SkeletonUtils.clone', () => {
    const rig = bent(influences, method);
    const copy = SkeletonUtils.clone(rig.scene);
    copy.updateMatrixWorld(true);
    const mesh = copy.getObjectByProperty('isSkinnedMesh', true) as RigSkinnedMesh;
    expect(mesh.customDepthMaterial).toBe(meshOf(rig).customDepthMaterial);
    expect(drawnPositions(mesh, rig.file.scene!.meshes[0]!)).toEqual(positionsOf(rig));
  });

  it('falls back to four linear influences, and says so', () => {
    const rig = bent(influences, method, { skinning: 'plain', strict: true });
    expect(meshOf(rig).skinning).toBeNull();
    expect(meshOf(rig).geometry.hasAttribute('skinWeight1')).toBe(false);
    expect(rig.report.items.map(({ code, severity }) => [code, severity])).toEqual([['SKINNING_REDUCED', 'error']]);
    expect(positionsOf(rig)).not.toEqual(positionsOf(bent(influences, method)));
  });
});

describe('WebGPURenderer', () => {
  const gpu = { isWebGPURenderer: true };

  it('is told to the loader: it draws four linear influences', () => {
    expect(new RigcastLoader().detectSupport(gpu).options.skinning).toBe('plain');
    expect(
      new RigcastLoader().detectSupport({ extensions: { has: () => true } } as unknown as WebGLRenderer).options.skinning,
    ).toBeUndefined();
  });

  it('or found out when it draws: the CPU follows, and a warning says so once', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const rig = bent(8);
    const plain = bent(8, 'linear', { skinning: 'plain' });
    for (const mesh of [meshOf(rig), meshOf(plain)]) for (let i = 0; i < 2; i++) mesh.onBeforeRender(gpu);
    expect(positionsOf(rig)).toEqual(positionsOf(plain));
    expect(warn.mock.calls).toEqual([[expect.stringContaining('four linear influences')]]);
    warn.mockRestore();
  });
});
