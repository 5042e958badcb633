// Aligns the limbs of two bodies in their rest poses, so that a target in T-pose and one in A-pose
// give the same result.
import { IDENTITY, multiplied, type Quaternion, rotated, rotationBetween, twistBetween } from '../core/math/quaternion.ts';
import type { Vector } from '../core/math/vector.ts';
import type { RestPose } from '../core/restPose.ts';
import { type Body, type BodyBone, planOf } from './bodyPlan.ts';

/** A body and its rest pose. */
export interface BodyAtRest {
  body: Body;
  rest: RestPose;
}

/**
 * Returns the world rotations that align the limbs of the target with the limbs of the source in
 * the rest pose, by bone. Trunk, toes, and the feet of humanoids aren't aligned. `space`: rotation from
 * the axes of the source body to the axes of the target body.
 */
export function alignLimbs(source: BodyAtRest, target: BodyAtRest, space: Quaternion): Map<BodyBone, Quaternion> {
  const alignments = new Map<BodyBone, Quaternion>();
  for (const chain of planOf(target.body).limbs) {
    let rotation = chain.below ? (alignments.get(chain.below) ?? IDENTITY) : IDENTITY;
    for (const [i, bone] of chain.bones.entries()) {
      const next = chain.bones[i + 1] ?? chain.end;
      const targetDirection = next && directionOf(target, bone, next);
      const sourceDirection = next && directionOf(source, bone, next);
      if (targetDirection && sourceDirection)
        rotation = multiplied(rotationBetween(rotated(targetDirection, rotation), rotated(sourceDirection, space)), rotation);
      if (bone === 'leftHand' || bone === 'rightHand') rotation = alignHand(source, target, space, bone, rotation);
      alignments.set(bone, rotation);
    }
  }
  return alignments;
}

function directionOf({ body: { bones }, rest }: BodyAtRest, from: BodyBone, to: BodyBone): Vector | null {
  const [a, b] = [bones.get(from), bones.get(to)];
  return a === undefined || b === undefined ? null : rest.offset(a, b);
}

/**
 * Extends the alignment of a hand by a rotation that aligns the palms, if both bodies have
 * knuckles. Returns the result.
 */
function alignHand(
  source: BodyAtRest,
  target: BodyAtRest,
  space: Quaternion,
  hand: 'leftHand' | 'rightHand',
  rotation: Quaternion,
): Quaternion {
  const [targetPalm, sourcePalm] = [palmOf(target, hand), palmOf(source, hand)];
  if (!targetPalm || !sourcePalm) return rotation;
  const along = rotated(sourcePalm.fingers, space);
  const straight = multiplied(rotationBetween(rotated(targetPalm.fingers, rotation), along), rotation);
  return multiplied(twistBetween(rotated(targetPalm.across, straight), rotated(sourcePalm.across, space), along), straight);
}

/** Returns the vectors from the wrist to the fingers, and from the little finger to the index finger. */
function palmOf({ body: { bones }, rest }: BodyAtRest, hand: 'leftHand' | 'rightHand'): { fingers: Vector; across: Vector } | null {
  const wrist = bones.get(hand);
  const [middle, index, little] = (['Middle', 'Index', 'Little'] as const).map(finger =>
    bones.get(`${hand.slice(0, -4)}${finger}Proximal` as BodyBone),
  );
  if (wrist === undefined || middle === undefined || index === undefined || little === undefined) return null;
  return { fingers: rest.offset(wrist, middle), across: rest.offset(little, index) };
}
