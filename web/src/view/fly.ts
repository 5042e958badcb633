// Movement of a camera that flies through the scene.
import { MathUtils, Spherical, type Vector3 } from 'three';
import type { CameraRig } from './camera.ts';

/**
 * Moves a flying camera by `step` (right, up, back) in metres, and rotates it by `yaw` and `pitch` in
 * radians. Does nothing unless `isFlying` of the rig is true.
 */
export function fly(rig: CameraRig, step: Vector3, yaw: number, pitch: number): void {
  if (!rig.isFlying) return;
  const { camera, controls } = rig;
  rig.keepPlacement();
  camera.updateMatrix();
  const moved = step.clone().applyQuaternion(camera.quaternion);
  camera.position.add(moved);
  const { radius, phi, theta } = new Spherical().setFromVector3(controls.target.clone().add(moved).sub(camera.position));
  controls.target.setFromSphericalCoords(radius, MathUtils.clamp(phi - pitch, 0.02, Math.PI - 0.02), theta + yaw).add(camera.position);
  controls.update();
  rig.request();
}
