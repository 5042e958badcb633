// Retargets one track: every key is multiplied by constants from both sides.
import { multiply, rotateVector } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import type { BoundTrack } from '../core/bind.ts';

/** Constants between a bone and its partner in the model. */
export interface BoneConversion {
  /** Rows in the skeleton of the clip and in the model. */
  from: number;
  to: number;
  /**
   * Partner of the nearest matched ancestor of the model's bone, or -1; and the rows on the path
   * from there up and down to `from`.
   */
  anchor: number;
  up: readonly number[];
  down: readonly number[];
  /** q' = before q after. */
  before: readonly number[];
  after: readonly number[];
  /** `before` relative to `anchor` instead of to the parent of `from`. */
  outer: readonly number[];
  /**
   * Length in the space of the model's parent of one unit in the space of the clip's parent, and of
   * `anchor`.
   */
  factor: number;
  outerFactor: number;
  /** Local values at rest. */
  rest: { translation: readonly number[]; scale: readonly number[] };
  target: { translation: readonly number[]; scale: readonly number[] };
}

const EXACT = new Set(['step', 'linear', 'slerp', 'hermite']);
const NEARLY = 1e-6;

const isNothing = ([x = 0, y = 0, z = 0]: readonly number[]): boolean => Math.hypot(x, y, z) < NEARLY;

/** Returns true if each key of the track can be retargeted by itself. */
export function isExact(track: BoundTrack, { before, after }: BoneConversion): boolean {
  if (track.mode === 'additive') return true;
  if (track.before !== 'hold' || track.after !== 'hold') return false;
  if (track.component < 0) return EXACT.has(track.interpolation) && !track.weights;
  return track.path !== 'rotation' && isNothing(track.path === 'scale' ? after : before);
}

/**
 * Returns the track for the model's bone. Returns none for a difference of one component of a
 * rotation, which has no equivalent.
 */
export function retargetTrack(track: BoundTrack, frame: BoneConversion): BoundTrack[] {
  const { path, component, mode } = track;
  const isAdditive = mode === 'additive';
  if (path === 'rotation') {
    if (component >= 0) return [];
    const before = isAdditive
      ? [-(frame.after[0] ?? 0), -(frame.after[1] ?? 0), -(frame.after[2] ?? 0), frame.after[3] ?? 1]
      : frame.before;
    return [mapped(track, frame.to, 4, (v, at) => turnKey(v, at, before, frame.after))];
  }
  if (path === 'scale') return [scaled(track, frame)];
  const whole = component >= 0 && !isNothing(frame.before) ? widened(track) : track;
  const { rest, target, factor, before } = frame;
  if (whole.component >= 0) {
    const c = whole.component;
    const offset = isAdditive ? 0 : (target.translation[c] ?? 0) - factor * (rest.translation[c] ?? 0);
    return [mapped(whole, frame.to, 1, (v, at, isSlope) => void (v[at] = factor * v[at]! + (isSlope ? 0 : offset)))];
  }
  return [mapped(whole, frame.to, 3, (v, at, isSlope) => place(v, at, frame, before, factor, isAdditive || isSlope ? NONE : undefined))];
}

const NONE = { translation: [0, 0, 0] };

/**
 * Converts a position between the parents' spaces: the difference from rest, rotated and in the
 * other unit.
 */
function place(
  v: Numbers,
  at: number,
  { rest, target }: BoneConversion,
  turn: readonly number[],
  factor: number,
  none?: typeof NONE,
): void {
  const [from, to] = [(none ?? rest).translation, (none ?? target).translation];
  for (let c = 0; c < 3; c++) v[at + c] = factor * (v[at + c]! - (from[c] ?? 0));
  if (!isNothing(turn)) rotateVector(v, at, turn);
  for (let c = 0; c < 3; c++) v[at + c]! += to[c] ?? 0;
}

/** Converts a position that is relative to the anchor. */
export function placeFrom(v: Numbers, at: number, frame: BoneConversion, restThere: readonly number[]): void {
  place(v, at, { ...frame, rest: { ...frame.rest, translation: restThere } }, frame.outer, frame.outerFactor);
}

export function turnKey(v: Numbers, at: number, before: readonly number[], after: readonly number[]): void {
  if (!isNothing(before)) multiply(v, at, before, 0, v, at);
  if (!isNothing(after)) multiply(v, at, v, at, after, 0);
}

/**
 * Returns for each axis of the model's bone the shares of the clip's axes. Exact if axes map to
 * axes.
 */
export function axisShares({ after }: BoneConversion): number[][] {
  return [0, 1, 2].map(axis => {
    const v = [0, 0, 0];
    v[axis] = 1;
    rotateVector(v, 0, after);
    return v.map(value => value * value);
  });
}

function scaled(track: BoundTrack, frame: BoneConversion): BoundTrack {
  const shares = axisShares(frame);
  const { rest, target } = frame;
  const ratio = (c: number): number => 1 / (rest.scale[c] || 1);
  if (track.mode === 'additive') return mapped(track, frame.to, 1, () => {});
  if (track.component >= 0) {
    const c = track.component;
    return mapped(track, frame.to, 1, (v, at) => void (v[at]! *= ratio(c) * (target.scale[c] ?? 1)));
  }
  return mapped(track, frame.to, 3, (v, at) => scaleKey(v, at, shares, frame));
}

export function scaleKey(v: Numbers, at: number, shares: readonly (readonly number[])[], { rest, target }: BoneConversion): void {
  const own = [0, 1, 2].map(c => v[at + c]! / (rest.scale[c] || 1));
  for (let c = 0; c < 3; c++) v[at + c] = (target.scale[c] ?? 1) * own.reduce((sum, value, i) => sum + value * (shares[c]?.[i] ?? 0), 0);
}

/**
 * Returns a constant track for a bone that stays at rest in the skeleton of the clip. `own` is that
 * rest rotation.
 */
export function heldTurn({ to, before, after }: BoneConversion, own: readonly number[]): BoundTrack {
  const turn = [...own];
  turnKey(turn, 0, before, after);
  return boneTrack('rotation', to, Float32Array.of(0), turn, 'step');
}

export function boneTrack(
  path: BoundTrack['path'],
  node: number,
  times: Float32Array,
  values: readonly number[],
  interpolation: BoundTrack['interpolation'],
): BoundTrack {
  return {
    node,
    renderers: [],
    morph: '',
    path,
    component: -1,
    mode: 'absolute',
    blendWeight: 1,
    times,
    values: Float32Array.from(values),
    interpolation,
    before: 'hold',
    after: 'hold',
  };
}

/** Widens a difference of one component to one of all three. */
function widened(track: BoundTrack): BoundTrack {
  const values = new Float32Array(3 * track.times.length);
  for (let k = 0; k < track.times.length; k++) values[3 * k + track.component] = track.values[k] ?? 0;
  const { kinds: _, tangents: __, weights: ___, ...rest } = track;
  return { ...rest, component: -1, interpolation: track.interpolation === 'step' ? 'step' : 'linear', values };
}

function mapped(track: BoundTrack, node: number, width: number, map: (values: Numbers, at: number, isSlope: boolean) => void): BoundTrack {
  const apply = (from: Float32Array, isSlope: boolean): Float32Array => {
    const to = Float64Array.from(from);
    for (let at = 0; at + width <= to.length; at += width) map(to, at, isSlope);
    return Float32Array.from(to);
  };
  const { tangents } = track;
  return { ...track, node, values: apply(track.values, false), ...(tangents && { tangents: apply(tangents, true) }) };
}
