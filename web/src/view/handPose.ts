// Measures the pose of a recorded hand: how far each finger is bent and how strongly the hand
// pinches.
import { Vector3 } from 'three';
import type { Hand } from '../three/xr/hands.ts';

export const FINGERS = ['thumb', 'index', 'middle', 'ring', 'pinky'] as const;

export interface HandPose {
  /** Distance between the tips of thumb and index finger, metres. */
  gap: number;
  /**
   * 0 to 1, by MRTK's rule (HandPoseUtils.CalculateIndexPinch): 1 if the tips touch, 0 from a gap
   * of 4 cm.
   */
  pinch: number;
  /**
   * Flexion of each finger, degrees from straight. `middle` is null for the thumb, and any value is
   * null if its joints were not recorded.
   */
  flexion: readonly (readonly [knuckle: number | null, middle: number | null, end: number | null])[];
}

/** Gap from which MRTK reports no pinch, metres. */
const NO_PINCH_GAP = 0.04;

/**
 * Null if the hand is not tracked or its fingertips were not recorded. Requires up-to-date world
 * matrices.
 */
export function handPose({ joints, tracked }: Hand): HandPose | null {
  const at = (name: string): Vector3 | null => {
    const joint = joints[name];
    return joint?.visible ? new Vector3().setFromMatrixPosition(joint.matrixWorld) : null;
  };
  const [thumb, index] = [at('thumb-tip'), at('index-finger-tip')];
  if (!tracked || !thumb || !index) return null;
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
 * Compares two recordings of a hand by the mean distance of their common joints, metres. `apart`:
 * in world space. `shape`: relative to each wrist, so that only the hand's shape counts. Null if
 * either hand is not tracked.
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
