// Look-at solver that follows the rules of VRM (docs/formats/vgo.md, section 12.1). The direction
// from the eyes to the target is split into yaw and pitch in head space. A range map converts both
// angles to rotations of the eye bones or to weights of expressions. The head can turn to the
// target too.
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
import { invalidArgument } from '../core/error.ts';
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
 * Linear map from the target's angle to the rotation of an eye bone in degrees, or to the weight of
 * an expression. Angles from 0 to `input` degrees are mapped to 0 to `output`; larger angles to
 * `output`.
 */
export interface LookRange {
  input: number;
  output: number;
}

/**
 * Settings of look-at, as the file declares them or with default ranges.
 *
 * @experimental
 */
export interface LookDesign {
  /** How the eyes are moved: by bones or by expressions. With `none`, only the head rotates. */
  kind: 'bone' | 'expression' | 'none';
  /** Row of the head bone. */
  head: number;
  /** Row of the neck bone; -1 if the humanoid has no neck. */
  neck: number;
  eyes: readonly { row: number; isLeft: boolean }[];
  /** Vector from the head bone to the midpoint between the eyes in the rest pose, in scene axes. */
  offset: Vector;
  /**
   * Range maps for looking towards the nose (inner), away from the nose (outer), up and down.
   * Expressions use `outer` for both left and right.
   */
  ranges: Readonly<Record<'inner' | 'outer' | 'up' | 'down', LookRange>>;
}

interface Eye {
  row: number;
  isLeft: boolean;
  /**
   * World rotations of an eye bone in the rest pose: the inverse of its parent's rotation, and its
   * own rotation.
   */
  inverseParent: Quaternion;
  rest: Quaternion;
}

/** Range maps for files that declare none. The values are typical for avatars. */
const DEFAULT_RANGES = {
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

/** Maximum yaw and pitch in radians of head and neck together. */
const MAX_YAW = 1.05;
const MAX_PITCH = 0.6;
const DEGREE = Math.PI / 180;
/** Minimum change of the look direction, in radians, that counts as movement. */
const MIN_MOVEMENT = 1e-4;

const LOOK_PRESETS = ['lookLeft', 'lookRight', 'lookUp', 'lookDown'] as const;

/**
 * Returns the look-at settings of a scene, or null if the scene has no humanoid with a head.
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
  const hasLookPresets = scene.expressions.some(
    ({ preset, bindings }) => LOOK_PRESETS.some(look => look === preset) && bindings.length > 0,
  );
  const wanted = textIn(declared, 'type');
  const kind = wanted === 'expression' && hasLookPresets ? 'expression' : eyes.length > 0 ? 'bone' : hasLookPresets ? 'expression' : 'none';
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
  const defaults = DEFAULT_RANGES[kind === 'expression' ? 'expression' : 'bone'];
  const one = (name: keyof typeof defaults): LookRange => {
    const { input, output } = defaults[name];
    const [from, to] = numbersIn(declared, name, [input, output]) as [number, number];
    const isSound = from >= 0 && from < Infinity && to >= 0 && to < Infinity;
    return isSound ? { input: from, output: to } : { input, output };
  };
  return { inner: one('inner'), outer: one('outer'), up: one('up'), down: one('down') };
}

/**
 * Rotates the eyes towards `target`, and the head by a fraction of the angle (`headShare`).
 * Replaces the animated rotations of the eyes, but adds to the animated rotation of the head.
 * Without a target, the pose doesn't change.
 */
export class LookAt implements Solver {
  readonly stage = 'lookAt';
  readonly design: LookDesign;
  /** Position of the target in scene space, in metres; null for no target. */
  target: Vector | null = null;
  /** Fraction of the angle to the target by which head and neck together rotate, 0 to 1. */
  headShare = 0;
  /**
   * Time constant of the smoothing in seconds: the time in which eyes and head complete 63 % of a
   * change of direction. 0 disables smoothing.
   */
  lag = 0;
  readonly #face: ExpressionRules | null;
  /** Inverse world rotation of the head, and midpoint between the eyes, both in the rest pose. */
  readonly #inverseRest: Quaternion;
  readonly #origin: Vector;
  /** Axes of the body in the rest pose, in scene space. */
  readonly #left: Vector;
  readonly #up: Vector;
  readonly #forward: Vector;
  readonly #eyes: readonly Eye[];
  /**
   * Current look direction (yaw to the left and pitch upwards, in radians) and distance of the
   * target in metres.
   */
  #yaw = 0;
  #pitch = 0;
  #distance = 1;
  #isActive = false;
  #isMoving = false;

  /**
   * Returns null if the scene has no humanoid with a head. `face`: receives the weights of the
   * look-at expressions.
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
    if (!human) throw invalidArgument('LookAt: the scene has no humanoid.');
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
   * Returns the position that, in the rest pose, is one metre from the eyes in the direction `yaw`
   * radians to the left and `pitch` radians up.
   */
  positionAt(yaw: number, pitch: number): Vector {
    fromYawPitch(rotation, this.#left, this.#up, yaw, pitch);
    const direction: Vector = [...this.#forward];
    rotateVector(direction, 0, rotation);
    return add(this.#origin, direction);
  }

  /** Rows of the nodes whose rotations the solver writes. */
  get rows(): number[] {
    const { head, neck, eyes, kind } = this.design;
    return [...(neck < 0 ? [] : [neck]), head, ...(kind === 'bone' ? eyes.map(({ row }) => row) : [])];
  }

  /** True if the last call of `solve` changed the look direction. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  solve(pose: Pose, world: WorldMatrices, seconds: number): void {
    const { yaw, pitch } = this.#aim(pose, world);
    const share = this.lag > 0 ? (seconds > 0 ? 1 - Math.exp(-seconds / this.lag) : 0) : 1;
    const [dy, dp] = [share * (yaw - this.#yaw), share * (pitch - this.#pitch)];
    this.#isMoving = Math.abs(dy) + Math.abs(dp) > MIN_MOVEMENT;
    this.#yaw += dy;
    this.#pitch += dp;
    const isOver = this.target === null && (share === 1 || !this.#isMoving);
    if (isOver) this.#yaw = this.#pitch = 0;
    if (isOver && !this.#isActive) return;
    this.#isActive = !isOver;
    if (isOver) return this.#driveExpressions(0, 0);
    this.#lookInDirection(pose, world);
  }

  /** Returns yaw and pitch of the target in head space, in radians. */
  #aim(pose: Pose, world: WorldMatrices): typeof angles {
    angles.yaw = angles.pitch = 0;
    world.touch(0);
    this.#readHead(pose, world);
    if (this.target === null) return angles;
    setDifference(targetOffset, this.target, 0, eye, 0);
    this.#distance = length(targetOffset) || 1;
    invert(inverse, headRotation);
    rotateVector(targetOffset, 0, inverse);
    return this.#measure();
  }

  /**
   * Writes `eye`, the position between the eyes, and `headRotation`, the rotation of the head
   * relative to its rest rotation.
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

  /** Returns yaw and pitch, in radians, of the vector `targetOffset` in head space. */
  #measure(): typeof angles {
    const left = dot(targetOffset, this.#left);
    const up = dot(targetOffset, this.#up);
    const forward = dot(targetOffset, this.#forward);
    angles.yaw = Math.atan2(left, forward);
    angles.pitch = Math.atan2(up, length3(left, forward, 0));
    return angles;
  }

  #lookInDirection(pose: Pose, world: WorldMatrices): void {
    // The goal is computed before the head rotates, because rotating the head moves the eyes.
    fromYawPitch(rotation, this.#left, this.#up, this.#yaw, this.#pitch);
    multiply(rotation, 0, headRotation, 0, rotation, 0);
    copyVector(goal, 0, this.#forward, 0);
    multiplyScalar(goal, this.#distance);
    rotateVector(goal, 0, rotation);
    addScaled(goal, 0, eye, 1);
    if (this.headShare > 0) this.#rotateHead(pose, world);
    setDifference(targetOffset, goal, 0, eye, 0);
    invert(inverse, headRotation);
    rotateVector(targetOffset, 0, inverse);
    const { yaw, pitch } = this.#measure();
    this.#driveExpressions(yaw, pitch);
    if (this.design.kind !== 'bone') return;
    for (const eachEye of this.#eyes) this.#rotateEye(eachEye, pose, world, yaw / DEGREE, pitch / DEGREE);
  }

  #rotateHead(pose: Pose, world: WorldMatrices): void {
    const { head, neck } = this.design;
    const parts = neck < 0 ? 1 : 2;
    const share = Math.min(this.headShare, 1) / parts;
    const yaw = share * Math.min(Math.max(this.#yaw, -MAX_YAW), MAX_YAW);
    const pitch = share * Math.min(Math.max(this.#pitch, -MAX_PITCH), MAX_PITCH);
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

  #rotateEye({ row, isLeft, inverseParent, rest }: Eye, pose: Pose, world: WorldMatrices, yaw: number, pitch: number): void {
    const { inner, outer, up, down } = this.design.ranges;
    const toSide = eyeAngle(yaw > 0 === isLeft ? outer : inner, Math.abs(yaw)) * DEGREE;
    const toTop = eyeAngle(pitch > 0 ? up : down, Math.abs(pitch)) * DEGREE;
    fromYawPitch(wanted, this.#left, this.#up, yaw > 0 ? toSide : -toSide, pitch > 0 ? toTop : -toTop);
    multiply(wanted, 0, wanted, 0, rest, 0);
    multiply(pose.rotations, 4 * row, inverseParent, 0, wanted, 0);
    world.touch(row);
  }

  #driveExpressions(yaw: number, pitch: number): void {
    if (this.design.kind !== 'expression' || !this.#face) return;
    const { outer, up, down } = this.design.ranges;
    this.#face.drive('lookLeft', eyeAngle(outer, yaw / DEGREE));
    this.#face.drive('lookRight', eyeAngle(outer, -yaw / DEGREE));
    this.#face.drive('lookUp', eyeAngle(up, pitch / DEGREE));
    this.#face.drive('lookDown', eyeAngle(down, -pitch / DEGREE));
  }
}

/** Applies a range map. If `input` is 0, any angle above 0 gives the full output, as VRM recommends. */
function eyeAngle({ input, output }: LookRange, angle: number): number {
  if (!(angle > 0)) return 0;
  return output * (input > 0 ? Math.min(angle / input, 1) : 1);
}

const angles = { yaw: 0, pitch: 0 };
const headRotation = quat();
const inverse = quat();
const rotation = quat();
const wanted = quat();
const eye = vec3();
const position = vec3();
const goal = vec3();
const targetOffset = vec3();
const tilt = quat();

/**
 * Writes the rotation by `pitch` radians upwards about the axis `left`, followed by `yaw` radians
 * to the left about the axis `up`.
 */
function fromYawPitch(result: Float64Array, left: Vector, up: Vector, yaw: number, pitch: number): void {
  fromAxisAngle(tilt, left[0], left[1], left[2], -pitch);
  fromAxisAngle(result, up[0], up[1], up[2], yaw);
  multiply(result, 0, result, 0, tilt, 0);
}
