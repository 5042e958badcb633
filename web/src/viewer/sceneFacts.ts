// Facts about the scene of the shown model, which the panels show.
import type { GizmoKind } from '../view/index.ts';

export interface SceneFacts {
  /** Number of spring bones. */
  springs: number;
  /** Constraints and IK handles, each with functions to turn it on and off. */
  rigging: { name: string; kind: 'ik' | 'constraint'; get(): boolean; set(on: boolean): void }[];
  /** Layers that can be shown or hidden. */
  layers: { id: SceneLayer; detail: string; on: boolean }[];
  particles: { name: string; facts: [label: string, value: string][] }[];
  rights: Rights[];
}

export interface Rights {
  /** Name of the character part to which the rights apply; '' for the whole file. */
  of: string;
  rows: [label: string, text: string][];
}

export type SceneLayer = GizmoKind | 'sky' | 'fileLights';
