// Rows of the bone map: the bones of the model with the bones of the animation that move them, then
// the bones of the animation that move nothing.
import type { NodeTable, RigScene } from '../../core/types.ts';
import { type BoneMap, type BoneMapPair, boneLabel, type BoneName, boneNameOf, isSameBone, targetOf } from '../../rig/boneMap.ts';
import type { RetargetedPair } from '../../rig/retargetedPair.ts';
import type { Retargeting } from '../../session/openedFile.ts';

export const BONE_FILTERS = ['all', 'paired', 'unpaired', 'changed'] as const;
export type BoneFilter = (typeof BONE_FILTERS)[number];

export interface BoneMapRow {
  id: string;
  /** The bone in the model; null if the row is about a bone of the animation that moves nothing. */
  target: BoneName | null;
  /** Node of that bone in the model; -1 for none. */
  node: number;
  /** The bones of the animation that move it. */
  sources: readonly BoneName[];
  /** The pair; null if the bone is not paired. */
  pair: RetargetedPair | null;
}

/** Returns the nodes that can be paired: the bones, or all nodes but the root if there are no bones. */
export function bonesOf({ bones, length }: NodeTable): number[] {
  const rows = Array.from({ length: Math.max(length - 1, 0) }, (_, i) => i + 1);
  const isBone = (row: number): boolean => (bones[row] ?? -1) >= 0;
  return rows.some(isBone) ? rows.filter(isBone) : rows;
}

/** Returns all rows. `to`: scene of the model. */
export function boneMapRows({ from, pairs }: Pick<Retargeting, 'from' | 'pairs'>, to: RigScene): BoneMapRow[] {
  const byTarget = new Map(pairs.map(pair => [pair.target, pair]));
  const targets = [...new Set([...bonesOf(to.nodes), ...byTarget.keys()])].sort((a, b) => a - b);
  const used = new Set(pairs.flatMap(({ sources }) => sources));
  return [
    ...targets.map((node): BoneMapRow => {
      const pair = byTarget.get(node) ?? null;
      return {
        id: `to ${node}`,
        target: boneNameOf(to, node),
        node,
        sources: (pair?.sources ?? []).map(row => boneNameOf(from, row)),
        pair,
      };
    }),
    ...bonesOf(from.nodes)
      .filter(row => !used.has(row))
      .map((row): BoneMapRow => ({ id: `from ${row}`, target: null, node: -1, sources: [boneNameOf(from, row)], pair: null })),
  ];
}

/** Returns the rows that match the filter and contain the typed text. */
export function filteredRows(rows: readonly BoneMapRow[], filter: BoneFilter, typed: string): BoneMapRow[] {
  const text = typed.trim().toLowerCase();
  const isListed = ({ pair }: BoneMapRow): boolean =>
    filter === 'all' ||
    (filter === 'changed' ? pair?.foundBy === 'stated' : (filter === 'paired') === (pair !== null && pair.sources.length > 0));
  return rows.filter(
    row => isListed(row) && [row.target ?? [], ...row.sources].flat().some(bone => boneLabel(bone).toLowerCase().includes(text)),
  );
}

/** Returns the bone map with another pair for a bone of the model. */
export const withPair = (map: BoneMap, pair: BoneMapPair): BoneMap => [...withoutPair(map, targetOf(pair)), pair];

export const withoutPair = (map: BoneMap, target: BoneName): BoneMap => map.filter(pair => !isSameBone(targetOf(pair), target));
