// Fast path for plain curves, as most curves are. A plain curve is the only curve of its value and
// contains all components. It uses linear interpolation (slerp for rotations) or steps, and is
// constant outside its keys. Curves that share an array of key times are evaluated together, so a
// PSA or Cast file with 128 bones needs only one search per channel. Most of the evaluation time is
// spent here, so loops are unrolled and arrays are indexed without checks (`!`).
import { ALMOST_EQUAL, slerp } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import { findKey, uniformKind } from './curve.ts';
import { blend, type Channel, CHANNEL_WIDTH, type Pose } from './pose.ts';
import type { CurvePart } from './stack.ts';

interface Group {
  channel: Channel;
  isStep: boolean;
  times: Float32Array;
  rows: number[];
  values: Float32Array[];
  /** Index of the key at or before the last evaluated time. */
  key: number;
}

/** Scratch buffer for the evaluated values of a group, in group order, before they are blended. */
let blended = new Float64Array(0);
const identityRows: number[] = [];

export class PlainGroups {
  readonly #groups: Group[] = [];
  readonly #byTimes = new Map<Float32Array, Group[]>();

  /** Adds a curve and returns true if it is plain; otherwise returns false. */
  add(channel: Channel, row: number, { curve }: CurvePart): boolean {
    const kind = uniformKind(curve.interpolation, curve.kinds);
    const isStep = kind === 'step';
    const isPlain =
      curve.width === CHANNEL_WIDTH[channel] &&
      curve.before === 'hold' &&
      curve.after === 'hold' &&
      (isStep || kind === (channel === 'rotation' ? 'slerp' : 'linear'));
    if (!isPlain) return false;
    const candidates = this.#byTimes.get(curve.times) ?? [];
    let group = candidates.find(each => each.channel === channel && each.isStep === isStep);
    if (!group) {
      group = { channel, isStep, times: curve.times, rows: [], values: [], key: 0 };
      this.#groups.push(group);
      this.#byTimes.set(curve.times, [...candidates, group]);
    }
    group.rows.push(row);
    group.values.push(curve.values);
    while (identityRows.length < group.rows.length) identityRows.push(identityRows.length);
    if (blended.length < 4 * identityRows.length) blended = new Float64Array(8 * identityRows.length);
    return true;
  }

  apply(pose: Pose, time: number, weight: number, mask: Float32Array | null): void {
    for (let g = 0; g < this.#groups.length; g++) {
      const group = this.#groups[g]!;
      const { times, channel } = group;
      const last = times.length - 1;
      let u = 0;
      if (time < times[0]!) group.key = 0;
      else if (time >= times[last]!) group.key = last;
      else {
        group.key = findKey(times, time, group.key);
        u = group.isStep ? 0 : (time - times[group.key]!) / (times[group.key + 1]! - times[group.key]!);
      }
      const isWhole = weight === 1 && (!mask || channel === 'weight' || channel === 'shown');
      if (isWhole && channel !== 'visible' && channel !== 'shown') sample(group, u, pose.column(channel), group.rows);
      else blendAll(group, pose, u, weight, mask);
    }
  }
}

/**
 * Evaluates the curves of a group and writes their values to the given rows of `to`. `u`: position
 * between the current key and the next, 0 to 1.
 */
function sample({ channel, values, key }: Group, u: number, to: Numbers, rows: readonly number[]): void {
  const size = CHANNEL_WIDTH[channel];
  const left = key * size;
  if (u === 0) copyAll(size, values, left, to, rows);
  else if (size === 4) slerpAll(values, left, u, to, rows);
  else if (size === 3) lerpAll(values, left, u, to, rows);
  else for (let i = 0; i < values.length; i++) to[rows[i]!] = values[i]![left]! + (values[i]![left + 1]! - values[i]![left]!) * u;
}

function copyAll(size: number, values: readonly Float32Array[], left: number, to: Numbers, rows: readonly number[]): void {
  for (let i = 0; i < values.length; i++) {
    const from = values[i]!;
    const at = rows[i]! * size;
    for (let c = 0; c < size; c++) to[at + c] = from[left + c]!;
  }
}

function lerpAll(values: readonly Float32Array[], left: number, u: number, to: Numbers, rows: readonly number[]): void {
  for (let i = 0; i < values.length; i++) {
    const from = values[i]!;
    const at = 3 * rows[i]!;
    const x = from[left]!;
    const y = from[left + 1]!;
    const z = from[left + 2]!;
    to[at] = x + (from[left + 3]! - x) * u;
    to[at + 1] = y + (from[left + 4]! - y) * u;
    to[at + 2] = z + (from[left + 5]! - z) * u;
  }
}

/**
 * Evaluates rotation curves by slerp. The usual case, in which consecutive keys are nearly equal,
 * is inlined.
 */
function slerpAll(values: readonly Float32Array[], left: number, u: number, to: Numbers, rows: readonly number[]): void {
  for (let i = 0; i < values.length; i++) {
    const from = values[i]!;
    const at = 4 * rows[i]!;
    const x0 = from[left]!;
    const y0 = from[left + 1]!;
    const z0 = from[left + 2]!;
    const w0 = from[left + 3]!;
    const x1 = from[left + 4]!;
    const y1 = from[left + 5]!;
    const z1 = from[left + 6]!;
    const w1 = from[left + 7]!;
    const isSame = x0 === x1 && y0 === y1 && z0 === z1 && w0 === w1;
    if (isSame || !(x0 * x1 + y0 * y1 + z0 * z1 + w0 * w1 >= ALMOST_EQUAL)) {
      slerp(to, at, from, left, from, left + 4, u);
      continue;
    }
    const x = x0 * (1 - u) + x1 * u;
    const y = y0 * (1 - u) + y1 * u;
    const z = z0 * (1 - u) + z1 * u;
    const w = w0 * (1 - u) + w1 * u;
    const factor = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    to[at] = x * factor;
    to[at + 1] = y * factor;
    to[at + 2] = z * factor;
    to[at + 3] = w * factor;
  }
}

function blendAll(group: Group, pose: Pose, u: number, weight: number, mask: Float32Array | null): void {
  const { channel, rows } = group;
  const size = CHANNEL_WIDTH[channel];
  const column = pose.column(channel);
  const isMasked = mask !== null && channel !== 'weight' && channel !== 'shown';
  sample(group, u, blended, identityRows);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const share = isMasked ? weight * (mask[channel === 'property' ? pose.shape.properties[row]!.node : row] ?? 1) : weight;
    if (share !== 0) blend(channel, column, row * size, blended, i * size, share);
  }
}
