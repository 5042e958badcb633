// Pairs of bones that a retargeter uses, and how it found them.
import type { StatedPair } from './boneMap.ts';
import type { BodyBone } from './bodyPlan.ts';

/**
 * How a pair was found:
 * - `stated`: in the bone map.
 * - `name`: the bones have the same name.
 * - `part`: the bones are the same body part, such as the left upper arm.
 * - `position`: the bones are at the same position along the spine, the neck or the tail.
 * - `joint`: the bone of the model is the finger bone that begins at a recorded joint.
 */
export type FoundBy = 'stated' | 'name' | 'part' | 'position' | 'joint';

/** A bone of the model, and the bones of the animation that move it. Bones are rows of the node tables. */
export interface RetargetedPair {
  target: number;
  /**
   * Empty if the bone map states that the bone stays in its rest pose. Two bones if the bone of the
   * model lies between them along the spine, the neck or the tail.
   */
  sources: readonly number[];
  foundBy: FoundBy;
  /** Body part of the bone in the model; null if it has none or if the pair was found by name. */
  part: BodyBone | null;
}

/** Marks pairs that the bone map states, and adds bones that stay in their rest pose. Sorts by bone of the model. */
export function withStatedPairs(pairs: readonly RetargetedPair[], stated: readonly StatedPair[]): RetargetedPair[] {
  const sources = new Map(stated.map(({ to, from }) => [to, from]));
  const marked = pairs.map(pair => (sources.has(pair.target) ? { ...pair, foundBy: 'stated' as const } : pair));
  const paired = new Set(pairs.map(({ target }) => target));
  const still = stated.filter(({ to, from }) => from < 0 && !paired.has(to));
  const unmoved = still.map(({ to }): RetargetedPair => ({ target: to, sources: [], foundBy: 'stated', part: null }));
  return [...marked, ...unmoved].sort((a, b) => a.target - b.target);
}
