// Tests the rest pose of a model with constraints and IK. They are evaluated even if no animation
// plays, unless they are turned off.
import { Vector3 } from 'three';
import { expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { ClipAction, restPose } from '../../../web/src/session/clipAction.ts';
import { Rig } from '../../../web/src/three/index.ts';
import { TestBody } from '../../support/bodies.ts';
import { breathFile, stepFile } from '../../support/livingFiles.ts';

const placeOf = (rig: Rig, name: string): Vector3 => {
  rig.scene.updateMatrixWorld(true);
  return rig.nodes[rig.file.scene!.nodes.names.indexOf(name)]!.getWorldPosition(new Vector3());
};

it('solves IK in the rest pose and in an action without clips, unless IK is turned off', async () => {
  const rig = await Rig.make(await open(stepFile(), { name: 'step.cast', worker: false }));
  const atRest = placeOf(rig, 'leftFoot');
  const goal = placeOf(rig, 'goal');
  expect(atRest.distanceTo(goal)).toBeGreaterThan(0.3);
  restPose([rig]);
  expect(placeOf(rig, 'leftFoot').distanceTo(goal)).toBeLessThan(1e-4);
  const knee = placeOf(rig, 'leftLowerLeg');
  expect(knee.z).toBeGreaterThan(0.2); // towards the pole
  rig.rigging!.parts[0]!.isOn = false;
  restPose([rig]);
  expect(placeOf(rig, 'leftFoot').distanceTo(atRest)).toBeLessThan(1e-6);
  rig.rigging!.parts[0]!.isOn = true;
  new ClipAction([rig], []).seek(0);
  expect(placeOf(rig, 'leftFoot').distanceTo(goal)).toBeLessThan(1e-4);
});

it('leaves a body without constraints and IK unchanged', async () => {
  const rig = await Rig.make(await open(breathFile(), { name: 'runner.cast', worker: false }));
  const { place } = new TestBody().bones.find(({ part }) => part === 'leftFoot')!;
  rig.nodes[rig.file.scene!.nodes.names.indexOf('hips')]!.position.y += 1;
  restPose([rig]);
  expect(placeOf(rig, 'leftFoot').distanceTo(place)).toBeCloseTo(1, 5); // the pose set by the page is kept
});
