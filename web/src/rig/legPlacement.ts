// Moves the hips of a humanoid to the scaled position of the source's hips, and its feet to the
// scaled positions of the source's feet, so that planted feet don't slide.
import { IDENTITY, inverted, multiply, type Quat, quat, type Quaternion, rotated, rotateVector, toQuat } from '../core/math/quaternion.ts';
import {
  add,
  addScaled,
  copyVector,
  length,
  length4,
  multiplyScalar,
  scale,
  subtract,
  toVec3,
  type Vec3,
  vec3,
  type Vector,
} from '../core/math/vector.ts';
import type { RestPose } from '../core/restPose.ts';
import type { Animator } from './animator.ts';
import { bodyFrame } from './bodyFrame.ts';
import { BodyGround } from './bodyGround.ts';
import { positionOf } from './frame.ts';
import { boneOf, type HumanBone, type Humanoid, legLength } from './humanoid.ts';
import type { Layer } from './layer.ts';
import { Leg } from './leg.ts';

/** A humanoid with its rest pose. */
export interface RestingBody {
  body: Humanoid;
  rest: RestPose;
}

/** How the source body is mapped to the target body. */
export interface BodyMapping {
  /** Rotation from the axes of the source body to the axes of the target body. */
  space: Quaternion;
  /** Ratio of the target's leg length to the source's leg length. */
  scale: number;
  /**
   * World rotations that align the target's limbs with the source's limbs in the rest pose, by
   * bone.
   */
  aligned: ReadonlyMap<HumanBone, Quaternion>;
}

interface PlantedLeg {
  leg: Leg;
  /** Index of the foot in the rotations that are passed to `plant`. */
  foot: number;
  /** Row of the foot in the source. */
  sourceFoot: number;
  /** Vector from the scaled position of the source's foot to the goal of the target's foot. */
  apart: Vec3;
  fromFoot: Quat;
  rise: number;
}

export const SIDES = ['left', 'right'] as const;

/**
 * Largest difference between the legs of two bodies, as a fraction of the leg length, at which
 * their feet don't slide visibly.
 */
const SAME_LEGS = 0.002;

/** Places the hips and feet of a humanoid while a clip of another humanoid is retargeted to it. */
export class LegPlacement {
  readonly #source: RestingBody;
  readonly #target: RestingBody;
  readonly #mapping: BodyMapping;
  readonly #space: Quat;
  readonly #hips: number;
  readonly #targetHips: Vec3;
  readonly #sourceGround: BodyGround;
  readonly #targetGround: BodyGround;
  readonly #legs: readonly PlantedLeg[];
  /** Height in metres by which the hips rise when the legs are aligned, averaged over both legs. */
  readonly #rise: number;
  /** Position of the source's hips at which the target's hips are at rest. Set by `prepare`. */
  readonly #origin = vec3();

  /** `driven`: bones of the target whose world rotations are passed to `plant`, in this order. */
  constructor(source: RestingBody, target: RestingBody, mapping: BodyMapping, driven: readonly { bone: HumanBone | null; row: number }[]) {
    this.#source = source;
    this.#target = target;
    this.#mapping = mapping;
    this.#space = toQuat(mapping.space);
    this.#hips = boneOf(source.body, 'hips');
    this.#targetHips = toVec3(target.rest.position(boneOf(target.body, 'hips')));
    this.#sourceGround = new BodyGround(source.body, source.rest);
    this.#targetGround = new BodyGround(target.body, target.rest);
    this.#legs = SIDES.flatMap(side => this.#makeLeg(side, driven) ?? []);
    this.#rise = this.#legs.reduce((sum, { rise }) => sum + rise / this.#legs.length, 0);
  }

  #makeLeg(side: 'left' | 'right', driven: readonly { bone: HumanBone | null; row: number }[]): PlantedLeg | null {
    const { body, rest } = this.#target;
    const { aligned, space, scale: size } = this.#mapping;
    const find = (name: HumanBone): { index: number; row: number } | null => {
      const index = driven.findIndex(({ bone }) => bone === name);
      const row = driven[index]?.row;
      return row === undefined ? null : { index, row };
    };
    const [hips, upper, lower, foot] = [find('hips'), find(`${side}UpperLeg`), find(`${side}LowerLeg`), find(`${side}Foot`)];
    if (!hips || !upper || !lower || !foot) return null;
    const sourceFoot = boneOf(this.#source.body, `${side}Foot`);
    // The target's foot has a horizontal offset from the scaled source foot, because hip widths and
    // leg lengths differ. The offset rotates with the foot.
    const targetOffset = add(
      add(rest.offset(hips.row, upper.row), rotated(rest.offset(upper.row, lower.row), aligned.get(`${side}UpperLeg`) ?? IDENTITY)),
      rotated(rest.offset(lower.row, foot.row), aligned.get(`${side}LowerLeg`) ?? IDENTITY),
    );
    const sourceOffset = rotated(this.#source.rest.offset(this.#hips, sourceFoot), space);
    const [x, , z] = subtract(targetOffset, scale(sourceOffset, size));
    // The ankles of the target keep their rest height above the ground.
    const height = rest.offset(hips.row, foot.row)[1];
    const local = (v: Vector, row: number): Vector => rotated(v, inverted(rest.rotation(row)));
    const leg = new Leg({
      hips: hips.index,
      upper: upper.index,
      lower: lower.index,
      toUpper: local(rest.offset(hips.row, upper.row), hips.row),
      toLower: local(rest.offset(upper.row, lower.row), upper.row),
      toFoot: local(rest.offset(lower.row, foot.row), lower.row),
      ahead: local(bodyFrame(body, rest).forward, upper.row),
    });
    return {
      leg,
      foot: foot.index,
      sourceFoot,
      apart: vec3(x, height - sourceOffset[1] * size, z),
      fromFoot: toQuat(inverted(rest.rotation(foot.row))),
      rise: height - targetOffset[1],
    };
  }

  /**
   * Returns true if feet don't slide when the target's bones rotate like those of the source: hips
   * and legs of both bodies have the same shape in the rest pose, and the feet are at the same
   * height. The sizes of the bodies may differ. `isRelative`: true if translations are applied
   * relative to the rest pose. If not, the heights of a rest pose that is not on the ground (see
   * bodyGround.ts) don't count.
   */
  hasSameLegs(isRelative: boolean): boolean {
    const [source, target] = [this.#source, this.#target];
    const { space, scale: size } = this.#mapping;
    const near = (SAME_LEGS / 2) * legLength(target.body, target.rest);
    const isNear = (a: Vector, b: Vector): boolean => length(subtract(scale(rotated(a, space), size), b)) <= near;
    const joints = SIDES.flatMap(side => {
      const chain = ['hips', `${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`] as const;
      return chain.slice(1).map((bone, i) => [chain[i]!, bone] as const);
    });
    const offset = ({ body, rest }: RestingBody, [from, to]: readonly [HumanBone, HumanBone]): Vector | null => {
      const [a, b] = [body.bones.get(from), body.bones.get(to)];
      return a === undefined || b === undefined ? null : rest.offset(a, b);
    };
    const areAlike = joints.every(pair => {
      const [a, b] = [offset(source, pair), offset(target, pair)];
      return !a || !b || isNear(a, b);
    });
    if (!areAlike || (!isRelative && !this.#sourceGround.isAtOrigin)) return areAlike;
    const [from, to] = [this.#sourceGround.restHeight, this.#targetGround.restHeight];
    return !Number.isFinite(from) || !Number.isFinite(to) || Math.abs(size * from - to) <= near;
  }

  /** Prepares the retargeting of a clip. `layer`: layer of `animator` that plays it. */
  prepare(animator: Animator, layer: Layer, times: Float32Array): void {
    const ankle = Math.max(this.#targetGround.restHeight, 0) / this.#mapping.scale;
    copyVector(this.#origin, 0, toVec3(this.#source.rest.position(this.#hips)), 0);
    addScaled(this.#origin, 0, this.#sourceGround.up, this.#sourceGround.offsetIn(animator, layer, times, ankle));
  }

  /** Writes the position of the target's hips. `matrices`: world matrices of the source. */
  placeHips(matrices: Float64Array, result: Vec3): void {
    this.#movePoint(matrices, this.#hips, result);
    result[1] += this.#rise;
  }

  /**
   * Rotates thighs and shins so that the feet reach their positions. `matrices`: world matrices of
   * the source. `rotations`: world rotations of the target's bones, which are changed. `hips`:
   * position of the target's hips.
   */
  plant(matrices: Float64Array, rotations: Float64Array, hips: Vec3): void {
    for (const { leg, foot, sourceFoot, apart, fromFoot } of this.#legs) {
      this.#movePoint(matrices, sourceFoot, goal);
      multiply(heading, 0, rotations, 4 * foot, fromFoot, 0);
      // Keep only the part of the rotation that is about +Y.
      const size = length4(0, heading[1], 0, heading[3]) || 1;
      heading[0] = heading[2] = 0;
      heading[1] /= size;
      heading[3] /= size;
      copyVector(offset, 0, apart, 0);
      rotateVector(offset, 0, heading);
      addScaled(goal, 0, offset, 1);
      leg.reach(rotations, hips, goal);
    }
  }

  /** Writes the position of a source bone after scaling and rotating it to the target body. */
  #movePoint(matrices: Float64Array, row: number, result: Vec3): void {
    positionOf(matrices, row, result);
    addScaled(result, 0, this.#origin, -1);
    multiplyScalar(result, this.#mapping.scale);
    rotateVector(result, 0, this.#space);
    addScaled(result, 0, this.#targetHips, 1);
  }
}

const goal = vec3();
const offset = vec3();
const heading = quat();
