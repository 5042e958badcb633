// Point, orient and scale constraints of Cast (docs/formats/cast.md, section 3.7): a bone follows a
// target bone in world space.
import { parentOf } from '../core/tree.ts';
import { copyQuaternion, fromEuler, invert, multiply, quat, slerp, toEuler } from '../core/math/quaternion.ts';
import { addScaled, copyVector, setDifference, vec3, type VectorLike } from '../core/math/vector.ts';
import { directionOf, intoSpace, lengthsOf, localRotation, positionOf, rotationOf } from './frame.ts';
import type { Pose } from './pose.ts';
import type { WorldMatrices } from './world.ts';

export type ConstraintKind = 'translation' | 'rotation' | 'scale';

/**
 * Settings of a constraint, as the file declares them.
 *
 * @experimental
 */
export interface ConstraintDesign {
  name: string;
  kind: ConstraintKind;
  /** Row of the constrained bone, and row of the target bone that it follows. */
  bone: number;
  target: number;
  /** Weight of the constraint, 0 to 1. */
  weight: number;
  /**
   * True for each of the axes x, y and z that is not constrained. As in Maya's channels, these are
   * the parent's axes for translations, the bone's axes for scales, and Euler angles for rotations.
   */
  skip: readonly [boolean, boolean, boolean];
  /**
   * If true, the constraint keeps the offset that bone and target have in the rest pose, and
   * `offset` is ignored.
   */
  keepsOffset: boolean;
  /**
   * Offset from the target that the file declares: a translation, three scale factors, or a
   * quaternion in target space. Null if the file declares none.
   */
  offset: readonly number[] | null;
}

export class Constraint {
  readonly kind = 'constraint';
  isOn = true;
  readonly design: ConstraintDesign;
  /**
   * Offset from the target for a translation or scale constraint. Rotation constraints use
   * `#rotationOffset`.
   */
  readonly #offset = vec3();
  readonly #rotationOffset = quat();

  /** `rest`: rest pose. `world`: world matrices of the rest pose. */
  constructor(design: ConstraintDesign, rest: Pose, world: WorldMatrices) {
    this.design = design;
    const { kind, offset, keepsOffset } = design;
    if (kind === 'scale') this.#offset.fill(1);
    if (keepsOffset) this.#readRestOffset(rest, world.matrices);
    else if (offset && kind === 'rotation') copyQuaternion(this.#rotationOffset, 0, offset, 0);
    else if (offset) {
      copyVector(this.#offset, 0, offset, 0);
      if (kind === 'translation') directionOf(world.matrices, 0, this.#offset, this.#offset);
    }
  }

  get name(): string {
    return this.design.name;
  }

  #readRestOffset({ scales }: Pose, matrices: Float64Array): void {
    const { kind, bone, target } = this.design;
    if (kind === 'translation') setDifference(this.#offset, matrices, 16 * bone + 12, matrices, 16 * target + 12);
    else if (kind === 'rotation') {
      rotationOf(matrices, bone, scales, rotation);
      rotationOf(matrices, target, scales, wanted);
      invert(wanted, wanted);
      multiply(this.#rotationOffset, 0, wanted, 0, rotation, 0);
    } else {
      signedLengths(own, bone, scales, matrices);
      signedLengths(goal, target, scales, matrices);
      for (const c of AXES) this.#offset[c] = goal[c] ? own[c] / goal[c] : 1;
    }
  }

  solve(pose: Pose, world: WorldMatrices): void {
    const { kind, bone, target } = this.design;
    world.reach(pose, bone);
    world.reach(pose, target);
    if (kind === 'translation') this.#constrainTranslation(pose, world.matrices);
    else if (kind === 'rotation') this.#constrainRotation(pose, world.matrices);
    else this.#constrainScale(pose, world);
    world.touch(bone);
  }

  #constrainTranslation({ shape, translations }: Pose, matrices: Float64Array): void {
    const { bone, target, weight, skip } = this.design;
    positionOf(matrices, target, goal);
    addScaled(goal, 0, this.#offset, 1);
    if (!intoSpace(matrices, parentOf(shape.scene.nodes, bone), goal, goal)) return;
    copyVector(own, 0, translations, 3 * bone);
    for (const c of AXES) if (!skip[c]) own[c] += (goal[c] - own[c]) * weight;
    copyVector(translations, 3 * bone, own, 0);
  }

  #constrainRotation({ rotations, scales }: Pose, matrices: Float64Array): void {
    const { bone, target, weight, skip } = this.design;
    const at = 4 * bone;
    rotationOf(matrices, target, scales, wanted);
    multiply(wanted, 0, wanted, 0, this.#rotationOffset, 0);
    rotationOf(matrices, bone, scales, rotation);
    localRotation(wanted, 0, rotation, rotations, at, wanted);
    slerp(wanted, 0, rotations, at, wanted, 0, weight);
    if (skip[0] || skip[1] || skip[2]) {
      copyQuaternion(rotation, 0, rotations, at);
      toEuler(own, rotation);
      toEuler(goal, wanted);
      for (const c of AXES) if (skip[c]) goal[c] = own[c];
      fromEuler(wanted, goal);
    }
    copyQuaternion(rotations, at, wanted, 0);
  }

  #constrainScale(pose: Pose, world: WorldMatrices): void {
    const { bone, target, weight, skip } = this.design;
    const { scales } = pose;
    const { matrices } = world;
    signedLengths(goal, target, scales, matrices);
    copyVector(own, 0, scales, 3 * bone);
    copyVector(scales, 3 * bone, ONE, 0);
    // With a local scale of 1, the world matrix contains only the scale inherited from the
    // ancestors.
    world.touch(bone);
    world.reach(pose, bone);
    lengthsOf(matrices, bone, inherited);
    for (const c of AXES) if (!skip[c] && inherited[c] > 0) own[c] += ((goal[c] * this.#offset[c]) / inherited[c] - own[c]) * weight;
    copyVector(scales, 3 * bone, own, 0);
  }
}

/**
 * Writes the world-space lengths of a node's axes. Axes with a negative local scale get negative
 * lengths.
 */
function signedLengths(result: VectorLike, row: number, scales: Float64Array, matrices: Float64Array): void {
  lengthsOf(matrices, row, result);
  copyVector(sign, 0, scales, 3 * row);
  for (const c of AXES) if (sign[c] < 0) result[c] = -result[c];
}

const AXES = [0, 1, 2] as const;
const ONE = vec3(1, 1, 1);
const goal = vec3();
const own = vec3();
const inherited = vec3();
const sign = vec3();
const rotation = quat();
const wanted = quat();
