// A hand with the joints of WebXR, without hierarchy, as in the `generic-hand` profile.
import type { RigScene } from '../../web/src/core/types.ts';
import { armScene } from './armScene.ts';
import { type Bone, skeleton } from './figure.ts';

const FINGERS = ['index-finger', 'middle-finger', 'ring-finger', 'pinky-finger'] as const;
const PHALANGES = ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'] as const;

export interface HandDesign {
  side: 'left' | 'right';
  /** Fingers bend by this amount towards the palm (default: 0.015 m per joint). */
  bend?: number;
  /** Names of nodes beside the joints. */
  siblings?: string[];
}

/**
 * Builds a hand that points to -Z with the palm down. The tip of each finger precedes its other
 * joints.
 */
export function webxrHand({ side, bend = 0.015, siblings = [] }: HandDesign): RigScene {
  const out = side === 'right' ? -1 : 1; // direction from the little finger to the thumb
  const finger = (name: string, x: number): Bone[] =>
    PHALANGES.map((joint, k): Bone => [`${name}-${joint}`, 'Armature', out * x, -bend * Math.max(k - 1, 0), -0.03 - 0.03 * k]).reverse();
  const thumb = ['metacarpal', 'phalanx-proximal', 'phalanx-distal', 'tip'].map((joint, k): Bone => {
    return [`thumb-${joint}`, 'Armature', out * (0.02 + 0.015 * k), -bend * (k + 1), -0.03 - 0.02 * k];
  });
  const joints = [...FINGERS.flatMap((name, f) => finger(name, 0.02 - 0.015 * f)), ...thumb.reverse()];
  const beside = siblings.map((name): Bone => [name, 'Armature', 0, 0, 0]);
  const nodes = skeleton([['Armature', '', 0, 0, 0], ...joints, ['wrist', 'Armature', 0, 0, 0], ...beside]);
  nodes.bones[1] = -1;
  return { ...armScene(), asset: { name: 'hand', metresPerUnit: 1 }, nodes, meshes: [], renderers: [], skins: [], clips: [] };
}
