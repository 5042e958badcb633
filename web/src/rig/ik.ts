// IK handles that behave like Maya's rotate-plane solver (docs/formats/cast.md, section 3.6): the
// solver bends a chain of bones, aims it at a goal, and twists it about the line to the goal.
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

/**
 * Settings of an IK handle, as the file declares them.
 *
 * @experimental
 */
export interface HandleDesign {
  name: string;
  /**
   * Rows of at least two bones from the start bone to the end bone. Each is a child of the previous
   * one.
   */
  chain: readonly number[];
  /** Row of the target bone, or of the skeleton's parent if the IK handle has no target. */
  target: number;
  /** Position of the goal in target space. */
  offset: readonly number[];
  /**
   * Row of the bone whose local position is the pole vector: the direction, in target space, in
   * which the chain bends away from its start bone. -1 if the chain keeps the plane of its rest
   * pose.
   */
  poleVector: number;
  /** Row of the bone whose rotation about x twists the chain; -1 if the chain isn't twisted. */
  poleBone: number;
  /** True if the end bone takes the world rotation of the target. */
  rotatesEnd: boolean;
}

/**
 * Maximum number of solving passes per chain and frame. Bones below a non-uniform scale change
 * their lengths when they rotate, so the chain is solved again as long as the error decreases.
 */
const MAX_ITERATIONS = 8;
/** Maximum distance between the end of a solved chain and its goal, in chain lengths. */
const TOLERANCE = 1e-7;

export class IkHandle {
  readonly kind = 'ik';
  isOn = true;
  readonly design: HandleDesign;
  readonly #start: number;
  readonly #end: number;
  readonly #offset: Vec3;
  readonly #chain: Chain;
  /** Positions of the joints before solving, 3 numbers per joint. */
  readonly #before: Float64Array;
  /** Rotations of the bones before solving, 4 numbers per bone. */
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
   * Solves the chain from its rest pose; animated rotations of its bones are ignored. Maya does the
   * same, because rest rotations are imported into Maya as joint orientations.
   */
  solve(pose: Pose, world: WorldMatrices): void {
    const { chain, target, rotatesEnd } = this.design;
    const { rotations: rest } = pose.shape.scene.nodes;
    for (const row of chain) if (row !== this.#end) copyQuaternion(pose.rotations, 4 * row, rest, 4 * row);
    world.touch(this.#start);
    for (let iteration = 0, last = Infinity; iteration < MAX_ITERATIONS; iteration++) {
      const missing = this.#readChain(pose, world);
      if (iteration > 0 ? !(missing > TOLERANCE && missing < 0.9 * last) : Number.isNaN(missing)) break;
      last = missing;
      this.#bend(pose, world.matrices, iteration === 0);
      this.#rotateBones(pose);
      world.touch(this.#start);
    }
    if (!rotatesEnd) return;
    world.reach(pose, this.#end);
    world.reach(pose, target);
    rotationOf(world.matrices, target, pose.scales, wanted);
    rotationOf(world.matrices, this.#end, pose.scales, current);
    localRotation(pose.rotations, 4 * this.#end, current, pose.rotations, 4 * this.#end, wanted);
    world.touch(this.#end);
  }

  /**
   * Reads the positions of the joints and of the goal in the parent space of the first bone, where
   * the length of that bone doesn't depend on its rotation. Returns the distance from the end of
   * the chain to the goal in chain lengths, or NaN if the matrix of this space is singular.
   */
  #readChain(pose: Pose, world: WorldMatrices): number {
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
   * Bends the chain until it is as long as the distance to the goal. Then computes `chainRotation`,
   * which aims the chain at the goal, turns its plane to the pole vector and twists it.
   */
  #bend(pose: Pose, matrices: Float64Array, isFirst: boolean): void {
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
    const wasBent = this.#chain.bulge(bulge);
    setCross(normal, v, bulge);
    this.#chain.reach(length(goal), side);
    const isBent = this.#chain.bulge(v);
    if (isBent) bulge.set(v);
    setDifference(v, joints, 3 * segments, joints, 0);
    // A chain that is fully straight or folded has no bulge. The bulge before is rotated like the
    // line between first and last joint: a folded chain may point to the other side.
    if (!isBent && length(normal) > 0) setCross(bulge, normal, v);
    fromDirections(chainRotation, v, goal);
    const hasPole = poleVector >= 0 && (wasBent || isBent);
    if (hasPole) {
      rotateVector(bulge, 0, chainRotation);
      this.#twist(angleAbout(goal, bulge, pole));
    }
    if (poleBone >= 0 && (isFirst || hasPole)) this.#twist(eulerX(pose.rotations, 4 * poleBone));
  }

  /** Extends `chainRotation` by a rotation about the line to the goal. `angle`: in radians. */
  #twist(angle: number): void {
    fromAxisAngle(turn, goal[0], goal[1], goal[2], angle);
    multiply(chainRotation, 0, turn, 0, chainRotation, 0);
  }

  /**
   * Rotates each bone by the shortest rotation from the old to the new direction of its segment.
   * The first bone is also rotated by `chainRotation`.
   */
  #rotateBones({ rotations }: Pose): void {
    const { chain } = this.design;
    accumulated.set(IDENTITY);
    for (let i = 0; i < chain.length - 1; i++) {
      const at = 4 * numberAt(chain, i);
      copyQuaternion(current, 0, this.#rotations, 4 * i);
      setDifference(v, this.#before, 3 * i + 3, this.#before, 3 * i);
      rotateVector(v, 0, accumulated);
      setDifference(segment, this.#chain.joints, 3 * i + 3, this.#chain.joints, 3 * i);
      fromDirections(turn, v, segment);
      multiply(wanted, 0, accumulated, 0, current, 0);
      multiply(wanted, 0, turn, 0, wanted, 0);
      // `current` was read before the previous bones were rotated, so their rotation `accumulated`
      // is removed from `wanted`.
      invert(inverse, accumulated);
      multiply(wanted, 0, i === 0 ? chainRotation : inverse, 0, wanted, 0);
      localRotation(rotations, at, current, rotations, at, wanted);
      multiply(accumulated, 0, turn, 0, accumulated, 0);
    }
  }
}

/** Writes the world matrix of a bone without the bone's own scale and rotation to `space`. */
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

/** Matrix that transforms from the space in which the chain is solved to world space. */
const space = new Float64Array(16);
/** Vector from the first joint to the goal. */
const goal = vec3();
const effector = vec3();
const segment = vec3();
const pole = vec3();
const side = vec3();
const bulge = vec3();
/** Normal of the plane in which the chain bends. */
const normal = vec3();
const scale = vec3();
const v = vec3();
const current = quat();
const wanted = quat();
const chainRotation = quat();
const turn = quat();
/** Total rotation of the previous bones of the chain. */
const accumulated = quat();
const inverse = quat();
const IDENTITY = quat();

const direction = vec3();
const from = vec3();
const to = vec3();

/**
 * Returns the angle in radians of the rotation about `line` that takes direction `a` to direction
 * `b`; 0 if `b` is parallel to the line.
 */
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
