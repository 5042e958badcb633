// Bone masks for layers. The weight of a bone applies to all its descendants.
import { outOfRange } from '../core/error.ts';
import { numberAt } from '../core/math/column.ts';
import { parentOf, nameOf } from '../core/tree.ts';
import type { RigScene } from '../core/types.ts';

/**
 * Creates a mask for `Layer.mask`. `scene`: scene of the model. `weights`: weights by node name, 0
 * to 1; a weight applies to all nodes with this name. A node without a weight gets the weight of its parent. `fallback`: weight
 * of a root without a weight. Throws a RangeError with the code OUT_OF_RANGE if a name matches no
 * node.
 */
export function maskOf(
  { nodes }: Pick<RigScene, 'nodes'>,
  weights: ReadonlyMap<string, number> | Readonly<Record<string, number>>,
  fallback = 0,
): Float32Array {
  const byName = new Map(weights instanceof Map ? (weights as ReadonlyMap<string, number>) : Object.entries(weights));
  const unknown = new Set(byName.keys());
  const mask = new Float32Array(nodes.length);
  for (let row = 0; row < nodes.length; row++) {
    const name = nameOf(nodes, row);
    const parent = parentOf(nodes, row);
    const own = byName.get(name);
    if (own !== undefined) unknown.delete(name);
    mask[row] = own ?? (parent < 0 ? fallback : numberAt(mask, parent));
  }
  if (unknown.size) throw outOfRange(`maskOf: no node is named ${[...unknown].map(name => `"${name}"`).join(', ')}`);
  return mask;
}
