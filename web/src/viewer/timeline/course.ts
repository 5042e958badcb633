// What a timeline shows of a motion, as numbers: steps of its ruler, how many keys lie where, which marks stand too close together. Nothing is drawn here.
import type { BoundTrack } from '../../core/bind.ts';

export interface Mark {
  /** Seconds. */
  time: number;
  name: string;
}

/** Marks that stand so close together that one sign stands for them, in the order of their times. */
export interface Cluster {
  marks: readonly Mark[];
  /** Of the first and the last of them, seconds. */
  from: number;
  to: number;
}

/** A step of 1, 2 or 5 times a power of ten, no smaller than `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const leading = least / power;
  // A rounding error above 2 is 2.
  return power * (leading <= 1.0001 ? 1 : leading <= 2.0001 ? 2 : leading <= 5.0001 ? 5 : 10);
}

/**
 * How many curves have a key in each of `bins` equal pieces of the time from `start` to `end`. `node`: only keys of that row; null: of all. Curves that share
 * their times are walked once.
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
      // The last frame belongs to the last piece.
      if (bin >= 0 && times[i]! <= end) density[Math.min(bin, bins - 1)]! += count;
    }
  }
  return density;
}

/** Marks, sorted by time, in clusters none of which is longer than `apart` seconds. */
export function clusters(marks: readonly Mark[], apart: number): Cluster[] {
  const found: { marks: Mark[]; from: number; to: number }[] = [];
  for (const mark of marks) {
    const last = found.at(-1);
    if (last && mark.time - last.from < apart) {
      last.marks.push(mark);
      last.to = mark.time;
    } else {
      found.push({ marks: [mark], from: mark.time, to: mark.time });
    }
  }
  return found;
}

/** The mark after a time, of a cluster that somebody presses again and again. */
export const nextIn = ({ marks }: Cluster, time: number): Mark => marks.find(mark => mark.time > time + 1e-4) ?? marks[0]!;
