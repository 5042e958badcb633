// World transforms of instances, which can be nested in other instances.
import { multiplied } from '../../core/math/matrix.ts';
import type { LocalTransform } from '../common/localTransform.ts';

export interface Placement {
  /** Local transforms of the nested instances, outermost first. */
  chain: readonly LocalTransform[];
  /** Product of the transforms in `chain`, as a column-major matrix. */
  matrix: Float64Array;
  /** Name of the outermost instance. */
  name: string;
}

/** Returns the placement of an instance that is nested in another instance. */
export function within({ chain, matrix, name }: Placement, inner: readonly LocalTransform[], innerMatrix: Float64Array): Placement {
  return inner.length === 0 ? { chain, matrix, name } : { chain: [...chain, ...inner], matrix: multiplied(matrix, innerMatrix), name };
}
