// Vectors of three numbers. Functions that are named after a past participle (`normalized`) return
// a new vector. Functions with a parameter `result` write to that parameter.

export type Vector = [x: number, y: number, z: number];

/** Any array of numbers. */
export interface Numbers {
  [index: number]: number;
}

/**
 * A type for which the compiler knows that three numbers exist: `Vector`, or `Vec3` for scratch
 * memory. To pass a row of a column, copy it first.
 */
export type VectorLike = { 0: number; 1: number; 2: number };

/** Scratch memory for a vector. */
export type Vec3 = Float64Array & VectorLike;
export const vec3 = (x = 0, y = 0, z = 0): Vec3 => Float64Array.of(x, y, z) as Vec3;
export function toVec3(values: Numbers, at = 0): Vec3 {
  const result = vec3();
  copyVector(result, 0, values, at);
  return result;
}

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a: VectorLike, b: VectorLike): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export function cross(a: Vector, b: Vector): Vector {
  const result: Vector = [0, 0, 0];
  setCross(result, a, b);
  return result;
}

/** Writes the cross product. `result` must be neither `a` nor `b`. */
export function setCross(result: VectorLike, a: VectorLike, b: VectorLike): void {
  result[0] = a[1] * b[2] - a[2] * b[1];
  result[1] = a[2] * b[0] - a[0] * b[2];
  result[2] = a[0] * b[1] - a[1] * b[0];
}

/** Returns the vector at an index of a column. */
export const vectorAt = (column: Numbers, at: number): Vector => [column[at]!, column[at + 1]!, column[at + 2]!];

/** Copies a vector into or out of a column. */
export function copyVector(result: Numbers, at: number, v: Numbers, atV: number): void {
  result[at] = v[atV]!;
  result[at + 1] = v[atV + 1]!;
  result[at + 2] = v[atV + 2]!;
}

/** Writes a − b. */
export function setDifference(result: VectorLike, a: Numbers, atA: number, b: Numbers, atB: number): void {
  result[0] = a[atA]! - b[atB]!;
  result[1] = a[atA + 1]! - b[atB + 1]!;
  result[2] = a[atA + 2]! - b[atB + 2]!;
}

/** Adds v × factor to the vector at `result[at]`. */
export function addScaled(result: Numbers, at: number, v: VectorLike, factor: number): void {
  result[at]! += v[0] * factor;
  result[at + 1]! += v[1] * factor;
  result[at + 2]! += v[2] * factor;
}

/** Sets the components of a vector. */
export function setVector(result: VectorLike, x: number, y: number, z: number): void {
  result[0] = x;
  result[1] = y;
  result[2] = z;
}

/** Multiplies a vector by another one, component by component. */
export function multiplyVector(v: VectorLike, factors: VectorLike): void {
  v[0] *= factors[0];
  v[1] *= factors[1];
  v[2] *= factors[2];
}

export function multiplyScalar(v: VectorLike, factor: number): void {
  v[0] *= factor;
  v[1] *= factor;
  v[2] *= factor;
}

export function divideScalar(v: VectorLike, divisor: number): void {
  v[0] /= divisor;
  v[1] /= divisor;
  v[2] /= divisor;
}

export const length = (v: VectorLike): number => length3(v[0], v[1], v[2]);
export const distance = (a: VectorLike, b: VectorLike): number => length3(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Returns the length of a vector. Does not use Math.hypot, which allocates on every call. */
export function length3(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

export function length4(x: number, y: number, z: number, w: number): number {
  return Math.sqrt(x * x + y * y + z * z + w * w);
}

/** Returns a vector of length 1 with the same direction, or null if the length is almost zero. */
export function normalized(a: Vector): Vector | null {
  const size = length(a);
  return size > 1e-6 && Number.isFinite(size) ? scale(a, 1 / size) : null;
}

/** Normalizes a vector. A zero vector stays unchanged. */
export function normalize(v: VectorLike): void {
  const size = length(v);
  if (size > 0) divideScalar(v, size);
}
