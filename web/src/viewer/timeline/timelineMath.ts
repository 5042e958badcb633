// Calculations for the timeline: ruler steps, key density and clusters of events.
import type { BoundTrack } from '../../core/bind.ts';

export interface TimelineEvent {
  /** Time of the event in seconds. */
  time: number;
  name: string;
}

/** Events that share a marker, sorted by time. */
export interface Cluster {
  events: readonly TimelineEvent[];
  /** Times of the first event (`from`) and the last event (`to`), in seconds. */
  from: number;
  to: number;
}

/**
 * Returns the smallest number of the form 1, 2 or 5 times a power of ten that is not less than
 * `least`.
 */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const leading = least / power;
  // The comparisons tolerate rounding errors.
  return power * (leading <= 1.0001 ? 1 : leading <= 2.0001 ? 2 : leading <= 5.0001 ? 5 : 10);
}

/**
 * Counts the keys in each of `bins` equal intervals between `start` and `end` (seconds). `node`:
 * index of a node; if it is not null, only keys of this node are counted. Tracks that share an
 * array of times are processed together.
 */
export function keyDensity(
  tracks: Iterable<BoundTrack>,
  { start, end }: { start: number; end: number },
  bins: number,
  node: number | null = null,
): Float32Array {
  const density = new Float32Array(bins);
  if (!(end > start)) return density;
  const users = new Map<Float32Array, number>();
  for (const track of tracks) if (node === null || track.node === node) users.set(track.times, (users.get(track.times) ?? 0) + 1);
  for (const [times, count] of users) {
    for (let i = 0; i < times.length; i++) {
      const bin = Math.floor(((times[i]! - start) / (end - start)) * bins);
      // A key at `end` belongs to the last interval.
      if (bin >= 0 && times[i]! <= end) density[Math.min(bin, bins - 1)]! += count;
    }
  }
  return density;
}

/**
 * Groups events into clusters that are shorter than `apart` seconds. The events must be sorted by
 * time.
 */
export function clusters(events: readonly TimelineEvent[], apart: number): Cluster[] {
  const found: { events: TimelineEvent[]; from: number; to: number }[] = [];
  for (const mark of events) {
    const last = found.at(-1);
    if (last && mark.time - last.from < apart) {
      last.events.push(mark);
      last.to = mark.time;
    } else {
      found.push({ events: [mark], from: mark.time, to: mark.time });
    }
  }
  return found;
}

/**
 * Returns the first event of a cluster that is later than `time` (seconds). If there is none,
 * returns the first event of the cluster.
 */
export const nextIn = ({ events }: Cluster, time: number): TimelineEvent => events.find(mark => mark.time > time + 1e-4) ?? events[0]!;
