import { AnimationClip, AnimationMixer, AnimationUtils, Object3D, Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import { type Curve, CurveCursor } from '../../../web/src/rig/curve.ts';
import { CurveTrack } from '../../../web/src/three/animation/interpolant.ts';

const curve = (over: Partial<Curve> & Pick<Curve, 'times' | 'values'>): Curve => ({
  width: 1,
  interpolation: 'linear',
  before: 'hold',
  after: 'hold',
  ...over,
});
const at = (c: Curve, t: number): number => {
  const result = [NaN];
  new CurveCursor(c).evaluate(t, result, 0);
  return result[0]!;
};
const f32 = (...values: number[]): Float32Array => Float32Array.from(values);

describe('CurveTrack', () => {
  const components = [0, 1].map(i => ({
    component: i,
    curve: curve({ times: f32(0, 1 + i, 4), values: f32(0, 10, 20), interpolation: 'hermite', tangents: f32(0, 3, 3, 0, 1, 1) }),
  }));
  const make = () => new CurveTrack('node.position', 'vector', components, [0, 0, 7]);
  const expected = (t: number) => [at(components[0]!.curve, t), at(components[1]!.curve, t), 7];
  const play = (clip: AnimationClip, t: number): number[] => {
    const node = new Object3D();
    node.name = 'node';
    const mixer = new AnimationMixer(node);
    mixer.clipAction(clip).play();
    mixer.setTime(t);
    return node.position.toArray();
  };
  const close = (got: number[], wanted: number[]): void => got.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 6));

  it('merges curves of single components and keeps the rest value of the others', () => {
    const track = make();
    for (const t of [0, 1, 2, 4]) {
      const k = track.times.indexOf(t);
      expect([...track.values.subarray(3 * k, 3 * k + 3)]).toEqual(expected(t).map(Math.fround));
    }
    for (const t of [0, 0.3, 1.5, 3.9]) close(play(new AnimationClip('c', 4, [track]), t), expected(t));
  });

  it('survives clone, shift, scale, trim, optimize and subclip', () => {
    const clip = new AnimationClip('c', 4, [make()]);
    for (const t of [0.3, 2.2]) {
      close(play(clip.clone(), t), expected(t));
      const moved = new AnimationClip('c', 20, [make().scale(2).shift(1).clone()]);
      close(play(moved, 2 * t + 1), expected(t));
      close(play(clip.clone().optimize(), t), expected(t));
    }
    const sub = AnimationUtils.subclip(clip, 'sub', 10, 40, 10);
    close(play(sub, 0.5), expected(0.5 + 1));
  });

  it('is read as a linear track that plays the same: more keys where it bends, one right before a jump', () => {
    const bent = make();
    const steps = new CurveTrack(
      'node.scale',
      'vector',
      [{ component: 1, curve: curve({ times: f32(0, 1, 2), values: f32(1, 5, 2), interpolation: 'step' }) }],
      [1, 1, 1],
    );
    const json = JSON.parse(JSON.stringify(AnimationClip.toJSON(new AnimationClip('c', 4, [bent, steps]))));
    const read = AnimationClip.parse(json);
    for (const t of [0.1, 0.3, 1.5, 2.9, 3.9]) play(read, t).forEach((value, i) => expect(value).toBeCloseTo(expected(t)[i]!, 2));
    expect(steps.times).toHaveLength(5);
    const played = (read.tracks[1] as CurveTrack).createInterpolant();
    expect([0.5, 0.999999, 1, 1.999999, 2].map(t => played.evaluate(t)[1])).toEqual([1, 1, 5, 5, 2]);
  });

  it('keeps its steps as a linear track where it was shifted, also to a key at zero', () => {
    const part = { component: 0, curve: curve({ times: f32(0, 1, 2), values: f32(1, 5, 2), interpolation: 'step' }) };
    for (const shift of [0, -1, -2, -0.3, 7, 1000]) {
      const steps = new CurveTrack('node.scale', 'vector', [part], [1, 1, 1]).shift(shift);
      const read = AnimationClip.parse(JSON.parse(JSON.stringify(AnimationClip.toJSON(new AnimationClip('c', 4, [steps])))));
      const played = (read.tracks[0] as CurveTrack).createInterpolant();
      const near = 1e-3;
      expect(
        [0, 0.5, 1 - near, 1 + near, 1.5, 2 - near, 2 + near].map(t => played.evaluate(t + shift)[0]),
        `${shift}`,
      ).toEqual([1, 1, 1, 5, 5, 5, 2]);
    }
  });

  it('normalises rotations that are given component by component, and nothing is the identity', () => {
    const q = (i: number, values: Float32Array) => ({ component: i, curve: curve({ times: f32(0, 1), values }) });
    const a = new Quaternion().setFromAxisAngle({ x: 0, y: 1, z: 0 }, 0.4).toArray();
    const parts = a.map((value, i) => q(i, f32(i === 3 ? 1 : 0, value)));
    const result = new CurveTrack('n.quaternion', 'quaternion', parts, [0, 0, 0, 1]).createInterpolant().evaluate(0.5);
    expect(Math.hypot(...result)).toBeCloseTo(1, 6);
    expect(result[1]).toBeCloseTo(Math.sin(0.1), 4);
    const zero = [0, 1, 2, 3].map(i => q(i, f32(0, 0)));
    expect([...new CurveTrack('n.quaternion', 'quaternion', zero, [0, 0, 0, 1]).createInterpolant().evaluate(0.5)]).toEqual([0, 0, 0, 1]);
  });
});
