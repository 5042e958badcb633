// A file's spring bones as a solver of a pose (springs.ts).
import { multiply, rotateVector } from '../core/math/quaternion.ts';
import { copyVector, type Numbers, vec3 } from '../core/math/vector.ts';
import type { Solver } from './animator.ts';
import { lengthsOf, pointOf, positionOf, rotationOf } from './frame.ts';
import { Pose, type PoseShape } from './pose.ts';
import { springRowsOf, type SpringRows, type SpringSphere } from './springRows.ts';
import { type SpringGroup, type SpringHost, type SpringRules, SPRING_STEP, SPRING_STEPS, SpringSolver } from './springs.ts';
import { Steps } from './steps.ts';
import { WorldMatrices } from './world.ts';

/** The difference of a rotation's dot product from 1 below which a bone is at rest. */
const STILL = 1e-9;

export class Springs implements Solver, SpringHost {
  readonly stage = 'springs';
  /** Rows of the bones that swing. */
  readonly bones: Int32Array;
  readonly #spheres: SpringSphere[];
  readonly #groups: SpringGroup[];
  readonly #gravities: readonly (readonly [number, number, number])[];
  readonly #solver: SpringSolver;
  /** Four numbers per bone: its rotation by the springs, and by the layers when it was solved last. */
  readonly #held: Float64Array;
  readonly #given: Float64Array;
  #pose: Pose;
  #world: WorldMatrices;
  #steps = stepsOf('unity');
  #isOn = true;
  #isMoving = true;
  /** The space of the scene in the world: its matrix, rotation and largest scale. Null: they are the same. */
  #place: { matrix: ArrayLike<number>; rotation: Float64Array; scale: number } | null = null;

  /** Null if the file has none that could move. */
  static of(shape: PoseShape): Springs | null {
    const rows = springRowsOf(shape.scene);
    return rows.some(({ chains }) => chains.length) ? new Springs(shape, rows) : null;
  }

  constructor(shape: PoseShape, rows: readonly SpringRows[]) {
    this.#pose = new Pose(shape);
    this.#world = new WorldMatrices(shape);
    this.bones = Int32Array.from(rows.flatMap(({ chains }) => chains.flat().map(({ row }) => row)));
    this.#spheres = rows.flatMap(({ colliders }) => colliders);
    this.#held = new Float64Array(4 * this.bones.length);
    this.#given = new Float64Array(4 * this.bones.length);
    for (let i = 0; i < this.bones.length; i++)
      for (let c = 0; c < 4; c++) this.#held[4 * i + c] = this.#given[4 * i + c] = this.#pose.rotations[4 * this.bones[i]! + c]!;
    let sphere = 0;
    const { translations, rotations } = shape.scene.nodes;
    this.#gravities = rows.map(({ gravity }) => gravity);
    this.#groups = rows.map(({ settings, gravity, colliders, chains }) => ({
      settings,
      gravity: [...gravity],
      colliders: colliders.map(() => sphere++),
      chains: chains.map(chain =>
        chain.map(({ row, child }) => ({
          row,
          tail: [...translations.subarray(3 * child, 3 * child + 3)] as [number, number, number],
          rest: [...rotations.subarray(4 * row, 4 * row + 4)],
        })),
      ),
    }));
    this.#solver = new SpringSolver(this, this.#groups);
  }

  /** The rules of the author's runtime, or VRM's. Call `reset` after a change. */
  get rules(): SpringRules {
    return this.#solver.rules;
  }

  set rules(rules: SpringRules) {
    this.#solver.rules = rules;
    this.#steps = stepsOf(rules);
  }

  /** Off: the bones keep the pose of the layers. Call `reset` after it was turned on. */
  get isOn(): boolean {
    return this.#isOn;
  }

  set isOn(isOn: boolean) {
    this.#isOn = this.#isMoving = isOn;
  }

  /** False if no bone has moved in the last step. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Sets the rotation from the axes of the file to those in which its gravity is meant. */
  turnGravity(turn: Numbers): void {
    for (let g = 0; g < this.#groups.length; g++) {
      const { gravity } = this.#groups[g]!;
      for (let c = 0; c < 3; c++) gravity[c] = this.#gravities[g]![c]!;
      rotateVector(gravity, 0, turn);
    }
  }

  /** Places the scene in a world, so that the springs feel how it is moved there: a matrix of 16 numbers, its rotation, and its largest scale. */
  placeScene(matrix: ArrayLike<number>, rotation: Numbers, scale: number): void {
    this.#place ??= { matrix, rotation: new Float64Array(4), scale };
    this.#place.matrix = matrix;
    this.#place.scale = scale;
    for (let c = 0; c < 4; c++) this.#place.rotation[c] = rotation[c]!;
  }

  /** Starts from the pose without a swing, after a jump. */
  reset(pose: Pose, world: WorldMatrices): void {
    this.#pose = pose;
    this.#world = world;
    this.#steps.reset();
    this.#isMoving = this.#isOn;
    world.touch(0);
    this.#solver.reset();
    this.#take(true);
  }

  solve(pose: Pose, world: WorldMatrices, seconds: number): void {
    if (!this.#isOn) return;
    this.#pose = pose;
    this.#world = world;
    this.#take(false);
    world.touch(0);
    const steps = this.#steps.take(seconds);
    for (let i = 0; i < steps; i++) this.#solver.step();
    if (steps > 0) this.#isMoving = false;
    for (let i = 0; i < this.bones.length; i++) {
      let dot = 0;
      for (let c = 0; c < 4; c++) {
        const now = pose.rotations[4 * this.bones[i]! + c]!;
        dot += now * this.#held[4 * i + c]!;
        this.#held[4 * i + c] = now;
      }
      this.#isMoving ||= Math.abs(dot) < 1 - STILL;
    }
  }

  /** Restores the rotation that the springs gave a bone, unless a layer has turned it since. */
  #take(isAll: boolean): void {
    const { rotations } = this.#pose;
    for (let i = 0; i < this.bones.length; i++) {
      const at = 4 * this.bones[i]!;
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
    this.#out(head);
    if (this.#place) multiply(parent, 0, this.#place.rotation, 0, parent, 0);
  }

  place(row: number, local: Numbers): void {
    for (let c = 0; c < 4; c++) this.#pose.rotations[4 * row + c] = local[c]!;
    this.#world.touch(row);
  }

  toWorld(row: number, point: readonly [number, number, number], to: Numbers): void {
    this.#world.reach(this.#pose, row);
    pointOf(this.#world.matrices, row, point, spot);
    copyVector(to, 0, spot, 0);
    this.#out(to);
  }

  collider(index: number, to: Numbers): void {
    const { row, offset, radius } = this.#spheres[index]!;
    this.#world.reach(this.#pose, row);
    pointOf(this.#world.matrices, row, offset, spot);
    copyVector(to, 0, spot, 0);
    this.#out(to);
    lengthsOf(this.#world.matrices, row, lengths);
    to[3] = radius * Math.max(lengths[0], lengths[1], lengths[2]) * (this.#place?.scale ?? 1);
  }

  /** From the space of the scene to the world. */
  #out(point: Numbers): void {
    if (!this.#place) return;
    const { matrix: m } = this.#place;
    const x = point[0]!;
    const y = point[1]!;
    const z = point[2]!;
    for (let c = 0; c < 3; c++) point[c] = m[c]! * x + m[4 + c]! * y + m[8 + c]! * z + m[12 + c]!;
  }
}

/** Steps that are as long as frames come once per frame. */
const stepsOf = (rules: SpringRules): Steps => new Steps(SPRING_STEPS[rules], SPRING_STEPS[rules] < SPRING_STEP ? 0.3 : undefined);

const lengths = vec3();
const spot = vec3();
