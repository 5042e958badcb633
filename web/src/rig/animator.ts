// Entry point of the pose engine: applies layers to a pose, then runs solvers.
import type { RigScene } from '../core/types.ts';
import type { Layer } from './layer.ts';
import { Pose, PoseShape } from './pose.ts';
import { WorldMatrices } from './world.ts';

/**
 * Stages of solvers, in the order in which they run after the layers. Solvers of the same stage run
 * in the order in which they were added.
 *
 * @experimental
 */
export const SOLVER_ORDER = ['lookAt', 'blink', 'expressions', 'constraints', 'ik', 'springs', 'particles'] as const;
/**
 * Stage of a solver, which determines when it runs.
 *
 * @experimental
 */
export type SolverStage = (typeof SOLVER_ORDER)[number];

/**
 * Changes the pose of an animator in each frame, after the layers.
 *
 * @experimental
 */
export interface Solver {
  readonly stage: SolverStage;
  /**
   * Changes the pose. `pose`: result of the layers and of the solvers that ran earlier in this
   * frame. It doesn't include changes that this solver made in previous frames. `world`: world
   * matrices, which may be outdated; call `world.update(pose)` before you read them. `seconds`: time
   * since the last call.
   */
  solve(pose: Pose, world: WorldMatrices, seconds: number): void;
}

/**
 * Plays layers on the pose of a model without three.js: `animator.layers.push(new
 * Layer(animator.shape, bind(clip, scene).tracks))`, and `animator.evaluate(seconds)` in each frame.
 *
 * @example
 * ```ts
 * import { open } from 'rigcast';
 * import { Animator, bind, Layer } from 'rigcast/rig';
 *
 * const [model, animation] = await Promise.all([open('hero.psk'), open('run.psa')]);
 * const animator = new Animator(model.scene!);
 * animator.layers.push(new Layer(animator.shape, bind(animation.scene!.clips[0]!, model.scene!).tracks));
 * animator.evaluate(1 / 60); // seconds since the last frame
 * console.log(animator.pose);
 * ```
 */
export class Animator {
  /** Layout of the poses of the model, which layers and solvers need. */
  readonly shape: PoseShape;
  /** Result of the last call of `evaluate`. */
  readonly pose: Pose;
  /** Pose to which the layers are applied. It is the rest pose at first; you may change it. */
  readonly base: Pose;
  readonly world: WorldMatrices;
  /** Layers that are applied to `base`, from bottom to top. */
  readonly layers: Layer[] = [];
  readonly #solvers: Solver[] = [];

  /** `model`: scene of the model, or the `shape` of another animator of the same model. */
  constructor(model: RigScene | PoseShape) {
    const shape = model instanceof PoseShape ? model : new PoseShape(model);
    this.shape = shape;
    this.pose = new Pose(shape);
    this.base = new Pose(shape);
    this.world = new WorldMatrices(shape);
  }

  get solvers(): readonly Solver[] {
    return this.#solvers;
  }

  add(solver: Solver): void {
    const rank = ({ stage }: Solver): number => SOLVER_ORDER.indexOf(stage);
    const at = this.#solvers.findIndex(other => rank(other) > rank(solver));
    this.#solvers.splice(at < 0 ? this.#solvers.length : at, 0, solver);
  }

  remove(solver: Solver): void {
    const at = this.#solvers.indexOf(solver);
    if (at >= 0) this.#solvers.splice(at, 1);
  }

  /**
   * Cross-fades from one layer to another. `to` replaces `from` in `layers`; if `from` is not in
   * the list, `to` is added on top without a fade. `seconds`: duration of the fade, measured by the
   * time passed to `evaluate`. Keep setting the time of `from` until the fade ends.
   */
  crossFade(from: Layer, to: Layer, seconds: number): void {
    const at = this.layers.indexOf(from);
    if (this.layers.includes(to)) this.layers.splice(this.layers.indexOf(to), 1);
    if (at < 0) this.layers.push(to);
    else {
      this.layers.splice(this.layers.indexOf(from), 1, to);
      to.crossFadeFrom(from, seconds, this.shape);
    }
  }

  /**
   * Evaluates each layer at its `time`, advances fades and solvers by `seconds`, and returns the
   * pose. World matrices are not updated; call `world.update` before you read them.
   */
  evaluate(seconds = 0): Pose {
    this.pose.copy(this.base);
    for (const layer of this.layers) {
      layer.advance(seconds);
      layer.apply(this.pose);
    }
    for (const solver of this.#solvers) solver.solve(this.pose, this.world, seconds);
    return this.pose;
  }
}
