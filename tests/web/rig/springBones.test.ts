// Tests the solvers of spring bones and expressions, also on objects that the page moves.
import { readFileSync } from 'node:fs';
import { Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { Expressions } from '../../../web/src/rig/expressions.ts';
import { SpringBoneSolver } from '../../../web/src/rig/springBones.ts';
import { Rig } from '../../../web/src/three/index.ts';
import { armScene, f32 } from '../../support/armScene.ts';
import { avatarScene, springBone } from '../../support/avatarScene.ts';
import { skeleton } from '../../support/figure.ts';

const avatar = async () => {
  const bytes = readFileSync(new URL('../../../web/src/viewer/demo/Lotl.vgo', import.meta.url));
  return open(new Uint8Array(bytes), { name: 'Lotl.vgo', worker: false });
};

it('spring bones move like those of objects, also below an animated bone', async () => {
  const file = await avatar();
  const rig = await Rig.make(file);
  rig.scene.updateMatrixWorld(true);
  const animator = new Animator(file.scene!);
  const springs = SpringBoneSolver.of(animator.shape)!;
  animator.add(springs);
  const bones = rig.springs!.bones.map(bone => rig.nodes.indexOf(bone));
  expect(bones.length).toBeGreaterThan(3);
  const above = file.scene!.nodes.parents[bones[0]!]!;
  const rest = new Quaternion().fromArray(file.scene!.nodes.rotations, 4 * above);
  let [worst, farthest] = [0, 0];
  for (let frame = 1; frame <= 90; frame++) {
    const turned = rest.clone().multiply(new Quaternion(Math.sin(0.2 * Math.sin(frame / 7)), 0, 0, Math.cos(0.2 * Math.sin(frame / 7))));
    rig.nodes[above]!.quaternion.copy(turned);
    rig.update(1 / 50);
    animator.base.rotations.set(turned.toArray(), 4 * above);
    const { rotations } = animator.evaluate(1 / 50);
    for (const row of bones) {
      const q = new Quaternion().fromArray(rotations, 4 * row);
      worst = Math.max(worst, q.angleTo(rig.nodes[row]!.quaternion));
      farthest = Math.max(farthest, q.angleTo(new Quaternion().fromArray(file.scene!.nodes.rotations, 4 * row)));
    }
  }
  expect(farthest).toBeGreaterThan(0.02); // the bones move
  expect(worst).toBeLessThan(1e-4);
  rig.dispose();
});

it('a reset restores the pose without movement', () => {
  const wind = springBone({ gravityPower: 1, stiffnessForce: 0.2, gravityDirection: [1, 0, 0] });
  const animator = new Animator({ ...avatarScene(), features: [wind] });
  const springs = SpringBoneSolver.of(animator.shape)!;
  animator.add(springs);
  const rest = [...animator.pose.rotations];
  for (let i = 0; i < 20; i++) animator.evaluate(0.021);
  expect(Math.max(...rest.map((value, i) => Math.abs(value - animator.pose.rotations[i]!)))).toBeGreaterThan(0.02);
  for (let i = 0; i < 3; i++) animator.evaluate(0.0063); // slightly less than a step
  animator.pose.copy(animator.base);
  springs.reset(animator.pose, animator.world);
  expect([...animator.evaluate(0.001).rotations]).toEqual(rest);
});

it('a bone continues from its simulated rotation unless a layer has rotated the bone', () => {
  const wind = springBone({ gravityPower: 1, stiffnessForce: 0, gravityDirection: [1, 0, 0] });
  const animator = new Animator({ ...avatarScene(), features: [wind] });
  const springs = SpringBoneSolver.of(animator.shape)!;
  animator.add(springs);
  const turnOf = (): number[] => [...animator.pose.rotations.subarray(4, 8)];
  for (let i = 0; i < 20; i++) animator.evaluate(0.021);
  const left = turnOf();
  animator.evaluate(0); // no simulation step
  expect(turnOf()).toEqual(left);
  const turned = [0, 0, Math.sin(0.3), Math.cos(0.3)];
  animator.base.rotations.set(turned, 4);
  animator.evaluate(0);
  expect(turnOf()).toEqual(turned);
});

it('expressions are added to animated morph weights', async () => {
  const file = await avatar();
  const animator = new Animator(file.scene!);
  const expressions = new Expressions(animator.shape);
  animator.add(expressions);
  const { name, bindings } = file.scene!.expressions.find(each => each.bindings.length > 0)!;
  const [{ renderer, morph, weight }] = bindings as [(typeof bindings)[number]];
  const row = animator.shape.morphOffsets[renderer]! + morph;
  animator.base.weights[row] = 0.25;
  expect(expressions.set(name, 0.5)).toBe(true);
  for (let i = 0; i < 3; i++) expect(animator.evaluate().weights[row]).toBeCloseTo(0.25 + 0.5 * weight, 6);
  expect(expressions.set('no such face', 1)).toBe(false);
});

it('spring bones on objects start from rotations set by the page without accumulating them', async () => {
  const rig = await Rig.make({
    scene: { ...avatarScene(), features: [springBone({ gravityPower: 0, stiffnessForce: 1, dragForce: 0.9 })] },
  });
  const [, lower, upper] = rig.nodes;
  const turned = new Quaternion(0, 0, Math.sin(0.3), Math.cos(0.3));
  for (let i = 0; i < 5; i++) rig.update(0.02);
  lower!.quaternion.copy(turned);
  rig.update(0); // no simulation step
  expect(lower!.quaternion.toArray()).toEqual(turned.toArray());
  for (let i = 0; i < 400; i++) rig.update(0.02);
  const held = [lower!, upper!].map(({ quaternion }) => quaternion.toArray());
  expect(rig.springs!.isMoving).toBe(false);
  for (let i = 0; i < 400; i++) rig.update(0.02);
  [lower!, upper!].forEach(({ quaternion }, i) => quaternion.toArray().forEach((value, c) => expect(value).toBeCloseTo(held[i]![c]!, 6)));
  rig.springs!.isOn = false;
  expect(lower!.quaternion.toArray()).toEqual(turned.toArray());
  rig.update(0.02);
  expect(lower!.quaternion.toArray()).toEqual(turned.toArray());
});

it('spring bones below a non-uniform scale move like in Unity', () => {
  const rotation = (x: number, y: number, z: number, angle: number): number[] =>
    new Quaternion().setFromAxisAngle(new Vector3(x, y, z).normalize(), angle).toArray();
  const nodes = {
    ...skeleton([
      ['scaled', '', 0, 1, 0],
      ['first', 'scaled', 0.2, 1, 0],
      ['second', 'first', 0.4, 1.05, 0],
      ['tip', 'second', 0.6, 1.05, 0.05],
    ]),
    rotations: f32(0, 0, 0, 1, ...rotation(0, 0, 1, 0.5), ...rotation(0, 1, 0.3, 1.1), 0, 0, 0, 1, 0, 0, 0, 1),
    scales: f32(1, 1, 1, 1.5, 0.7, 1.1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
  };
  const animator = new Animator({ ...armScene(), nodes, features: [springBone({ gravityPower: 0.5, rootBones: [2] })] });
  animator.add(SpringBoneSolver.of(animator.shape)!);
  for (let i = 0; i < 50; i++) animator.evaluate(0.02);
  animator.world.update(animator.pose);
  const tip = [...animator.world.matrices.subarray(16 * 4 + 12, 16 * 4 + 15)];
  expect(tip).toEqual([0.1437, 0.7853, -0.0255].map(value => expect.closeTo(value, 4))); // by a separate implementation in double precision
});
