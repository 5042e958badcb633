// Compares the bone lengths of an animation without a skeleton with those of the model. Its file
// contains no unit, so that different lengths are the only evidence of another unit.
import { findNodes } from '../../core/bindTargets.ts';
import type { Clip, RigScene, Track } from '../../core/types.ts';

/** Number of bones that must be compared. */
const MIN_BONES = 3;
/** Lengths that differ by a larger factor are not explained by other proportions of the body. */
const MAX_FACTOR = 4;
/** Shorter offsets from the parent have no reliable ratio. Unit of the model. */
const MIN_LENGTH = 1e-6;

export interface LengthDifference {
  /** Number of bones that were compared. */
  bones: number;
  /** Median of the bone lengths in the animation, divided by those in the model. */
  factor: number;
}

/**
 * Returns how the bone lengths of a clip and a model differ, or null if they are similar or cannot
 * be compared. Compares the first key of absolute translations with the rest pose. Bones whose
 * parent is not animated are left out, because they move the whole body.
 */
export function lengthDifference({ tracks }: Clip, scene: RigScene): LengthDifference | null {
  const moves = [...tracks].filter(({ path, mode, times }) => path === 'translation' && mode === 'absolute' && times.length > 0);
  const rows = findNodes(moves, scene);
  const keys = new Map<number, number[]>();
  for (const [i, track] of moves.entries()) if (rows[i]! >= 0) addKey(keys, rows[i]!, track);
  const { parents, translations } = scene.nodes;
  const ratios: number[] = [];
  for (const [row, key] of keys) {
    if (!keys.has(parents[row]!) || key.some(value => value === undefined) || key.length < 3) continue;
    const length = Math.hypot(...translations.subarray(3 * row, 3 * row + 3));
    const own = Math.hypot(...key);
    if (length > MIN_LENGTH && own > MIN_LENGTH) ratios.push(own / length);
  }
  if (ratios.length < MIN_BONES) return null;
  const factor = ratios.sort((a, b) => a - b)[ratios.length >> 1]!;
  return factor > MAX_FACTOR || factor < 1 / MAX_FACTOR ? { bones: ratios.length, factor } : null;
}

/** Adds the first key of a track of one component, or of all three. */
function addKey(keys: Map<number, number[]>, row: number, { component, values }: Track): void {
  const key = keys.get(row) ?? [];
  keys.set(row, key);
  if (component >= 0) key[component] = values[0]!;
  else for (let c = 0; c < 3; c++) key[c] = values[c]!;
}
