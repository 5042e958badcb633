// Entry point of the pose engine: evaluates layers on a pose, then runs solvers.
import type { Layer } from './layer.ts';
import { Pose, type PoseShape } from './pose.ts';
import { WorldMatrices } from './world.ts';

/**
 * Stages of solvers, in the order in which they run after the layers. Solvers of one stage run in
 * the order in which they were added.
 */
export const SOLVER_ORDER = ['lookAt', 'blink', 'expressions', 'constraints', 'ik', 'springs', 'particles'] as const;
export type SolverStage = (typeof SOLVER_ORDER)[number];

export interface Solver {
  readonly stage: SolverStage;
  /**
   * Changes the pose. `pose` holds the result of the layers and of the solvers that ran earlier in
   * this frame; changes by this solver in previous frames are not included. `seconds`: time since
   * the last call.
   */
  solve(pose: Pose, world: WorldMatrices, seconds: number): void;
}

export class Animator {
  readonly shape: PoseShape;
  readonly pose: Pose;
  /** Pose to which the layers are applied. Initially the rest pose; the caller may change it. */
  readonly base: Pose;
  readonly world: WorldMatrices;
  /** Layers from bottom to top. */
  readonly layers: Layer[] = [];
  readonly #solvers: Solver[] = [];

  constructor(shape: PoseShape) {
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
   * Cross-fades from one layer to another over `seconds` of the time passed to `evaluate`. `to`
   * replaces `from` in `layers`; if `from` is not in the list, `to` is added on top without a fade.
   * Keep setting the time of `from` until the fade ends.
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
   * Evaluates the layers at their times and advances fades and solvers by `seconds`. World matrices
   * are not updated; call `world.update` before you read them.
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
