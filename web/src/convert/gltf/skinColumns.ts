// Converts bone influences to glTF's sets of four joints and weights per vertex. A joint occurs
// only once per vertex, the float32 weights add up to 1, and unused joints are 0.
import { numberAt } from '../../core/math/column.ts';
import type { Mesh } from '../../core/types.ts';
import { influencesAt } from '../common/influences.ts';

export interface SkinColumns {
  /** One or two sets, each with four joints and weights per vertex. */
  sets: { joints: Uint8Array | Uint16Array; weights: Float32Array }[];
  /**
   * `reduced`: number of vertices from which influences were left out. `omitted`: largest fraction
   * of a vertex's total weight that was left out.
   */
  reduced: number;
  omitted: number;
  /** Number of vertices without influences. */
  unweighted: number;
}

/**
 * Maximum number of influences per vertex, stored in two sets. Few glTF importers support more
 * sets.
 */
const MAX_INFLUENCES = 8;

/** Returns the joints and weights of a mesh, or null if the mesh has no influences. */
export function skinColumns(mesh: Mesh): SkinColumns | null {
  if (!mesh.joints || !mesh.weights) return null;
  const { vertexCount, influenceOffsets } = mesh;
  const isNarrow = mesh.joints instanceof Uint8Array;
  const count = influenceOffsets ? 2 : 1;
  const sets = Array.from({ length: count }, () => ({
    joints: isNarrow ? new Uint8Array(4 * vertexCount) : new Uint16Array(4 * vertexCount),
    weights: new Float32Array(4 * vertexCount),
  }));
  const result: SkinColumns = { sets, reduced: 0, omitted: 0, unweighted: 0 };
  const joints: number[] = [];
  const weights: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    const omitted = gather(mesh, v, joints, weights);
    if (omitted > 0) {
      result.reduced++;
      result.omitted = Math.max(result.omitted, omitted);
    }
    if (joints.length === 0) {
      result.unweighted++;
      joints.push(0);
      weights.push(1);
    }
    normalise(weights);
    for (let k = 0; k < joints.length; k++) {
      const set = sets[k >> 2];
      if (!set) break;
      set.joints[4 * v + (k & 3)] = numberAt(joints, k);
      set.weights[4 * v + (k & 3)] = numberAt(weights, k);
    }
  }
  return result;
}

/**
 * Collects the joints and weights of a vertex, and merges influences of the same joint. Returns the
 * fraction of the total weight that is left out.
 */
function gather(mesh: Mesh, v: number, joints: number[], weights: number[]): number {
  joints.length = weights.length = 0;
  const { joints: allJoints, weights: allWeights, from, to } = influencesAt(mesh, v);
  const maxInfluences = mesh.influenceOffsets ? MAX_INFLUENCES : 4;
  let sum = 0;
  let all = 0;
  for (let k = from; k < to; k++) {
    const weight = numberAt(allWeights, k);
    const joint = numberAt(allJoints, k);
    if (!(weight > 0)) continue;
    all += weight;
    const known = joints.indexOf(joint);
    if (known >= 0) weights[known]! += weight;
    else if (joints.length < maxInfluences) {
      joints.push(joint);
      weights.push(weight);
    } else continue;
    sum += weight;
  }
  return all > 0 ? 1 - sum / all : 0;
}

/**
 * Normalizes weights so that their float32 sum is 1. The rounding error is added to the first
 * weight, because it is the largest.
 */
function normalise(weights: number[]): void {
  let sum = 0;
  for (const weight of weights) sum += weight;
  let others = 0;
  for (let k = 0; k < weights.length; k++) {
    const weight = Math.fround(numberAt(weights, k) / sum);
    weights[k] = weight;
    if (k > 0) others += weight;
  }
  weights[0] = Math.fround(1 - others);
}
