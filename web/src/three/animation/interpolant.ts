// The one track for what three's own cannot play: curves for single components, curves that three has no interpolant for, and differences
// on top of other curves. It plays the curves themselves, survives three's utilities, and keeps what they write into `values`.
import {
  Interpolant,
  InterpolateLinear,
  type InterpolationModes,
  KeyframeTrack,
  LinearInterpolant,
  QuaternionLinearInterpolant,
} from 'three';
import { slerp } from '../../rig/quaternion.ts';
import { type CurvePart, StackCursor } from '../../rig/stack.ts';

export type ValueType = 'vector' | 'quaternion' | 'number';

const nothing = /*@__PURE__*/ new Float32Array(0);

class CurveInterpolant extends Interpolant {
  readonly #cursor: StackCursor;
  readonly #track: CurveTrack;

  constructor(track: CurveTrack, result?: Float32Array) {
    super(nothing, nothing, track.getValueSize(), result);
    this.#track = track;
    this.#cursor = new StackCursor(track);
  }

  override evaluate(t: number): Float32Array {
    const result = this.resultBuffer as Float32Array;
    this.#cursor.evaluate(this.#track.keyTime(t), result);
    return result;
  }

  /** Never called: `evaluate` finds its own segments. */
  interpolate_(_i1: number, _t0: number, t: number): Float32Array {
    return this.evaluate(t);
  }
}

interface Keys {
  times: Float32Array;
  values: Float32Array;
}

/**
 * A keyframe track played by its curves. Components without a curve keep the rest value. `times` and `values` are for those who read or edit tracks
 * instead of playing them: made when they are first read, keys that a linear track plays as the curves go. Whoever writes other values into them has
 * them played.
 */
export class CurveTrack extends KeyframeTrack {
  declare ValueTypeName: ValueType;
  declare createInterpolant: (result?: Float32Array) => Interpolant;
  readonly parts: readonly CurvePart[];
  readonly rest: readonly number[];
  /** What the values are differences from, by component; for the factor of `scale`. Nothing: they are values. */
  readonly origin: readonly number[];
  /** What shift() and scale() did: track time = key time * factor + offset. */
  offset = 0;
  factor = 1;
  /** The part of the track that `times` cover, in key time. */
  private from = -Infinity;
  private to = Infinity;
  private keys: Keys | null = null;

  constructor(name: string, type: ValueType, parts: readonly CurvePart[], rest: readonly number[], origin: readonly number[] = []) {
    super(name, [0], rest);
    this.ValueTypeName = type;
    this.parts = parts;
    this.rest = rest;
    this.origin = origin;
    for (const key of ['times', 'values'] as const) {
      Object.defineProperty(this, key, {
        get: () => this.read()[key],
        set: (numbers: Float32Array) => void (this.read()[key] = numbers),
        enumerable: true,
        configurable: true,
      });
    }
    this.createInterpolant = (result?: Float32Array) => {
      if (!this.isEdited()) return new CurveInterpolant(this, result);
      const Made = type === 'quaternion' ? QuaternionLinearInterpolant : LinearInterpolant;
      return new Made(this.times, this.values, this.getValueSize(), result);
    };
  }

  get isRotation(): boolean {
    return this.ValueTypeName === 'quaternion';
  }

  /** When the curves say what the track plays at a time. */
  keyTime(t: number): number {
    return (t - this.offset) / this.factor;
  }

  override getValueSize(): number {
    return this.rest.length;
  }

  override getInterpolation(): InterpolationModes {
    return InterpolateLinear;
  }

  override shift(timeOffset: number): this {
    if (this.isEdited()) return super.shift(timeOffset) as this;
    this.absorb();
    this.offset += timeOffset;
    return this;
  }

  override scale(timeScale: number): this {
    if (this.isEdited()) return super.scale(timeScale) as this;
    this.absorb();
    this.factor *= timeScale;
    this.offset *= timeScale;
    return this;
  }

  override trim(startTime: number, endTime: number): this {
    if (this.isEdited()) return super.trim(startTime, endTime) as this;
    this.absorb();
    this.from = Math.max(this.from, this.keyTime(startTime));
    this.to = Math.max(this.from, Math.min(this.to, this.keyTime(endTime)));
    return this;
  }

  /** No key of a curve is superfluous: it shapes the curve between them. */
  override optimize(): this {
    return this.isEdited() ? super.optimize() : this;
  }

  override clone(): this {
    const track = new CurveTrack(this.name, this.ValueTypeName, this.parts, this.rest, this.origin);
    const { offset, factor, from, to } = this;
    Object.assign(track, { offset, factor, from, to });
    if (this.keys) track.keys = { times: this.times.slice(), values: this.values.slice() };
    return track as this;
  }

  private read(): Keys {
    return (this.keys ??= sampled(this, this.from, this.to));
  }

  /** Whether the keys that were handed out have been written to: they are no longer what the curves give at their times. */
  private isEdited(): boolean {
    if (!this.keys) return false;
    const { times, values } = this.keys;
    const size = this.getValueSize();
    const cursor = new StackCursor(this);
    const wanted = new Float32Array(size);
    if (values.length !== times.length * size) return true;
    for (const [k, time] of times.entries()) {
      cursor.evaluate(this.keyTime(time), wanted);
      for (let c = 0; c < size; c++) if (values[k * size + c] !== wanted[c]) return true;
    }
    return false;
  }

  /** Keys that were only chosen from, not written to, are made anew when they are next read, in the same range. */
  private absorb(): void {
    const times = this.keys?.times;
    this.keys = null;
    if (!times?.length) return;
    this.from = Math.max(this.from, this.keyTime(times[0]!));
    this.to = Math.min(this.to, this.keyTime(times.at(-1)!));
  }
}

/** Halvings of a segment, and how far a linear track may be off: a share of the range of its keys. */
const HALVINGS = 6;
const TOLERANCE = 1e-4;

/** What a linear track needs to play what the curves give: their keys, more where they bend, and one right before a jump. */
function sampled(track: CurveTrack, from: number, to: number): Keys {
  const { parts, offset, factor, isRotation } = track;
  const size = track.getValueSize();
  const cursor = new StackCursor(track);
  const at = (t: number): Float32Array => {
    const value = new Float32Array(size);
    cursor.evaluate(track.keyTime(t), value);
    return value;
  };
  const sets = [...new Set(parts.map(({ curve }) => curve.times))];
  const own = sets.length === 1 ? [...new Set(sets[0])] : [...new Set(sets.flatMap(times => [...times]))].sort((a, b) => a - b);
  const begin = Math.min(Math.max(from, own[0]!), own.at(-1)!);
  const end = Math.max(begin, Math.min(to, own.at(-1)!));
  /** Not before the key, or a step would come too late. */
  const moved = (key: number): number => {
    const t = Math.fround(key * factor + offset);
    return track.keyTime(t) < key ? -before(-t, key * factor) : t;
  };
  const keyTimes = [begin, ...own.filter(key => key > begin && key < end), ...(end > begin ? [end] : [])].map(moved);
  const keyValues = keyTimes.map(at);
  const tolerance = TOLERANCE * (isRotation ? 1 : rangeOf(keyValues));
  const line = new Float32Array(size);
  const isOff = (value: Float32Array, a: Float32Array, b: Float32Array, u: number): boolean => {
    if (isRotation) slerp(line, 0, a, 0, b, 0, u);
    else for (let c = 0; c < size; c++) line[c] = a[c]! + (b[c]! - a[c]!) * u;
    const sign = isRotation && value[0]! * line[0]! + value[1]! * line[1]! + value[2]! * line[2]! + value[3]! * line[3]! < 0 ? -1 : 1;
    return value.some((v, c) => !(Math.abs(v - sign * line[c]!) <= tolerance));
  };
  const times: number[] = [];
  const values: number[] = [];
  const push = (t: number, value: Float32Array): void => {
    times.push(t);
    values.push(...value);
  };
  const bend = (t0: number, v0: Float32Array, t1: number, v1: Float32Array, halvings: number): void => {
    const middle = Math.fround((t0 + t1) / 2);
    if (halvings === 0 || !(middle > t0 && middle < t1)) return;
    if (![0.25, 0.5, 0.75].some(u => isOff(at(t0 + (t1 - t0) * u), v0, v1, u))) return;
    const value = at(middle);
    bend(t0, v0, middle, value, halvings - 1);
    push(middle, value);
    bend(middle, value, t1, v1, halvings - 1);
  };
  for (const [k, t] of keyTimes.entries()) {
    push(t, keyValues[k]!);
    const next = keyTimes[k + 1];
    if (next === undefined) break;
    const last = before(next, track.keyTime(next) * factor);
    const left = last > t ? at(last) : keyValues[k + 1]!;
    const jumps = isOff(left, keyValues[k + 1]!, keyValues[k + 1]!, 0);
    bend(t, keyValues[k]!, jumps ? last : next, jumps ? left : keyValues[k + 1]!, HALVINGS);
    if (jumps) push(last, left);
  }
  return { times: Float32Array.from(times), values: Float32Array.from(values) };
}

/** Largest less smallest number of all, and never nothing beside their size. */
function rangeOf(values: readonly Float32Array[]): number {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    for (const v of value) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return Math.max(high - low, 0.01 * Math.max(Math.abs(low), Math.abs(high)), 1e-6);
}

const asFloat = /*@__PURE__*/ new Float32Array(1);
const asBits = /*@__PURE__*/ new Int32Array(asFloat.buffer);

/**
 * A float32 time just below `t` that is another time for the curves as well: they are `key` away from their own zero there, and the distance to the next float32
 * grows with both.
 */
function before(t: number, key: number): number {
  const size = Math.fround(Math.max(Math.abs(t), Math.abs(key)));
  asFloat[0] = size;
  asBits[0]!++;
  return Math.fround(t - (asFloat[0] - size));
}
