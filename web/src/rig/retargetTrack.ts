// Retargets one track by multiplying each key by two constants. Loops index values only within
// their length, hence the `!`.
import { multiply, rotateVector } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import type { BoundTrack } from '../core/bind.ts';

/**
 * Constants that convert curves of a bone in the clip's skeleton to curves of the bone with the
 * same name in the model.
 */
export interface BoneConversion {
  /** Row of the bone in the clip's skeleton (`from`) and in the model (`to`). */
  from: number;
  to: number;
  /**
   * Row in the clip's skeleton of the anchor: the nearest ancestor of the model's bone that exists
   * in both skeletons; -1 if there is none. `up` and `down` are the rows on the path from `anchor`
   * to `from`: up to their common ancestor, and down from it.
   */
  anchor: number;
  up: readonly number[];
  down: readonly number[];
  /**
   * Quaternions that convert a local rotation q in the clip's skeleton to the local rotation q' =
   * left q right in the model.
   */
  left: readonly number[];
  right: readonly number[];
  /** Quaternion that replaces `left` for rotations in the space of `anchor`. */
  anchorLeft: readonly number[];
  /**
   * Factors that convert lengths to the bone's parent space in the model: `factor` from its parent
   * space in the clip's skeleton, `anchorFactor` from the space of `anchor`.
   */
  factor: number;
  anchorFactor: number;
  /**
   * Local rest transforms of the bone in the clip's skeleton (`rest`) and in the model (`target`).
   */
  rest: { translation: readonly number[]; scale: readonly number[] };
  target: { translation: readonly number[]; scale: readonly number[] };
}

const EXACT = new Set(['step', 'linear', 'slerp', 'hermite']);
const NEARLY = 1e-6;

const isIdentity = ([x = 0, y = 0, z = 0]: readonly number[]): boolean => Math.hypot(x, y, z) < NEARLY;

/** Returns true if the track can be retargeted key by key, without sampling. */
export function isExact(track: BoundTrack, { left, right }: BoneConversion): boolean {
  if (track.mode === 'additive') return true;
  if (track.before !== 'hold' || track.after !== 'hold') return false;
  if (track.component < 0) return EXACT.has(track.interpolation) && !track.weights;
  return track.path !== 'rotation' && isIdentity(track.path === 'scale' ? right : left);
}

/**
 * Returns a list with the retargeted track. The list is empty for a curve of a single rotation
 * component, which has no equivalent in the model.
 */
export function retargetTrack(track: BoundTrack, conversion: BoneConversion): BoundTrack[] {
  const { path, component, mode } = track;
  const isAdditive = mode === 'additive';
  if (path === 'rotation') {
    if (component >= 0) return [];
    const { right } = conversion;
    const left = isAdditive ? [-(right[0] ?? 0), -(right[1] ?? 0), -(right[2] ?? 0), right[3] ?? 1] : conversion.left;
    return [mapTrack(track, conversion.to, 4, (v, at) => rotateKey(v, at, left, right))];
  }
  if (path === 'scale') return [retargetScale(track, conversion)];
  const widened = component >= 0 && !isIdentity(conversion.left) ? widen(track) : track;
  const { rest, target, factor, left } = conversion;
  if (widened.component >= 0) {
    const c = widened.component;
    const offset = isAdditive ? 0 : (target.translation[c] ?? 0) - factor * (rest.translation[c] ?? 0);
    return [mapTrack(widened, conversion.to, 1, (v, at, isSlope) => void (v[at] = factor * v[at]! + (isSlope ? 0 : offset)))];
  }
  return [
    mapTrack(widened, conversion.to, 3, (v, at, isSlope) =>
      convertPosition(v, at, conversion, left, factor, isAdditive || isSlope ? ZERO : undefined),
    ),
  ];
}

const ZERO = { translation: [0, 0, 0] };

/**
 * Converts a local position of the bone from the clip's skeleton to the model: rotates and scales
 * its difference from the rest position. `zero`: replaces both rest positions when differences or
 * slopes are converted.
 */
function convertPosition(
  v: Numbers,
  at: number,
  { rest, target }: BoneConversion,
  rotation: readonly number[],
  factor: number,
  zero?: typeof ZERO,
): void {
  const [from, to] = [(zero ?? rest).translation, (zero ?? target).translation];
  for (let c = 0; c < 3; c++) v[at + c] = factor * (v[at + c]! - (from[c] ?? 0));
  if (!isIdentity(rotation)) rotateVector(v, at, rotation);
  for (let c = 0; c < 3; c++) v[at + c]! += to[c] ?? 0;
}

/**
 * Converts a position of the bone from the space of the anchor to the bone's parent space in the
 * model. `restPosition`: rest position in the space of the anchor.
 */
export function convertPositionFromAnchor(v: Numbers, at: number, conversion: BoneConversion, restPosition: readonly number[]): void {
  convertPosition(
    v,
    at,
    { ...conversion, rest: { ...conversion.rest, translation: restPosition } },
    conversion.anchorLeft,
    conversion.anchorFactor,
  );
}

/** Converts the rotation at `v[at]`: multiplies it by `left` and `right`. */
export function rotateKey(v: Numbers, at: number, left: readonly number[], right: readonly number[]): void {
  if (!isIdentity(left)) multiply(v, at, left, 0, v, at);
  if (!isIdentity(right)) multiply(v, at, v, at, right, 0);
}

/**
 * Returns weights for converting scales. For each axis of the model's bone, there are three
 * weights, by which the scales along the axes of the clip's bone contribute to the scale along this
 * axis. The weights are exact if each axis is parallel to an axis of the other bone.
 */
export function axisShares({ right }: BoneConversion): number[][] {
  return [0, 1, 2].map(axis => {
    const v = [0, 0, 0];
    v[axis] = 1;
    rotateVector(v, 0, right);
    return v.map(value => value * value);
  });
}

function retargetScale(track: BoundTrack, conversion: BoneConversion): BoundTrack {
  const shares = axisShares(conversion);
  const { rest, target } = conversion;
  const ratio = (c: number): number => 1 / (rest.scale[c] || 1);
  if (track.mode === 'additive') return mapTrack(track, conversion.to, 1, () => {});
  if (track.component >= 0) {
    const c = track.component;
    return mapTrack(track, conversion.to, 1, (v, at) => void (v[at]! *= ratio(c) * (target.scale[c] ?? 1)));
  }
  return mapTrack(track, conversion.to, 3, (v, at) => scaleKey(v, at, shares, conversion));
}

/** Converts the scale at `v[at]`. `shares`: result of `axisShares`. */
export function scaleKey(v: Numbers, at: number, shares: readonly (readonly number[])[], { rest, target }: BoneConversion): void {
  const own = [0, 1, 2].map(c => v[at + c]! / (rest.scale[c] || 1));
  for (let c = 0; c < 3; c++) v[at + c] = (target.scale[c] ?? 1) * own.reduce((sum, value, i) => sum + value * (shares[c]?.[i] ?? 0), 0);
}

/**
 * Returns a rotation track with a single key for a bone without a curve. `own`: rest rotation of
 * the bone in the clip's skeleton.
 */
export function constantRotation({ to, left, right }: BoneConversion, own: readonly number[]): BoundTrack {
  const rotation = [...own];
  rotateKey(rotation, 0, left, right);
  return boneTrack('rotation', to, Float32Array.of(0), rotation, 'step');
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

/** Converts an additive curve of one component to a curve of all three components. */
function widen(track: BoundTrack): BoundTrack {
  const values = new Float32Array(3 * track.times.length);
  for (let k = 0; k < track.times.length; k++) values[3 * k + track.component] = track.values[k] ?? 0;
  const { kinds: _, tangents: __, weights: ___, ...rest } = track;
  return { ...rest, component: -1, interpolation: track.interpolation === 'step' ? 'step' : 'linear', values };
}

function mapTrack(
  track: BoundTrack,
  node: number,
  width: number,
  map: (values: Numbers, at: number, isSlope: boolean) => void,
): BoundTrack {
  const apply = (from: Float32Array, isSlope: boolean): Float32Array => {
    const to = Float64Array.from(from);
    for (let at = 0; at + width <= to.length; at += width) map(to, at, isSlope);
    return Float32Array.from(to);
  };
  const { tangents } = track;
  return { ...track, node, values: apply(track.values, false), ...(tangents && { tangents: apply(tangents, true) }) };
}
