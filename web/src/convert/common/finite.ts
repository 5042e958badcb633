// Numbers that a file can hold. Products of very large ones overflow, and readers refuse a file that has NaN or infinity in it.

/** Replaces numbers that are not finite by 0, and counts them. */
export class FiniteNumbers {
  /** The number of replaced ones. */
  count = 0;

  /** A number of single precision. */
  one(value: number): number {
    if (Number.isFinite(Math.fround(value))) return value;
    this.count++;
    return 0;
  }

  /** A rotation, the identity if it has no finite numbers. */
  turn([x, y, z, w]: readonly [number, number, number, number]): [number, number, number, number] {
    if (Number.isFinite(x + y + z + w)) return [x, y, z, w];
    this.count += 4;
    return [0, 0, 0, 1];
  }

  vector([x, y, z]: readonly [number, number, number]): [number, number, number] {
    return [this.one(x), this.one(y), this.one(z)];
  }

  /** The same array if all of its numbers are finite. */
  column<T extends Float32Array | Uint8Array | Uint16Array | Uint32Array>(values: T): T {
    if (!(values instanceof Float32Array)) return values;
    let bad = 0;
    for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) bad++;
    if (bad === 0) return values;
    this.count += bad;
    return values.map(value => (Number.isFinite(value) ? value : 0)) as T;
  }
}
