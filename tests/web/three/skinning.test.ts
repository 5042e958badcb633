// Skinning on the CPU with more than four influences or other than linear blending: positions that
// `readPose` returns, picking, bounds and findings.
import { Box3, type BufferAttribute, Euler, Matrix4, Quaternion, Raycaster, Vector3, type WebGLRenderer } from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it, vi } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { readPose, Rig, RigcastLoader, type RigSkinnedMesh, samplePoses } from '../../../web/src/three/index.ts';
import { drawnPositions } from '../../../web/src/three/build/skinning.ts';
import * as skinning from '../../../web/src/three/build/skinningShader.ts';
import { castFile, model, node, triangle } from '../../support/castFile.ts';
import { chainScene } from '../../support/chainScene.ts';

/** Creates a rig with the modules that Rig.make imports for these files. */
const rigOf = (...[file, options]: ConstructorParameters<typeof Rig>): Rig => new Rig(file, { modules: { skinning }, ...options });

function bent(influences: number, method: 'linear' | 'dualQuaternion' = 'linear', options: ConstructorParameters<typeof Rig>[1] = {}): Rig {
  const rig = rigOf({ scene: chainScene(influences, method) }, options);
  for (const [i, bone] of rig.nodes.slice(1).entries()) bone.rotation.set(0.05 * i, i * 0.12, i % 2 ? 0.5 : 0.1);
  rig.scene.updateMatrixWorld(true);
  return rig;
}

const meshOf = (rig: Rig) => rig.meshes[0] as RigSkinnedMesh;
const positionsOf = (rig: Rig) => drawnPositions(meshOf(rig), rig.file.scene!.meshes[0]!);

/** Returns the chain of bones with each vertex skinned only to the bone of its own segment. */
function oneBoneEach(method: 'linear' | 'dualQuaternion' = 'dualQuaternion'): RigScene {
  const scene = chainScene(1, method);
  const [mesh] = scene.meshes;
  const joints = mesh!.joints!.map((_, i) => (i % 4 ? 0 : Math.min(Math.floor(mesh!.positions[(3 * i) / 4 + 1]! / 0.2 + 1e-4), 9)));
  return { ...scene, meshes: [{ ...mesh!, joints }] };
}

/** Returns the chain of bones with every vertex blended between the fifth and the sixth bone. */
function halves(): RigScene {
  const scene = chainScene(2, 'dualQuaternion');
  const [mesh] = scene.meshes;
  return {
    ...scene,
    meshes: [
      {
        ...mesh!,
        joints: mesh!.joints!.map((_, i) => [4, 5, 0, 0][i % 4]!),
        weights: mesh!.weights!.map((_, i) => [0.5, 0.5, 0, 0][i % 4]!),
      },
    ],
  };
}

/**
 * Returns the chain of bones with eight influences and arbitrary rest transforms, and these
 * transforms.
 */
function turnedChain(): { scene: RigScene; rests: Matrix4[] } {
  const scene = chainScene(8, 'dualQuaternion');
  const rests = Array.from({ length: 10 }, (_, j) =>
    new Matrix4().makeRotationFromEuler(new Euler(j, 2 * j, 0.7 * j)).setPosition(0.05 * j, 0.2 * j, -0.03 * j),
  );
  const { translations, rotations, parents } = scene.nodes;
  for (const [j, rest] of rests.entries()) {
    const [t, q] = [new Vector3(), new Quaternion()];
    (rests[parents[j + 1]! - 1] ?? new Matrix4()).clone().invert().multiply(rest).decompose(t, q, new Vector3());
    t.toArray(translations, 3 * (j + 1));
    q.toArray(rotations, 4 * (j + 1));
    rest
      .clone()
      .invert()
      .toArray(scene.skins[0]!.inverseBindMatrices, 16 * j);
  }
  return { scene, rests };
}

/** Computes the position of a vertex by definition, as the sum over all influences in the file. */
function linear(rig: Rig, vertex: number): Vector3 {
  const { positions, influenceOffsets, influenceJoints, influenceWeights } = rig.file.scene!.meshes[0]!;
  const point = new Vector3().fromArray(positions, 3 * vertex);
  const sum = new Vector3();
  const first = influenceOffsets![vertex]!;
  const end = influenceOffsets![vertex + 1]!;
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
  it.each([5, 8, 9, 10])('all apply, for %i per vertex', influences => {
    const rig = bent(influences);
    const drawn = positionsOf(rig);
    for (let v = 0; v < 50; v++) expect(new Vector3().fromArray(drawn, 3 * v).distanceTo(linear(rig, v)), `${v}`).toBeLessThan(1e-6);
    expect(rig.report.items).toEqual([]);
  });

  it('are freed with the geometry and shared by clones', () => {
    const rig = bent(10);
    const { influences } = meshOf(rig).skinning!;
    expect((SkeletonUtils.clone(rig.scene).getObjectByProperty('isSkinnedMesh', true) as RigSkinnedMesh).skinning!.influences).toBe(
      influences,
    );
    let freed = 0;
    influences!.addEventListener('dispose', () => freed++);
    rig.dispose();
    expect(freed).toBe(1);
  });

  it('leave meshes with four influences unpatched', () => {
    const { geometry } = meshOf(bent(8));
    const weights = geometry.getAttribute('skinWeight') as BufferAttribute;
    for (let v = 0; v < weights.count; v++) expect(weights.getX(v) + weights.getY(v) + weights.getZ(v) + weights.getW(v)).toBeCloseTo(1, 6);
  });
});

describe('dual quaternions', () => {
  it('keep the distance from the joint, unlike linear skinning', () => {
    const twist = (method: 'linear' | 'dualQuaternion') => {
      const rig = rigOf({ scene: chainScene(2, method) });
      rig.nodes[6]!.rotation.y = 2.8;
      rig.scene.updateMatrixWorld(true);
      const drawn = positionsOf(rig);
      return Math.min(...Array.from({ length: 50 }, (_, v) => Math.hypot(drawn[3 * v]!, drawn[3 * v + 2]!)));
    };
    expect(twist('linear')).toBeLessThan(0.2);
    expect(twist('dualQuaternion')).toBeCloseTo(0.3, 6);
  });

  it('rotate along the shorter arc for any sign of quaternions', () => {
    const rig = rigOf({ scene: chainScene(2, 'dualQuaternion') });
    rig.scene.updateMatrixWorld(true);
    const rest = positionsOf(rig);
    for (const bone of rig.nodes.slice(1)) bone.quaternion.copy(new Quaternion(0, 0, 0, -1));
    rig.nodes[4]!.rotation.y = 2 * Math.PI;
    rig.scene.updateMatrixWorld(true);
    for (const [i, value] of positionsOf(rig).entries()) expect(value).toBeCloseTo(rest[i]!, 6);
  });

  it('are independent of the scale of the rig', () => {
    const rig = bent(4, 'dualQuaternion');
    const before = positionsOf(rig);
    rig.scene.scale.setScalar(100);
    rig.scene.updateMatrixWorld(true);
    for (const [i, value] of positionsOf(rig).entries()) expect(value / 100).toBeCloseTo(before[i]!, 6);
  });
});

describe('dual quaternions with scale', () => {
  const carried = (scene = chainScene(2, 'dualQuaternion')): Rig => rigOf({ scene: { ...scene, hints: { dualQuaternionScale: true } } });
  const place = (drawn: Float64Array, vertex: number) => new Vector3().fromArray(drawn, 3 * vertex);

  it('scale an arm about its joint only if scale is enabled', () => {
    const grown = (rig: Rig): Float64Array => {
      rig.nodes[6]!.scale.setScalar(2);
      rig.scene.updateMatrixWorld(true);
      return positionsOf(rig);
    };
    const rest = positionsOf(carried());
    const drawn = grown(carried(oneBoneEach()));
    for (let v = 0; v < 50; v++) {
      const wanted = place(rest, v);
      if (wanted.y >= 1) wanted.set(2 * wanted.x, 1 + 2 * (wanted.y - 1), 2 * wanted.z);
      expect(place(drawn, v).distanceTo(wanted), `${v}`).toBeLessThan(1e-6);
    }
    const ignored = grown(rigOf({ scene: oneBoneEach() }));
    expect(Math.max(...Array.from(ignored.filter((_, i) => i % 3 === 0)))).toBeCloseTo(0.3, 6);
  });

  it('blend twist and scale halfway between two bones', () => {
    const rig = carried(halves());
    rig.nodes[6]!.rotation.y = 2;
    rig.nodes[6]!.scale.set(3, 1, 3);
    rig.scene.updateMatrixWorld(true);
    const drawn = positionsOf(rig);
    const rest = rig.file.scene!.meshes[0]!.positions;
    for (let v = 0; v < 50; v++) {
      const [x = 0, y = 0] = rest.subarray(3 * v);
      const wanted = new Vector3(2 * x * Math.cos(1), y, -2 * x * Math.sin(1));
      expect(place(drawn, v).distanceTo(wanted), `${v}`).toBeLessThan(1e-6);
    }
  });

  it('blend scales about bone heads at rest before rigid transforms', () => {
    const { scene, rests } = turnedChain();
    const rig = carried(scene);
    for (const [i, bone] of rig.nodes.slice(1).entries()) {
      bone.rotation.x += 0.3 * Math.sin(i);
      bone.rotation.z += 0.2 * i;
    }
    const last = rig.nodes.at(-1)!; // the last bone has no child, so no bone is sheared
    last.scale.set(2, 0.5, 1.5);
    rig.scene.updateMatrixWorld(true);
    const { influenceOffsets, influenceJoints, influenceWeights, positions, vertexCount } = scene.meshes[0]!;
    const drawn = positionsOf(rig);
    for (let v = 0; v < vertexCount; v++) {
      const scaled = new Vector3();
      const point = new Vector3().fromArray(positions, 3 * v);
      const real = new Quaternion(0, 0, 0, 0);
      const dual = new Quaternion(0, 0, 0, 0);
      let pivot: Quaternion | null = null;
      for (let i = influenceOffsets![v]!; i < influenceOffsets![v + 1]!; i++) {
        const j = influenceJoints![i]!;
        const weight = influenceWeights![i]!;
        const back = rests[j]!.clone().invert();
        const size = rig.nodes[j + 1] === last ? last.scale : new Vector3(1, 1, 1);
        scaled.addScaledVector(point.clone().applyMatrix4(rests[j]!.clone().scale(size).multiply(back)), weight);
        const [t, q] = [new Vector3(), new Quaternion()];
        rig.nodes[j + 1]!.matrixWorld.clone()
          .scale(new Vector3(1 / size.x, 1 / size.y, 1 / size.z))
          .multiply(back)
          .decompose(t, q, new Vector3());
        pivot ??= q;
        const signed = q.dot(pivot) < 0 ? -weight : weight;
        const moved = new Quaternion(t.x, t.y, t.z, 0).multiply(q);
        for (const c of ['x', 'y', 'z', 'w'] as const) {
          real[c] += signed * q[c];
          dual[c] += (signed / 2) * moved[c];
        }
      }
      const length = real.length();
      for (const c of ['x', 'y', 'z', 'w'] as const) {
        real[c] /= length;
        dual[c] /= length;
      }
      const move = dual.clone().multiply(real.clone().conjugate());
      const wanted = scaled.applyQuaternion(real).add(new Vector3(2 * move.x, 2 * move.y, 2 * move.z));
      expect(place(drawn, v).distanceTo(wanted), `${v}`).toBeLessThan(1e-5);
    }
  });

  it('equal plain dual quaternions without scale, and linear skinning for a single mirrored or flat bone', () => {
    const plain = bent(8, 'dualQuaternion');
    const rig = carried(chainScene(8, 'dualQuaternion'));
    for (const [i, bone] of rig.nodes.slice(1).entries()) bone.rotation.copy(plain.nodes[i + 1]!.rotation);
    rig.scene.updateMatrixWorld(true);
    const wanted = positionsOf(plain);
    for (const [i, value] of positionsOf(rig).entries()) expect(value).toBeCloseTo(wanted[i]!, 6);

    for (const scale of [new Vector3(-1, 1, 1), new Vector3(1, 0, 1), new Vector3(0, 0, 0)]) {
      const [dual, linear] = [carried(oneBoneEach()), rigOf({ scene: oneBoneEach('linear') })];
      for (const each of [dual, linear]) {
        each.nodes[6]!.rotation.set(0.5, 0.2, 0.9);
        each.nodes[6]!.scale.copy(scale);
        each.scene.updateMatrixWorld(true);
      }
      const same = positionsOf(linear);
      for (const [i, value] of positionsOf(dual).entries()) expect(value).toBeCloseTo(same[i]!, 6);
    }
  });

  it('stay inside their bounds at any scale of the rig', () => {
    for (const influences of [2, 8])
      for (const size of [0.2, 3]) {
        const rig = carried(chainScene(influences, 'dualQuaternion'));
        for (const [i, bone] of rig.nodes.slice(1).entries()) bone.rotation.set(0.2, i, 0.4 * i);
        rig.nodes[4]!.scale.set(size, 1, size);
        rig.nodes[8]!.scale.setScalar(size);
        rig.scene.updateMatrixWorld(true);
        const drawn = positionsOf(rig);
        expect(meshOf(rig).boundingBox.containsBox(new Box3().setFromArray(drawn)), `${influences} ${size}`).toBe(true);
        rig.scene.scale.setScalar(100);
        rig.scene.updateMatrixWorld(true);
        for (const [i, value] of positionsOf(rig).entries()) expect(value / 100).toBeCloseTo(drawn[i]!, 5);
      }
  });

  it('stay inside their bounds if one bone scales and another rotates a vertex', () => {
    for (const [scaled, turned] of [
      [10, 9],
      [9, 10],
    ] as const) {
      const rig = carried(chainScene(2, 'dualQuaternion'));
      rig.nodes[9]!.rotation.z = 1.5;
      rig.nodes[10]!.rotation.z = -1.5;
      rig.nodes[scaled]!.scale.set(10, 1, 10);
      rig.nodes[turned]!.rotation.y = 0.3;
      rig.scene.updateMatrixWorld(true);
      expect(meshOf(rig).boundingBox.containsBox(new Box3().setFromArray(positionsOf(rig))), `${scaled}`).toBe(true);
    }
  });

  it('stay inside their bounds if a blended scale leaves the boxes of both bones', () => {
    const rig = carried(chainScene(2, 'dualQuaternion'));
    rig.nodes[7]!.rotation.set(1, -1.7, 1.7);
    rig.nodes[8]!.rotation.set(0.2, 2.5, 0.2);
    rig.nodes[7]!.scale.set(10, 1, 1);
    rig.scene.updateMatrixWorld(true);
    expect(meshOf(rig).boundingBox.containsBox(new Box3().setFromArray(positionsOf(rig)))).toBe(true);
  });

  it('are enabled by a format option, which removes the finding about ignored scale', async () => {
    const skinned = triangle('t', 1, { sm: ['s', 'quaternion'], mi: ['b', [1]], wb: ['b', [0, 0, 0]] });
    const skeleton = node(
      'skel',
      {},
      node('bone', { n: ['s', 'b'], p: ['i', [0xffffffff]], lp: ['3v', [0, 0, 0]], lr: ['4v', [0, 0, 0, 1]] }),
    );
    const curve = node('curv', { nn: ['s', 'b'], kp: ['s', 'sx'], kb: ['b', [0, 10]], kv: ['f', [1, 3]], m: ['s', 'absolute'] });
    const bytes = castFile(model('m', skeleton, skinned), node('anim', { n: ['s', 'grow'], fr: ['f', [10]] }, curve));
    const load = async (dualQuaternionScale: 'ignore' | 'carry') => {
      const rig = rigOf(await open(bytes, { worker: false, name: 'a.cast', formatOptions: { cast: { dualQuaternionScale } } }));
      const codes = [...rig.report.items, ...rig.bind(rig.file.scene!.clips).report.findings].map(({ code }) => code);
      const wide = samplePoses(rig, { clips: rig.clips, times: [0, 1] }).map(({ meshes: [mesh] }) => mesh!.max![0] - mesh!.min![0]);
      return { codes, wide, skinning: meshOf(rig).skinning };
    };
    const [ignored, carried] = [await load('ignore'), await load('carry')];
    expect(ignored.wide[1]).toBeCloseTo(ignored.wide[0]!, 6);
    expect(carried.wide[1]).toBeCloseTo(3 * carried.wide[0]!, 6);
    expect(ignored.codes).toContain('SKINNING_SCALE');
    expect(carried.codes).toEqual([]);
    expect([ignored.skinning?.scaled, carried.skinning?.scaled]).toEqual([false, true]);
  });
});

describe('dual quaternions, segment scale and morphs together', () => {
  it.each([true, false])(
    'the morph first, then the scale of its own bones where it is carried (%s), then what is rigid',
    dualQuaternionScale => {
      const scene = oneBoneEach();
      const deltas = Float32Array.from({ length: 150 }, (_, i) => (i % 3 === 2 ? 0.1 : 0));
      const morph = { name: 'out', vertices: Uint32Array.from({ length: 50 }, (_, v) => v), positions: deltas, maximum: 1 };
      const segmentScaleCompensate = scene.nodes.segmentScaleCompensate.slice().fill(1);
      const rig = rigOf({
        scene: {
          ...scene,
          hints: { dualQuaternionScale },
          nodes: { ...scene.nodes, segmentScaleCompensate },
          meshes: [{ ...scene.meshes[0]!, morphs: [morph] }],
        },
      });
      rig.nodes[6]!.scale.setScalar(2); // scales from 1.0 to 1.2; its child moves to 1.4 without scale
      rig.nodes[7]!.rotation.y = Math.PI / 2;
      meshOf(rig).morphTargetInfluences![0] = 0.5;
      rig.scene.updateMatrixWorld(true);
      const drawn = positionsOf(rig);
      for (let v = 0; v < 50; v++) {
        const [x = 0, y = 0] = scene.meshes[0]!.positions.subarray(3 * v);
        const isScaled = y >= 1 - 1e-4 && y < 1.2 - 1e-4;
        if (isScaled && !dualQuaternionScale) continue; // this case is reported as SKINNING_SCALE
        const wanted = isScaled ? new Vector3(2 * x, 2 * y - 1, 0.1) : y < 1 ? new Vector3(x, y, 0.05) : new Vector3(0.05, y + 0.2, -x);
        expect(new Vector3().fromArray(drawn, 3 * v).distanceTo(wanted), `${v}`).toBeLessThan(1e-6);
      }
    },
  );
});

describe('bounds of dual quaternions', () => {
  it('contain vertices that rotate out of the boxes of joints', () => {
    for (const bend of [1, 2, 3])
      for (const axis of ['x', 'y', 'z'] as const)
        for (const influences of [2, 4]) {
          const rig = rigOf({ scene: chainScene(influences, 'dualQuaternion') });
          for (const [i, bone] of rig.nodes.slice(1).entries()) bone.rotation[axis] = i % 2 ? bend : -bend;
          rig.scene.updateMatrixWorld(true);
          const drawn = new Box3().setFromArray(positionsOf(rig));
          expect(meshOf(rig).boundingBox.containsBox(drawn), `${axis} ${bend} ${influences}`).toBe(true);
        }
  });
});

describe.each([
  ['linear', 8],
  ['linear', 10],
  ['dualQuaternion', 3],
  ['dualQuaternion', 8],
  ['dualQuaternion', 10],
] as const)('%s with %i', (method, influences) => {
  it('agrees with applyBoneTransform for each vertex', () => {
    const rig = bent(influences, method);
    const mesh = meshOf(rig);
    const drawn = positionsOf(rig);
    for (let v = 0; v < 50; v++) {
      const vertex = mesh.getVertexPosition(v, new Vector3()).applyMatrix4(mesh.matrixWorld);
      expect(vertex.distanceTo(new Vector3().fromArray(drawn, 3 * v)), `${v}`).toBeLessThan(1e-6);
    }
  });

  it('is hit by raycasts at its drawn position', () => {
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

  it('stays inside its bounds', () => {
    const rig = bent(influences, method);
    const box = new Box3().setFromObject(rig.scene);
    const { min, max } = readPose(rig, null, null).meshes[0]!;
    expect(box.containsBox(new Box3(new Vector3(...min!), new Vector3(...max!)).expandByScalar(-1e-6))).toBe(true);
  });

  it('has exact bounds at rest at any position of the rig', () => {
    const rig = rigOf({ scene: chainScene(influences, method) });
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

  it('falls back to four linear influences, and reports it', () => {
    const rig = bent(influences, method, { skinning: 'plain', strict: true });
    expect(meshOf(rig).skinning).toBeNull();
    for (const name of ['skinWeight1', 'skinRange']) expect(meshOf(rig).geometry.hasAttribute(name)).toBe(false);
    expect(rig.report.items.map(({ code, severity }) => [code, severity])).toEqual([['SKINNING_REDUCED', 'error']]);
    expect(positionsOf(rig)).not.toEqual(positionsOf(bent(influences, method)));
  });
});

describe('WebGPURenderer', () => {
  const gpu = { isWebGPURenderer: true };

  it('gets four linear influences by detectSupport', () => {
    expect(new RigcastLoader().detectSupport(gpu).options.skinning).toBe('plain');
    expect(
      new RigcastLoader().detectSupport({ extensions: { has: () => true } } as unknown as WebGLRenderer).options.skinning,
    ).toBeUndefined();
  });

  it('is detected at the first draw, and reported once without a console message', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const rig = bent(8);
    const plain = bent(8, 'linear', { skinning: 'plain' });
    for (const mesh of [meshOf(rig), meshOf(plain)]) for (let i = 0; i < 2; i++) mesh.onBeforeRender(gpu);
    expect(positionsOf(rig)).toEqual(positionsOf(plain));
    expect(warn).not.toHaveBeenCalled();
    expect(rig.report.items.map(({ code, count, detail }) => `${code} ${count} ${detail}`)).toEqual([
      'SKINNING_REDUCED 1 up to 8 influences, drawn with four linear influences, the most that WebGPURenderer supports',
    ]);
    warn.mockRestore();
  });
});
