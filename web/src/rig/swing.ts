// Spring bones on a pose, for what plays without three.js: the author's rules (springs.ts) in the space of the scene. three's objects have their own
// (three/springs.ts), which feel the page moving them as well.
import { type Numbers } from '../core/math/vector.ts';
import type { Solver } from './animator.ts';
import { lengthsOf, pointOf, positionOf, rotationOf } from './frame.ts';
import { Pose, type PoseShape } from './pose.ts';
import { springRowsOf, type SpringRows, type SpringSphere } from './springRows.ts';
import { SPRING_STEP, type SpringHost, SpringSolver } from './springs.ts';
import { Steps } from './steps.ts';
import { WorldMatrices } from './world.ts';

export class Springs implements Solver, SpringHost {
  readonly stage = 'springs';
  readonly #bones: Int32Array;
  readonly #spheres: SpringSphere[];
  readonly #solver: SpringSolver;
  /** By bone, 4 numbers each: how the springs have turned it, and how the layers had when it was solved last. */
  readonly #held: Float64Array;
  readonly #given: Float64Array;
  #pose: Pose;
  #world: WorldMatrices;
  readonly #steps = new Steps(SPRING_STEP);

  /** Null where the file has none that could move. */
  static of(shape: PoseShape): Springs | null {
    const rows = springRowsOf(shape.scene);
    return rows.some(({ chains }) => chains.length) ? new Springs(shape, rows) : null;
  }

  constructor(shape: PoseShape, rows: readonly SpringRows[]) {
    this.#pose = new Pose(shape);
    this.#world = new WorldMatrices(shape);
    this.#bones = Int32Array.from(rows.flatMap(({ chains }) => chains.flat().map(({ row }) => row)));
    this.#spheres = rows.flatMap(({ colliders }) => colliders);
    this.#held = new Float64Array(4 * this.#bones.length);
    this.#given = new Float64Array(4 * this.#bones.length);
    for (let i = 0; i < this.#bones.length; i++)
      for (let c = 0; c < 4; c++) this.#held[4 * i + c] = this.#given[4 * i + c] = this.#pose.rotations[4 * this.#bones[i]! + c]!;
    let sphere = 0;
    const { translations } = shape.scene.nodes;
    const groups = rows.map(({ settings, gravity, colliders, chains }) => ({
      settings,
      gravity,
      colliders: colliders.map(() => sphere++),
      chains: chains.map(chain =>
        chain.map(({ row, child }) => ({ row, tail: [...translations.subarray(3 * child, 3 * child + 3)] as [number, number, number] })),
      ),
    }));
    this.#solver = new SpringSolver(this, groups);
  }

  /** After a jump: the bones hang where the pose has them, without a swing. */
  reset(pose: Pose, world: WorldMatrices): void {
    this.#pose = pose;
    this.#world = world;
    this.#steps.reset();
    world.touch(0);
    this.#solver.reset();
    this.#take(true);
  }

  solve(pose: Pose, world: WorldMatrices, seconds: number): void {
    this.#pose = pose;
    this.#world = world;
    this.#take(false);
    world.touch(0);
    const steps = this.#steps.take(seconds);
    for (let i = 0; i < steps; i++) this.#solver.step();
    for (let i = 0; i < this.#bones.length; i++)
      for (let c = 0; c < 4; c++) this.#held[4 * i + c] = pose.rotations[4 * this.#bones[i]! + c]!;
  }

  /** A bone goes on from where the springs left it, unless a motion has turned it since. */
  #take(isAll: boolean): void {
    const { rotations } = this.#pose;
    for (let i = 0; i < this.#bones.length; i++) {
      const at = 4 * this.#bones[i]!;
      let isMoved = isAll;
      for (let c = 0; c < 4; c++) isMoved ||= rotations[at + c] !== this.#given[4 * i + c];
      for (let c = 0; c < 4; c++) {
        this.#given[4 * i + c] = rotations[at + c]!;
        if (isMoved) this.#held[4 * i + c] = rotations[at + c]!;
        else rotations[at + c] = this.#held[4 * i + c]!;
      }
    }
  }

  read(row: number, head: Numbers, parent: Numbers, local: Numbers): void {
    const { scene } = this.#pose.shape;
    const above = scene.nodes.parents[row]!;
    this.#world.reach(this.#pose, row);
    positionOf(this.#world.matrices, row, head);
    if (above >= 0) rotationOf(this.#world.matrices, above, this.#pose.scales, parent);
    else for (let c = 0; c < 4; c++) parent[c] = c === 3 ? 1 : 0;
    for (let c = 0; c < 4; c++) local[c] = this.#pose.rotations[4 * row + c]!;
  }

  place(row: number, local: Numbers): void {
    for (let c = 0; c < 4; c++) this.#pose.rotations[4 * row + c] = local[c]!;
    this.#world.touch(row);
  }

  toWorld(row: number, point: readonly [number, number, number], to: Numbers): void {
    this.#world.reach(this.#pose, row);
    pointOf(this.#world.matrices, row, point as unknown as Numbers, to);
  }

  collider(index: number, to: Numbers): void {
    const { row, offset, radius } = this.#spheres[index]!;
    this.#world.reach(this.#pose, row);
    pointOf(this.#world.matrices, row, offset, to);
    lengthsOf(this.#world.matrices, row, lengths);
    to[3] = radius * Math.max(lengths[0]!, lengths[1]!, lengths[2]!);
  }
}

const lengths = new Float64Array(3);
