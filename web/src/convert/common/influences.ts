// Reads the bone influences of vertices. A mesh stores either four influences or a variable number
// of influences per vertex.
import { numberAt } from '../../core/math/column.ts';
import type { Mesh } from '../../core/types.ts';

/** Joints and weights of a mesh, and the range of indices that belongs to one vertex. */
interface Influences {
  joints: ArrayLike<number>;
  weights: ArrayLike<number>;
  from: number;
  to: number;
}

const NONE = new Uint8Array(4);

/** Returns all influences of a vertex, including those beyond the first four. */
export function influencesAt(mesh: Mesh, vertex: number): Influences {
  const { joints, weights, influenceOffsets: offsets, influenceJoints, influenceWeights } = mesh;
  if (offsets && influenceJoints && influenceWeights)
    return { joints: influenceJoints, weights: influenceWeights, from: numberAt(offsets, vertex), to: numberAt(offsets, vertex + 1) };
  return joints && weights ? { joints, weights, from: 4 * vertex, to: 4 * vertex + 4 } : { joints: NONE, weights: NONE, from: 0, to: 0 };
}
