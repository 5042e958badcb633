// Affine matrices, column-major, 16 numbers each.
import { copyQuaternion, fromAxes, quat } from './quaternion.ts';
import { addScaled, copyVector, dot, length, normalize, type Numbers, setCross, setDifference, vec3, type VectorLike } from './vector.ts';

export const identity = (): Float64Array => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/**
 * Writes the matrix T R S of the translation at `t[at]`, the unit quaternion at `q[atQ]` and a
 * scale.
 */
export function compose(m: Numbers, t: Numbers, at: number, q: Numbers, atQ: number, sx: number, sy: number, sz: number): void {
  const x = q[atQ]!;
  const y = q[atQ + 1]!;
  const z = q[atQ + 2]!;
  const w = q[atQ + 3]!;
  const xx = x * (x + x);
  const xy = x * (y + y);
  const xz = x * (z + z);
  const yy = y * (y + y);
  const yz = y * (z + z);
  const zz = z * (z + z);
  const wx = w * (x + x);
  const wy = w * (y + y);
  const wz = w * (z + z);
  m[0] = (1 - (yy + zz)) * sx;
  m[1] = (xy + wz) * sx;
  m[2] = (xz - wy) * sx;
  m[3] = 0;
  m[4] = (xy - wz) * sy;
  m[5] = (1 - (xx + zz)) * sy;
  m[6] = (yz + wx) * sy;
  m[7] = 0;
  m[8] = (xz + wy) * sz;
  m[9] = (yz - wx) * sz;
  m[10] = (1 - (xx + yy)) * sz;
  m[11] = 0;
  m[12] = t[at]!;
  m[13] = t[at + 1]!;
  m[14] = t[at + 2]!;
  m[15] = 1;
}

/**
 * Returns the matrix of a local transform, given as 10 numbers: translation 3, rotation 4 (x y z
 * w), scale 3.
 */
export function composed(local: ArrayLike<number>): Float64Array {
  const m = new Float64Array(16);
  compose(m, local, 0, local, 3, local[7]!, local[8]!, local[9]!);
  return m;
}

/**
 * Decomposes a matrix into 10 numbers: translation 3, rotation 4, scale 3. If the matrix mirrors,
 * the x scale is negative. Shear is lost.
 */
export function decompose(m: Numbers, result: Numbers): void {
  copyVector(x, 0, m, 0);
  copyVector(y, 0, m, 4);
  copyVector(z, 0, m, 8);
  const mirror = determinant(m) < 0 ? -1 : 1;
  result[7] = mirror * length(x);
  result[8] = length(y);
  const depth = length(z);
  for (let c = 0; c < 3; c++) x[c]! *= mirror;
  orthonormalize(x, y);
  setCross(normal, x, y);
  result[9] = dot(normal, z) < 0 ? -depth : depth;
  fromAxes(rotation, x, y);
  copyVector(result, 0, m, 12);
  copyQuaternion(result, 3, rotation, 0);
}

/** Normalizes `x` and `y`, and makes `y` perpendicular to `x` in the plane of both. */
export function orthonormalize(x: VectorLike, y: VectorLike): void {
  normalize(x);
  addScaled(y, 0, x, -dot(x, y));
  normalize(y);
}

const x = vec3();
const y = vec3();
const z = vec3();
const normal = vec3();
const rotation = quat();

/** Transforms a direction by the matrix at `m[at]`. `result` may be `v`. */
export function transformDirection(result: VectorLike, m: Numbers, at: number, v: VectorLike): void {
  const x = v[0];
  const y = v[1];
  const z = v[2];
  result[0] = m[at]! * x + m[at + 4]! * y + m[at + 8]! * z;
  result[1] = m[at + 1]! * x + m[at + 5]! * y + m[at + 9]! * z;
  result[2] = m[at + 2]! * x + m[at + 6]! * y + m[at + 10]! * z;
}

/** Transforms a point by the matrix at `m[at]`. `result` may be `v`. */
export function transformPoint(result: VectorLike, m: Numbers, at: number, v: VectorLike): void {
  transformDirection(result, m, at, v);
  result[0] += m[at + 12]!;
  result[1] += m[at + 13]!;
  result[2] += m[at + 14]!;
}

/**
 * Transforms a point by the inverse of the matrix at `m[at]`. Returns false and writes nothing if
 * the matrix is singular.
 */
export function untransformPoint(result: VectorLike, m: Numbers, at: number, v: VectorLike): boolean {
  const size = determinant(m, at);
  if (!(Math.abs(size) > 1e-30)) return false;
  setDifference(point, v, 0, m, at + 12);
  copyVector(x, 0, m, at);
  copyVector(y, 0, m, at + 4);
  copyVector(z, 0, m, at + 8);
  // Cramer's rule.
  setCross(normal, y, z);
  result[0] = dot(normal, point) / size;
  setCross(normal, z, x);
  result[1] = dot(normal, point) / size;
  setCross(normal, x, y);
  result[2] = dot(normal, point) / size;
  return true;
}

const point = vec3();

/**
 * Writes the product a b. `result` may be `a`, but not `b`. Written without loops, because half of
 * the frame time is spent here.
 */
export function multiply(result: Numbers, at: number, a: Numbers, atA: number, b: Numbers, atB = 0): void {
  const a0 = a[atA]!;
  const a1 = a[atA + 1]!;
  const a2 = a[atA + 2]!;
  const a4 = a[atA + 4]!;
  const a5 = a[atA + 5]!;
  const a6 = a[atA + 6]!;
  const a8 = a[atA + 8]!;
  const a9 = a[atA + 9]!;
  const a10 = a[atA + 10]!;
  const a12 = a[atA + 12]!;
  const a13 = a[atA + 13]!;
  const a14 = a[atA + 14]!;
  for (let column = 0; column < 16; column += 4) {
    const x = b[atB + column]!;
    const y = b[atB + column + 1]!;
    const z = b[atB + column + 2]!;
    const to = at + column;
    result[to] = a0 * x + a4 * y + a8 * z;
    result[to + 1] = a1 * x + a5 * y + a9 * z;
    result[to + 2] = a2 * x + a6 * y + a10 * z;
    result[to + 3] = 0;
  }
  result[at + 12]! += a12;
  result[at + 13]! += a13;
  result[at + 14]! += a14;
  result[at + 15] = 1;
}

/**
 * Writes the product of the matrix at `m[above]` and T R S, or only T R S if `above` is negative.
 * `at3`: index of translation and scale in their columns. `atQ`: index of the rotation.
 * Bit-identical to `compose` followed by `multiply`, but without an intermediate matrix.
 */
export function multiplyComposed(
  m: Float64Array,
  at: number,
  above: number,
  t: Float64Array,
  s: Float64Array,
  at3: number,
  q: Float64Array,
  atQ: number,
): void {
  const x = q[atQ]!;
  const y = q[atQ + 1]!;
  const z = q[atQ + 2]!;
  const w = q[atQ + 3]!;
  const sx = s[at3]!;
  const sy = s[at3 + 1]!;
  const sz = s[at3 + 2]!;
  const xx = x * (x + x);
  const xy = x * (y + y);
  const xz = x * (z + z);
  const yy = y * (y + y);
  const yz = y * (z + z);
  const zz = z * (z + z);
  const wx = w * (x + x);
  const wy = w * (y + y);
  const wz = w * (z + z);
  const l0 = (1 - (yy + zz)) * sx;
  const l1 = (xy + wz) * sx;
  const l2 = (xz - wy) * sx;
  const l4 = (xy - wz) * sy;
  const l5 = (1 - (xx + zz)) * sy;
  const l6 = (yz + wx) * sy;
  const l8 = (xz + wy) * sz;
  const l9 = (yz - wx) * sz;
  const l10 = (1 - (xx + yy)) * sz;
  const l12 = t[at3]!;
  const l13 = t[at3 + 1]!;
  const l14 = t[at3 + 2]!;
  m[at + 3] = 0;
  m[at + 7] = 0;
  m[at + 11] = 0;
  m[at + 15] = 1;
  if (above < 0) {
    m[at] = l0;
    m[at + 1] = l1;
    m[at + 2] = l2;
    m[at + 4] = l4;
    m[at + 5] = l5;
    m[at + 6] = l6;
    m[at + 8] = l8;
    m[at + 9] = l9;
    m[at + 10] = l10;
    m[at + 12] = l12;
    m[at + 13] = l13;
    m[at + 14] = l14;
    return;
  }
  const a0 = m[above]!;
  const a1 = m[above + 1]!;
  const a2 = m[above + 2]!;
  const a4 = m[above + 4]!;
  const a5 = m[above + 5]!;
  const a6 = m[above + 6]!;
  const a8 = m[above + 8]!;
  const a9 = m[above + 9]!;
  const a10 = m[above + 10]!;
  m[at] = a0 * l0 + a4 * l1 + a8 * l2;
  m[at + 1] = a1 * l0 + a5 * l1 + a9 * l2;
  m[at + 2] = a2 * l0 + a6 * l1 + a10 * l2;
  m[at + 4] = a0 * l4 + a4 * l5 + a8 * l6;
  m[at + 5] = a1 * l4 + a5 * l5 + a9 * l6;
  m[at + 6] = a2 * l4 + a6 * l5 + a10 * l6;
  m[at + 8] = a0 * l8 + a4 * l9 + a8 * l10;
  m[at + 9] = a1 * l8 + a5 * l9 + a9 * l10;
  m[at + 10] = a2 * l8 + a6 * l9 + a10 * l10;
  m[at + 12] = a0 * l12 + a4 * l13 + a8 * l14 + m[above + 12]!;
  m[at + 13] = a1 * l12 + a5 * l13 + a9 * l14 + m[above + 13]!;
  m[at + 14] = a2 * l12 + a6 * l13 + a10 * l14 + m[above + 14]!;
}

/**
 * Divides the rows of the upper left 3 × 3 matrix by a scale, which multiplies it by S⁻¹ from the
 * left. Does nothing if a component of the scale is zero.
 */
export function divideRows(m: Numbers, x: number, y: number, z: number): void {
  if ((x === 1 && y === 1 && z === 1) || x * y * z === 0) return;
  for (let column = 0; column < 12; column += 4) {
    m[column]! /= x;
    m[column + 1]! /= y;
    m[column + 2]! /= z;
  }
}

/**
 * Replaces the upper left 3 × 3 matrix M by S⁻¹ M S, so that the scale of a parent acts along the
 * axes of M. Does nothing if a component of the scale is zero.
 */
export function conjugateScale(m: Numbers, x: number, y: number, z: number): void {
  if ((x === 1 && y === 1 && z === 1) || x * y * z === 0) return;
  divideRows(m, x, y, z);
  for (let row = 0; row < 3; row++) {
    m[row]! *= x;
    m[row + 4]! *= y;
    m[row + 8]! *= z;
  }
}

/** Copies the matrix at `m[at]` to the start of `result`. */
export function copyMatrix(result: Numbers, m: Numbers, at: number): void {
  for (let i = 0; i < 16; i++) result[i] = m[at + i]!;
}

/** Replaces the matrix M by M S, which scales its axes. */
export function scaleAxes(m: Numbers, { 0: x, 1: y, 2: z }: VectorLike): void {
  for (let row = 0; row < 4; row++) {
    m[row]! *= x;
    m[row + 4]! *= y;
    m[row + 8]! *= z;
  }
}

export function multiplied(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const result = new Float64Array(16);
  multiply(result, 0, a, 0, b);
  return result;
}

/**
 * Writes the inverse of the matrix at `m[at]`. If the matrix is singular, writes the identity and
 * returns false.
 */
export function invert(result: Numbers, m: Numbers, at = 0): boolean {
  const a = m[at]!;
  const b = m[at + 1]!;
  const c = m[at + 2]!;
  const d = m[at + 4]!;
  const e = m[at + 5]!;
  const f = m[at + 6]!;
  const g = m[at + 8]!;
  const h = m[at + 9]!;
  const i = m[at + 10]!;
  const x = m[at + 12]!;
  const y = m[at + 13]!;
  const z = m[at + 14]!;
  const size = determinant(m, at);
  const isRegular = Math.abs(size) > 1e-30;
  const factor = isRegular ? 1 / size : 0;
  const p = isRegular ? (e * i - f * h) * factor : 1;
  const q = (c * h - b * i) * factor;
  const r = (b * f - c * e) * factor;
  const s = (f * g - d * i) * factor;
  const t = isRegular ? (a * i - c * g) * factor : 1;
  const u = (c * d - a * f) * factor;
  const v = (d * h - e * g) * factor;
  const w = (b * g - a * h) * factor;
  const k = isRegular ? (a * e - b * d) * factor : 1;
  write(result, 0, p, q, r, 0);
  write(result, 4, s, t, u, 0);
  write(result, 8, v, w, k, 0);
  if (isRegular) write(result, 12, -(p * x + s * y + v * z), -(q * x + t * y + w * z), -(r * x + u * y + k * z), 1);
  else write(result, 12, 0, 0, 0, 1);
  return isRegular;
}

function write(m: Numbers, at: number, x: number, y: number, z: number, w: number): void {
  m[at] = x;
  m[at + 1] = y;
  m[at + 2] = z;
  m[at + 3] = w;
}

/** Returns the inverse of a matrix, or the identity if the matrix is singular. */
export function inverted(m: ArrayLike<number>): Float64Array {
  const result = new Float64Array(16);
  invert(result, m);
  return result;
}

/**
 * Returns the determinant of the upper left 3 × 3 matrix. It is the factor by which volumes change,
 * and negative if the matrix mirrors.
 */
export function determinant(m: Numbers, at = 0): number {
  const a = m[at]!;
  const b = m[at + 1]!;
  const c = m[at + 2]!;
  const d = m[at + 4]!;
  const e = m[at + 5]!;
  const f = m[at + 6]!;
  return m[at + 8]! * (b * f - c * e) + m[at + 9]! * (c * d - a * f) + m[at + 10]! * (a * e - b * d);
}
