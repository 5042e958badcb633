// Quaternions x y z w as four neighbours in any array of numbers, so that columns of them need no objects.

export interface Numbers {
  [index: number]: number;
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
  if (cosine < ALMOST_EQUAL) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    s = Math.sin(s * angle) / sine;
    t = Math.sin(t * angle) / sine;
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
const ALMOST_EQUAL = 0.9995;

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
  const length = Math.hypot(q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!);
  if (length < 1e-6) {
    q[at] = q[at + 1] = q[at + 2] = 0;
    q[at + 3] = 1;
    return;
  }
  for (let c = 0; c < 4; c++) q[at + c]! /= length;
}
