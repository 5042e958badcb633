// Builds skeletons of upright human figures that face +Z, with common bone names.
import type { NodeTable, RigScene } from '../../web/src/core/types.ts';
import { armScene, f32 } from './armScene.ts';

export type Bone = [name: string, parent: string, ...place: number[]];

/**
 * Builds the node table of a skeleton from bones with scene positions. `turn`: rotation of the
 * root; all other bones have identity rotations.
 */
export function skeleton(bones: Bone[], turn: readonly number[] = [0, 0, 0, 1]): NodeTable {
  const names = ['', ...bones.map(([name]) => name)];
  const rowOf = (name: string): number => names.indexOf(name);
  const at = (row: number): number[] => (row > 0 ? (bones[row - 1]!.slice(2) as number[]) : [0, 0, 0]);
  const parents = [-1, ...bones.map(([, parent]) => rowOf(parent))];
  const count = names.length;
  return {
    ...armScene().nodes,
    length: count,
    names,
    parents: Int32Array.from(parents),
    translations: f32(...names.flatMap((_, row) => at(row).map((value, k) => value - at(parents[row]!)[k]!))),
    rotations: f32(...names.flatMap((_, row) => (row === 0 ? turn : [0, 0, 0, 1]))),
    scales: new Float32Array(count * 3).fill(1),
    bones: Int32Array.from(names, (_, row) => row - 1),
  };
}

/** Naming style: returns the bone name of a body part on one side. */
export type Style = (part: string, side: 'left' | 'right') => string;

export const biped = (style: Style, [thigh, foot, arm, hips, head]: string[] = ['thigh', 'foot', 'upperarm', 'pelvis', 'head']): Bone[] => [
  [hips!, '', 0, 1, 0],
  [head!, hips!, 0, 1.7, 0],
  ...(['left', 'right'] as const).flatMap((side): Bone[] => {
    const x = side === 'left' ? 1 : -1; // a figure that faces +Z has its left side at +X
    return [
      [style(thigh!, side), hips!, x * 0.1, 0.95, 0],
      [style(foot!, side), style(thigh!, side), x * 0.12, 0.1, 0.05],
      [style(arm!, side), hips!, x * 0.2, 1.4, 0],
    ];
  }),
];

/** Naming style of Unreal, for example `thigh_l`. */
export const short = (part: string, side: 'left' | 'right'): string => `${part}_${side[0]}`;

/** Returns a scene that contains only these bones. */
export function boneScene(bones: Bone[]): RigScene {
  const nodes = skeleton(bones);
  const column = (value: number): Uint8Array => new Uint8Array(nodes.length).fill(value);
  return {
    ...armScene(),
    nodes: { ...nodes, visible: column(1), segmentScaleCompensate: column(0) },
    meshes: [],
    renderers: [],
    clips: [],
  };
}
