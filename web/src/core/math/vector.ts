// Vectors of three numbers. A past participle returns a new value; a verb with `result` writes into an array of the caller.

export type Vector = [x: number, y: number, z: number];

/** Any array of numbers. */
export interface Numbers {
  [index: number]: number;
}

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vector, factor: number): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export function cross(a: Vector, b: Vector): Vector {
  const result: Vector = [0, 0, 0];
  setCross(result, a, b);
  return result;
}

/** Writes the cross product; `result` is neither `a` nor `b`. */
export function setCross(result: Numbers, a: Numbers, b: Numbers): void {
  result[0] = a[1]! * b[2]! - a[2]! * b[1]!;
  result[1] = a[2]! * b[0]! - a[0]! * b[2]!;
  result[2] = a[0]! * b[1]! - a[1]! * b[0]!;
}

export const length = ([x, y, z]: Vector): number => length3(x, y, z);
export const distance = (a: Vector, b: Vector): number => length3(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The length of a vector. Math.hypot, which guards against overflow, allocates at every call. */
export function length3(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

export function length4(x: number, y: number, z: number, w: number): number {
  return Math.sqrt(x * x + y * y + z * z + w * w);
}

/** Returns the vector with length 1; null if it has no direction. */
export function normalized(a: Vector): Vector | null {
  const size = length(a);
  return size > 1e-6 && Number.isFinite(size) ? scale(a, 1 / size) : null;
}

/** Gives a vector length 1. A vector without length stays as it is. */
export function normalize(v: Numbers): void {
  const size = length3(v[0]!, v[1]!, v[2]!);
  if (size > 0) for (let c = 0; c < 3; c++) v[c]! /= size;
}
