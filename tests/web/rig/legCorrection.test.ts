// Feet of clips that are retargeted by bone name. The feet of the target must stand where the feet
// of the source stand, although the legs of the two bodies differ.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { open } from '../../../web/src/core/index.ts';
import type { Clip, NodeTable, RigScene, Track } from '../../../web/src/core/types.ts';
import { BoneRetargeter } from '../../../web/src/rig/boneRetargeter.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { Proportions } from '../../../web/src/rig/proportions.ts';
import { createRetargeter, type RetargetOptions } from '../../../web/src/rig/retargeter.ts';
import { makeClip } from '../../../web/src/rig/table.ts';
import { TestBody } from '../../support/bodies.ts';
import { Player } from '../../support/player.ts';

const FEET = ['leftFoot', 'rightFoot'] as const;
const source = new TestBody();
const walk = source.clip('walk', 2, 60, time => source.walk(time));
const shins = { upperLeg: 0.38, lowerLeg: 0.52 };
const shortShins = new TestBody({ proportions: shins });

/** Retargets a clip by bone name. */
function retarget(from: RigScene, to: RigScene, clip: Clip, options?: RetargetOptions): Clip {
  const retargeter = createRetargeter(from, to)!;
  expect(retargeter.method).toBe('names');
  return retargeter.retarget(bind(clip, from), options);
}

/** Returns the largest distance in metres that a foot moves while the source's foot stands. */
function slideOf(from: RigScene, to: RigScene, clip: Clip, moved: Clip): number {
  const [was, is] = [new Player(from, clip), new Player(to, moved)];
  const [a, b] = [humanoidOf(from)!.bones, humanoidOf(to)!.bones];
  let slide = 0;
  for (const foot of FEET) {
    let start: { was: Vector3; is: Vector3 } | null = null;
    for (let frame = 0; frame <= 60 * clip.duration; frame++) {
      const places = { was: was.at(frame / 60).place(a.get(foot)!), is: is.at(frame / 60).place(b.get(foot)!) };
      if (!start || places.was.distanceTo(start.was) > 1e-3) start = places;
      else slide = Math.max(slide, places.is.distanceTo(start.is));
    }
  }
  return slide;
}

/** Returns all keys as text, for comparing clips bit by bit. */
const valuesOf = ({ tracks }: Clip): string =>
  JSON.stringify([...tracks].map(({ target, path, times, values }) => [target, path, ...times, ...values]));
const clipWith = (clip: Clip, tracks: readonly Track[]): Clip => makeClip(clip, tracks);

/** Returns the scene with a bone `root` above its hips. */
function withRoot({ nodes, ...scene }: RigScene): RigScene {
  const shift = (column: Float32Array, width: number, rest: readonly number[]): Float32Array =>
    Float32Array.from([...column.subarray(0, width), ...rest, ...column.subarray(width)]);
  const table: NodeTable = {
    ...nodes,
    length: nodes.length + 1,
    names: ['', 'root', ...nodes.names.slice(1)],
    parents: Int32Array.from([-1, 0, ...Array.from(nodes.parents.subarray(1), parent => parent + 1)]),
    translations: shift(nodes.translations, 3, [0, 0, 0]),
    rotations: shift(nodes.rotations, 4, [0, 0, 0, 1]),
    scales: shift(nodes.scales, 3, [1, 1, 1]),
    bones: Int32Array.from({ length: nodes.length + 1 }, (_, row) => row - 1),
    visible: new Uint8Array(nodes.length + 1).fill(1),
    segmentScaleCompensate: new Uint8Array(nodes.length + 1),
  };
  return { ...scene, nodes: table };
}

describe('planted feet', () => {
  it.each([
    ['with equal axes', shortShins],
    ['with other axes', new TestBody({ proportions: shins, axes: 3 })],
    ['with wide hips', new TestBody({ proportions: { hipWidth: 0.3 } })],
  ])("don't slide on a body %s", (_, target) => {
    expect(slideOf(source.scene, target.scene, walk, retarget(source.scene, target.scene, walk))).toBeLessThan(0.003);
  });

  it('slide without plantFeet', () => {
    const moved = retarget(source.scene, shortShins.scene, walk, { plantFeet: false });
    expect(slideOf(source.scene, shortShins.scene, walk, moved)).toBeGreaterThan(0.02);
  });

  it("don't slide if the root bone moves the body", () => {
    const [from, to] = [withRoot(source.scene), withRoot(shortShins.scene)];
    const [hips, ...others] = [...walk.tracks].toReversed();
    const rooted = clipWith(walk, [
      ...others,
      { ...hips!, target: 'root', values: hips!.values.map((value, i) => (i % 3 === 2 ? value : 0)) },
      { ...hips!, values: hips!.values.map((value, i) => (i % 3 === 2 ? 0 : value)) },
    ]);
    const moved = retarget(from, to, rooted);
    const root = [...moved.tracks].find(({ target }) => target === 'root')!;
    expect(root.values.at(-1)! / hips!.values.at(-1)!).toBeCloseTo(createRetargeter(from, to)!.scale, 3);
    expect(slideOf(from, to, rooted, moved)).toBeLessThan(0.003);
  });

  it('keep the rotation that they have without correction', () => {
    const copied = new Proportions(source.scene, shortShins.scene).fit(bind(walk, source.scene)).clip;
    const [was, is] = [copied, retarget(source.scene, shortShins.scene, walk)].map(clip => new Player(shortShins.scene, clip));
    for (const time of [0, 0.3, 0.8, 1.5])
      for (const foot of FEET) {
        const row = shortShins.row(foot);
        expect(is!.at(time).turn(row).angleTo(was!.at(time).turn(row))).toBeLessThan(1e-3);
      }
  });
});

it('legs keep the length of the model if the clip moves their joints', () => {
  const thigh = [...source.scene.nodes.translations.subarray(3 * source.row('leftUpperLeg'))].slice(0, 3);
  const stretched = clipWith(walk, [
    ...walk.tracks,
    {
      ...[...walk.tracks].find(({ path }) => path === 'translation')!,
      target: 'leftUpperLeg',
      times: Float32Array.of(0),
      values: Float32Array.of(thigh[0]!, thigh[1]! - 0.05, thigh[2]!),
    },
  ]);
  const moved = retarget(source.scene, shortShins.scene, stretched);
  expect([...moved.tracks].filter(({ path }) => path === 'translation').map(({ target }) => target)).toEqual(['hips']);
  expect(slideOf(source.scene, shortShins.scene, stretched, moved)).toBeLessThan(0.003);
});

/** A body whose limbs have joints in other directions than those of the source, by 9 degrees to the sides. */
function spreadBody(joints: readonly string[], proportions = {}): TestBody {
  const spread = new TestBody({ proportions });
  const { translations } = spread.scene.nodes;
  for (const [side, angle] of [
    ['left', 0.15],
    ['right', -0.15],
  ] as const)
    for (const joint of joints) {
      const at = 3 * spread.row(`${side}${joint}`);
      translations.set(new Vector3(...translations.subarray(at, at + 3)).applyAxisAngle(new Vector3(0, 0, 1), angle).toArray(), at);
    }
  return spread;
}

it.each([
  ['legs', spreadBody(['LowerLeg', 'Foot']), ['UpperLeg', 'LowerLeg']],
  ['arms', spreadBody(['LowerArm', 'Hand'], shins), ['UpperArm', 'LowerArm']],
  ['lower arms', spreadBody(['LowerArm', 'Hand'], shins), ['LowerArm', 'Hand']],
] as const)('%s point in the directions of the source if the rest poses differ', (_, spread, [start, end]) => {
  const [was, is] = [new Player(source.scene, walk), new Player(spread.scene, retarget(source.scene, spread.scene, walk))];
  for (let frame = 0; frame <= 120; frame += 6) {
    const [truth, pose] = [was.at(frame / 60), is.at(frame / 60)];
    for (const side of ['left', 'right'] as const) {
      const way = (of: typeof pose, body: TestBody): Vector3 =>
        of.place(body.row(`${side}${end}`)).sub(of.place(body.row(`${side}${start}`)));
      const angle = way(pose, spread).angleTo(way(truth, source));
      expect((angle * 180) / Math.PI, `${side} ${frame}`).toBeLessThan(1);
    }
  }
});

it('an arm that the clip does not rotate is not changed', () => {
  const spread = spreadBody(['LowerArm', 'Hand'], shins);
  const armless = clipWith(
    walk,
    [...walk.tracks].filter(({ target }) => target !== 'leftUpperArm'),
  );
  const copied = new Proportions(source.scene, spread.scene).fit(bind(armless, source.scene)).clip;
  const moved = retarget(source.scene, spread.scene, armless);
  const armOf = (clip: Clip, side: string): string =>
    valuesOf(
      clipWith(
        clip,
        [...clip.tracks].filter(({ target }) => target.startsWith(side) && target.endsWith('Arm')),
      ),
    );
  expect(armOf(moved, 'left')).toBe(armOf(copied, 'left'));
  expect(armOf(moved, 'right')).not.toBe(armOf(copied, 'right'));
});

it('corrected keys are absolute, although they look additive and the format of the clip declares nothing', () => {
  // The legs are bent in the rest pose. The clip straightens them, so its keys are near the identity.
  const [from, to] = [new TestBody(), new TestBody({ proportions: shins })];
  for (const body of [from, to])
    for (const side of ['left', 'right'] as const)
      for (const [bone, angle] of [
        ['UpperLeg', -1.4],
        ['LowerLeg', 1.4],
      ] as const)
        body.scene.nodes.rotations.set([Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)], 4 * body.row(`${side}${bone}`));
  const stand = from.clip('stand', 2, 60, () => ({ turns: new Map(), hips: from.hipHeight() }));
  const retargeter = createRetargeter(from.scene, to.scene)!;
  const [wanted, is] = [false, true].map(undeclaredModes => {
    const clip = bind({ ...stand, undeclaredModes }, from.scene, { additive: 'as-stated' });
    return new Player(to.scene, retargeter.retarget(clip)).at(1);
  });
  for (const foot of FEET) expect(is!.place(to.row(foot)).distanceTo(wanted!.place(to.row(foot)))).toBeLessThan(1e-5);
});

it('a root bone that only the source has, with a rest rotation, does not turn the body', () => {
  const lie = new Quaternion(Math.SQRT1_2, 0, 0, Math.SQRT1_2);
  const upright = lie.clone().invert();
  const from = withRoot(source.scene);
  const { translations, rotations } = from.nodes;
  const hips = source.row('hips') + 1;
  rotations.set(lie.toArray(), 4);
  const turn = (values: Float32Array, at: number, width: number): void =>
    width === 4
      ? values.set(upright.clone().multiply(new Quaternion().fromArray(values, at)).toArray(), at)
      : values.set(new Vector3().fromArray(values, at).applyQuaternion(upright).toArray(), at);
  turn(translations, 3 * hips, 3);
  turn(rotations, 4 * hips, 4);
  const tracks = [...walk.tracks].map(track => {
    if (track.target !== 'hips') return track;
    const [values, width] = [track.values.slice(), track.path === 'rotation' ? 4 : 3];
    for (let at = 0; at < values.length; at += width) turn(values, at, width);
    return { ...track, values };
  });
  const moved = new Player(shortShins.scene, retarget(from, shortShins.scene, clipWith(walk, tracks)));
  const wanted = new Player(shortShins.scene, retarget(source.scene, shortShins.scene, walk));
  for (const part of ['hips', 'head', ...FEET])
    for (let time = 0; time <= 2; time += 0.25)
      expect(
        moved
          .at(time)
          .place(shortShins.row(part))
          .distanceTo(wanted.at(time).place(shortShins.row(part))),
      ).toBeLessThan(1e-3);
});

describe('nothing is corrected', () => {
  const same = new TestBody();
  const large = new TestBody();
  const { translations } = large.scene.nodes;
  for (let at = 0; at < translations.length; at++) translations[at]! *= 2;

  it.each([
    ['on an equal body', same],
    ['on a larger body with the same proportions', large],
  ])('%s', (_, target) => {
    const copied = new Proportions(source.scene, target.scene).fit(bind(walk, source.scene)).clip;
    expect(valuesOf(retarget(source.scene, target.scene, walk))).toEqual(valuesOf(copied));
  });

  it('on an equal body if the rest pose of the source has its hips at the origin', () => {
    const from = new TestBody();
    from.scene.nodes.translations[3 * from.row('hips') + 1] = 0;
    const copied = new Proportions(from.scene, same.scene).fit(bind(walk, from.scene)).clip;
    expect(valuesOf(retarget(from.scene, same.scene, walk))).toEqual(valuesOf(copied));
  });

  it('on an equal body whose axes differ', () => {
    const target = new TestBody({ axes: 4 });
    const copied = BoneRetargeter.of(source.scene, target.scene).retarget(bind(walk, source.scene));
    expect(valuesOf(retarget(source.scene, target.scene, walk))).toEqual(valuesOf(copied));
  });

  const copied = (clip: Clip) => new Proportions(source.scene, shortShins.scene).fit(bind(clip, source.scene)).clip;
  it('if the clip moves no thigh', () => {
    const arms = clipWith(
      walk,
      [...walk.tracks].filter(({ target }) => !/Leg|Foot/.test(target)),
    );
    expect(valuesOf(retarget(source.scene, shortShins.scene, arms))).toEqual(valuesOf(copied(arms)));
  });

  it('if the curves are additive', () => {
    const added = clipWith(
      walk,
      [...walk.tracks].map(track => ({ ...track, mode: 'additive' as const })),
    );
    expect(valuesOf(retarget(source.scene, shortShins.scene, added))).toEqual(valuesOf(copied(added)));
  });

  it('if the caller chooses how translations are converted', () => {
    const options: RetargetOptions = { translations: 'scaled' };
    const fitted = new Proportions(source.scene, shortShins.scene).fit(bind(walk, source.scene), options).clip;
    expect(valuesOf(retarget(source.scene, shortShins.scene, walk, options))).toEqual(valuesOf(fitted));
  });
});

it('a body whose rest pose has its hips at the origin, as in a BVH, stands on the ground if axes differ', () => {
  const from = new TestBody();
  from.scene.nodes.translations[3 * from.row('hips') + 1] = 0;
  const target = new TestBody({ axes: 4 });
  const player = new Player(target.scene, retarget(from.scene, target.scene, walk));
  for (let time = 0; time <= 2; time += 0.25) {
    const { place } = player.at(time);
    expect(Math.min(...FEET.map(foot => place(target.row(foot)).y))).toBeCloseTo(target.p.ankle, 3);
  }
});

const living = fileURLToPath(new URL('../../../../shared/corpus/living/', import.meta.url));
it.skipIf(!existsSync(living))('feet stand on a model of ../shared with other proportions', async () => {
  const [from, to] = await Promise.all(
    ['planted-motion.cast', 'planted-model.cast'].map(
      async name => (await open(new Uint8Array(readFileSync(living + name)), { name, worker: false })).scene!,
    ),
  );
  const clip = from!.clips[0]!;
  expect(slideOf(from!, to!, clip, retarget(from!, to!, clip))).toBeLessThan(0.001);
});
