// Compares the first and the last frame of clips whose differences are known.
import { Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { loopSeamOf } from '../../../web/src/rig/loopSeam.ts';
import { setTravel } from '../../../web/src/rig/rootMotion.ts';
import { TestBody } from '../../support/bodies.ts';

const body = new TestBody({ axes: 3 });
const seamOf = (seconds: number) => {
  const walk = body.clip('walk', seconds, 60, time => body.walk(time));
  return loopSeamOf(bind(walk, body.scene), body.scene)!;
};

it('finds no difference after a whole cycle, although the body travels', () => {
  const { place, turn, travel } = seamOf(1);
  expect(place.distance).toBeLessThan(1e-3);
  expect(turn.angle).toBeLessThan(0.1);
  expect(travel.distance).toBeGreaterThan(0.5);
  expect(travel.turn).toBeCloseTo(0, 3);
  expect(seamOf(1.5).turn.angle).toBeGreaterThan(5);
});

it('finds no difference if the body also turns', () => {
  const walk = bind(
    body.clip('walk', 1, 60, time => body.walk(time)),
    body.scene,
  );
  const turning = bind(setTravel(walk, body.scene, [1, 0, 0], { turn: 90 })!, body.scene);
  const { place, turn, travel } = loopSeamOf(turning, body.scene)!;
  expect(travel).toEqual({ distance: expect.closeTo(1, 3), turn: expect.closeTo(90, 2) });
  expect(place.distance).toBeLessThan(1e-3);
  expect(turn.angle).toBeLessThan(0.1);
});

it('names the bone that turns most, and the bone that it moves farthest', () => {
  const clip = body.clip('reach', 2, 30, time => ({
    hips: body.hipHeight(),
    turns: new Map([['leftUpperArm', new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), time / 4)]]),
  }));
  const { place, turn, travel } = loopSeamOf(bind(clip, body.scene), body.scene)!;
  expect([turn.node, turn.angle]).toEqual([body.row('leftUpperArm'), expect.closeTo(28.65, 1)]);
  expect(place.distance).toBeGreaterThan(0.1);
  expect(place.node).not.toBe(turn.node);
  expect(travel).toEqual({ distance: expect.closeTo(0, 5), turn: expect.closeTo(0, 3) });
});

it('starts at the first key, and is unknown for a clip without bones', () => {
  const clip = body.clip('reach', 2, 30, time => ({
    hips: body.hipHeight(),
    turns: new Map([['head', new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), time / 4)]]),
  }));
  expect(loopSeamOf(bind(clip, body.scene), body.scene, 1)!.turn.angle).toBeCloseTo(14.32, 1);
  const other = new TestBody({ nameOf: part => `y${part}` });
  expect(loopSeamOf(bind(clip, other.scene), other.scene)).toBeNull();
});
