// Replaces numbers that a file cannot hold. Large products overflow, and readers reject files with
// NaN or infinity.

/** Replaces non-finite numbers by 0 and counts them. */
export class FiniteNumbers {
  /** Number of replaced values. */
  count = 0;

  /** Checks a number for single precision. */
  one(value: number): number {
    if (Number.isFinite(Math.fround(value))) return value;
    this.count++;
    return 0;
  }

  /** Checks a rotation. Returns the identity if it has non-finite numbers. */
  turn([x, y, z, w]: readonly [number, number, number, number]): [number, number, number, number] {
    if (Number.isFinite(x + y + z + w)) return [x, y, z, w];
    this.count += 4;
    return [0, 0, 0, 1];
  }

  vector([x, y, z]: readonly [number, number, number]): [number, number, number] {
    return [this.one(x), this.one(y), this.one(z)];
  }

  /** Checks a column. Returns the same array if all of its numbers are finite. */
  column<T extends Float32Array | Uint8Array | Uint16Array | Uint32Array>(values: T): T {
    if (!(values instanceof Float32Array)) return values;
    let bad = 0;
    for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) bad++;
    if (bad === 0) return values;
    this.count += bad;
    return values.map(value => (Number.isFinite(value) ? value : 0)) as T;
  }
}
