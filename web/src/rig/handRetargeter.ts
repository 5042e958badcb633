// Retargets recorded hands to the fingers of a model: bones point along the recorded joints,
// relative to the palm. Position and rotation of the hand stay those of the model.
//
// Only positions of joints are used, because recorders disagree about rotations
// (docs/formats/mrtk-input-animation.md).
import { nameOf } from '../core/tree.ts';
import { IDENTITY, inverted, multiplied, type Quaternion, rotated, rotationBetween, twistBetween } from '../core/math/quaternion.ts';
import { cross, normalized, subtract, type Vector } from '../core/math/vector.ts';
import type { BoundClip } from '../core/bind.ts';
import { restPoseOf } from '../core/restPose.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { Animator } from './animator.ts';
import { positionOf } from './frame.ts';
import { handBonesOf, type HumanBone } from './humanoid.ts';
import { Layer } from './layer.ts';
import { LocalKeys } from './localKeys.ts';
import { PoseShape } from './pose.ts';
import { makeClip } from './table.ts';

const SIDES = ['left', 'right'] as const;
type Side = (typeof SIDES)[number];

/** Joints of WebXR from the palm to the tip, and the bones between them. */
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
  side: number;
  /** Index in `#bones` of the bone before it; -1 at the palm. */
  before: number;
  /** Recorded joints at its ends. */
  from: number;
  to: number;
  /** Direction at rest, in world space. */
  way: Vector;
  turn: Quaternion;
}

interface Palm {
  /** Node that is hidden while the hand is not tracked. */
  node: number;
  wrist: number;
  middle: number;
  index: number;
  little: number;
  /** Rotation of the model's palm at rest. */
  rest: Quaternion;
}

/**
 * Retargets recordings of hands to a model with fingers. Made once for all recordings of one
 * device.
 */
export class HandRetargeter {
  /** Finger bones that the recording drives. */
  readonly bones: readonly HumanBone[];
  readonly #recording: RigScene;
  readonly #model: RigScene;
  readonly #names: HumanBone[] = [];
  readonly #bones: Bone[] = [];
  readonly #palms: Palm[] = [];

  /**
   * Returns null if nothing was recorded, or the model has no hand with knuckles for a recorded
   * one.
   */
  static of(recording: RigScene, model: RigScene): HandRetargeter | null {
    const motion = new HandRetargeter(recording, model);
    return motion.bones.length > 0 ? motion : null;
  }

  private constructor(recording: RigScene, model: RigScene) {
    this.#recording = recording;
    this.#model = model;
    const bones = handBonesOf(model);
    for (const side of SIDES) this.#addHand(side, jointsOf(recording, side), bones);
    this.bones = this.#names;
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
    const rest = palmOf(subtract(middleKnuckle, hand), subtract(indexKnuckle, littleKnuckle));
    if (!rest) return;
    this.#palms.push({ node: joints.node, wrist, middle, index, little, rest });
    for (const chain of CHAINS) {
      let before = -1;
      let way: Vector | null = null;
      for (const [k, name] of chain.bones.entries()) {
        const bone = `${side}${name}` as HumanBone;
        const row = bones.get(bone);
        const [from, to] = chain.joints.slice(k, k + 2).map(joint => joints.rows.get(joint));
        if (row === undefined || from === undefined || to === undefined) break;
        const next = bones.get(`${side}${chain.bones[k + 1]}` as HumanBone);
        // The last bone has no successor and takes the direction of its predecessor.
        way = next === undefined ? way : modelRest.offset(row, next);
        if (!way) break;
        before = this.#bones.push({ row, side: this.#palms.length - 1, before, from, to, way, turn: modelRest.rotation(row) }) - 1;
        this.#names.push(bone);
      }
    }
  }

  /**
   * Returns a clip for the model. `motion` is bound to the scene of the recording. While a hand is
   * not tracked, its fingers keep their pose.
   */
  retarget(motion: BoundClip): Clip {
    const animator = new Animator(new PoseShape(this.#recording));
    const layer = new Layer(animator.shape, motion.tracks);
    animator.layers.push(layer);
    const rate = motion.frameRate > 0 ? motion.frameRate : 60;
    const frames = Math.max(Math.round(motion.duration * rate), 0) + 1;
    const times = Float32Array.from({ length: frames }, (_, i) => Math.min(i / rate, motion.duration));
    const keys = new LocalKeys(this.#model.nodes, this.#bones, frames);
    const wanted = new Float64Array(4 * this.#bones.length);
    for (const [i, { turn }] of this.#bones.entries()) wanted.set(turn, 4 * i);
    for (const [frame, time] of times.entries()) {
      layer.time = time;
      const pose = animator.evaluate();
      animator.world.update(pose);
      const place = (row: number): Vector => {
        const result: Vector = [0, 0, 0];
        positionOf(animator.world.matrices, row, result);
        return result;
      };
      // Rotations from the recorded palms to those of the model.
      const palms = this.#palms.map(({ node, wrist, middle, index, little, rest }) => {
        const palm = pose.visible[node] ? palmOf(subtract(place(middle), place(wrist)), subtract(place(index), place(little))) : null;
        return palm && multiplied(rest, inverted(palm));
      });
      const laid: Quaternion[] = [];
      for (const [i, { side, before, from, to, way, turn }] of this.#bones.entries()) {
        const above = laid[before] ?? IDENTITY;
        const palm = palms[side];
        const own = palm ? multiplied(rotationBetween(rotated(way, above), rotated(subtract(place(to), place(from)), palm)), above) : above;
        laid.push(own);
        if (palm) wanted.set(multiplied(own, turn), 4 * i);
      }
      keys.pose(frame, wanted);
    }
    const { name, duration, loop, events } = motion;
    return makeClip({ name, start: 0, duration, frameRate: rate, frameCount: frames, loop, events }, keys.tracks(times));
  }
}

interface Joints {
  node: number;
  rows: ReadonlyMap<string, number>;
}

/** Returns the joints of a recorded hand by their names in WebXR. */
function jointsOf({ features, nodes }: RigScene, side: Side): Joints | null {
  const hand = features.find(({ kind, name }) => kind === 'hand' && name === side);
  const rows = hand?.properties?.joints;
  if (hand?.node === undefined || !Array.isArray(rows)) return null;
  const isRow = (row: unknown): row is number => typeof row === 'number' && row > 0 && row < nodes.count;
  return { node: hand.node, rows: new Map(rows.filter(isRow).map(row => [nameOf(nodes, row), row])) };
}

/**
 * Returns the rotation of a palm from its direction and the direction of its row of knuckles; null
 * if they are parallel.
 */
function palmOf(along: Vector, across: Vector): Quaternion | null {
  const z = normalized(along);
  const y = z && normalized(cross(z, across));
  if (!z || !y) return null;
  const first = rotationBetween([0, 0, 1], z);
  return multiplied(twistBetween(rotated([0, 1, 0], first), y, z), first);
}
