// Converts tracks to Unity's curves, which drive one number each and have tangents at their keys
// (docs/formats/vgo.md section 11).
import { numberAt } from '../../core/math/column.ts';
import type { BoundTrack } from '../../core/bind.ts';
import { SEGMENT_KINDS } from '../../core/description.ts';
import type { Extrapolation, SegmentKind } from '../../core/types.ts';
import type { Budget } from '../common/budget.ts';
import type { Component } from '../common/driven.ts';
import { branch, type Branch } from './tree.ts';

interface Key {
  time: number;
  value: number;
  inTangent: number;
  outTangent: number;
  inWeight?: number;
  outWeight?: number;
}

export interface UnityCurve {
  keys: Key[];
  before: Extrapolation;
  after: Extrapolation;
}

type Numbers = ArrayLike<number>;

/**
 * Maximum angle in radians between the quaternions (as 4D vectors) of consecutive keys. With this
 * angle, the cubic curves deviate from slerp by at most 0.000003 radians.
 */
const FAR = 0.15;
/**
 * Estimated JSON length of a rotation key, which consists of one key in each of four curves, in
 * characters.
 */
const PER_PART = 400;
/** Duration of a jump in seconds. Unity does not allow two keys at the same time. */
const INSTANT = 1e-5;

const WRAPS = { hold: undefined, loop: 2, pingPong: 4 } as const satisfies Record<Extrapolation, number | undefined>;

/** Returns the JSON tree of a curve. Values and tangents are multiplied by `factor`. */
export function curveTree({ keys, before, after }: UnityCurve, factor: number): Branch {
  const number = (value: number): number => Math.fround(value * factor) + 0;
  const weighted = ({ inWeight, outWeight }: Key): number => (inWeight === undefined ? 0 : 1) + (outWeight === undefined ? 0 : 2);
  return branch({
    keys: keys.map(key => ({
      time: key.time,
      value: number(key.value),
      ...(key.inTangent !== 0 && { inTangent: number(key.inTangent) }),
      ...(key.outTangent !== 0 && { outTangent: number(key.outTangent) }),
      inWeight: key.inWeight,
      outWeight: key.outWeight,
      ...(weighted(key) > 0 && { weightedMode: weighted(key) }),
    })),
    preWrapMode: WRAPS[before],
    postWrapMode: WRAPS[after],
  });
}

/** Reduces a constant curve to one key. Other curves are returned unchanged. */
export function reduced(curve: UnityCurve): UnityCurve {
  const isStill = isConstant(curve.keys) && curve.before === 'hold' && curve.after === 'hold';
  const [first] = curve.keys;
  return isStill && first ? { ...curve, keys: [{ time: first.time, value: first.value, inTangent: 0, outTangent: 0 }] } : curve;
}

const isConstant = ([first, ...rest]: readonly Key[]): boolean =>
  first !== undefined && [first, ...rest].every(key => key.value === first.value && isFlat(key.inTangent) && isFlat(key.outTangent));

const isFlat = (tangent: number): boolean => tangent === 0 || !Number.isFinite(tangent);

export const still = (value: number): UnityCurve => ({
  keys: [{ time: 0, value, inTangent: 0, outTangent: 0 }],
  before: 'hold',
  after: 'hold',
});

/** Converts one component of a track to a Unity curve. Each segment keeps its interpolation. */
export function componentCurve({ track, at, width }: Component): UnityCurve {
  const { times, values, tangents, weights, before, after } = track;
  const keys: Key[] = [];
  const rows = keptRows(times);
  for (const [i, row] of rows.entries()) {
    const key: Key = { time: timeOf(times, rows, i), value: numberAt(values, width * row + at), inTangent: 0, outTangent: 0 };
    const last = keys.at(-1);
    const from = rows[i - 1];
    keys.push(key);
    if (!last || from === undefined) continue;
    const kind = kindOf(track, row - 1);
    const [out, into] = [2 * width * from + width + at, 2 * width * row + at];
    if (kind === 'step') last.outTangent = key.inTangent = Infinity;
    else if (tangents && (kind === 'hermite' || kind === 'bezier') && row - from === 1) {
      [last.outTangent, key.inTangent] = [numberAt(tangents, out), numberAt(tangents, into)];
      if (kind === 'bezier' && weights) [last.outWeight, key.inWeight] = [numberAt(weights, out), numberAt(weights, into)];
    } else last.outTangent = key.inTangent = (key.value - last.value) / (key.time - last.time);
  }
  return { keys, before, after };
}

/**
 * Returns the indices of the keys to keep. If several keys have the same time, only the first and
 * the last of them are kept.
 */
function keptRows(times: Numbers): number[] {
  const rows: number[] = [];
  for (let k = 0; k < times.length; k++) if (!(times[k] === times[k - 1] && times[k] === times[k + 1])) rows.push(k);
  return rows;
}

function timeOf(times: Numbers, rows: readonly number[], i: number): number {
  const time = numberAt(times, numberAt(rows, i));
  const isJump = times[rows[i + 1] ?? -1] === time;
  return isJump ? Math.fround(time - Math.max(INSTANT, Math.abs(time) * 2 ** -21)) : time;
}

function kindOf({ interpolation, kinds, tangents }: BoundTrack, k: number): SegmentKind {
  const kind = interpolation === 'perKey' ? (SEGMENT_KINDS[kinds?.[k] ?? 1] ?? 'linear') : interpolation;
  return (kind === 'hermite' || kind === 'bezier') && !tangents ? 'linear' : kind;
}

export const turnsShortest = (track: BoundTrack): boolean =>
  track.interpolation === 'slerp' || (track.interpolation === 'perKey' && !!track.kinds?.includes(SEGMENT_KINDS.indexOf('slerp')));

/**
 * Converts a rotation track with slerp segments to four cubic curves. Returns the curves, and their
 * largest error in radians.
 */
export function rotationCurves(track: BoundTrack, budget: Budget): { curves: UnityCurve[]; error: number } {
  const { times, before, after } = track;
  const plain = [0, 1, 2, 3].map(at => componentCurve({ track, at, width: 4 }));
  const curves = plain.map((): UnityCurve => ({ keys: [], before, after }));
  const rows = keptRows(times);
  let sign = 1;
  let error = 0;
  for (const [i, row] of rows.entries()) {
    const isShort = i > 0 && kindOf(track, row - 1) === 'slerp' && times[row] !== times[row - 1];
    const [from, to] = [i - 1, i].map(at => plain.map(curve => sign * (curve.keys[at]?.value ?? 0))) as [number[], number[]];
    const cosine = from.reduce((sum, value, c) => sum + value * numberAt(to, c), 0);
    const isTurned = isShort && cosine < 0;
    if (isTurned) sign = -sign;
    for (const [c, curve] of curves.entries()) {
      const { value = 0, inTangent = 0, outTangent = 0, ...rest } = plain[c]?.keys[i] ?? { time: 0 };
      curve.keys.push({ ...rest, value: sign * value, inTangent: (isTurned ? -1 : 1) * sign * inTangent, outTangent: sign * outTangent });
    }
    if (isShort)
      error = Math.max(error, turn(curves, from, isTurned ? to.map(value => -value) : to, Math.min(Math.abs(cosine), 1), budget));
  }
  return { curves, error };
}

/**
 * Replaces the last segment of four curves by keys on the arc between two rotations. Returns the
 * largest error in radians.
 */
function turn(curves: readonly UnityCurve[], from: Numbers, to: Numbers, cosine: number, budget: Budget): number {
  const angle = Math.acos(cosine);
  const parts = Math.max(Math.ceil(angle / FAR), 1);
  budget.spend(PER_PART * parts);
  const sine = Math.sin(angle);
  for (const [c, { keys }] of curves.entries()) {
    const [first, last] = keys.splice(-2) as [Key, Key];
    const seconds = last.time - first.time;
    const [a, b] = [numberAt(from, c), numberAt(to, c)];
    const isStill = angle < 1e-4;
    const made = Array.from({ length: parts + 1 }, (_, part): Key => {
      const [u, v] = [part / parts, 1 - part / parts];
      const value = isStill ? a * v + b * u : (a * Math.sin(v * angle) + b * Math.sin(u * angle)) / sine;
      const slope = (isStill ? b - a : ((b * Math.cos(u * angle) - a * Math.cos(v * angle)) * angle) / sine) / seconds;
      return { time: Math.fround(first.time + u * seconds), value, inTangent: slope, outTangent: slope };
    });
    const [begin, end] = [made[0], made.at(-1)] as [Key, Key];
    made[0] = { ...first, outTangent: begin.outTangent };
    made[parts] = { ...last, inTangent: end.inTangent };
    keys.push(...made);
  }
  return (2 * (angle / parts) ** 4) / 384;
}

/** Returns the curve with a key added at `end`, because a clip in Unity ends at its last key. */
export function stretched(curve: UnityCurve, end: number): UnityCurve {
  const last = curve.keys.at(-1);
  if (!last || curve.after !== 'hold' || last.time >= end) return curve;
  return {
    ...curve,
    keys: [...curve.keys.slice(0, -1), { ...last, outTangent: 0 }, { time: end, value: last.value, inTangent: 0, outTangent: 0 }],
  };
}
