// Plays a recording frame by frame as input with the interface of WebXR, for tests.
// installRecording.ts uses it to replace the headset.
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { invalidArgument } from '../../core/error.ts';
import type { RigAnimator } from '../animation/apply.ts';
import { type Hand, type HandJoint, handsOf } from './hands.ts';
import { gripOf, targetRayOf } from './handSpaces.ts';
import type { Rig } from '../rig.ts';

interface Point {
  x: number;
  y: number;
  z: number;
  w: number;
}

/** A position and orientation, like XRRigidTransform. */
export interface RecordedTransform {
  position: Point;
  orientation: Point;
  /** The transform as a column-major matrix. */
  matrix: Float32Array;
}

/** The pose of a joint, like XRJointPose. */
export interface RecordedJointPose {
  transform: RecordedTransform;
  radius: number;
}

/** A joint, like XRJointSpace. The frame returns its pose. */
export interface RecordedJointSpace {
  jointName: string;
}

/** A space, like XRSpace. The frame returns its pose. */
export interface RecordedSpace {
  readonly kind: 'target-ray' | 'grip';
}

/**
 * An input source, like XRInputSource. It is either a hand or a gaze, which has neither grip nor
 * joints.
 */
export interface RecordedInputSource {
  handedness: 'left' | 'right' | 'none';
  targetRayMode: 'tracked-pointer' | 'gaze';
  /**
   * Space whose −Z axis is the target ray. For a hand, the ray starts at the knuckle of the index
   * finger and points away from the shoulder.
   */
  targetRaySpace: RecordedSpace;
  /**
   * Grip space of a hand: −Z points along a held rod towards the thumb, and +X out of the back of a
   * right hand. Null for a gaze.
   */
  gripSpace: RecordedSpace | null;
  profiles: readonly string[];
  /**
   * Joints of the hand by WebXR name, like XRHand, in the order of the WebXR Hand Input module.
   * Null for a gaze.
   */
  hand: ReadonlyMap<string, RecordedJointSpace> | null;
  /** Gamepad with one button, which is pressed during a pinch. */
  gamepad: { buttons: readonly { pressed: boolean; touched: boolean; value: number }[]; axes: readonly number[] };
}

/** The start or end of a pinch, like XRInputSourceEvent. */
export interface RecordedSelect {
  type: 'selectstart' | 'select' | 'selectend';
  inputSource: RecordedInputSource;
}

/** Input at one time, like XRFrame, in the space of the recording. */
export interface RecordedFrame {
  /** Time of the frame, in milliseconds. */
  predictedDisplayTime: number;
  /** Hands that were tracked at the time of the frame, and the gaze if it was recorded. */
  inputSources: readonly RecordedInputSource[];
  /**
   * Select events of pinches that have begun or ended since the previous frame. Empty if playback
   * jumped backwards.
   */
  selects: readonly RecordedSelect[];
  getPose(space: RecordedSpace): { transform: RecordedTransform } | null;
  getJointPose(space: RecordedJointSpace): RecordedJointPose | null;
  /** Pose of the head; null if it wasn't recorded. */
  getViewerPose(): { transform: RecordedTransform } | null;
}

const FINGERS = ['index', 'middle', 'ring', 'pinky'];
const JOINT_NAMES = [
  'wrist',
  ...['metacarpal', 'phalanx-proximal', 'phalanx-distal', 'tip'].map(part => `thumb-${part}`),
  ...FINGERS.flatMap(finger =>
    ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'].map(part => `${finger}-finger-${part}`),
  ),
];

interface HandEntry {
  hand: Hand;
  source: RecordedInputSource;
  spaces: Map<RecordedJointSpace, HandJoint>;
  wasPinching: boolean;
}

/**
 * Plays the recording in a rig as input. Each frame poses the rig; `dispose` restores the pose from
 * before playback.
 */
export class RecordedInput {
  /** Duration of the recording, in seconds. */
  readonly duration: number;
  readonly #rig: Rig;
  readonly #animator: RigAnimator;
  readonly #hands: readonly HandEntry[];
  readonly #head: Object3D | null;
  readonly #gaze: { node: Object3D; source: RecordedInputSource } | null;
  #time = -Infinity;

  /** Throws INVALID_ARGUMENT if the rig isn't a recording of hands. */
  constructor(rig: Rig) {
    const hands = handsOf(rig);
    const clip = rig.clips[0];
    if (!hands.length || !clip) throw invalidArgument('RecordedInput: the rig is not a recording of hands');
    this.#rig = rig;
    this.duration = clip.duration;
    this.#animator = rig.createAnimator();
    this.#animator.layers.push(this.#animator.layer(clip));
    const { cameras = [], features = [] } = rig.file.scene ?? {};
    this.#head = rig.nodes[cameras[0]?.node ?? -1] ?? null;
    const gaze = rig.nodes[features.find(({ kind }) => kind === 'gaze')?.node ?? -1];
    this.#gaze = gaze ? { node: gaze, source: gazeSource() } : null;
    this.#hands = hands.map(hand => {
      const joints = JOINT_NAMES.flatMap(jointName => (hand.joints[jointName] ? [[{ jointName }, hand.joints[jointName]] as const] : []));
      return { hand, source: handSource(hand, joints), spaces: new Map(joints), wasPinching: false };
    });
  }

  /**
   * Returns the input at a time in the recording, in seconds. The result is valid until the next
   * call.
   */
  frameAt(time: number): RecordedFrame {
    for (const layer of this.#animator.layers) layer.time = time;
    this.#animator.apply();
    this.#rig.scene.updateMatrixWorld(true);
    const [hands, head, gaze] = [this.#hands, this.#head, this.#gaze];
    return {
      predictedDisplayTime: time * 1000,
      inputSources: [...hands.filter(({ hand }) => hand.tracked).map(({ source }) => source), ...(gaze ? [gaze.source] : [])],
      selects: this.#selectsUntil(time),
      getJointPose(space) {
        const entry = hands.find(({ spaces }) => spaces.has(space));
        const joint = entry?.spaces.get(space);
        return entry?.hand.tracked && joint?.visible ? { transform: transformOf(joint.matrixWorld), radius: joint.jointRadius } : null;
      },
      getPose(space) {
        if (gaze && space === gaze.source.targetRaySpace) return { transform: transformOf(gaze.node.matrixWorld) };
        const entry = hands.find(({ source }) => source.targetRaySpace === space || source.gripSpace === space);
        if (!entry?.hand.tracked) return null;
        const isThere = space.kind === 'grip' ? gripOf(entry.hand, made) : targetRayOf(entry.hand, head, made);
        return isThere ? { transform: transformOf(made) } : null;
      },
      getViewerPose: () => (head ? { transform: transformOf(head.matrixWorld) } : null),
    };
  }

  #selectsUntil(time: number): RecordedSelect[] {
    const isJump = time < this.#time;
    this.#time = time;
    return this.#hands.flatMap(entry => {
      const { hand, source: inputSource, wasPinching } = entry;
      // A pinch also ends if its hand is no longer tracked.
      const isPinching = hand.tracked && hand.pinching;
      entry.wasPinching = isPinching;
      if (isJump || isPinching === wasPinching) return [];
      const types = isPinching ? (['selectstart'] as const) : (['select', 'selectend'] as const);
      return types.map(type => ({ type, inputSource }));
    });
  }

  dispose(): void {
    this.#animator.stop();
  }
}

function handSource(hand: Hand, joints: readonly (readonly [RecordedJointSpace, HandJoint])[]): RecordedInputSource {
  return {
    handedness: hand.handedness,
    targetRayMode: 'tracked-pointer',
    targetRaySpace: { kind: 'target-ray' },
    gripSpace: { kind: 'grip' },
    profiles: ['generic-hand-select', 'generic-hand'],
    hand: new Map(joints.map(([space]) => [space.jointName, space])),
    gamepad: {
      axes: [],
      get buttons() {
        return [{ pressed: hand.pinching, touched: hand.pinching, value: hand.pinching ? 1 : 0 }];
      },
    },
  };
}

function gazeSource(): RecordedInputSource {
  return {
    handedness: 'none',
    targetRayMode: 'gaze',
    targetRaySpace: { kind: 'target-ray' },
    gripSpace: null,
    profiles: ['eye-gaze'],
    hand: null,
    gamepad: { axes: [], buttons: [] },
  };
}

const made = /*@__PURE__*/ new Matrix4();

function transformOf(world: Matrix4): RecordedTransform {
  const position = new Vector3();
  const orientation = new Quaternion();
  const scale = new Vector3();
  world.decompose(position, orientation, scale);
  const matrix = new Matrix4().compose(position, orientation, scale.set(1, 1, 1));
  const { x, y, z, w } = orientation;
  return {
    position: { x: position.x, y: position.y, z: position.z, w: 1 },
    orientation: { x, y, z, w },
    matrix: new Float32Array(matrix.elements),
  };
}
