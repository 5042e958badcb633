// What spring bones need of the rules by which they swing (springs.ts, springsVrm.ts).
import type { Object3D, QuaternionLike } from 'three';
import type { SpringSettings } from '../../rig/springs.ts';

/** Metres. */
export type Point = [number, number, number];

export interface SpringCollider {
  owner: Object3D;
  offset: Point;
  radius: number;
}

/** A group of chains as the file has it. */
export interface SpringDesign {
  settings: SpringSettings;
  gravity: Point;
  colliders: SpringCollider[];
  /** From the root on, without the leaf: what ends a chain only shows its parent the way. */
  chains: { bone: Object3D; child: Object3D }[][];
}

/** What moves the bones: one of two sets of rules. */
export interface SpringRules {
  /** Seconds. */
  readonly step: number;
  advance(): void;
  /** Where the bones are now, they rest. */
  reset(): void;
  turnWorld(turn: QuaternionLike): void;
}
