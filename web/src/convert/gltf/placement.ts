// Where instances are: transforms one in the other, as one transform where their product is one, else as the chain that it is made of.
import { vectorAt } from '../../core/math/vector.ts';
import { composed, decompose, multiplied } from '../../core/math/matrix.ts';
import type { Local } from './locals.ts';

export interface Placement {
  /** Translation 3, rotation 4, scale 3 each, from the outermost. */
  chain: readonly Local[];
  /** Their product, column-major. */
  matrix: Float64Array;
  /** That of the outermost instance. */
  name: string;
}

export function within({ chain, matrix, name }: Placement, inner: readonly Local[], innerMatrix: Float64Array): Placement {
  return inner.length === 0 ? { chain, matrix, name } : { chain: [...chain, ...inner], matrix: multiplied(matrix, innerMatrix), name };
}

/** Of the largest number of the matrix: single precision, some steps of it. */
const NEARLY = 1e-6;

/** The transform that is the matrix; null where none is: it shears, or has no volume. */
export function localOf(matrix: Float64Array): Local | null {
  const local = new Float64Array(10);
  decompose(matrix, local);
  const back = composed(local);
  const largest = matrix.subarray(0, 12).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let i = 0; i < 12; i++) if (!(Math.abs(matrix[i]! - back[i]!) <= NEARLY * largest)) return null;
  return largest > 0 ? local : null;
}

/** Whether it turns what is right into left: which side of a face is the front is decided by object. */
export function isMirrored(local: Local): boolean {
  const [x, y, z] = vectorAt(local, 7);
  return x * y * z < 0;
}
