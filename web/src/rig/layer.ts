// A layer plays one clip on a pose: its bound curves, grouped by value, with a weight and a mask.
//
// Absolute curves set a value; components without a curve keep the rest value. Additive curves then
// change the value (stack.ts), whether this layer or a lower one has set it.
import { numberAt } from '../core/math/column.ts';
import type { BoundTrack } from '../core/bind.ts';
import { CurveCursor } from './curve.ts';
import { curvePart, groupByValue, isAdditiveTrack } from './curveGroups.ts';
import { PlainGroups } from './plain.ts';
import { blend, blendPoses, type Channel, CHANNEL_WIDTH, Pose, type PoseShape } from './pose.ts';
import { addDifference, JOINS, StackCursor } from './stack.ts';

/** The curves of one value that need more than `PlainGroups`. */
interface Driven {
  channel: Channel;
  row: number;
  /** Row of the node whose mask applies; -1 if no mask does. */
  node: number;
  /** Absolute curves, in the order of the file: of several for one component the last counts. */
  value: StackCursor | null;
  /** Additive curves, in the order of the file. */
  added: readonly { cursor: CurveCursor; component: number; weight: number }[];
}

export class Layer {
  /**
   * Seconds since frame 0 of the clip. Rounded to float32 like key times, so that a stepped key at
   * k / 30 takes effect at k / 30.
   */
  time = 0;
  /**
   * Opacity over the lower layers for absolute curves, share of the difference for additive ones; 0
   * to 1.
   */
  weight = 1;
  /**
   * Factor for `weight`, 0 to 1, per node; null if there is no mask. Doesn't affect morph targets
   * and meshes.
   */
  mask: Float32Array | null = null;
  readonly #plain: PlainGroups;
  readonly #driven: Driven[];
  #goal = 1;
  /** Change of the weight per second, towards `#goal`; 0 if the weight doesn't change. */
  #rate = 0;
  #from: Layer | null = null;
  /** The pose with the layer that this one is cross-fading from. */
  #before: Pose | null = null;
  #taken = 0;
  #takes = 0;

  constructor(shape: PoseShape, tracks: Iterable<BoundTrack>) {
    const groups = groupByValue(
      tracks,
      track => targetsOf(shape, track),
      ({ channel, row }) => `${channel} ${row}`,
    );
    this.#plain = new PlainGroups();
    this.#driven = groups.flatMap(({ target, tracks: curves }): Driven[] => {
      const { channel, row } = target;
      const width = CHANNEL_WIDTH[channel];
      const parts = curves.filter(track => !isAdditiveTrack(track)).map(track => curvePart(track, width));
      const [first] = parts;
      if (first && curves.length === 1 && this.#plain.take(channel, row, first)) return [];
      const value = first ? new StackCursor({ parts, rest: restOf(shape, channel, row), isRotation: channel === 'rotation' }) : null;
      const added = curves.filter(isAdditiveTrack).map(track => {
        const { curve, component } = curvePart(track, width);
        return { cursor: new CurveCursor(curve), component, weight: track.blendWeight };
      });
      return [{ ...target, value, added }];
    });
  }

  /** Changes the weight linearly within `seconds`. `advance` moves the fade on. */
  fadeTo(weight: number, seconds: number): void {
    this.#goal = weight;
    this.#rate = Math.abs(weight - this.weight) / seconds;
    if (!(this.#rate < Infinity)) this.weight = weight;
    if (!(this.#rate > 0 && this.#rate < Infinity)) this.#rate = 0;
  }

  /**
   * Starts a cross-fade from another layer (`Animator.crossFade`). A cross-fade in the opposite
   * direction is reversed at its current state.
   */
  takeOver(from: Layer, seconds: number, shape: PoseShape): void {
    if (from === this) return;
    const isTurning = from.#from === this;
    const share = isTurning ? 1 - from.taken : 0;
    // A layer must not fade from itself, not even through other layers.
    for (let layer: Layer | null = from; layer; layer = layer.#from) if (layer.#from === this) layer.#from = null;
    this.#from = seconds > 0 ? from : null;
    this.#before ??= new Pose(shape);
    this.#taken = share * seconds;
    this.#takes = seconds;
  }

  /** Progress of the cross-fade, 0 to 1; 1 if there is none. */
  get taken(): number {
    return this.#from ? this.#taken / this.#takes : 1;
  }

  /** Advances fades. The caller sets `time`. */
  advance(seconds: number): void {
    if (this.#rate > 0) {
      const left = this.#goal - this.weight;
      const step = this.#rate * Math.max(seconds, 0);
      this.weight = Math.abs(left) <= step ? this.#goal : this.weight + Math.sign(left) * step;
      if (this.weight === this.#goal) this.#rate = 0;
    }
    if (!this.#from) return;
    this.#from.advance(seconds);
    this.#taken += Math.max(seconds, 0);
    if (this.#taken >= this.#takes) this.#from = null;
  }

  /** Changes the pose. Allocates nothing. */
  apply(pose: Pose): void {
    if (!this.#from || !this.#before) return this.#apply(pose);
    this.#before.copy(pose);
    this.#from.apply(this.#before);
    this.#apply(pose);
    blendPoses(pose, this.#before, 1 - this.taken);
  }

  #apply(pose: Pose): void {
    const time = Math.fround(this.time);
    this.#plain.apply(pose, time, this.weight, this.mask);
    for (const driven of this.#driven) {
      const weight = driven.node >= 0 && this.mask ? this.weight * numberAt(this.mask, driven.node) : this.weight;
      if (weight !== 0) evaluate(driven, pose, time, weight);
    }
  }
}

function targetsOf(shape: PoseShape, track: BoundTrack): { channel: Channel; row: number; node: number }[] {
  const { path, node, renderers, morph } = track;
  if (path === 'weight')
    return renderers.flatMap(r => {
      const row = shape.weightRow(r, morph);
      return row < 0 ? [] : [{ channel: 'weight' as const, row, node: -1 }];
    });
  if (path === 'material')
    return renderers.map(r => ({ channel: 'property', row: shape.propertyRow(-1, morph, track.values[0] ?? 0, r), node: -1 }));
  if (path === 'shown' || (path === 'visible' && node < 0)) return renderers.map(row => ({ channel: 'shown', row, node: -1 }));
  if (node < 0) return [];
  if (path === 'property') return [{ channel: path, row: shape.propertyRow(node, morph, track.values[0] ?? 0), node }];
  return [{ channel: path, row: node, node }];
}

const own = new Float64Array(4);

function evaluate({ channel, row, value, added }: Driven, pose: Pose, time: number, weight: number): void {
  const column = pose.column(channel);
  const at = CHANNEL_WIDTH[channel] * row;
  if (value) {
    value.evaluate(time, own);
    blend(channel, column, at, own, 0, weight);
  }
  if (channel === 'visible' || channel === 'shown') return; // nothing is half visible
  for (const { cursor, component, weight: share } of added)
    addDifference(cursor, component, JOINS[channel], weight * share, time, column, at);
}

function restOf({ scene: { nodes }, properties }: PoseShape, channel: Channel, row: number): number[] {
  if (channel === 'translation') return [...nodes.translations.subarray(3 * row, 3 * row + 3)];
  if (channel === 'rotation') return [...nodes.rotations.subarray(4 * row, 4 * row + 4)];
  if (channel === 'scale') return [...nodes.scales.subarray(3 * row, 3 * row + 3)];
  return [channel === 'property' ? (properties[row]?.rest ?? 0) : 0]; // one curve is the whole of a single number
}
