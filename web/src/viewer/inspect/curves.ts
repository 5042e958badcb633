// Computes the data of curve plots: samples animated values with the interpolation of their track,
// and converts rotations to Euler angles.
import { Euler, MathUtils, Quaternion } from 'three';
import { trackWidth } from '../../core/description.ts';
import type { Track } from '../../core/types.ts';
import { type Curve, CurveCursor } from '../../rig/curve.ts';

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
  unit: '' | '°' | 'm';
  /** Times of the samples in seconds, evenly spaced. */
  times: Float32Array;
  keyTimes: Float32Array;
  lines: readonly Line[];
  low: number;
  high: number;
  /** Returns the values of all lines at `time` (in seconds), one per line. */
  at: (time: number) => number[];
}

const AXES = ['x', 'y', 'z', 'w'];
const UNITS: Partial<Record<Plotted['path'], Plot['unit']>> = { translation: 'm', rotation: '°', look: '°' };

/**
 * Computes the plot of a track from 0 to `duration` seconds; null if the track has no keys.
 * `samples`: number of samples per line.
 */
export function plotOf(track: Plotted, duration: number, samples: number): Plot | null {
  const { path, component, times: keyTimes } = track;
  if (keyTimes.length === 0) return null;
  const width = trackWidth(path, component);
  const isRotation = width === 4;
  const curve: Curve = { ...track, width };
  const cursor = new CurveCursor(curve);
  const raw = new Float64Array(width);
  const at = (time: number): number[] => {
    cursor.evaluate(time, raw, 0);
    return isRotation ? anglesOf(raw) : Array.from(raw);
  };
  const axes = isRotation ? AXES.slice(0, 3) : width > 1 ? AXES.slice(0, width) : [component >= 0 ? (AXES[component] ?? '') : ''];
  const times = Float32Array.from({ length: samples }, (_, i) => (samples > 1 ? (i * duration) / (samples - 1) : 0));
  const columns = (sampleTimes: Float32Array): Float32Array[] => {
    const values = axes.map(() => new Float32Array(sampleTimes.length));
    for (let i = 0; i < sampleTimes.length; i++) for (const [axis, value] of at(sampleTimes[i]!).entries()) values[axis]![i] = value;
    return values;
  };
  const values = columns(times);
  const keys = columns(keyTimes);
  if (isRotation) for (let axis = 0; axis < 3; axis++) unwind(values[axis]!, keys[axis]!, times, keyTimes);
  const all = [...values, ...keys].flatMap(column => [least(column), -least(column.map(value => -value))]).filter(Number.isFinite);
  return {
    path,
    unit: UNITS[path] ?? '',
    times,
    keyTimes,
    lines: axes.map((axis, i) => ({ axis, values: values[i]!, keys: keys[i]!, ...slopesOf(track, width, i, isRotation) })),
    low: Math.min(...all),
    high: Math.max(...all),
    at,
  };
}

const least = (column: Float32Array): number => column.reduce((low, value) => (value < low ? value : low), Infinity);

function slopesOf({ tangents, times }: Plotted, width: number, axis: number, isRotation: boolean): Pick<Line, 'slopes'> {
  if (!tangents || isRotation) return {};
  return { slopes: Array.from(times, (_, key) => [tangents[2 * key * width + axis]!, tangents[(2 * key + 1) * width + axis]!] as const) };
}

const quaternion = new Quaternion();
const euler = new Euler();

function anglesOf(raw: ArrayLike<number>): number[] {
  const { x, y, z } = euler.setFromQuaternion(quaternion.set(raw[0]!, raw[1]!, raw[2]!, raw[3]!).normalize());
  return [x, y, z].map(MathUtils.radToDeg);
}

/**
 * Removes jumps by multiples of 360° from a curve of angles, and shifts the keys of the curve in
 * the same way.
 */
function unwind(values: Float32Array, keys: Float32Array, times: Float32Array, keyTimes: Float32Array): void {
  for (let i = 1; i < values.length; i++) values[i]! -= 360 * Math.round((values[i]! - values[i - 1]!) / 360);
  const step = times.length > 1 ? times[1]! - times[0]! : 0;
  for (let k = 0; k < keys.length; k++) {
    const near = values[Math.min(Math.max(step > 0 ? Math.round(keyTimes[k]! / step) : 0, 0), values.length - 1)]!;
    keys[k]! -= 360 * Math.round((keys[k]! - near) / 360);
  }
}
