// Retargets recorded hands to the fingers of a model. Each finger bone is aimed in the direction
// between two recorded joints, relative to the palm. The hand bones themselves don't move.
//
// Joint rotations are ignored, because recorders disagree about them
// (docs/formats/mrtk-input-animation.md).
import { jointRows } from '../core/hands.ts';
import { type Side, SIDES } from '../core/nameWords.ts';
import { IDENTITY, inverted, multiplied, type Quaternion, rotated, rotationBetween, twistBetween } from '../core/math/quaternion.ts';
import { cross, normalized, subtract, type Vector } from '../core/math/vector.ts';
import type { BoundClip } from '../core/bind.ts';
import { restPoseOf } from '../core/restPose.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { Animator } from './animator.ts';
import { positionOf } from './frame.ts';
import { isBelow } from './hierarchy.ts';
import { handBonesOf, type HumanBone } from './humanoid.ts';
import { Layer } from './layer.ts';
import { LocalKeys } from './localKeys.ts';
import type { StatedPair } from './boneMap.ts';
import { type RetargetedPair, withStatedPairs } from './retargetedPair.ts';
import { makeClip } from './table.ts';

/** Fingers: their WebXR joints from palm to tip, and the humanoid bones between these joints. */
const CHAINS = [
  {
    joints: ['thumb-metacarpal', 'thumb-phalanx-proximal', 'thumb-phalanx-distal', 'thumb-tip'],
    bones: ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'],
  },
  ...(['index', 'middle', 'ring', 'pinky'] as const).map(finger => ({
    joints: ['phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'].map(joint => `${finger}-finger-${joint}`),
    bones: ['Proximal', 'Intermediate', 'Distal'].map(
      part => `${finger === 'pinky' ? 'Little' : finger.slice(0, 1).toUpperCase() + finger.slice(1)}${part}`,
    ),
  })),
];

interface Bone {
  row: number;
  /** Index of the bone's hand in `#palms`. */
  side: number;
  /** Index in `#bones` of the previous bone of the finger; -1 for the bone next to the palm. */
  before: number;
  /** Rows of the recorded joints at the start and at the end of the bone. */
  from: number;
  to: number;
  /** Direction and rotation of the bone in the rest pose, in world space. */
  direction: Vector;
  rotation: Quaternion;
}

interface Palm {
  /** Row of the node of the recorded hand. The node is hidden while the hand isn't tracked. */
  node: number;
  wrist: number;
  middle: number;
  index: number;
  little: number;
  /** World rotation of the model's palm in the rest pose. */
  rest: Quaternion;
}

/**
 * Retargets hand recordings to a model with fingers. Create one retargeter per recording device and
 * model.
 *
 * @experimental
 */
export class HandRetargeter {
  /** Finger bones of the model that recordings animate. */
  readonly bones: readonly HumanBone[];
  /** Rows of the recorded joints that move a bone of the model. */
  readonly sourceRows: ReadonlySet<number>;
  readonly #recording: RigScene;
  readonly #model: RigScene;
  readonly #stated: readonly StatedPair[];
  readonly #names: HumanBone[] = [];
  readonly #bones: Bone[] = [];
  readonly #palms: Palm[] = [];

  /**
   * Returns a retargeter if at least one recorded hand exists in the model, with knuckles;
   * otherwise null. `stated`: pairs that the user states. Returns null if one of them pairs other
   * bones than a finger bone and a joint of the same hand that is not a fingertip.
   */
  static of(recording: RigScene, model: RigScene, stated: readonly StatedPair[] = []): HandRetargeter | null {
    const retargeter = new HandRetargeter(recording, model, stated);
    const moved = new Map(retargeter.#bones.map(({ row, from }) => [row, from]));
    const areUsed = stated.every(({ to, from }) => from < 0 || moved.get(to) === from);
    return retargeter.bones.length > 0 && areUsed ? retargeter : null;
  }

  private constructor(recording: RigScene, model: RigScene, stated: readonly StatedPair[]) {
    this.#stated = stated;
    this.#recording = recording;
    this.#model = model;
    const bones = handBonesOf(model);
    for (const side of SIDES) this.#addHand(side, jointsOf(recording, side), bones);
    this.bones = this.#names;
    this.sourceRows = new Set([
      ...this.#bones.flatMap(bone => [bone.from, bone.to]),
      ...this.#palms.flatMap(({ node, wrist, middle, index, little }) => [node, wrist, middle, index, little]),
    ]);
  }

  #addHand(side: Side, joints: Joints | null, bones: ReadonlyMap<HumanBone, number>): void {
    const modelRest = restPoseOf(this.#model.nodes);
    const [hand, ...knuckles] = (['Hand', 'MiddleProximal', 'IndexProximal', 'LittleProximal'] as const).map(
      bone => modelRest.positions[bones.get(`${side}${bone}`) ?? -1],
    );
    const [middleKnuckle, indexKnuckle, littleKnuckle] = knuckles;
    const [wrist, middle, index, little] = [
      'wrist',
      'middle-finger-phalanx-proximal',
      'index-finger-phalanx-proximal',
      'pinky-finger-phalanx-proximal',
    ].map(joint => joints?.rows.get(joint));
    if (
      !joints ||
      !hand ||
      !middleKnuckle ||
      !indexKnuckle ||
      !littleKnuckle ||
      wrist === undefined ||
      middle === undefined ||
      index === undefined ||
      little === undefined
    )
      return;
    // Rotations of the joints of a hand without hierarchy, as in WebXR, would not move its fingers.
    const rowOf = (bone: 'Hand' | 'MiddleProximal'): number => bones.get(`${side}${bone}`) ?? -1;
    if (!isBelow(this.#model.nodes, rowOf('MiddleProximal'), rowOf('Hand'))) return;
    const rest = palmOf(subtract(middleKnuckle, hand), subtract(indexKnuckle, littleKnuckle));
    if (!rest) return;
    this.#palms.push({ node: joints.node, wrist, middle, index, little, rest });
    for (const chain of CHAINS) {
      let before = -1;
      let direction: Vector | null = null;
      for (const [k, name] of chain.bones.entries()) {
        const bone = `${side}${name}` as HumanBone;
        const row = bones.get(bone);
        const [from, to] = this.#jointsFor(row, chain.joints.slice(k, k + 2), joints);
        if (row === undefined || from === undefined || to === undefined) break;
        const next = bones.get(`${side}${chain.bones[k + 1]}` as HumanBone);
        // The last bone has no child, so the direction of its parent is used.
        direction = next === undefined ? direction : modelRest.offset(row, next);
        if (!direction) break;
        if (this.#stated.some(pair => pair.to === row && pair.from < 0)) continue;
        before =
          this.#bones.push({ row, side: this.#palms.length - 1, before, from, to, direction, rotation: modelRest.rotation(row) }) - 1;
        this.#names.push(bone);
      }
    }
  }

  /**
   * Returns the rows of the joints at the start and at the end of a finger bone: of `found`, or of
   * the joint that the user states and the next joint of its finger.
   */
  #jointsFor(bone: number | undefined, found: readonly string[], { rows }: Joints): (number | undefined)[] {
    const stated = this.#stated.find(({ to, from }) => to === bone && from >= 0)?.from;
    const finger = CHAINS.find(({ joints }) => joints.slice(0, -1).some(joint => rows.get(joint) === stated));
    if (stated === undefined || !finger) return found.map(joint => rows.get(joint));
    const at = finger.joints.findIndex(joint => rows.get(joint) === stated);
    return finger.joints.slice(at, at + 2).map(joint => rows.get(joint));
  }

  /** Returns the pairs, ordered by the bones of the model. The source of a finger bone is its first joint. */
  pairs(): RetargetedPair[] {
    const pairs = this.#bones.map(({ row, from }, i): RetargetedPair => ({
      target: row,
      sources: [from],
      foundBy: 'joint',
      part: this.bones[i] ?? null,
    }));
    return withStatedPairs(pairs, this.#stated);
  }

  /**
   * Retargets `clip`, which must be bound to the scene of the recording, to the model. While a hand
   * isn't tracked, its fingers keep their pose.
   */
  retarget(clip: BoundClip): Clip {
    const animator = new Animator(this.#recording);
    const layer = new Layer(animator.shape, clip.tracks);
    animator.layers.push(layer);
    const rate = clip.frameRate > 0 ? clip.frameRate : 60;
    const frames = Math.max(Math.round(clip.duration * rate), 0) + 1;
    const times = Float32Array.from({ length: frames }, (_, i) => Math.min(i / rate, clip.duration));
    const keys = new LocalKeys(this.#model.nodes, this.#bones, frames);
    const wanted = new Float64Array(4 * this.#bones.length);
    for (const [i, { rotation }] of this.#bones.entries()) wanted.set(rotation, 4 * i);
    for (const [frame, time] of times.entries()) {
      layer.time = time;
      const pose = animator.evaluate();
      animator.world.update(pose);
      const positionAt = (row: number): Vector => {
        const result: Vector = [0, 0, 0];
        positionOf(animator.world.matrices, row, result);
        return result;
      };
      // Rotation from each recorded palm to the corresponding palm of the model; null while the
      // hand isn't tracked.
      const palms = this.#palms.map(({ node, wrist, middle, index, little, rest }) => {
        const palm = pose.visible[node]
          ? palmOf(subtract(positionAt(middle), positionAt(wrist)), subtract(positionAt(index), positionAt(little)))
          : null;
        return palm && multiplied(rest, inverted(palm));
      });
      const aligned: Quaternion[] = [];
      for (const [i, { side, before, from, to, direction, rotation }] of this.#bones.entries()) {
        const above = aligned[before] ?? IDENTITY;
        const palm = palms[side];
        const own = palm
          ? multiplied(rotationBetween(rotated(direction, above), rotated(subtract(positionAt(to), positionAt(from)), palm)), above)
          : above;
        aligned.push(own);
        if (palm) wanted.set(multiplied(own, rotation), 4 * i);
      }
      keys.setFrame(frame, wanted);
    }
    const { name, duration, loop, events } = clip;
    return makeClip({ name, start: 0, duration, frameRate: rate, frameCount: frames, loop, events }, keys.tracks(times));
  }
}

interface Joints {
  node: number;
  rows: ReadonlyMap<string, number>;
}

/**
 * Returns the node of a recorded hand and the rows of its joints by WebXR name, or null if the hand
 * was not recorded.
 */
function jointsOf({ features, nodes }: RigScene, side: Side): Joints | null {
  const hand = features.find(({ kind, name }) => kind === 'hand' && name === side);
  const rows = hand?.properties?.joints;
  if (hand?.node === undefined || !Array.isArray(rows)) return null;
  const isRow = (row: unknown): row is number => typeof row === 'number' && row > 0 && row < nodes.length;
  return { node: hand.node, rows: jointRows(nodes, rows.filter(isRow)) };
}

/**
 * Returns the rotation of a palm, or null if `along` and `across` are parallel. `along`: vector
 * from the wrist to the middle finger. `across`: vector from the little finger to the index finger.
 */
function palmOf(along: Vector, across: Vector): Quaternion | null {
  const z = normalized(along);
  const y = z && normalized(cross(z, across));
  if (!z || !y) return null;
  const first = rotationBetween([0, 0, 1], z);
  return multiplied(twistBetween(rotated([0, 1, 0], first), y, z), first);
}
