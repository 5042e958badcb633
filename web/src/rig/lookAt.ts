// Eyes and head that look at something, by VRM's rules: the direction as seen from the head, as an angle to the side and one up; a range for each says how
// far the eyes go along. They turn bones, or show expressions. Rules: docs/formats/vgo.md, section 12.1.
import {
  fromAxisAngle,
  invert,
  inverted,
  multiplied,
  multiply,
  quat,
  type Quaternion,
  rotated,
  rotateVector,
} from '../core/math/quaternion.ts';
import { add, cross, length3, subtract, type Vector } from '../core/math/vector.ts';
import { member, numbersIn, textIn } from '../core/properties.ts';
import { restOf } from '../core/rest.ts';
import type { Properties, RigScene } from '../core/types.ts';
import type { Solver } from './animator.ts';
import { bodyFrame } from './bodyFrame.ts';
import type { FaceRules } from './faceRules.ts';
import { localRotation, positionOf, rotationOf } from './frame.ts';
import { humanoidOf } from './humanoid.ts';
import type { Pose } from './pose.ts';
import type { WorldMatrices } from './world.ts';

/** From how many degrees on the eyes go no farther, and how far they have gone then: degrees of bones, weights of expressions. */
export interface LookRange {
  input: number;
  output: number;
}

export interface LookDesign {
  /** What moves the eyes. Where there are neither bones nor expressions for it, the head alone can turn. */
  kind: 'bone' | 'expression' | 'none';
  head: number;
  /** -1: none. */
  neck: number;
  eyes: readonly { row: number; isLeft: boolean }[];
  /** Between the eyes, as seen from the head at rest, in the axes of the scene. */
  offset: Vector;
  /** To the nose, away from it, up and down. Expressions have one range for both sides: `outer`. */
  ranges: Readonly<Record<'inner' | 'outer' | 'up' | 'down', LookRange>>;
}

interface Eye {
  row: number;
  isLeft: boolean;
  /** At rest: of what it hangs on, the way back; of itself. */
  above: Quaternion;
  below: Quaternion;
}

/** Where a file says nothing: as far as eyes of avatars without ranges of their own go. */
const USUAL = {
  bone: {
    inner: { input: 90, output: 8 },
    outer: { input: 90, output: 12 },
    up: { input: 90, output: 10 },
    down: { input: 90, output: 10 },
  },
  expression: {
    inner: { input: 90, output: 1 },
    outer: { input: 90, output: 1 },
    up: { input: 90, output: 1 },
    down: { input: 90, output: 1 },
  },
} as const;

/** Radians that head and neck together turn at most. */
const MOST_YAW = 1.05;
const MOST_PITCH = 0.6;
const DEGREE = Math.PI / 180;
/** Radians nobody sees: who lags behind has arrived. */
const ARRIVED = 1e-4;

const LOOKS = ['lookLeft', 'lookRight', 'lookUp', 'lookDown'] as const;

/** How the body in a scene looks at something; null where there is no head that is known to be one. */
export function lookDesignOf(scene: RigScene): LookDesign | null {
  const human = humanoidOf(scene);
  const head = human?.bones.get('head');
  if (!human || head === undefined) return null;
  const told = scene.features.find(({ kind }) => kind === 'lookAt')?.properties;
  const eyes = (['left', 'right'] as const).flatMap(side => {
    const row = human.bones.get(`${side}Eye`);
    return row === undefined ? [] : [{ row, isLeft: side === 'left' }];
  });
  const hasLooks = scene.expressions.some(({ preset, bindings }) => LOOKS.some(look => look === preset) && bindings.length > 0);
  const wanted = textIn(told, 'type');
  const kind = wanted === 'expression' && hasLooks ? 'expression' : eyes.length > 0 ? 'bone' : hasLooks ? 'expression' : 'none';
  const neck = human.bones.get('neck') ?? -1;
  return { kind, head, neck: neck === head ? -1 : neck, eyes, offset: offsetOf(scene, told, head, eyes), ranges: rangesOf(told, kind) };
}

function offsetOf(scene: RigScene, told: Properties | undefined, head: number, eyes: LookDesign['eyes']): Vector {
  const { places, turns } = restOf(scene.nodes);
  if (member(told, 'offset') !== undefined) return rotated(numbersIn(told, 'offset', [0, 0, 0]) as Vector, turns[head]!);
  if (eyes.length === 0) return [0, 0, 0];
  const middle = eyes.map(({ row }) => places[row]!).reduce(add);
  return subtract(middle.map(value => value / eyes.length) as Vector, places[head]!);
}

function rangesOf(told: Properties | undefined, kind: LookDesign['kind']): LookDesign['ranges'] {
  const usual = USUAL[kind === 'expression' ? 'expression' : 'bone'];
  const one = (name: keyof typeof usual): LookRange => {
    const { input, output } = usual[name];
    const [from, to] = numbersIn(told, name, [input, output]) as [number, number];
    const isSound = from > 0 && from < Infinity && to >= 0 && to < Infinity;
    return isSound ? { input: from, output: to } : { input, output };
  };
  return { inner: one('inner'), outer: one('outer'), up: one('up'), down: one('down') };
}

/**
 * Turns the eyes, and the head as far as `headShare` says, to `target`. Eyes are turned from how they rest, whatever a motion does to them; the head on top of what
 * moves it. Nothing is written while there is no target.
 */
export class LookAt implements Solver {
  readonly stage = 'lookAt';
  readonly design: LookDesign;
  /** In the space of the scene, metres; null: nothing. */
  target: Vector | null = null;
  /** 0 to 1: how much of the way head and neck turn. */
  headShare = 0;
  /** Seconds in which most of the way is gone when the target jumps; 0: at once. */
  lag = 0;
  readonly #face: FaceRules | null;
  /** The way back from how the head is turned at rest; where the eyes are then. */
  readonly #rest: Quaternion;
  readonly #origin: Vector;
  readonly #left: Vector;
  readonly #up: Vector;
  readonly #forward: Vector;
  readonly #eyes: readonly Eye[];
  /** Radians to the left and up; how far the target is. */
  #yaw = 0;
  #pitch = 0;
  #distance = 1;
  #isActive = false;
  #isMoving = false;

  /** Null where there is no head to look with. `face`: what shows expressions; without, only bones look. */
  static of(scene: RigScene, face: FaceRules | null = null): LookAt | null {
    const design = lookDesignOf(scene);
    return design && new LookAt(scene, design, face);
  }

  constructor(scene: RigScene, design: LookDesign, face: FaceRules | null = null) {
    this.design = design;
    this.#face = face;
    const rest = restOf(scene.nodes);
    const { up, forward } = bodyFrame(humanoidOf(scene)!, rest);
    this.#up = up;
    this.#forward = forward;
    this.#left = cross(up, forward);
    this.#rest = inverted(rest.turns[design.head]!);
    this.#origin = add(rest.places[design.head]!, design.offset);
    this.#eyes = design.eyes.map(({ row, isLeft }) => {
      const parent = scene.nodes.parents[row]!;
      const above = parent < 0 ? ([0, 0, 0, 1] as Quaternion) : rest.turns[parent]!;
      return {
        row,
        isLeft,
        above: inverted(above),
        below: multiplied(above, [...scene.nodes.rotations.subarray(4 * row, 4 * row + 4)] as Quaternion),
      };
    });
  }

  /** A place before the eyes at rest, so many radians to their left and up. */
  placeAt(yaw: number, pitch: number): Vector {
    turnTo(turn, this.#left, this.#up, yaw, pitch);
    const way: Vector = [...this.#forward];
    rotateVector(way, 0, turn);
    return add(this.#origin, way);
  }

  /** Rows whose rotation it writes. */
  get rows(): number[] {
    const { head, neck, eyes, kind } = this.design;
    return [...(neck < 0 ? [] : [neck]), head, ...(kind === 'bone' ? eyes.map(({ row }) => row) : [])];
  }

  /** The target was not where it is now when it was solved last, or the eyes lag behind. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  solve(pose: Pose, world: WorldMatrices, seconds: number): void {
    const { yaw, pitch } = this.#aim(pose, world);
    const share = this.lag > 0 ? (seconds > 0 ? 1 - Math.exp(-seconds / this.lag) : 0) : 1;
    const [dy, dp] = [share * (yaw - this.#yaw), share * (pitch - this.#pitch)];
    this.#isMoving = Math.abs(dy) + Math.abs(dp) > ARRIVED;
    this.#yaw += dy;
    this.#pitch += dp;
    const isOver = this.target === null && (share === 1 || !this.#isMoving);
    if (isOver) this.#yaw = this.#pitch = 0;
    if (isOver && !this.#isActive) return;
    this.#isActive = !isOver;
    if (isOver) return this.#show(0, 0);
    this.#point(pose, world);
  }

  /** Where the target is, as seen from the head as it is turned now. */
  #aim(pose: Pose, world: WorldMatrices): typeof angles {
    angles.yaw = angles.pitch = 0;
    world.touch(0);
    this.#see(pose, world);
    if (this.target === null) return angles;
    for (let c = 0; c < 3; c++) sight[c] = this.target[c]! - eye[c]!;
    this.#distance = length3(sight[0]!, sight[1]!, sight[2]!) || 1;
    invert(inverse, frame);
    rotateVector(sight, 0, inverse);
    return this.#measure();
  }

  /** Where the eyes are, and how the head is turned away from rest. */
  #see(pose: Pose, world: WorldMatrices): void {
    const { head, offset } = this.design;
    world.reach(pose, head);
    rotationOf(world.matrices, head, pose.scales, frame);
    multiply(frame, 0, frame, 0, this.#rest, 0);
    for (let c = 0; c < 3; c++) eye[c] = offset[c]!;
    rotateVector(eye, 0, frame);
    positionOf(world.matrices, head, place);
    for (let c = 0; c < 3; c++) eye[c]! += place[c]!;
  }

  #measure(): typeof angles {
    const left = along(this.#left);
    const up = along(this.#up);
    const forward = along(this.#forward);
    angles.yaw = Math.atan2(left, forward);
    angles.pitch = Math.atan2(up, length3(left, forward, 0));
    return angles;
  }

  #point(pose: Pose, world: WorldMatrices): void {
    // A point on the way to the target, which the eyes look at from wherever the head has taken them.
    turnTo(turn, this.#left, this.#up, this.#yaw, this.#pitch);
    multiply(turn, 0, frame, 0, turn, 0);
    for (let c = 0; c < 3; c++) goal[c] = this.#forward[c]! * this.#distance;
    rotateVector(goal, 0, turn);
    for (let c = 0; c < 3; c++) goal[c]! += eye[c]!;
    if (this.headShare > 0) this.#turnHead(pose, world);
    for (let c = 0; c < 3; c++) sight[c] = goal[c]! - eye[c]!;
    invert(inverse, frame);
    rotateVector(sight, 0, inverse);
    const { yaw, pitch } = this.#measure();
    this.#show(yaw, pitch);
    if (this.design.kind === 'bone')
      for (let i = 0; i < this.#eyes.length; i++) this.#turnEye(this.#eyes[i]!, pose, world, yaw / DEGREE, pitch / DEGREE);
  }

  #turnHead(pose: Pose, world: WorldMatrices): void {
    const { head, neck } = this.design;
    const parts = neck < 0 ? 1 : 2;
    const share = Math.min(this.headShare, 1) / parts;
    const yaw = share * Math.min(Math.max(this.#yaw, -MOST_YAW), MOST_YAW);
    const pitch = share * Math.min(Math.max(this.#pitch, -MOST_PITCH), MOST_PITCH);
    turnTo(turn, this.#left, this.#up, yaw, pitch);
    multiply(turn, 0, frame, 0, turn, 0);
    invert(inverse, frame);
    multiply(turn, 0, turn, 0, inverse, 0);
    for (let i = 0; i < parts; i++) {
      const row = i === parts - 1 ? head : neck;
      world.reach(pose, row);
      rotationOf(world.matrices, row, pose.scales, inverse);
      multiply(wanted, 0, turn, 0, inverse, 0);
      localRotation(pose.rotations, 4 * row, inverse, pose.rotations, 4 * row, wanted);
      world.touch(row);
    }
    this.#see(pose, world);
  }

  #turnEye({ row, isLeft, above, below }: Eye, pose: Pose, world: WorldMatrices, yaw: number, pitch: number): void {
    const { inner, outer, up, down } = this.design.ranges;
    const toSide = reached(yaw > 0 === isLeft ? outer : inner, Math.abs(yaw)) * DEGREE;
    const toTop = reached(pitch > 0 ? up : down, Math.abs(pitch)) * DEGREE;
    turnTo(wanted, this.#left, this.#up, yaw > 0 ? toSide : -toSide, pitch > 0 ? toTop : -toTop);
    multiply(wanted, 0, wanted, 0, below, 0);
    multiply(pose.rotations, 4 * row, above, 0, wanted, 0);
    world.touch(row);
  }

  #show(yaw: number, pitch: number): void {
    if (this.design.kind !== 'expression' || !this.#face) return;
    const { outer, up, down } = this.design.ranges;
    this.#face.drive('lookLeft', reached(outer, yaw / DEGREE));
    this.#face.drive('lookRight', reached(outer, -yaw / DEGREE));
    this.#face.drive('lookUp', reached(up, pitch / DEGREE));
    this.#face.drive('lookDown', reached(down, -pitch / DEGREE));
  }
}

const reached = ({ input, output }: LookRange, angle: number): number => output * Math.min(Math.max(angle / input, 0), 1);

const angles = { yaw: 0, pitch: 0 };
const frame = new Float64Array(4);
const inverse = quat();
const turn = new Float64Array(4);
const wanted = new Float64Array(4);
const eye = new Float64Array(3);
const place = new Float64Array(3);
const goal = new Float64Array(3);
const sight = new Float64Array(3);
const tilt = new Float64Array(4);

const along = (axis: Vector): number => sight[0]! * axis[0] + sight[1]! * axis[1] + sight[2]! * axis[2];

/** To the left about the axis that points up, after going up about the one that points to the left. */
function turnTo(result: Float64Array, left: Vector, up: Vector, yaw: number, pitch: number): void {
  fromAxisAngle(tilt, left[0], left[1], left[2], -pitch);
  fromAxisAngle(result, up[0], up[1], up[2], yaw);
  multiply(result, 0, result, 0, tilt, 0);
}
