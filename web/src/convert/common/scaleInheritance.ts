// Detects bones whose world transform is not the product of local matrices: Unreal multiplies
// scales per axis, and Maya's segment scale compensate ignores the scale of the parent.
import { type Vector, vectorAt } from '../../core/math/vector.ts';
import { isBone, parentOf } from '../../core/tree.ts';
import type { BoundTrack } from '../../core/bound.ts';
import type { NodeTable, RigScene } from '../../core/types.ts';

/** Tolerance within which scales count as equal. */
const EPSILON = 1e-6;

/**
 * Returns the bones whose world matrix differs from the product of the local matrices because of
 * scale inheritance. `scaled`: bones with a scale other than 1. `uneven`: bones with a non-uniform
 * scale. `split`: bones that are written as two nodes.
 */
export function correctedRows(
  { nodes, scaleInheritance }: RigScene,
  scaled: ReadonlySet<number>,
  uneven: ReadonlySet<number>,
  split: ReadonlySet<number>,
): Set<number> {
  const rows = new Set<number>();
  if (scaled.size === 0) return rows;
  const isBelowUneven = new Uint8Array(nodes.length);
  for (let row = 1; row < nodes.length; row++) {
    const parent = parentBone(nodes, row);
    if (parent < 0) continue;
    isBelowUneven[row] = isBelowUneven[parent] || uneven.has(parent) ? 1 : 0;
    if (scaleInheritance === 'axes' && isBelowUneven[row]) rows.add(row);
    if (nodes.segmentScaleCompensate[row] && scaled.has(parent) && !split.has(row)) rows.add(row);
  }
  return rows;
}

/** Returns the row of a bone's parent if the parent is a bone, otherwise -1. */
export function parentBone(nodes: NodeTable, row: number): number {
  const parent = parentOf(nodes, row);
  return parent >= 0 && isBone(nodes, row) && isBone(nodes, parent) ? parent : -1;
}

/**
 * Adds bones with a scale other than 1 to `scaled`, and bones with a non-uniform scale to `uneven`.
 */
export function scaledRows(scales: ArrayLike<number>, count: number, scaled: Set<number>, uneven: Set<number>): void {
  for (let row = 0; row < count; row++) {
    const [x, y, z] = vectorAt(scales, 3 * row);
    if (Math.abs(x - 1) + Math.abs(y - 1) + Math.abs(z - 1) > EPSILON) scaled.add(row);
    if (Math.abs(x - y) + Math.abs(y - z) > EPSILON) uneven.add(row);
  }
}

/**
 * Adds bones whose scale is animated to `scaled`, and those with a non-uniform animated scale to
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

/**
 * Returns the inverse of a scale. If an axis is zero, returns 1 for all axes, as the pose engine
 * does.
 */
export function inverseScale([x, y, z]: Vector): Vector {
  return x * y * z === 0 ? [1, 1, 1] : [1 / x, 1 / y, 1 / z];
}
