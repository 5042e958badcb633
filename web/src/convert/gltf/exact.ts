// Encodes curves as LINEAR, STEP or CUBICSPLINE if glTF can store them exactly. Other curves are
// sampled (common/bakeValue.ts).
import { numberAt } from '../../core/math/column.ts';
import { IDENTITY, quaternionAt } from '../../core/math/quaternion.ts';
import type { BoundTrack } from '../../core/bind.ts';
import { SEGMENT_KINDS } from '../../core/description.ts';
import type { SegmentKind } from '../../core/types.ts';
import { type Component, componentsOf, type Driven } from '../common/driven.ts';

export interface Encoded {
  interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
  times: Float32Array;
  /**
   * Values of all keys. For CUBICSPLINE, each key has an in-tangent, a value and an out-tangent.
   */
  values: Float32Array;
}

/**
 * Encodes the curves of a value as a glTF sampler. Returns null if glTF cannot store the curves
 * exactly from time 0 to `end`, in seconds.
 */
export function encode(driven: Driven, end: number): Encoded | null {
  const { width, isRotation } = driven;
  const components = componentsOf(driven);
  const used = [...new Set(components.flatMap(component => component?.track ?? []))];
  const [first] = used;
  if (!first || !used.every(track => track.mode === 'absolute' && sameTimes(track.times, first.times) && isWithin(track, end))) return null;
  const kinds = new Set(used.map(track => kindOf(track)));
  const [kind] = kinds.size === 1 ? kinds : [undefined];
  const isWhole = used.length === 1 && components.every((component, c) => component?.at === c && component.width === width);
  const isStraight = isRotation ? isWhole && kind === 'slerp' : kind === 'linear' || kind === 'slerp';
  if (kind === 'step' || isStraight || first.times.length === 1) {
    const values = isWhole ? first.values : joined(driven, components, first.times.length);
    const encoded = {
      times: first.times,
      values: isRotation ? unitRotations(values) : values,
      interpolation: kind === 'step' ? 'STEP' : 'LINEAR',
    } as const;
    return withoutRepeats(encoded, width);
  }
  return cubic(driven, components, first.times);
}

function sameTimes(a: Float32Array, b: Float32Array): boolean {
  return a === b || (a.length === b.length && a.every((time, i) => time === b[i]));
}

/**
 * True if the key times are ascending and between 0 and `end`, and the curve is constant before the
 * first key and after the last key.
 */
function isWithin({ times, before, after }: BoundTrack, end: number): boolean {
  const begin = times[0] ?? -1;
  const last = times.at(-1) ?? -1;
  if (!(begin >= 0) || last > end) return false;
  if ((before !== 'hold' && begin > 0) || (after !== 'hold' && last < end)) return false;
  for (let k = 1; k < times.length; k++) if (!(numberAt(times, k) > numberAt(times, k - 1))) return false;
  return true;
}

/**
 * Returns the interpolation of a track, or undefined if its segments have different interpolations.
 */
function kindOf({ interpolation, kinds, tangents }: BoundTrack): SegmentKind | undefined {
  const plain = (kind: SegmentKind | undefined): SegmentKind | undefined =>
    (kind === 'hermite' || kind === 'bezier') && !tangents ? 'linear' : kind;
  if (interpolation !== 'perKey') return plain(interpolation);
  return kinds?.every(kind => kind === kinds[0]) ? plain(SEGMENT_KINDS[kinds[0] ?? 1]) : undefined;
}

function joined({ width, rest }: Driven, components: readonly (Component | null)[], count: number): Float32Array {
  const values = new Float32Array(width * count);
  for (const [c, component] of components.entries())
    for (let k = 0; k < count; k++)
      values[width * k + c] = component ? numberAt(component.track.values, component.width * k + component.at) : numberAt(rest, c);
  return values;
}

/** Normalizes quaternions. Returns the same array if all of them have unit length. */
function unitRotations(values: Float32Array): Float32Array {
  let result = values;
  for (let i = 0; i + 3 < values.length; i += 4) {
    const rotation = quaternionAt(values, i);
    const length = Math.hypot(...rotation);
    if (Math.abs(length - 1) < 1e-6) continue;
    if (result === values) result = values.slice();
    result.set(length > 1e-6 ? rotation.map(value => value / length) : IDENTITY, i);
  }
  return result;
}

/** Reduces a curve whose keys all have the same value to one key. */
function withoutRepeats({ interpolation, times, values }: Encoded, width: number): Encoded {
  for (let i = width; i < values.length; i++) if (values[i] !== values[i - width]) return { interpolation, times, values };
  return { interpolation, times: times.subarray(0, 1), values: values.subarray(0, width) };
}

/**
 * Encodes a curve as CUBICSPLINE. Returns null if a segment is neither linear nor a cubic function
 * of time.
 */
function cubic({ width, rest, isRotation }: Driven, components: readonly (Component | null)[], times: Float32Array): Encoded | null {
  const count = times.length;
  const values = new Float32Array(3 * width * count);
  for (const [c, component] of components.entries()) {
    for (let k = 0; k < count; k++)
      values[3 * width * k + width + c] = component
        ? numberAt(component.track.values, component.width * k + component.at)
        : numberAt(rest, c);
    if (!component) continue;
    for (let k = 0; k + 1 < count; k++) {
      const slopes = slopesOf(component, k);
      if (!slopes) return null;
      values[3 * width * k + 2 * width + c] = slopes[0];
      values[3 * width * (k + 1) + c] = slopes[1];
    }
  }
  return isRotation && !hasUnitKeys(values, width) ? null : { interpolation: 'CUBICSPLINE', times, values };
}

/** Tolerance for the length of unit quaternions. It is half of the glTF validator's tolerance. */
const NEARLY_UNIT = 0.003;

/**
 * True if the keys are unit quaternions. Keys can have other lengths if each component has its own
 * curve.
 */
function hasUnitKeys(values: Float32Array, width: number): boolean {
  for (let i = width; i < values.length; i += 3 * width) {
    if (Math.abs(Math.hypot(...quaternionAt(values, i)) - 1) > NEARLY_UNIT) return false;
  }
  return true;
}

const THIRD = 1 / 3;

/**
 * Returns the slopes at the start and the end of a segment, in units per second. Returns null if
 * the segment is not a cubic function of time.
 */
function slopesOf({ track, at, width }: Component, k: number): [number, number] | null {
  const { interpolation, kinds, tangents, weights, times, values } = track;
  const kind = interpolation === 'perKey' ? (SEGMENT_KINDS[kinds?.[k] ?? 1] ?? 'linear') : interpolation;
  if (kind === 'step' || (kind === 'slerp' && width === 4)) return null;
  const out = 2 * width * k + width + at;
  const into = 2 * width * (k + 1) + at;
  if (!tangents || kind === 'linear' || kind === 'slerp') {
    const rise = numberAt(values, width * (k + 1) + at) - numberAt(values, width * k + at);
    const slope = rise / (numberAt(times, k + 1) - numberAt(times, k));
    return [slope, slope];
  }
  const isThird = (weight: number | undefined): boolean => Math.abs((weight ?? THIRD) - THIRD) < 1e-6;
  if (kind === 'bezier' && weights && !(isThird(weights[out]) && isThird(weights[into]))) return null;
  const slopes: [number, number] = [numberAt(tangents, out), numberAt(tangents, into)];
  return slopes.every(slope => Number.isFinite(slope)) ? slopes : null;
}
