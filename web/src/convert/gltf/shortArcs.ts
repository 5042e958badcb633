// Inserts keys into long rotations. glTF interpolates along the arc. Blender interpolates linearly
// and normalizes, which is 0.9° off within a 90° rotation (5.5 mm at an arm of 35 cm). The
// difference grows with the cube of the angle. Extra keys on the arc change nothing in glTF and
// correct Blender.
import { numberAt } from '../../core/math/column.ts';
import { dotAt, slerp } from '../../core/math/quaternion.ts';
import type { Encoded } from './exact.ts';

/**
 * Largest rotation between keys, radians. Linear interpolation is then 0.004° off: 0.07 mm at one
 * metre.
 */
const LARGEST = Math.PI / 12;
/** Rotations within less time are jumps, seconds. */
const SHORTEST = 1e-3;

/** Returns the same curve if it needs no extra keys. */
export function withShortArcs(curve: Encoded): Encoded {
  const { times, values } = curve;
  const steps = stepsOf(times, values);
  if (!steps) return curve;
  const count = steps.reduce((sum, step) => sum + step, 1);
  const result = { ...curve, times: new Float32Array(count), values: new Float32Array(4 * count) };
  let at = 0;
  for (let k = 0; k < times.length; k++) {
    const begin = numberAt(times, k);
    const length = (times[k + 1] ?? begin) - begin;
    result.times[at] = begin;
    result.values.set(values.subarray(4 * k, 4 * k + 4), 4 * at++);
    const pieces = steps[k] ?? 1;
    for (let piece = 1; piece < pieces; piece++) {
      result.times[at] = begin + (length * piece) / pieces;
      slerp(result.values, 4 * at++, values, 4 * k, values, 4 * k + 4, piece / pieces);
    }
  }
  return result;
}

/** Returns the number of parts per segment; null if no segment is divided. */
function stepsOf(times: Float32Array, values: Float32Array): Uint32Array | null {
  const most = Math.cos(LARGEST / 2);
  let steps: Uint32Array | null = null;
  for (let k = 0; k + 1 < times.length; k++) {
    const at = 4 * k;
    const cosine = Math.abs(dotAt(values, at, values, at + 4));
    if (cosine >= most || numberAt(times, k + 1) - numberAt(times, k) < SHORTEST) continue;
    steps ??= new Uint32Array(times.length - 1).fill(1);
    steps[k] = Math.ceil((2 * Math.acos(Math.min(cosine, 1))) / LARGEST);
  }
  return steps;
}
