// Retargets clips between two humanoids or two quadrupeds, independent of bone names, bone axes,
// rest pose and proportions.
//
// Each bone is rotated away from its rest pose as its counterpart is, measured relative to the
// body. Before that, the rest pose of the target is aligned with that of the source, so a target in
// T-pose and one in A-pose give the same result. The movement of the hips is scaled by the ratio of
// leg lengths. Two-bone IK keeps the feet at constant distances from their scaled positions while they
// are planted, so that they don't slide (legPlacement.ts).
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
  rotationAbout,
  rotationBetween,
  slerp,
  toQuat,
} from '../core/math/quaternion.ts';
import { cross, dot, length, vec3 } from '../core/math/vector.ts';
import { bind, type BoundClip, type BoundTrack } from '../core/bind.ts';
import { invalidArgument } from '../core/error.ts';
import { type RestPose, restPoseOf } from '../core/restPose.ts';
import { parentOf } from '../core/tree.ts';
import type { Clip, NodeTable, RigScene, Track } from '../core/types.ts';
import { Animator } from './animator.ts';
import { bodyFrame, type Frame } from './bodyFrame.ts';
import { rotationOf } from './frame.ts';
import { isBelow, pathTo } from './hierarchy.ts';
import type { StatedPair } from './boneMap.ts';
import { type Body, type BodyBone, boneOf, legLength, planOf, withStated } from './bodyPlan.ts';
import { bodyOf } from './humanoid.ts';
import { Layer } from './layer.ts';
import { alignLimbs } from './limbAlignment.ts';
import { LegPlacement } from './legPlacement.ts';
import { LocalKeys } from './localKeys.ts';
import type { Pose } from './pose.ts';
import { type RetargetedPair, withStatedPairs } from './retargetedPair.ts';
import { makeClip } from './table.ts';

export interface BodyRetargetOptions {
  /**
   * Number of keys per second, positive (default: the frame rate of the clip, or 30 if the clip has
   * none).
   */
  frameRate?: number;
  /**
   * If true (the default), IK keeps planted feet where they are, so that they don't slide.
   * Feet that are more than 0.5 leg lengths above the ground follow the rotations of their legs.
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
  bone: BodyBone | null;
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
 * Retargets clips from one humanoid or quadruped to another. Create one retargeter per pair of
 * scenes.
 *
 * @experimental
 */
export class BodyRetargeter {
  readonly source: Body;
  readonly target: Body;
  /**
   * Body parts that are retargeted. Spine, neck and tail are each listed once, however many bones
   * they consist of.
   */
  readonly bones: readonly BodyBone[];
  /** Rows of the source bones that move a bone of the target. */
  readonly sourceRows: ReadonlySet<number>;
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
  /** Alignments of limbs in the rest pose, by bone (see `alignLimbs`). */
  readonly #aligned: ReadonlyMap<BodyBone, Quaternion>;
  readonly #legs: LegPlacement;
  readonly #stated: readonly StatedPair[];
  /** Rows of target bones for which the user states that no bone moves them. */
  readonly #unmoved: ReadonlySet<number>;

  /**
   * Returns null if the scenes aren't two humanoids or two quadrupeds. Quadrupeds need four feet:
   * feet that aren't below their legs in the hierarchy, as in rigs whose legs follow the feet by IK,
   * would stay behind.
   */
  static of(from: RigScene, to: RigScene, stated: readonly StatedPair[] = []): BodyRetargeter | null {
    const [found, target] = [bodyOf(from), bodyOf(to)];
    if (!found || found.kind !== target?.kind) return null;
    const source = withStated(found, target, stated);
    const isComplete = (body: Body): boolean => body.kind === 'humanoid' || planOf(body).legs.every(({ foot }) => body.bones.has(foot));
    return isComplete(source) && isComplete(target) ? new BodyRetargeter(from, to, source, target, stated) : null;
  }

  private constructor(from: RigScene, to: RigScene, source: Body, target: Body, stated: readonly StatedPair[]) {
    this.#from = from;
    this.#to = to;
    this.source = source;
    this.target = target;
    this.#sourceRest = restPoseOf(from.nodes);
    this.#targetRest = restPoseOf(to.nodes);
    this.#space = between(bodyFrame(source, this.#sourceRest), bodyFrame(target, this.#targetRest));
    this.#spaceQuat = toQuat(this.#space);
    const legs = legLength(target, this.#targetRest) / legLength(source, this.#sourceRest);
    this.scale = legs > 0 && legs < Infinity ? legs : 1;
    this.#aligned = alignLimbs({ body: source, rest: this.#sourceRest }, { body: target, rest: this.#targetRest }, this.#space);
    this.#pairBones(this.#aligned);
    this.#applyStated(stated);
    this.#stated = stated;
    this.#unmoved = new Set(stated.filter(({ from: row }) => row < 0).map(({ to: row }) => row));
    this.#driven.sort((a, b) => a.row - b.row);
    this.bones = this.#driven.map(({ bone }) => bone).filter(bone => bone !== null);
    this.sourceRows = new Set(this.#driven.flatMap(({ a, b }) => [a, b]));
    this.#legs = this.#placementOf(this.#driven);
  }

  /** Returns the pairs, ordered by the bones of the target. */
  pairs(): RetargetedPair[] {
    const { chained } = planOf(this.target);
    const parts = new Map([...this.target.bones].map(([part, row]) => [row, part]));
    const pairOf = ({ row, bone, a, b }: Driven): RetargetedPair => ({
      target: row,
      sources: a === b ? [a] : [a, b],
      foundBy: bone === null || chained.has(bone) ? 'position' : 'part',
      part: parts.get(row) ?? null,
    });
    return withStatedPairs(this.#driven.map(pairOf), this.#stated);
  }

  /** `driven`: bones of the target whose rotations are passed to the result. */
  #placementOf(driven: readonly { bone: BodyBone | null; row: number }[]): LegPlacement {
    const source = { body: this.source, rest: this.#sourceRest, hasMesh: this.#from.meshes.length > 0 };
    const target = { body: this.target, rest: this.#targetRest, hasMesh: this.#to.meshes.length > 0 };
    return new LegPlacement(source, target, { space: this.#space, scale: this.scale, aligned: this.#aligned }, driven, this.#to.nodes);
  }

  /**
   * Returns true if a clip that is retargeted by bone name needs `correctLimbs`: hips and legs of
   * the two bodies differ in more than their size. `isRelative`: true if the clip's translations
   * are applied relative to the rest pose.
   */
  needsLegCorrection(isRelative: boolean): boolean {
    return !this.#legs.hasSameLegs(isRelative);
  }

  /**
   * Retargets `clip`, which must be bound to the source. Bind the returned clip to the target by
   * name.
   */
  retarget(clip: BoundClip, { frameRate, plantFeet = true }: BodyRetargetOptions = {}): Clip {
    const { rate, times } = sampleTimes(clip, frameRate);
    const keys = this.#sample(clip, rate, times, plantFeet);
    const faces = [...clip.clip.tracks].filter(({ path }) => path === 'weight');
    const { name, duration, loop, events } = clip;
    return makeClip({ name, start: 0, duration, frameRate: rate, frameCount: times.length, loop, events }, [...keys, ...faces]);
  }

  /**
   * Corrects the hips, legs and arms of a clip that was retargeted by bone name. The hips move as in
   * `retarget`, and so do the feet unless `plantFeet` is false. Legs and arms have the directions of
   * the source. Arms that the clip doesn't rotate are not changed. `clip`: the clip, bound to the
   * source. `copied`: its retargeted tracks, bound to the target. Returns the corrected tracks,
   * which are also bound to the target. Returns null if the clip moves no thigh, or if its curves
   * are additive.
   */
  correctLimbs(
    clip: BoundClip,
    copied: readonly BoundTrack[],
    { frameRate, plantFeet = true }: BodyRetargetOptions = {},
  ): BoundTrack[] | null {
    const { legs: legPlans, arms } = planOf(this.target);
    const legBones = legPlans.flatMap(({ upper, lower, foot }) => [upper, lower, foot]);
    const isRotated = (row: number | undefined): boolean => clip.tracks.some(({ node, path }) => node === row && path === 'rotation');
    const armBones = arms
      .filter(({ upper }) => isRotated(this.source.bones.get(upper)))
      .flatMap(({ upper, lower, hand }) => [upper, lower, hand]);
    const paired = (['hips', ...legBones, ...armBones] as const).flatMap(bone => {
      const [row, source] = [this.target.bones.get(bone), this.source.bones.get(bone)];
      return row === undefined || source === undefined || this.#unmoved.has(row) ? [] : [{ bone, row, source }];
    });
    const thighs = paired.filter(({ bone }) => bone.endsWith('UpperLeg')).map(({ source }) => source);
    const animated = trackedAncestors(
      clip.tracks,
      this.#from.nodes,
      paired.map(({ source }) => source),
    );
    const isCorrected = animated.some(({ node, path }) => path === 'rotation' && thighs.includes(node));
    if (!isCorrected || animated.some(({ mode }) => mode === 'additive')) return null;
    const driven = [...paired, ...this.#between(paired)];
    const { rate, times } = sampleTimes(clip, frameRate);
    const legs = this.#placementOf(driven);
    const source = playerOf(this.#from, animated);
    const target = playerOf(
      this.#to,
      trackedAncestors(
        copied,
        this.#to.nodes,
        driven.map(({ row }) => row),
      ),
    );
    const hips = driven.findIndex(({ bone }) => bone === 'hips');
    const keys = new LocalKeys(this.#to.nodes, driven, times.length, hips);
    // Legs and arms take their rotations from the source, because bones with the same names can have
    // other directions in the rest pose.
    const known = driven.map(({ row, bone }) =>
      bone === null || bone === 'hips' ? undefined : this.#driven.find(each => each.row === row),
    );
    const rotations = Array.from(times, () => new Float64Array(4 * driven.length));
    const [rotation, position] = [quat(), vec3()];
    legs.prepare(source.animator, source.layer, times, { rate, isLoop: clip.loop });
    for (const [frame, time] of times.entries()) {
      const pose = target.at(time);
      const from = source.at(time);
      const all = rotations[frame]!;
      for (const [i, { row }] of driven.entries()) {
        const limb = known[i];
        rotationOf(limb ? source.matrices : target.matrices, limb ? limb.a : row, (limb ? from : pose).scales, rotation);
        if (limb) {
          multiply(rotation, 0, this.#spaceQuat, 0, rotation, 0);
          multiply(rotation, 0, rotation, 0, limb.fromA, 0);
        }
        copyQuaternion(all, 4 * i, rotation, 0);
      }
      legs.record(frame, source.matrices, all);
    }
    legs.settle(plantFeet);
    for (const [frame, time] of times.entries()) {
      const all = rotations[frame]!;
      legs.place(frame, all, position, plantFeet);
      keys.setFrame(frame, all, position, target.at(time));
    }
    // The rotations of the hips and of bones between hips and legs are not changed. All these bones
    // keep their lengths, so translations that the clip contains for them are left out.
    const isChanged = ({ node, path }: Pick<BoundTrack, 'node' | 'path'>): boolean => {
      const at = driven.findIndex(({ row }) => row === node);
      if (path === 'translation') return at >= 0;
      return path === 'rotation' && at >= 0 && at < paired.length && at !== hips;
    };
    const made = bind(makeClip(clip.clip, keys.tracks(times)), this.#to).tracks;
    return [...copied.filter(track => !isChanged(track)), ...made.filter(isChanged)];
  }

  /** Returns the bones of the target between hips and legs, such as spine and shoulders. */
  #between(paired: readonly { bone: BodyBone; row: number }[]): { bone: null; row: number }[] {
    const hips = boneOf(this.target, 'hips');
    const rows = paired.filter(({ bone }) => bone.endsWith('UpperLeg')).flatMap(({ row }) => pathTo(this.#to.nodes, hips, row));
    const known = new Set(paired.map(({ row }) => row));
    return [...new Set(rows)].filter(row => !known.has(row) && isBelow(this.#to.nodes, row, hips)).map(row => ({ bone: null, row }));
  }

  // ---------------------------------------------------------------- pairing the bodies

  #pairBones(aligned: ReadonlyMap<BodyBone, Quaternion>): void {
    const { source, target } = this;
    const { chained, top } = planOf(target);
    for (const [bone, row] of target.bones) {
      const a = source.bones.get(bone);
      if (a === undefined || chained.has(bone)) continue;
      this.#add(bone, row, a, a, 0, aligned.get(bone) ?? IDENTITY);
    }
    const topOf = (body: Body): number => body.bones.get('head') ?? boneOf(body, top[0]);
    this.#pairChain('spine', source.spine, source.neck[0] ?? topOf(source), target.spine, target.neck[0] ?? topOf(target));
    this.#pairChain('neck', source.neck, topOf(source), target.neck, topOf(target));
    const [sourceTail, targetTail] = [source.tail ?? [], target.tail ?? []];
    this.#pairChain('tail', sourceTail, sourceTail.at(-1) ?? 0, targetTail, targetTail.at(-1) ?? 0);
  }

  /** Replaces the pairs of bones for which the user states another source, or none. */
  #applyStated(stated: readonly StatedPair[]): void {
    for (const { to, from } of stated) {
      const at = this.#driven.findIndex(({ row }) => row === to);
      const known = this.#driven[at];
      if (from >= 0 && known?.a === from && known.b === from) continue;
      if (at >= 0) this.#driven.splice(at, 1);
      if (from >= 0) this.#add(known?.bone ?? null, to, from, from, 0, (known?.bone && this.#aligned.get(known.bone)) || IDENTITY);
    }
  }

  #add(bone: BodyBone | null, row: number, a: number, b: number, share: number, align: Quaternion): void {
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
   * Pairs the bones of two spines, necks or tails by their relative position along the chain.
   */
  #pairChain(
    name: 'spine' | 'neck' | 'tail',
    source: readonly number[],
    sourceEnd: number,
    target: readonly number[],
    targetEnd: number,
  ): void {
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

  // ---------------------------------------------------------------- retargeting a clip

  #sample(clip: BoundClip, rate: number, times: Float32Array, plantFeet: boolean): Track[] {
    const { animator, layer, matrices, at: play } = playerOf(this.#from, clip.tracks);
    const rows = [...this.sourceRows];
    const rotations = new Float64Array(4 * rows.length);
    const driven = this.#driven.map(({ a, b, share, fromA, fromB }) => ({
      atA: 4 * rows.indexOf(a),
      atB: 4 * rows.indexOf(b),
      share,
      fromA,
      fromB,
    }));
    const rotationsOfFrames = Array.from(times, () => new Float64Array(4 * driven.length));
    const hips = this.#driven.findIndex(({ bone }) => bone === 'hips');
    const keys = new LocalKeys(this.#to.nodes, this.#driven, times.length, hips);
    const rotation = quat();
    const position = vec3();
    this.#legs.prepare(animator, layer, times, { rate, isLoop: clip.loop });
    for (const [frame, time] of times.entries()) {
      const pose = play(time);
      const wanted = rotationsOfFrames[frame]!;
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
      this.#legs.record(frame, matrices, wanted);
    }
    this.#legs.settle(plantFeet);
    for (const [frame, wanted] of rotationsOfFrames.entries()) {
      this.#legs.place(frame, wanted, position, plantFeet);
      keys.setFrame(frame, wanted, position);
    }
    return keys.tracks(times);
  }
}

/** Returns the times of the keys of a sampled clip, and their number per second. */
function sampleTimes(clip: BoundClip, frameRate?: number): { rate: number; times: Float32Array } {
  if (frameRate !== undefined && !(frameRate > 0)) throw invalidArgument(`frameRate: ${frameRate} is not a positive number`);
  const rate = frameRate ?? (clip.frameRate > 0 ? clip.frameRate : 30);
  const frames = Math.min(Math.max(Math.round(clip.duration * rate), 0) + 1, MAX_FRAMES);
  return { rate, times: Float32Array.from({ length: frames }, (_, i) => Math.min(i / rate, clip.duration)) };
}

/** Returns the tracks that move the nodes `rows` or their ancestors. */
function trackedAncestors(tracks: readonly BoundTrack[], nodes: NodeTable, rows: readonly number[]): BoundTrack[] {
  const needed = new Set<number>();
  for (const row of rows) for (let at = row; at >= 0 && !needed.has(at); at = parentOf(nodes, at)) needed.add(at);
  const isTransform = ({ path }: BoundTrack): boolean => path === 'translation' || path === 'rotation' || path === 'scale';
  return tracks.filter(track => isTransform(track) && needed.has(track.node));
}

/** Plays tracks. `at` returns the pose at a time, and updates `matrices`, the world matrices. */
function playerOf(scene: RigScene, tracks: readonly BoundTrack[]) {
  const animator = new Animator(scene);
  const layer = new Layer(animator.shape, tracks);
  animator.layers.push(layer);
  const at = (time: number): Pose => {
    layer.time = time;
    const pose = animator.evaluate();
    animator.world.update(pose);
    return pose;
  };
  return { animator, layer, matrices: animator.world.matrices, at };
}

// ---------------------------------------------------------------- bodies at rest

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
