// Calculations for the timeline: ruler steps, key density and clusters of events. Draws nothing.
import type { BoundTrack } from '../../core/bind.ts';

export interface TimelineEvent {
  /** Seconds. */
  time: number;
  name: string;
}

/** Events that share a marker, sorted by time. */
export interface Cluster {
  events: readonly TimelineEvent[];
  /** Time of the first and the last event, seconds. */
  from: number;
  to: number;
}

/** Returns 1, 2 or 5 times a power of ten, at least `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const leading = least / power;
  // Tolerates rounding errors.
  return power * (leading <= 1.0001 ? 1 : leading <= 2.0001 ? 2 : leading <= 5.0001 ? 5 : 10);
}

/**
 * Counts the curves with a key in each of `bins` equal intervals between `start` and `end`. `node`:
 * only counts tracks of that node. Tracks that share their times are evaluated once.
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
      // The last frame belongs to the last interval.
      if (bin >= 0 && times[i]! <= end) density[Math.min(bin, bins - 1)]! += count;
    }
  }
  return density;
}

/** Groups events, sorted by time, into clusters of at most `apart` seconds. */
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

/** Returns the next event of a cluster after `time`, wrapping around. */
export const nextIn = ({ events }: Cluster, time: number): TimelineEvent => events.find(mark => mark.time > time + 1e-4) ?? events[0]!;
