// Masks for layers: a weight given for a bone applies to all its descendants.
import { numberAt } from '../core/math/column.ts';
import { parentOf, nameOf } from '../core/tree.ts';
import type { PoseShape } from './pose.ts';

/**
 * Returns a mask for `Layer.mask`. Each node gets the weight of its nearest named ancestor, itself
 * included, or `otherwise` if there is none. Names are those of the file and apply to all nodes
 * with the name. Throws RangeError if no node has a name, so that a misspelt mask isn't taken for
 * an empty one.
 */
export function maskOf(
  { scene: { nodes } }: PoseShape,
  weights: ReadonlyMap<string, number> | Readonly<Record<string, number>>,
  otherwise = 0,
): Float32Array {
  const byName = new Map(weights instanceof Map ? (weights as ReadonlyMap<string, number>) : Object.entries(weights));
  const unknown = new Set(byName.keys());
  const mask = new Float32Array(nodes.count);
  for (let row = 0; row < nodes.count; row++) {
    const name = nameOf(nodes, row);
    const parent = parentOf(nodes, row);
    const own = byName.get(name);
    if (own !== undefined) unknown.delete(name);
    mask[row] = own ?? (parent < 0 ? otherwise : numberAt(mask, parent));
  }
  if (unknown.size) throw new RangeError(`maskOf: no node is named ${[...unknown].map(name => `"${name}"`).join(', ')}`);
  return mask;
}
