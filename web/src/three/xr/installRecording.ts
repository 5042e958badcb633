// Replaces the headset by a recording: Meta's emulator IWER implements `navigator.xr`, and its
// head, hands and gaze follow the recording. The page imports IWER itself (`import * as iwer from
// 'iwer'`), because it is larger than three's core and only tests need it.
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Rig } from '../rig.ts';
import { type RecordedFrame, RecordedInput, type RecordedInputSource, type RecordedTransform } from './webxr.ts';

/** The members of IWER 2 that rigcast uses. */
export interface Iwer {
  XRDevice: new (config: never) => EmulatedDevice;
  metaQuestPro: object;
  /**
   * Keys of IWER's internal data: `P_SPACE` for the matrix of a space, and `P_JOINT_SPACE` for the
   * radius of a joint.
   */
  P_SPACE: symbol;
  P_JOINT_SPACE: symbol;
}

interface Placed {
  position: { set(x: number, y: number, z: number): unknown };
  quaternion: { set(x: number, y: number, z: number, w: number): unknown };
}

interface EmulatedHand extends Placed {
  connected: boolean;
  inputSource: { hand?: Map<string, object> | undefined; gripSpace?: object | undefined };
  updatePinchValue(value: number): void;
  updateHandPose(): void;
}

/** The emulated headset, which is IWER's XRDevice. */
export interface EmulatedDevice extends Placed {
  primaryInputMode: string;
  readonly hands: { left?: EmulatedHand | undefined; right?: EmulatedHand | undefined };
  readonly gaze?: (Placed & { connected: boolean }) | undefined;
  installRuntime(options?: { forceInstall?: boolean }): void;
  uninstallRuntime(): void;
}

export interface RecordingOptions {
  /** Loop the recording. Default: true. */
  loop?: boolean;
  /**
   * Height of the eyes above the floor at the start of the recording, in metres. Recorded positions
   * of a HoloLens are relative to the head at the start, but pages expect the origin on the floor.
   * If null, positions are not changed. Default: 1.6.
   */
  eyeHeight?: number | null;
}

/**
 * Replaces the headset by the recording. A page that requests a session with `hand-tracking`
 * receives the recorded head, hands with joints, target rays, grips, pinches as `select` events,
 * and gaze. Call it before the page uses `navigator.xr`. Throws if the rig isn't a recording of
 * hands.
 */
export function installRecording(rig: Rig, iwer: Iwer, options: RecordingOptions = {}): InstalledRecording {
  return new InstalledRecording(rig, iwer, options);
}

export class InstalledRecording {
  /** IWER's XRDevice, which follows the recording. */
  readonly device: EmulatedDevice;
  readonly duration: number;
  loop: boolean;
  /** Playback speed: 1 is real time. */
  speed = 1;
  readonly #input: RecordedInput;
  readonly #iwer: Iwer;
  readonly #shift = new Matrix4();
  #time = 0;
  #last: number | null = null;
  #request = 0;

  constructor(rig: Rig, iwer: Iwer, { loop = true, eyeHeight = 1.6 }: RecordingOptions) {
    this.#input = new RecordedInput(rig);
    this.duration = this.#input.duration;
    this.loop = loop;
    this.#iwer = iwer;
    this.device = new iwer.XRDevice(iwer.metaQuestPro as never);
    this.device.primaryInputMode = 'hand';
    this.device.installRuntime({ forceInstall: true });
    const head = this.#input.frameAt(0).getViewerPose();
    if (head && eyeHeight !== null) this.#shift.makeTranslation(0, eyeHeight - head.transform.position.y, 0);
    this.seek(0);
    this.play();
  }

  /** Current time in the recording, in seconds. */
  get time(): number {
    return this.#time;
  }

  get isPlaying(): boolean {
    return this.#request !== 0;
  }

  play(): void {
    if (this.isPlaying) return;
    this.#last = null;
    this.#request = requestAnimationFrame(now => this.#tick(now));
  }

  pause(): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }

  /** Jumps to a time in the recording, in seconds. Pages see the change in their next frame. */
  seek(time: number): void {
    this.#time = Math.min(Math.max(time, 0), this.duration);
    this.#place(this.#input.frameAt(this.#time));
  }

  /** Removes the emulated headset from the page and restores the pose of the rig. */
  dispose(): void {
    this.pause();
    this.device.uninstallRuntime();
    this.#input.dispose();
  }

  #tick(now: number): void {
    const seconds = this.#last === null ? 0 : (now - this.#last) / 1000;
    this.#last = now;
    const time = this.#time + seconds * this.speed;
    this.seek(this.loop && this.duration > 0 ? ((time % this.duration) + this.duration) % this.duration : time);
    const isOver = !this.loop && this.#time >= this.duration;
    this.#request = isOver ? 0 : requestAnimationFrame(next => this.#tick(next));
  }

  #place(frame: RecordedFrame): void {
    const head = frame.getViewerPose();
    if (head) this.#put(this.device, this.#inRoom(head.transform));
    for (const handedness of ['left', 'right'] as const) {
      const hand = this.device.hands[handedness];
      const source = frame.inputSources.find(each => each.handedness === handedness);
      const ray = source && frame.getPose(source.targetRaySpace);
      if (!hand) continue;
      hand.connected = ray != null;
      if (!source?.hand || !ray) continue;
      hand.updatePinchValue(source.gamepad.buttons[0]?.value ?? 0);
      this.#put(hand, this.#inRoom(ray.transform));
      this.#shape(hand, source, frame, new Matrix4().fromArray(ray.transform.matrix).invert());
    }
    const { gaze } = this.device;
    const source = frame.inputSources.find(({ targetRayMode }) => targetRayMode === 'gaze');
    const ray = source && frame.getPose(source.targetRaySpace);
    if (!gaze) return;
    gaze.connected = ray != null;
    if (!ray || !head) return;
    // In IWER, the gaze starts at the eyes, and its direction is relative to the head.
    turn.copy(quaternionOf(head.transform)).invert().multiply(quaternionOf(ray.transform));
    gaze.quaternion.set(turn.x, turn.y, turn.z, turn.w);
  }

  #inRoom({ matrix }: RecordedTransform): Matrix4 {
    return new Matrix4().fromArray(matrix).premultiply(this.#shift);
  }

  #put(placed: Placed, matrix: Matrix4): void {
    matrix.decompose(place, turn, scale);
    placed.position.set(place.x, place.y, place.z);
    placed.quaternion.set(turn.x, turn.y, turn.z, turn.w);
  }

  /**
   * Replaces IWER's own hand poses by the recorded poses of the joints and the grip, relative to
   * the target ray. IWER calls `updateHandPose` at the beginning of each frame.
   */
  #shape(hand: EmulatedHand, source: RecordedInputSource, frame: RecordedFrame, back: Matrix4): void {
    const { P_SPACE, P_JOINT_SPACE } = this.#iwer;
    const seen = (space: object, { matrix }: RecordedTransform): void => {
      const { offsetMatrix } = (space as Record<symbol, { offsetMatrix: Float32Array }>)[P_SPACE]!;
      offsetMatrix.set(joint.fromArray(matrix).premultiply(back).elements);
    };
    const places: (() => void)[] = [];
    for (const [name, space] of source.hand!) {
      const pose = frame.getJointPose(space);
      const theirs = hand.inputSource.hand?.get(name);
      if (!pose || !theirs) continue;
      places.push(() => {
        seen(theirs, pose.transform);
        (theirs as Record<symbol, { radius: number }>)[P_JOINT_SPACE]!.radius = pose.radius;
      });
    }
    const grip = source.gripSpace && frame.getPose(source.gripSpace);
    const { gripSpace } = hand.inputSource;
    if (grip && gripSpace) places.push(() => seen(gripSpace, grip.transform));
    hand.updateHandPose = () => places.forEach(place => place());
  }
}

function quaternionOf({ orientation: { x, y, z, w } }: RecordedTransform): Quaternion {
  return new Quaternion(x, y, z, w);
}

const place = /*@__PURE__*/ new Vector3();
const scale = /*@__PURE__*/ new Vector3();
const turn = /*@__PURE__*/ new Quaternion();
const joint = /*@__PURE__*/ new Matrix4();
