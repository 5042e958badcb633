import {
  type BufferAttribute,
  AdditiveAnimationBlendMode,
  AnimationClip,
  AnimationMixer,
  Bone,
  BooleanKeyframeTrack,
  Box3,
  Mesh,
  NormalAnimationBlendMode,
  PropertyBinding,
  QuaternionKeyframeTrack,
  type SkinnedMesh,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { readPose, Rig, RigBone, RigSkinnedMesh, samplePoses } from '../../../web/src/three/index.ts';
import { seek } from '../../support/seek.ts';
import type { Track } from '../../../web/src/core/types.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';

const armRig = (over: Parameters<typeof armScene>[0] = {}) => new Rig({ scene: armScene(over) });
const skinnedOf = (rig: Rig) => rig.meshes[0] as RigSkinnedMesh;

describe('Rig', () => {
  it('detects the forward direction with a confidence, or null', () => {
    const { nodes } = armScene();
    const legs = {
      ...nodes,
      names: ['', 'thigh_l', 'thigh_r', 'tip'],
      parents: Int32Array.of(-1, 0, 0, 2),
      bones: Int32Array.of(-1, 0, 1, -1),
      translations: f32(0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0),
    };
    const rig = new Rig({ scene: { ...armScene(), nodes: legs, clips: [] } });
    expect(rig.facing).toEqual({ forward: [0, 0, 1], up: [0, 1, 0], certainty: 0.5 });
    expect(rig.facing).toBe(rig.facing);
    expect(armRig().facing).toBeNull();
  });

  it('builds nodes, bones and sockets with names that are valid in tracks', () => {
    const rig = armRig();
    const [root, lower, upper, tip] = rig.nodes;
    expect(rig.scene.children).toEqual([root]);
    expect(lower).toBeInstanceOf(RigBone);
    expect(lower).toBeInstanceOf(Bone);
    expect(tip).not.toBeInstanceOf(Bone);
    expect([lower, upper, tip].map(node => node!.userData['name'])).toEqual(['low.er', 'up/per', 'tip']);
    expect([lower, upper, tip].map(node => node!.name)).toEqual(['lower', 'upper', 'tip']);
    expect(tip!.userData).toMatchObject({ properties: { tag: 'hand' }, features: [{ kind: 'socket', name: 'tip' }] });
    expect(tip!.getWorldPosition(new Vector3()).toArray()).toEqual([0, 2, 0]);
  });

  it('limits the depth of the node tree, and reports it', () => {
    const scene = armScene();
    const count = 20_000;
    const each = (values: number[]) => Float32Array.from({ length: values.length * count }, (_, i) => values[i % values.length]!);
    const nodes = {
      ...scene.nodes,
      length: count,
      names: Array.from({ length: count }, () => 'n'),
      parents: Int32Array.from({ length: count }, (_, i) => i - 1),
      translations: each([0, 0, 0]),
      rotations: each([0, 0, 0, 1]),
      scales: each([1, 1, 1]),
      bones: new Int32Array(count).fill(-1),
      visible: new Uint8Array(count).fill(1),
      segmentScaleCompensate: new Uint8Array(count),
    };
    const rig = new Rig({ scene: { ...scene, nodes, skins: [], renderers: [], features: [], clips: [] } });
    expect(rig.nodes).toHaveLength(count);
    expect(rig.report.items).toMatchObject([{ code: 'NESTING_TOO_DEEP', severity: 'error', count: 19 }]);
    rig.scene.updateMatrixWorld(true);
    expect(rig.nodes[1000]!.visible).toBe(true);
    expect(rig.nodes[1001]!.visible).toBe(false);
    rig.dispose();
  });

  it('gives every node a unique name', () => {
    const scene = armScene();
    const rig = new Rig({
      scene: { ...scene, asset: { ...scene.asset, name: 'a' }, nodes: { ...scene.nodes, names: ['a', 'a', '[]', 'a.'] } },
    });
    const names: string[] = [];
    rig.scene.traverse(({ name }) => names.push(name));
    expect(new Set(names).size).toBe(names.length);
    for (const node of rig.nodes) expect(PropertyBinding.findNode(rig.scene, node.name)).toBe(node);
  });

  it('uses the arrays of the scene without copies', () => {
    const scene = armScene();
    const { geometry } = skinnedOf(new Rig({ scene }));
    const [mesh] = scene.meshes;
    expect(geometry.getAttribute('position').array).toBe(mesh!.positions);
    expect(geometry.getAttribute('skinIndex').array).toBe(mesh!.joints);
    expect(geometry.getAttribute('skinWeight').array).toBe(mesh!.weights);
    expect(geometry.getAttribute('uv').array).toBe(mesh!.uvs[0]);
    expect(geometry.index!.array).toBe(mesh!.indices);
    expect(geometry.getAttribute('color').normalized).toBe(true);
    expect(geometry.boundingBox!.max.toArray()).toEqual([0.1, 2, 0]);
  });

  it('draws the selected vertex color layer, or the last one if there are fewer', () => {
    const scene = armScene();
    const [packed] = scene.meshes[0]!.colors;
    const floats = { values: new Float32Array(24).fill(0.5) };
    scene.meshes[0]!.colors = [packed!, floats];
    const rig = new Rig({ scene });
    const color = (): BufferAttribute => skinnedOf(rig).geometry.getAttribute('color') as BufferAttribute;
    expect(rig.colorLayers).toBe(2);
    expect(color().array).toBe(packed!.values);
    rig.showColorLayer(1);
    expect([color().array, color().normalized]).toEqual([floats.values, false]);
    rig.showColorLayer(0);
    expect([color().array, color().normalized]).toEqual([packed!.values, true]);
    rig.showColorLayer(5);
    expect(color().array).toBe(floats.values);
    expect(skinnedOf(new Rig({ scene }, { colorLayer: 1 })).geometry.getAttribute('color').array).toBe(floats.values);
  });

  it('merges neighbouring groups with the same material', () => {
    expect(skinnedOf(armRig()).geometry.groups).toEqual([
      { start: 0, count: 6, materialIndex: 0 },
      { start: 6, count: 6, materialIndex: 1 },
    ]);
    const merged = skinnedOf(armRig({ renderers: [{ name: '', node: 0, mesh: 0, skin: 0, materials: [1, 1], visible: true }] }));
    expect(merged.geometry.groups).toEqual([]);
    expect(merged.material).toMatchObject({ name: 'Cloth' });
  });

  it('reads sparse morph targets like dense attributes', () => {
    const { geometry, morphTargetDictionary } = skinnedOf(armRig());
    expect(morphTargetDictionary).toEqual({ Swell: 0, Swell_1: 1 });
    const [first] = geometry.morphAttributes.position!;
    const sparse = Array.from({ length: 6 }, (_, i) => [first!.getX(5 - i), first!.getY(5 - i), first!.getZ(5 - i)])
      .toReversed()
      .flat();
    expect(sparse).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]);
    expect([...first!.array]).toEqual(sparse);
    expect([...geometry.clone().morphAttributes.position![0]!.array]).toEqual(sparse);
    expect(geometry.morphAttributes.normal).toHaveLength(2);
  });

  it('shares one skeleton between the meshes of a skin', () => {
    const renderer = { name: '', node: 0, mesh: 0, skin: 0, visible: true };
    const rig = armRig({ renderers: [renderer, { ...renderer, name: 'again' }] });
    const [a, b] = rig.meshes as SkinnedMesh[];
    expect(a!.skeleton).toBe(b!.skeleton);
    expect(a!.geometry).toBe(b!.geometry);
    expect(a!.name).not.toBe(b!.name);
  });

  it('draws skinned meshes at their bones, independent of their node', () => {
    const scene = armScene();
    scene.renderers[0]!.node = 3;
    const rig = new Rig({ scene });
    rig.scene.position.set(5, 0, 0);
    rig.scene.updateMatrixWorld(true);
    const mesh = skinnedOf(rig);
    const vertex = mesh.getVertexPosition(5, new Vector3()).applyMatrix4(mesh.matrixWorld);
    expect(vertex.toArray().map(x => Number(x.toFixed(6)))).toEqual([5.1, 2, 0]);
  });

  it('computes bounds from the bones without skinning vertices', () => {
    const rig = armRig();
    rig.nodes[1]!.position.set(100, 0, 0);
    rig.nodes[2]!.rotation.z = Math.PI / 2;
    rig.scene.updateMatrixWorld(true);
    const box = new Box3().setFromObject(rig.scene);
    const { min, max } = readPose(rig, null, null).meshes[0]!;
    expect(box.containsBox(new Box3(new Vector3(...min!), new Vector3(...max!)).expandByScalar(-1e-6))).toBe(true);
    expect(box.min.x).toBeGreaterThan(98);
    expect(skinnedOf(rig).boundingSphere.center.x).toBeGreaterThan(98);
    expect(skinnedOf(rig).boundingSphere.radius).toBeLessThan(3);
  });

  it('survives SkeletonUtils.clone', () => {
    const rig = armRig();
    (rig.nodes[2] as RigBone).segmentScaleCompensate = true;
    const copy = SkeletonUtils.clone(rig.scene);
    const bone = copy.getObjectByName('upper') as RigBone;
    const mesh = copy.getObjectByProperty('isSkinnedMesh', true) as RigSkinnedMesh;
    expect(bone).toBeInstanceOf(RigBone);
    expect(bone.segmentScaleCompensate).toBe(true);
    expect(mesh).toBeInstanceOf(RigSkinnedMesh);
    expect(mesh.skeleton.bones[1]).toBe(bone);
    bone.parent!.position.x = 50;
    copy.updateMatrixWorld(true);
    expect(mesh.boundingSphere.center.x).toBeGreaterThan(45);
    expect(skinnedOf(rig).boundingSphere.center.x).toBeLessThan(1);
  });

  it('supports segment scale compensate', () => {
    const rig = armRig();
    const [, lower, upper, tip] = rig.nodes as RigBone[];
    lower!.scale.set(2, 4, 1);
    upper!.rotation.z = 0.5;
    upper!.segmentScaleCompensate = true;
    rig.scene.updateMatrixWorld(true);
    const wanted = new Vector3(0, 1, 0).applyAxisAngle(new Vector3(0, 0, 1), 0.5).add(new Vector3(0, 4, 0));
    expect(tip!.getWorldPosition(new Vector3()).distanceTo(wanted)).toBeLessThan(1e-6);
  });

  it('inherits scale per axis without shear, if the scene declares it', () => {
    const rig = new Rig({ scene: { ...armScene(), scaleInheritance: 'axes' }, format: 'psk' });
    const [, lower, upper, tip] = rig.nodes as RigBone[];
    lower!.scale.set(2, 3, 1);
    upper!.rotation.z = 0.5;
    upper!.scale.set(1, 5, 1);
    rig.scene.updateMatrixWorld(true);
    const z = new Vector3(0, 0, 1);
    const wanted = new Vector3(0, 3 * 5 * 1, 0).applyAxisAngle(z, 0.5).add(new Vector3(0, 3, 0)); // T = Tp + Rp (Sp T), S = Sp S
    expect(tip!.getWorldPosition(new Vector3()).distanceTo(wanted)).toBeLessThan(1e-9);
    expect(upper!.getWorldScale(new Vector3()).distanceTo(new Vector3(2, 15, 1))).toBeLessThan(1e-9);
  });

  it('leaves out renderers with invalid indices', () => {
    const rig = armRig({
      renderers: [
        { name: '', node: 99, mesh: 7, visible: true },
        { name: 'plain', node: 99, mesh: 0, visible: false },
      ],
    });
    expect(rig.meshes[0]).toBeNull();
    expect(rig.meshes[1]).toBeInstanceOf(Mesh);
    expect(rig.meshes[1]!.visible).toBe(false);
  });
});

describe('clips', () => {
  it('are created when first read', () => {
    let read = 0;
    const scene = armScene();
    const { tracks } = scene.clips[0]!;
    scene.clips[0]!.tracks = {
      length: tracks.length,
      get: i => (read++, tracks.get(i)),
      [Symbol.iterator]: () => (read++, tracks[Symbol.iterator]()),
    };
    const [animation] = new Rig({ scene }).animations;
    expect(animation!.name).toBe('bend');
    expect(animation!.duration).toBe(1);
    expect(read).toBe(0);
    const made = animation!.tracks;
    expect(read).toBeGreaterThan(0);
    expect(animation!.tracks).toBe(made);
  });

  it('merge axes with the same keys, with rest values for axes without a curve', () => {
    const times = Float32Array.of(0, 1, 3);
    const axis = (component: number, values: number[], own = times) =>
      track({ target: 'up/per', path: 'translation', component, times: own, values: Float32Array.from(values), interpolation: 'linear' });
    const made = (...tracks: Track[]) => armRig({ clips: [clip('move', 3, ...tracks)] }).animations[0]!.tracks[0]!;
    const joined = made(axis(2, [1, 2, 3]), axis(0, [4, 5, 6]));
    expect(joined).toBeInstanceOf(VectorKeyframeTrack);
    expect(armScene().nodes.translations[7]).toBe(1);
    expect([...joined.times]).toEqual([0, 1, 3]);
    expect([...joined.values]).toEqual([4, 1, 1, 5, 1, 2, 6, 1, 3]);
  });

  it("use three's own tracks and the file's arrays where three plays them exactly", () => {
    const rig = armRig();
    const { tracks } = rig.animations[0]!;
    const by = (name: string) => tracks.find(track => track.name === name);
    expect(by('upper.quaternion')).toBeInstanceOf(QuaternionKeyframeTrack);
    expect(by('upper.quaternion')!.values).toBe(rig.file.scene!.clips[0]!.tracks.get(0).values);
    expect(by('tip.visible')).toBeInstanceOf(BooleanKeyframeTrack);
    expect(by('strip.morphTargetInfluences[Swell]')).toBeDefined();
    expect(rig.animations[0]!.clone()).toBeInstanceOf(AnimationClip);
    expect(rig.animations[0]!.clone().tracks).toHaveLength(4);
  });

  it('have tracks named after their targets if the file contains only animations', () => {
    const { nodes } = armScene();
    const empty = armScene({
      nodes: { ...nodes, length: 1, names: [''], parents: Int32Array.of(-1) },
      renderers: [],
      meshes: [],
      skins: [],
      features: [],
    });
    const motion = new Rig({ scene: empty });
    expect(motion.meshes).toEqual([]);
    expect(motion.animations[0]!.tracks.map(({ name }) => name)).toContain('upper.quaternion');
    const rig = armRig();
    const { animations, report } = rig.bind(motion);
    expect(animations[0]!.tracks).toHaveLength(4);
    expect(report.matched).toEqual(expect.arrayContaining(['low.er', 'up/per', 'tip']));
  });

  it('play absolute and additive curves of one clip together', () => {
    const mixed = clip(
      'mixed',
      1,
      track({ target: 'low.er', path: 'translation', times: f32(0), values: f32(1, 0, 0) }),
      track({ target: 'low.er', path: 'translation', mode: 'additive', blendWeight: 0.5, times: f32(0), values: f32(0, 0, 4) }),
      track({ target: 'up/per', path: 'scale', mode: 'additive', blendWeight: 0.5, times: f32(0), values: f32(3, 1, 1) }),
    );
    const rig = armRig({ clips: [mixed] });
    expect(rig.animations[0]!.blendMode).toBe(NormalAnimationBlendMode);
    seek(rig.clips[0]!.clipAction(rig.mixer), 0);
    expect(rig.nodes[1]!.position.toArray()).toEqual([1, 0, 2]);
    expect(rig.nodes[2]!.scale.toArray()).toEqual([2, 1, 1]);
  });

  it('use the last of several absolute curves of a component', () => {
    const single = (x: number) => track({ target: 'low.er', path: 'translation', component: 0, times: f32(0), values: f32(x) });
    const rig = armRig({ clips: [clip('twice', 1, single(2), single(6))] });
    seek(rig.mixer.clipAction(rig.animations[0]!), 0);
    expect(rig.nodes[1]!.position.x).toBe(6);
  });

  it('are additive if all curves are additive', () => {
    const rig = armRig({
      clips: [clip('lean', 1, track({ target: 'low.er', path: 'translation', mode: 'additive', times: f32(0), values: f32(0, 0, 4) }))],
    });
    expect(rig.animations[0]!.blendMode).toBe(AdditiveAnimationBlendMode);
    seek(rig.mixer.clipAction(rig.animations[0]!), 0);
    expect(rig.nodes[1]!.position.z).toBe(4);
  });

  it('blend by weight', () => {
    const to = (name: string, x: number) =>
      clip(name, 1, track({ target: 'low.er', path: 'translation', component: 0, times: f32(0), values: f32(x) }));
    const rig = armRig({ clips: [to('a', 2), to('b', 6)] });
    const [a, b] = rig.animations.map(animation => rig.mixer.clipAction(animation));
    a!.setEffectiveWeight(0.25);
    b!.setEffectiveWeight(0.75);
    seek([a!, b!], 0);
    expect(rig.nodes[1]!.position.x).toBeCloseTo(5);
  });

  it('can be played with a single frame', () => {
    const rig = armRig({ clips: [clip('pose', 0, track({ target: 'low.er', path: 'translation', times: f32(0), values: f32(1, 2, 3) }))] });
    rig.mixer.clipAction(rig.animations[0]!).play();
    for (let i = 0; i < 5; i++) rig.update(0.1);
    expect(rig.nodes[1]!.position.toArray()).toEqual([1, 2, 3]);
  });
});

describe('poses', () => {
  it('are sampled in the given order, and the rig is restored', () => {
    const rig = armRig();
    const before = samplePoses(rig)[0]!;
    expect(before.nodes.map(({ name, bone }) => [name, bone])).toEqual([
      ['', false],
      ['low.er', 0],
      ['up/per', 1],
      ['tip', false],
    ]);
    expect(before.meshes).toEqual([
      {
        name: 'strip',
        visible: true,
        vertexCount: 6,
        triangleCount: 4,
        min: [expect.closeTo(-0.1), 0, 0],
        max: [expect.closeTo(0.1), 2, 0],
      },
    ]);
    const [end, start] = samplePoses(rig, { clips: rig.clips, times: [1, 0], points: ['15', 'strip:10', 'other:1', '99'] });
    expect(end!.clip).toBe('bend');
    expect(end!.nodes[3]!.position.map(x => Number(x.toFixed(5)))).toEqual([3, 1, 0]);
    expect(end!.nodes[3]!.visible).toBe(false);
    expect(end!.points['15']!.map(x => Number(x.toFixed(5)))).toEqual([3, 1.1, 0]);
    expect(Object.keys(end!.points)).toEqual(['15', 'strip:10']);
    expect(end!.values['Swell']).toBe(1);
    expect(start!.points['15']!.map(x => Number(x.toFixed(5)))).toEqual([0.1, 2, 0]);
    expect(samplePoses(rig)[0]).toEqual(before);
  });

  it('equal the skinning of three.js', () => {
    const rig = armRig();
    seek(rig.mixer.clipAction(rig.animations[0]!), 0.6);
    rig.scene.position.set(1, 2, 3);
    rig.scene.rotation.set(0.3, 0.2, 0.1);
    rig.scene.updateMatrixWorld(true);
    const { points } = readPose(rig, null, null, ['10', '11', '12', '13', '14', '15']);
    const mesh = skinnedOf(rig);
    for (let v = 0; v < 6; v++) {
      const wanted = mesh.getVertexPosition(v, new Vector3()).applyMatrix4(mesh.matrixWorld);
      expect(new Vector3(...points[10 + v]!).distanceTo(wanted)).toBeLessThan(1e-6);
    }
  });
});

describe('dispose', () => {
  it('frees geometries, materials and bone textures, and removes the scene from its parent', () => {
    const rig = armRig();
    const mesh = skinnedOf(rig);
    mesh.skeleton.computeBoneTexture();
    const freed: string[] = [];
    mesh.geometry.addEventListener('dispose', () => freed.push('geometry'));
    mesh.skeleton.boneTexture!.addEventListener('dispose', () => freed.push('bones'));
    for (const material of [mesh.material].flat()) material.addEventListener('dispose', () => freed.push(material.name));
    new Mesh().add(rig.scene);
    rig.dispose();
    expect(new Set(freed)).toEqual(new Set(['geometry', 'bones', 'Skin', 'Cloth']));
    expect(rig.scene.parent).toBeNull();
    expect(new AnimationMixer(rig.scene)).toBeDefined();
  });
});
