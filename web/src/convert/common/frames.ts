// Converts clips for formats that store keys at frames and interpolate linearly. Linear curves keep
// their keys, and other curves are sampled.
import type { Clip, ModeOverride, RigScene, Track, TrackMode } from '../../core/types.ts';
import type { BoundTrack } from '../../core/bound.ts';
import { CurveCursor } from '../../rig/curve.ts';
import type { Budget } from './budget.ts';
import { entry } from '../../core/entry.ts';
import { frameError } from './frameError.ts';
import type { ReportBuilder } from './report.ts';

export type FramePath = 'translation' | 'rotation' | 'scale' | 'weight' | 'visible';

export interface FrameCurve {
  /** Name of the animated bone, or of the animated morph target if `path` is `weight`. */
  target: string;
  path: FramePath;
  /** Axis of a translation or scale (0 to 2), or -1 if the curve drives a complete value. */
  component: number;
  mode: TrackMode;
  blendWeight: number;
  /**
   * Frame number of each key, in ascending order, starting at 0 or later. Frame numbers are
   * integers if `isWhole` of the clip is true.
   */
  frames: readonly number[];
  /** Values of all keys. Each key has 1, 3 or 4 values, depending on path and component. */
  values: Float32Array;
}

export interface FrameClip {
  name: string;
  frameRate: number;
  loop: boolean;
  isWhole: boolean;
  /** Number of the last frame that has a key or an event. */
  lastFrame: number;
  curves: FrameCurve[];
  events: { name: string; frame: number }[];
  overrides: readonly ModeOverride[];
}

const PATHS: readonly string[] = ['translation', 'rotation', 'scale', 'weight', 'visible'] satisfies FramePath[];
const isFramePath = (path: string): path is FramePath => PATHS.includes(path);
const LOST = {
  shown: 'VISIBILITY_TRACKS_LOST',
  material: 'MATERIAL_TRACKS_LOST',
  property: 'PROPERTY_TRACKS_LOST',
  expression: 'PROPERTY_TRACKS_LOST',
  look: 'PROPERTY_TRACKS_LOST',
} as const;

/**
 * Frame rates that are tried if a clip does not declare its frame rate. The first rate that has a
 * frame at every key is used.
 */
const RATES = [30, 60, 24, 25, 50, 90, 120, 72, 100, 240, 1000];
/** Frame rate that is used if none of `RATES` has a frame at every key. */
const FINE = 60;
/** Minimum frame rate of clips that contain sampled curves. */
const DENSE = 120;
/** Maximum number of frames in a clip. A longer clip is treated as damaged. */
export const MAX_FRAMES = 1_000_000;

/**
 * Converts a clip to keys at frames. `scene`: the scene of the clip or its model, which supplies
 * rotation components that the clip does not drive. `isWholeOnly`: true if the target only stores
 * whole frames, so that curves with keys between frames have to be sampled.
 */
export function framesOf(clip: Clip, name: string, scene: RigScene, report: ReportBuilder, isWholeOnly = false): FrameClip {
  const all = [...clip.tracks];
  // In the result, they would replace the curves of the first bone with the name.
  const tracks = all.filter(({ occurrence }) => occurrence === 0);
  if (tracks.length < all.length) report.add('TRACKS_AMBIGUOUS', name, all.length - tracks.length);
  reportUnsupportedTracks(clip, name, scene, report);
  const kept = tracks.filter(({ path, times }) => isFramePath(path) && times.length > 0);
  const { frameRate, isSparse } = sampling(clip, kept, isWholeOnly, report.budget);
  const writer = new ClipFrames(scene, frameRate, clip.duration, { isWholeOnly, isSparse });
  const curves = writer.curves(kept);
  if (isSparse) report.add('WORK_LIMIT', name, 1, `${writer.sampled} curves have values only at their keys`);
  else if (writer.sampled > 0) reportSampled(clip, name, scene, { frameRate, sampled: writer.sampled, isWholeOnly }, report);
  if (writer.cut > 0) report.add('PREROLL_CUT', name, writer.cut);
  if (!writer.isWhole) report.add('FRAMES_FRACTIONAL', name, 1);
  const events = clip.events
    .filter(({ time }) => time >= 0)
    .map(event => ({ name: event.name, frame: Math.round(event.time * frameRate) }));
  let lastFrame = 0;
  for (const { frames } of curves) lastFrame = Math.max(lastFrame, frames.at(-1) ?? 0);
  for (const { frame } of events) lastFrame = Math.max(lastFrame, frame);
  const end = Math.min(Math.round(clip.duration * frameRate), MAX_FRAMES);
  if (end > Math.max(lastFrame, 1)) {
    stretch(curves, end);
    lastFrame = end;
  }
  return { name, frameRate, loop: clip.loop, isWhole: writer.isWhole, lastFrame, curves, events, overrides: clip.overrides };
}

/**
 * Reports tracks that frame-based formats cannot store, and weight tracks for morph targets that
 * several meshes have.
 */
export function reportUnsupportedTracks(clip: Clip, name: string, scene: RigScene, report: ReportBuilder): void {
  const lost = new Map<keyof typeof LOST, number>();
  const shared = sharedShapes(scene);
  let spread = 0;
  for (const { path, target, property } of clip.tracks) {
    if (!isFramePath(path)) lost.set(path, (lost.get(path) ?? 0) + 1);
    else if (path === 'weight' && target !== '' && shared.has(property)) spread++;
  }
  for (const [path, amount] of lost) report.add(LOST[path], name, amount);
  if (spread > 0) report.add('SHAPE_SPREAD', name, spread);
}

/** Reports that curves were sampled, and the error at the skin. */
export function reportSampled(
  clip: Clip,
  name: string,
  scene: RigScene,
  { frameRate, sampled, isWholeOnly }: { frameRate: number; sampled: number; isWholeOnly: boolean },
  report: ReportBuilder,
): void {
  const isExact = (track: BoundTrack): boolean => isLinear(track) && (!isWholeOnly || track.times.every(time => isWhole(time * frameRate)));
  const error = frameError(clip, scene, frameRate, isExact, report.budget);
  const how = `${sampled} ${sampled === 1 ? 'curve' : 'curves'}, ${frameRate} frames per second`;
  report.add('CURVES_SAMPLED', name, error ?? 0, error === null ? `${how}; the error at the skin is unknown without a model` : how);
}

/**
 * Returns the clip's own frame rate (`own`), the frame rate to write (`frameRate`), and the number
 * of curves that have to be sampled (`sampled`). If curves are sampled, `frameRate` is a multiple
 * of `own`.
 */
export function framing(clip: Clip, isWholeOnly: boolean): { own: number; frameRate: number; sampled: number } {
  const tracks = [...clip.tracks];
  const own = clip.frameRate > 0 ? clip.frameRate : rateOf(tracks);
  const sampled = tracks.filter(track => !isKept(track, own, isWholeOnly)).length;
  return { own, frameRate: sampled === 0 ? own : own * Math.ceil(DENSE / own), sampled };
}

/** True if the keys of a curve are written unchanged. */
export const isKept = (track: Track, frameRate: number, isWholeOnly: boolean): boolean =>
  isLinear(track) && (!isWholeOnly || track.times.every(time => isWhole(time * frameRate)));

/**
 * Spends the bytes of the keys from the work budget. If the samples would exceed the budget,
 * `isSparse` is true in the result: curves are then sampled only at their own keys, and the clip
 * keeps its frame rate. Throws a ConversionError if the keys alone exceed the budget.
 */
function sampling(clip: Clip, tracks: readonly Track[], isWholeOnly: boolean, budget: Budget): { frameRate: number; isSparse: boolean } {
  const { own, frameRate, sampled } = framing(clip, isWholeOnly);
  const bytes = (count: number, { component, path }: Track): number => 4 * count * (1 + (component < 0 ? (WIDTHS[path] ?? 1) : 1));
  const sum = (list: readonly Track[], countOf: (track: Track) => number): number =>
    list.reduce((all, track) => all + bytes(countOf(track), track), 0);
  const isPart = ({ path, component }: Track): boolean => path === 'rotation' && component >= 0;
  const dense = tracks.filter(track => isPart(track) || (sampled > 0 && !isKept(track, frameRate, isWholeOnly)));
  budget.spend(sum(tracks, ({ times }) => times.length));
  const isSparse = !budget.afford(sum(dense, track => lastFrame([track], clip.duration, frameRate)));
  return { frameRate: isSparse ? own : frameRate, isSparse };
}

const WIDTHS: Readonly<Record<string, number>> = { translation: 3, rotation: 4, scale: 3 };

/** Returns the number of the last frame at which the tracks are sampled. */
function lastFrame(tracks: readonly Track[], duration: number, frameRate: number): number {
  const isEndless = tracks.some(({ before, after }) => before !== 'hold' || after !== 'hold');
  const end = tracks.reduce((most, { times }) => Math.max(most, times.at(-1) ?? 0), isEndless ? duration : 0);
  return Math.min(Math.max(Math.ceil(end * frameRate - 1e-3), 0), MAX_FRAMES);
}

/**
 * Adds a key at frame `end` to the first curve, because clips in these formats end at their last
 * key.
 */
function stretch(curves: FrameCurve[], end: number): void {
  const [first] = curves;
  if (!first) return;
  const width = first.values.length / first.frames.length;
  curves[0] = {
    ...first,
    frames: [...first.frames, end],
    values: Float32Array.from([...first.values, ...first.values.subarray(first.values.length - width)]),
  };
}

function rateOf(tracks: readonly Track[]): number {
  const known = new Set<number>();
  for (const { times } of tracks) for (const time of times) known.add(time);
  const all = [...known];
  return RATES.find(rate => all.every(time => isWhole(time * rate))) ?? FINE;
}

/** True if the frame is a whole number, within the precision of times in float32. */
function isWhole(frame: number): boolean {
  return Math.abs(frame - Math.round(frame)) < 1e-3 + 1e-6 * Math.abs(frame);
}

class ClipFrames {
  readonly #scene: RigScene;
  readonly #rate: number;
  readonly #duration: number;
  readonly #isWholeOnly: boolean;
  readonly #isSparse: boolean;
  /** Maps node names to node rows. The map is created on first use. */
  #rows: Map<string, number> | undefined;
  /** Number of curves that had to be sampled. */
  sampled = 0;
  /** Duration in seconds of the animation before time 0, which was cut off. */
  cut = 0;
  isWhole = true;

  constructor(scene: RigScene, rate: number, duration: number, { isWholeOnly, isSparse }: { isWholeOnly: boolean; isSparse: boolean }) {
    this.#scene = scene;
    this.#rate = rate;
    this.#duration = duration;
    this.#isWholeOnly = isWholeOnly;
    this.#isSparse = isSparse;
  }

  curves(tracks: readonly Track[]): FrameCurve[] {
    for (const { times } of tracks) this.cut = Math.max(this.cut, -(times[0] ?? 0));
    const turns = new Map<string, Track[]>(); // rotations that have one curve per component
    const made: FrameCurve[] = [];
    for (const track of tracks) {
      const target = this.#targetOf(track);
      if (track.path === 'rotation' && track.component >= 0) entry(turns, target, () => []).push(track);
      else made.push(this.#curve(track, target));
    }
    for (const [target, parts] of turns) made.push(this.#turn(target, parts));
    return made;
  }

  #targetOf({ path, target, property, node }: Track): string {
    if (path === 'weight') return property;
    return node >= 0 ? (this.#scene.nodes.names[node] ?? target) : target;
  }

  #curve(track: Track, target: string): FrameCurve {
    const { path, component, mode, blendWeight, times, values } = track;
    const base = { target, path: path as FramePath, component, mode, blendWeight };
    const frames = Array.from(times, time => time * this.#rate);
    const isAtFrames = frames.every(isWhole);
    if (!isLinear(track) || (this.#isWholeOnly && !isAtFrames)) {
      this.sampled++;
      return { ...base, ...this.#sample(track) };
    }
    if (isAtFrames) for (const [i, frame] of frames.entries()) frames[i] = Math.round(frame);
    else this.isWhole = false;
    const width = values.length / times.length;
    const first = frames.findIndex(frame => frame >= 0);
    if (first === 0) return { ...base, frames, values };
    const at = new Float32Array(width);
    cursorOf(track).evaluate(0, at, 0);
    const kept = first < 0 ? [] : frames.slice(first);
    const from = first < 0 ? new Float32Array(0) : values.subarray(width * first);
    return kept[0] === 0
      ? { ...base, frames: kept, values: from }
      : { ...base, frames: [0, ...kept], values: Float32Array.from([...at, ...from]) };
  }

  #sample(track: Track): Pick<FrameCurve, 'frames' | 'values'> {
    const cursor = cursorOf(track);
    const { width } = cursor.curve;
    return this.#at(width, [track], (time, to) => cursor.evaluate(time, to, 0));
  }

  /**
   * Samples the curves of a bone's rotation components into one quaternion curve. Components
   * without a curve get the value of the rest pose.
   */
  #turn(target: string, parts: readonly Track[]): FrameCurve {
    this.sampled += parts.length;
    this.#rows ??= new Map(this.#scene.nodes.names.map((name, row) => [name, row] as const).toReversed()); // if several nodes have the same name, the first one is used
    const row = this.#rows.get(target) ?? -1;
    const rest = row < 0 ? [0, 0, 0, 1] : this.#scene.nodes.rotations.subarray(4 * row, 4 * row + 4);
    const cursors = parts.map(part => ({ cursor: cursorOf(part), component: part.component }));
    const sampled = this.#at(4, parts, (time, to) => {
      to.set(rest);
      for (const { cursor, component } of cursors) cursor.evaluate(time, to, component);
      const length = Math.hypot(...to) || 1;
      for (let c = 0; c < 4; c++) to[c]! /= length;
    });
    const { mode = 'absolute', blendWeight = 1 } = parts[0] ?? {};
    return { target, path: 'rotation', component: -1, mode, blendWeight, ...sampled };
  }

  /**
   * Samples a value at frames. Of several equal consecutive values, only the first and the last are
   * kept.
   */
  #at(width: number, tracks: readonly Track[], evaluate: (time: number, to: Float32Array) => void): Pick<FrameCurve, 'frames' | 'values'> {
    const all = this.#framesOf(tracks);
    const frames: number[] = [];
    const values = new Float32Array(width * all.length);
    const now = new Float32Array(width);
    const isSame = (key: number): boolean => {
      for (let c = 0; c < width; c++) if (key < 0 || now[c] !== values[width * key + c]) return false;
      return true;
    };
    for (const frame of all) {
      evaluate(Math.fround(frame / this.#rate), now); // rounded to float32 like key times, so that a step at a frame takes effect in that frame
      const n = frames.length;
      if (isSame(n - 1) && isSame(n - 2)) frames[n - 1] = frame;
      else {
        values.set(now, width * n);
        frames.push(frame);
      }
    }
    return { frames, values: values.slice(0, width * frames.length) };
  }

  /** Returns the frames at which curves are sampled. */
  #framesOf(tracks: readonly Track[]): ArrayLike<number> & Iterable<number> {
    const last = lastFrame(tracks, this.#duration, this.#rate);
    if (!this.#isSparse) return Uint32Array.from({ length: last + 1 }, (_, frame) => frame);
    const frames = new Set([0]);
    for (const { times } of tracks)
      for (const time of times) {
        const frame = time * this.#rate;
        if (frame > 0 && frame <= last) frames.add(this.#isWholeOnly || isWhole(frame) ? Math.round(frame) : frame);
      }
    this.isWhole &&= [...frames].every(Number.isInteger);
    return [...frames].sort((a, b) => a - b);
  }
}

/**
 * True if a curve is linear between its keys, and constant before the first and after the last key.
 * A rotation must take the shortest arc. For visibility, returns true if the curve is stepped.
 */
function isLinear({
  path,
  interpolation,
  kinds,
  before,
  after,
  times,
  component,
}: Pick<Track, 'path' | 'interpolation' | 'kinds' | 'before' | 'after' | 'times' | 'component'>): boolean {
  if (times.length < 2) return true;
  if (before !== 'hold' || after !== 'hold') return false;
  for (let i = 1; i < times.length; i++) if (times[i] === times[i - 1]) return false; // two keys at the same time form a jump
  const straight = path === 'visible' ? 'step' : path === 'rotation' && component < 0 ? 'slerp' : 'linear';
  return interpolation === straight && !kinds;
}

const shapes = new WeakMap<RigScene, ReadonlySet<string>>();

/** Returns the morph target names that occur in several meshes. */
function sharedShapes(scene: RigScene): ReadonlySet<string> {
  let shared = shapes.get(scene);
  if (shared) return shared;
  const counts = new Map<string, number>();
  for (const { morphs } of scene.meshes)
    for (const name of new Set(morphs.map(each => each.name))) counts.set(name, (counts.get(name) ?? 0) + 1);
  shared = new Set([...counts].flatMap(([name, count]) => (count > 1 ? [name] : [])));
  shapes.set(scene, shared);
  return shared;
}

function cursorOf({ times, values, interpolation, kinds, tangents, weights, before, after }: Track): CurveCursor {
  return new CurveCursor({ times, values, width: values.length / times.length, interpolation, kinds, tangents, weights, before, after });
}
