// Moves the hips of a body to the scaled position of the source's hips, and keeps its feet at constant
// distances from the scaled positions of the source's feet while they are planted. The hips are moved to
// where the legs keep the pose of the source: legs with a longer thigh need a lower seat, farther back.
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
  setDifference,
  subtract,
  toVec3,
  type Vec3,
  vec3,
  type Vector,
  vectorAt,
} from '../core/math/vector.ts';
import type { RestPose } from '../core/restPose.ts';
import type { NodeTable } from '../core/types.ts';
import type { Animator } from './animator.ts';
import { bodyFrame } from './bodyFrame.ts';
import { BodyGround } from './bodyGround.ts';
import { type FootMovement, footOffsets, type FrameOrder } from './footOffsets.ts';
import { extend, smooth, smoothTurning } from './smoothing.ts';
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
  /** Index of the foot in the rotations that are passed to `record`. */
  foot: number;
  /** Row in the source of the end of the foot: the foot itself, or the toes of a quadruped. */
  sourceEnd: number;
  /** Height of the target's end above the scaled position of the source's end, in the rest pose. */
  lift: number;
  /** Vector from the foot to its end in the space of the foot. */
  toEnd: Vec3;
  fromFoot: Quat;
  /** Height by which the foot sinks in the rest pose if the legs are aligned with those of the source. */
  rise: number;
  isBelowHips: boolean;
}

interface RecordedFoot extends FootMovement {
  /** Height of the hips in each frame at which the foot would reach the height of its goal. */
  rises: Float64Array;
  /** Horizontal offsets from the goals, 3 numbers per frame. */
  offsets: Float64Array;
  /** 1 for each frame whose offset turns with the foot. */
  isTurning: Uint8Array;
  /** Vectors from the hip joint to the goal of the ankle, before hips and goals are moved. */
  spans: Float64Array;
}

/** A clip that is being retargeted. */
interface RecordedClip {
  order: FrameOrder;
  /** Positions of the hips, 3 numbers per frame: the scaled positions of the source's hips until `settle`. */
  hips: Float64Array;
  /** Rotations of the hips about the up axis, relative to the rest pose, 4 numbers per frame. */
  headings: Float64Array;
  feet: readonly RecordedFoot[];
}

/** Distance by which a planted foot can miss its goal without sliding visibly, as a fraction of the leg length. */
const INVISIBLE = 0.002;

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
   * Height by which the legs are too long for the scaled position of the hips if they are aligned in
   * the rest pose: mean of the legs below the hips, not those below the shoulders.
   */
  readonly #restRise: number;
  /** Position of the source's hips at which the target's hips are at rest. Set by `prepare`. */
  readonly #origin = vec3();
  #clip: RecordedClip = { order: { rate: 1, isLoop: false }, hips: new Float64Array(), headings: new Float64Array(), feet: [] };
  /** Index of the hips in the rotations that are passed to `record`, and their inverse rest rotation. */
  readonly #hipsIndex: number;
  readonly #fromHips: Quat;

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
    this.#hipsIndex = driven.findIndex(({ bone }) => bone === 'hips');
    this.#fromHips = toQuat(inverted(target.rest.rotation(boneOf(target.body, 'hips'))));
    this.#legs = planOf(target.body).legs.flatMap(leg => this.#makeLeg(leg, driven) ?? []);
    const below = this.#legs.filter(({ isBelowHips }) => isBelowHips);
    this.#restRise = below.reduce((sum, { rise }) => sum + rise / below.length, 0);
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
    const targetOffset = [
      rest.offset(hips.row, upper.row),
      rotated(rest.offset(upper.row, lower.row), alignmentOf(names.upper)),
      rotated(rest.offset(lower.row, foot.row), alignmentOf(names.lower)),
      rotated(rest.offset(foot.row, end), alignmentOf(names.foot)),
    ].reduce(add);
    const sourceOffset = rotated(this.#source.rest.offset(this.#hips, sourceEnd), space);
    const up = this.#targetGround.up;
    const restOffset = rest.offset(hips.row, end);
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
      lift: dot(subtract(restOffset, scale(sourceOffset, size)), up),
      toEnd: toVec3(local(rest.offset(foot.row, end), foot.row)),
      fromFoot: toQuat(inverted(multiplied(alignmentOf(names.foot), rest.rotation(foot.row)))),
      rise: dot(subtract(restOffset, targetOffset), up),
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
    const near = (INVISIBLE / planOf(target.body).legs.length) * legLength(target.body, target.rest);
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

  /**
   * Prepares the retargeting of a clip. Call `record` for each frame, then `settle`, then `place` for
   * each frame. `layer`: layer of `animator` that plays the clip.
   */
  prepare(animator: Animator, layer: Layer, times: Float32Array, order: FrameOrder): void {
    const ankle = Math.max(this.#targetGround.restHeight, 0) / this.#mapping.scale;
    copyVector(this.#origin, 0, toVec3(this.#source.rest.position(this.#hips)), 0);
    addScaled(this.#origin, 0, this.#sourceGround.up, this.#sourceGround.offsetIn(animator, layer, times, ankle));
    const columns = (size: number): Float64Array => new Float64Array(size * times.length);
    const feet = this.#legs.map(() => ({
      goals: columns(3),
      missed: columns(3),
      headings: columns(4),
      weights: columns(1),
      rises: columns(1),
      offsets: columns(0),
      isTurning: new Uint8Array(),
      spans: columns(3),
    }));
    this.#clip = { order, hips: columns(3), headings: columns(4), feet };
  }

  /**
   * Records a frame. `matrices`: world matrices of the source. `rotations`: world rotations of the
   * target's bones.
   */
  record(frame: number, matrices: Float64Array, rotations: Float64Array): void {
    const { up } = this.#targetGround;
    const { hips, feet } = this.#clip;
    this.#movePoint(matrices, this.#hips, place);
    copyVector(hips, 3 * frame, place, 0);
    if (this.#hipsIndex >= 0) {
      multiply(heading, 0, rotations, 4 * this.#hipsIndex, this.#fromHips, 0);
      keepTwist(heading, up);
    }
    copyQuaternion(this.#clip.headings, 4 * frame, heading, 0);
    for (const [i, { leg, foot, sourceEnd, lift, toEnd, fromFoot }] of this.#legs.entries()) {
      const { goals, missed, headings, weights, rises, spans } = feet[i]!;
      this.#movePoint(matrices, sourceEnd, goal);
      addScaled(goal, 0, up, lift);
      copyVector(goals, 3 * frame, goal, 0);
      weights[frame] = Math.max(1 - Math.max(this.#targetGround.heightOf(goal), 0) / NEAR_GROUND, 0) ** 2;
      toFootGoal(goal, toEnd, rotations, foot);
      leg.jointAt(rotations, place, vector);
      setDifference(vector, goal, 0, vector, 0);
      copyVector(spans, 3 * frame, vector, 0);
      leg.footAt(rotations, place, vector);
      addScaled(vector, 0, goal, -1);
      rises[frame] = -dot(vector, up);
      addScaled(vector, 0, up, rises[frame]!);
      copyVector(missed, 3 * frame, vector, 0);
      multiply(heading, 0, rotations, 4 * foot, fromFoot, 0);
      keepTwist(heading, up);
      copyQuaternion(headings, 4 * frame, heading, 0);
    }
  }

  /**
   * Finds the offsets of the feet and the positions of the hips at which the legs keep the pose of the
   * source as well as possible. A deep crouch needs other positions than a body that stands, so they are
   * found for each frame and then smoothed. `plantFeet`: if false, the hips only change their height, and
   * are not lowered for feet that are out of reach.
   */
  settle(plantFeet: boolean): void {
    const { hips, feet, headings, ...clip } = this.#clip;
    const order: FrameOrder = { ...clip.order, isLoop: clip.order.isLoop && this.#isClosed() };
    const [shifts, turning] = [new Float64Array(hips.length), new Float64Array(hips.length)];
    if (plantFeet) this.#shareMissed(turning);
    for (const foot of feet) Object.assign(foot, footOffsets(foot, this.#targetGround.leg, order));
    this.#addFootShifts(shifts, turning, plantFeet);
    smooth(shifts, 3, order);
    // Feet of a body that turns quickly on one foot miss their goals in all directions, but in the same
    // direction relative to the body.
    smoothTurning(turning, headings, order);
    for (let at = 0; at < hips.length; at++) {
      shifts[at]! += turning[at]!;
      hips[at]! += shifts[at]!;
    }
    if (plantFeet) this.#lower(shifts, order);
  }

  /**
   * Returns true if the feet have the same distances from the hips at the start and at the end of the
   * clip. Many files declare that a clip loops although it doesn't.
   */
  #isClosed(): boolean {
    const near = CLOSED * this.#targetGround.leg;
    const spanAt = (spans: Float64Array, frame: number): number => length(vectorAt(spans, 3 * frame));
    return this.#clip.feet.every(({ spans, weights }) => Math.abs(spanAt(spans, 0) - spanAt(spans, weights.length - 1)) <= near);
  }

  /**
   * Subtracts from the missed vectors of all feet their mean over the feet below the hips, and adds it to
   * `shifts`: if all feet miss their goals in the same direction, the hips move instead of the feet.
   */
  #shareMissed(shifts: Float64Array): void {
    const { feet } = this.#clip;
    const below = feet.filter((_, i) => this.#legs[i]!.isBelowHips);
    for (let frame = 0; 3 * frame < shifts.length; frame++) {
      vector.fill(0);
      for (const { missed } of below) addScaled(vector, 0, vectorAt(missed, 3 * frame), 1 / below.length);
      addScaled(shifts, 3 * frame, vector, -1);
      for (const { missed } of feet) addScaled(missed, 3 * frame, vector, -1);
    }
  }

  /**
   * Adds to `shifts` and `turning` the mean of the vectors by which feet near the ground ask the hips to move: to the
   * height at which the foot reaches the height of its goal, and, if the feet are planted, to where the
   * foot has its offset from its goal. If no foot is near the ground, the hips get their usual height.
   * `turning` gets the parts that turn with the body.
   */
  #addFootShifts(shifts: Float64Array, turning: Float64Array, plantFeet: boolean): void {
    const { up } = this.#targetGround;
    const usual = this.#usualRise();
    for (let frame = 0; 3 * frame < shifts.length; frame++) {
      let [total, unplanted] = [0, 1];
      vector.fill(0);
      place.fill(0);
      for (const [i, { weights, rises, offsets, isTurning, missed }] of this.#clip.feet.entries()) {
        const weight = this.#legs[i]!.isBelowHips ? weights[frame]! : 0;
        addScaled(vector, 0, up, weight * rises[frame]!);
        if (plantFeet) addScaled(isTurning[frame] ? place : vector, 0, vectorAt(offsets, 3 * frame), weight);
        if (plantFeet) addScaled(place, 0, vectorAt(missed, 3 * frame), -weight);
        total += weight;
        unplanted *= 1 - weight;
      }
      const share = total > 0 ? (1 - unplanted) / total : 0;
      addScaled(shifts, 3 * frame, vector, share);
      addScaled(turning, 3 * frame, place, share);
      addScaled(shifts, 3 * frame, up, unplanted * usual);
    }
  }

  /** Returns the mean height of the hips above their scaled positions. */
  #usualRise(): number {
    let [sum, total] = [0, 0];
    for (const [i, { weights, rises }] of this.#clip.feet.entries()) {
      if (!this.#legs[i]!.isBelowHips) continue;
      for (const [frame, weight] of weights.entries()) {
        sum += weight * rises[frame]!;
        total += weight;
      }
    }
    return total > 0 ? sum / total : this.#restRise;
  }

  /** Lowers the hips where a planted foot would be out of reach, and gradually before and after. */
  #lower(shifts: Float64Array, order: FrameOrder): void {
    const { up, leg: length } = this.#targetGround;
    const { hips, feet } = this.#clip;
    const lacks = new Float64Array(hips.length / 3);
    for (const [i, { leg, isBelowHips }] of this.#legs.entries()) {
      const { spans, offsets, goals } = feet[i]!;
      for (let frame = 0; isBelowHips && frame < lacks.length; frame++) {
        copyVector(goal, 0, goals, 3 * frame);
        if (plantedShare(this.#targetGround.heightOf(goal)) < 1) continue;
        copyVector(vector, 0, spans, 3 * frame);
        addScaled(vector, 0, vectorAt(offsets, 3 * frame), 1);
        addScaled(vector, 0, vectorAt(shifts, 3 * frame), -1);
        const below = -dot(vector, up);
        addScaled(vector, 0, up, below);
        const reach = Math.sqrt(Math.max(((1 + INVISIBLE) * leg.length) ** 2 - dot(vector, vector), 0));
        lacks[frame] = Math.max(lacks[frame]!, Math.min(below - reach, MOST_LOWERED * length));
      }
    }
    if (!lacks.some(lack => lack > 0)) return;
    extend(lacks, order);
    smooth(lacks, 1, order);
    for (const [frame, lack] of lacks.entries()) addScaled(hips, 3 * frame, up, -lack);
  }

  /**
   * Places hips and feet in a frame: writes the position of the hips, and rotates thighs and shins so
   * that the feet reach their positions. Feet high above the ground keep the rotations of their legs.
   * `rotations`: world rotations of the target's bones. `plantFeet`: if false, only the hips are placed.
   */
  place(frame: number, rotations: Float64Array, hips: Vec3, plantFeet: boolean): void {
    const clip = this.#clip;
    copyVector(hips, 0, clip.hips, 3 * frame);
    if (!plantFeet) return;
    for (const [i, { leg, foot, toEnd }] of this.#legs.entries()) {
      const { goals, offsets } = clip.feet[i]!;
      copyVector(goal, 0, goals, 3 * frame);
      const share = plantedShare(this.#targetGround.heightOf(goal));
      copyVector(vector, 0, offsets, 3 * frame);
      addScaled(goal, 0, vector, 1);
      toFootGoal(goal, toEnd, rotations, foot);
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

const place = vec3();
const goal = vec3();
const vector = vec3();
const heading = quat();

/** Height in leg lengths from which on a foot doesn't count for the height of the hips. */
const NEAR_GROUND = 0.3;

/** Largest height by which the hips are lowered so that the feet reach their goals, in leg lengths. */
const MOST_LOWERED = 0.1;
/** Largest difference between the distances from hip to foot at the start and at the end of a loop, in leg lengths. */
const CLOSED = 0.03;

/** Moves the goal of the end of a foot to the goal of the foot. The foot keeps its rotation. */
function toFootGoal(goal: Vec3, toEnd: Vec3, rotations: Float64Array, foot: number): void {
  copyVector(vector, 0, toEnd, 0);
  copyQuaternion(heading, 0, rotations, 4 * foot);
  rotateVector(vector, 0, heading);
  addScaled(goal, 0, vector, -1);
}

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
