// Merges the key times of several tracks, for example of all channels of a bone, and finds the
// intervals in which none of them changes.
import type { BoundTrack } from '../core/bound.ts';
import { trackWidth } from '../core/description.ts';

/** Keys of one or more tracks. */
export interface MergedKeys {
  /** Times of the keys in seconds, ascending, without duplicates. */
  times: Float32Array;
  /**
   * 1 for each key after which no track changes until the next key. The last entry is always 0.
   */
  held: Uint8Array;
}

type KeyedTrack = Pick<BoundTrack, 'path' | 'component' | 'times' | 'values' | 'tangents' | 'interpolation'>;

/** Keys that are closer together count as one key, in seconds. */
const SAME_TIME = 1e-4;
/** Values that differ by less count as equal, in the unit of the track. */
const SAME_VALUE = 1e-5;

/** Merges the keys of `tracks`. Key times of each track must be ascending. */
export function mergeKeys(tracks: readonly KeyedTrack[]): MergedKeys {
  const times = mergeTimes(tracks);
  const held = new Uint8Array(times.length).fill(1, 0, Math.max(times.length - 1, 0));
  for (const track of tracks) {
    if (track.interpolation === 'step') continue; // changes only at keys
    let at = 0;
    for (let key = 0; key + 1 < track.times.length; key++) {
      while (times[at]! < track.times[key]! - SAME_TIME) at++;
      if (isHeld(track, key)) continue;
      for (; at < times.length && times[at]! < track.times[key + 1]! - SAME_TIME; at++) held[at] = 0;
    }
  }
  return { times, held };
}

/** Returns true if a track has two different values. */
export function changes({ path, component, values }: KeyedTrack): boolean {
  const width = trackWidth(path, component);
  return values.some((value, i) => Math.abs(value - values[i % width]!) > SAME_VALUE);
}

function mergeTimes(tracks: readonly KeyedTrack[]): Float32Array {
  const sources = new Set(tracks.map(track => track.times));
  const [only] = sources;
  const all = sources.size === 1 ? only! : Float32Array.from([...sources].flatMap(each => [...each])).sort();
  return all.filter((time, i) => i === 0 || time - all[i - 1]! > SAME_TIME);
}

/** Returns true if a track has the same value from a key to the next one. */
function isHeld({ path, component, values, tangents }: KeyedTrack, key: number): boolean {
  const width = trackWidth(path, component);
  for (let i = key * width; i < (key + 1) * width; i++) if (Math.abs(values[i]! - values[i + width]!) > SAME_VALUE) return false;
  if (!tangents) return true;
  // Slopes after the key and before the next key.
  const slopes = tangents.subarray((2 * key + 1) * width, (2 * key + 3) * width);
  return slopes.every(slope => Math.abs(slope) <= SAME_VALUE);
}

/** Returns the index of the key that is nearest to `time`; -1 if there are no keys. */
export function nearestKey(times: Float32Array, time: number): number {
  const after = firstAfter(times, time);
  if (after === 0) return times.length > 0 ? 0 : -1;
  return after < times.length && times[after]! - time < time - times[after - 1]! ? after : after - 1;
}

/**
 * Returns the time of the next key after `time` (`step` 1) or of the last key before it (`step`
 * -1), in seconds. Returns null if there is none.
 */
export function neighbouringKey(times: Float32Array, time: number, step: 1 | -1): number | null {
  const at = step > 0 ? firstAfter(times, time + SAME_TIME) : firstAfter(times, time - SAME_TIME) - 1;
  return times[at] ?? null;
}

/** Returns the index of the first key after `time`. */
export function firstAfter(times: Float32Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
