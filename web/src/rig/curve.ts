// Evaluates animation curves. Supports mixed segment kinds, weighted or infinite tangents, and
// extrapolation. Curves are evaluated in every frame; for speed, keys are indexed without checks
// (`!`).
import { slerp } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import { SEGMENT_KINDS } from '../core/description.ts';
import type { Extrapolation, SegmentKind } from '../core/types.ts';

/**
 * An animation curve with `width` components: ascending key times in seconds, and `width` values
 * per key.
 */
export interface Curve {
  times: Float32Array;
  values: Float32Array;
  width: number;
  /**
   * Segment kind of the curve, or `perKey` if `kinds` holds a kind per key (an index into
   * SEGMENT_KINDS).
   */
  interpolation: SegmentKind | 'perKey';
  kinds?: Uint8Array | undefined;
  /**
   * Slopes of the curve in units of the value per second. Each key has `width` in-slopes, followed
   * by `width` out-slopes. A segment with an infinite slope is constant.
   */
  tangents?: Float32Array | undefined;
  /**
   * Lengths of the tangents as fractions of the segment duration, in the same order as `tangents`
   * (default: one third).
   */
  weights?: Float32Array | undefined;
  before: Extrapolation;
  after: Extrapolation;
}

/**
 * Evaluates a cubic Hermite segment. `v0`, `v1`: values at its ends. `m0`, `m1`: slopes at its
 * ends, multiplied by its duration. `u`: position in the segment, 0 to 1.
 */
export function hermite(v0: number, m0: number, v1: number, m1: number, u: number): number {
  const u2 = u * u;
  const u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * v0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * v1 + (u3 - u2) * m1;
}

const ITERATIONS = 64;

/**
 * Solves 3(1-s)²s·w0 + 3(1-s)s²·(1-w1) + s³ = u for s. With weights from 0 to 1 the polynomial
 * never decreases, so Newton's method with a bracket always converges. If the slope vanishes (w0 =
 * w1 = 1 has a triple root), the bracket is halved instead.
 */
export function solveWeighted(w0: number, w1: number, u: number): number {
  if (u <= 0) return 0;
  if (u >= 1) return 1;
  const c1 = 3 * w0;
  const c2 = 3 * (1 - w1) - 6 * w0;
  const c3 = 1 + 3 * w0 - 3 * (1 - w1);
  let low = 0;
  let high = 1;
  let s = u;
  for (let i = 0; i < ITERATIONS; i++) {
    const error = ((c3 * s + c2) * s + c1) * s - u;
    if (Math.abs(error) < 1e-16) break;
    if (error > 0) high = s;
    else low = s;
    const slope = (3 * c3 * s + 2 * c2) * s + c1;
    const next = s - error / slope;
    s = next > low && next < high ? next : (low + high) / 2;
    if (high - low < 1e-16) break;
  }
  return s;
}

const clamp01 = (weight: number): number => (weight > 0 ? Math.min(weight, 1) : 0);

/**
 * Evaluates a segment with weighted tangents: a cubic Bézier curve in the (time, value) plane, as
 * in Unity's AnimationCurve. `v0`, `v1`: values at its ends. `m0`, `m1`: slopes at its ends,
 * multiplied by its duration. `w0`, `w1`: lengths of the tangents as fractions of the duration.
 * `u`: position in the segment, 0 to 1.
 */
export function weighted(v0: number, m0: number, w0: number, v1: number, m1: number, w1: number, u: number): number {
  w0 = clamp01(w0);
  w1 = clamp01(w1);
  if (w0 === 0 && w1 === 0) return v0 + (v1 - v0) * u;
  const s = solveWeighted(w0, w1, u);
  const r = 1 - s;
  return r * r * r * v0 + 3 * r * r * s * (v0 + w0 * m0) + 3 * r * s * s * (v1 - w1 * m1) + s * s * s * v1;
}

/**
 * Returns the index of the last key at or before t. Requires `times[0] <= t < times.at(-1)`.
 * `guess`: result of the previous call, which makes the search unnecessary in forward playback.
 */
export function findKey(times: Float32Array, t: number, guess: number): number {
  let i = guess;
  if (times[i]! <= t && t < times[i + 1]!) return i;
  if (times[++i]! <= t && t < times[i + 1]!) return i;
  let low = 0;
  let high = times.length - 1; // times[low] <= t < times[high]
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= t) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Evaluates one animation curve. Caches the current segment, so that forward playback needs no
 * search.
 */
export class CurveCursor {
  readonly curve: Curve;
  #index = 0;

  constructor(curve: Curve) {
    this.curve = curve;
  }

  /**
   * Evaluates the curve at time t, in seconds. Writes its components to `result`, starting at index
   * `offset`.
   */
  evaluate(t: number, result: Numbers, offset: number): void {
    const { times, values, width } = this.curve;
    const last = times.length - 1;
    const begin = times[0]!;
    const end = times[last]!;
    if (t < begin) t = outside(t, begin, end, this.curve.before);
    else if (t > end) t = outside(t, begin, end, this.curve.after);
    if (t < begin) return copy(values, 0, result, offset, width);
    if (t >= end) return copy(values, last * width, result, offset, width);

    this.#index = findKey(times, t, this.#index);
    this.#segment(this.#index, t, result, offset);
  }

  #segment(i: number, t: number, result: Numbers, offset: number): void {
    const { times, values, width, interpolation, kinds, tangents, weights } = this.curve;
    const kind = interpolation === 'perKey' ? (SEGMENT_KINDS[kinds?.[i] ?? 1] ?? 'linear') : interpolation;
    const d = times[i + 1]! - times[i]!;
    const u = (t - times[i]!) / d;
    const left = i * width;
    const right = left + width;
    if (kind === 'step') return copy(values, left, result, offset, width);
    if (kind === 'slerp' && width === 4) {
      slerp(result, offset, values, left, values, right, u);
      return;
    }
    const smooth = tangents && (kind === 'hermite' || kind === 'bezier');
    for (let c = 0; c < width; c++) {
      const v0 = values[left + c]!;
      const v1 = values[right + c]!;
      if (!smooth) {
        result[offset + c] = v0 + (v1 - v0) * u;
        continue;
      }
      const out = 2 * left + width + c;
      const into = 2 * right + c;
      const m0 = tangents[out]! * d;
      const m1 = tangents[into]! * d;
      if (!Number.isFinite(m0) || !Number.isFinite(m1)) result[offset + c] = v0;
      else if (kind === 'hermite' || !weights) result[offset + c] = hermite(v0, m0, v1, m1, u);
      else result[offset + c] = weighted(v0, m0, weights[out]!, v1, m1, weights[into]!, u);
    }
  }
}

function copy(from: Float32Array, at: number, to: Numbers, offset: number, count: number): void {
  for (let i = 0; i < count; i++) to[offset + i] = from[at + i]!;
}

/**
 * Maps a time outside the keys to a time between the first and the last key, as the extrapolation
 * mode specifies. For `hold`, returns the time unchanged.
 */
function outside(t: number, begin: number, end: number, mode: Extrapolation): number {
  const length = end - begin;
  if (mode === 'hold' || !(length > 0)) return t;
  const modulo = (x: number, n: number) => x - n * Math.floor(x / n);
  if (mode === 'loop') return begin + modulo(t - begin, length);
  return begin + length - Math.abs(modulo(t - begin, 2 * length) - length);
}

/** Returns the common kind of all segments, or undefined if their kinds differ. */
export function uniformKind(interpolation: SegmentKind | 'perKey', kinds?: Uint8Array): SegmentKind | undefined {
  if (interpolation !== 'perKey') return interpolation;
  return kinds?.every(kind => kind === kinds[0]) ? SEGMENT_KINDS[kinds[0]!] : undefined;
}
