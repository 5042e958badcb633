// Binds animations to models whose bones have other names, for all pairs of loaders. The directions
// of limbs are compared with the original walk.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AnimationMixer, type AnimationClip, type Object3D, Quaternion, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import type { AnimationSource, LoadedObject } from '../../../web/src/interop/bindTo.ts';
import { bindByNameOrBody, bindWithConventions, registerClips, setConventions } from '../../../web/src/interop/loaderConventions.ts';
import { bindRetargeted } from '../../../web/src/rig/bindRetargeted.ts';
import { bind, Rig, sceneOf } from '../../../web/src/three/index.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { makeClip } from '../../../web/src/rig/table.ts';
import { type BodyDesign, castBody, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { readGlb } from '../../support/gltf.ts';
import { mixamoBvh, mixamoFbx, type MovingBody } from '../../support/mixamo.ts';
import { Player } from '../../support/player.ts';
import { vgoBody } from '../../support/vgoBody.ts';
import { vrma } from '../../support/vrma.ts';

const SIDES = ['left', 'right'];
const LIMBS = SIDES.flatMap(side =>
  [
    ['UpperArm', 'LowerArm'],
    ['LowerArm', 'Hand'],
    ['UpperLeg', 'LowerLeg'],
    ['LowerLeg', 'Foot'],
  ].map(([from, to]) => [`${side}${from}`, `${side}${to}`] as const),
);
const BONES: Record<string, string> = {
  hips: 'hips',
  spine: 'spine1',
  chest: 'spine2',
  upperChest: 'spine3',
  neck: 'neck1',
  head: 'head',
  ...Object.fromEntries(
    SIDES.flatMap(side =>
      ['Shoulder', 'UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot'].map(part => [side + part, side + part]),
    ),
  ),
};

const mixamo = new TestBody({ nameOf: SCHEMES['Mixamo']! });
const source: MovingBody = { body: mixamo, nameOf: SCHEMES['Mixamo']!, seconds: 1, rate: 30, poseAt: time => mixamo.walk(time) };
const plain = new TestBody();
const walk = plain.clip('walk', 1, 30, time => plain.walk(time));
const truth = new Player(plain.scene, walk);

const motions: Record<string, () => Promise<AnimationSource>> = {
  FBX: async () => new FBXLoader().parse(mixamoFbx(source), ''),
  BVH: async () => new BVHLoader().parse(mixamoBvh(source)),
  VRMA: () =>
    readGlb(vrma(plain, walk, BONES, { happy: [0], gaze: [0, 0] })).then(({ scene, animations, parser }) => ({
      scene,
      animations,
      parser,
    })),
  'a scene of rigcast': async () =>
    ({ ...mixamo.scene, clips: [mixamo.clip('walk', 1, 30, time => mixamo.walk(time))] }) satisfies RigScene,
};

const design: BodyDesign = { nameOf: SCHEMES['Unreal Engine']!, armsDown: 40, proportions: { upperLeg: 0.4, lowerLeg: 0.47 } };
const read = (bytes: Uint8Array, name: string): Promise<RigFile> => open(bytes, { name, worker: false });

interface Model {
  model: LoadedObject | Rig;
  root: Object3D;
  /** Objects of body parts, by part. */
  find: (part: string) => Object3D;
  yaw: number;
  unit: number;
}
const named = (root: Object3D, nameOf: (part: string) => string): Model['find'] => {
  const byName = new Map<string, Object3D>();
  root.traverse(each => void byName.set((each.userData['name'] as string | undefined) ?? each.name, each));
  return part => byName.get(nameOf(part))!;
};

const models: Record<string, () => Promise<Model>> = {
  VGO: async () => {
    const rig = await Rig.make(await read(vgoBody(new TestBody({ yaw: 180, proportions: { upperLeg: 0.4, lowerLeg: 0.44 } })), 'a.vgo'));
    return { model: rig, root: rig.scene, find: named(rig.scene, part => part), yaw: 180, unit: 1 };
  },
  Cast: async () => {
    const rig = await Rig.make(await read(castBody(new TestBody({ ...design, axes: 3 })), 'a.cast'));
    return { model: rig, root: rig.scene, find: named(rig.scene, design.nameOf!), yaw: 0, unit: 1 };
  },
  GLB: async () => {
    const { files } = await convert([await read(castBody(new TestBody({ ...design, axes: 5 })), 'a.cast')], { to: 'glb' });
    const gltf = await readGlb(files[0]!.bytes);
    return { model: gltf, root: gltf.scene, find: named(gltf.scene, design.nameOf!), yaw: 0, unit: 1 };
  },
  FBX: async () => {
    const body = new TestBody({ ...design, armsDown: 0 });
    const group = new FBXLoader().parse(
      mixamoFbx({ body, nameOf: design.nameOf!, seconds: 0, rate: 30, poseAt: () => ({ turns: new Map(), hips: body.hipHeight() }) }),
      '',
    );
    return { model: group, root: group, find: named(group, design.nameOf!), yaw: 0, unit: 100 };
  },
};

const placeOf = (object: Object3D): Vector3 => object.getWorldPosition(new Vector3());

function play(root: Object3D, clip: AnimationClip, time: number): void {
  const mixer = new AnimationMixer(root);
  mixer.clipAction(clip).play();
  mixer.setTime(time);
  root.updateMatrixWorld(true);
}

it('sceneOf converts the result of a loader, with clips and declared bones', async () => {
  const fbx = await sceneOf(new FBXLoader().parse(mixamoFbx(source), ''));
  expect(fbx.clips.map(({ duration }) => duration)).toEqual([expect.closeTo(1, 3)]);
  expect(humanoidOf(fbx)?.detectedFrom).toBe('names');
  const declared = await sceneOf((await motions['VRMA']!()) as LoadedObject);
  expect(humanoidOf(declared)?.detectedFrom).toBe('file');
  const rig = await Rig.make(await read(castBody(plain), 'a.cast'));
  expect(await sceneOf(rig)).toBe(rig.file.scene);
  await expect(sceneOf({} as Object3D)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('reports each bone and morph target that the model lacks once', async () => {
  const smile = { ...[...walk.tracks][0]!, target: '', path: 'weight' as const, property: 'smile', values: new Float32Array(31) };
  const tail = new TestBody({ nameOf: part => (part === 'leftIndex3' ? 'tail' : SCHEMES['Mixamo']!(part)) });
  const clip = tail.clip('walk', 1, 30, time => tail.walk(time));
  const both = makeClip(clip, [...clip.tracks, smile]);
  const { model } = await models['VGO']!();
  const { report } = await bind({ ...tail.scene, clips: [both] }, model);
  expect(report.unmatched).toEqual(expect.arrayContaining(['tail', 'smile']));
  expect(report.unmatched).not.toContain('mixamorig:Hips');
  expect(report.findings.filter(({ code }) => code === 'BIND_UNMATCHED_TRACKS')).toHaveLength(1);
  expect(report.findings.some(({ code }) => code === 'BIND_NOTHING')).toBe(false);
});

it('bindWithConventions pairs bones only by name, bindByNameOrBody also by body part', () => {
  const from: RigScene = { ...mixamo.scene, clips: [mixamo.clip('walk', 1, 30, time => mixamo.walk(time))] };
  setConventions(from, { bind: bindRetargeted, applyMaterials: () => {}, variants: null, dispose: () => {} });
  registerClips({ scene: from });
  const { scene } = new TestBody(design);
  const codes = (found: typeof bindWithConventions): string[] => found(from.clips[0]!, scene).report.findings.map(({ code }) => code);
  expect(codes(bindWithConventions)).not.toContain('BIND_BY_BODY');
  expect(codes(bindByNameOrBody)).toContain('BIND_BY_BODY');
});

it('reports legs with other proportions', async () => {
  const target = new Rig({ scene: new TestBody({ nameOf: SCHEMES['Mixamo']!, proportions: { upperLeg: 0.38, lowerLeg: 0.52 } }).scene });
  const codes = async (model: Rig): Promise<string[]> =>
    (await bind(await motions['a scene of rigcast']!(), model)).report.findings.map(({ code }) => code);
  expect(await codes(target)).toContain('BIND_FEET_PLANTED');
  expect(await codes(new Rig({ scene: mixamo.scene }))).not.toContain('BIND_FEET_PLANTED');
});

const living = fileURLToPath(new URL('../../../../shared/corpus/living/', import.meta.url));
it.skipIf(!existsSync(living)).each(['human-model.cast', 'other-names.cast'])(
  'a BVH whose root offset is zero stands on the ground on %s of ../shared',
  async name => {
    const rig = await Rig.make(await read(new Uint8Array(readFileSync(living + name)), name));
    const { bones } = humanoidOf(rig.file.scene!)!;
    const ankle = (): number => {
      rig.scene.updateMatrixWorld(true);
      return Math.min(...(['leftFoot', 'rightFoot'] as const).map(foot => placeOf(rig.nodes[bones.get(foot)!]!).y));
    };
    const rest = ankle();
    const text = mixamoBvh(source).replace(/OFFSET .*/, 'OFFSET 0 0 0');
    const { animations } = await bind(new BVHLoader().parse(text), rig);
    for (const time of [0, 0.3, 0.6, 0.9]) {
      play(rig.scene, animations[0]!, time);
      expect(ankle(), `${time}`).toBeCloseTo(rest, 2);
    }
  },
);

describe.each(Object.entries(models))('a model from %s', (_, makeModel) => {
  it.each(Object.entries(motions))('moves with %s', async (_, makeMotion) => {
    const { model, root, find, yaw, unit } = await makeModel();
    root.updateMatrixWorld(true);
    const ankle = placeOf(find('leftFoot')).y;
    const { animations, report } = await bind(await makeMotion(), model);
    expect(report.findings.filter(({ code }) => code === 'BIND_BY_BODY')).toHaveLength(1);
    expect(report.findings.some(({ code }) => code === 'BIND_NOTHING')).toBe(false);
    const home = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), (-yaw * Math.PI) / 180);
    for (const time of [0.1, 0.4, 0.7]) {
      play(root, animations[0]!, time);
      const was = truth.at(time);
      for (const [from, to] of LIMBS) {
        const is = placeOf(find(to))
          .sub(placeOf(find(from)))
          .applyQuaternion(home);
        const right = was.place(plain.row(to)).sub(was.place(plain.row(from)));
        const largest = from.endsWith('Arm') ? 1 : 7; // planted feet bend the legs
        expect((is.angleTo(right) * 180) / Math.PI, `${from} at ${time}`).toBeLessThan(largest);
      }
      const feet = SIDES.map(side => placeOf(find(`${side}Foot`)).y);
      expect(Math.min(...feet) / unit).toBeCloseTo(ankle / unit, 2); // on the ground
    }
  });
});
