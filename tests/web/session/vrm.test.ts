// Tests that the VRM extensions of avatars and animations are used if these are opened by three's
// own loader.
import { AnimationMixer, Quaternion } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { bind, type BoundTrack } from '../../../web/src/core/bind.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { openImported } from '../../../web/src/interop/open.ts';
import { openGlb } from '../../../web/src/interop/openEncoded.ts';
import { bindWithConventions, registerClips } from '../../../web/src/interop/loaderConventions.ts';
import { compatibilityOf } from '../../../web/src/session/layeredAction.ts';
import { CompanionFiles } from '../../../web/src/session/companionFiles.ts';
import type { OpenedFile } from '../../../web/src/session/openedFile.ts';
import { importedRole } from '../../../web/src/interop/importedRole.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { lookDesignOf } from '../../../web/src/rig/lookAt.ts';
import type { Pose } from '../../../web/src/rig/pose.ts';
import { BodyRetargeter } from '../../../web/src/rig/bodyRetargeter.ts';
import { bind as bindThree, Rig } from '../../../web/src/three/index.ts';
import { vrmFacts } from '../../../web/src/interop/vrm.ts';
import { armScene } from '../../support/armScene.ts';
import { TestBody } from '../../support/bodies.ts';
import { fbxTriangle } from '../../support/fbx.ts';
import { vrma } from '../../support/vrma.ts';

const SIDES = ['left', 'right'];
const LIMBS = ['UpperArm', 'LowerArm', 'Hand', 'UpperLeg', 'LowerLeg', 'Foot', 'Shoulder'];
const BONES: Record<string, string> = {
  hips: 'hips',
  spine: 'spine1',
  chest: 'spine2',
  upperChest: 'spine3',
  neck: 'neck1',
  head: 'head',
  ...Object.fromEntries(SIDES.flatMap(side => LIMBS.map(limb => [`${side}${limb}`, `${side}${limb}`]))),
};

/** Returns an avatar with eye bones and a smile expression. */
function avatar(): { body: TestBody; scene: RigScene } {
  const body = new TestBody({ axes: 6, armsDown: 40, proportions: { hasEyes: true, upperLeg: 0.5 } });
  const { meshes } = armScene();
  const morphs = [meshes[0]!.morphs[0]!, { ...meshes[0]!.morphs[1]!, name: 'Grin' }];
  return {
    body,
    scene: {
      ...body.scene,
      meshes: [{ ...meshes[0]!, morphs }],
      renderers: [{ name: 'face', node: 0, mesh: 0, visible: true }],
      features: [
        { kind: 'lookAt', name: '', properties: { type: 'bone', inner: [90, 90], outer: [90, 90], up: [90, 90], down: [90, 90] } },
      ],
      expressions: [{ name: 'Smile', preset: 'happy', bindings: [{ renderer: 0, morph: 1, weight: 0.5 }] }],
    },
  };
}

function poseOf(scene: RigScene, tracks: readonly BoundTrack[], time: number): Pose {
  const animator = new Animator(scene);
  const layer = new Layer(animator.shape, tracks);
  layer.time = time;
  animator.layers.push(layer);
  return animator.evaluate();
}

it('retargets a VRM animation to body, expressions and eyes of an avatar', async () => {
  const from = new TestBody({ axes: 0 });
  const walk = from.clip('walk', 1, 30, time => from.walk(time));
  const glb = vrma(from, walk, BONES, { happy: [0, 1], gaze: [0.3, 0.2] });
  const file = new File([glb], 'walk.vrma');
  expect(await importedRole(file, file.name)).toBe('animation');
  const opened = await openImported({ path: file.name, file }, new CompanionFiles(), new AbortController().signal);
  expect(humanoidOf(opened.scene!)!.detectedFrom).toBe('file');
  // Only the declared bones are bones, not other nodes that the animation moves, such as those of the face.
  expect(opened.scene!.nodes.bones.filter(bone => bone >= 0)).toHaveLength(Object.keys(BONES).length);
  const { body, scene } = avatar();
  const retargeter = createRetargeter(opened.scene!, scene)!;
  expect(retargeter.method).toBe('body');
  const retargeted = retargeter.retarget(bind(opened.scene!.clips[0]!, opened.scene!));
  const bound = bind(retargeted, scene);
  expect(bound.report.unmatched).toEqual([]);

  // The result equals that of retargeting the original walk directly.
  const own = BodyRetargeter.of(from.scene, scene)!.retarget(bind(walk, from.scene));
  const eyes = ['leftEye', 'rightEye'].map(part => body.row(part));
  for (const frame of [0, 7, 20]) {
    const [a, b] = [poseOf(scene, bound.tracks, frame / 30), poseOf(scene, bind(own, scene).tracks, frame / 30)];
    for (const row of Object.values(BONES).map(part => body.row(part))) {
      const [p, q] = [a, b].map(pose => new Quaternion().fromArray(pose.rotations, 4 * row));
      expect((p!.angleTo(q!) * 180) / Math.PI).toBeLessThan(0.1); // float32 keys
    }
    expect(a.weights[1]).toBeCloseTo(frame % 2 === 0 ? 0 : 0.5, 5);
    expect(a.weights[0]).toBe(0);
    const eye = new Quaternion().fromArray(a.rotations, 4 * eyes[0]!);
    const rest = new Quaternion().fromArray(scene.nodes.rotations, 4 * eyes[0]!);
    const far = Math.acos(Math.cos(0.3) * Math.cos(0.2));
    expect(eye.angleTo(rest)).toBeGreaterThan(far - 0.01);
    expect(eye.angleTo(rest)).toBeLessThan(far + 0.05);
  }
});

it('names a VRM animation after its file, unless it has a name of its own', async () => {
  const body = new TestBody();
  const nameOf = async (name: string): Promise<string[]> => {
    const glb = vrma(
      body,
      body.clip(name, 1, 30, time => body.walk(time)),
      BONES,
      { happy: [0, 1], gaze: [0, 0] },
    );
    const file = new File([glb], 'Wave hello.vrma');
    const opened = await openImported({ path: file.name, file }, new CompanionFiles(), new AbortController().signal);
    return [opened, await openGlb(glb, file.name)].map(({ scene }) => scene!.clips[0]!.name);
  };
  expect(await nameOf('animation')).toEqual(['Wave hello', 'Wave hello']);
  expect(await nameOf('')).toEqual(['Wave hello', 'Wave hello']);
  expect(await nameOf('Dance')).toEqual(['Dance', 'Dance']);
});

it('reports an empty file of another format, and reads one according to its content', async () => {
  const openedAs = async (bytes: Uint8Array<ArrayBuffer>, name: string) => {
    const file = new File([bytes], name);
    const { format, scene, report } = await openImported({ path: name, file }, new CompanionFiles(), new AbortController().signal);
    return { format, clips: scene?.clips.length ?? null, codes: report.items.map(({ code }) => code) };
  };
  for (const name of ['hero.glb', 'hero.fbx', 'hero.obj', 'hero.bvh'])
    expect(await openedAs(new Uint8Array(), name)).toMatchObject({ clips: null, codes: ['EMPTY_FILE'] });
  const body = new TestBody();
  const glb = vrma(
    body,
    body.clip('walk', 1, 30, time => body.walk(time)),
    BONES,
    { happy: [0, 1], gaze: [0, 0] },
  );
  expect(await openedAs(glb, 'walk.fbx')).toMatchObject({ format: 'glb', clips: 1 });
  expect(await importedRole(new Blob([fbxTriangle()]), 'leaf.glb')).toBe('model');
});

describe('a VRM animation on a body with the same bone names', () => {
  const { body, scene } = avatar();
  const walk = body.clip('walk', 1, 30, time => body.walk(time));
  const glb = vrma(body, walk, BONES, { happy: [0, 1], gaze: [0.3, 0.2] }, true);
  const opened = openImported(
    { path: 'walk.vrma', file: new File([glb], 'walk.vrma') },
    new CompanionFiles(),
    new AbortController().signal,
  ).then(registerClips);
  const eye = body.row('leftEye');
  const far = Math.acos(Math.cos(0.3) * Math.cos(0.2));

  it('animates expressions and eyes if bones are matched by name', async () => {
    const { scene: from } = await opened;
    const bound = bindWithConventions(from!.clips[0]!, scene);
    expect(bound.report).toMatchObject({ face: ['happy', 'look'], unmatched: [] });
    expect(bound.report.matched).toContain(scene.nodes.names[body.row('leftHand')]);
    const pose = poseOf(scene, bound.tracks, 1 / 30);
    expect(pose.weights[1]).toBeCloseTo(0.5, 5);
    const turn = new Quaternion().fromArray(pose.rotations, 4 * eye);
    expect(turn.angleTo(new Quaternion().fromArray(scene.nodes.rotations, 4 * eye))).toBeCloseTo(far, 1);
    expect(compatibilityOf(sourceOf(scene), sourceOf(from!))).toMatchObject({ fits: true });
  });

  it('reports expressions and eye bones that the avatar lacks', async () => {
    const { scene: from } = await opened;
    const [clip] = from!.clips;
    const bare = bindWithConventions(clip!, { ...scene, features: [], expressions: [], renderers: [] });
    expect(bare.report).toMatchObject({ face: ['look'], unmatched: ['happy'] });
    const { nodes } = new TestBody({ axes: 6 }).scene;
    expect(bindWithConventions(clip!, { ...scene, nodes }).report).toMatchObject({
      face: ['happy'],
      unmatched: ['leftEye', 'rightEye', 'look'],
    });
    // If the avatar has no eye bones, this is reported, and expressions still play.
    const core = bind(clip!, scene);
    expect(core.report).toMatchObject({ face: ['happy'], unmatched: [] });
    expect(core.report.findings.map(({ code, detail }) => `${code} ${detail}`)).toContain('CURVE_NOT_PLAYED look');
    expect(poseOf(scene, core.tracks, 1 / 30).weights[1]).toBeCloseTo(0.5, 5);
  });

  it('plays with GLTFLoader and AnimationMixer on a rig of rigcast', async () => {
    const gltf = await new GLTFLoader().parseAsync(glb.buffer.slice(0), '');
    const rig = new Rig({ scene });
    const { animations, report } = await bindThree(gltf, rig);
    expect(report).toMatchObject({ face: ['happy', 'look'], unmatched: [] });
    const mixer = new AnimationMixer(rig.scene);
    mixer.clipAction(animations[0]!).play();
    mixer.setTime(1 / 30);
    expect(rig.meshes[0]!.morphTargetInfluences![1]).toBeCloseTo(0.5, 4);
    expect(rig.nodes[eye]!.quaternion.angleTo(new Quaternion().fromArray(scene.nodes.rotations, 4 * eye))).toBeCloseTo(far, 1);
    rig.dispose();
  });
});

const sourceOf = (scene: RigScene): OpenedFile =>
  ({ input: { path: 'a', file: new File([], 'a') }, file: { scene } }) as unknown as OpenedFile;

const rows = {
  node: (index: number) => (index >= 0 && index < 9 ? index + 1 : -1),
  ofNode: (index: number) => (index === 4 ? [0, 1] : []),
  ofMesh: (index: number) => (index === 2 ? [1] : []),
};

describe('vrmFacts', () => {
  it('reads bones, look-at, first-person views, expressions and overrides of VRM 1.0', () => {
    const facts = vrmFacts(
      {
        extensions: {
          VRMC_vrm: {
            humanoid: { humanBones: { hips: { node: 0 }, head: { node: 5 }, jaw: { node: 99 } } },
            lookAt: {
              type: 'expression',
              offsetFromHeadBone: [0, 0.1, 0.2],
              rangeMapVerticalUp: { inputMaxValue: 30, outputScale: 0.5 },
              rangeMapVerticalDown: { inputMaxValue: 0, outputScale: 1 },
            },
            firstPerson: {
              meshAnnotations: [
                { node: 4, type: 'thirdPersonOnly' },
                { node: 3, type: 'both' },
              ],
            },
            expressions: {
              preset: { happy: { morphTargetBinds: [{ node: 4, index: 2, weight: 0.5 }], isBinary: true, overrideBlink: 'block' } },
              custom: { Wink: { morphTargetBinds: [{ node: 4, index: -1 }] } },
            },
          },
        },
      },
      rows,
    )!;
    expect(facts.features).toEqual([
      { kind: 'humanoid', name: '', properties: { bones: { hips: 1, head: 6 } } },
      { kind: 'lookAt', name: '', properties: { type: 'expression', offset: [0, 0.1, 0.2], up: [30, 0.5], down: [0, 1] } },
      { kind: 'firstPerson', name: '', properties: { renderer: 0, view: 'thirdPersonOnly' } },
      { kind: 'firstPerson', name: '', properties: { renderer: 1, view: 'thirdPersonOnly' } },
      { kind: 'expressionOverride', name: 'happy', properties: { blink: 'block', look: '', mouth: '', isBinary: 1 } },
    ]);
    expect(facts.expressions).toEqual([
      {
        name: 'happy',
        preset: 'happy',
        bindings: [
          { renderer: 0, morph: 2, weight: 0.5 },
          { renderer: 1, morph: 2, weight: 0.5 },
        ],
      },
      { name: 'Wink', bindings: [] },
    ]);
  });

  it('converts VRM 0.x to the terms of VRM 1.0', () => {
    const facts = vrmFacts(
      {
        extensions: {
          VRM: {
            humanoid: {
              humanBones: [
                { bone: 'leftThumbProximal', node: 2 },
                { bone: 'leftThumbIntermediate', node: 3 },
              ],
            },
            firstPerson: {
              firstPersonBoneOffset: { x: 0, y: 0.06, z: 0.1 },
              lookAtTypeName: 'Bone',
              lookAtHorizontalInner: { xRange: 90, yRange: 10 },
              meshAnnotations: [{ mesh: 2, firstPersonFlag: 'FirstPersonOnly' }],
            },
            blendShapeMaster: { blendShapeGroups: [{ name: 'JOY', presetName: 'joy', binds: [{ mesh: 2, index: 1, weight: 50 }] }] },
          },
        },
      },
      rows,
    )!;
    expect(facts.features).toEqual([
      { kind: 'humanoid', name: '', properties: { bones: { leftThumbMetacarpal: 3, leftThumbProximal: 4 } } },
      { kind: 'lookAt', name: '', properties: { type: 'bone', offset: [0, 0.06, -0.1], inner: [90, 10] } },
      { kind: 'firstPerson', name: '', properties: { renderer: 1, view: 'firstPersonOnly' } },
    ]);
    expect(facts.expressions).toEqual([{ name: 'JOY', preset: 'happy', bindings: [{ renderer: 1, morph: 1, weight: 0.5 }] }]);
  });

  it('accepts values of any type without throwing', () => {
    for (const extensions of [
      {},
      { VRMC_vrm: 1 },
      { VRMC_vrm: { humanoid: [], expressions: { preset: 'x' }, lookAt: { rangeMapVerticalUp: { inputMaxValue: -1 } } } },
      { VRM: { blendShapeMaster: { blendShapeGroups: [null, 3] } } },
      { VRMC_vrm_animation: { humanoid: { humanBones: { hips: { node: 'a' } } } } },
    ])
      expect(() => vrmFacts({ extensions }, rows)).not.toThrow();
    expect(vrmFacts(null, rows)).toBeNull();
    expect(vrmFacts({ extensions: {} }, rows)).toBeNull();
  });

  it('passes the look-at ranges to the eyes', () => {
    expect(lookDesignOf(avatar().scene)!.ranges.inner).toEqual({ input: 90, output: 90 });
  });
});
