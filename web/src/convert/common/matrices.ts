// Affine matrices, column-major, 16 numbers.
import { product as multiply } from '../../rig/world.ts';

export function product(a: Float64Array, b: ArrayLike<number>): Float64Array {
  const result = new Float64Array(16);
  multiply(result, 0, a, 0, Float64Array.from(b));
  return result;
}

/** The identity where there is none. */
export function inverse(m: ArrayLike<number>): Float64Array {
  const [a = 0, b = 0, c = 0, , d = 0, e = 0, f = 0, , g = 0, h = 0, i = 0, , x = 0, y = 0, z = 0] = Array.from(m);
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (Math.abs(determinant) < 1e-30) return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const rows = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  const [p = 0, q = 0, r = 0, s = 0, t = 0, u = 0, v = 0, w = 0, k = 0] = rows.map(value => value / determinant);
  return Float64Array.of(
    p,
    q,
    r,
    0,
    s,
    t,
    u,
    0,
    v,
    w,
    k,
    0,
    -(p * x + s * y + v * z),
    -(q * x + t * y + w * z),
    -(r * x + u * y + k * z),
    1,
  );
}

/** Whether it turns what is right into left. */
export function isMirror(m: ArrayLike<number>): boolean {
  const [a = 0, b = 0, c = 0, , d = 0, e = 0, f = 0, , g = 0, h = 0, i = 0] = Array.from(m);
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0;
}
