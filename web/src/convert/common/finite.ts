// Replaces NaN and infinite numbers, which result from overflow, because importers reject files
// that contain them.

/** Replaces numbers that are not finite, and counts them. */
export class FiniteNumbers {
  /** Number of values that were replaced. */
  count = 0;

  /** Returns the number, or 0 if it is not finite in single precision. */
  one(value: number): number {
    if (Number.isFinite(Math.fround(value))) return value;
    this.count++;
    return 0;
  }

  /** Returns the quaternion, or the identity if one of its numbers is not finite. */
  rotation([x, y, z, w]: readonly [number, number, number, number]): [number, number, number, number] {
    if (Number.isFinite(x + y + z + w)) return [x, y, z, w];
    this.count += 4;
    return [0, 0, 0, 1];
  }

  vector([x, y, z]: readonly [number, number, number]): [number, number, number] {
    return [this.one(x), this.one(y), this.one(z)];
  }

  /**
   * Returns the column with 0 instead of all numbers that are not finite. If all numbers are
   * finite, returns the same array.
   */
  column<T extends Float32Array | Uint8Array | Uint16Array | Uint32Array>(values: T): T {
    if (!(values instanceof Float32Array)) return values;
    let bad = 0;
    for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) bad++;
    if (bad === 0) return values;
    this.count += bad;
    return values.map(value => (Number.isFinite(value) ? value : 0)) as T;
  }
}
