// A recorded hand moves the fingers of a model: bones are laid along the recorded joints, as seen from the palm. Where the hand is and how it is turned stays the model's.
//
// Only places of joints are used. Recorders agree on them, not on how joints are turned (docs/formats/mrtk-input-animation.md).
import { nameOf } from '../core/tree.ts';
import { IDENTITY, inverted, multiplied, type Quaternion, rotated, rotationBetween, twistBetween } from '../core/math/quaternion.ts';
import { cross, normalized, subtract, type Vector } from '../core/math/vector.ts';
import type { BoundClip } from '../core/bind.ts';
import { restOf } from '../core/rest.ts';
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

/** Joints of WebXR from the palm to the tip, and the bones that lie between them. */
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
  /** The bone before it in `#bones`; -1 on the palm. */
  before: number;
  /** The recorded joints that it lies between. */
  from: number;
  to: number;
  /** Where it points at rest, in the world. */
  way: Vector;
  turn: Quaternion;
}

interface Palm {
  /** The node that is hidden while the hand is not seen. */
  node: number;
  wrist: number;
  middle: number;
  index: number;
  little: number;
  /** The model's palm at rest. */
  rest: Quaternion;
}

/** A recording and a model with fingers: made once, for any number of recordings of the same shape. */
export class FingerMotion {
  /** Bones of fingers that the recording moves. */
  readonly bones: readonly HumanBone[];
  readonly #recording: RigScene;
  readonly #model: RigScene;
  readonly #names: HumanBone[] = [];
  readonly #bones: Bone[] = [];
  readonly #palms: Palm[] = [];

  /** Null where nothing was recorded, or the model has no hand with knuckles that has been recorded. */
  static of(recording: RigScene, model: RigScene): FingerMotion | null {
    const motion = new FingerMotion(recording, model);
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
    const modelRest = restOf(this.#model.nodes);
    const [hand, ...knuckles] = (['Hand', 'MiddleProximal', 'IndexProximal', 'LittleProximal'] as const).map(
      bone => modelRest.places[bones.get(`${side}${bone}`) ?? -1],
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
        // The last bone has none behind it to say where it points: on, as the one before.
        way = next === undefined ? way : modelRest.offset(row, next);
        if (!way) break;
        before = this.#bones.push({ row, side: this.#palms.length - 1, before, from, to, way, turn: modelRest.rotation(row) }) - 1;
        this.#names.push(bone);
      }
    }
  }

  /** The recording, bound to its own scene, as a clip for the model. While a hand was not seen its fingers stay as they were. */
  carry(motion: BoundClip): Clip {
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
      // From the recorded palm to the model's.
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

/** The joints of a recorded hand by the names of WebXR. */
function jointsOf({ features, nodes }: RigScene, side: Side): Joints | null {
  const hand = features.find(({ kind, name }) => kind === 'hand' && name === side);
  const rows = hand?.properties?.joints;
  if (hand?.node === undefined || !Array.isArray(rows)) return null;
  const isRow = (row: unknown): row is number => typeof row === 'number' && row > 0 && row < nodes.count;
  return { node: hand.node, rows: new Map(rows.filter(isRow).map(row => [nameOf(nodes, row), row])) };
}

/** How a palm is turned that points along one vector, its knuckles in a row along another. */
function palmOf(along: Vector, across: Vector): Quaternion | null {
  const z = normalized(along);
  const y = z && normalized(cross(z, across));
  if (!z || !y) return null;
  const first = rotationBetween([0, 0, 1], z);
  return multiplied(twistBetween(rotated([0, 1, 0], first), y, z), first);
}
