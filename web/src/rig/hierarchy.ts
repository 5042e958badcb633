// Relations of nodes in a hierarchy.
import { parentOf } from '../core/tree.ts';
import type { NodeTable } from '../core/types.ts';

/**
 * Maximum number of ancestors of a bone that are searched. It limits the cost of invalid files with
 * very long chains.
 */
const MAX_DEPTH = 256;

export const isBelow = (nodes: NodeTable, row: number, above: number): boolean => {
  let at = parentOf(nodes, row);
  for (let step = 0; at >= 0 && step < MAX_DEPTH; step++, at = parentOf(nodes, at)) if (at === above) return true;
  return false;
};

/** Returns the rows of the nodes strictly between an ancestor and a node, from top to bottom. */
export function pathTo(nodes: NodeTable, above: number, row: number): number[] {
  const path: number[] = [];
  for (let at = parentOf(nodes, row); at >= 0 && at !== above; at = parentOf(nodes, at)) path.unshift(at);
  return path;
}

/**
 * Returns the lowest common ancestor of two nodes. If one is an ancestor of the other, returns it.
 */
export function commonOf(nodes: NodeTable, a: number, b: number): number {
  const above = new Set<number>();
  for (let at = a; at >= 0; at = parentOf(nodes, at)) above.add(at);
  let at = b;
  while (at >= 0 && !above.has(at)) at = parentOf(nodes, at);
  return at;
}
