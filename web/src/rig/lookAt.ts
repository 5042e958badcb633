// Look-at by VRM's rules: turns eyes and head to a target. The direction to the target is split
// into yaw and pitch in the space of the head, and a range for each limits how far the eyes rotate.
// Eyes are bones or expressions. Rules: docs/formats/vgo.md, section 12.1.
import {
  fromAxisAngle,
  IDENTITY,
  invert,
  inverted,
  multiply,
  quat,
  type Quaternion,
  rotated,
  rotateVector,
} from '../core/math/quaternion.ts';
import {
  add,
  addScaled,
  copyVector,
  cross,
  dot,
  length,
  length3,
  multiplyScalar,
  scale,
  setDifference,
  subtract,
  vec3,
  type Vector,
} from '../core/math/vector.ts';
import { member, numbersIn, textIn } from '../core/properties.ts';
import { restPoseOf } from '../core/restPose.ts';
import { parentOf } from '../core/tree.ts';
import type { Properties, RigScene } from '../core/types.ts';
import type { Solver } from './animator.ts';
import { bodyFrame } from './bodyFrame.ts';
import type { ExpressionRules } from './expressionRules.ts';
import { localRotation, positionOf, rotationOf } from './frame.ts';
import { humanoidOf } from './humanoid.ts';
import type { Pose } from './pose.ts';
import type { WorldMatrices } from './world.ts';

/**
 * Maps an angle of the target, degrees, to that of an eye: `input` and larger angles give `output`,
 * in degrees of bones or weights of expressions.
 */
export interface LookRange {
  input: number;
  output: number;
}

export interface LookDesign {
  /** How the eyes are rotated. With `none`, only the head turns. */
  kind: 'bone' | 'expression' | 'none';
  head: number;
  /** Row of the neck; -1 if there is none. */
  neck: number;
  eyes: readonly { row: number; isLeft: boolean }[];
  /** Vector from the head to the middle between the eyes at rest, in the axes of the scene. */
  offset: Vector;
  /** Ranges towards the nose, away from it, up and down. Expressions use `outer` for both sides. */
  ranges: Readonly<Record<'inner' | 'outer' | 'up' | 'down', LookRange>>;
}

interface Eye {
  row: number;
  isLeft: boolean;
  /**
   * Inverse rotation of the parent at rest, and rotation of the eye at rest, both in the space of
   * the scene.
   */
  inverseParent: Quaternion;
  rest: Quaternion;
}

/** Ranges for files that declare none: typical values of avatars. */
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

/** Largest rotation of head and neck together, radians. */
const MOST_YAW = 1.05;
const MOST_PITCH = 0.6;
const DEGREE = Math.PI / 180;
/** Smaller changes of the direction, radians, count as no movement. */
const ARRIVED = 1e-4;

const LOOKS = ['lookLeft', 'lookRight', 'lookUp', 'lookDown'] as const;

/**
 * Returns how the humanoid of a scene looks at a target; null if no bone is known to be the head.
 */
export function lookDesignOf(scene: RigScene): LookDesign | null {
  const human = humanoidOf(scene);
  const head = human?.bones.get('head');
  if (!human || head === undefined) return null;
  const declared = scene.features.find(({ kind }) => kind === 'lookAt')?.properties;
  const eyes = (['left', 'right'] as const).flatMap(side => {
    const row = human.bones.get(`${side}Eye`);
    return row === undefined ? [] : [{ row, isLeft: side === 'left' }];
  });
  const hasLooks = scene.expressions.some(({ preset, bindings }) => LOOKS.some(look => look === preset) && bindings.length > 0);
  const wanted = textIn(declared, 'type');
  const kind = wanted === 'expression' && hasLooks ? 'expression' : eyes.length > 0 ? 'bone' : hasLooks ? 'expression' : 'none';
  const neck = human.bones.get('neck') ?? -1;
  return {
    kind,
    head,
    neck: neck === head ? -1 : neck,
    eyes,
    offset: offsetOf(scene, declared, head, eyes),
    ranges: rangesOf(declared, kind),
  };
}

function offsetOf(scene: RigScene, declared: Properties | undefined, head: number, eyes: LookDesign['eyes']): Vector {
  const rest = restPoseOf(scene.nodes);
  if (member(declared, 'offset') !== undefined) return rotated(numbersIn(declared, 'offset', [0, 0, 0]) as Vector, rest.rotation(head));
  if (eyes.length === 0) return [0, 0, 0];
  const sum = eyes.map(({ row }) => rest.position(row)).reduce(add);
  return subtract(scale(sum, 1 / eyes.length), rest.position(head));
}

function rangesOf(declared: Properties | undefined, kind: LookDesign['kind']): LookDesign['ranges'] {
  const usual = USUAL[kind === 'expression' ? 'expression' : 'bone'];
  const one = (name: keyof typeof usual): LookRange => {
    const { input, output } = usual[name];
    const [from, to] = numbersIn(declared, name, [input, output]) as [number, number];
    const isSound = from > 0 && from < Infinity && to >= 0 && to < Infinity;
    return isSound ? { input: from, output: to } : { input, output };
  };
  return { inner: one('inner'), outer: one('outer'), up: one('up'), down: one('down') };
}

/**
 * Turns the eyes to `target`, and the head by `headShare`. The rotation of the eyes replaces that
 * of the layers, while the rotation of the head is added to theirs. Without a target the pose
 * doesn't change.
 */
export class LookAt implements Solver {
  readonly stage = 'lookAt';
  readonly design: LookDesign;
  /** Position in the space of the scene, metres; null if there is no target. */
  target: Vector | null = null;
  /** Share of the angle by which head and neck turn, 0 to 1. */
  headShare = 0;
  /**
   * Time constant of the eyes and head, seconds: after it 63 % of a change is done. 0 disables the
   * delay.
   */
  lag = 0;
  readonly #face: ExpressionRules | null;
  /** Inverse rotation of the head at rest, and position between the eyes at rest. */
  readonly #inverseRest: Quaternion;
  readonly #origin: Vector;
  /** Axes of the body at rest, in the space of the scene. */
  readonly #left: Vector;
  readonly #up: Vector;
  readonly #forward: Vector;
  readonly #eyes: readonly Eye[];
  /** Current direction, radians to the left and up, and distance to the target in metres. */
  #yaw = 0;
  #pitch = 0;
  #distance = 1;
  #isActive = false;
  #isMoving = false;

  /**
   * Returns null if the scene has no head. `face` applies expressions; without it, only bones are
   * rotated.
   */
  static of(scene: RigScene, face: ExpressionRules | null = null): LookAt | null {
    const design = lookDesignOf(scene);
    return design && new LookAt(scene, design, face);
  }

  constructor(scene: RigScene, design: LookDesign, face: ExpressionRules | null = null) {
    this.design = design;
    this.#face = face;
    const rest = restPoseOf(scene.nodes);
    const human = humanoidOf(scene);
    if (!human) throw new TypeError('LookAt: the scene has no humanoid');
    const { up, forward } = bodyFrame(human, rest);
    this.#up = up;
    this.#forward = forward;
    this.#left = cross(up, forward);
    this.#inverseRest = inverted(rest.rotation(design.head));
    this.#origin = add(rest.position(design.head), design.offset);
    this.#eyes = design.eyes.map(({ row, isLeft }) => {
      const parent = parentOf(scene.nodes, row);
      return { row, isLeft, inverseParent: inverted(parent < 0 ? IDENTITY : rest.rotation(parent)), rest: rest.rotation(row) };
    });
  }

  /**
   * Returns a position one metre in front of the eyes at rest, in a direction given by radians to
   * their left and up.
   */
  positionAt(yaw: number, pitch: number): Vector {
    fromYawPitch(rotation, this.#left, this.#up, yaw, pitch);
    const direction: Vector = [...this.#forward];
    rotateVector(direction, 0, rotation);
    return add(this.#origin, direction);
  }

  /** Rows whose rotations the solver writes. */
  get rows(): number[] {
    const { head, neck, eyes, kind } = this.design;
    return [...(neck < 0 ? [] : [neck]), head, ...(kind === 'bone' ? eyes.map(({ row }) => row) : [])];
  }

  /** True if the direction changed when it was last solved, or if the eyes are still delayed. */
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

  /** Returns the direction to the target in the space of the head. */
  #aim(pose: Pose, world: WorldMatrices): typeof angles {
    angles.yaw = angles.pitch = 0;
    world.touch(0);
    this.#readHead(pose, world);
    if (this.target === null) return angles;
    setDifference(sight, this.target, 0, eye, 0);
    this.#distance = length(sight) || 1;
    invert(inverse, headRotation);
    rotateVector(sight, 0, inverse);
    return this.#measure();
  }

  /**
   * Writes `eye`, the position between the eyes, and `headRotation`, the rotation of the head away
   * from rest.
   */
  #readHead(pose: Pose, world: WorldMatrices): void {
    const { head, offset } = this.design;
    world.reach(pose, head);
    rotationOf(world.matrices, head, pose.scales, headRotation);
    multiply(headRotation, 0, headRotation, 0, this.#inverseRest, 0);
    copyVector(eye, 0, offset, 0);
    rotateVector(eye, 0, headRotation);
    positionOf(world.matrices, head, position);
    addScaled(eye, 0, position, 1);
  }

  /** Returns the angles of `sight`. */
  #measure(): typeof angles {
    const left = dot(sight, this.#left);
    const up = dot(sight, this.#up);
    const forward = dot(sight, this.#forward);
    angles.yaw = Math.atan2(left, forward);
    angles.pitch = Math.atan2(up, length3(left, forward, 0));
    return angles;
  }

  #point(pose: Pose, world: WorldMatrices): void {
    // The eyes look at a fixed point in the current direction, from wherever the rotation of the
    // head has moved them.
    fromYawPitch(rotation, this.#left, this.#up, this.#yaw, this.#pitch);
    multiply(rotation, 0, headRotation, 0, rotation, 0);
    copyVector(goal, 0, this.#forward, 0);
    multiplyScalar(goal, this.#distance);
    rotateVector(goal, 0, rotation);
    addScaled(goal, 0, eye, 1);
    if (this.headShare > 0) this.#turnHead(pose, world);
    setDifference(sight, goal, 0, eye, 0);
    invert(inverse, headRotation);
    rotateVector(sight, 0, inverse);
    const { yaw, pitch } = this.#measure();
    this.#show(yaw, pitch);
    if (this.design.kind !== 'bone') return;
    for (const eachEye of this.#eyes) this.#turnEye(eachEye, pose, world, yaw / DEGREE, pitch / DEGREE);
  }

  #turnHead(pose: Pose, world: WorldMatrices): void {
    const { head, neck } = this.design;
    const parts = neck < 0 ? 1 : 2;
    const share = Math.min(this.headShare, 1) / parts;
    const yaw = share * Math.min(Math.max(this.#yaw, -MOST_YAW), MOST_YAW);
    const pitch = share * Math.min(Math.max(this.#pitch, -MOST_PITCH), MOST_PITCH);
    fromYawPitch(rotation, this.#left, this.#up, yaw, pitch);
    multiply(rotation, 0, headRotation, 0, rotation, 0);
    invert(inverse, headRotation);
    multiply(rotation, 0, rotation, 0, inverse, 0);
    for (let i = 0; i < parts; i++) {
      const row = i === parts - 1 ? head : neck;
      world.reach(pose, row);
      rotationOf(world.matrices, row, pose.scales, inverse);
      multiply(wanted, 0, rotation, 0, inverse, 0);
      localRotation(pose.rotations, 4 * row, inverse, pose.rotations, 4 * row, wanted);
      world.touch(row);
    }
    this.#readHead(pose, world);
  }

  #turnEye({ row, isLeft, inverseParent, rest }: Eye, pose: Pose, world: WorldMatrices, yaw: number, pitch: number): void {
    const { inner, outer, up, down } = this.design.ranges;
    const toSide = reached(yaw > 0 === isLeft ? outer : inner, Math.abs(yaw)) * DEGREE;
    const toTop = reached(pitch > 0 ? up : down, Math.abs(pitch)) * DEGREE;
    fromYawPitch(wanted, this.#left, this.#up, yaw > 0 ? toSide : -toSide, pitch > 0 ? toTop : -toTop);
    multiply(wanted, 0, wanted, 0, rest, 0);
    multiply(pose.rotations, 4 * row, inverseParent, 0, wanted, 0);
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
const headRotation = quat();
const inverse = quat();
const rotation = quat();
const wanted = quat();
const eye = vec3();
const position = vec3();
const goal = vec3();
const sight = vec3();
const tilt = quat();

/**
 * Writes a rotation upwards about the axis `left`, followed by one to the left about the axis `up`.
 */
function fromYawPitch(result: Float64Array, left: Vector, up: Vector, yaw: number, pitch: number): void {
  fromAxisAngle(tilt, left[0], left[1], left[2], -pitch);
  fromAxisAngle(result, up[0], up[1], up[2], yaw);
  multiply(result, 0, result, 0, tilt, 0);
}
