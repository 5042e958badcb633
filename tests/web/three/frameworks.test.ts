// Rigs in frameworks that assign members or create proxies, on pages with two copies of the
// library, and on pages that were written for other loaders.
import { AnimationClip, Group, type Object3D, PerspectiveCamera } from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it, vi } from 'vitest';
import { readPose, Rig, RigcastLoader } from '../../../web/src/three/index.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';

const armRig = (over: Parameters<typeof armScene>[0] = {}): Rig => new Rig({ scene: armScene(over), name: 'arm.psk' });

describe('react-three-fiber', () => {
  it('can assign nodes, materials and meshes by name without changing rows', () => {
    const rig = armRig();
    const nodes: Record<string, Object3D> = {};
    const meshes: Record<string, Object3D> = {};
    const before = [...rig.nodes];
    const pose = readPose(rig, null, null);
    rig.scene.traverse(object => {
      if (object.name) nodes[object.name] = object;
      if ('isMesh' in object) meshes[object.name] = object;
    });
    Object.assign(nodes, { length: new Group(), 7: new Group(), map: new Group() }); // names that nodes in a file can have
    const given = Object.assign(rig, { nodes, materials: { Skin: rig.materialsOf(0)[0] }, meshes } as never) as unknown as {
      nodes: typeof nodes;
      meshes: typeof meshes;
      materials: object;
    };
    expect(given.nodes['upper']).toBe(before[2]);
    expect(given.meshes['strip']).toBe(rig.meshes[0]);
    expect(given.materials).toHaveProperty('Skin');
    expect(rig.nodes).toHaveLength(before.length);
    expect([...rig.nodes]).toEqual(before);
    expect(rig.nodes.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    expect(readPose(rig, null, null)).toEqual(pose);
    expect(rig.bind(armRig()).animations[0]!.tracks).toHaveLength(4);
    rig.dispose();
  });
});

describe('components that are rendered again', () => {
  it('get the same animations, and the same result of bind for the same source and options', () => {
    const rig = armRig();
    const other = armRig();
    const { clips } = other.file.scene!;
    expect(rig.animations).toBe(rig.animations);
    for (const source of [other, other.file, clips, clips[0]!]) {
      const result = rig.bind(source);
      expect(rig.bind(source, {})).toBe(result);
      expect(rig.bind(source, { lockRoot: undefined as never })).toBe(result);
      expect(rig.bind(source).animations).toBe(result.animations);
      const locked = rig.bind(source, { lockRoot: true });
      expect(locked).not.toBe(result);
      expect(rig.bind(source, { lockRoot: true })).toBe(locked);
      expect(rig.bind(source)).toBe(result);
      expect(armRig().bind(source)).not.toBe(result);
    }
    expect(rig.bind([clips[0]!])).not.toBe(rig.bind([clips[0]!])); // two sources
  });

  it('get a new result if the options or the clips of the source have changed', () => {
    const rig = armRig();
    const clips = [...armScene().clips];
    const options = { lockRoot: false };
    const before = rig.bind(clips, options);
    options.lockRoot = true;
    expect(rig.bind(clips, options)).not.toBe(before);
    clips.push(...armScene().clips);
    const after = rig.bind(clips, { lockRoot: false });
    expect([before.animations.length, after.animations.length]).toEqual([1, 2]);
    expect(rig.bind(clips, { lockRoot: false })).toBe(after);
  });
});

describe('Vue', () => {
  it("doesn't wrap rigs, clips, expressions and loaders in proxies", () => {
    const rig = armRig();
    for (const each of [rig, rig.clips[0]!, rig.expressions, new RigcastLoader()])
      expect((each as unknown as { __v_skip?: boolean }).__v_skip).toBe(true);
    expect(Object.keys(rig)).not.toContain('__v_skip');
  });
});

describe('two copies of the library', () => {
  it("accept each other's objects", async () => {
    vi.resetModules();
    const other = await import('../../../web/src/three/index.ts');
    expect(other.Rig).not.toBe(Rig);
    const guest = new other.Rig({ scene: armScene(), name: 'run.psa' });
    expect(guest).not.toBeInstanceOf(Rig);
    const { animations, report } = armRig().bind(guest);
    expect(animations[0]!.tracks).toHaveLength(4);
    expect(report.matched).toContain('up/per');
  });

  it('throws for sources without animations', () => {
    const rig = armRig();
    const wrong = [
      {},
      new Group(),
      rig.scene,
      new AnimationClip('a', 1, []),
      [new AnimationClip('a', 1, [])],
      { scene: new Group(), animations: [] },
      null,
      'run.psa',
      Promise.resolve(rig),
    ];
    for (const each of wrong) expect(() => rig.bind(each as never), String(each)).toThrow(TypeError);
    expect(rig.bind({ scene: null }).animations).toEqual([]); // a file that could not be read
    expect(rig.bind([]).animations).toEqual([]);
    expect(rig.bind(armScene().clips[0]!).animations).toHaveLength(1);
    expect(rig.bind({ scene: armScene() }).animations).toHaveLength(1);
  });
});

describe('a rig in code for other loaders', () => {
  it('has lazy scene.animations, cameras, asset and userData', () => {
    const scene = armScene({ cameras: [{ name: 'eye', node: 3, verticalFov: 1, aspect: 1, near: 0.1, far: 10 }] });
    let read = 0;
    const { tracks } = scene.clips[0]!;
    scene.clips[0]!.tracks = {
      length: tracks.length,
      get: i => (read++, tracks.get(i)),
      [Symbol.iterator]: () => (read++, tracks[Symbol.iterator]()),
    };
    const rig = new Rig({ scene, name: 'arm.psk' });
    expect(read).toBe(0);
    const { animations } = rig.scene;
    expect(animations.map(({ name }) => name)).toEqual(['bend']);
    expect(rig.scene.animations).toBe(animations);
    expect(animations[0]).toBe(rig.animations[0]);
    expect(rig.animations).toBe(rig.animations); // hooks of React compare the lists
    expect(SkeletonUtils.clone(rig.scene).animations).toEqual(animations);
    rig.scene.animations = [];
    expect(rig.scene.animations).toEqual([]);
    expect(rig.cameras).toHaveLength(1);
    expect(rig.cameras[0]).toBeInstanceOf(PerspectiveCamera);
    expect(rig.asset.name).toBe('arm');
    rig.userData['mine'] = 1;
    expect(rig.userData).toEqual({ mine: 1 });
  });

  it('plays scene.animations with a mixer', () => {
    const rig = armRig({
      clips: [clip('move', 1, track({ target: 'low.er', path: 'translation', times: f32(0, 1), values: f32(0, 0, 0, 4, 0, 0) }))],
    });
    rig.mixer.clipAction(rig.scene.animations[0]!).play();
    rig.mixer.setTime(0.5);
    expect(rig.nodes[1]!.position.x).toBe(2);
  });
});
