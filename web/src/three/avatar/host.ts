// Applies solvers of the pose engine to three.js objects that are posed by a mixer, an animator or
// the page.
import type { Group, Object3D } from 'three';
import { Animator, type Solver } from '../../rig/animator.ts';
import type { Channel, Pose, PoseShape } from '../../rig/pose.ts';
import type { WorldMatrices } from '../../rig/world.ts';
import { PoseWriter } from '../animation/apply.ts';
import type { Built } from '../build/build.ts';

const WEIGHTS: readonly Channel[] = ['weight'];
const ALL: readonly Channel[] = ['translation', 'rotation', 'scale', 'visible', 'weight'];

/**
 * Copies the pose of the objects, runs the solvers on the copy, and writes the result back to the
 * objects. A value that the solvers have written is not read in the next frame, so that changes
 * don't accumulate: solvers always start from the last value that something else has written.
 */
export class ObjectHost {
  readonly shape: PoseShape;
  readonly group: Group;
  readonly nodes: readonly Object3D[];
  readonly #animator: Animator;
  readonly #writer: PoseWriter;
  readonly #prepare: (() => void)[] = [];
  #channels = WEIGHTS;

  constructor(shape: PoseShape, built: Built) {
    this.shape = shape;
    this.group = built.group;
    this.nodes = built.nodes;
    this.#animator = new Animator(shape);
    this.#writer = new PoseWriter(shape, built);
  }

  /**
   * Adds a solver. `prepare` is called before each frame, in the order in which solvers were added.
   */
  add(solver: Solver, prepare?: () => void): void {
    this.#animator.add(solver);
    if (prepare) this.#prepare.push(prepare);
    if (solver.stage !== 'expressions') this.#channels = ALL;
  }

  /** Advances the solvers. Call it after everything else has posed the objects. */
  update(seconds: number): void {
    const { base } = this.#animator;
    for (const prepare of this.#prepare) prepare();
    this.#writer.readChanges(base, this.#channels);
    this.#writer.write(this.#animator.evaluate(seconds), this.#channels);
  }

  /** Runs a single solver immediately, and writes the resulting morph weights. */
  show(solver: { solve(pose: Pose): void }): void {
    const { base, pose } = this.#animator;
    this.#writer.readChanges(base, WEIGHTS);
    pose.weights.set(base.weights);
    solver.solve(pose);
    this.#writer.write(pose, WEIGHTS);
  }

  /**
   * Restores the pose from before the solvers ran, calls `from` with this pose, and writes the
   * result.
   */
  restart(from: (pose: Pose, world: WorldMatrices) => void): void {
    const { base, pose, world } = this.#animator;
    for (const prepare of this.#prepare) prepare();
    this.#writer.readChanges(base, this.#channels);
    pose.copy(base);
    from(pose, world);
    this.#writer.write(pose, this.#channels);
  }
}
