// Measures the pose of a recorded hand: the flexion of each finger and the strength of a pinch.
import { Vector3 } from 'three';
import type { Hand } from '../three/xr/hands.ts';

export const FINGERS = ['thumb', 'index', 'middle', 'ring', 'pinky'] as const;

export interface HandPose {
  /** Distance between the tips of thumb and index finger, in metres. */
  gap: number;
  /**
   * Strength of the pinch from 0 to 1, as MRTK defines it (HandPoseUtils.CalculateIndexPinch): 1 if
   * the tips touch, 0 if the gap is 4 cm or more.
   */
  pinch: number;
  /**
   * Flexion of the joints of each finger in degrees; 0 is straight. `middle` is null for the thumb.
   * An angle is null if the joints that it depends on were not recorded.
   */
  flexion: readonly (readonly [knuckle: number | null, middle: number | null, end: number | null])[];
}

/** Minimum gap between the fingertips at which MRTK reports no pinch, in metres. */
const NO_PINCH_GAP = 0.04;

/**
 * Returns the pose of a hand; null if the hand is not tracked or its fingertips were not recorded.
 * Requires up-to-date world matrices.
 */
export function handPose({ joints, tracked }: Hand): HandPose | null {
  if (!tracked) return null;
  return poseOfJoints(name => {
    const joint = joints[name];
    return joint?.visible ? new Vector3().setFromMatrixPosition(joint.matrixWorld) : null;
  });
}

/**
 * Returns the pose of a hand; null if its fingertips were not recorded. `at`: returns the position of
 * a WebXR joint in metres, or null if it was not recorded.
 */
export function poseOfJoints(at: (joint: string) => Vector3 | null): HandPose | null {
  const [thumb, index] = [at('thumb-tip'), at('index-finger-tip')];
  if (!thumb || !index) return null;
  const bend = (a: string, b: string, c: string): number | null => {
    const [from, over, to] = [at(a), at(b), at(c)];
    return from && over && to ? (over.clone().sub(from).angleTo(to.sub(over)) * 180) / Math.PI : null;
  };
  const gap = thumb.distanceTo(index);
  return {
    gap,
    pinch: Math.max(1 - (gap / NO_PINCH_GAP) ** 2, 0),
    flexion: FINGERS.map(finger => {
      if (finger === 'thumb')
        return [
          bend('thumb-metacarpal', 'thumb-phalanx-proximal', 'thumb-phalanx-distal'),
          null,
          bend('thumb-phalanx-proximal', 'thumb-phalanx-distal', 'thumb-tip'),
        ];
      const [base, knuckle, middle, end, tip] = ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'].map(
        part => `${finger}-finger-${part}`,
      ) as [string, string, string, string, string];
      return [bend(base, knuckle, middle), bend(knuckle, middle, end), bend(middle, end, tip)];
    }),
  };
}

/**
 * Returns the mean distance between the joints of two hands, in metres; null if either hand is not
 * tracked. `apart`: distance in world space. `shape`: distance relative to the wrists, so that only
 * the shapes of the hands are compared.
 */
export function compareHands(a: Hand, b: Hand): { apart: number; shape: number } | null {
  const [wrist, other] = [a.joints['wrist'], b.joints['wrist']];
  if (!a.tracked || !b.tracked || !wrist || !other) return null;
  const intoA = wrist.matrixWorld.clone().invert();
  const intoB = other.matrixWorld.clone().invert();
  const [from, to] = [new Vector3(), new Vector3()];
  let [count, apart, shape] = [0, 0, 0];
  for (const [name, joint] of Object.entries(a.joints)) {
    const same = b.joints[name];
    if (!joint.visible || !same?.visible) continue;
    apart += from.setFromMatrixPosition(joint.matrixWorld).distanceTo(to.setFromMatrixPosition(same.matrixWorld));
    shape += from.applyMatrix4(intoA).distanceTo(to.applyMatrix4(intoB));
    count++;
  }
  return count > 0 ? { apart: apart / count, shape: shape / count } : null;
}
