// Curves that glTF says as they are: LINEAR, STEP and CUBICSPLINE. What it cannot say exactly is left to bake.ts.
import { numberAt } from '../../core/math/column.ts';
import { IDENTITY, quaternionAt } from '../../core/math/quaternion.ts';
import type { BoundTrack } from '../../core/bind.ts';
import { SEGMENT_KINDS } from '../../core/description.ts';
import type { SegmentKind } from '../../core/types.ts';
import { type Component, componentsOf, type Driven } from '../common/driven.ts';

export interface Encoded {
  interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
  times: Float32Array;
  /** Of a cubic spline in-tangent, value, out-tangent a key. */
  values: Float32Array;
}

/** Null where the value is not what one glTF sampler says between 0 and `end` seconds. */
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

/** Whether the keys lie in the clip, each later than the one before, and what lies outside of them is held or never seen. */
function isWithin({ times, before, after }: BoundTrack, end: number): boolean {
  const begin = times[0] ?? -1;
  const last = times.at(-1) ?? -1;
  if (!(begin >= 0) || last > end) return false;
  if ((before !== 'hold' && begin > 0) || (after !== 'hold' && last < end)) return false;
  for (let k = 1; k < times.length; k++) if (!(numberAt(times, k) > numberAt(times, k - 1))) return false;
  return true;
}

/** The kind of all segments, where it is one. */
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

/** Quaternions of the length one; the same array where they are. */
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

/** One key says what many equal ones say. */
function withoutRepeats({ interpolation, times, values }: Encoded, width: number): Encoded {
  for (let i = width; i < values.length; i++) if (values[i] !== values[i - width]) return { interpolation, times, values };
  return { interpolation, times: times.subarray(0, 1), values: values.subarray(0, width) };
}

/** Segments that are lines or cubics by the slopes at their ends; null where one is neither. */
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

/** glTF's validator allows twice as much. */
const NEARLY_UNIT = 0.003;

/** Components that are animated apart need not make a rotation at the keys; the engine makes them one afterwards. */
function hasUnitKeys(values: Float32Array, width: number): boolean {
  for (let i = width; i < values.length; i += 3 * width) {
    if (Math.abs(Math.hypot(...quaternionAt(values, i)) - 1) > NEARLY_UNIT) return false;
  }
  return true;
}

const THIRD = 1 / 3;

/** The slopes at the ends of a segment, value per second; null where it is no cubic in time. */
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
