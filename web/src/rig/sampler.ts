// Approximates a function of time by keys with linear interpolation or slerp. Adds keys until the
// error is within a tolerance.
import type { BoundTrack } from '../core/bound.ts';
import { slerp } from '../core/math/quaternion.ts';

/** Memory budget for sampled keys. */
export interface SampleBudget {
  /** Takes bytes from the budget. Throws if not enough are left. */
  spend(bytes: number): void;
  /**
   * Takes bytes for optional keys from the budget. If not enough are left, takes none and returns
   * false.
   */
  affordMore(bytes: number): boolean;
}

/** A function of time whose values consist of `width` numbers. */
export interface Sampler {
  width: number;
  sample(time: number, result: Float64Array): void;
  /**
   * Interpolates between the values of two keys as playback does. `u`: position between the keys, 0
   * to 1.
   */
  between(a: Float64Array, b: Float64Array, u: number, result: Float64Array): void;
  /** Returns the error between two values, in the unit of the tolerance. */
  distance(a: Float64Array, b: Float64Array): number;
}

export interface Baked {
  times: Float32Array;
  values: Float32Array;
  /** Largest error that was measured between keys. */
  error: number;
  /** True if the error exceeds the tolerance because the budget was used up. */
  isCut: boolean;
}

/** Maximum number of keys that bisection adds to one curve. */
const MAX_KEYS = 100_000;
/** Minimum time between keys that bisection adds, in seconds. */
const CLOSEST = 1e-4;
const PROBES = [0.25, 0.5, 0.75];

interface Key {
  time: number;
  value: Float64Array;
}

/**
 * Samples the function at `points`, and bisects the intervals between them until the error is
 * within the tolerance or the budget is used up. `points`: ascending times at which the function
 * may have corners or jumps. A jump is represented by two keys. Throws the error of `budget.spend`
 * if the budget doesn't suffice for the points alone.
 */
export function bake(sampler: Sampler, points: readonly number[], tolerance: number, budget: SampleBudget): Baked {
  const { width, distance } = sampler;
  const perLook = 4 * (width + 1);
  budget.spend(4 * perLook * points.length);
  const keyAt = (time: number): Key => {
    const value = new Float64Array(width);
    sampler.sample(time, value);
    return { time, value };
  };
  const keys: Key[] = [];
  let error = 0;
  let open = MAX_KEYS;
  let isCut = false;
  const probe = new Float64Array(width);
  const line = new Float64Array(width);
  const connect = (a: Key, b: Key): void => {
    let worst = 0;
    for (const u of PROBES) {
      const time = Math.fround(a.time + (b.time - a.time) * u);
      sampler.sample(time, probe);
      sampler.between(a.value, b.value, (time - a.time) / (b.time - a.time), line);
      worst = Math.max(worst, distance(probe, line));
    }
    const middle = Math.fround((a.time + b.time) / 2);
    const isDone = worst <= tolerance || b.time - a.time < 2 * CLOSEST || open <= 0;
    if (isDone || !budget.affordMore(7 * perLook)) {
      isCut ||= !isDone;
      error = Math.max(error, worst);
      keys.push(b);
      return;
    }
    open--;
    const key = keyAt(middle);
    connect(a, key);
    connect(key, b);
  };
  for (const point of points) {
    const key = keyAt(point);
    const last = keys.at(-1);
    if (!last) {
      keys.push(key);
      continue;
    }
    const before = keyAt(previousFloat(point));
    const isJump = distance(before.value, key.value) > tolerance && before.time > last.time;
    connect(last, isJump ? before : key);
    if (isJump) keys.push(key);
  }
  const kept = withoutRepeats(keys, distance);
  const values = new Float32Array(width * kept.length);
  for (const [i, { value }] of kept.entries()) values.set(value, width * i);
  return { times: Float32Array.from(kept, ({ time }) => time), values, error, isCut };
}

/**
 * Returns the keys without those that equal both of their neighbours. If all keys are equal,
 * returns only the first.
 */
function withoutRepeats(keys: readonly Key[], distance: Sampler['distance']): Key[] {
  const isSame = (a: Key | undefined, b: Key | undefined): boolean => !!a && !!b && distance(a.value, b.value) === 0;
  const kept = keys.filter((key, i) => !(isSame(keys[i - 1], key) && isSame(key, keys[i + 1])));
  const [first] = kept;
  return first && kept.every(key => isSame(key, first)) ? [first] : kept;
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Returns the next smaller float32 for a positive time. Returns other times unchanged. */
export function previousFloat(time: number): number {
  float[0] = time;
  if (time <= 0) return time;
  bits[0] = (bits[0] ?? 1) - 1;
  return float[0] ?? 0;
}

/** Once there are this many points, no further repetitions of curves are added. */
const MAX_POINTS = 20_000;

/**
 * Returns the times from 0 to `end` at which the curves may have corners, including keys that
 * extrapolation repeats. The times are ascending; there is at least one. `maxPoints`: once there are
 * this many times, no further repetitions are added.
 */
export function pointsOf(tracks: readonly BoundTrack[], end: number, maxPoints = MAX_POINTS): number[] {
  const points = new Set<number>();
  for (const { times, before, after } of tracks) {
    const begin = times[0] ?? 0;
    const last = times.at(-1) ?? 0;
    for (const time of times) if (time >= 0 && time <= end) points.add(time);
    if (begin < 0 || before !== 'hold') points.add(0);
    if (last > end || after !== 'hold') points.add(end);
    repeat(points, times, before === 'hold' ? begin : 0, after === 'hold' ? last : end, end, maxPoints);
  }
  if (points.size === 0) points.add(0);
  return [...points].sort((a, b) => a - b);
}

function repeat(points: Set<number>, times: Float32Array, from: number, to: number, end: number, maxPoints: number): void {
  const begin = times[0] ?? 0;
  const length = (times.at(-1) ?? 0) - begin;
  if (!(length > 0)) return;
  const first = Math.floor((Math.max(from, 0) - begin) / length);
  const last = Math.ceil((Math.min(to, end) - begin) / length);
  // Add the keys that `loop` repeats and the keys that `pingPong` mirrors.
  for (let n = first; n <= last && points.size < maxPoints; n++)
    for (const time of times)
      for (const at of [Math.fround(time + n * length), Math.fround(2 * begin + (n + 1) * length - time)])
        if (at >= 0 && at <= end && at >= from && at <= to) points.add(at);
}

/** Implementation of `Sampler.between` for rotations. */
export const betweenRotations: Sampler['between'] = (a, b, u, result) => slerp(result, 0, a, 0, b, 0, u);

/** Implementation of `Sampler.between` for values other than rotations. */
export const betweenNumbers: Sampler['between'] = (a, b, u, result) => {
  for (let c = 0; c < result.length; c++) result[c] = (a[c] ?? 0) + ((b[c] ?? 0) - (a[c] ?? 0)) * u;
};

/**
 * Returns the angle in radians between two rotations. The quaternions q and -q count as the same
 * rotation.
 */
export function angleBetween(a: Float64Array, b: Float64Array): number {
  let apart = 0;
  let mirrored = 0;
  for (let c = 0; c < 4; c++) {
    apart += ((a[c] ?? 0) - (b[c] ?? 0)) ** 2;
    mirrored += ((a[c] ?? 0) + (b[c] ?? 0)) ** 2;
  }
  return 4 * Math.asin(Math.min(Math.sqrt(Math.min(apart, mirrored)) / 2, 1));
}
