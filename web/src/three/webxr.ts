// A recording as WebXR-shaped hand input, frame by frame: for tests of pages that expect a headset, without one.
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import type { RigAnimator } from './apply.ts';
import { type Hand, type HandJoint, handsOf } from './hands.ts';
import type { Rig } from './rig.ts';

interface Point {
  x: number;
  y: number;
  z: number;
  w: number;
}

/** As XRRigidTransform. */
export interface RecordedTransform {
  position: Point;
  orientation: Point;
  /** Column-major. */
  matrix: Float32Array;
}

/** As XRJointPose. */
export interface RecordedJointPose {
  transform: RecordedTransform;
  radius: number;
}

/** As XRJointSpace: ask the frame for its pose. */
export interface RecordedJointSpace {
  jointName: string;
}

/** As an XRInputSource with a hand. */
export interface RecordedInputSource {
  handedness: 'left' | 'right';
  targetRayMode: 'tracked-pointer';
  profiles: readonly string[];
  /** By WebXR joint name, in the order of the WebXR Hand Input module, as XRHand. */
  hand: ReadonlyMap<string, RecordedJointSpace>;
  /** Pinching, as a button of a gamepad that has one. */
  gamepad: { buttons: readonly { pressed: boolean; touched: boolean; value: number }[]; axes: readonly number[] };
}

/** As XRFrame, in the space the recording was made in. */
export interface RecordedFrame {
  /** Milliseconds, as pages get it. */
  predictedDisplayTime: number;
  /** Hands that were tracked at this moment. */
  inputSources: readonly RecordedInputSource[];
  getJointPose(space: RecordedJointSpace): RecordedJointPose | null;
  /** Where the head was; null for recordings without it. */
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

/** Plays a rig's own recording as hand input. It moves the rig; `dispose` leaves it at rest. */
export class RecordedInput {
  /** Seconds. */
  readonly duration: number;
  readonly #rig: Rig;
  readonly #animator: RigAnimator;
  readonly #sources: { hand: Hand; source: RecordedInputSource; spaces: Map<RecordedJointSpace, HandJoint> }[];

  /** Throws where the rig is no recording of hands. */
  constructor(rig: Rig) {
    const hands = handsOf(rig);
    const motion = rig.motions[0];
    if (!hands.length || !motion) throw new Error('RecordedInput: this rig is no recording of hands');
    this.#rig = rig;
    this.duration = motion.duration;
    this.#animator = rig.animate();
    this.#animator.layers.push(this.#animator.layer(motion));
    this.#sources = hands.map(hand => {
      const joints = JOINT_NAMES.flatMap(jointName => (hand.joints[jointName] ? [[{ jointName }, hand.joints[jointName]] as const] : []));
      const source: RecordedInputSource = {
        handedness: hand.handedness,
        targetRayMode: 'tracked-pointer',
        profiles: ['generic-hand-select', 'generic-hand'],
        hand: new Map(joints.map(([space]) => [space.jointName, space])),
        gamepad: {
          axes: [],
          get buttons() {
            return [{ pressed: hand.pinching, touched: hand.pinching, value: hand.pinching ? 1 : 0 }];
          },
        },
      };
      return { hand, source, spaces: new Map(joints) };
    });
  }

  /** Input as it was `time` seconds into the recording. Valid until the next call. */
  frameAt(time: number): RecordedFrame {
    for (const layer of this.#animator.layers) layer.time = time;
    this.#animator.apply();
    this.#rig.scene.updateMatrixWorld(true);
    const head = this.#rig.file.scene?.cameras[0];
    const sources = this.#sources;
    return {
      predictedDisplayTime: time * 1000,
      inputSources: sources.filter(({ hand }) => hand.tracked).map(({ source }) => source),
      getJointPose(space) {
        const entry = sources.find(({ spaces }) => spaces.has(space));
        const joint = entry?.spaces.get(space);
        return entry?.hand.tracked && joint?.visible ? { transform: transformOf(joint), radius: joint.jointRadius } : null;
      },
      getViewerPose: () => (head ? { transform: transformOf(this.#rig.nodes[head.node]!) } : null),
    };
  }

  dispose(): void {
    this.#animator.stop();
  }
}

function transformOf(object: Object3D): RecordedTransform {
  const position = new Vector3();
  const orientation = new Quaternion();
  const scale = new Vector3();
  object.matrixWorld.decompose(position, orientation, scale);
  const matrix = new Matrix4().compose(position, orientation, scale.set(1, 1, 1));
  const { x, y, z, w } = orientation;
  return {
    position: { x: position.x, y: position.y, z: position.z, w: 1 },
    orientation: { x, y, z, w },
    matrix: new Float32Array(matrix.elements),
  };
}
