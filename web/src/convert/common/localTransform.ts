// Represents local transforms as ten numbers, and recovers them exactly from matrices.
import { vectorAt } from '../../core/math/vector.ts';
import { composed, decompose } from '../../core/math/matrix.ts';

/** Ten numbers: translation (3), rotation quaternion (4) and scale (3). */
export type LocalTransform = Float64Array;

/**
 * Tolerance relative to the largest number of a matrix. It is a few rounding steps of single
 * precision.
 */
const EPSILON = 1e-6;

/**
 * Decomposes a matrix into a transform. Returns null if the matrix has shear or zero volume,
 * because no transform has such a matrix.
 */
export function exactTransform(matrix: Float64Array): LocalTransform | null {
  const local = new Float64Array(10);
  decompose(matrix, local);
  const recomposed = composed(local);
  const largest = matrix.subarray(0, 12).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let i = 0; i < 12; i++) if (!(Math.abs(matrix[i]! - recomposed[i]!) <= EPSILON * largest)) return null;
  return largest > 0 ? local : null;
}

/** True if the transform mirrors geometry, which swaps front and back faces. */
export function isMirrored(local: LocalTransform): boolean {
  const [x, y, z] = vectorAt(local, 7);
  return x * y * z < 0;
}
