// Converts bound curves to KeyframeTracks of three.js. If three.js can interpolate a curve exactly,
// the track has the same keys; otherwise, the curve is evaluated by the pose engine and sampled.
import {
  BooleanKeyframeTrack,
  InterpolateDiscrete,
  InterpolateLinear,
  type KeyframeTrack,
  NumberKeyframeTrack,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import type { BoundTrack } from '../../core/bound.ts';
import { uniformKind } from '../../rig/curve.ts';
import { curvePart, groupByValue, isAdditiveTrack } from '../../rig/curveGroups.ts';
import { angleBetween, bake, betweenNumbers, betweenRotations, pointsOf, type SampleBudget, type Sampler } from '../../rig/sampler.ts';
import { JOINS, StackCursor } from '../../rig/stack.ts';

/**
 * Maximum error of a sampled track between its keys: in radians for rotations, and as a fraction of
 * the track's value range for other values. Visibility changes at most 0.2 milliseconds late.
 */
export const CLIP_TOLERANCE = 1e-4;

/**
 * Memory limit for the sampled values of one clip, in bytes: a constant plus a number of bytes per
 * key in the clip. If a clip would need more, its error may exceed `CLIP_TOLERANCE`.
 */
const LEAST_BYTES = 2 ** 23;
const BYTES_PER_KEY = 2 ** 10;

export interface Tracks {
  tracks: KeyframeTrack[];
  /** True if the values are differences, to be played with three's additive blending. */
  isAdditive: boolean;
  /** True if the memory limit made the error of a track exceed `CLIP_TOLERANCE`. */
  isCoarse: boolean;
}

/**
 * An object property that a track animates. `name` is its track name in three.js. `rest` contains
 * its value in the rest pose, which is used for components without a curve.
 */
export interface Target {
  name: string;
  rest: readonly number[];
}

/** All curves that animate one property, in file order. */
interface Value {
  target: Target;
  /** Absolute curves, at most one for each component. */
  base: BoundTrack[];
  differences: BoundTrack[];
}

/**
 * Creates one track for each property. three.js blends a whole clip absolutely or additively, while
 * files declare a mode for each curve. The clip is additive if all curves with an effect are
 * additive. If only some are additive, their differences are added to the absolute curves or to the
 * rest pose. If a component has several absolute curves, the last one counts; additive curves
 * accumulate. `duration` is in seconds.
 */
export function makeTracks<T extends BoundTrack>(bound: Iterable<T>, duration: number, targetsOf: (track: T) => Target[]): Tracks {
  const driven = (track: T): Target[] => (isShown(track.path) && isAdditiveTrack(track) ? [] : targetsOf(track)); // visibility can't be blended additively
  const all = groupByValue(bound, driven, ({ name }) => name).map(({ target, tracks }): Value => {
    const base = new Map<number, BoundTrack>();
    for (const track of tracks) {
      if (isAdditiveTrack(track)) continue;
      if (track.component < 0) base.clear();
      base.set(track.component, track);
    }
    return { target, base: [...base.values()], differences: tracks.filter(isAdditiveTrack) };
  });
  const isAdditive =
    all.some(({ differences }) => differences.length > 0) &&
    all.every(({ base }) => base.every(({ path }) => path === 'visible' || path === 'shown' || path === 'weight'));
  const keys = all.reduce(
    (sum, { base, differences }) => [...base, ...differences].reduce((count, { times }) => count + times.length, sum),
    0,
  );
  const budget = { left: LEAST_BYTES + BYTES_PER_KEY * keys, isCut: false };
  const tracks = all.map(value => exactTrack(value, isAdditive) ?? sampledTrack(value, isAdditive, duration, budget));
  return { tracks, isAdditive, isCoarse: budget.isCut };
}

const isShown = (path: BoundTrack['path']): boolean => path === 'visible' || path === 'shown';

/**
 * Returns a track that reproduces the curves exactly, or null if three.js can't interpolate them.
 * If a single curve has all components, the track uses the arrays of the file without a copy.
 */
function exactTrack({ target, base, differences }: Value, isAdditive: boolean): KeyframeTrack | null {
  const curves = isAdditive && !base.length ? differences : base;
  const [first] = curves;
  if (!first || (curves === base && differences.length > 0)) return null;
  if (curves === differences && !curves.every(isPlainDifference)) return null;
  const { path, times, values, before, after } = first;
  const kind = uniformKind(first.interpolation, first.kinds);
  const isStep = kind === 'step';
  if (before !== 'hold' || after !== 'hold' || (!isStep && kind !== (path === 'rotation' ? 'slerp' : 'linear'))) return null;
  const mode = isStep ? InterpolateDiscrete : InterpolateLinear;
  const { name } = target;
  if (first.component < 0) {
    if (curves.length > 1) return null;
    if (isShown(path)) return isStep ? shownTrack(name, times, values) : null;
    if (path === 'rotation') return new QuaternionKeyframeTrack(name, times, values, mode);
    return new (target.rest.length === 3 ? VectorKeyframeTrack : NumberKeyframeTrack)(name, times, values, mode);
  }
  // Most Cast files have curves for single axes that share their keys.
  if (path !== 'translation' && path !== 'scale') return null;
  const isAlike = (curve: BoundTrack): boolean =>
    curve.component >= 0 &&
    curve.times === times &&
    uniformKind(curve.interpolation, curve.kinds) === kind &&
    curve.before === 'hold' &&
    curve.after === 'hold';
  if (!curves.every(isAlike)) return null;
  const joined = new Float32Array(times.length * 3);
  for (let axis = 0; axis < 3; axis++) {
    const from = curves.find(({ component }) => component === axis)?.values;
    const rest = curves === differences ? 0 : target.rest[axis]!;
    for (let k = 0; k < times.length; k++) joined[k * 3 + axis] = from?.[k] ?? rest;
  }
  return new VectorKeyframeTrack(name, times, joined, mode);
}

/**
 * Returns true if three.js can add the values of the curve unchanged: they are not factors, they
 * have full weight, and the curve is the first one of its component.
 */
function isPlainDifference({ path, blendWeight, component }: BoundTrack, i: number, curves: readonly BoundTrack[]): boolean {
  const isFirst = curves.findIndex(other => other.component === component || other.component < 0) === i;
  return path !== 'scale' && blendWeight === 1 && isFirst;
}

const shownTrack = (name: string, times: Float32Array, values: ArrayLike<number>): KeyframeTrack =>
  new BooleanKeyframeTrack(
    name,
    times,
    Array.from(values, value => value >= 0.5),
  );

function sampledTrack(value: Value, isAdditive: boolean, duration: number, budget: { left: number; isCut: boolean }): KeyframeTrack {
  const { target, base, differences } = value;
  const curves = [...base, ...differences];
  const { path } = curves[0]!;
  const width = target.rest.length;
  const end = curves.reduce((last, { times }) => Math.max(last, times.at(-1) ?? 0), duration);
  const points = pointsOf(curves, end, budget.left / (64 * width * curves.length));
  const limit: SampleBudget = {
    spend: bytes => void (budget.left -= bytes * curves.length),
    affordMore: bytes => (budget.left -= bytes * curves.length) > 0,
  };
  const sample = samplerOf(value, isAdditive);
  const isRotation = path === 'rotation';
  const range = isRotation ? 1 : rangeOf(points, sample, width);
  const distance: Sampler['distance'] = (a, b) => {
    let most = 0;
    for (let c = 0; c < width; c++) most = Math.max(most, Math.abs((a[c] ?? 0) - (b[c] ?? 0)));
    return most / range;
  };
  const measure = isRotation ? { between: betweenRotations, distance: angleBetween } : { between: betweenNumbers, distance };
  // The error between two keys is measured at only three times and may be larger at others, so the
  // measured error is limited to half of the tolerance.
  const { times, values, isCut } = bake({ width, sample, ...measure }, points, CLIP_TOLERANCE / 2, limit);
  budget.isCut ||= isCut;
  if (isShown(path)) return shownTrack(target.name, times, values);
  const Made = isRotation ? QuaternionKeyframeTrack : width === 3 ? VectorKeyframeTrack : NumberKeyframeTrack;
  return new Made(target.name, times, values, InterpolateLinear);
}

function samplerOf({ target, base, differences }: Value, isAdditive: boolean): Sampler['sample'] {
  const [{ path }] = [...base, ...differences] as [BoundTrack];
  const width = target.rest.length;
  const added = differences.map(track => ({ ...curvePart(track, width), join: JOINS[path], weight: track.blendWeight }));
  const isFactor = path === 'scale' && isAdditive;
  const neutral = path === 'rotation' ? [0, 0, 0, 1] : target.rest.map(() => (isFactor ? 1 : 0));
  const cursor = new StackCursor({
    parts: [...base.map(track => curvePart(track, width)), ...added],
    rest: isAdditive ? neutral : target.rest,
    isRotation: path === 'rotation',
  });
  return (time, result) => {
    cursor.evaluate(time, result);
    if (isShown(path)) result[0] = result[0]! >= 0.5 ? 1 : 0;
    // In other engines, additive scale is a factor; in three.js, it is a difference. The factor is
    // converted to the difference that has the same effect on the rest pose.
    if (isFactor) for (let c = 0; c < result.length; c++) result[c] = (result[c]! - 1) * target.rest[c]!;
  };
}

/**
 * Returns the difference between the largest and the smallest value, over all components and all
 * times in `points`. A lower limit, relative to the values, keeps the result greater than zero.
 */
function rangeOf(points: readonly number[], sample: Sampler['sample'], width: number): number {
  const value = new Float64Array(width);
  let low = Infinity;
  let high = -Infinity;
  for (const point of points) {
    sample(point, value);
    for (const number of value) {
      low = Math.min(low, number);
      high = Math.max(high, number);
    }
  }
  return Math.max(high - low, 0.01 * Math.max(Math.abs(low), Math.abs(high)), 1e-6);
}
