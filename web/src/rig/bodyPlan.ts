// Plans of humanoids and quadrupeds, which the retargeting of bodies uses: limbs that are
// aligned, chains whose bones are paired by position, and legs that are planted.
import { distance, type Vector } from '../core/math/vector.ts';
import { invalidArgument } from '../core/error.ts';
import { SIDES } from '../core/nameWords.ts';
import type { StatedPair } from './boneMap.ts';
import type { Finger, HumanBone } from './humanBones.ts';
import type { QuadrupedBone } from './quadrupedBones.ts';
import { PAIRS } from './quadrupedNames.ts';

/** A bone of a humanoid or of a quadruped. */
export type BodyBone = HumanBone | QuadrupedBone;

/** A humanoid or a quadruped. */
export interface Body {
  kind: 'humanoid' | 'quadruped';
  /** Row in `scene.nodes` of each bone that was found. */
  bones: ReadonlyMap<BodyBone, number>;
  /** Bones between hips and neck, from the hips upwards. */
  spine: readonly number[];
  /** Bones between spine and head. */
  neck: readonly number[];
  /** Bones of the tail, from its root to its tip. */
  tail?: readonly number[];
  detectedFrom: 'file' | 'names' | 'topology';
}

/** A leg that is planted by two-bone IK. `end`: the part of the foot that touches the ground. */
export interface LegBones {
  upper: BodyBone;
  lower: BodyBone;
  foot: BodyBone;
  end: BodyBone;
}

interface BodyPlan {
  /**
   * Chains of bones that are aligned between source and target. `end`: joint that defines the
   * direction of the last bone. `below`: bone whose alignment the chain inherits, such as the hand
   * for a finger.
   */
  limbs: readonly { below?: BodyBone; bones: readonly BodyBone[]; end?: BodyBone }[];
  legs: readonly LegBones[];
  arms: readonly { upper: BodyBone; lower: BodyBone; hand: BodyBone }[];
  /** Bones of the trunk, which are paired by their position in a chain, not by name. */
  chained: ReadonlySet<BodyBone>;
  /** Left and right bones at the upper end of the trunk, and at the hips. */
  top: readonly [BodyBone, BodyBone];
  bottom: readonly [BodyBone, BodyBone];
}

const jointsOf = (finger: Finger): readonly string[] =>
  finger === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal'];

const PLANS: Readonly<Record<Body['kind'], BodyPlan>> = {
  humanoid: {
    limbs: SIDES.flatMap(side => [
      { bones: [`${side}UpperArm`, `${side}LowerArm`, `${side}Hand`] as const },
      { bones: [`${side}UpperLeg`, `${side}LowerLeg`] as const, end: `${side}Foot` as const },
      ...(['Thumb', 'Index', 'Middle', 'Ring', 'Little'] as const).map(finger => ({
        below: `${side}Hand` as const,
        bones: jointsOf(finger).map(joint => `${side}${finger}${joint}` as HumanBone),
      })),
    ]),
    legs: SIDES.map(side => ({ upper: `${side}UpperLeg`, lower: `${side}LowerLeg`, foot: `${side}Foot`, end: `${side}Foot` })),
    arms: SIDES.map(side => ({ upper: `${side}UpperArm`, lower: `${side}LowerArm`, hand: `${side}Hand` })),
    chained: new Set(['spine', 'chest', 'upperChest', 'neck']),
    top: ['leftUpperArm', 'rightUpperArm'],
    bottom: ['leftUpperLeg', 'rightUpperLeg'],
  },
  quadruped: {
    limbs: PAIRS.flatMap(pair =>
      SIDES.map(side => {
        const leg = `${side}${pair}` as const;
        return { bones: [`${leg}UpperLeg`, `${leg}LowerLeg`, `${leg}Foot`], end: `${leg}Toes` } as const;
      }),
    ),
    legs: PAIRS.flatMap(pair =>
      SIDES.map(side => {
        const leg = `${side}${pair}` as const;
        return { upper: `${leg}UpperLeg`, lower: `${leg}LowerLeg`, foot: `${leg}Foot`, end: `${leg}Toes` } as const;
      }),
    ),
    arms: [],
    chained: new Set(['spine', 'neck', 'tail']),
    top: ['leftFrontUpperLeg', 'rightFrontUpperLeg'],
    bottom: ['leftHindUpperLeg', 'rightHindUpperLeg'],
  },
};

export const planOf = ({ kind }: Pick<Body, 'kind'>): BodyPlan => PLANS[kind];

/**
 * Returns the row of a bone. Throws a TypeError with the code INVALID_ARGUMENT if the body lacks the
 * bone.
 */
export function boneOf({ bones }: Pick<Body, 'bones'>, name: BodyBone): number {
  const row = bones.get(name);
  if (row === undefined) throw invalidArgument(`The body has no bone ${name}.`);
  return row;
}

/** Returns the total length of all legs in metres, of quadrupeds down to the toes. */
export function legLength(body: Body, { positions }: { positions: readonly Vector[] }): number {
  let sum = 0;
  for (const leg of planOf(body).legs) {
    const joints = [leg.upper, leg.lower, leg.foot, leg.end].map(bone => positions[body.bones.get(bone) ?? -1]);
    for (const [i, joint] of joints.entries()) {
      const next = joints[i + 1];
      if (joint && next) sum += distance(joint, next);
    }
  }
  return sum;
}

/**
 * Returns the body of an animation in which body parts are the bones that the user states for those
 * of the model. Bones of the trunk are paired by position and keep their places.
 */
export function withStated(source: Body, target: Body, stated: readonly StatedPair[]): Body {
  const { chained } = planOf(target);
  const bones = new Map(source.bones);
  for (const [bone, row] of target.bones) {
    const from = stated.find(({ to }) => to === row)?.from ?? -1;
    if (from >= 0 && !chained.has(bone)) bones.set(bone, from);
  }
  return stated.length > 0 ? { ...source, bones } : source;
}
