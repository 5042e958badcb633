// Tests generated breathing and idle clips.
import { Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { breathing, idle } from '../../../web/src/rig/idle.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { armScene } from '../../support/armScene.ts';
import { TestBody } from '../../support/bodies.ts';

const angleDown = (body: TestBody, part: string, next: string): number => {
  const animator = new Animator(body.scene);
  animator.layers.push(new Layer(animator.shape, bind(idle(body.scene)!, body.scene).tracks));
  animator.world.update(animator.evaluate());
  const at = (each: string): Vector3 => new Vector3().fromArray(animator.world.matrices, 16 * body.row(each) + 12);
  return (
    (at(next)
      .sub(at(part))
      .angleTo(new Vector3(0, -1, 0)) *
      180) /
    Math.PI
  );
};

it('idle keeps arms that are already lowered', () => {
  for (const [armsDown, wanted] of [
    [70, 14],
    [84, 6],
    [90, 0],
  ] as const)
    expect(angleDown(new TestBody({ armsDown }), 'leftUpperArm', 'leftLowerArm')).toBeCloseTo(wanted, 2);
});

it('idle keeps elbows that are bent at rest', () => {
  const elbow = (body: TestBody): number => {
    const animator = new Animator(body.scene);
    animator.layers.push(new Layer(animator.shape, bind(idle(body.scene)!, body.scene).tracks));
    animator.world.update(animator.evaluate());
    const at = (each: string): Vector3 => new Vector3().fromArray(animator.world.matrices, 16 * body.row(each) + 12);
    const upper = at('leftLowerArm').sub(at('leftUpperArm'));
    return (at('leftHand').sub(at('leftLowerArm')).angleTo(upper) * 180) / Math.PI;
  };
  expect(elbow(new TestBody())).toBeCloseTo(12, 2);
  const bent = new TestBody();
  const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), (-40 * Math.PI) / 180); // bends the left arm forward
  bent.scene.nodes.rotations.set(turn.toArray(), 4 * bent.row('leftLowerArm'));
  expect(elbow(bent)).toBeCloseTo(40, 2);
});

const BODIES = [new TestBody(), new TestBody({ axes: 9, yaw: 70 }), new TestBody({ axes: 4, armsDown: 45 })];

it.each(BODIES.map((body, i) => [i, body] as const))('idle lowers the arms and loops seamlessly: body %i', (_, body) => {
  const clip = idle(body.scene)!;
  const animator = new Animator(body.scene);
  const layer = new Layer(animator.shape, bind(clip, body.scene).tracks);
  animator.layers.push(layer);
  const at = (part: string, time: number): Vector3 => {
    layer.time = time;
    animator.world.update(animator.evaluate());
    return new Vector3().fromArray(animator.world.matrices, 16 * body.row(part) + 12);
  };
  const down = new Vector3(0, -1, 0);
  for (const side of ['left', 'right']) {
    const arm = at(`${side}LowerArm`, 0).sub(at(`${side}UpperArm`, 0));
    expect((arm.angleTo(down) * 180) / Math.PI).toBeCloseTo(14, 3);
    const hand = at(`${side}Hand`, 0)
      .sub(at(`${side}LowerArm`, 0))
      .applyQuaternion(body.yaw.clone().invert());
    expect(hand.z).toBeGreaterThan(0.03); // elbows bend forward
    expect(at(`${side}Hand`, 0).distanceTo(at(`${side}Hand`, clip.duration))).toBeLessThan(1e-6);
    expect(at(`${side}Foot`, 0).distanceTo(at(`${side}Foot`, 1.7))).toBe(0);
  }
  const rise = at('leftUpperArm', 1.7).y - at('leftUpperArm', 0).y;
  expect(rise).toBeGreaterThan(0.001);
  expect(rise).toBeLessThan(0.02);
});

it('breathing is additive to a walk and keeps the head level', () => {
  const body = BODIES[1]!;
  const { scene } = body;
  const walk = bind(
    body.clip('walk', 1, 30, time => body.walk(time)),
    scene,
  ).tracks;
  const pose = (strength: number): Float64Array => {
    const animator = new Animator(scene);
    animator.layers.push(new Layer(animator.shape, walk));
    const clip = breathing(scene, strength)!;
    if (strength > 0) animator.layers.push(new Layer(animator.shape, bind(clip, scene).tracks));
    for (const layer of animator.layers) layer.time = 0.84;
    animator.world.update(animator.evaluate());
    return animator.world.matrices.slice();
  };
  const [without, with1] = [pose(0), pose(1)];
  const moved = (part: string): number => {
    const at = 16 * body.row(part) + 12;
    return new Vector3().fromArray(without, at).distanceTo(new Vector3().fromArray(with1, at));
  };
  expect(moved('leftFoot')).toBe(0);
  expect(moved('rightUpperArm')).toBeGreaterThan(1e-4);
  expect(moved('head')).toBeGreaterThan(1e-4);
});

it('breathing and idle require a humanoid', () => {
  expect(idle(armScene())).toBeNull();
  expect(breathing(armScene())).toBeNull();
});
