// Computes the local time of each clip when several looping clips play together.
import type { RigClip } from './rigClip.ts';

type Timing = Pick<RigClip, 'duration' | 'loop' | 'pingPong'>;

/**
 * Returns the local time of a clip, in seconds, when `elapsed` seconds have passed since its start.
 */
export function clipTime({ duration, loop, pingPong }: Timing, elapsed: number): number {
  if (duration <= 0) return 0;
  if (!loop) return Math.min(elapsed, duration);
  if (!pingPong) return elapsed % duration;
  const phase = elapsed % (2 * duration);
  return phase > duration ? 2 * duration - phase : phase;
}

const MAX_SECONDS = 60;

/**
 * Returns the time in seconds after which all looping clips are at their start again. If this time
 * exceeds a minute, returns the largest multiple of the longest clip's duration that fits into a
 * minute.
 */
export function commonDuration(clips: readonly Timing[]): number {
  const loops = clips.filter(({ duration, loop }) => loop && duration > 0).map(({ duration, pingPong }) => (pingPong ? 2 : 1) * duration);
  const longest = Math.max(0, ...clips.map(({ duration }) => duration), ...loops);
  const startsTogether = (length: number): boolean =>
    loops.every(loop => Math.abs(length / loop - Math.round(length / loop)) * loop < 1e-3);
  const repeats = Math.max(1, Math.floor(MAX_SECONDS / longest) || 1);
  for (let times = 1; times <= repeats; times++) if (startsTogether(times * longest)) return times * longest;
  return repeats * longest;
}
