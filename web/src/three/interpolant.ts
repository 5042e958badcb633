// The one interpolant for what three's own cannot play: segments of different kinds in one curve, weighted tangents, curves for single
// components, infinite tangents, extrapolation. A keyframe track that owns its curves survives clone(), shift(), scale() and trim().
import { Interpolant, KeyframeTrack } from 'three';
import { type Curve, CurveCursor } from '../rig/curve.ts';
import { normalise } from '../rig/quaternion.ts';

/** One curve and the components it drives: `component` of the value, or the whole value from 0. */
export interface CurvePart {
  curve: Curve;
  component: number;
}

interface Timeline {
  offset: number;
  factor: number;
}

class CurveInterpolant extends Interpolant {
  #cursors: { cursor: CurveCursor; component: number }[];
  #track: CurveTrack;

  constructor(track: CurveTrack, result?: Float32Array) {
    super(track.times, track.values, track.getValueSize(), result);
    this.#track = track;
    this.#cursors = track.parts.map(({ curve, component }) => ({ cursor: new CurveCursor(curve), component }));
  }

  override evaluate(t: number): Float32Array {
    const { timeline, rest, isRotation } = this.#track;
    const result = this.resultBuffer as Float32Array;
    const local = (t - timeline.offset) / timeline.factor;
    for (let c = 0; c < this.valueSize; c++) result[c] = rest[c]!;
    for (const { cursor, component } of this.#cursors) cursor.evaluate(local, result, component);
    if (isRotation) normalise(result);
    return result;
  }

  /** Never called: `evaluate` finds its own segments. */
  interpolate_(_i1: number, _t0: number, t: number): Float32Array {
    return this.evaluate(t);
  }
}

export type ValueType = 'vector' | 'quaternion' | 'number';

/**
 * A keyframe track played by its curves. `times` and `values` hold what the curves give at all their key times, for those who read tracks
 * instead of playing them. Components without a curve keep the rest value.
 */
export class CurveTrack extends KeyframeTrack {
  declare ValueTypeName: ValueType;
  declare createInterpolant: (result?: Float32Array) => Interpolant;
  readonly parts: readonly CurvePart[];
  readonly rest: readonly number[];
  /** What shift() and scale() did: track time = key time * factor + offset. */
  readonly timeline: Timeline = { offset: 0, factor: 1 };

  constructor(name: string, type: ValueType, parts: readonly CurvePart[], rest: readonly number[]) {
    const { times, values } = sampleAtKeys(parts, rest, type === 'quaternion');
    super(name, times, values);
    this.ValueTypeName = type;
    this.parts = parts;
    this.rest = rest;
    this.createInterpolant = (result?: Float32Array) => new CurveInterpolant(this, result);
  }

  get isRotation(): boolean {
    return this.ValueTypeName === 'quaternion';
  }

  override shift(timeOffset: number): this {
    this.timeline.offset += timeOffset;
    super.shift(timeOffset);
    return this;
  }

  override scale(timeScale: number): this {
    this.timeline.factor *= timeScale;
    this.timeline.offset *= timeScale;
    super.scale(timeScale);
    return this;
  }

  /** Keys that look superfluous shape the curve between them. */
  override optimize(): this {
    return this;
  }

  override clone(): this {
    const track = new CurveTrack(this.name, this.ValueTypeName, this.parts, this.rest);
    Object.assign(track.timeline, this.timeline);
    track.times = this.times.slice();
    track.values = this.values.slice();
    return track as this;
  }
}

/** The values at the union of all key times. */
function sampleAtKeys(
  parts: readonly CurvePart[],
  rest: readonly number[],
  isRotation: boolean,
): { times: Float32Array; values: Float32Array } {
  const first = parts[0]!.curve.times;
  const shared = parts.every(({ curve }) => curve.times === first);
  const times = shared ? first.slice() : Float32Array.from(new Set(parts.flatMap(({ curve }) => [...curve.times]))).sort();
  const size = rest.length, values = new Float32Array(times.length * size);
  const cursors = parts.map(({ curve, component }) => ({ cursor: new CurveCursor(curve), component }));
  const value = [...rest];
  for (const [k, time] of times.entries()) {
    for (let c = 0; c < size; c++) value[c] = rest[c]!;
    for (const { cursor, component } of cursors) cursor.evaluate(time, value, component);
    if (isRotation) normalise(value);
    values.set(value, k * size);
  }
  return { times, values };
}
