// A leg that reaches with two bones for where its foot is to be. Rotations are those in the world, by index; what lies between the bones is at rest.
import { fromDirections, multiply, rotateVector } from '../core/math/quaternion.ts';
import { type Vector } from '../core/math/vector.ts';

export interface LegDesign {
  /** Which rotations are those of the hips, the thigh and the shin. */
  hips: number;
  upper: number;
  lower: number;
  /** From each joint to the next one, in the space of the bone at the first. */
  toUpper: Vector;
  toLower: Vector;
  toFoot: Vector;
  /** Where the knee points, in the space of the thigh: it tells how a straight leg bends. */
  ahead: Vector;
}

/** A part of the thigh's length: how much the way ahead counts against the bend that a leg has, so that a nearly straight knee does not turn about. */
const STEADY = 0.02;
/** A foot this near is where it should be, metres. */
const THERE = 1e-7;

export class Leg {
  readonly #design: LegDesign;
  readonly #lengths: readonly [number, number];
  readonly #hip = new Float64Array(3);
  readonly #thigh = new Float64Array(3);
  readonly #shin = new Float64Array(3);
  readonly #way = new Float64Array(3);
  readonly #pole = new Float64Array(3);
  readonly #next = new Float64Array(3);
  readonly #turn = new Float64Array(4);
  readonly #carry = new Float64Array(4);

  constructor(design: LegDesign) {
    this.#design = design;
    this.#lengths = [Math.hypot(...design.toLower), Math.hypot(...design.toFoot)];
  }

  /** Turns thigh and shin (in `turns`, four numbers each) so that the foot comes to `goal`, or as near as it can. `hips` is where the hips are. */
  reach(turns: Float64Array, hips: Float64Array, goal: Float64Array): void {
    const { upper, lower, toUpper, toLower, toFoot, ahead } = this.#design;
    const [long, short] = this.#lengths;
    this.#out(this.#hip, toUpper, turns, this.#design.hips);
    this.#out(this.#thigh, toLower, turns, upper);
    this.#out(this.#shin, toFoot, turns, lower);
    let missed = 0;
    let distance = 0;
    for (let c = 0; c < 3; c++) {
      this.#hip[c]! += hips[c]!;
      this.#way[c] = goal[c]! - this.#hip[c]!;
      missed = Math.max(missed, Math.abs(this.#way[c]! - this.#thigh[c]! - this.#shin[c]!));
      distance += this.#way[c]! ** 2;
    }
    distance = Math.sqrt(distance);
    if (missed < THERE || !(distance > 1e-6) || !(long > 0 && short > 0)) return;
    for (let c = 0; c < 3; c++) this.#way[c]! /= distance;
    const span = Math.max(distance, Math.abs(long - short));
    this.#findPole(ahead, turns);
    // The triangle of thigh, shin and span: how far along the way the knee lies, and how far off it.
    const along = Math.min(Math.max((long ** 2 - short ** 2 + span ** 2) / (2 * span), -long), long);
    const off = Math.sqrt(long ** 2 - along ** 2);
    for (let c = 0; c < 3; c++) this.#next[c] = this.#way[c]! * along + this.#pole[c]! * off;
    this.#swing(turns, upper, this.#thigh, this.#next);
    for (let c = 0; c < 3; c++) this.#next[c] = this.#way[c]! * span - this.#next[c]!;
    this.#swing(turns, lower, this.#shin, this.#next);
  }

  /** Off the way to the goal, to where the knee bends now; the nearer to straight, the more to where it points. */
  #findPole(ahead: Vector, turns: Float64Array): void {
    const { upper } = this.#design;
    // The bend is carried along from the old way to the foot to the new one.
    for (let c = 0; c < 3; c++) this.#next[c] = this.#thigh[c]! + this.#shin[c]!;
    fromDirections(this.#carry, this.#next, this.#way);
    this.#out(this.#pole, ahead, turns, upper);
    const steady = STEADY * this.#lengths[0];
    for (let c = 0; c < 3; c++) this.#pole[c] = this.#pole[c]! * steady + offLine(this.#thigh, this.#next, c);
    rotateVector(this.#pole, 0, this.#carry);
    const along = this.#pole[0]! * this.#way[0]! + this.#pole[1]! * this.#way[1]! + this.#pole[2]! * this.#way[2]!;
    let size = 0;
    for (let c = 0; c < 3; c++) size += (this.#pole[c]! -= along * this.#way[c]!) ** 2;
    size = Math.sqrt(size);
    for (let c = 0; c < 3; c++) this.#pole[c]! /= size || 1;
  }

  #out(result: Float64Array, offset: Vector, turns: Float64Array, index: number): void {
    for (let c = 0; c < 3; c++) result[c] = offset[c]!;
    for (let c = 0; c < 4; c++) this.#turn[c] = turns[4 * index + c]!;
    rotateVector(result, 0, this.#turn);
  }

  #swing(turns: Float64Array, index: number, from: Float64Array, into: Float64Array): void {
    fromDirections(this.#turn, from, into);
    multiply(turns, 4 * index, this.#turn, 0, turns, 4 * index);
  }
}

/** One component of what a vector has at right angles to a line. */
function offLine(v: Float64Array, line: Float64Array, c: number): number {
  const squared = line[0]! ** 2 + line[1]! ** 2 + line[2]! ** 2;
  const along = v[0]! * line[0]! + v[1]! * line[1]! + v[2]! * line[2]!;
  return v[c]! - (squared > 0 ? (along / squared) * line[c]! : 0);
}
