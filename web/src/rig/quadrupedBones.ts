// Names of quadruped bones.
import type { Side } from '../core/nameWords.ts';

/**
 * Bones of a leg. `Shoulder`: shoulder blade of a front leg. `Foot`: metacarpus or metatarsus, from
 * the wrist or the hock to the toes.
 */
export const LEG_PARTS = ['Shoulder', 'UpperLeg', 'LowerLeg', 'Foot', 'Toes'] as const;

type LegPart = (typeof LEG_PARTS)[number];

/**
 * Names of quadruped bones. `hips`: the bone from which all legs descend. `pelvis`: the bone from
 * which both hind legs descend, if it isn't the hips.
 */
export type QuadrupedBone =
  | 'hips'
  | 'pelvis'
  | 'spine'
  | 'neck'
  | 'head'
  | 'jaw'
  | 'tail'
  | `${Side}Ear`
  | `${Side}Front${LegPart}`
  | `${Side}Hind${Exclude<LegPart, 'Shoulder'>}`;
