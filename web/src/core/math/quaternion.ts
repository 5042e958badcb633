// Unit quaternions x y z w, either as four consecutive numbers in any array or as values of type
// `Quaternion`.
import { cross, dot, length3, length4, normalized, type Numbers, scale, subtract, type Vector, type VectorLike } from './vector.ts';

export type Quaternion = [x: number, y: number, z: number, w: number];

/**
 * A type for which the compiler knows that four numbers exist: `Quaternion`, or `Quat` for scratch
 * memory. To pass a row of a column, copy it first.
 */
export type QuaternionLike = { 0: number; 1: number; 2: number; 3: number };

/** Scratch memory for a quaternion, initially the identity. */
export type Quat = Float64Array & QuaternionLike;
export const quat = (): Quat => Float64Array.of(0, 0, 0, 1) as Quat;
export function toQuat(values: Numbers, at = 0): Quat {
  const result = quat();
  copyQuaternion(result, 0, values, at);
  return result;
}

export const IDENTITY: Quaternion = [0, 0, 0, 1];

/**
 * Writes the rotation at `u` (0 to 1) on the shorter path from `a` to `b`. Nearly equal rotations
 * are blended linearly and normalized.
 */
export function slerp(result: Numbers, at: number, a: Numbers, atA: number, b: Numbers, atB: number, u: number): void {
  const x0 = a[atA]!;
  const y0 = a[atA + 1]!;
  const z0 = a[atA + 2]!;
  const w0 = a[atA + 3]!;
  let x1 = b[atB]!;
  let y1 = b[atB + 1]!;
  let z1 = b[atB + 2]!;
  let w1 = b[atB + 3]!;
  if (x0 === x1 && y0 === y1 && z0 === z1 && w0 === w1) return write(result, at, x0, y0, z0, w0);
  let cosine = x0 * x1 + y0 * y1 + z0 * z1 + w0 * w1;
  if (cosine < 0) {
    x1 = -x1;
    y1 = -y1;
    z1 = -z1;
    w1 = -w1;
    cosine = -cosine;
  }
  let s = 1 - u;
  let t = u;
  if (cosine < NEAR) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    s = Math.sin(s * angle) / sine;
    t = Math.sin(t * angle) / sine;
  } else if (cosine < ALMOST_EQUAL) {
    s = sineRatio(s, cosine - 1);
    t = sineRatio(t, cosine - 1);
  }
  const x = x0 * s + x1 * t;
  const y = y0 * s + y1 * t;
  const z = z0 * s + z1 * t;
  const w = w0 * s + w1 * t;
  const factor = cosine < ALMOST_EQUAL ? 1 : 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  write(result, at, x * factor, y * factor, z * factor, w * factor);
}

function write(result: Numbers, at: number, x: number, y: number, z: number, w: number): void {
  result[at] = x;
  result[at + 1] = y;
  result[at + 2] = z;
  result[at + 3] = w;
}

/**
 * Cosine of half the angle between two rotations above which slerp is not precise enough, because
 * its divisor is close to zero.
 */
export const ALMOST_EQUAL = 0.9995;

/**
 * Cosine of half the angle between two rotations above which `sineRatio` is accurate to 1e-10.
 * Corresponds to 51°; nearly all neighbouring keys differ by less.
 */
const NEAR = 0.9;

/**
 * Returns sin(u · angle) / sin(angle), where `x` is cos(angle) − 1. Computes the first terms of the
 * series, which together take as long as a single sine.
 */
function sineRatio(u: number, x: number): number {
  const u2 = u * u;
  return (
    u *
    (1 +
      ((u2 - 1) / 3) *
        x *
        (1 +
          ((u2 - 4) / 10) *
            x *
            (1 + ((u2 - 9) / 21) * x * (1 + ((u2 - 16) / 36) * x * (1 + ((u2 - 25) / 55) * x * (1 + ((u2 - 36) / 78) * x))))))
  );
}

/** Writes the product a b, which rotates by b first and then by a. `result` may be `a` or `b`. */
export function multiply(result: Numbers, at: number, a: Numbers, atA: number, b: Numbers, atB: number): void {
  const ax = a[atA]!;
  const ay = a[atA + 1]!;
  const az = a[atA + 2]!;
  const aw = a[atA + 3]!;
  const bx = b[atB]!;
  const by = b[atB + 1]!;
  const bz = b[atB + 2]!;
  const bw = b[atB + 3]!;
  result[at] = aw * bx + ax * bw + ay * bz - az * by;
  result[at + 1] = aw * by - ax * bz + ay * bw + az * bx;
  result[at + 2] = aw * bz + ax * by - ay * bx + az * bw;
  result[at + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/**
 * Normalizes a quaternion; writes the identity if its length is zero. Needed for curves of single
 * components (MRTK), between whose keys the length may differ from 1.
 */
export function normalize(q: Numbers, at = 0): void {
  const length = length4(q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!);
  if (length < 1e-6) {
    q[at] = q[at + 1] = q[at + 2] = 0;
    q[at + 3] = 1;
    return;
  }
  for (let c = 0; c < 4; c++) q[at + c]! /= length;
}

/** Returns the quaternion at an index of a column. */
export const quaternionAt = (column: Numbers, at: number): Quaternion => [column[at]!, column[at + 1]!, column[at + 2]!, column[at + 3]!];

/** Copies a quaternion into or out of a column. */
export function copyQuaternion(result: Numbers, at: number, q: Numbers, atQ: number): void {
  write(result, at, q[atQ]!, q[atQ + 1]!, q[atQ + 2]!, q[atQ + 3]!);
}

/** True if two quaternions have the same four numbers. */
export function equalsAt(a: Numbers, atA: number, b: Numbers, atB: number): boolean {
  return a[atA] === b[atB] && a[atA + 1] === b[atB + 1] && a[atA + 2] === b[atB + 2] && a[atA + 3] === b[atB + 3];
}

/**
 * Returns the cosine of half the angle between two rotations; negative if the quaternions are in
 * opposite hemispheres.
 */
export function dotAt(a: Numbers, atA: number, b: Numbers, atB: number): number {
  return a[atA]! * b[atB]! + a[atA + 1]! * b[atB + 1]! + a[atA + 2]! * b[atB + 2]! + a[atA + 3]! * b[atB + 3]!;
}

/** Negates a quaternion. The result represents the same rotation. */
export function negate(q: QuaternionLike): void {
  q[0] = -q[0];
  q[1] = -q[1];
  q[2] = -q[2];
  q[3] = -q[3];
}

/** Writes the inverse of a unit quaternion. `result` may be `q`. */
export function invert(result: Numbers, q: Numbers): void {
  for (let c = 0; c < 3; c++) result[c] = -q[c]!;
  result[3] = q[3]!;
}

/** Rotates the vector at `v[at]` in place. */
export function rotateVector(v: Numbers, at: number, q: Numbers): void {
  const a = v[at]!;
  const b = v[at + 1]!;
  const c = v[at + 2]!;
  const x = q[0]!;
  const y = q[1]!;
  const z = q[2]!;
  const w = q[3]!;
  const i = y * c - z * b + w * a;
  const j = z * a - x * c + w * b;
  const k = x * b - y * a + w * c;
  v[at] = a + 2 * (y * k - z * j);
  v[at + 1] = b + 2 * (z * i - x * k);
  v[at + 2] = c + 2 * (x * j - y * i);
}

/**
 * Writes the right-handed rotation by an angle (radians) about an axis. The axis can have any
 * length; if its length is zero, writes the identity.
 */
export function fromAxisAngle(result: Numbers, x: number, y: number, z: number, angle: number): void {
  const length = length3(x, y, z);
  const factor = length > 0 ? Math.sin(angle / 2) / length : 0;
  result[0] = x * factor;
  result[1] = y * factor;
  result[2] = z * factor;
  result[3] = length > 0 ? Math.cos(angle / 2) : 1;
}

/**
 * Returns the x Euler angle in radians. The order is the default of Maya and Blender: x first, then
 * y, then z.
 */
export function eulerX(q: Numbers, at = 0): number {
  const x = q[at]!;
  const y = q[at + 1]!;
  const z = q[at + 2]!;
  const w = q[at + 3]!;
  return Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
}

/** Writes the Euler angles of a rotation in radians. The order of the axes is that of `eulerX`. */
export function toEuler(result: Numbers, q: Numbers): void {
  const x = q[0]!;
  const y = q[1]!;
  const z = q[2]!;
  const w = q[3]!;
  const sine = Math.min(Math.max(2 * (w * y - z * x), -1), 1);
  result[1] = Math.asin(sine);
  if (Math.abs(sine) > 1 - 1e-12) {
    // Gimbal lock: x and z rotate about the same axis, so x takes the total angle.
    result[0] = 2 * Math.atan2(x, w);
    result[2] = 0;
    return;
  }
  result[0] = eulerX(q);
  result[2] = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** Writes the rotation for Euler angles in radians. The order of the axes is that of `eulerX`. */
export function fromEuler(result: Numbers, angles: Numbers): void {
  const cx = Math.cos(angles[0]! / 2);
  const sx = Math.sin(angles[0]! / 2);
  const cy = Math.cos(angles[1]! / 2);
  const sy = Math.sin(angles[1]! / 2);
  const cz = Math.cos(angles[2]! / 2);
  const sz = Math.sin(angles[2]! / 2);
  result[0] = sx * cy * cz - cx * sy * sz;
  result[1] = cx * sy * cz + sx * cy * sz;
  result[2] = cx * cy * sz - sx * sy * cz;
  result[3] = cx * cy * cz + sx * sy * sz;
}

/**
 * Writes the shortest rotation from one direction to another, or the identity if one of the vectors
 * has zero length.
 */
export function fromDirections(result: Numbers, from: Numbers, to: Numbers): void {
  const a = from[0]!;
  const b = from[1]!;
  const c = from[2]!;
  const x = to[0]!;
  const y = to[1]!;
  const z = to[2]!;
  const size = length3(a, b, c) * length3(x, y, z);
  const cosine = a * x + b * y + c * z;
  result[0] = b * z - c * y;
  result[1] = c * x - a * z;
  result[2] = a * y - b * x;
  result[3] = size + cosine;
  if (result[3] < 1e-9 * size) {
    // opposite directions: any perpendicular axis
    const isAlongX = Math.abs(a) > 0.9 * length3(a, b, c);
    result[0] = isAlongX ? -c : 0;
    result[1] = isAlongX ? 0 : c;
    result[2] = isAlongX ? a : -b;
    result[3] = 0;
  }
  const length = length4(result[0], result[1], result[2], result[3]);
  if (length > 0) for (let i = 0; i < 4; i++) result[i]! /= length;
  else result[3] = 1;
}

/** Writes the rotation with the given x and y axes, which are orthonormal. */
export function fromAxes(result: Numbers, x: VectorLike, y: VectorLike): void {
  const xx = x[0];
  const yy = y[1];
  const zx = x[1] * y[2] - x[2] * y[1];
  const zy = x[2] * y[0] - x[0] * y[2];
  const zz = x[0] * y[1] - x[1] * y[0];
  // The largest component is computed first, so that the divisor is never small.
  const w = 1 + xx + yy + zz;
  const a = 1 + xx - yy - zz;
  const b = 1 - xx + yy - zz;
  const c = 1 - xx - yy + zz;
  if (w >= a && w >= b && w >= c) write(result, 0, y[2] - zy, zx - x[2], x[1] - y[0], w);
  else if (a >= b && a >= c) write(result, 0, a, x[1] + y[0], x[2] + zx, y[2] - zy);
  else if (b >= c) write(result, 0, x[1] + y[0], b, y[2] + zy, zx - x[2]);
  else write(result, 0, x[2] + zx, y[2] + zy, c, x[1] - y[0]);
  normalize(result);
}

// ---------------------------------------------------------------- values
// These functions use the same typed arrays as scratch memory, because JavaScript engines optimize
// the functions above only if few array types are passed to them.

const p = new Float64Array(4);
const q = new Float64Array(4);
const r = new Float64Array(4);
const valueOf = (of: Float64Array): Quaternion => [of[0]!, of[1]!, of[2]!, of[3]!];

/** Returns the product a b, which rotates by b first and then by a. */
export function multiplied(a: ArrayLike<number>, b: ArrayLike<number>): Quaternion {
  p.set(a);
  q.set(b);
  multiply(p, 0, p, 0, q, 0);
  return valueOf(p);
}

export const inverted = ([x = 0, y = 0, z = 0, w = 1]: readonly number[]): Quaternion => [-x, -y, -z, w];

export function rotated(v: Vector, rotation: Quaternion): Vector {
  p.set(v);
  q.set(rotation);
  rotateVector(p, 0, q);
  return [p[0]!, p[1]!, p[2]!];
}

/** Returns the rotation by an angle (radians) about an axis. */
export function rotationAbout([x, y, z]: Vector, angle: number): Quaternion {
  fromAxisAngle(p, x, y, z, angle);
  return valueOf(p);
}

/** Returns the shortest rotation from one direction to another. */
export function rotationBetween(from: Vector, to: Vector): Quaternion {
  p.set(from);
  q.set(to);
  fromDirections(r, p, q);
  return valueOf(r);
}

/**
 * Returns the rotation about `axis` that aligns the projection of `from` onto the plane
 * perpendicular to the axis with that of `to`; a rotation by 180° if they are opposite.
 */
export function twistBetween(from: Vector, to: Vector, axis: Vector): Quaternion {
  const along = normalized(axis);
  if (!along) return IDENTITY;
  const flat = (v: Vector): Vector => subtract(v, scale(along, dot(v, along)));
  const [a, b] = [flat(from), flat(to)];
  return rotationAbout(along, Math.atan2(dot(cross(a, b), along), dot(a, b)));
}
