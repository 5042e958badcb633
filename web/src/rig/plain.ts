// Most curves are plain: a whole value, straight or stepped between keys, held outside. Those that share their key times are evaluated together,
// with one search for all of them: 128 bones of a PSA, or of a Cast file, are one group per channel.
import { findKey, uniformKind } from './curve.ts';
import { blend, type Channel, CHANNEL_WIDTH, CHANNELS, type Pose } from './pose.ts';
import { slerp } from './quaternion.ts';
import type { CurvePart } from './stack.ts';

interface Group {
  channel: Channel;
  isStep: boolean;
  times: Float32Array;
  rows: number[];
  values: Float32Array[];
  /** The key that was last found. */
  key: number;
}

const value = new Float64Array(4);

export class PlainGroups {
  readonly #groups: Group[] = [];
  readonly #byTimes = new Map<Float32Array, Group[]>();

  /** Takes a curve if it is plain. */
  take(channel: Channel, row: number, { curve }: CurvePart): boolean {
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
      if (isWhole && channel !== 'visible' && channel !== 'shown') writeAll(group, pose, u);
      else blendAll(group, pose, u, weight, mask);
    }
  }
}

function writeAll({ channel, rows, values, key }: Group, pose: Pose, u: number): void {
  const size = CHANNEL_WIDTH[channel];
  const column = pose.columns[CHANNELS.indexOf(channel)]!;
  const left = key * size;
  const right = left + size;
  for (let i = 0; i < rows.length; i++) {
    const at = rows[i]! * size;
    const from = values[i]!;
    if (u === 0) for (let c = 0; c < size; c++) column[at + c] = from[left + c]!;
    else if (size === 4) slerp(column, at, from, left, from, right, u);
    else for (let c = 0; c < size; c++) column[at + c] = from[left + c]! + (from[right + c]! - from[left + c]!) * u;
  }
}

function blendAll({ channel, rows, values, key }: Group, pose: Pose, u: number, weight: number, mask: Float32Array | null): void {
  const size = CHANNEL_WIDTH[channel];
  const column = pose.columns[CHANNELS.indexOf(channel)]!;
  const left = key * size;
  const right = left + size;
  const isMasked = mask !== null && channel !== 'weight' && channel !== 'shown';
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const from = values[i]!;
    const share = isMasked ? weight * (mask[channel === 'property' ? pose.shape.properties[row]!.node : row] ?? 1) : weight;
    if (share === 0) continue;
    if (u !== 0 && size === 4) slerp(value, 0, from, left, from, right, u);
    else for (let c = 0; c < size; c++) value[c] = u === 0 ? from[left + c]! : from[left + c]! + (from[right + c]! - from[left + c]!) * u;
    blend(channel, column, row * size, value, 0, share);
  }
}
