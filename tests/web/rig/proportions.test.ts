// Retargets translations between skeletons with different proportions.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import type { Clip, RigScene } from '../../../web/src/core/types.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { BoneRetargeter } from '../../../web/src/rig/boneRetargeter.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { Proportions, TRANSLATION_MODES, type TranslationMode } from '../../../web/src/rig/proportions.ts';
import { armScene } from '../../support/armScene.ts';
import { TestBody } from '../../support/bodies.ts';
import { skeleton } from '../../support/figure.ts';

const small = new TestBody();
const large = new TestBody({
  proportions: { upperLeg: 0.9, lowerLeg: 0.86, ankle: 0.16, spine: 1, shoulderWidth: 0.72, upperArm: 0.6, lowerArm: 0.54, hipWidth: 0.36 },
});

/** Returns the first translation key of a bone, or undefined. */
function first(clip: Clip, target: string): number[] | undefined {
  const track = [...clip.tracks].find(each => each.target === target && each.path === 'translation');
  return track && [...track.values.subarray(0, 3)];
}

/** Returns world positions of bones at a time. */
function placesAt(scene: RigScene, clip: Clip, time: number, names: readonly string[]): Record<string, number[]> {
  const animator = new Animator(scene);
  const layer = new Layer(animator.shape, bind(clip, scene).tracks);
  animator.layers.push(layer);
  layer.time = time;
  animator.world.update(animator.evaluate());
  const place = (name: string): number[] => {
    const row = scene.nodes.names.indexOf(name);
    return [...animator.world.matrices.subarray(16 * row + 12, 16 * row + 15)];
  };
  return Object.fromEntries(names.map(name => [name, place(name)]));
}

/** Returns a clip with a single translation key of one bone. */
function put(scene: RigScene, target: string, place: number[], tangent?: number[]): Clip {
  const clip = small.clip('put', 0, 30, () => ({ turns: new Map(), hips: small.hipHeight() }));
  const [one] = [...clip.tracks].filter(({ path }) => path === 'translation');
  const track = {
    ...one!,
    target,
    values: Float32Array.from(place),
    ...(tangent && { interpolation: 'hermite' as const, tangents: Float32Array.from([...tangent, ...tangent]) }),
  };
  expect(scene.nodes.names).toContain(target);
  return { ...clip, tracks: { length: 1, get: () => track, [Symbol.iterator]: () => [track][Symbol.iterator]() } };
}

it('modes behave as in Unreal', () => {
  const row = small.row('leftLowerArm');
  const a = [...small.scene.nodes.translations.subarray(3 * row, 3 * row + 3)];
  const turned = new TestBody({ proportions: { upperArm: 0.6 }, axes: 5 });
  const b = [...turned.scene.nodes.translations.subarray(3 * row, 3 * row + 3)];
  const key = [0.35, 0.1, -0.05];
  const between = new Quaternion().setFromUnitVectors(new Vector3(...a).normalize(), new Vector3(...b).normalize());
  const expected: Record<TranslationMode, number[]> = {
    animation: key,
    skeleton: b,
    scaled: key.map(value => value * 2),
    relative: key.map((value, c) => value + b[c]! - a[c]!),
    'orient-and-scale': new Vector3(...key).multiplyScalar(2).applyQuaternion(between).toArray(),
  };
  const proportions = new Proportions(small.scene, turned.scene);
  for (const mode of TRANSLATION_MODES) {
    const { clip, modes } = proportions.fit(bind(put(small.scene, 'leftLowerArm', key), small.scene), {
      translations: { leftLowerArm: mode },
    });
    expect(modes.get('leftLowerArm')).toBe(mode);
    expect(first(clip, 'leftLowerArm')).toEqual(expected[mode].map(value => expect.closeTo(value, 5)));
  }
});

it('tangents are scaled and rotated like keys', () => {
  const { clip } = new Proportions(small.scene, large.scene).fit(
    bind(put(small.scene, 'leftLowerArm', [0.4, 0, 0], [1, 2, 3]), small.scene),
    { translations: 'scaled' },
  );
  expect([...[...clip.tracks][0]!.tangents!]).toEqual([2, 4, 6, 2, 4, 6].map(value => expect.closeTo(value, 5)));
});

it('by default, travel is scaled and limbs keep their length', () => {
  const retargeter = createRetargeter(small.scene, large.scene)!;
  expect(retargeter.method).toBe('names');
  expect(retargeter.scale).toBeGreaterThan(1.5);
  const walk = small.clip('walk', 1, 30, time => small.walk(time));
  const clip = retargeter.retarget(bind(walk, small.scene));
  const travel = (of: Clip): number => {
    const { values } = [...of.tracks].find(({ path }) => path === 'translation')!;
    return values.at(-1)! - values[2]!;
  };
  expect(travel(clip)).toBeCloseTo(retargeter.scale * travel(walk), 4);
  const still = new Proportions(small.scene, large.scene).fit(bind(put(small.scene, 'leftLowerArm', [0.3, 0, 0]), small.scene));
  expect(still.modes.get('leftLowerArm')).toBe('skeleton');
  expect(first(still.clip, 'leftLowerArm')).toEqual([0.6, 0, 0].map(value => expect.closeTo(value, 5)));
  const stretched = new Proportions(small.scene, large.scene).fit(bind(put(small.scene, 'leftLowerArm', [0.45, 0, 0]), small.scene));
  expect(stretched.modes.get('leftLowerArm')).toBe('orient-and-scale');
});

it('bones with other axes keep their world movement', () => {
  const built = new TestBody({ axes: 5, armsDown: 40 });
  const retargeter = createRetargeter(small.scene, built.scene)!;
  expect(retargeter.method).toBe('names');
  const walk = small.clip('walk', 1, 30, time => small.walk(time));
  const retargeted = retargeter.retarget(bind(walk, small.scene));
  const parts = ['leftLowerArm', 'leftHand', 'rightFoot', 'leftLowerLeg', 'head'];
  for (const time of [0, 0.3, 0.7]) {
    const mine = placesAt(small.scene, walk, time, parts);
    for (const [part, place] of Object.entries(placesAt(built.scene, retargeted, time, parts)))
      expect(place, `${part} at ${time}`).toEqual(mine[part]!.map(value => expect.closeTo(value, 3)));
  }
});

it('renamed bones are retargeted by body part, and a chair is not retargeted', () => {
  const renamed = new TestBody({ nameOf: part => `other ${part}`.replace('other ', 'x_') });
  expect(createRetargeter(small.scene, renamed.scene)?.method).toBe('names'); // prefixes are ignored
  const mixamo = new TestBody({
    nameOf: part =>
      part
        .replace('UpperArm', 'Arm')
        .replace('LowerArm', 'ForeArm')
        .replace('UpperLeg', 'UpLeg')
        .replace('LowerLeg', 'Leg')
        .replace(/^spine/, 'Back')
        .replace(/^(left|right)(Thumb|Index|Middle|Ring|Little)/, '$1Hand$2'),
  });
  expect(createRetargeter(small.scene, mixamo.scene)?.method).toBe('body');
  const chair = new TestBody({ nameOf: part => `${part.length} screw` });
  chair.scene.nodes.translations.fill(0);
  expect(createRetargeter(small.scene, chair.scene)).toBe(null);
});

it('roots, and bones at the position of their parent, are scaled', () => {
  const rest = small.hipHeight().toArray();
  const fitted = new Proportions(small.scene, large.scene).fit(bind(put(small.scene, 'hips', rest), small.scene));
  expect(fitted.modes.get('hips')).toBe('scaled');
  expect(first(fitted.clip, 'hips')).toEqual(rest.map(value => expect.closeTo(value * fitted.scale, 5)));
  const pivot = new TestBody();
  pivot.scene.nodes.translations.fill(0, 3 * pivot.row('leftToes'), 3 * pivot.row('leftToes') + 3);
  const moved = new Proportions(pivot.scene, large.scene).fit(bind(put(pivot.scene, 'leftToes', [0.1, 0, 0]), pivot.scene));
  expect(first(moved.clip, 'leftToes')).toEqual([0.1 * moved.scale, 0, 0].map(value => expect.closeTo(value, 5)));
});

it('additive and face curves are unchanged', () => {
  const clip = put(small.scene, 'leftLowerArm', [0.1, 0.2, 0.3]);
  const added = { ...[...clip.tracks][0]!, mode: 'additive' as const };
  const smile = { ...added, target: '', path: 'weight' as const, property: 'smile', mode: 'absolute' as const, values: Float32Array.of(1) };
  const tracks = [added, smile];
  const both = { ...clip, tracks: { length: 2, get: (i: number) => tracks[i]!, [Symbol.iterator]: () => tracks[Symbol.iterator]() } };
  const fitted = new Proportions(small.scene, large.scene).fit(bind(both, small.scene));
  expect([fitted.modes.size, [...fitted.clip.tracks].map(({ path, mode, values }) => [path, mode, ...values])]).toEqual([
    0,
    [
      ['translation', 'additive', Math.fround(0.1), Math.fround(0.2), Math.fround(0.3)],
      ['weight', 'absolute', 1],
    ],
  ]);
});

describe('models that are not humanoids', () => {
  /** Returns a scene with bones along a line, with these names. */
  const machine = (names: string[]): RigScene => ({
    ...armScene(),
    nodes: skeleton(names.map((name, i) => [name, i ? names[i - 1]! : '', 0.3 * i, 0.1 * i * i, 0])),
  });
  const NAMES = ['fin', 'tail', 'jaw', 'gill', 'wing', 'horn', 'claw', 'beak', 'shell', 'crest', 'sting', 'gland'];
  const source = machine(NAMES);

  it('are retargeted by common bones if these are at least a quarter', () => {
    for (const [common, by] of [
      [3, 'names'],
      [5, 'names'],
      [2, undefined],
    ] as const)
      expect(createRetargeter(source, machine(NAMES.map((name, i) => (i < common ? name : `${i}${name}x`))))?.method).toBe(by);
  });

  it('have equal axes whatever bones at the position of their parents have', () => {
    const alike = (turned: boolean): boolean => {
      const scenes = [false, turned].map(isTurned => {
        const scene = machine(NAMES);
        const { translations } = scene.nodes;
        // Two thirds of the bones have no length.
        for (let row = 2; row < scene.nodes.length; row++) if (row % 3) translations.fill(0, 3 * row, 3 * row + 3);
        if (isTurned)
          for (let at = 6; at < translations.length; at += 3)
            [translations[at], translations[at + 1]] = [-translations[at + 1]!, translations[at]!];
        return scene;
      });
      return BoneRetargeter.of(scenes[0]!, scenes[1]!).hasSameAxes;
    };
    expect([alike(false), alike(true)]).toEqual([true, false]);
  });
});
