// Samples corrected local transforms (correctedLocals.ts) of animated poses within a tolerance.
import type { BoundTrack } from '../../core/bind.ts';
import { CurveCursor } from '../../rig/curve.ts';
import { Layer } from '../../rig/layer.ts';
import { Pose, type PoseShape } from '../../rig/pose.ts';
import { bake, type Baked, pointsOf, type Sampler } from '../../rig/sampler.ts';
import { WorldMatrices } from '../../rig/world.ts';
import { errorMeasure } from '../common/bakeValue.ts';
import type { Budget } from '../common/budget.ts';
import type { Value } from '../common/driven.ts';
import type { LocalTransform } from '../common/localTransform.ts';
import { largestGap, type NodeExtents } from '../common/nodeExtents.ts';
import { CorrectedLocals } from './correctedLocals.ts';

interface Corrected {
  channels: (Pick<Value, 'path' | 'row'> & Baked)[];
  /**
   * Largest errors at the skin, in metres. `error`: error due to sampling. `gap`: error due to
   * shear, which glTF cannot store.
   */
  error: number;
  gap: number;
  /** True if keys were left out because they would have exceeded the work budget. */
  isCut: boolean;
}

/** Bytes that an evaluated pose takes from the work budget, per node. */
const PER_NODE = 40;

/** Offset and width of translation, rotation and scale within a local transform. */
const PARTS = [
  { path: 'translation', at: 0, width: 3 },
  { path: 'rotation', at: 3, width: 4 },
  { path: 'scale', at: 7, width: 3 },
] as const;

/**
 * Samples the corrected local transforms of the nodes in `rows` from time 0 to `end`, in seconds.
 */
export function bakeCorrected(
  shape: PoseShape,
  extents: NodeExtents,
  tracks: readonly BoundTrack[],
  { rows, split }: { rows: ReadonlySet<number>; split: ReadonlySet<number> },
  end: number,
  tolerance: number,
  budget: Budget,
): Corrected {
  const sampler = new LocalSampler(shape, tracks, rows, split, budget);
  const points = pointsOf(tracks, end);
  const gap = points.reduce((most, time) => Math.max(most, sampler.gap(time, extents)), 0);
  // The errors of nested bones add up. If the measured sum is too large, the bones are sampled
  // again with a smaller tolerance.
  let share = tolerance / Math.min(Math.max(3 * rows.size, 1), 8);
  let best: Corrected | null = null;
  for (let round = 1; ; round++) {
    const before = budget.spent;
    const channels: Corrected['channels'] = [];
    for (const row of rows)
      for (const { path, at, width } of PARTS) {
        const sample: Sampler['sample'] = (time, result) => result.set(sampler.local(row, time).subarray(at, at + width));
        channels.push({ path, row, ...bake({ width, sample, ...errorMeasure(path, extents, row, []) }, points, share, budget) });
      }
    const error = sampler.error(channels, extents);
    const isCut = channels.some(channel => channel.isCut);
    if (!best || error < best.error) best = { channels, error, gap, isCut };
    if (error <= tolerance || round === ROUNDS) return best;
    // Stops if the bytes of this round are not available again, because the next round would use at
    // least as many.
    if (isCut || !budget.hasMore(budget.spent - before)) return { ...best, isCut: true };
    share *= (0.7 * tolerance) / error;
  }
}

const ROUNDS = 3;

/** Maximum number of times at which the error is measured. */
const MAX_SAMPLES = 500;

/** Evaluates corrected local transforms at any time and caches the results. */
class LocalSampler {
  readonly #layer: Layer;
  readonly #pose: Pose;
  readonly #base: Pose;
  readonly #world: WorldMatrices;
  readonly #locals: CorrectedLocals;
  readonly #places: Map<number, number>;
  readonly #known = new Map<number, Float64Array>();
  readonly #budget: Budget;

  constructor(shape: PoseShape, tracks: readonly BoundTrack[], rows: ReadonlySet<number>, split: ReadonlySet<number>, budget: Budget) {
    this.#budget = budget;
    this.#layer = new Layer(shape, tracks);
    this.#pose = new Pose(shape);
    this.#base = new Pose(shape);
    this.#world = new WorldMatrices(shape);
    this.#locals = new CorrectedLocals(shape.scene, rows, split);
    this.#places = new Map(Array.from(rows, (row, i) => [row, i]));
  }

  local(row: number, time: number): LocalTransform {
    let locals = this.#known.get(time);
    if (!locals) this.#known.set(time, (locals = this.#evaluate(time).slice()));
    const at = 10 * this.#places.get(row)!;
    return locals.subarray(at, at + 10);
  }

  /** Returns the error at the skin, in metres, that remains even if there is a key at `time`. */
  gap(time: number, extents: NodeExtents): number {
    this.#evaluate(time);
    return largestGap(extents, this.#world.matrices, this.#locals.matrices);
  }

  /** Returns the largest error of sampled channels at the skin, in metres. */
  error(channels: Corrected['channels'], extents: NodeExtents): number {
    const cursors = channels.map(({ path, row, times, values }) => {
      const part = PARTS.find(each => each.path === path) ?? PARTS[0];
      const at = 10 * this.#places.get(row)! + part.at;
      const interpolation = path === 'rotation' ? 'slerp' : 'linear';
      return { at, cursor: new CurveCursor({ times, values, width: part.width, interpolation, before: 'hold', after: 'hold' }) };
    });
    const keys = [...new Set(channels.flatMap(({ times }) => Array.from(times)))].sort((a, b) => a - b);
    const step = Math.ceil(keys.length / MAX_SAMPLES);
    let most = 0;
    // Errors are measured at and halfway between the keys of all channels, because each channel has
    // its own key times.
    const moments = keys.flatMap((key, i) => (i % step === 0 ? [key, Math.fround((key + (keys[i + 1] ?? key)) / 2)] : []));
    for (const time of moments) {
      this.#evaluate(time);
      const exact = this.#locals.matrices.slice();
      for (const { at, cursor } of cursors) cursor.evaluate(time, this.#locals.locals, at);
      this.#locals.place(this.#pose);
      most = Math.max(most, largestGap(extents, exact, this.#locals.matrices));
    }
    return most;
  }

  #evaluate(time: number): Float64Array {
    this.#budget.spend(PER_NODE * this.#pose.visible.length + this.#locals.locals.byteLength);
    this.#pose.copy(this.#base);
    this.#layer.time = time;
    this.#layer.apply(this.#pose);
    this.#world.update(this.#pose);
    this.#locals.update(this.#pose, this.#world.matrices);
    return this.#locals.locals;
  }
}
