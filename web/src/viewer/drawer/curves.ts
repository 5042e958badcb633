// Computes the lines of the curve view: samples animated values with the interpolation of their
// track, and converts rotations to Euler angles.
import { Euler, MathUtils, Quaternion } from 'three';
import { trackWidth } from '../../core/description.ts';
import type { Track } from '../../core/types.ts';
import { type Curve, CurveCursor } from '../../rig/curve.ts';
import { firstAfter } from '../../rig/keyTimes.ts';

/** Data of a track that can be plotted. The track comes from a file or is bound to a model. */
export type Plotted = Pick<
  Track,
  'path' | 'component' | 'times' | 'values' | 'interpolation' | 'kinds' | 'tangents' | 'weights' | 'before' | 'after'
>;

export interface Line {
  /** Component that the line shows: x, y, z or w; '' for a scalar. */
  axis: string;
  /** Values of the line, one per sample. */
  values: Float32Array;
  /** Values of the line, one per key. */
  keys: Float32Array;
  /**
   * Incoming and outgoing slope of each key, in value per second. Undefined if keys have no
   * tangents.
   */
  slopes?: readonly (readonly [into: number, out: number])[];
}

export interface Plot {
  path: Plotted['path'];
  unit: Unit;
  /** Times of the samples in seconds, evenly spaced. */
  times: Float32Array;
  /** Times of the keys between the first and the last sample, in seconds. */
  keyTimes: Float32Array;
  /** True if values change only at keys. */
  isStepped: boolean;
  lines: readonly Line[];
  low: number;
  high: number;
  /** Returns the values of all lines at `time` (in seconds), one per line. */
  at: (time: number) => number[];
}

export type Unit = '' | '°' | 'm';

const AXES = ['x', 'y', 'z', 'w'];
const UNITS: Partial<Record<Plotted['path'], Unit>> = { translation: 'm', rotation: '°', look: '°' };

/**
 * Computes the plot of a track between two times (in seconds); null if the track has no keys.
 * `samples`: number of samples per line.
 */
export function plotOf(track: Plotted, { from, to }: { from: number; to: number }, samples: number): Plot | null {
  const { path, component } = track;
  if (track.times.length === 0) return null;
  const width = trackWidth(path, component);
  const isRotation = width === 4;
  const at = evaluatorOf(track, width);
  const axes = isRotation ? AXES.slice(0, 3) : width > 1 ? AXES.slice(0, width) : [component >= 0 ? (AXES[component] ?? '') : ''];
  const times = Float32Array.from({ length: samples }, (_, i) => (samples > 1 ? from + (i * (to - from)) / (samples - 1) : from));
  const values = columnsAt(times, axes.length, at);
  const allKeys = keyColumns(track, axes.length, at);
  const first = Math.max(firstAfter(track.times, from - 1e-6), 0);
  const last = firstAfter(track.times, to + 1e-6);
  const keyTimes = track.times.subarray(first, last);
  const keys = allKeys.map(column => column.slice(first, last));
  if (isRotation) {
    const before = Math.max(firstAfter(track.times, from) - 1, 0);
    for (const [axis, column] of values.entries()) {
      unwind(column, allKeys[axis]![before]!);
      alignKeys(keys[axis]!, keyTimes, column, times);
    }
  }
  const all = [...values, ...keys].flatMap(column => [least(column), -least(column.map(value => -value))]).filter(Number.isFinite);
  return {
    path,
    unit: UNITS[path] ?? '',
    times,
    keyTimes,
    isStepped: track.interpolation === 'step',
    lines: axes.map((axis, i) => ({
      axis,
      values: values[i]!,
      keys: keys[i]!,
      ...(isRotation ? {} : slopesOf(track, width, i, first, last)),
    })),
    low: Math.min(...all),
    high: Math.max(...all),
    at: time => at(time).map((angle, axis) => (isRotation ? nearAngle(angle, valueAt(values[axis]!, times, time)) : angle)),
  };
}

const least = (column: Float32Array): number => column.reduce((low, value) => (value < low ? value : low), Infinity);

/** Returns a function that evaluates a track at a time in seconds. Rotations are Euler angles in degrees. */
function evaluatorOf(track: Plotted, width: number): (time: number) => number[] {
  const curve: Curve = { ...track, width };
  const cursor = new CurveCursor(curve);
  const raw = new Float64Array(width);
  return time => {
    cursor.evaluate(time, raw, 0);
    return width === 4 ? anglesOf(raw) : Array.from(raw);
  };
}

function columnsAt(times: Float32Array, count: number, at: (time: number) => number[]): Float32Array[] {
  const columns = Array.from({ length: count }, () => new Float32Array(times.length));
  for (let i = 0; i < times.length; i++) for (const [axis, value] of at(times[i]!).entries()) columns[axis]![i] = value;
  return columns;
}

const columnsOfKeys = new WeakMap<Plotted, Float32Array[]>();

/** Returns the values at all keys, one array per line. The result is cached. */
function keyColumns(track: Plotted, count: number, at: (time: number) => number[]): Float32Array[] {
  let columns = columnsOfKeys.get(track);
  if (!columns) {
    columns = columnsAt(track.times, count, at);
    if (trackWidth(track.path, track.component) === 4) for (const column of columns) unwind(column, column[0]!);
    columnsOfKeys.set(track, columns);
  }
  return columns;
}

function slopesOf({ tangents }: Plotted, width: number, axis: number, first: number, last: number): Pick<Line, 'slopes'> {
  if (!tangents) return {};
  return {
    slopes: Array.from({ length: last - first }, (_, i) => {
      const key = first + i;
      return [tangents[2 * key * width + axis]!, tangents[(2 * key + 1) * width + axis]!] as const;
    }),
  };
}

const quaternion = new Quaternion();
const euler = new Euler();

function anglesOf(raw: ArrayLike<number>): number[] {
  const { x, y, z } = euler.setFromQuaternion(quaternion.set(raw[0]!, raw[1]!, raw[2]!, raw[3]!).normalize());
  return [x, y, z].map(MathUtils.radToDeg);
}

/** Returns the angle that differs from `angle` by a multiple of 360° and is nearest to `target`. */
const nearAngle = (angle: number, target: number): number => angle - 360 * Math.round((angle - target) / 360);

/** Removes jumps by multiples of 360° from a curve of angles that starts near `start`. */
function unwind(values: Float32Array, start: number): void {
  for (let i = 0; i < values.length; i++) values[i] = nearAngle(values[i]!, i > 0 ? values[i - 1]! : start);
}

/** Shifts angles at keys by multiples of 360° so that they are on the sampled curve. */
function alignKeys(keys: Float32Array, keyTimes: Float32Array, values: Float32Array, times: Float32Array): void {
  for (let k = 0; k < keys.length; k++) keys[k] = nearAngle(keys[k]!, valueAt(values, times, keyTimes[k]!));
}

/** Returns the sample that is nearest to `time`. */
export function valueAt(values: Float32Array, times: Float32Array, time: number): number {
  const step = times.length > 1 ? times[1]! - times[0]! : 0;
  const at = step > 0 ? Math.round((time - times[0]!) / step) : 0;
  return values[Math.min(Math.max(at, 0), values.length - 1)]!;
}

/**
 * Formats a value with its unit. Metres have four decimals, because bones move by millimetres. A value
 * that is rounded to zero has no sign.
 */
export function valueText(value: number, unit: Unit): string {
  const number = value.toFixed(unit === '°' ? 1 : unit === 'm' ? 4 : 3);
  const sign = Number(number) < 0 ? '−' : '';
  return `${sign}${number.replace('-', '')}${unit === 'm' ? ' m' : unit}`;
}
