// Which part of a body a layer moves: weights told for some bones hold for all below them.
import { numberAt } from '../core/math/column.ts';
import { parentOf, nameOf } from '../core/tree.ts';
import type { PoseShape } from './pose.ts';

/**
 * A mask for `Layer.mask`: of every node the weight of the nearest node above it, or itself, that is named; `otherwise` where none is. Names as in the file; of
 * equal names all. Throws RangeError where a name is no node's, so that a misspelt mask is not an empty one.
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
