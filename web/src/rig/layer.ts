// A layer plays one clip on a pose, with a weight and a mask.
//
// Absolute curves replace a value; components without a curve get their rest values. Then additive
// curves change the value (stack.ts), even if it comes from a lower layer.
import { numberAt } from '../core/math/column.ts';
import type { BoundTrack } from '../core/bind.ts';
import { CurveCursor } from './curve.ts';
import { curvePart, groupByValue, isAdditiveTrack } from './curveGroups.ts';
import { PlainGroups } from './plain.ts';
import { blend, blendPoses, type Channel, CHANNEL_WIDTH, Pose, type PoseShape } from './pose.ts';
import { addDifference, JOINS, StackCursor } from './stack.ts';

/** Curves of one animated value that `PlainGroups` can't evaluate. */
interface DrivenValue {
  channel: Channel;
  row: number;
  /** Row of the node whose mask weight applies to this value; -1 for values without a node. */
  node: number;
  /** Absolute curves in file order. If several animate the same component, the last one applies. */
  value: StackCursor | null;
  /** Additive curves in file order. */
  added: readonly { cursor: CurveCursor; component: number; weight: number }[];
}

export class Layer {
  /**
   * Playback time in seconds since frame 0 of the clip. It is rounded to float32, as key times are,
   * so that a stepped key at k / 30 takes effect exactly at k / 30.
   */
  time = 0;
  /**
   * Weight of the layer, 0 to 1. Absolute curves are blended over lower layers by this weight; the
   * differences of additive curves are multiplied by it.
   */
  weight = 1;
  /**
   * Mask: factors for `weight`, 0 to 1, one per node; null for no mask. The mask doesn't affect
   * morph targets and meshes.
   */
  mask: Float32Array | null = null;
  readonly #plain: PlainGroups;
  readonly #driven: DrivenValue[];
  #goal = 1;
  /** Change of the weight per second towards `#goal`; 0 if no fade is running. */
  #rate = 0;
  #fadingFrom: Layer | null = null;
  /** Scratch pose that the layer `#fadingFrom` is applied to. */
  #fadeSource: Pose | null = null;
  #fadeElapsed = 0;
  #fadeDuration = 0;

  constructor(shape: PoseShape, tracks: Iterable<BoundTrack>) {
    const groups = groupByValue(
      tracks,
      track => targetsOf(shape, track),
      ({ channel, row }) => `${channel} ${row}`,
    );
    this.#plain = new PlainGroups();
    this.#driven = groups.flatMap(({ target, tracks: curves }): DrivenValue[] => {
      const { channel, row } = target;
      const width = CHANNEL_WIDTH[channel];
      const parts = curves.filter(track => !isAdditiveTrack(track)).map(track => curvePart(track, width));
      const [first] = parts;
      if (first && curves.length === 1 && this.#plain.add(channel, row, first)) return [];
      const value = first ? new StackCursor({ parts, rest: restOf(shape, channel, row), isRotation: channel === 'rotation' }) : null;
      const added = curves.filter(isAdditiveTrack).map(track => {
        const { curve, component } = curvePart(track, width);
        return { cursor: new CurveCursor(curve), component, weight: track.blendWeight };
      });
      return [{ ...target, value, added }];
    });
  }

  /**
   * Starts to fade the layer's weight linearly to `weight` over `seconds`. Call `advance` in every
   * frame while the fade is running.
   */
  fadeTo(weight: number, seconds: number): void {
    this.#goal = weight;
    this.#rate = Math.abs(weight - this.weight) / seconds;
    if (!(this.#rate < Infinity)) this.weight = weight;
    if (!(this.#rate > 0 && this.#rate < Infinity)) this.#rate = 0;
  }

  /**
   * Starts a cross-fade from another layer (see `Animator.crossFade`). If `from` is fading from
   * this layer, that fade is reversed from its current progress.
   */
  crossFadeFrom(from: Layer, seconds: number, shape: PoseShape): void {
    if (from === this) return;
    const isReversed = from.#fadingFrom === this;
    const share = isReversed ? 1 - from.fadeProgress : 0;
    // Prevent cycles: a layer must not fade from itself through other layers.
    for (let layer: Layer | null = from; layer; layer = layer.#fadingFrom) if (layer.#fadingFrom === this) layer.#fadingFrom = null;
    this.#fadingFrom = seconds > 0 ? from : null;
    this.#fadeSource ??= new Pose(shape);
    this.#fadeElapsed = share * seconds;
    this.#fadeDuration = seconds;
  }

  /** Progress of the cross-fade, 0 to 1; 1 if no cross-fade is running. */
  get fadeProgress(): number {
    return this.#fadingFrom ? this.#fadeElapsed / this.#fadeDuration : 1;
  }

  /** Advances fades by `seconds`. Doesn't change `time`, which the caller sets. */
  advance(seconds: number): void {
    if (this.#rate > 0) {
      const left = this.#goal - this.weight;
      const step = this.#rate * Math.max(seconds, 0);
      this.weight = Math.abs(left) <= step ? this.#goal : this.weight + Math.sign(left) * step;
      if (this.weight === this.#goal) this.#rate = 0;
    }
    if (!this.#fadingFrom) return;
    this.#fadingFrom.advance(seconds);
    this.#fadeElapsed += Math.max(seconds, 0);
    if (this.#fadeElapsed >= this.#fadeDuration) this.#fadingFrom = null;
  }

  /** Blends the clip at `time` into the pose. Allocates nothing. */
  apply(pose: Pose): void {
    if (!this.#fadingFrom || !this.#fadeSource) return this.#apply(pose);
    this.#fadeSource.copy(pose);
    this.#fadingFrom.apply(this.#fadeSource);
    this.#apply(pose);
    blendPoses(pose, this.#fadeSource, 1 - this.fadeProgress);
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

function evaluate({ channel, row, value, added }: DrivenValue, pose: Pose, time: number, weight: number): void {
  const column = pose.column(channel);
  const at = CHANNEL_WIDTH[channel] * row;
  if (value) {
    value.evaluate(time, own);
    blend(channel, column, at, own, 0, weight);
  }
  if (channel === 'visible' || channel === 'shown') return; // visibility has no additive curves
  for (const { cursor, component, weight: share } of added)
    addDifference(cursor, component, JOINS[channel], weight * share, time, column, at);
}

function restOf({ scene: { nodes }, properties }: PoseShape, channel: Channel, row: number): number[] {
  if (channel === 'translation') return [...nodes.translations.subarray(3 * row, 3 * row + 3)];
  if (channel === 'rotation') return [...nodes.rotations.subarray(4 * row, 4 * row + 4)];
  if (channel === 'scale') return [...nodes.scales.subarray(3 * row, 3 * row + 3)];
  return [channel === 'property' ? (properties[row]?.rest ?? 0) : 0]; // a curve sets the only component, so its rest value has no effect
}
