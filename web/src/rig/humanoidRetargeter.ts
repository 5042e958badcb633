// Retargets clips between two humanoids, independent of bone names, bone axes, rest pose and
// proportions.
//
// Each bone is rotated away from its rest pose as its counterpart is, measured relative to the
// body. Before that, the rest pose of the target is aligned with that of the source, so a target in
// T-pose and one in A-pose give the same result. The movement of the hips is scaled by the ratio of
// leg lengths. Two-bone IK moves the feet to their scaled positions, so that planted feet don't
// slide.
import {
  IDENTITY,
  inverted,
  multiplied,
  multiply,
  type Quat,
  quat,
  type Quaternion,
  rotated,
  rotateVector,
  rotationAbout,
  rotationBetween,
  slerp,
  toQuat,
  twistBetween,
} from '../core/math/quaternion.ts';
import {
  add,
  addScaled,
  copyVector,
  cross,
  dot,
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
import type { BoundClip } from '../core/bind.ts';
import { type RestPose, restPoseOf } from '../core/restPose.ts';
import type { Clip, RigScene, Track } from '../core/types.ts';
import { Animator } from './animator.ts';
import { bodyFrame, type Frame } from './bodyFrame.ts';
import { BodyGround } from './bodyGround.ts';
import { positionOf, rotationOf } from './frame.ts';
import { boneOf, type HumanBone, type Humanoid, humanoidOf, legLength } from './humanoid.ts';
import { Layer } from './layer.ts';
import { Leg } from './leg.ts';
import { LocalKeys } from './localKeys.ts';
import { makeClip } from './table.ts';

export interface HumanoidRetargetOptions {
  /**
   * Number of keys per second (default: the frame rate of the clip, or 30 if the clip has none).
   */
  frameRate?: number;
  /**
   * If true (the default), IK moves the feet to their scaled positions, so that they don't slide.
   */
  plantFeet?: boolean;
}

/** Maximum number of keys per track: ten minutes at 60 frames per second. */
const MAX_FRAMES = 36_000;

/**
 * A bone of the target whose rotation is computed from one or two source bones (rows `a` and `b`,
 * which are equal for a single bone).
 */
interface Driven {
  bone: HumanBone | null;
  row: number;
  a: number;
  b: number;
  /** Weight of source bone `b`, 0 to 1. The weight of `a` is 1 minus this. */
  share: number;
  /**
   * Quaternions that convert the world rotations of `a` and `b` to the world rotation of the target
   * bone. For `a`, the target rotation is `#space` · rotation of `a` · `fromA`.
   */
  fromA: Quat;
  fromB: Quat;
}

/**
 * Retargets clips from one humanoid to another. Create one retargeter per pair of scenes.
 *
 * @experimental
 */
export class HumanoidRetargeter {
  readonly source: Humanoid;
  readonly target: Humanoid;
  /**
   * Humanoid bones that are retargeted. Spine and neck are each listed once, however many bones
   * they consist of.
   */
  readonly bones: readonly HumanBone[];
  /** Ratio of the target's leg length to the source's leg length. */
  readonly scale: number;
  readonly #from: RigScene;
  readonly #to: RigScene;
  /** Rotation from the axes of the source body to the axes of the target body, in two types. */
  readonly #space: Quaternion;
  readonly #spaceQuat: Quat;
  readonly #driven: Driven[] = [];
  readonly #sourceRest: RestPose;
  readonly #targetRest: RestPose;
  readonly #sourceHips: Vec3;
  readonly #targetHips: Vec3;
  readonly #sourceGround: BodyGround;
  readonly #targetGround: BodyGround;
  readonly #legs: { leg: Leg; foot: number; sourceFoot: number; apart: Vec3; fromFoot: Quat; rise: number }[] = [];
  /** Height in metres by which the hips rise when the legs are aligned, averaged over both legs. */
  readonly #rise: number;

  /** Returns null if `from` or `to` isn't a humanoid. */
  static of(from: RigScene, to: RigScene): HumanoidRetargeter | null {
    const source = humanoidOf(from);
    const target = humanoidOf(to);
    return source && target && new HumanoidRetargeter(from, to, source, target);
  }

  private constructor(from: RigScene, to: RigScene, source: Humanoid, target: Humanoid) {
    this.#from = from;
    this.#to = to;
    this.source = source;
    this.target = target;
    this.#sourceRest = restPoseOf(from.nodes);
    this.#targetRest = restPoseOf(to.nodes);
    this.#sourceHips = toVec3(this.#sourceRest.position(boneOf(source, 'hips')));
    this.#targetHips = toVec3(this.#targetRest.position(boneOf(target, 'hips')));
    this.#space = between(bodyFrame(source, this.#sourceRest), bodyFrame(target, this.#targetRest));
    this.#spaceQuat = toQuat(this.#space);
    const legs = legLength(target, this.#targetRest) / legLength(source, this.#sourceRest);
    this.scale = legs > 0 && legs < Infinity ? legs : 1;
    const aligned = this.#alignments();
    this.#pairBones(aligned);
    this.#driven.sort((a, b) => a.row - b.row);
    this.bones = this.#driven.map(({ bone }) => bone).filter(bone => bone !== null);
    for (const side of SIDES) this.#addLeg(side, aligned);
    this.#rise = this.#legs.reduce((sum, { rise }) => sum + rise / this.#legs.length, 0);
    this.#sourceGround = new BodyGround(source, this.#sourceRest);
    this.#targetGround = new BodyGround(target, this.#targetRest);
  }

  /**
   * Retargets `clip`, which must be bound to the source. Bind the returned clip to the target by
   * name.
   */
  retarget(clip: BoundClip, { frameRate, plantFeet = true }: HumanoidRetargetOptions = {}): Clip {
    const rate = frameRate ?? (clip.frameRate > 0 ? clip.frameRate : 30);
    const frames = Math.min(Math.max(Math.round(clip.duration * rate), 0) + 1, MAX_FRAMES);
    const times = Float32Array.from({ length: frames }, (_, i) => Math.min(i / rate, clip.duration));
    const keys = this.#sample(clip, times, plantFeet);
    const faces = [...clip.clip.tracks].filter(({ path }) => path === 'weight');
    const { name, duration, loop, events } = clip;
    return makeClip({ name, start: 0, duration, frameRate: rate, frameCount: frames, loop, events }, [...keys, ...faces]);
  }

  // ---------------------------------------------------------------- pairing the bodies

  #pairBones(aligned: ReadonlyMap<HumanBone, Quaternion>): void {
    const { source, target } = this;
    const isChain = new Set<HumanBone>(['spine', 'chest', 'upperChest', 'neck']);
    for (const [bone, row] of target.bones) {
      const a = source.bones.get(bone);
      if (a === undefined || isChain.has(bone)) continue;
      this.#add(bone, row, a, a, 0, aligned.get(bone) ?? IDENTITY);
    }
    const top = (body: Humanoid): number => body.bones.get('head') ?? boneOf(body, 'leftUpperArm');
    this.#pairChain('spine', source.spine, source.neck[0] ?? top(source), target.spine, target.neck[0] ?? top(target));
    this.#pairChain('neck', source.neck, top(source), target.neck, top(target));
  }

  #add(bone: HumanBone | null, row: number, a: number, b: number, share: number, align: Quaternion): void {
    const right = (source: number): Quat =>
      toQuat(
        multiplied(
          multiplied(inverted(this.#sourceRest.rotation(source)), inverted(this.#space)),
          multiplied(align, this.#targetRest.rotation(row)),
        ),
      );
    this.#driven.push({ bone, row, a, b, share, fromA: right(a), fromB: right(b) });
  }

  /**
   * Pairs the bones of the two spines, or of the two necks, by their relative position along the
   * chain.
   */
  #pairChain(name: 'spine' | 'neck', source: readonly number[], sourceEnd: number, target: readonly number[], targetEnd: number): void {
    const joints = midpointsOf(source, sourceEnd, this.#sourceRest);
    const last = joints.at(-1);
    const isAlike = source.length === target.length;
    for (const [i, { row, middle }] of midpointsOf(target, targetEnd, this.#targetRest).entries()) {
      const above = isAlike ? joints[i] : (joints.find(joint => joint.middle >= middle) ?? last);
      if (!above || !last) return;
      const below = isAlike || middle >= last.middle ? above : (joints[joints.indexOf(above) - 1] ?? above);
      const share = below === above ? 0 : (middle - below.middle) / (above.middle - below.middle);
      this.#add(i === 0 ? name : null, row, below.row, above.row, share, IDENTITY);
    }
  }

  /**
   * Returns the world rotations that align the limbs of the target with the limbs of the source in
   * the rest pose. Trunk, feet and toes aren't aligned.
   */
  #alignments(): Map<HumanBone, Quaternion> {
    const alignments = new Map<HumanBone, Quaternion>();
    const directionOf = ({ bones }: Humanoid, rest: RestPose, from: HumanBone, to: HumanBone): Vector | null => {
      const [a, b] = [bones.get(from), bones.get(to)];
      return a === undefined || b === undefined ? null : rest.offset(a, b);
    };
    for (const chain of LIMBS) {
      let rotation = chain.below ? (alignments.get(chain.below) ?? IDENTITY) : IDENTITY;
      for (const [i, bone] of chain.bones.entries()) {
        const next = chain.bones[i + 1] ?? chain.end;
        const targetDirection = next && directionOf(this.target, this.#targetRest, bone, next);
        const sourceDirection = next && directionOf(this.source, this.#sourceRest, bone, next);
        if (targetDirection && sourceDirection)
          rotation = multiplied(rotationBetween(rotated(targetDirection, rotation), rotated(sourceDirection, this.#space)), rotation);
        if (bone === 'leftHand' || bone === 'rightHand') rotation = this.#alignHand(bone, rotation);
        alignments.set(bone, rotation);
      }
    }
    return alignments;
  }

  /**
   * Extends the alignment of a hand by a rotation that aligns the palms, if both bodies have
   * knuckles. Returns the result.
   */
  #alignHand(hand: 'leftHand' | 'rightHand', rotation: Quaternion): Quaternion {
    const palmOf = ({ bones }: Humanoid, rest: RestPose): { fingers: Vector; across: Vector } | null => {
      const wrist = bones.get(hand);
      const [middle, index, little] = (['Middle', 'Index', 'Little'] as const).map(finger =>
        bones.get(`${hand.slice(0, -4)}${finger}Proximal` as HumanBone),
      );
      if (wrist === undefined || middle === undefined || index === undefined || little === undefined) return null;
      return { fingers: rest.offset(wrist, middle), across: rest.offset(little, index) };
    };
    const targetPalm = palmOf(this.target, this.#targetRest);
    const sourcePalm = palmOf(this.source, this.#sourceRest);
    if (!targetPalm || !sourcePalm) return rotation;
    const along = rotated(sourcePalm.fingers, this.#space);
    const straight = multiplied(rotationBetween(rotated(targetPalm.fingers, rotation), along), rotation);
    return multiplied(twistBetween(rotated(targetPalm.across, straight), rotated(sourcePalm.across, this.#space), along), straight);
  }

  #addLeg(side: 'left' | 'right', aligned: ReadonlyMap<HumanBone, Quaternion>): void {
    const rest = this.#targetRest;
    const find = (name: HumanBone): { index: number; row: number } | null => {
      const index = this.#driven.findIndex(({ bone }) => bone === name);
      const row = this.#driven[index]?.row;
      return row === undefined ? null : { index, row };
    };
    const [hips, upper, lower, foot] = [find('hips'), find(`${side}UpperLeg`), find(`${side}LowerLeg`), find(`${side}Foot`)];
    if (!hips || !upper || !lower || !foot) return;
    const sourceFoot = boneOf(this.source, `${side}Foot`);
    // The target's foot has a horizontal offset from the scaled source foot, because hip widths and
    // leg lengths differ. The offset rotates with the foot.
    const targetOffset = add(
      add(rest.offset(hips.row, upper.row), rotated(rest.offset(upper.row, lower.row), aligned.get(`${side}UpperLeg`) ?? IDENTITY)),
      rotated(rest.offset(lower.row, foot.row), aligned.get(`${side}LowerLeg`) ?? IDENTITY),
    );
    const sourceOffset = rotated(this.#sourceRest.offset(boneOf(this.source, 'hips'), sourceFoot), this.#space);
    const [x, , z] = subtract(targetOffset, scale(sourceOffset, this.scale));
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
      ahead: local(bodyFrame(this.target, rest).forward, upper.row),
    });
    this.#legs.push({
      leg,
      foot: foot.index,
      sourceFoot,
      apart: vec3(x, height - sourceOffset[1] * this.scale, z),
      fromFoot: toQuat(inverted(rest.rotation(foot.row))),
      rise: height - targetOffset[1],
    });
  }

  // ---------------------------------------------------------------- retargeting a clip

  #sample(clip: BoundClip, times: Float32Array, plantFeet: boolean): Track[] {
    const animator = new Animator(this.#from);
    const layer = new Layer(animator.shape, clip.tracks);
    animator.layers.push(layer);
    const { matrices } = animator.world;
    const rows = [...new Set(this.#driven.flatMap(({ a, b }) => [a, b]))];
    const rotations = new Float64Array(4 * rows.length);
    const driven = this.#driven.map(({ a, b, share, fromA, fromB }) => ({
      atA: 4 * rows.indexOf(a),
      atB: 4 * rows.indexOf(b),
      share,
      fromA,
      fromB,
    }));
    const wanted = new Float64Array(4 * driven.length);
    const hips = this.#driven.findIndex(({ bone }) => bone === 'hips');
    const sourceHips = boneOf(this.source, 'hips');
    const keys = new LocalKeys(this.#to.nodes, this.#driven, times.length, hips);
    const rotation = quat();
    const position = vec3();
    const sourceOrigin = toVec3(this.#sourceHips);
    const ankle = Math.max(this.#targetGround.restHeight, 0) / this.scale;
    addScaled(sourceOrigin, 0, this.#sourceGround.up, this.#sourceGround.offsetIn(animator, layer, times, ankle));
    for (const [frame, time] of times.entries()) {
      layer.time = time;
      const pose = animator.evaluate();
      animator.world.update(pose);
      let at = 0;
      for (const row of rows) {
        rotationOf(matrices, row, pose.scales, rotation);
        multiply(rotations, at, this.#spaceQuat, 0, rotation, 0);
        at += 4;
      }
      at = 0;
      for (const { atA, atB, share, fromA, fromB } of driven) {
        multiply(wanted, at, rotations, atA, fromA, 0);
        if (atA !== atB) {
          multiply(rotation, 0, rotations, atB, fromB, 0);
          slerp(wanted, at, wanted, at, rotation, 0, share);
        }
        at += 4;
      }
      this.#movePoint(matrices, sourceHips, sourceOrigin, position);
      position[1] += this.#rise;
      if (plantFeet) this.#plant(matrices, sourceOrigin, wanted, position);
      keys.setFrame(frame, wanted, position);
    }
    return keys.tracks(times);
  }

  /**
   * Writes the position of a source bone after scaling and rotating it to the target body.
   * `origin`: position of the source's hips at which the target's hips are at rest.
   */
  #movePoint(matrices: Float64Array, row: number, origin: Vec3, result: Vec3): void {
    positionOf(matrices, row, result);
    addScaled(result, 0, origin, -1);
    multiplyScalar(result, this.scale);
    rotateVector(result, 0, this.#spaceQuat);
    addScaled(result, 0, this.#targetHips, 1);
  }

  #plant(matrices: Float64Array, origin: Vec3, wanted: Float64Array, hips: Vec3): void {
    for (const { leg, foot, sourceFoot, apart, fromFoot } of this.#legs) {
      this.#movePoint(matrices, sourceFoot, origin, goal);
      multiply(heading, 0, wanted, 4 * foot, fromFoot, 0);
      // Keep only the part of the rotation that is about +Y.
      const size = length4(0, heading[1], 0, heading[3]) || 1;
      heading[0] = heading[2] = 0;
      heading[1] /= size;
      heading[3] /= size;
      copyVector(offset, 0, apart, 0);
      rotateVector(offset, 0, heading);
      addScaled(goal, 0, offset, 1);
      leg.reach(wanted, hips, goal);
    }
  }
}

const goal = vec3();
const offset = vec3();
const heading = quat();

// ---------------------------------------------------------------- bodies at rest

const SIDES = ['left', 'right'] as const;
/**
 * Chains of bones that are aligned between source and target. `end`: joint that defines the
 * direction of the last bone. `below`: bone whose alignment the chain inherits, such as the hand
 * for a finger.
 */
const LIMBS: readonly { below?: HumanBone; bones: readonly HumanBone[]; end?: HumanBone }[] = SIDES.flatMap(side => [
  { bones: [`${side}UpperArm`, `${side}LowerArm`, `${side}Hand`] as const },
  { bones: [`${side}UpperLeg`, `${side}LowerLeg`] as const, end: `${side}Foot` as const },
  { below: `${side}Hand` as const, bones: [`${side}ThumbMetacarpal`, `${side}ThumbProximal`, `${side}ThumbDistal`] as const },
  ...(['Index', 'Middle', 'Ring', 'Little'] as const).map(finger => ({
    below: `${side}Hand` as const,
    bones: [`${side}${finger}Proximal`, `${side}${finger}Intermediate`, `${side}${finger}Distal`] as const,
  })),
]);

/**
 * Returns the bones of a chain with the relative positions of their midpoints, from 0 at the start
 * of the chain to 1 at its end.
 */
function midpointsOf(chain: readonly number[], end: number, rest: RestPose): { row: number; middle: number }[] {
  const bones = chain.map((row, i) => ({ row, length: length(rest.offset(row, chain[i + 1] ?? end)) }));
  const total = bones.reduce((sum, bone) => sum + bone.length, 0) || 1;
  let passed = 0;
  return bones.map(bone => ({ row: bone.row, middle: (passed += bone.length) / total - bone.length / total / 2 }));
}

/**
 * Tolerance in radians for rounding the angle between two forward directions to a multiple of 90°.
 * Without rounding, rigs that aren't exactly symmetrical would be rotated slightly.
 */
const RIGHT_ANGLE_TOLERANCE = (5 * Math.PI) / 180;

/** Returns the rotation that takes the axes of one body to the axes of another. */
function between(from: Frame, to: Frame): Quaternion {
  const upright = rotationBetween(from.up, to.up);
  const forward = rotated(from.forward, upright);
  const angle = Math.atan2(dot(cross(forward, to.forward), to.up), dot(forward, to.forward));
  const quarter = (Math.round(angle / (Math.PI / 2)) * Math.PI) / 2;
  const rotation = Math.abs(angle - quarter) < RIGHT_ANGLE_TOLERANCE ? quarter : angle;
  return multiplied(rotationAbout(to.up, rotation), upright);
}
