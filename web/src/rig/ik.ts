// IK handles by the rules of Maya's rotate-plane solver (docs/formats/cast.md, section 3.6): bend,
// aim, twist about the line to the goal.
import { numberAt } from '../core/math/column.ts';
import { copyQuaternion, eulerX, fromAxisAngle, fromDirections, invert, multiply, quat, rotateVector } from '../core/math/quaternion.ts';
import {
  addScaled,
  copyVector,
  divideScalar,
  dot,
  length,
  setCross,
  setDifference,
  toVec3,
  type Vec3,
  vec3,
  type VectorLike,
} from '../core/math/vector.ts';
import { Chain, sideways } from './chain.ts';
import { directionOf, intoSpace, inverseAt, localRotation, pointOf, positionOf, rotationOf } from './frame.ts';
import type { Pose } from './pose.ts';
import type { WorldMatrices } from './world.ts';

export interface HandleDesign {
  name: string;
  /** Rows from the start bone to the end bone, each a child of the one before it. At least two. */
  chain: readonly number[];
  /**
   * Row of the target bone, or of the skeleton's parent if there is no target. `offset` is in its
   * space.
   */
  target: number;
  /** Position of the goal in the space of the target. */
  offset: readonly number[];
  /**
   * Bone whose local position is the pole vector, a direction from the start bone in the space of
   * the target. -1 keeps the plane of the rest pose.
   */
  poleVector: number;
  /** Bone whose rotation about its x axis twists the chain; -1 if there is none. */
  poleBone: number;
  /** True if the end bone takes the rotation of the target. */
  turnsEnd: boolean;
}

/**
 * Below non-uniform scales, lengths change as bones rotate. The chain is solved again from its
 * result while the error decreases.
 */
const MAX_ROUNDS = 8;
/** Accepted distance from the goal, in chain lengths. */
const NEAR = 1e-7;

export class IkHandle {
  readonly kind = 'ik';
  isOn = true;
  readonly design: HandleDesign;
  readonly #start: number;
  readonly #end: number;
  readonly #offset: Vec3;
  readonly #chain: Chain;
  /** The joints before they move. */
  readonly #before: Float64Array;
  /** Rotations of the chain's bones before they move, 4 numbers each. */
  readonly #rotations: Float64Array;

  constructor(design: HandleDesign) {
    const { chain, offset } = design;
    this.design = design;
    this.#start = numberAt(chain, 0);
    this.#end = numberAt(chain, chain.length - 1);
    this.#offset = toVec3(offset);
    this.#chain = new Chain(chain.length - 1);
    this.#before = new Float64Array(this.#chain.joints.length);
    this.#rotations = new Float64Array(4 * chain.length);
  }

  get name(): string {
    return this.design.name;
  }

  /**
   * Ignores animation of the chain: it starts from the rest pose, as Maya's importer moves its
   * rotations into the joints' orientation.
   */
  solve(pose: Pose, world: WorldMatrices): void {
    const { chain, target, turnsEnd } = this.design;
    const { rotations: rest } = pose.shape.scene.nodes;
    for (const row of chain) if (row !== this.#end) copyQuaternion(pose.rotations, 4 * row, rest, 4 * row);
    world.touch(this.#start);
    for (let round = 0, last = Infinity; round < MAX_ROUNDS; round++) {
      const missing = this.#read(pose, world);
      if (round > 0 ? !(missing > NEAR && missing < 0.9 * last) : Number.isNaN(missing)) break;
      last = missing;
      this.#plan(pose, world.matrices, round === 0);
      this.#apply(pose);
      world.touch(this.#start);
    }
    if (!turnsEnd) return;
    world.reach(pose, this.#end);
    world.reach(pose, target);
    rotationOf(world.matrices, target, pose.scales, wanted);
    rotationOf(world.matrices, this.#end, pose.scales, now);
    localRotation(pose.rotations, 4 * this.#end, now, pose.rotations, 4 * this.#end, wanted);
    world.touch(this.#end);
  }

  /**
   * Reads chain and goal in the space in which the first bone rotates: there, lengths stay the same
   * as it rotates, whatever scales are above. Returns the distance from effector to goal in chain
   * lengths; NaN if that space has no volume.
   */
  #read(pose: Pose, world: WorldMatrices): number {
    const { chain, target } = this.design;
    const { matrices } = world;
    world.reach(pose, this.#end);
    world.reach(pose, target);
    readParentSpace(pose, matrices, this.#start);
    pointOf(matrices, target, this.#offset, goal);
    if (!intoSpace(space, 0, goal, goal)) return NaN;
    let total = 0;
    let i = 0;
    for (const row of chain) {
      if (i === 0) copyQuaternion(this.#rotations, 0, pose.rotations, 4 * row);
      else multiply(this.#rotations, 4 * i, this.#rotations, 4 * i - 4, pose.rotations, 4 * row);
      positionOf(matrices, row, effector);
      intoSpace(space, 0, effector, effector);
      copyVector(this.#before, 3 * i, effector, 0);
      if (i > 0) {
        setDifference(segment, this.#before, 3 * i, this.#before, 3 * i - 3);
        total += length(segment);
      }
      i++;
    }
    this.#chain.joints.set(this.#before);
    setDifference(segment, goal, 0, effector, 0);
    return total > 0 ? length(segment) / total : 0;
  }

  /**
   * Bends the chain, and finds the rotation of the whole chain (`whole`): towards the goal, its
   * plane towards the pole vector, twisted.
   */
  #plan(pose: Pose, matrices: Float64Array, isFirst: boolean): void {
    const { target, poleVector, poleBone } = this.design;
    const { joints, segments } = this.#chain;
    pole.fill(0);
    if (poleVector >= 0) {
      copyVector(pole, 0, pose.translations, 3 * poleVector);
      directionOf(matrices, target, pole, pole);
      copyVector(v, 0, space, 12);
      addScaled(pole, 0, v, 1);
      intoSpace(space, 0, pole, pole);
    }
    setDifference(v, joints, 3 * segments, joints, 0);
    sideways(side, v, pole);
    const wasBent = this.#chain.bulge(bow);
    this.#chain.reach(length(goal), side);
    const isBent = this.#chain.bulge(v);
    if (isBent) bow.set(v);
    setDifference(v, joints, 3 * segments, joints, 0);
    fromDirections(whole, v, goal);
    const hasPole = poleVector >= 0 && (wasBent || isBent);
    if (hasPole) {
      rotateVector(bow, 0, whole);
      this.#twist(angleAbout(goal, bow, pole));
    }
    if (poleBone >= 0 && (isFirst || hasPole)) this.#twist(eulerX(pose.rotations, 4 * poleBone));
  }

  /** Adds to `whole` a rotation about the line to the goal. */
  #twist(angle: number): void {
    fromAxisAngle(turn, goal[0], goal[1], goal[2], angle);
    multiply(whole, 0, turn, 0, whole, 0);
  }

  /**
   * Rotates every bone by the shortest rotation from its old segment to its new one, and the first
   * also by `whole`.
   */
  #apply({ rotations }: Pose): void {
    const { chain } = this.design;
    above.set(IDENTITY);
    for (let i = 0; i < chain.length - 1; i++) {
      const at = 4 * numberAt(chain, i);
      copyQuaternion(now, 0, this.#rotations, 4 * i);
      setDifference(v, this.#before, 3 * i + 3, this.#before, 3 * i);
      rotateVector(v, 0, above);
      setDifference(segment, this.#chain.joints, 3 * i + 3, this.#chain.joints, 3 * i);
      fromDirections(turn, v, segment);
      multiply(wanted, 0, above, 0, now, 0);
      multiply(wanted, 0, turn, 0, wanted, 0);
      // `now` was read before the bones above rotated by `above`.
      invert(inverse, above);
      multiply(wanted, 0, i === 0 ? whole : inverse, 0, wanted, 0);
      localRotation(rotations, at, now, rotations, at, wanted);
      multiply(above, 0, turn, 0, above, 0);
    }
  }
}

/**
 * `space` becomes the space in which a bone rotates: its matrix without its own scale and rotation.
 */
function readParentSpace({ rotations, scales }: Pose, matrices: Float64Array, row: number): void {
  inverseAt(inverse, rotations, 4 * row);
  copyVector(scale, 0, scales, 3 * row);
  for (let axis = 0; axis < 3; axis++) {
    v.fill(0);
    v[axis] = 1;
    rotateVector(v, 0, inverse);
    v[0] /= scale[0] || 1;
    v[1] /= scale[1] || 1;
    v[2] /= scale[2] || 1;
    directionOf(matrices, row, v, v);
    copyVector(space, 4 * axis, v, 0);
  }
  positionOf(matrices, row, v);
  copyVector(space, 12, v, 0);
}

/** Affine matrix of the space in which the chain is solved. */
const space = new Float64Array(16);
/** Relative to the first joint. */
const goal = vec3();
const effector = vec3();
const segment = vec3();
const pole = vec3();
const side = vec3();
const bow = vec3();
const scale = vec3();
const v = vec3();
const now = quat();
const wanted = quat();
const whole = quat();
const turn = quat();
/** Accumulated rotation of the bones above the current one. */
const above = quat();
const inverse = quat();
const IDENTITY = quat();

const direction = vec3();
const from = vec3();
const to = vec3();

/** The angle about a line from one direction to another; 0 if `b` is parallel to the line. */
function angleAbout(line: VectorLike, a: VectorLike, b: VectorLike): number {
  copyVector(direction, 0, line, 0);
  const size = length(direction);
  if (!(size > 0)) return 0;
  divideScalar(direction, size);
  copyVector(from, 0, a, 0);
  addScaled(from, 0, direction, -dot(a, direction));
  copyVector(to, 0, b, 0);
  addScaled(to, 0, direction, -dot(b, direction));
  const cosine = dot(from, to);
  const isOff = length(to) > 1e-6 * length(b);
  setCross(v, from, to);
  return isOff ? Math.atan2(dot(direction, v), cosine) : 0;
}
