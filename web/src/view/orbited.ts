// Draws with a rotated camera, as for the frames of a turntable.
import { Quaternion, Vector3 } from 'three';
import type { CameraRig } from './camera.ts';

const UP = new Vector3(0, 1, 0);

/**
 * Calls `draw` while the visitor's camera is rotated around the vertical axis through its target by
 * `angle` radians, then restores the camera.
 */
export function whileOrbited({ camera, controls }: CameraRig, angle: number, draw: () => void): void {
  const position = camera.position.clone();
  const rotation = camera.quaternion.clone();
  camera.position.sub(controls.target).applyAxisAngle(UP, angle).add(controls.target);
  camera.quaternion.premultiply(new Quaternion().setFromAxisAngle(UP, angle));
  try {
    draw();
  } finally {
    camera.position.copy(position);
    camera.quaternion.copy(rotation);
    camera.updateMatrixWorld();
  }
}
