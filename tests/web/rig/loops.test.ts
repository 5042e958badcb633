// Finds, trims and closes loops.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../web/src/core/types.ts';
import { bestLoop, closeLoop, trimClip } from '../../../web/src/rig/loops.ts';
import { TestBody } from '../../support/bodies.ts';
import { Player } from '../../support/player.ts';

const body = new TestBody({ axes: 3 });
const walk = body.clip('walk', 2.4, 60, time => body.walk(time));
const hips = body.row('hips');
const placeAt = (clip: Clip, time: number): Vector3 => new Player(body.scene, clip).at(time).place(hips);

describe('the best loop', () => {
  it('of a walk with a cycle of one second takes one or two seconds', () => {
    const loop = bestLoop(walk, { shortest: 0.6 })!;
    expect(loop.end - loop.start).toBeCloseTo(2, 5);
    expect(loop.pose).toBeLessThan(0.1);
    expect(loop.velocity).toBeLessThan(1);
  });

  it('has the same velocity at its ends', () => {
    const swing = body.clip('swing', 2, 30, time => ({
      turns: new Map([['hips', new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.sin(2 * Math.PI * time) * 0.5)]]),
      hips: body.hipHeight(),
    }));
    const loop = bestLoop(trimClip(swing, 0, 1.8), { shortest: 0.4 })!;
    expect(loop.end - loop.start).toBeCloseTo(1, 2);
  });

  it('does not exist in a clip without rotations, or shorter than the minimum', () => {
    expect(bestLoop(walk, { shortest: 3 })).toBe(null);
    expect(bestLoop({ ...walk, tracks: trimClip(walk, 0, 1).tracks, duration: 0 })).toBe(null);
  });
});

describe('a trimmed clip', () => {
  it('has the poses of its part, and starts at time 0', () => {
    const part = trimClip(walk, 0.305, 1.1);
    expect(part.duration).toBeCloseTo(0.795, 6);
    for (const time of [0, 0.2, 0.795]) expect(placeAt(part, time).distanceTo(placeAt(walk, 0.305 + time))).toBeLessThan(1e-4);
  });

  it('has no key before time 0, also if the start is not a 32-bit number', () => {
    for (const start of [0.1, 0.7]) {
      const starts = [...trimClip(walk, start, 2).tracks].map(({ times }) => times[0]);
      expect(new Set(starts), `${start}`).toEqual(new Set([0])); // 0.7 is less as a 32-bit number
    }
  });

  it('keeps the events of its part', () => {
    const events = [0.1, 0.5, 2].map(time => ({ time, name: `${time}` }));
    const part = trimClip({ ...walk, events }, 0.4, 1);
    expect(part.events).toEqual([{ time: expect.closeTo(0.1, 6), name: '0.5' }]);
  });

  it('keeps what the format leaves undeclared', () => {
    expect(trimClip({ ...walk, undeclaredModes: true }, 0.4, 1).undeclaredModes).toBe(true);
  });

  it('must be inside the clip', () => {
    for (const [start, end] of [
      [-0.1, 1],
      [1, 1],
      [1, 2.5],
    ] as const)
      expect(() => trimClip(walk, start, end)).toThrow(TypeError);
  });
});

describe('a closed loop', () => {
  it('needs a positive number of seconds', () => {
    for (const seconds of [0, -1, NaN])
      expect(() => closeLoop(walk, seconds)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('of a single pose is unchanged', () => {
    const pose = body.clip('pose', 0, 30, () => body.walk(0));
    const values = (clip: Clip): number[][] => [...clip.tracks].map(track => [...track.values]);
    expect(values(closeLoop(pose, 0.2))).toEqual(values(pose));
  });

  it('ends with the pose of its start, and is unchanged before the blend', () => {
    const part = trimClip(walk, 0, 0.8);
    const closed = closeLoop(part, 0.2);
    const [player, open] = [new Player(body.scene, closed), new Player(body.scene, part)];
    const knee = body.row('leftLowerLeg');
    const start = player.at(0).turn(knee);
    expect(open.at(0.8).turn(knee).angleTo(start)).toBeGreaterThan(0.05);
    expect(player.at(0.8).turn(knee).angleTo(start)).toBeLessThan(1e-3);
    expect(player.at(0.5).turn(knee).angleTo(open.at(0.5).turn(knee))).toBeLessThan(1e-3);
  });

  it('still travels', () => {
    const part = trimClip(walk, 0, 0.8);
    expect(placeAt(closeLoop(part, 0.2), 0.8).distanceTo(placeAt(part, 0.8))).toBeLessThan(1e-5);
  });
});
