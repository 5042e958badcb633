// Turns clips into loops: finds the best loop, trims a clip, and blends the end of a cycle into its
// start.
import { trackWidth } from '../core/description.ts';
import { invalidArgument } from '../core/error.ts';
import { numberAt } from '../core/math/column.ts';
import { dotAt, IDENTITY, inverted, multiplied, type Quaternion, quaternionAt, slerp } from '../core/math/quaternion.ts';
import type { Clip, ClipEvent, Track } from '../core/types.ts';
import { CurveCursor } from './curve.ts';
import { makeClip } from './table.ts';

/** A part of a clip that can be played as a loop. */
export interface Loop {
  /** Times in seconds. */
  start: number;
  end: number;
  /** Mean angle between the bone rotations at start and end, in degrees. */
  pose: number;
  /** Mean difference between the angular velocities of bones at start and end, in degrees per second. */
  velocity: number;
}

/** Maximum number of frames that are compared with each other. */
const MAX_LOOP_FRAMES = 600;
/** Duration in seconds for which a difference of velocities counts as a difference of poses. */
const VELOCITY_SECONDS = 0.1;
/** Differences in degrees up to which loops count as equally good, so that the longest is used. */
const EQUALLY_GOOD = 0.25;
const DEGREES = 180 / Math.PI;

/**
 * Finds the part of a clip whose start and end have the most similar poses and velocities. Compares
 * the rotations of bones that move, so a clip that travels can be a loop. `shortest`: minimum duration of the
 * loop in seconds (default: half of the clip). Returns null if the clip animates no rotations or is
 * too short.
 */
export function bestLoop(clip: Clip, { shortest = clip.duration / 2 }: { shortest?: number } = {}): Loop | null {
  const curves = [...clip.tracks].filter(isMovingRotation).map(cursorOf);
  const frames = Math.min(Math.round(clip.duration * rateOf(clip)) + 1, MAX_LOOP_FRAMES);
  const step = clip.duration / (frames - 1);
  const least = Math.max(Math.ceil(shortest / step - 1e-6), 1);
  if (curves.length === 0 || !(least < frames)) return null;
  const poses = Array.from({ length: frames }, (_, frame) => {
    const values = new Float64Array(4 * curves.length);
    for (const [i, curve] of curves.entries()) curve.evaluate(frame * step, values, 4 * i);
    return values;
  });
  const movements = poses.map((_, frame) => movementBetween(poses, Math.min(frame, frames - 2)));
  const loops: Loop[] = [];
  for (const [from, pose] of poses.entries())
    for (let to = from + least; to < frames; to++) {
      const velocity = meanAngle(movements[from] ?? pose, movements[to] ?? pose) / step;
      loops.push({ start: from * step, end: to * step, pose: meanAngle(pose, poses[to] ?? pose), velocity });
    }
  const costOf = ({ pose, velocity }: Loop): number => pose + VELOCITY_SECONDS * velocity;
  const lowest = loops.reduce((low, loop) => Math.min(low, costOf(loop)), Infinity);
  return loops.filter(loop => costOf(loop) <= lowest + EQUALLY_GOOD).reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a));
}

/** Returns true for a rotation curve with all components whose keys differ. */
const isMovingRotation = ({ path, component, values }: Track): boolean =>
  path === 'rotation' && component < 0 && values.some((value, i) => Math.abs(value - numberAt(values, i % 4)) > 1e-4);

/** Returns the rotations from one frame to the next, 4 numbers per bone. */
function movementBetween(poses: readonly Float64Array[], frame: number): Float64Array {
  const [before, after] = [poses[frame] ?? new Float64Array(), poses[frame + 1] ?? new Float64Array()];
  const result = new Float64Array(before.length);
  for (let at = 0; at < before.length; at += 4) result.set(multiplied(inverted(quaternionAt(before, at)), quaternionAt(after, at)), at);
  return result;
}

/** Returns the mean angle between two lists of rotations in degrees. */
function meanAngle(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 4) sum += 2 * Math.acos(Math.min(Math.abs(dotAt(a, at, b, at)), 1));
  return (DEGREES * 4 * sum) / a.length;
}

/**
 * Returns the part of a clip between two times, which starts at time 0. Keys inside are kept, and
 * curves with tangents are sampled. Throws a TypeError with the code INVALID_ARGUMENT unless 0 ≤
 * `start` < `end` ≤ duration.
 */
export function trimClip(clip: Clip, start: number, end: number): Clip {
  if (!(start >= 0 && start < end && end <= clip.duration + 1e-6))
    throw invalidArgument(`trimClip: ${start} to ${end} is not a part of a clip of ${clip.duration} seconds`);
  const tracks = [...clip.tracks].map(track => {
    const inside = timesOf(track, clip).filter(time => time > start + 1e-6 && time < end - 1e-6);
    const times = [start, ...inside, end];
    return { ...sample(track, times), times: Float32Array.from(times, time => time - start) };
  });
  const events = clip.events.filter(({ time }) => time >= start && time <= end).map(event => ({ ...event, time: event.time - start }));
  return { ...copyOf(clip, end - start, events, tracks), loop: true };
}

/**
 * Closes a cycle: within the last `seconds` of a clip, curves are blended so that they end with the
 * values with which they start. Stepped curves are kept. `travels`: returns true for tracks that are
 * kept because the body travels (default: translations of the first bone that has any). Throws a
 * TypeError with the code INVALID_ARGUMENT unless `seconds` is positive.
 */
export function closeLoop(clip: Clip, seconds: number, travels = isFirstTranslation(clip)): Clip {
  if (!(seconds > 0)) throw invalidArgument(`closeLoop: ${seconds} is not a positive number of seconds`);
  const { duration } = clip;
  if (!(duration > 0)) return copyOf(clip, duration, clip.events, [...clip.tracks]);
  const from = Math.max(duration - seconds, 0);
  const steps = Math.max(Math.ceil((duration - from) * rateOf(clip)), 2);
  const grid = Array.from({ length: steps + 1 }, (_, i) => from + ((duration - from) * i) / steps);
  const tracks = [...clip.tracks].map(track => {
    if (travels(track) || track.interpolation === 'step') return track;
    const blended = sample(track, [...timesOf(track, clip).filter(time => time < from - 1e-6), ...grid]);
    const width = trackWidth(track.path, track.component);
    const [first, last] = [new Float64Array(width), new Float64Array(width)];
    const cursor = cursorOf(track);
    cursor.evaluate(0, first, 0);
    cursor.evaluate(duration, last, 0);
    for (const [k, time] of blended.times.entries()) {
      const share = Math.min(Math.max((time - from) / (duration - from), 0), 1);
      blend(blended.values, k * width, first, last, share * share * (3 - 2 * share));
    }
    return blended;
  });
  return copyOf(clip, duration, clip.events, tracks);
}

/** Adds the difference between the first and the last value, multiplied by `share`, to a value. */
function blend(values: Float32Array, at: number, first: Float64Array, last: Float64Array, share: number): void {
  if (first.length !== 4) {
    for (const [c, value] of first.entries()) values[at + c] = numberAt(values, at + c) + share * (value - numberAt(last, c));
    return;
  }
  const difference = multiplied(inverted(quaternionAt(last, 0)), quaternionAt(first, 0));
  const part: Quaternion = [0, 0, 0, 1];
  slerp(part, 0, IDENTITY, 0, difference, 0, share);
  values.set(multiplied(quaternionAt(values, at), part), at);
}

// ---------------------------------------------------------------- tracks

/** Returns the frame rate of a clip, or 30 if it has none. */
export const rateOf = ({ frameRate }: Pick<Clip, 'frameRate'>): number => (frameRate > 0 ? frameRate : 30);

type AnyTrack = Pick<
  Track,
  'path' | 'component' | 'times' | 'values' | 'interpolation' | 'before' | 'after' | 'kinds' | 'tangents' | 'weights'
>;

const cursorOf = (track: AnyTrack): CurveCursor => new CurveCursor({ ...track, width: trackWidth(track.path, track.component) });

/** Returns the times of the keys, or of all frames if the curve isn't straight between its keys. */
export function timesOf(track: AnyTrack, { duration, frameRate }: Pick<Clip, 'duration' | 'frameRate'>): number[] {
  if (track.interpolation === 'step' || track.interpolation === 'linear' || track.interpolation === 'slerp') return [...track.times];
  const rate = rateOf({ frameRate });
  return Array.from({ length: Math.round(duration * rate) + 1 }, (_, i) => Math.min(i / rate, duration));
}

/** Returns a track with linear (or stepped) keys at the given times. */
function sample(track: Track, times: readonly number[]): Track {
  const width = trackWidth(track.path, track.component);
  const values = new Float32Array(width * times.length);
  const cursor = cursorOf(track);
  for (const [k, time] of times.entries()) cursor.evaluate(time, values, k * width);
  const { kinds: _, tangents: __, weights: ___, ...rest } = track;
  const interpolation = track.interpolation === 'step' ? 'step' : width === 4 ? 'slerp' : 'linear';
  return { ...rest, interpolation, times: Float32Array.from(times), values };
}

/** Returns a function that is true for the translation tracks of the first bone that has any. */
function isFirstTranslation(clip: Clip): (track: Track) => boolean {
  const first = [...clip.tracks].find(({ path }) => path === 'translation');
  return ({ path, target, occurrence }) => path === 'translation' && target === first?.target && occurrence === first.occurrence;
}

/** Returns a copy of `clip` that starts at time 0, with other events and tracks. */
function copyOf(clip: Clip, duration: number, events: readonly ClipEvent[], tracks: readonly Track[]): Clip {
  const frameCount = Math.round(duration * rateOf(clip)) + 1;
  return { ...clip, start: 0, duration, frameCount, events: [...events], tracks: makeClip(clip, tracks).tracks };
}
