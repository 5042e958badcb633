// Adds keys within large rotations for Blender, which interpolates quaternions linearly instead of
// along the arc. Without added keys, a 90° rotation would have an error of 0.9°, and the error
// grows with the cube of the angle. The added keys lie on the arc, so the animation stays the same
// in all other programs.
import { numberAt } from '../../core/math/column.ts';
import { dotAt, slerp } from '../../core/math/quaternion.ts';
import type { Encoded } from './exact.ts';

/**
 * Maximum rotation between two keys, in radians. With this angle, linear interpolation has an error
 * of at most 0.004°, which is 0.07 mm at a distance of one metre.
 */
const LARGEST = Math.PI / 12;
/** Minimum time between two keys, in seconds. Keys that are closer together form a jump. */
const SHORTEST = 1e-3;

/** Returns the curve with added keys, or the same object if no additional keys are necessary. */
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

/**
 * Returns the number of parts into which each segment is divided, or null if no segment is divided.
 */
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
