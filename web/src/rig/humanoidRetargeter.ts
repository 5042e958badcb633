// Retargets clips between two humanoids, independent of bone names, bone axes, rest pose and
// proportions.
//
// Each bone is rotated away from its rest pose as its counterpart is, measured relative to the
// body. Before that, the rest pose of the target is aligned with that of the source, so a target in
// T-pose and one in A-pose give the same result. The movement of the hips is scaled by the ratio of
// leg lengths. Two-bone IK moves the feet to their scaled positions, so that planted feet don't
// slide.
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
  twistBetween,
} from '../core/math/quaternion.ts';
import { cross, dot, length, vec3, type Vector } from '../core/math/vector.ts';
import { bind, type BoundClip, type BoundTrack } from '../core/bind.ts';
import { type RestPose, restPoseOf } from '../core/restPose.ts';
import { parentOf } from '../core/tree.ts';
import type { Clip, NodeTable, RigScene, Track } from '../core/types.ts';
import { Animator } from './animator.ts';
import { bodyFrame, type Frame } from './bodyFrame.ts';
import { rotationOf } from './frame.ts';
import { boneOf, type HumanBone, type Humanoid, humanoidOf, legLength } from './humanoid.ts';
import { Layer } from './layer.ts';
import { LegPlacement, SIDES } from './legPlacement.ts';
import { LocalKeys } from './localKeys.ts';
import type { Pose } from './pose.ts';
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
  /** Alignments of limbs in the rest pose, by bone (see `#alignments`). */
  readonly #aligned: ReadonlyMap<HumanBone, Quaternion>;
  readonly #legs: LegPlacement;

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
    this.#space = between(bodyFrame(source, this.#sourceRest), bodyFrame(target, this.#targetRest));
    this.#spaceQuat = toQuat(this.#space);
    const legs = legLength(target, this.#targetRest) / legLength(source, this.#sourceRest);
    this.scale = legs > 0 && legs < Infinity ? legs : 1;
    this.#aligned = this.#alignments();
    this.#pairBones(this.#aligned);
    this.#driven.sort((a, b) => a.row - b.row);
    this.bones = this.#driven.map(({ bone }) => bone).filter(bone => bone !== null);
    this.sourceRows = new Set(this.#driven.flatMap(({ a, b }) => [a, b]));
    this.#legs = this.#placementOf(this.#driven);
  }

  /** `driven`: bones of the target whose rotations are passed to the result. */
  #placementOf(driven: readonly { bone: HumanBone | null; row: number }[]): LegPlacement {
    const source = { body: this.source, rest: this.#sourceRest };
    const target = { body: this.target, rest: this.#targetRest };
    return new LegPlacement(source, target, { space: this.#space, scale: this.scale, aligned: this.#aligned }, driven);
  }

  /**
   * Returns true if a clip that is retargeted by bone name needs `correctLegs`: hips and legs of
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
  retarget(clip: BoundClip, { frameRate, plantFeet = true }: HumanoidRetargetOptions = {}): Clip {
    const { rate, times } = sampleTimes(clip, frameRate);
    const keys = this.#sample(clip, times, plantFeet);
    const faces = [...clip.clip.tracks].filter(({ path }) => path === 'weight');
    const { name, duration, loop, events } = clip;
    return makeClip({ name, start: 0, duration, frameRate: rate, frameCount: times.length, loop, events }, [...keys, ...faces]);
  }

  /**
   * Corrects the hips and legs of a clip that was retargeted by bone name. The hips move as in
   * `retarget`, and so do the feet unless `plantFeet` is false. `clip`: the clip, bound to the
   * source. `copied`: its retargeted tracks, bound to the target. Returns the corrected tracks,
   * which are also bound to the target. Returns null if the clip moves no thigh, or if its curves
   * are additive.
   */
  correctLegs(
    clip: BoundClip,
    copied: readonly BoundTrack[],
    { frameRate, plantFeet = true }: HumanoidRetargetOptions = {},
  ): BoundTrack[] | null {
    const driven = LEG_BONES.flatMap(bone => {
      const [row, source] = [this.target.bones.get(bone), this.source.bones.get(bone)];
      return row === undefined || source === undefined ? [] : [{ bone, row, source }];
    });
    const thighs = driven.filter(({ bone }) => bone.endsWith('UpperLeg')).map(({ source }) => source);
    const animated = trackedAncestors(
      clip.tracks,
      this.#from.nodes,
      driven.map(({ source }) => source),
    );
    const isCorrected = animated.some(({ node, path }) => path === 'rotation' && thighs.includes(node));
    if (!isCorrected || animated.some(({ mode }) => mode === 'additive')) return null;
    const { times } = sampleTimes(clip, frameRate);
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
    const rotations = new Float64Array(4 * driven.length);
    const [rotation, position] = [quat(), vec3()];
    legs.prepare(source.animator, source.layer, times);
    for (const [frame, time] of times.entries()) {
      const pose = target.at(time);
      source.at(time);
      for (const [i, { row }] of driven.entries()) {
        rotationOf(target.matrices, row, pose.scales, rotation);
        copyQuaternion(rotations, 4 * i, rotation, 0);
      }
      legs.placeHips(source.matrices, position);
      if (plantFeet) legs.plant(source.matrices, rotations, position);
      keys.setFrame(frame, rotations, position, pose);
    }
    // The rotation of the hips is not changed.
    const isChanged = ({ node, path }: Pick<BoundTrack, 'node' | 'path'>): boolean => {
      const at = driven.findIndex(({ row }) => row === node);
      return at >= 0 && (at === hips ? path === 'translation' : path === 'rotation');
    };
    const made = bind(makeClip(clip.clip, keys.tracks(times)), this.#to).tracks;
    return [...copied.filter(track => !isChanged(track)), ...made.filter(isChanged)];
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

  // ---------------------------------------------------------------- retargeting a clip

  #sample(clip: BoundClip, times: Float32Array, plantFeet: boolean): Track[] {
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
    const wanted = new Float64Array(4 * driven.length);
    const hips = this.#driven.findIndex(({ bone }) => bone === 'hips');
    const keys = new LocalKeys(this.#to.nodes, this.#driven, times.length, hips);
    const rotation = quat();
    const position = vec3();
    this.#legs.prepare(animator, layer, times);
    for (const [frame, time] of times.entries()) {
      const pose = play(time);
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
      this.#legs.placeHips(matrices, position);
      if (plantFeet) this.#legs.plant(matrices, wanted, position);
      keys.setFrame(frame, wanted, position);
    }
    return keys.tracks(times);
  }
}

/** Bones whose tracks `correctLegs` replaces. */
const LEG_BONES: readonly HumanBone[] = ['hips', ...SIDES.flatMap(side => [`${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`] as const)];

/** Returns the times of the keys of a sampled clip, and their number per second. */
function sampleTimes(clip: BoundClip, frameRate?: number): { rate: number; times: Float32Array } {
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
