// Transforms of instances: a single transform if the product of nested ones allows it, else the
// chain.
import { vectorAt } from '../../core/math/vector.ts';
import { composed, decompose, multiplied } from '../../core/math/matrix.ts';
import type { Local } from './locals.ts';

export interface Placement {
  /** Ten numbers each (translation, rotation, scale), from the outermost. */
  chain: readonly Local[];
  /** Their product, column-major. */
  matrix: Float64Array;
  /** Name of the outermost instance. */
  name: string;
}

export function within({ chain, matrix, name }: Placement, inner: readonly Local[], innerMatrix: Float64Array): Placement {
  return inner.length === 0 ? { chain, matrix, name } : { chain: [...chain, ...inner], matrix: multiplied(matrix, innerMatrix), name };
}

/** Tolerance relative to the largest number of a matrix: a few steps of single precision. */
const NEARLY = 1e-6;

/** Returns the transform equal to a matrix. Null if the matrix has shear or no volume. */
export function localOf(matrix: Float64Array): Local | null {
  const local = new Float64Array(10);
  decompose(matrix, local);
  const back = composed(local);
  const largest = matrix.subarray(0, 12).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let i = 0; i < 12; i++) if (!(Math.abs(matrix[i]! - back[i]!) <= NEARLY * largest)) return null;
  return largest > 0 ? local : null;
}

/** True if the transform mirrors, which swaps front and back faces. */
export function isMirrored(local: Local): boolean {
  const [x, y, z] = vectorAt(local, 7);
  return x * y * z < 0;
}
