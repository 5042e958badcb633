// Finds, trims and closes loops, and sets the distance that a clip travels.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { clipFacts } from '../../../web/src/rig/clipFacts.ts';
import { bestLoop, closeLoop, setTravel, trimClip } from '../../../web/src/rig/loops.ts';
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

  it('keeps the events of its part', () => {
    const events = [0.1, 0.5, 2].map(time => ({ time, name: `${time}` }));
    const part = trimClip({ ...walk, events }, 0.4, 1);
    expect(part.events).toEqual([{ time: expect.closeTo(0.1, 6), name: '0.5' }]);
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

describe('the travel of a clip', () => {
  const bound = bind(walk, body.scene);

  it('of zero keeps the body in place, and its sway', () => {
    const inPlace = setTravel(bound, body.scene, [0, 0, 0])!;
    expect(placeAt(inPlace, 2.4).distanceTo(placeAt(inPlace, 0))).toBeLessThan(1e-4);
    const [a, b] = [0.6, 0.75].map(time => placeAt(walk, time).y - placeAt(inPlace, time).y) as [number, number];
    expect(Math.abs(a - b)).toBeLessThan(0.01);
  });

  it('is restored from the contacts of the feet', () => {
    const inPlace = setTravel(bound, body.scene, [0, 0, 0])!;
    const { travel } = clipFacts(bind(inPlace, body.scene), body.scene)!;
    const moved = setTravel(bind(inPlace, body.scene), body.scene, travel)!;
    const distance = placeAt(walk, 2.4).distanceTo(placeAt(walk, 0));
    expect(placeAt(moved, 2.4).distanceTo(placeAt(walk, 2.4)) / distance).toBeLessThan(0.05);
  });

  it('is a vector of the scene, also below a rotated and scaled node', () => {
    const { nodes } = body.scene;
    const rotations = nodes.rotations.slice();
    const scales = nodes.scales.slice();
    rotations.set([0, Math.SQRT1_2, 0, Math.SQRT1_2], 0);
    scales.fill(2, 0, 3);
    const scene = { ...body.scene, nodes: { ...nodes, rotations, scales } };
    const moved = new Player(scene, setTravel(bind(walk, scene), scene, [0, 0, 3])!);
    const [first, last] = [0, 2.4].map(time => moved.at(time).place(hips)) as [Vector3, Vector3];
    expect(last.sub(first).distanceTo(new Vector3(0, 0, 3))).toBeLessThan(1e-3);
  });

  it('needs a bone that moves', () => {
    expect(setTravel(bind({ ...walk, tracks: trimClip(walk, 0, 1).tracks, duration: 1 }, body.scene), body.scene, [1, 0, 0])).not.toBe(
      null,
    );
    const still = new TestBody({ nameOf: part => `y${part}` });
    expect(setTravel(bind(walk, still.scene), still.scene, [1, 0, 0])).toBe(null);
  });
});
