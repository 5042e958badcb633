// Compares rotations of eyes and head with the angles that VRM's rules specify.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Feature, RigScene } from '../../../web/src/core/types.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { ExpressionRules } from '../../../web/src/rig/expressionRules.ts';
import { LookAt, lookDesignOf } from '../../../web/src/rig/lookAt.ts';
import { humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { type BodyDesign, TestBody } from '../../support/bodies.ts';

const RAD = Math.PI / 180;
const ranges = { inner: [60, 20], outer: [90, 30], up: [45, 10], down: [45, 15] };
const told = (properties: Feature['properties']): Feature => ({ kind: 'lookAt', name: '', properties });

interface Looking {
  body: TestBody;
  animator: Animator;
  look: LookAt;
  /**
   * Returns the direction of a bone that faces forward at rest, in degrees to the left and up, in
   * the axes of the body.
   */
  gaze(part: string): { yaw: number; pitch: number };
  /**
   * Returns a point in scene space. `yaw`, `pitch`: degrees to the left of the eyes and above them.
   * `far`: distance from the eyes.
   */
  place(yaw: number, pitch: number, far?: number): [number, number, number];
}

function looking(design: BodyDesign, features: Feature[] = [], over: Partial<RigScene> = {}, face = false): Looking {
  const body = new TestBody({ ...design, proportions: { ...design.proportions, hasEyes: true } });
  const scene = { ...body.scene, features, ...over };
  const animator = new Animator(scene);
  const look = LookAt.of(scene, face ? new ExpressionRules(scene) : null)!;
  animator.add(look);
  const turnOf = (row: number): Quaternion => {
    const m = animator.world.matrices.subarray(16 * row, 16 * row + 16);
    const q = new Quaternion();
    return q.setFromRotationMatrix({ elements: [...m] } as never);
  };
  animator.world.update(animator.evaluate());
  const rest = new Map(body.bones.map(({ part }) => [part, turnOf(body.row(part))]));
  const at = (part: string): Vector3 => new Vector3().fromArray(animator.world.matrices, 16 * body.row(part) + 12);
  const middle = at('leftEye').add(at('rightEye')).multiplyScalar(0.5);
  return {
    body,
    animator,
    look,
    gaze(part) {
      const forward = new Vector3(0, 0, 1).applyQuaternion(body.yaw);
      const way = forward.applyQuaternion(rest.get(part)!.clone().invert()).applyQuaternion(turnOf(body.row(part)));
      way.applyQuaternion(body.yaw.clone().invert());
      return { yaw: Math.atan2(way.x, way.z) / RAD, pitch: Math.asin(way.y) / RAD };
    },
    place(yaw, pitch, far = 5) {
      const way = new Vector3(
        Math.sin(yaw * RAD) * Math.cos(pitch * RAD),
        Math.sin(pitch * RAD),
        Math.cos(yaw * RAD) * Math.cos(pitch * RAD),
      );
      return way.multiplyScalar(far).applyQuaternion(body.yaw).add(middle).toArray();
    },
  };
}

const DESIGNS: [string, BodyDesign][] = [
  ['axes of the world', {}],
  ['other axes in each bone', { axes: 7 }],
  ['a body that looks elsewhere', { axes: 3, yaw: 115 }],
];

describe.each(DESIGNS)('look-at with eye bones: %s', (_, design) => {
  it.each([
    [40, 20],
    [-40, -20],
    [10, -44],
    [85, 3],
    [-120, 80],
  ])('go as far as the ranges say: %i° to the left, %i° up', (yaw, pitch) => {
    const { animator, look, gaze, place } = looking(design, [told({ type: 'bone', ...ranges })]);
    look.target = place(yaw, pitch);
    animator.world.update(animator.evaluate(1 / 60));
    const part = ([input, output]: number[], angle: number): number =>
      ((output! * Math.min(Math.abs(angle), input!)) / input!) * Math.sign(angle);
    for (const [eye, isLeft] of [
      ['leftEye', true],
      ['rightEye', false],
    ] as const) {
      const now = gaze(eye);
      expect(now.yaw).toBeCloseTo(part(yaw > 0 === isLeft ? ranges.outer : ranges.inner, yaw), 2);
      expect(now.pitch).toBeCloseTo(part(pitch > 0 ? ranges.up : ranges.down, pitch), 2);
    }
    expect(gaze('head').yaw).toBeCloseTo(0, 3); // the head itself does not rotate
  });

  it('aim at the target with linear ranges for any pose of the head', () => {
    const free = Object.fromEntries(Object.keys(ranges).map(name => [name, [120, 120]]));
    for (const headShare of [0, 0.5, 1]) {
      const { body, animator, look, place } = looking(design, [told({ type: 'bone', ...free })]);
      animator.base.rotations.set(new Quaternion(0.1, 0.2, -0.1, 0.96).normalize().toArray(), 4 * body.row('spine1'));
      look.headShare = headShare;
      look.target = place(35, -15, 2);
      animator.world.update(animator.evaluate(1 / 60));
      const eyes = ['leftEye', 'rightEye'].map(part => new Vector3().fromArray(animator.world.matrices, 16 * body.row(part) + 12));
      const way = new Vector3(...look.target).sub(eyes[0]!.add(eyes[1]!).multiplyScalar(0.5)).normalize();
      const m = animator.world.matrices.subarray(16 * body.row('leftEye'), 16 * body.row('leftEye') + 16);
      const turn = new Quaternion().setFromRotationMatrix({ elements: [...m] } as never);
      const other = looking(design);
      other.animator.world.update(other.animator.evaluate());
      const r = other.animator.world.matrices.subarray(16 * body.row('leftEye'), 16 * body.row('leftEye') + 16);
      const rest = new Quaternion().setFromRotationMatrix({ elements: [...r] } as never);
      const forward = new Vector3(0, 0, 1).applyQuaternion(body.yaw).applyQuaternion(rest.invert()).applyQuaternion(turn);
      expect(forward.angleTo(way) / RAD).toBeLessThan(0.05);
    }
  });

  it('rotate the head by headShare', () => {
    const { animator, look, gaze, place } = looking(design);
    look.headShare = 1;
    look.target = place(30, 10);
    animator.world.update(animator.evaluate(1 / 60));
    expect(gaze('head').yaw).toBeGreaterThan(25);
    expect(gaze('head').yaw).toBeLessThan(32);
    expect(gaze('head').pitch).toBeGreaterThan(8);
  });
});

it('limits the head to 60° of yaw and 34° of pitch', () => {
  for (const [yaw, pitch, wanted] of [
    [110, 0, 60],
    [-170, 0, -60],
  ] as const) {
    const { animator, look, gaze, place } = looking({});
    Object.assign(look, { headShare: 1, target: place(yaw, pitch, 500) });
    animator.world.update(animator.evaluate(1 / 60));
    expect(gaze('head').yaw).toBeCloseTo(wanted, -0.5);
  }
  for (const pitch of [80, -80]) {
    const { animator, look, gaze, place } = looking({});
    Object.assign(look, { headShare: 1, target: place(0, pitch, 500) });
    animator.world.update(animator.evaluate(1 / 60));
    expect(gaze('head').pitch).toBeCloseTo(Math.sign(pitch) * 34.4, 0);
  }
});

it('keeps look expressions of other solvers without a target', () => {
  const expressions = ['lookLeft', 'lookUp'].map(preset => ({ name: preset, preset, bindings: [{ renderer: 0, morph: 0, weight: 1 }] }));
  const scene = { ...new TestBody().scene, expressions };
  const face = new ExpressionRules(scene);
  const animator = new Animator(scene);
  animator.add(LookAt.of(scene, face)!);
  face.drive('lookLeft', 0.7);
  animator.evaluate(1 / 60);
  face.update(expressions.map(() => ({ weight: 0 })));
  expect([...face.weights]).toEqual([0.7, 0]);
});

it('rotates a bone once that is both neck and head', () => {
  const body = new TestBody({ proportions: { hasEyes: true } });
  const bones = Object.fromEntries(
    [...humanoidOf(body.scene)!.bones].map(([bone, row]) => [bone, bone === 'neck' ? body.row('head') : row]),
  );
  const scene = { ...body.scene, features: [{ kind: 'humanoid', name: '', properties: { bones } }] };
  const look = LookAt.of(scene)!;
  expect([look.design.neck, look.rows.filter(row => row === body.row('head'))]).toEqual([-1, [body.row('head')]]);
});

it('keeps the pose without a target', () => {
  const { animator, look, place } = looking({ axes: 5 });
  const before = [...animator.evaluate(1 / 60).rotations];
  look.target = place(20, 5);
  expect([...animator.evaluate(1 / 60).rotations]).not.toEqual(before);
  look.target = null;
  expect([...animator.evaluate(1 / 60).rotations]).toEqual(before);
});

it('delays by the time constant at any frame rate', () => {
  const yaws = [30, 60].map(rate => {
    const { animator, look, gaze, place } = looking({}, [told({ outer: [90, 90], inner: [90, 90] })]);
    Object.assign(look, { lag: 0.2, target: place(40, 0) });
    const seen: number[] = [];
    for (let i = 0; i < rate; i++) {
      animator.world.update(animator.evaluate(1 / rate));
      if (i === rate / 5 - 1) seen.push(gaze('leftEye').yaw);
    }
    return [...seen, gaze('leftEye').yaw];
  });
  expect(yaws[0]![0]).toBeCloseTo(40 * (1 - Math.exp(-1)), 1);
  expect(yaws[1]![0]).toBeCloseTo(yaws[0]![0]!, 1);
  expect(yaws[1]![1]).toBeCloseTo(40, 0);
});

it('drives expressions if the file looks with them', () => {
  const expressions = ['lookLeft', 'lookRight', 'lookUp', 'lookDown'].map(preset => ({
    name: preset,
    preset,
    bindings: [{ renderer: 0, morph: 0, weight: 1 }],
  }));
  const features = [told({ type: 'expression', outer: [90, 1], up: [60, 0.6], down: [60, 0.3], offset: [0, 0.08, 0.08] })];
  const body = new TestBody({ proportions: { hasEyes: true } });
  const scene = { ...body.scene, features, expressions };
  const face = new ExpressionRules(scene);
  const animator = new Animator(scene);
  const look = LookAt.of(scene, face)!;
  animator.add(look);
  const { place } = looking({});
  const weights = (yaw: number, pitch: number): number[] => {
    look.target = place(yaw, pitch);
    animator.evaluate(1 / 60);
    face.update(expressions.map(() => ({ weight: 0 })));
    return [...face.weights];
  };
  const near = (found: number[], wanted: number[]): void => found.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 4));
  near(weights(45, 30), [0.5, 0, 0.3, 0]);
  near(weights(-45, -30), [0, 0.5, 0, 0.15]);
  look.target = null;
  animator.evaluate(1 / 60);
  face.update(expressions.map(() => ({ weight: 0 })));
  near([...face.weights], [0, 0, 0, 0]);
});

it('chooses bones or expressions by the model', () => {
  expect(lookDesignOf(new TestBody().scene)!.kind).toBe('none');
  expect(lookDesignOf(new TestBody({ proportions: { hasEyes: true } }).scene)).toMatchObject({
    kind: 'bone',
    ranges: { inner: { input: 90, output: 8 } },
  });
  const elsewhere = told({ offset: [0, 0.1, 0.2] });
  const { offset, head } = lookDesignOf({ ...new TestBody({ proportions: { hasEyes: true } }).scene, features: [elsewhere] })!;
  expect(head).toBeGreaterThan(0);
  for (const [c, value] of offset.entries()) expect(value).toBeCloseTo([0, 0.1, 0.2][c]!, 5);
  const broken = told({ inner: [-0.5, 5], outer: [-1, 2], up: ['x'], down: [30, NaN] as never });
  const { ranges: sound } = lookDesignOf({ ...new TestBody({ proportions: { hasEyes: true } }).scene, features: [broken] })!;
  expect(sound).toEqual({
    inner: { input: 90, output: 8 },
    outer: { input: 90, output: 12 },
    up: { input: 90, output: 10 },
    down: { input: 90, output: 10 },
  });
});

it('an input range of 0 gives the full output for any angle', () => {
  const full = { inner: [0, 20], outer: [0, 30], up: [0, 10], down: [0, 15] };
  const { animator, look, gaze, place } = looking({}, [told({ type: 'bone', ...full })]);
  const gazes = (yaw: number, pitch: number): number[] => {
    look.target = place(yaw, pitch);
    animator.world.update(animator.evaluate(1));
    return [gaze('leftEye').yaw, gaze('rightEye').yaw, gaze('leftEye').pitch];
  };
  expect(gazes(3, 2)).toEqual([30, 20, 10].map(value => expect.closeTo(value, 2)));
  expect(gazes(-3, -2)).toEqual([-20, -30, -15].map(value => expect.closeTo(value, 2)));
});
