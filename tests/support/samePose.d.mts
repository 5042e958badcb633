import type { RigPose } from '../../web/src/three/animation/pose.ts';

export interface Farthest {
  bones: number;
  who: string;
  box: number;
  missing: string[];
  /** Bones of the result that the source lacks. */
  added: number;
}

export function farthest(source: RigPose, result: RigPose, turn?: number): Farthest;
