// Reads arrays of numbers with a range check.
import { outOfRange } from '../error.ts';

/** Returns the number at an index of an array. Throws RangeError if the index is out of range. */
export function numberAt(column: ArrayLike<number>, index: number): number {
  const value = column[index];
  if (value === undefined) throw outOfRange(`index ${index} of a column of ${column.length} numbers`);
  return value;
}
