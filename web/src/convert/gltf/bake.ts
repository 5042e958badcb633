// Any function of time as keys with straight lines between them, as few as a tolerance allows.
import type { Budget } from '../common/budget.ts';

/** What is sampled at a time, several numbers wide. */
export interface Sampler {
  width: number;
  sample(time: number, result: Float64Array): void;
  /** `u` of the way from key a to key b, as a reader of the keys goes it. */
  between(a: Float64Array, b: Float64Array, u: number, result: Float64Array): void;
  /** How far two values are apart, in the unit of the tolerance. */
  distance(a: Float64Array, b: Float64Array): number;
}

export interface Baked {
  times: Float32Array;
  values: Float32Array;
  /** The largest distance that was found between keys. */
  error: number;
  /** More keys would have exceeded the limit of the conversion. */
  isCut: boolean;
}

/** No curve gets more keys. */
const MOST_KEYS = 100_000;
/** Seconds; no two keys that halving makes are closer. */
const CLOSEST = 1e-4;
const PROBES = [0.25, 0.5, 0.75];

interface Key {
  time: number;
  value: Float64Array;
}

/**
 * `points`: where the curve may have corners or jumps, ascending. Keys lie there and, where lines are not enough, between them, as far as the budget allows. Throws a
 * ConversionError if it does not allow the points.
 */
export function bake(sampler: Sampler, points: readonly number[], tolerance: number, budget: Budget): Baked {
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
  let open = MOST_KEYS;
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

/** Keys in the middle of a run of equal values say nothing. */
function withoutRepeats(keys: readonly Key[], distance: Sampler['distance']): Key[] {
  const isSame = (a: Key | undefined, b: Key | undefined): boolean => !!a && !!b && distance(a.value, b.value) === 0;
  const kept = keys.filter((key, i) => !(isSame(keys[i - 1], key) && isSame(key, keys[i + 1])));
  const [first] = kept;
  return first && kept.every(key => isSame(key, first)) ? [first] : kept;
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The largest float32 below a time. */
export function previousFloat(time: number): number {
  float[0] = time;
  if (time <= 0) return time;
  bits[0] = (bits[0] ?? 1) - 1;
  return float[0] ?? 0;
}
