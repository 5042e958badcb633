// The node tree of a scene: parents, children and visibility.
import { member } from './properties.ts';
import type { NodeTable, RigScene } from './types.ts';

/** Returns the parent of a node, or -1. */
export const parentOf = ({ parents }: Pick<NodeTable, 'parents'>, row: number): number => parents[row]!;

export const nameOf = ({ names }: Pick<NodeTable, 'names'>, row: number): string => names[row]!;

/** True if the node is a bone. */
export const isBone = ({ bones }: Pick<NodeTable, 'bones'>, row: number): boolean => bones[row]! >= 0;

/**
 * Returns the children of every node, in row order. The node property `children` overrides this
 * order (used by VGO, whose spring bones follow the first child).
 */
export function childrenOf({ nodes }: Pick<RigScene, 'nodes'>): number[][] {
  const children: number[][] = Array.from({ length: nodes.length }, () => []);
  for (let row = 1; row < nodes.length; row++) children[nodes.parents[row]!]?.push(row);
  for (const [row, properties] of nodes.properties) {
    const order = member(properties, 'children');
    const own = children[row];
    if (!Array.isArray(order) || !own || order.length !== own.length) continue;
    const rows = order.map(Number);
    const known = new Set(own);
    if (new Set(rows).size === own.length && rows.every(each => known.has(each))) children[row] = rows;
  }
  return children;
}

/** True if the node and all its ancestors are visible. Otherwise its lights and sounds are off. */
export function isActive({ nodes }: Pick<RigScene, 'nodes'>, row: number): boolean {
  while (row >= 0 && nodes.visible[row]) row = nodes.parents[row]!;
  return row < 0;
}
