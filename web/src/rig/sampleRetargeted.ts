// Samples bones that follow several bones of the other skeleton, or curves whose keys cannot be
// retargeted one by one.
import { type Vector, vectorAt, scale, addScaled } from '../core/math/vector.ts';
import { invert, multiply, rotateVector } from '../core/math/quaternion.ts';
import type { BoundTrack } from '../core/bind.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { Layer } from './layer.ts';
import { Pose, PoseShape } from './pose.ts';
import { axisShares, boneTrack, type BoneConversion, placeFrom, scaleKey, turnKey } from './retargetTrack.ts';

/** Samples per second between the keys of curves that aren't linear. */
const RATE = 60;
const MOST_SAMPLES = 100_000;

type Path = 'translation' | 'rotation' | 'scale';

interface Output {
  frame: BoneConversion;
  paths: Path[];
  shares: number[][];
  restThere: number[];
  values: Record<Path, number[]>;
}

/** Returns sampled tracks for the model. `tracks` are bound to the skeleton of the clip. */
export function bakeBones(clip: Clip, from: RigScene, tracks: readonly BoundTrack[], frames: readonly BoneConversion[]): BoundTrack[] {
  const absolute = tracks.filter(({ mode }) => mode === 'absolute');
  const moved = byNode(absolute);
  const used = new Set<BoundTrack>();
  const shape = new PoseShape(from);
  const pose = new Pose(shape);
  const outputs: Output[] = [];
  for (const frame of frames) {
    const movers = [...frame.up, ...frame.down].filter(row => moved.has(row));
    const own = (moved.get(frame.from) ?? []).map(({ path }) => path);
    const others = movers.filter(row => row !== frame.from);
    const paths: Path[] = [];
    if (own.includes('translation') || others.length > 0) paths.push('translation');
    if (movers.some(row => moved.get(row)?.some(({ path }) => path === 'rotation'))) paths.push('rotation');
    if (own.includes('scale')) paths.push('scale');
    if (paths.length === 0) continue;
    for (const row of movers) for (const track of moved.get(row) ?? []) used.add(track);
    const restThere = seenFromAnchor(pose, frame).place;
    outputs.push({ frame, paths, shares: axisShares(frame), restThere, values: { translation: [], rotation: [], scale: [] } });
  }
  if (outputs.length === 0) return [];
  const isStep = [...used].every(({ interpolation }) => interpolation === 'step');
  const times = Float32Array.from(timesOf([...used], clip.duration, isStep));
  const layer = new Layer(shape, absolute);
  for (const time of times) {
    pose.reset();
    layer.time = time;
    layer.apply(pose);
    for (const output of outputs) sample(pose, output);
  }
  const interpolationOf = (path: Path): BoundTrack['interpolation'] => (isStep ? 'step' : path === 'rotation' ? 'slerp' : 'linear');
  return outputs.flatMap(({ frame, paths, values }) =>
    paths.map(path => boneTrack(path, frame.to, times, values[path], interpolationOf(path))),
  );
}

export function byNode(tracks: readonly BoundTrack[]): Map<number, BoundTrack[]> {
  const groups = new Map<number, BoundTrack[]>();
  for (const track of tracks) {
    const group = groups.get(track.node);
    if (group) group.push(track);
    else groups.set(track.node, [track]);
  }
  return groups;
}

/** Returns all key times, and times between the keys of curves that aren't linear. */
function timesOf(tracks: readonly BoundTrack[], duration: number, isStep: boolean): number[] {
  const keys = new Set<number>();
  for (const { times } of tracks) for (const time of times) keys.add(time);
  if (tracks.some(({ before, after }) => before !== 'hold' || after !== 'hold')) for (const time of [0, duration]) keys.add(time);
  const sorted = [...keys].sort((a, b) => a - b);
  if (isStep) return sorted;
  const all: number[] = [];
  for (const [k, time] of sorted.entries()) {
    all.push(time);
    const gap = (sorted[k + 1] ?? time) - time;
    const parts = Math.min(Math.ceil(gap * RATE - 1e-3), MOST_SAMPLES - all.length);
    for (let part = 1; part < parts; part++) all.push(time + (gap * part) / parts);
  }
  return all;
}

function sample(pose: Pose, { frame, paths, shares, restThere, values }: Output): void {
  const { place, turn } = seenFromAnchor(pose, frame);
  for (const path of paths) {
    if (path === 'translation') {
      placeFrom(place, 0, frame, restThere);
      values.translation.push(...place);
    } else if (path === 'rotation') {
      turnKey(turn, 0, frame.outer, frame.after);
      const last = values.rotation.slice(-4);
      const isFar = last.reduce((sum, value, c) => sum + value * (turn[c] ?? 0), 0) < 0;
      values.rotation.push(...(isFar ? turn.map(value => -value) : turn));
    } else {
      const scale = Array.from(pose.scales.subarray(3 * frame.from, 3 * frame.from + 3));
      scaleKey(scale, 0, shares, frame);
      values.scale.push(...scale);
    }
  }
}

/**
 * Returns position and rotation of a bone relative to its anchor. Scales in between count as
 * uniform.
 */
function seenFromAnchor(pose: Pose, { up, down }: BoneConversion): { place: number[]; turn: number[] } {
  const one = along(pose, down);
  const other = along(pose, up);
  const back = [0, 0, 0, 1];
  invert(back, other.turn);
  const place = one.place.map((value, c) => (value - (other.place[c] ?? 0)) / other.size);
  rotateVector(place, 0, back);
  multiply(one.turn, 0, back, 0, one.turn, 0);
  return { place, turn: one.turn };
}

function along({ translations, rotations, scales }: Pose, rows: readonly number[]): { place: number[]; turn: number[]; size: number } {
  const place: Vector = [0, 0, 0];
  const turn = [0, 0, 0, 1];
  let size = 1;
  for (const row of rows) {
    const step = scale(vectorAt(translations, 3 * row), size);
    rotateVector(step, 0, turn);
    addScaled(place, 0, step, 1);
    multiply(turn, 0, turn, 0, rotations, 4 * row);
    size *= Math.cbrt(vectorAt(scales, 3 * row).reduce((product, factor) => product * factor)) || 1;
  }
  return { place, turn, size };
}
