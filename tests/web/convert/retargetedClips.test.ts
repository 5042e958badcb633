// Animations of FBX and BVH are retargeted when they are converted with a model of another
// skeleton, as in the viewer. The directions of limbs are compared with the original walk.
import type { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { convertFiles } from '../../../web/src/convert/convert.ts';
import { convert } from '../../../web/src/convert/index.ts';
import { bind } from '../../../web/src/core/bind.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { openOtherFormat } from '../../../web/src/interop/openEncoded.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { castBody, castMotion, type Part, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { triangle } from '../../support/castFile.ts';
import { mixamoBvh, mixamoFbx, type MovingBody } from '../../support/mixamo.ts';
import { Player } from '../../support/player.ts';

const mixamo = new TestBody({ nameOf: SCHEMES['Mixamo']! });
const source: MovingBody = { body: mixamo, nameOf: SCHEMES['Mixamo']!, seconds: 1, rate: 30, poseAt: time => mixamo.walk(time) };
const plain = new TestBody();
const walk = plain.clip('walk', 1, 30, time => plain.walk(time));
const truth = new Player(plain.scene, walk);
const nameOf = SCHEMES['Unreal Engine']!;

const LIMBS = ['left', 'right'].flatMap(side =>
  [
    ['UpperArm', 'LowerArm'],
    ['LowerArm', 'Hand'],
    ['UpperLeg', 'LowerLeg'],
    ['LowerLeg', 'Foot'],
  ].map(([from, to]) => [`${side}${from}`, `${side}${to}`] as [Part, Part]),
);

const read = (bytes: Uint8Array, name: string): Promise<RigFile> => open(bytes, { name, worker: false });
const body = (): Promise<RigFile> => read(castBody(new TestBody({ nameOf, armsDown: 40, axes: 3 }), triangle('skin')), 'body.cast');

test.each([
  ['fbx', mixamoFbx(source)],
  ['bvh', new TextEncoder().encode(mixamoBvh(source)).buffer],
] as const)('%s moves a body with other names, axes and units', async (format, bytes) => {
  const motion = await openOtherFormat(format, new Uint8Array(bytes), `walk.${format}`, () => null);
  const { files, report } = await convert([await body(), motion], { to: 'cast' });
  expect(report.items.filter(({ code }) => code === 'CLIP_RETARGETED').map(({ path, detail }) => [path, detail])).toEqual([
    [motion.scene!.clips[0]!.name, expect.stringMatching(`^walk.${format}: by body part, `)],
  ]);
  const { scene } = await read(files[0]!.bytes as Uint8Array, 'result.cast');
  const { names } = scene!.nodes;
  const rowOf = (part: Part): number => Array.from({ length: scene!.nodes.length }, (_, row) => names[row]).indexOf(nameOf(part));
  const player = new Player(scene!, scene!.clips[0]!);
  for (const time of [0.1, 0.4, 0.7]) {
    const [is, was] = [player.at(time), truth.at(time)];
    for (const [from, to] of LIMBS) {
      const direction = is.place(rowOf(to)).sub(is.place(rowOf(from)));
      const right: Vector3 = was.place(plain.row(to)).sub(was.place(plain.row(from)));
      const largest = from.endsWith('Arm') ? 1 : 7; // planted feet bend the legs
      expect((direction.angleTo(right) * 180) / Math.PI, `${from} at ${time}`).toBeLessThan(largest);
    }
  }
});

test('animations of formats of rigcast keep their tracks', async () => {
  const motion = await read(castMotion(new TestBody({ nameOf }).clip('walk', 1, 30, time => plain.walk(time))), 'walk.cast');
  const { report } = await convert([await body(), motion], { to: 'cast' });
  expect(report.items.map(({ code }) => code)).not.toContain('CLIP_RETARGETED');
});

test('an animation of a skeleton that has nothing in common with the model is reported', async () => {
  const bvh =
    'HIERARCHY\nROOT wheel\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT hub\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0 0 0 0 0 0 0\n0 9 0 0 0 0 0 0 0\n';
  const motion = await openOtherFormat('bvh', new TextEncoder().encode(bvh), 'turn.bvh', () => null);
  const { report } = await convert([await body(), motion], { to: 'glb' });
  expect(report.items.map(({ code, detail }) => [code, detail])).toContainEqual(['CLIP_NOT_RETARGETED', 'turn.bvh']);
  const without = await convert([await body(), motion], { to: 'glb', clips: [] });
  expect(without.report.items.map(({ code }) => code)).not.toContain('CLIP_NOT_RETARGETED');
});

test('an animation of a format of rigcast is retargeted to a model of another format', async () => {
  const fbx = mixamoFbx(
    { body: mixamo, nameOf: SCHEMES['Mixamo']!, seconds: 0, rate: 30, poseAt: () => ({ turns: new Map(), hips: mixamo.hipHeight() }) },
    true,
  );
  const motion = await read(castMotion(walk), 'walk.cast');
  const skeletal = await read(castBody(new TestBody({ nameOf })), 'body.cast');
  const model = await openOtherFormat('fbx', new Uint8Array(fbx), 'hero.fbx', () => null);
  const made = {
    ...skeletal,
    scene: { ...skeletal.scene!, clips: [new TestBody({ nameOf }).clip('walk', 1, 30, time => plain.walk(time))] },
  };
  const codes = async (clip: RigFile): Promise<string[]> =>
    (await convert([model, clip], { to: 'glb' })).report.items.map(({ code }) => code);
  expect(await codes(made)).toContain('CLIP_RETARGETED');
  expect(await codes(motion)).not.toContain('CLIP_RETARGETED'); // without a skeleton
});

/** Returns a SEAnim of the walk, whose positions are in centimetres in the file and in metres in the scene. */
async function seMotion(): Promise<{ seanim: RigFile }> {
  const model = await read(castBody(new TestBody({ nameOf }), triangle('skin')), 'walk.cast');
  const { files } = await convert([model, await motionWithLengths(1)], { to: 'se' });
  const file = files.find(({ name }) => name.endsWith('.seanim'))!;
  return { seanim: await read(file.bytes, 'walk.seanim') };
}

/** Returns a Cast file with an animation without a skeleton, whose bones are `factor` times as long as those of the body. */
function motionWithLengths(factor: number): Promise<RigFile> {
  const { nodes } = new TestBody({ nameOf }).scene;
  const clip = new TestBody({ nameOf }).clip('walk', 1, 30, time => plain.walk(time));
  const bones = Array.from({ length: nodes.length }, (_, row) => row).filter(row => nodes.bones[row]! >= 0);
  const lengths = bones.map(row => ({
    ...[...clip.tracks].find(({ path }) => path === 'translation')!,
    target: nodes.names[row]!,
    values: Float32Array.from({ length: 3 * clip.frameCount }, (_, i) => factor * nodes.translations[3 * row + (i % 3)]!),
  }));
  const rotations = [...clip.tracks].filter(({ path }) => path !== 'translation');
  return read(castMotion({ ...clip, tracks: [...rotations, ...lengths] } as unknown as typeof clip), 'walk.cast');
}

test.each([
  [100, 'loss'],
  [0.0254, 'loss'],
  [1.5, undefined],
])('bones of an animation without a skeleton that are %d times as long are reported as %s', async (factor, kind) => {
  const { report } = await convert([await body(), await motionWithLengths(factor)], { to: 'glb' });
  const found = report.items.find(({ code }) => code === 'CLIP_LENGTHS_DIFFER');
  expect(found?.kind).toBe(kind);
  if (found) expect(Number(found.detail.slice('factor '.length)) / factor).toBeCloseTo(1, 2);
});

test('an animation without a skeleton is converted to the unit of an FBX', async () => {
  const { seanim } = await seMotion();
  const fbx = mixamoFbx(
    { ...source, nameOf, body: new TestBody({ nameOf }), seconds: 0, poseAt: () => ({ turns: new Map(), hips: mixamo.hipHeight() }) },
    true,
  );
  const model = await openOtherFormat('fbx', new Uint8Array(fbx), 'hero.fbx', () => null);
  const { report } = await convert([model, seanim], { to: 'glb' });
  expect(report.items.map(({ code, kind, detail }) => [code, kind, detail])).toContainEqual([
    'CLIP_UNIT_INFERRED',
    'guess',
    'walk.seanim: 100 to one',
  ]);
});

test('a bone map overrides body parts, and its unknown names are reported', async () => {
  const motion = await openOtherFormat('bvh', new TextEncoder().encode(mixamoBvh(source)), 'walk.bvh', () => null);
  const boneMap = [
    { target: nameOf('leftUpperArm'), source: null },
    { target: 'nobody', source: 'mixamorig:Hips' },
  ];
  const targets = async (map?: typeof boneMap): Promise<Set<string>> => {
    const { files, report } = await convert([await body(), motion], { to: 'cast', ...(map && { boneMap: map }) });
    expect(
      report.items.filter(({ code }) => code === 'BONE_MAP_UNKNOWN').map(({ path, amount, detail }) => [path, amount, detail]),
    ).toEqual(map ? [['walk.bvh', 1, 'nobody']] : []);
    const { scene } = await read(files[0]!.bytes as Uint8Array, 'result.cast');
    return new Set([...scene!.clips[0]!.tracks].map(({ target }) => target));
  };
  expect(await targets()).toContain(nameOf('leftUpperArm'));
  const moved = await targets(boneMap);
  expect(moved).not.toContain(nameOf('leftUpperArm'));
  expect(moved).toContain(nameOf('rightUpperArm'));
});

test('a bone map that can’t be applied to an animation without a skeleton is reported', async () => {
  const motion = await read(castMotion(walk), 'walk.cast');
  const { report } = await convert([await body(), motion], { to: 'cast', boneMap: [{ target: nameOf('hips'), source: 'hips' }] });
  expect(report.items.map(({ code }) => code)).toContain('BONE_MAP_UNUSED');
});

test('an animation that is already retargeted is written unchanged', async () => {
  const motion = await openOtherFormat('bvh', new TextEncoder().encode(mixamoBvh(source)), 'walk.bvh', () => null);
  const hero = await body();
  const retargeter = createRetargeter(motion.scene!, hero.scene!)!;
  const clips = motion.scene!.clips.map(clip => retargeter.retarget(bind(clip, motion.scene!)));
  const file = { ...motion, scene: { ...motion.scene!, clips } };
  const { files, report } = await convertFiles(
    [
      { file: hero, path: 'body.cast' },
      { file, path: 'walk.bvh', retargetedBy: 'by hand' },
    ],
    { to: 'cast' },
  );
  const { scene } = await read(files[0]!.bytes as Uint8Array, 'result.cast');
  // Retargeted again, the bones would not move.
  const [saved, played] = [scene!, { ...hero.scene!, clips }].map(each => new Player(hero.scene!, each.clips[0]!));
  for (const time of [0.2, 0.5]) {
    const [row, above] = ['leftLowerArm', 'leftUpperArm'].map(part => hero.scene!.nodes.names.indexOf(nameOf(part as Part)));
    const direction = (player: Player): Vector3 => player.at(time).place(row!).sub(player.at(time).place(above!));
    expect(direction(saved!).angleTo(direction(played!))).toBeLessThan(0.01);
  }
  expect(report.items.find(({ code }) => code === 'CLIP_RETARGETED')?.detail).toBe('walk.bvh: by hand');
});

test('the bone map of one animation replaces that of the others', async () => {
  const motion = await openOtherFormat('bvh', new TextEncoder().encode(mixamoBvh(source)), 'walk.bvh', () => null);
  const map = (bone: Part) => [{ target: nameOf(bone), source: null }];
  const { files } = await convertFiles(
    [
      { file: await body(), path: 'body.cast' },
      { file: motion, path: 'walk.bvh', boneMap: map('leftUpperArm') },
    ],
    { to: 'cast', boneMap: map('rightUpperArm') },
  );
  const { scene } = await read(files[0]!.bytes as Uint8Array, 'result.cast');
  const moved = new Set([...scene!.clips[0]!.tracks].map(({ target }) => target));
  expect([moved.has(nameOf('leftUpperArm')), moved.has(nameOf('rightUpperArm'))]).toEqual([false, true]);
});
