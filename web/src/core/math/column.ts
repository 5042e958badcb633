// Columns of numbers.

/** The number at an index of a column. Throws RangeError if the index is outside of the column, which is a mistake of the caller. */
export function numberAt(column: ArrayLike<number>, index: number): number {
  const value = column[index];
  if (value === undefined) throw new RangeError(`index ${index} of a column of ${column.length} numbers`);
  return value;
}
