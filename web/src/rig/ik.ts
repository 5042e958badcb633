// IK handles as Maya's rotate-plane solver turns their chains (docs/formats/cast.md, section 3.6): bend, aim, turn about the line to the target.
import { eulerX, fromAxisAngle, fromDirections, invert, multiply, rotateVector } from '../core/math/quaternion.ts';
import { length3 } from '../core/math/vector.ts';
import { Chain, sideways } from './chain.ts';
import { directionOf, intoSpace, localRotation, pointOf, positionOf, rotationOf } from './frame.ts';
import type { Pose } from './pose.ts';
import type { WorldMatrices } from './world.ts';

export interface HandleDesign {
  name: string;
  /** Rows from the start bone to the end bone, each below the one before it; two at least. */
  chain: readonly number[];
  /** The row whose space the goal lies in: the target bone, or what holds the skeleton where there is none. */
  target: number;
  /** Where the goal lies in that space. */
  offset: readonly number[];
  /** The bone whose local place is the pole vector, a direction in the space of the target from the start bone on; -1: none, the plane of the rest pose stays. */
  poleVector: number;
  /** The bone whose turn about its x axis twists the chain; -1: none. */
  poleBone: number;
  /** The end bone is turned as the target is. */
  turnsEnd: boolean;
}

/** Where scales are not equal on all axes, lengths change as bones turn: the chain is solved again from what it has come to, while that helps. */
const MOST_ROUNDS = 8;
/** Near enough, as a part of the chain's length. */
const NEAR = 1e-7;

export class IkHandle {
  readonly kind = 'ik';
  isOn = true;
  readonly design: HandleDesign;
  readonly #chain: Chain;
  /** The joints before they are moved. */
  readonly #before: Float64Array;
  /** How the chain's bones are turned then, 4 numbers each. */
  readonly #turned: Float64Array;

  constructor(design: HandleDesign) {
    this.design = design;
    this.#chain = new Chain(design.chain.length - 1);
    this.#before = new Float64Array(this.#chain.joints.length);
    this.#turned = new Float64Array(4 * design.chain.length);
  }

  get name(): string {
    return this.design.name;
  }

  /** Curves of the chain do not count: it begins at rest, as Maya's importer moves its rotations into the joints' orientation. */
  solve(pose: Pose, world: WorldMatrices): void {
    const { chain, target, turnsEnd } = this.design;
    const { rotations: rest } = pose.shape.scene.nodes;
    const end = chain[chain.length - 1]!;
    for (let i = 0; i < chain.length - 1; i++) for (let c = 0; c < 4; c++) pose.rotations[4 * chain[i]! + c] = rest[4 * chain[i]! + c]!;
    world.touch(chain[0]!);
    for (let round = 0, last = Infinity; round < MOST_ROUNDS; round++) {
      const missing = this.#read(pose, world);
      if (round > 0 ? !(missing > NEAR && missing < 0.9 * last) : Number.isNaN(missing)) break;
      last = missing;
      this.#plan(pose, world.matrices, round === 0);
      this.#turn(pose);
      world.touch(chain[0]!);
    }
    if (!turnsEnd) return;
    world.reach(pose, end);
    world.reach(pose, target);
    rotationOf(world.matrices, target, pose.scales, wanted);
    rotationOf(world.matrices, end, pose.scales, now);
    localRotation(pose.rotations, 4 * end, now, pose.rotations, 4 * end, wanted);
    world.touch(end);
  }

  /**
   * Where chain and goal are, in the space in which the first bone turns: there lengths stay as it turns, whatever scales lie above. How far chain and goal are
   * apart, as a part of the chain's length; NaN where that space has no volume.
   */
  #read(pose: Pose, world: WorldMatrices): number {
    const { chain, target, offset } = this.design;
    const { matrices } = world;
    world.reach(pose, chain[chain.length - 1]!);
    world.reach(pose, target);
    spaceOf(pose, matrices, chain[0]!);
    pointOf(matrices, target, offset, line);
    if (!intoSpace(space, 0, line, line)) return NaN;
    let length = 0;
    for (let i = 0; i < chain.length; i++) {
      const at = 4 * chain[i]!;
      if (i === 0) for (let c = 0; c < 4; c++) this.#turned[c] = pose.rotations[at + c]!;
      else multiply(this.#turned, 4 * i, this.#turned, 4 * i - 4, pose.rotations, at);
      positionOf(matrices, chain[i]!, v);
      intoSpace(space, 0, v, v);
      this.#before.set(v, 3 * i);
      if (i > 0) length += segment(this.#before, i - 1, point);
    }
    this.#chain.joints.set(this.#before);
    return length > 0 ? length3(line[0]! - v[0]!, line[1]! - v[1]!, line[2]! - v[2]!) / length : 0;
  }

  /** Bends the chain, and finds the turn of all of it (`whole`): towards the goal, its plane towards the pole vector, twisted. */
  #plan(pose: Pose, matrices: Float64Array, isFirst: boolean): void {
    const { target, poleVector, poleBone } = this.design;
    const { joints, segments } = this.#chain;
    pole.fill(0);
    if (poleVector >= 0) {
      for (let c = 0; c < 3; c++) v[c] = pose.translations[3 * poleVector + c]!;
      directionOf(matrices, target, v, pole);
      for (let c = 0; c < 3; c++) pole[c]! += space[12 + c]!;
      intoSpace(space, 0, pole, pole);
    }
    for (let c = 0; c < 3; c++) v[c] = joints[3 * segments + c]! - joints[c]!;
    sideways(side, v, pole);
    const wasBent = this.#chain.bulge(bow);
    this.#chain.reach(length3(line[0]!, line[1]!, line[2]!), side);
    const isBent = this.#chain.bulge(v);
    if (isBent) bow.set(v);
    for (let c = 0; c < 3; c++) v[c] = joints[3 * segments + c]! - joints[c]!;
    fromDirections(whole, v, line);
    const hasPole = poleVector >= 0 && (wasBent || isBent);
    if (hasPole) {
      rotateVector(bow, 0, whole);
      fromAxisAngle(turn, line[0]!, line[1]!, line[2]!, angleAbout(line, bow, pole));
      multiply(whole, 0, turn, 0, whole, 0);
    }
    if (poleBone < 0 || !(isFirst || hasPole)) return;
    fromAxisAngle(turn, line[0]!, line[1]!, line[2]!, eulerX(pose.rotations, 4 * poleBone));
    multiply(whole, 0, turn, 0, whole, 0);
  }

  /** Turns every bone from its old segment to its new one, the shortest way, and the first by `whole` on top. */
  #turn({ rotations }: Pose): void {
    const { chain } = this.design;
    so.set(identity);
    for (let i = 0; i < chain.length - 1; i++) {
      for (let c = 0; c < 4; c++) now[c] = this.#turned[4 * i + c]!;
      segment(this.#before, i, v);
      rotateVector(v, 0, so);
      segment(this.#chain.joints, i, point);
      fromDirections(turn, v, point);
      // As things were: what is above has turned by `so` since.
      multiply(wanted, 0, so, 0, now, 0);
      multiply(wanted, 0, turn, 0, wanted, 0);
      invert(back, so);
      multiply(wanted, 0, i === 0 ? whole : back, 0, wanted, 0);
      localRotation(rotations, 4 * chain[i]!, now, rotations, 4 * chain[i]!, wanted);
      multiply(so, 0, turn, 0, so, 0);
    }
  }
}

/** `space` becomes that in which a bone turns: its matrix without its own scale and rotation. */
function spaceOf({ rotations, scales }: Pose, matrices: Float64Array, row: number): void {
  for (let c = 0; c < 4; c++) back[c] = c < 3 ? -rotations[4 * row + c]! : rotations[4 * row + c]!;
  for (let axis = 0; axis < 3; axis++) {
    v.fill(0);
    v[axis] = 1;
    rotateVector(v, 0, back);
    for (let c = 0; c < 3; c++) v[c]! /= scales[3 * row + c]! || 1;
    directionOf(matrices, row, v, point);
    space.set(point, 4 * axis);
  }
  positionOf(matrices, row, point);
  space.set(point, 12);
}

const identity = Float64Array.of(0, 0, 0, 1);
/** A matrix as those of the world. */
const space = new Float64Array(16);
const point = new Float64Array(3);
/** From the first joint, which lies at the origin, to the goal. */
const line = new Float64Array(3);
const pole = new Float64Array(3);
const side = new Float64Array(3);
const bow = new Float64Array(3);
const v = new Float64Array(3);
const now = new Float64Array(4);
const wanted = new Float64Array(4);
const whole = new Float64Array(4);
const turn = new Float64Array(4);
const so = new Float64Array(4);
const back = new Float64Array(4);

/** From joint i to the next; its length. */
function segment(joints: Float64Array, i: number, result: Float64Array): number {
  for (let c = 0; c < 3; c++) result[c] = joints[3 * i + 3 + c]! - joints[3 * i + c]!;
  return length3(result[0]!, result[1]!, result[2]!);
}

/** The angle about a line that turns the plane of one direction into that of another; 0 where one lies on the line. */
function angleAbout(line: Float64Array, from: Float64Array, to: Float64Array): number {
  const length = length3(line[0]!, line[1]!, line[2]!);
  if (!(length > 0)) return 0;
  let a = 0;
  let b = 0;
  for (let c = 0; c < 3; c++) {
    a += (from[c]! * line[c]!) / length;
    b += (to[c]! * line[c]!) / length;
  }
  let cosine = 0;
  for (let c = 0; c < 3; c++) cosine += (from[c]! - (a * line[c]!) / length) * (to[c]! - (b * line[c]!) / length);
  const sine =
    (line[0]! * (from[1]! * to[2]! - from[2]! * to[1]!) +
      line[1]! * (from[2]! * to[0]! - from[0]! * to[2]!) +
      line[2]! * (from[0]! * to[1]! - from[1]! * to[0]!)) /
    length;
  const size = length3(to[0]!, to[1]!, to[2]!);
  const across = Math.sqrt(Math.max(size * size - b * b, 0));
  return across > 1e-6 * size ? Math.atan2(sine, cosine) : 0;
}
