// Parses the attributes `orientation` and `scale`. Their syntax is that of the attributes of
// <model-viewer>.
import { Euler, Quaternion, Vector3 } from 'three';
import type { Rig } from '../three/rig.ts';
import { transformModel, type ModelTransform } from '../view/present.ts';
import { parseNumber } from './cssValues.ts';
import { parseAngle } from './quantities.ts';
import { splitWords } from './urls.ts';

/**
 * Returns the rotation and scale that the attributes specify, or undefined if the model is shown
 * unchanged. Angles that are missing or invalid are 0; such factors are 1.
 */
export function modelTransformOf(orientation: string | null, scale: string | null): ModelTransform | undefined {
  const [roll = 0, pitch = 0, yaw = 0] = splitWords(orientation).map(word => parseAngle(word) ?? 0);
  const factors = splitWords(scale).map(word => parseNumber(word) || 1);
  const [x = 1, y = x, z = x] = factors;
  const isUnchanged = [roll, pitch, yaw].every(angle => angle === 0) && [x, y, z].every(factor => factor === 1);
  return isUnchanged
    ? undefined
    : { rotation: new Quaternion().setFromEuler(new Euler(pitch, yaw, roll, 'YXZ')), scale: new Vector3(x, y, z) };
}

/** Restores the rotation and scale that a rig had before it was presented. */
export function resetTransform(rig: Rig): void {
  transformModel(rig, { rotation: rig.scene.quaternion.clone().invert(), scale: new Vector3(1, 1, 1) });
}
