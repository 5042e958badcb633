// What a recorded hand does at the moment it stands at: how far each finger is bent, and how much it pinches.
import { Vector3 } from 'three';
import type { Hand } from '../three/xr/hands.ts';

export const FINGERS = ['thumb', 'index', 'middle', 'ring', 'pinky'] as const;

export interface HandPose {
  /** Between the tips of thumb and index finger, metres. */
  gap: number;
  /** 0 to 1, by MRTK's rule (HandPoseUtils.CalculateIndexPinch): one at no gap, none from 4 cm on. */
  pinch: number;
  /** By finger, degrees out of the straight line: at the knuckle, in the middle (null: a thumb has no such joint), at the end. Null where a joint was not recorded. */
  bends: readonly (readonly [knuckle: number | null, middle: number | null, end: number | null])[];
}

/** Metres, from which on MRTK calls thumb and finger apart. */
const APART = 0.04;

/** Null: it is not seen, or its tips were not recorded. World matrices are up to date. */
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
    pinch: Math.max(1 - (gap / APART) ** 2, 0),
    bends: FINGERS.map(finger => {
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
 * How far two takes of a hand are apart at this moment, metres: the mean over the joints that both have, as they were recorded, and with one wrist laid on
 * the other, turned alike, so that only the shape of the hand counts. Null: one of them is not seen.
 */
export function handsApart(a: Hand, b: Hand): { apart: number; shape: number } | null {
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
