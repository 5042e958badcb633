// Names of humanoid bones.
import type { Side } from '../core/nameWords.ts';

export type Finger = 'Thumb' | 'Index' | 'Middle' | 'Ring' | 'Little';
type OfLimb = 'Shoulder' | 'UpperArm' | 'LowerArm' | 'Hand' | 'UpperLeg' | 'LowerLeg' | 'Foot' | 'Toes' | 'Eye';
type OfThumb = 'ThumbMetacarpal' | 'ThumbProximal' | 'ThumbDistal';
type OfFinger = `${Exclude<Finger, 'Thumb'>}${'Proximal' | 'Intermediate' | 'Distal'}`;

/** Humanoid bone names of VRM 1.0, which VGO also uses. */
export type HumanBone =
  'hips' | 'spine' | 'chest' | 'upperChest' | 'neck' | 'head' | 'jaw' | `${Side}${OfLimb}` | `${Side}${OfThumb}` | `${Side}${OfFinger}`;
