// Keyframe tracks of AnimationClips are exact, or sampled with errors below CLIP_TOLERANCE.
import {
  AdditiveAnimationBlendMode,
  AnimationClip,
  AnimationMixer,
  AnimationUtils,
  BooleanKeyframeTrack,
  type KeyframeTrack,
  Quaternion,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../web/src/core/types.ts';
import { type Curve, CurveCursor } from '../../../web/src/rig/curve.ts';
import { CLIP_TOLERANCE, Rig } from '../../../web/src/three/index.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';

const rigOf = (duration: number, ...tracks: Track[]): Rig => new Rig({ scene: armScene({ clips: [clip('m', duration, ...tracks)] }) });
const clipOf = (rig: Rig): AnimationClip => rig.animations[0]!;
const along = (component: number, over: Partial<Track> & Pick<Track, 'times' | 'values'>): Track =>
  track({ target: 'up/per', path: 'translation', component, ...over });

/** Returns the value that AnimationMixer applies at a time. */
const played = (of: KeyframeTrack, t: number): number[] => [
  ...(of as unknown as { createInterpolant(): { evaluate(t: number): ArrayLike<number> & Iterable<number> } })
    .createInterpolant()
    .evaluate(t),
];
const at = ({ values, times, interpolation, tangents, before, after }: Track, t: number): number => {
  const result = [NaN];
  new CurveCursor({ values, times, interpolation, tangents, before, after, width: 1 } as Curve).evaluate(t, result, 0);
  return result[0]!;
};

describe('a curve that three.js cannot play', () => {
  const bent = [0, 1].map(i =>
    along(i, { times: f32(0, 1 + i, 4), values: f32(0, 10, 20), interpolation: 'hermite', tangents: f32(0, 3, 3, 0, 1, 1) }),
  );
  const shares = Array.from({ length: 400 }, (_, i) => i / 100);

  it('is sampled to a standard track within the tolerance, with rest values for components without a curve', () => {
    const [made] = clipOf(rigOf(4, ...bent)).tracks;
    expect(Object.getPrototypeOf(made)).toBe(VectorKeyframeTrack.prototype);
    expect(made!.times.length).toBeLessThan(800);
    for (const t of shares) {
      const [x, y, z] = played(made!, t);
      expect(Math.abs(x! - at(bent[0]!, t)), `${t}`).toBeLessThan(20 * CLIP_TOLERANCE);
      expect(Math.abs(y! - at(bent[1]!, t)), `${t}`).toBeLessThan(20 * CLIP_TOLERANCE);
      expect(z).toBe(0);
    }
  });

  it('has two keys at a discontinuity, also with an offset', () => {
    const step = track({ target: 'up/per', path: 'scale', component: 1, times: f32(0, 1, 2), values: f32(1, 5, 2), interpolation: 'step' });
    const other = track({ target: 'up/per', path: 'scale', component: 0, times: f32(0, 2), values: f32(1, 3) });
    const [made] = clipOf(rigOf(2, step, other)).tracks;
    expect([0.5, 0.9999, 1, 1.9999, 2].map(t => played(made!, t)[1])).toEqual([1, 1, 5, 5, 2]);
    made!.shift(0.3);
    expect([1.299, 1.301].map(t => played(made!, t)[1])).toEqual([1, 5]);
  });

  it('repeats until the end of the clip if the file declares it', () => {
    const [made] = clipOf(rigOf(3, along(0, { times: f32(0, 1), values: f32(0, 4), after: 'loop' }))).tracks;
    for (const t of [0.5, 1.5, 2.25]) expect(played(made!, t)[0]).toBeCloseTo(4 * (t % 1), 3);
  });

  it('changes visibility at the time of the pose engine', () => {
    const fading = track({ target: 'tip', path: 'visible', times: f32(0, 1), values: f32(1, 0), interpolation: 'linear' });
    const [made] = clipOf(rigOf(1, fading)).tracks;
    expect(made).toBeInstanceOf(BooleanKeyframeTrack);
    expect([0, 0.49, 0.51, 1].map(t => played(made!, t)[0])).toEqual([true, true, false, false]);
  });

  it('is a unit quaternion, or the identity without a curve', () => {
    const a = new Quaternion().setFromAxisAngle({ x: 0, y: 1, z: 0 }, 0.4).toArray();
    const part = (component: number, values: Float32Array): Track =>
      track({ target: 'up/per', path: 'rotation', component, times: f32(0, 1), values, interpolation: 'linear' });
    const [turned] = clipOf(rigOf(1, ...a.map((value, c) => part(c, f32(c === 3 ? 1 : 0, value))))).tracks;
    expect(turned).toBeInstanceOf(QuaternionKeyframeTrack);
    const half = played(turned!, 0.5);
    expect(Math.hypot(...half)).toBeCloseTo(1, 6);
    expect(half[1]).toBeCloseTo(Math.sin(0.1), 4);
    const [none] = clipOf(rigOf(1, ...[0, 1, 2, 3].map(c => part(c, f32(0, 0))))).tracks;
    expect(played(none!, 0.5)).toEqual([0, 0, 0, 1]);
  });

  it('uses limited memory for clips of any length, and sets isCoarse', () => {
    const hostile = Array.from({ length: 2000 }, (_, i) =>
      along(i % 3, { target: i % 2 ? 'up/per' : 'low.er', times: f32(0, 1e-3), values: f32(0, 1), after: 'loop', mode: 'additive' }),
    );
    const made = clipOf(rigOf(1e9, ...hostile));
    expect(made.tracks.reduce((sum, { times }) => sum + times.length, 0)).toBeLessThan(200_000);
    expect([made, clipOf(rigOf(4, ...bent))].map(({ userData }) => userData['isCoarse'])).toEqual([true, false]);
  });

  it('keeps its values in utilities of three.js', () => {
    const rig = rigOf(4, ...bent);
    const made = clipOf(rig);
    const play = (of: AnimationClip, t: number): number => {
      const mixer = new AnimationMixer(rig.scene);
      mixer.clipAction(of).play();
      mixer.setTime(t);
      const { x } = rig.nodes[2]!.position;
      mixer.stopAllAction();
      return x;
    };
    const near = (value: number, t: number): void => expect(Math.abs(value - at(bent[0]!, t)), `${t}`).toBeLessThan(50 * CLIP_TOLERANCE);
    const trimmed = made.clone();
    trimmed.duration = 2;
    for (const t of [0.3, 1.9]) {
      near(play(made.clone(), t), t);
      near(play(made.clone().optimize(), t), t);
      near(play(trimmed.trim(), t), t);
      near(play(AnimationClip.parse(JSON.parse(JSON.stringify(AnimationClip.toJSON(made)))), t), t);
      near(play(AnimationUtils.subclip(made, 'part', 0, 40, 10), t), t);
    }
    const layer = AnimationUtils.makeClipAdditive(made.clone());
    expect(layer.blendMode).toBe(AdditiveAnimationBlendMode);
    const rest = armScene().nodes.translations[6]!;
    near(play(layer, 1.5) - rest, 1.5);
  });
});
