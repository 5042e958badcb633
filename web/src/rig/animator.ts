// Layers and solvers on one pose: the one entry for what plays.
import type { Layer } from './layer.ts';
import { Pose, type PoseShape } from './pose.ts';
import { WorldMatrices } from './world.ts';

/** When a solver runs: after the layers, in this order. Solvers of one stage run as they were added. */
export const SOLVER_ORDER = ['lookAt', 'blink', 'expressions', 'constraints', 'ik', 'springs', 'particles'] as const;
export type SolverStage = (typeof SOLVER_ORDER)[number];

export interface Solver {
  readonly stage: SolverStage;
  /** Changes the pose, `seconds` after its last turn. It reads the same pose however often one moment is evaluated: layers run before it anew. */
  solve(pose: Pose, world: WorldMatrices, seconds: number): void;
}

export class Animator {
  readonly shape: PoseShape;
  readonly pose: Pose;
  /** Where layers begin: the rest pose, unless somebody writes another one into it. */
  readonly base: Pose;
  readonly world: WorldMatrices;
  /** From below to the top. */
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
   * Another layer takes the place of one on the stack, or the top where that is not on it, within `seconds` of evaluated time. On the way the pose goes evenly from one
   * to the other; the one that goes may be given new times until then.
   */
  crossFade(from: Layer, to: Layer, seconds: number): void {
    const at = this.layers.indexOf(from);
    if (this.layers.includes(to)) this.layers.splice(this.layers.indexOf(to), 1);
    if (at < 0) this.layers.push(to);
    else {
      this.layers.splice(this.layers.indexOf(from), 1, to);
      to.takeOver(from, seconds, this.shape);
    }
  }

  /** The pose at the layers' times; fades and solvers move on by `seconds`. World matrices are made when `world.update` is called. */
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
