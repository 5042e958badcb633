// Two-bone IK for legs. Rotations are in world space, 4 numbers per bone. Bones between thigh, shin
// and foot keep their rest pose.
import { copyQuaternion, fromDirections, multiply, quat, rotateVector } from '../core/math/quaternion.ts';
import {
  addScaled,
  copyVector,
  divideScalar,
  dot,
  length,
  multiplyScalar,
  setDifference,
  toVec3,
  type Vec3,
  type Vector,
  vec3,
  type VectorLike,
} from '../core/math/vector.ts';

export interface LegDesign {
  /**
   * Bones from the hips to the leg: only the hips, or also spine and shoulder. `bone`: index in the
   * argument `rotations` of `Leg.reach`. `toNext`: vector to the next bone, after the last one to the
   * thigh, in the space of the bone.
   */
  path: readonly { bone: number; toNext: Vector }[];
  /** Indices of thigh and shin in the argument `rotations` of `Leg.reach`. */
  upper: number;
  lower: number;
  /**
   * Vectors from thigh to shin and from shin to foot. Each is in the space of the bone where it
   * starts.
   */
  toLower: Vector;
  toFoot: Vector;
  /** Direction in thigh space in which a straight knee bends. */
  ahead: Vector;
}

/**
 * Length, in thigh lengths, of the vector along `ahead` that is added to the current bend. It
 * prevents a nearly straight knee from flipping.
 */
const STEADY = 0.02;
/** Maximum distance in metres at which a foot counts as being at its goal. */
const NEAR = 1e-7;

const hip = vec3();
const thigh = vec3();
const shin = vec3();
/** Vector from the hip joint to the goal of the foot. It is normalized later. */
const line = vec3();
const missed = vec3();
const oldLine = vec3();
const bend = vec3();
const pole = vec3();
const next = vec3();
const turn = quat();

export class Leg {
  readonly #design: LegDesign;
  readonly #path: readonly { bone: number; toNext: Vec3 }[];
  readonly #toLower: Vec3;
  readonly #toFoot: Vec3;
  readonly #ahead: Vec3;
  readonly #long: number;
  readonly #short: number;

  constructor(design: LegDesign) {
    this.#design = design;
    this.#path = design.path.map(({ bone, toNext }) => ({ bone, toNext: toVec3(toNext) }));
    this.#toLower = toVec3(design.toLower);
    this.#toFoot = toVec3(design.toFoot);
    this.#ahead = toVec3(design.ahead);
    this.#long = Math.hypot(...design.toLower);
    this.#short = Math.hypot(...design.toFoot);
  }

  /**
   * Rotates thigh and shin so that the foot reaches `goal`, or gets as close to it as possible.
   * `rotations`: world rotations of the bones, which are changed. `hips`: position of the hips.
   * `share`: fraction of the way to the goal that the foot moves, 0 to 1.
   */
  reach(rotations: Float64Array, hips: VectorLike, goal: VectorLike, share = 1): void {
    const { upper, lower } = this.#design;
    const long = this.#long;
    const short = this.#short;
    this.#place(rotations, hips);
    setDifference(line, goal, 0, hip, 0);
    setDifference(missed, line, 0, thigh, 0);
    setDifference(missed, missed, 0, shin, 0);
    if (share < 1) {
      addScaled(line, 0, missed, share - 1);
      multiplyScalar(missed, share);
    }
    const distance = length(line);
    const most = Math.max(Math.abs(missed[0]), Math.abs(missed[1]), Math.abs(missed[2]));
    if (most < NEAR || !(distance > 1e-6) || !(long > 0 && short > 0)) return;
    divideScalar(line, distance);
    const span = Math.max(distance, Math.abs(long - short));
    this.#findPole(rotations);
    // Position of the knee: `along` the line from hip to goal, and its distance `off` the line.
    const along = Math.min(Math.max((long ** 2 - short ** 2 + span ** 2) / (2 * span), -long), long);
    const off = Math.sqrt(long ** 2 - along ** 2);
    next.fill(0);
    addScaled(next, 0, line, along);
    addScaled(next, 0, pole, off);
    aim(rotations, upper, thigh, next);
    multiplyScalar(line, span);
    setDifference(next, line, 0, next, 0);
    aim(rotations, lower, shin, next);
  }

  /** Length of the stretched leg, from the hip joint to the foot. */
  get length(): number {
    return this.#long + this.#short;
  }

  /** Writes the position of the hip joint. `rotations` and `hips`: as in `reach`. */
  jointAt(rotations: Float64Array, hips: VectorLike, result: VectorLike): void {
    this.#place(rotations, hips);
    copyVector(result, 0, hip, 0);
  }

  /** Writes the position of the foot. `rotations` and `hips`: as in `reach`. */
  footAt(rotations: Float64Array, hips: VectorLike, result: VectorLike): void {
    this.#place(rotations, hips);
    copyVector(result, 0, hip, 0);
    addScaled(result, 0, thigh, 1);
    addScaled(result, 0, shin, 1);
  }

  /** Writes the position `hip` of the joint, and the vectors `thigh` and `shin`. */
  #place(rotations: Float64Array, hips: VectorLike): void {
    copyVector(hip, 0, hips, 0);
    for (const { bone, toNext } of this.#path) {
      rotateBy(thigh, toNext, rotations, bone);
      addScaled(hip, 0, thigh, 1);
    }
    rotateBy(thigh, this.#toLower, rotations, this.#design.upper);
    rotateBy(shin, this.#toFoot, rotations, this.#design.lower);
  }

  /**
   * Writes `pole`: the unit vector that points from the line between hip and goal to the knee. For
   * a straight leg, it has the direction `ahead`.
   */
  #findPole(rotations: Float64Array): void {
    copyVector(oldLine, 0, thigh, 0);
    addScaled(oldLine, 0, shin, 1);
    const squared = dot(oldLine, oldLine);
    copyVector(bend, 0, thigh, 0);
    if (squared > 0) addScaled(bend, 0, oldLine, -dot(thigh, oldLine) / squared);
    rotateBy(pole, this.#ahead, rotations, this.#design.upper);
    multiplyScalar(pole, STEADY * this.#long);
    addScaled(pole, 0, bend, 1);
    // Rotate the bend of the knee together with the line from hip to foot.
    fromDirections(turn, oldLine, line);
    rotateVector(pole, 0, turn);
    addScaled(pole, 0, line, -dot(pole, line));
    divideScalar(pole, length(pole) || 1);
  }
}

/** Rotates a vector from bone space to world space. */
function rotateBy(result: VectorLike, offset: VectorLike, rotations: Float64Array, bone: number): void {
  copyVector(result, 0, offset, 0);
  copyQuaternion(turn, 0, rotations, 4 * bone);
  rotateVector(result, 0, turn);
}

/** Rotates a bone by the shortest rotation from one direction to another. */
function aim(rotations: Float64Array, bone: number, from: VectorLike, to: VectorLike): void {
  fromDirections(turn, from, to);
  multiply(rotations, 4 * bone, turn, 0, rotations, 4 * bone);
}
