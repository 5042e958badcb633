import { describe, expect, it } from 'vitest';
import { type Curve, CurveCursor, hermite, solveWeighted, weighted } from '../../../web/src/rig/curve.ts';

const curve = (over: Partial<Curve> & Pick<Curve, 'times' | 'values'>): Curve => ({
  width: 1,
  interpolation: 'linear',
  before: 'hold',
  after: 'hold',
  ...over,
});
const at = (c: Curve, t: number): number => {
  const result = [NaN];
  new CurveCursor(c).evaluate(t, result, 0);
  return result[0]!;
};
const f32 = (...values: number[]): Float32Array => Float32Array.from(values);

/** Returns the root of the time polynomial, found by bisection. */
function bisect(w0: number, w1: number, u: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 200; i++) {
    const s = (low + high) / 2;
    const r = 1 - s;
    if (3 * r * r * s * w0 + 3 * r * s * s * (1 - w1) + s * s * s > u) high = s;
    else low = s;
  }
  return (low + high) / 2;
}

describe('segments', () => {
  it('hermite reproduces cubic polynomials', () => {
    const p = (x: number) => 2 - 3 * x + 0.5 * x * x + 4 * x ** 3;
    const slope = (x: number) => -3 + x + 12 * x * x;
    const [t0, t1] = [0.25, 1.75];
    const d = t1 - t0;
    for (let i = 0; i <= 100; i++) {
      const u = i / 100;
      expect(hermite(p(t0), slope(t0) * d, p(t1), slope(t1) * d, u)).toBeCloseTo(p(t0 + u * d), 10);
    }
  });

  it('weights of 1/3 equal an unweighted cubic', () => {
    for (let i = 0; i <= 100; i++) expect(weighted(1, 5, 1 / 3, -2, 3, 1 / 3, i / 100)).toBeCloseTo(hermite(1, 5, -2, 3, i / 100), 12);
  });

  it('weights of 0 give a straight line', () => {
    for (let i = 0; i <= 100; i++) expect(weighted(1, 50, 0, -2, 30, 0, i / 100)).toBe(1 + -3 * (i / 100));
  });

  it('solveWeighted agrees with bisection for all weights', () => {
    const weights = [0, 1e-6, 0.1, 1 / 3, 0.5, 0.9, 1 - 1e-6, 1];
    for (const w0 of weights) {
      for (const w1 of weights) {
        for (let i = 0; i <= 200; i++) {
          const u = i / 200;
          const s = solveWeighted(w0, w1, u);
          const value = (x: number) => 3 * (1 - x) ** 2 * x * (1 + 2 * w0) + 3 * (1 - x) * x * x * (3 - 2 * w1) + x ** 3 * 3;
          expect(Math.abs(value(s) - value(bisect(w0, w1, u))), `${w0} ${w1} ${u}`).toBeLessThan(1e-5);
        }
      }
    }
  });

  it('clamps weights to 0..1', () => {
    expect(weighted(0, 1, 7, 1, 1, -3, 0.4)).toBe(weighted(0, 1, 1, 1, 1, 0, 0.4));
  });
});

describe('CurveCursor', () => {
  it('holds outside its keys, steps, and uses the later of two keys at one time', () => {
    const c = curve({ times: f32(0, 1, 1, 2), values: f32(0, 10, 20, 30) });
    expect([-1, 0, 0.5, 0.999, 1, 1.5, 2, 9].map(t => at(c, t))).toEqual([0, 0, 5, expect.closeTo(9.99, 5), 20, 25, 30, 30]);
    expect([0, 0.9, 1, 1.9, 2].map(t => at({ ...c, interpolation: 'step' }, t))).toEqual([0, 0, 20, 20, 30]);
  });

  it('evaluates each segment by its kind', () => {
    const c = curve({
      times: f32(0, 1, 2, 3, 4),
      values: f32(0, 1, 2, 3, 4),
      interpolation: 'perKey',
      kinds: Uint8Array.of(0, 1, 3, 4, 0),
      tangents: f32(0, 0, 0, 0, 0, 6, -6, 2, 2, 2),
      weights: f32(0, 0, 0, 0, 0, 0, 0, 0.2, 0.7, 0),
    });
    expect(at(c, 0.75)).toBe(0);
    expect(at(c, 1.25)).toBe(1.25);
    expect(at(c, 2.25)).toBeCloseTo(hermite(2, 6, 3, -6, 0.25), 6);
    expect(at(c, 3.25)).toBeCloseTo(weighted(3, 2, Math.fround(0.2), 4, 2, Math.fround(0.7), 0.25), 6);
  });

  it('evaluates slerp segments of three components linearly', () => {
    const c = curve({ times: f32(0, 1), values: f32(1, 0, 0, 0, 1, 0), width: 3, interpolation: 'slerp' });
    const result = [0, 0, 0];
    new CurveCursor(c).evaluate(0.25, result, 0);
    expect(result).toEqual([0.75, 0.25, 0]);
  });

  it('holds the left key of a segment with an infinite tangent', () => {
    for (const tangents of [f32(0, Infinity, 0, 0), f32(0, 0, -Infinity, 0)]) {
      const c = curve({ times: f32(0, 2), values: f32(3, 7), interpolation: 'hermite', tangents });
      expect([0, 1, 1.999, 2].map(t => at(c, t))).toEqual([3, 3, 3, 7]);
    }
  });

  it('loops and ping-pongs outside its keys', () => {
    const c = curve({ times: f32(1, 3), values: f32(0, 2), before: 'pingPong', after: 'loop' });
    expect(at(c, 3.5)).toBeCloseTo(0.5);
    expect(at(c, 8.25)).toBeCloseTo(1.25);
    expect(at(c, 0.5)).toBeCloseTo(0.5);
    expect(at(c, -1.5)).toBeCloseTo(1.5);
    expect(at(c, 3)).toBe(2);
    expect(at(curve({ times: f32(1, 1), values: f32(4, 5), after: 'loop' }), 7)).toBe(5);
  });

  it('gives equal values forwards, backwards and in random order', () => {
    const times = Float32Array.from({ length: 50 }, (_, i) => i * i * 0.01);
    const values = times.map(Math.sin);
    const c = curve({ times, values });
    const cursor = new CurveCursor(c);
    const order = Array.from({ length: 400 }, (_, i) => (i < 100 ? i * 0.25 : i < 200 ? (200 - i) * 0.25 : ((i * 7919) % 251) * 0.1));
    for (const t of order) {
      const result = [NaN];
      cursor.evaluate(t, result, 0);
      expect(result[0]).toBe(at(c, t));
    }
  });
});
