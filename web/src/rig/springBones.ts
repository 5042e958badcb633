// Solver for the spring bones of a scene. The simulation itself is in springSimulation.ts.
import { transformPoint } from '../core/math/matrix.ts';
import {
  copyQuaternion,
  dotAt,
  equalsAt,
  IDENTITY,
  multiply,
  type Quat,
  quat,
  type Quaternion,
  quaternionAt,
  rotated,
  toQuat,
} from '../core/math/quaternion.ts';
import { type Vec3, vec3, type Vector, vectorAt, type VectorLike } from '../core/math/vector.ts';
import { parentOf } from '../core/tree.ts';
import type { Solver } from './animator.ts';
import { lengthsOf, pointOf, positionOf, rotationOf } from './frame.ts';
import { Pose, type PoseShape } from './pose.ts';
import { springGroupsOf, type SpringGroupSettings, type SpringSphere } from './springGroups.ts';
import {
  type SpringGroup,
  type SpringBoneAccess,
  type SpringRules,
  SPRING_STEP,
  SPRING_STEPS,
  SpringSimulation,
} from './springSimulation.ts';
import { Steps } from './steps.ts';
import { WorldMatrices } from './world.ts';

/**
 * A bone counts as still if 1 minus the dot product of its rotations before and after a step is
 * below this limit.
 */
const STILL = 1e-9;

interface BoneState {
  row: number;
  /** Local rotation of the bone after the last simulation step. */
  simulated: Quat;
  /** Local rotation of the bone in the last frame before the solver ran, as set by layers. */
  animated: Quat;
}

export class SpringBoneSolver implements Solver, SpringBoneAccess {
  readonly stage = 'springs';
  /** Rows of the spring bones. */
  readonly bones: Int32Array;
  readonly #states: readonly BoneState[];
  readonly #spheres: SpringSphere[];
  /** Spring groups of the file. `gravity`: direction of gravity in file axes. */
  readonly #groups: { group: SpringGroup; gravity: Readonly<Vector> }[];
  readonly #solver: SpringSimulation;
  #pose: Pose;
  #world: WorldMatrices;
  #steps = stepsOf('unity');
  #isOn = true;
  #isMoving = true;
  /**
   * Transform from scene space to world space: its matrix, and the rotation and largest scale of
   * the matrix. Null if both spaces are the same.
   */
  #sceneTransform: { matrix: ArrayLike<number>; rotation: Quat; scale: number } | null = null;

  /** Returns null if the scene has no movable spring bone. */
  static of(shape: PoseShape): SpringBoneSolver | null {
    const rows = springGroupsOf(shape.scene);
    return rows.some(({ chains }) => chains.length) ? new SpringBoneSolver(shape, rows) : null;
  }

  constructor(shape: PoseShape, rows: readonly SpringGroupSettings[]) {
    this.#pose = new Pose(shape);
    this.#world = new WorldMatrices(shape);
    this.bones = Int32Array.from(rows.flatMap(({ chains }) => chains.flat().map(({ row }) => row)));
    this.#spheres = rows.flatMap(({ colliders }) => colliders);
    this.#states = Array.from(this.bones, row => ({
      row,
      simulated: toQuat(this.#pose.rotations, 4 * row),
      animated: toQuat(this.#pose.rotations, 4 * row),
    }));
    let sphere = 0;
    const { translations, rotations } = shape.scene.nodes;
    this.#groups = rows.map(({ settings, gravity, colliders, chains }) => ({
      gravity,
      group: {
        settings,
        gravity: [...gravity],
        colliders: colliders.map(() => sphere++),
        chains: chains.map(chain =>
          chain.map(({ row, child }) => ({ row, tail: vectorAt(translations, 3 * child), rest: quaternionAt(rotations, 4 * row) })),
        ),
      },
    }));
    this.#solver = new SpringSimulation(
      this,
      this.#groups.map(({ group }) => group),
    );
  }

  /** Set of rules that the simulation follows. Call `reset` after a change. */
  get rules(): SpringRules {
    return this.#solver.rules;
  }

  set rules(rules: SpringRules) {
    this.#solver.rules = rules;
    this.#steps = stepsOf(rules);
  }

  /**
   * If false, the spring bones are not simulated and keep the pose of the layers. Call `reset`
   * after setting this to true.
   */
  get isOn(): boolean {
    return this.#isOn;
  }

  set isOn(isOn: boolean) {
    this.#isOn = this.#isMoving = isOn;
  }

  /** True if a spring bone moved in the last simulation step. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Rotates the direction of gravity. `rotation`: converts from file axes to world axes. */
  rotateGravity(rotation: Quaternion): void {
    for (const { group, gravity } of this.#groups) group.gravity = rotated([...gravity], rotation);
  }

  /**
   * Sets the transform from scene space to world space, so that spring bones react when the scene
   * moves. `matrix`: 16 numbers. `rotation`, `scale`: rotation and largest scale of the matrix.
   */
  placeScene(matrix: ArrayLike<number>, rotation: Quaternion, scale: number): void {
    this.#sceneTransform ??= { matrix, rotation: quat(), scale };
    this.#sceneTransform.matrix = matrix;
    this.#sceneTransform.scale = scale;
    this.#sceneTransform.rotation.set(rotation);
  }

  /**
   * Stops all movement and restarts the simulation from `pose`, for example after a jump in time.
   */
  reset(pose: Pose, world: WorldMatrices): void {
    this.#pose = pose;
    this.#world = world;
    this.#steps.reset();
    this.#isMoving = this.#isOn;
    world.touch(0);
    this.#solver.reset();
    this.#restore(true);
  }

  solve(pose: Pose, world: WorldMatrices, seconds: number): void {
    if (!this.#isOn) return;
    this.#pose = pose;
    this.#world = world;
    this.#restore(false);
    world.touch(0);
    const steps = this.#steps.take(seconds);
    for (let i = 0; i < steps; i++) this.#solver.step();
    if (steps > 0) this.#isMoving = false;
    for (const { row, simulated } of this.#states) {
      this.#isMoving ||= Math.abs(dotAt(simulated, 0, pose.rotations, 4 * row)) < 1 - STILL;
      copyQuaternion(simulated, 0, pose.rotations, 4 * row);
    }
  }

  /**
   * Restores the last simulated rotation of each spring bone, except where layers have changed the
   * bone's rotation since. If `isAll` is true, every bone starts from the rotation that layers gave
   * it.
   */
  #restore(isAll: boolean): void {
    const { rotations } = this.#pose;
    for (const { row, simulated, animated } of this.#states) {
      const isMoved = isAll || !equalsAt(animated, 0, rotations, 4 * row);
      copyQuaternion(animated, 0, rotations, 4 * row);
      if (isMoved) simulated.set(animated);
      else copyQuaternion(rotations, 4 * row, simulated, 0);
    }
  }

  read(row: number, head: Vec3, parent: Quat, local: Quat): void {
    const above = parentOf(this.#pose.shape.scene.nodes, row);
    this.#world.reach(this.#pose, row);
    positionOf(this.#world.matrices, row, head);
    this.#readRotation(above, parent);
    copyQuaternion(local, 0, this.#pose.rotations, 4 * row);
    if (!this.#sceneTransform) return;
    this.#toWorldSpace(head);
    multiply(parent, 0, this.#sceneTransform.rotation, 0, parent, 0);
  }

  /**
   * Writes the world rotation of a bone. In Unity it is the product of local rotations, which is
   * not the rotation of the matrix if a non-uniform scale shears the matrix. Mirrored bones and
   * VRM's rules use the matrix.
   */
  #readRotation(row: number, result: Quat): void {
    const { rotations, scales, shape } = this.#pose;
    result.set(IDENTITY);
    let isMatrixUsed = this.rules === 'vrm';
    for (let at = row; at >= 0 && !isMatrixUsed; at = parentOf(shape.scene.nodes, at)) {
      multiply(result, 0, rotations, 4 * at, result, 0);
      isMatrixUsed = scales[3 * at]! < 0 || scales[3 * at + 1]! < 0 || scales[3 * at + 2]! < 0;
    }
    if (isMatrixUsed && row >= 0) rotationOf(this.#world.matrices, row, scales, result);
  }

  place(row: number, local: Quat): void {
    copyQuaternion(this.#pose.rotations, 4 * row, local, 0);
    this.#world.touch(row);
  }

  toWorld(row: number, point: VectorLike, result: Vec3): void {
    this.#world.reach(this.#pose, row);
    pointOf(this.#world.matrices, row, point, result);
    this.#toWorldSpace(result);
  }

  collider(index: number, centre: Vec3): number {
    const sphere = this.#spheres[index];
    if (!sphere) return 0;
    this.toWorld(sphere.row, sphere.offset, centre);
    lengthsOf(this.#world.matrices, sphere.row, lengths);
    return sphere.radius * Math.max(lengths[0], lengths[1], lengths[2]) * (this.#sceneTransform?.scale ?? 1);
  }

  /** Transforms a point from scene space to world space. */
  #toWorldSpace(point: Vec3): void {
    if (this.#sceneTransform) transformPoint(point, this.#sceneTransform.matrix, 0, point);
  }
}

/**
 * Creates the clock that divides frames into simulation steps. With VRM's rules, a step lasts as
 * long as a frame at 60 Hz and may start up to 0.3 steps early. Frames then get one step each even
 * if frame times vary slightly.
 */
const stepsOf = (rules: SpringRules): Steps => new Steps(SPRING_STEPS[rules], SPRING_STEPS[rules] < SPRING_STEP ? 0.3 : undefined);

const lengths = vec3();
