// Detects bones that inherit scale in another way than by multiplying matrices: per axis (Unreal),
// or without the scale of the parent (segment scale compensate of Maya).
import { type Vector, vectorAt } from '../../core/math/vector.ts';
import { isBone, parentOf } from '../../core/tree.ts';
import type { BoundTrack } from '../../core/bound.ts';
import type { NodeTable, RigScene } from '../../core/types.ts';

/** Scales that differ by at most this much count as equal. */
const EPSILON = 1e-6;

/**
 * Returns the rows whose world matrix differs from the product of local matrices, because of how
 * they inherit scale. `scaled`, `uneven`: bones with a scale other than 1, and with a scale that
 * differs by axis.
 */
export function correctedRows(
  { nodes, scaleInheritance }: RigScene,
  scaled: ReadonlySet<number>,
  uneven: ReadonlySet<number>,
  split: ReadonlySet<number>,
): Set<number> {
  const rows = new Set<number>();
  if (scaled.size === 0) return rows;
  const isBelowUneven = new Uint8Array(nodes.count);
  for (let row = 1; row < nodes.count; row++) {
    const parent = parentBone(nodes, row);
    if (parent < 0) continue;
    isBelowUneven[row] = isBelowUneven[parent] || uneven.has(parent) ? 1 : 0;
    if (scaleInheritance === 'axes' && isBelowUneven[row]) rows.add(row);
    if (nodes.segmentScaleCompensate[row] && scaled.has(parent) && !split.has(row)) rows.add(row);
  }
  return rows;
}

/** Returns the parent of a bone if the parent is a bone too, otherwise -1. */
export function parentBone(nodes: NodeTable, row: number): number {
  const parent = parentOf(nodes, row);
  return parent >= 0 && isBone(nodes, row) && isBone(nodes, parent) ? parent : -1;
}

/**
 * Adds bones with a scale other than 1 to `scaled`, and those with a scale that differs by axis to
 * `uneven`.
 */
export function scaledRows(scales: ArrayLike<number>, count: number, scaled: Set<number>, uneven: Set<number>): void {
  for (let row = 0; row < count; row++) {
    const [x, y, z] = vectorAt(scales, 3 * row);
    if (Math.abs(x - 1) + Math.abs(y - 1) + Math.abs(z - 1) > EPSILON) scaled.add(row);
    if (Math.abs(x - y) + Math.abs(y - z) > EPSILON) uneven.add(row);
  }
}

/**
 * Adds bones that curves scale to `scaled`, and those that curves scale differently per axis to
 * `uneven`.
 */
export function scaledByTracks(tracks: Iterable<BoundTrack>, scaled: Set<number>, uneven: Set<number>): void {
  for (const { path, node, values, component, mode } of tracks) {
    if (path !== 'scale') continue;
    const isPlain = mode === 'absolute' && component < 0;
    if (!isPlain || values.some(value => Math.abs(value - 1) > EPSILON)) scaled.add(node);
    if (!isPlain || values.some((value, i) => Math.abs(value - (values[i - (i % 3)] ?? value)) > EPSILON)) uneven.add(node);
  }
}

/** Returns the inverse of a scale. Returns 1 if an axis is zero, like the engine. */
export function inverseScale([x, y, z]: Vector): Vector {
  return x * y * z === 0 ? [1, 1, 1] : [1 / x, 1 / y, 1 / z];
}
