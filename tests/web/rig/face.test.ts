// Tests blinking, expression overrides and retargeted faces.
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import type { Feature, RigScene } from '../../../web/src/core/types.ts';
import { Blink } from '../../../web/src/rig/blink.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { Expressions } from '../../../web/src/rig/expressions.ts';
import { ExpressionRules } from '../../../web/src/rig/expressionRules.ts';
import { FaceRetargeter } from '../../../web/src/rig/faceRetargeter.ts';
import { Pose, PoseShape } from '../../../web/src/rig/pose.ts';
import { armScene, clip, track } from '../../support/armScene.ts';
import { TestBody } from '../../support/bodies.ts';

/** A face with one morph target per preset. Morph targets have tags of VGO. */
function face(presets: Record<string, Record<string, number>>, features: Feature[] = []): RigScene {
  const base = armScene();
  const names = Object.keys(presets);
  const morph = base.meshes[0]!.morphs[0]!;
  return {
    ...base,
    features,
    meshes: [{ ...base.meshes[0]!, morphs: names.map(name => ({ ...morph, name, properties: presets[name]! })) }],
    expressions: names.map((name, i) => ({ name, preset: name, bindings: [{ renderer: 0, morph: i, weight: 1 }] })),
  };
}

const wish = (name: string, properties: Feature['properties']): Feature => ({ kind: 'expressionOverride', name, properties });

function weights(
  scene: RigScene,
  set: Record<string, number>,
  driven: Record<string, number> = {},
  change: (rules: ExpressionRules) => void = () => {},
) {
  const shape = new PoseShape(scene);
  const rules = new ExpressionRules(scene);
  const solver = new Expressions(shape, rules);
  change(rules);
  for (const [name, weight] of Object.entries(set)) solver.set(name, weight);
  for (const [name, weight] of Object.entries(driven)) rules.drive(name, weight);
  const pose = new Pose(shape);
  solver.solve(pose);
  return Object.fromEntries(scene.expressions.map(({ name }, i) => [name, pose.weights[i]]));
}

describe('blinking', () => {
  const scene = face({ blink: {} });
  const times = (rate: number, seed: number, seconds = 60): number[] => {
    const blink = Blink.of(new ExpressionRules(scene), seed)!;
    const starts: number[] = [];
    let before = 0;
    for (let i = 1; i <= seconds * rate; i++) {
      const now = blink.advance(1 / rate);
      if (now > 0 && before === 0) starts.push(i / rate);
      before = now;
    }
    return starts;
  };

  it('depends on the seed and not on the frame rate', () => {
    const [often, seldom] = [times(240, 3), times(30, 3)];
    expect(seldom.length).toBe(often.length);
    seldom.forEach((time, i) => expect(Math.abs(time - often[i]!)).toBeLessThan(1 / 29));
    expect(times(60, 4)).not.toEqual(times(60, 3));
  });

  it('has the frequency of human blinks and closes the lids completely', () => {
    for (const seed of [1, 2, 3]) {
      expect(times(60, seed).length).toBeGreaterThan(10);
      expect(times(60, seed).length).toBeLessThan(30);
    }
    const blink = Blink.of(new ExpressionRules(scene))!;
    const seen = Array.from({ length: 1200 }, () => blink.advance(1 / 120));
    expect(Math.max(...seen)).toBe(1);
    expect(seen.filter(weight => weight > 0).length / seen.length).toBeLessThan(0.2);
  });

  it('sometimes blinks twice', () => {
    const gaps = [1, 2, 3, 4, 5].flatMap(seed => {
      const starts = times(120, seed, 300);
      return starts.slice(1).map((time, i) => time - starts[i]!);
    });
    const short = gaps.filter(gap => gap < 0.5);
    expect(short.length / gaps.length).toBeGreaterThan(0.08);
    expect(short.length / gaps.length).toBeLessThan(0.25);
    for (const gap of gaps) expect(gap < 0.5 ? Math.abs(gap - 0.38) < 0.02 : gap > 1.8 && gap < 6.3).toBe(true);
  });

  it('keeps the lids open while disabled', () => {
    const rules = new ExpressionRules(scene);
    const blink = Blink.of(rules)!;
    blink.isOn = false;
    for (let i = 0; i < 600; i++) {
      blink.solve(null, null, 1 / 60);
      rules.update([{ weight: 0 }]);
      expect(rules.weights[0]).toBe(0);
    }
  });

  it('uses the presets of both eyes if there is no common one, and needs at least one', () => {
    const rules = new ExpressionRules(face({ blinkLeft: {}, blinkRight: {} }));
    const blink = Blink.of(rules)!;
    let most = [0, 0];
    for (let i = 0; i < 600; i++) {
      blink.solve(null, null, 1 / 60);
      rules.update([{ weight: 0 }, { weight: 0 }]);
      most = most.map((value, k) => Math.max(value, rules.weights[k]!));
    }
    expect(most.every(value => value > 0.9)).toBe(true);
    expect(Blink.of(new ExpressionRules(face({ happy: {} })))).toBeNull();
  });
});

describe('expression rules', () => {
  it('block or fade out the expressions that the file declares', () => {
    const scene = face({ happy: {}, blink: {}, aa: {}, lookUp: {} }, [wish('happy', { blink: 'block', mouth: 'blend', look: 'none' })]);
    expect(weights(scene, { happy: 0.25, blink: 1, aa: 1, lookUp: 1 })).toEqual({ happy: 0.25, blink: 0, aa: 0.75, lookUp: 1 });
    expect(weights(scene, { blink: 1, aa: 1 })).toEqual({ happy: 0, blink: 1, aa: 1, lookUp: 0 });
  });

  it('round binary expressions to 0 or 1', () => {
    const scene = face({ happy: {}, blink: {} }, [wish('happy', { isBinary: 1, blink: 'blend' })]);
    expect(weights(scene, { happy: 0.4, blink: 1 })).toEqual({ happy: 0, blink: 1 });
    expect(weights(scene, { happy: 0.6, blink: 1 })).toEqual({ happy: 1, blink: 0 });
  });

  it('hide binary expressions that are faded out', () => {
    const scene = face({ happy: {}, blink: {} }, [wish('happy', { blink: 'blend' }), wish('blink', { isBinary: 1 })]);
    expect(weights(scene, { happy: 0.25, blink: 1 })).toEqual({ happy: 0.25, blink: 0 });
    expect(weights(scene, { blink: 1 })).toEqual({ happy: 0, blink: 1 });
  });

  it('use the larger of page weight and automatic weight', () => {
    const scene = face({ lookUp: {} });
    expect(weights(scene, { lookUp: 0.3 }, { lookUp: 0.8 })).toEqual({ lookUp: expect.closeTo(0.8, 6) });
    expect(weights(scene, { lookUp: 0.8 }, { lookUp: 0.3 })).toEqual({ lookUp: expect.closeTo(0.8, 6) });
    expect(new ExpressionRules(scene).drive('lookDown', 1)).toBe(false);
  });

  it('set clamped weights by name before preset, for all expressions with the name', () => {
    const scene = face({ happy: {}, smile: {}, grin: {} });
    scene.expressions = scene.expressions.map((each, i) => ({
      ...each,
      name: ['happy', 'smile', 'smile'][i]!,
      preset: ['aa', 'happy', ''][i]!,
    }));
    const pose = (set: Record<string, number>): number[] => {
      const solver = new Expressions(new PoseShape(scene));
      for (const [name, weight] of Object.entries(set)) solver.set(name, weight);
      const made = new Pose(new PoseShape(scene));
      solver.solve(made);
      return [...made.weights];
    };
    expect(pose({ happy: 1 })).toEqual([1, 0, 0]);
    expect(pose({ aa: 0.5 })).toEqual([0.5, 0, 0]);
    expect(pose({ smile: 0.5 })).toEqual([0, 0.5, 0.5]);
    expect(pose({ happy: 7, smile: -1 })).toEqual([1, 0, 0]);
    expect(pose({ happy: NaN })).toEqual([0, 0, 0]);
  });

  it('fade out blinking for two VGO presets that move lids, but not winks set by the page', () => {
    const scene = face({ happy: { facePartsType: 13 }, angry: { facePartsType: 13 }, blink: { blinkType: 3 } });
    expect(weights(scene, { happy: 1, angry: 1 }, { blink: 1 })).toEqual({ happy: 1, angry: 1, blink: 0 });
    expect(weights(scene, { happy: 1, angry: 1, blink: 0.5 }, { blink: 1 })).toEqual({ happy: 1, angry: 1, blink: 0.5 });
  });

  it('fade out automatic blinking for VGO presets that move lids, but not winks set by the page', () => {
    const scene = face({ happy: { facePartsType: 13 }, sad: {}, blink: { blinkType: 3 } });
    expect(weights(scene, { happy: 0.75 }, { blink: 1 })).toEqual({ happy: 0.75, sad: 0, blink: 0.25 });
    expect(weights(scene, { sad: 1 }, { blink: 1 })).toEqual({ happy: 0, sad: 1, blink: 1 });
    expect(weights(scene, { happy: 1, blink: 1 })).toEqual({ happy: 1, sad: 0, blink: 1 });
  });

  it('skip lids and mouth of VGO presets on request', () => {
    const scene = face({ happy: { facePartsType: 13 }, sad: { facePartsType: 50 }, angry: { visemeType: 10 }, blink: { blinkType: 3 } });
    const set = { happy: 1, sad: 1, angry: 1, blink: 1 };
    expect(weights(scene, set, {}, rules => (rules.skipsEyelids = true))).toEqual({ ...set, happy: 0 });
    expect(weights(scene, set, {}, rules => (rules.skipsMouth = true))).toEqual({ ...set, sad: 0, angry: 0 });
  });
});

describe('a retargeted face', () => {
  const expression = (property: string, values: number[]) =>
    track({ target: '', path: 'expression', property, times: Float32Array.of(0, 1), values: Float32Array.from(values) });
  const still = { name: 'talk', frameRate: 0 };

  it('is sampled at 30 Hz if the clip has no frame rate', () => {
    const motion = FaceRetargeter.of({ ...clip('talk', 1, expression('aa', [0, 1])), ...still }, face({ aa: {} }))!;
    const [curve] = motion.tracks();
    expect([curve!.times.length, curve!.values[15]]).toEqual([31, expect.closeTo(0.5, 6)]);
    expect(
      FaceRetargeter.of({ ...clip('talk', 1, expression('aa', [0, 1])), frameRate: 10 }, face({ aa: {} }))!.tracks()[0]!.times,
    ).toHaveLength(11);
  });

  it('animates only morph targets of the clip’s expressions', () => {
    const scene = face({ aa: {}, happy: {} });
    const motion = FaceRetargeter.of(clip('talk', 1, expression('aa', [1, 1]), expression('wow', [1, 1])), scene)!;
    expect(motion.tracks().map(({ property }) => property)).toEqual(['aa']);
    expect([motion.shown, motion.lost]).toEqual([['aa'], ['wow']]);
    expect(
      FaceRetargeter.of(
        clip('walk', 1, track({ target: 'a', path: 'translation', times: Float32Array.of(0), values: Float32Array.of(1, 2, 3) })),
        scene,
      ),
    ).toBeNull();
  });

  it('uses the larger weight of a morph target on several meshes', () => {
    for (const weights of [
      [1, 0.25],
      [0.25, 1],
    ]) {
      const scene = face({ aa: {} });
      scene.renderers = [scene.renderers[0]!, { ...scene.renderers[0]! }];
      scene.expressions = [{ name: 'aa', preset: 'aa', bindings: weights.map((weight, renderer) => ({ renderer, morph: 0, weight })) }];
      expect(FaceRetargeter.of(clip('talk', 1, expression('aa', [1, 1])), scene)!.tracks()[0]!.values[0]).toBe(1);
    }
  });
});

it('replaces eye curves by the gaze of the clip', () => {
  const body = new TestBody({ proportions: { hasEyes: true } });
  const walk = body.clip('walk', 1, 30, time => body.walk(time));
  const look = track({ target: '', path: 'look', times: Float32Array.of(0), values: Float32Array.of(0, 0, 0, 1) });
  const tracks = [...walk.tracks, look];
  const both = {
    ...walk,
    tracks: { length: tracks.length, get: (i: number) => tracks[i]!, [Symbol.iterator]: () => tracks[Symbol.iterator]() },
  };
  for (const [motion, keys] of [
    [walk, 31],
    [both, 31],
  ] as const) {
    const retargeted = createRetargeter(body.scene, body.scene)!.retarget(bind(motion, body.scene));
    const eyes = [...retargeted.tracks].filter(({ target, path }) => target === 'leftEye' && path === 'rotation');
    expect(eyes.map(({ times }) => times.length)).toEqual([keys]);
    const moving = new Set([...eyes[0]!.values].map(value => value.toFixed(5)));
    if (motion === both) expect(moving.size).toBeLessThan(5); // the gaze is straight ahead and overrides eye curves of the walk
  }
});
