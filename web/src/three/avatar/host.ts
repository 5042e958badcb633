// The solvers of the pose engine on three's objects, which a mixer, an engine or the page poses.
import type { Group, Object3D } from 'three';
import { Animator, type Solver } from '../../rig/animator.ts';
import type { Channel, Pose, PoseShape } from '../../rig/pose.ts';
import type { WorldMatrices } from '../../rig/world.ts';
import { PoseWriter } from '../animation/apply.ts';
import type { Built } from '../build/build.ts';

const WEIGHTS: readonly Channel[] = ['weight'];
const ALL: readonly Channel[] = ['translation', 'rotation', 'scale', 'visible', 'weight'];

/**
 * Reads the objects into a pose, solves it and writes it back. A value that a solver wrote is not read again: solvers start from what something else has written there,
 * so that nothing adds up from frame to frame.
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

  /** `prepare` is called before each frame, in the order of these calls. */
  add(solver: Solver, prepare?: () => void): void {
    this.#animator.add(solver);
    if (prepare) this.#prepare.push(prepare);
    if (solver.stage !== 'expressions') this.#channels = ALL;
  }

  /** Advances the solvers, after everything else has posed the objects in this frame. */
  update(seconds: number): void {
    const { base } = this.#animator;
    for (const prepare of this.#prepare) prepare();
    this.#writer.readChanges(base, this.#channels);
    this.#writer.write(this.#animator.evaluate(seconds), this.#channels);
  }

  /** Runs a solver for morph weights alone and shows the result at once. */
  show(solver: { solve(pose: Pose): void }): void {
    const { base, pose } = this.#animator;
    this.#writer.readChanges(base, WEIGHTS);
    pose.weights.set(base.weights);
    solver.solve(pose);
    this.#writer.write(pose, WEIGHTS);
  }

  /** Puts the objects back to the pose without the solvers, and calls back with it. */
  restart(from: (pose: Pose, world: WorldMatrices) => void): void {
    const { base, pose, world } = this.#animator;
    for (const prepare of this.#prepare) prepare();
    this.#writer.readChanges(base, this.#channels);
    pose.copy(base);
    from(pose, world);
    this.#writer.write(pose, this.#channels);
  }
}
