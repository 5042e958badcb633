// Quaternions x y z w as four neighbours in any array of numbers, so that columns of them need no objects.

export interface Numbers {
  [index: number]: number;
}

/** How long a vector is. Math.hypot, which guards against overflow, allocates at every call. */
export function length3(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

export function length4(x: number, y: number, z: number, w: number): number {
  return Math.sqrt(x * x + y * y + z * z + w * w);
}

/** The shorter way from `a` to `b`, u in 0..1, written to `result`; both of length one. Nearly equal ones are blended and made length one. */
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
    s = partOfTurn(s, cosine - 1);
    t = partOfTurn(t, cosine - 1);
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

/** Above this cosine the sine in slerp's divisor loses too many digits. */
export const ALMOST_EQUAL = 0.9995;

/** Above this one `partOfTurn` is as good as sines, to 1e-10: turns of up to 51°, so nearly all from one key to the next. */
const NEAR = 0.9;

/** sin(u angle) / sin(angle), where `x` is the angle's cosine less 1, by the first terms of its series: a sine takes as long as all of them. */
function partOfTurn(u: number, x: number): number {
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

/** The Hamilton product a b: first the turn b, then the turn a. `result` may be one of them. */
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
 * Makes the length one. Curves for the components of a rotation meet without being a rotation (MRTK), and what has no length becomes the
 * identity.
 */
export function normalise(q: Numbers, at = 0): void {
  const length = length4(q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!);
  if (length < 1e-6) {
    q[at] = q[at + 1] = q[at + 2] = 0;
    q[at + 3] = 1;
    return;
  }
  for (let c = 0; c < 4; c++) q[at + c]! /= length;
}

/** The way back of a turn; `q` has length one. `result` may be `q`. */
export function conjugate(result: Numbers, q: Numbers): void {
  for (let c = 0; c < 3; c++) result[c] = -q[c]!;
  result[3] = q[3]!;
}

/** Turns the vector that begins at `v[at]` in its place. */
export function rotate(v: Numbers, at: number, q: Numbers): void {
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

/** The turn by an angle (radians, right-handed) about a direction of any length but none: then it is no turn. */
export function turnAbout(result: Numbers, x: number, y: number, z: number, angle: number): void {
  const length = length3(x, y, z);
  const factor = length > 0 ? Math.sin(angle / 2) / length : 0;
  result[0] = x * factor;
  result[1] = y * factor;
  result[2] = z * factor;
  result[3] = length > 0 ? Math.cos(angle / 2) : 1;
}

/** The angle about x of a rotation as Maya and Blender take one apart by default: about x first, then y, then z. */
export function eulerX(q: Numbers, at = 0): number {
  const x = q[at]!;
  const y = q[at + 1]!;
  const z = q[at + 2]!;
  const w = q[at + 3]!;
  return Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
}

/** All three angles of such a rotation. */
export function toEuler(result: Numbers, q: Numbers): void {
  const x = q[0]!;
  const y = q[1]!;
  const z = q[2]!;
  const w = q[3]!;
  const sine = Math.min(Math.max(2 * (w * y - z * x), -1), 1);
  result[1] = Math.asin(sine);
  if (Math.abs(sine) > 1 - 1e-12) {
    // Straight up or down: x and z turn about one axis, and x takes it all.
    result[0] = 2 * Math.atan2(x, w);
    result[2] = 0;
    return;
  }
  result[0] = eulerX(q);
  result[2] = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** From such angles. */
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

/** The shortest turn from the direction of one vector to that of another; none where one has no length. */
export function turnBetween(to: Numbers, from: Numbers, into: Numbers): void {
  const a = from[0]!;
  const b = from[1]!;
  const c = from[2]!;
  const x = into[0]!;
  const y = into[1]!;
  const z = into[2]!;
  const size = length3(a, b, c) * length3(x, y, z);
  const cosine = a * x + b * y + c * z;
  to[0] = b * z - c * y;
  to[1] = c * x - a * z;
  to[2] = a * y - b * x;
  to[3] = size + cosine;
  if (to[3] < 1e-9 * size) {
    // straight back: about any axis at right angles
    const isSteep = Math.abs(a) > 0.9 * length3(a, b, c);
    to[0] = isSteep ? -c : 0;
    to[1] = isSteep ? 0 : c;
    to[2] = isSteep ? a : -b;
    to[3] = 0;
  }
  const length = length4(to[0], to[1], to[2], to[3]);
  if (length > 0) for (let i = 0; i < 4; i++) to[i]! /= length;
  else to[3] = 1;
}
