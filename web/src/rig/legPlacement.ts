// Moves the hips of a body to the scaled position of the source's hips, and its feet to the scaled
// positions of the source's feet, so that planted feet don't slide.
import {
  copyQuaternion,
  IDENTITY,
  inverted,
  multiplied,
  multiply,
  type Quat,
  quat,
  type Quaternion,
  rotated,
  rotateVector,
  toQuat,
} from '../core/math/quaternion.ts';
import {
  add,
  addScaled,
  copyVector,
  dot,
  length,
  length3,
  multiplyScalar,
  normalized,
  scale,
  subtract,
  toVec3,
  type Vec3,
  vec3,
  type Vector,
} from '../core/math/vector.ts';
import type { RestPose } from '../core/restPose.ts';
import type { NodeTable } from '../core/types.ts';
import type { Animator } from './animator.ts';
import { bodyFrame } from './bodyFrame.ts';
import { BodyGround } from './bodyGround.ts';
import { positionOf } from './frame.ts';
import { type Body, type BodyBone, boneOf, type LegBones, legLength, planOf } from './bodyPlan.ts';
import { isBelow } from './hierarchy.ts';
import type { Layer } from './layer.ts';
import { Leg } from './leg.ts';

/** A body with its rest pose. `hasMesh`: true if its scene has a mesh. */
export interface RestingBody {
  body: Body;
  rest: RestPose;
  hasMesh: boolean;
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
  aligned: ReadonlyMap<BodyBone, Quaternion>;
}

interface PlantedLeg {
  leg: Leg;
  /** Index of the foot in the rotations that are passed to `plant`. */
  foot: number;
  /** Row in the source of the end of the foot: the foot itself, or the toes of a quadruped. */
  sourceEnd: number;
  /** Vector from the scaled position of the source's end to the goal of the target's end. */
  apart: Vec3;
  /** Vector from the foot to its end in the space of the foot. */
  toEnd: Vec3;
  fromFoot: Quat;
  rise: number;
  isBelowHips: boolean;
}

/**
 * Largest difference between the legs of two bodies, as a fraction of the leg length, at which
 * their feet don't slide visibly.
 */
const SAME_LEGS = 0.002;

/** Places the hips and feet of a body while a clip of another body is retargeted to it. */
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
  /**
   * Height in metres by which the hips rise when the legs are aligned, averaged over the legs below
   * the hips, not those below the shoulders.
   */
  readonly #rise: number;
  /** Position of the source's hips at which the target's hips are at rest. Set by `prepare`. */
  readonly #origin = vec3();

  readonly #nodes: NodeTable;

  /**
   * `driven`: bones of the target whose world rotations are passed to `plant`, in this order. `nodes`:
   * nodes of the target.
   */
  constructor(
    source: RestingBody,
    target: RestingBody,
    mapping: BodyMapping,
    driven: readonly { bone: BodyBone | null; row: number }[],
    nodes: NodeTable,
  ) {
    this.#nodes = nodes;
    this.#source = source;
    this.#target = target;
    this.#mapping = mapping;
    this.#space = toQuat(mapping.space);
    this.#hips = boneOf(source.body, 'hips');
    this.#targetHips = toVec3(target.rest.position(boneOf(target.body, 'hips')));
    this.#sourceGround = new BodyGround(source.body, source.rest, source.hasMesh);
    this.#targetGround = new BodyGround(target.body, target.rest, target.hasMesh);
    this.#legs = planOf(target.body).legs.flatMap(leg => this.#makeLeg(leg, driven) ?? []);
    const below = this.#legs.filter(({ isBelowHips }) => isBelowHips);
    this.#rise = below.reduce((sum, { rise }) => sum + rise / below.length, 0);
  }

  #makeLeg(names: LegBones, driven: readonly { bone: BodyBone | null; row: number }[]): PlantedLeg | null {
    const { body, rest } = this.#target;
    const { aligned, space, scale: size } = this.#mapping;
    const find = (name: BodyBone): { index: number; row: number } | null => {
      const index = driven.findIndex(({ bone }) => bone === name);
      const row = driven[index]?.row;
      return row === undefined ? null : { index, row };
    };
    const [hips, upper, lower, foot] = [find('hips'), find(names.upper), find(names.lower), find(names.foot)];
    if (!hips || !upper || !lower || !foot) return null;
    const [sourceToes, toes] = [this.#source.body.bones.get(names.end), body.bones.get(names.end)];
    const hasEnds = sourceToes !== undefined && toes !== undefined;
    const sourceEnd = hasEnds ? sourceToes : boneOf(this.#source.body, names.foot);
    const end = hasEnds ? toes : foot.row;
    const alignmentOf = (bone: BodyBone): Quaternion => aligned.get(bone) ?? IDENTITY;
    // The target's foot has a horizontal offset from the scaled source foot, because hip widths and
    // leg lengths differ. The offset rotates with the foot.
    const targetOffset = [
      rest.offset(hips.row, upper.row),
      rotated(rest.offset(upper.row, lower.row), alignmentOf(names.upper)),
      rotated(rest.offset(lower.row, foot.row), alignmentOf(names.lower)),
      rotated(rest.offset(foot.row, end), alignmentOf(names.foot)),
    ].reduce(add);
    const sourceOffset = rotated(this.#source.rest.offset(this.#hips, sourceEnd), space);
    const apart = subtract(targetOffset, scale(sourceOffset, size));
    // The feet of the target keep their rest height above the ground.
    const up = this.#targetGround.up;
    const rise = dot(subtract(rest.offset(hips.row, end), targetOffset), up);
    const local = (v: Vector, row: number): Vector => rotated(v, inverted(rest.rotation(row)));
    // Bones of the trunk from the hips to the leg, each with the vector to the next one.
    const path = driven
      .map(({ row }, index) => ({ row, index }))
      .filter(({ row }) => row === hips.row || (isBelow(this.#nodes, row, hips.row) && isBelow(this.#nodes, upper.row, row)))
      .sort((a, b) => a.row - b.row);
    const { forward } = bodyFrame(body, rest);
    const isBelowHips = planOf(body).bottom.includes(names.upper);
    const usual = isBelowHips ? forward : scale(forward, -1);
    const ahead = body.kind === 'humanoid' ? forward : aheadOf(rest, [upper.row, lower.row, foot.row], usual);
    const leg = new Leg({
      path: path.map(({ row, index }, i) => ({ bone: index, toNext: local(rest.offset(row, path[i + 1]?.row ?? upper.row), row) })),
      upper: upper.index,
      lower: lower.index,
      toLower: local(rest.offset(upper.row, lower.row), upper.row),
      toFoot: local(rest.offset(lower.row, foot.row), lower.row),
      ahead: local(ahead, upper.row),
    });
    return {
      leg,
      foot: foot.index,
      sourceEnd,
      apart: toVec3(add(apart, scale(up, rise))),
      toEnd: toVec3(local(rest.offset(foot.row, end), foot.row)),
      fromFoot: toQuat(inverted(multiplied(alignmentOf(names.foot), rest.rotation(foot.row)))),
      rise,
      isBelowHips,
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
    const near = (SAME_LEGS / planOf(target.body).legs.length) * legLength(target.body, target.rest);
    const isNear = (a: Vector, b: Vector): boolean => length(subtract(scale(rotated(a, space), size), b)) <= near;
    const joints = planOf(target.body).legs.flatMap(({ upper, lower, foot, end }) => {
      const chain = ['hips', upper, lower, foot, ...(end === foot ? [] : [end])] as const;
      return chain.slice(1).map((bone, i) => [chain[i]!, bone] as const);
    });
    const offset = ({ body, rest }: RestingBody, [from, to]: readonly [BodyBone, BodyBone]): Vector | null => {
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
    addScaled(result, 0, this.#targetGround.up, this.#rise);
  }

  /**
   * Rotates thighs and shins so that the feet reach their positions. Feet high above the ground keep
   * the rotations of their legs. `matrices`: world matrices of
   * the source. `rotations`: world rotations of the target's bones, which are changed. `hips`:
   * position of the target's hips.
   */
  plant(matrices: Float64Array, rotations: Float64Array, hips: Vec3): void {
    const { up } = this.#targetGround;
    for (const { leg, foot, sourceEnd, apart, toEnd, fromFoot } of this.#legs) {
      this.#movePoint(matrices, sourceEnd, goal);
      multiply(heading, 0, rotations, 4 * foot, fromFoot, 0);
      keepTwist(heading, up);
      copyVector(offset, 0, apart, 0);
      rotateVector(offset, 0, heading);
      addScaled(goal, 0, offset, 1);
      const share = plantedShare(this.#targetGround.heightOf(goal));
      // The goal of the foot follows from that of its end, because the foot keeps its rotation.
      copyVector(offset, 0, toEnd, 0);
      copyQuaternion(heading, 0, rotations, 4 * foot);
      rotateVector(offset, 0, heading);
      addScaled(goal, 0, offset, -1);
      leg.reach(rotations, hips, goal, share);
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

/**
 * Heights of a foot above the ground in leg lengths. Up to the first, which is higher than a step of stairs, it is
 * placed exactly. From the second on, as in flight, it follows the rotations of the leg, which keep the shape of the pose.
 */
const [STEP, FLIGHT] = [0.5, 0.8];

/** Returns the fraction to which a foot at this height is placed, 0 to 1. */
function plantedShare(height: number): number {
  const t = Math.min(Math.max((FLIGHT - height) / (FLIGHT - STEP), 0), 1);
  return t * t * (3 - 2 * t);
}

/** Removes all of the rotation `q` but its part about the axis `axis`. */
function keepTwist(q: Quat, axis: Vector): void {
  const along = dot(q, axis);
  const size = length3(along, q[3], 0) || 1;
  for (let c = 0; c < 3; c++) q[c] = (axis[c]! * along) / size;
  q[3] /= size;
}

/**
 * Returns the direction in which the leg of a quadruped bends in the rest pose. Returns `usual` for a
 * straight leg: knees point forwards, elbows backwards.
 */
function aheadOf(rest: RestPose, [upper, lower, foot]: readonly [number, number, number], usual: Vector): Vector {
  const line = normalized(rest.offset(upper, foot));
  const knee = rest.offset(upper, lower);
  const bend = line && subtract(knee, scale(line, dot(knee, line)));
  return (bend && length(bend) > STRAIGHT * length(knee) && normalized(bend)) || usual;
}

/** Minimum distance of a bent knee from the line between its neighbours, as a fraction of the upper bone. */
const STRAIGHT = 0.05;
