// Converts recordings of IWER's ActionRecorder to MRTK. The recorder runs on headsets and in the
// IWER emulator.
import { numberAt } from '../../core/math/column.ts';
import { multiply, rotateVector } from '../../core/math/quaternion.ts';
import { type IwerRecording, WEBXR_JOINTS } from './iwer.ts';
import { blank, blankPose, JOINTS, type NumberCurve, type PoseCurves, type RecordedHand, type Recording } from './recording.ts';

/**
 * Returns the index of a WebXR joint in MRTK's list of joints, which begins with "none", wrist and
 * palm.
 */
const placeOf = (name: string): number => (name === 'wrist' ? 1 : WEBXR_JOINTS.indexOf(name) + 2);

/** Parses an IWER recording. Returns null if the text is not an IWER recording. */
export function parseIwer(text: string): IwerRecording | null {
  let value: Partial<IwerRecording> | null;
  try {
    value = JSON.parse(text) as Partial<IwerRecording> | null;
  } catch {
    return null;
  }
  const isFrame = (frame: unknown): boolean => Array.isArray(frame) && frame.length >= 8 && frame.slice(0, 8).every(isNumber);
  const isSchema = (entry: unknown): boolean =>
    Array.isArray(entry) && isNumber(entry[0]) && typeof entry[1] === 'object' && entry[1] !== null;
  const { schema, frames } = value ?? {};
  if (!Array.isArray(schema) || !Array.isArray(frames) || frames.length === 0) return null;
  return schema.every(isSchema) && frames.every(isFrame) ? { schema, frames } : null;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const numbersOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(each => (isNumber(each) ? each : 0)) : []);

/**
 * Converts the head and hands of a recording to MRTK. Of a controller without a tracked hand, only
 * the button is kept. The result `lost` is the number of inputs that are neither the left nor the
 * right hand.
 */
export function recordingFromIwer({ schema, frames }: IwerRecording): { recording: Recording; lost: number } {
  const start = Number(frames[0]?.[0] ?? 0);
  const head = blankPose();
  const hands = [emptyHand(), emptyHand()] as const;
  const sides = new Map(schema.map(([index, { handedness }]) => [index, handedness === 'left' ? 0 : handedness === 'right' ? 1 : -1]));
  const schemas = new Map(schema);
  for (const frame of frames) {
    const time = Math.fround((Number(frame[0]) - start) / 1000);
    push(head, time, numbersOf(frame.slice(1, 8)));
    const seen = new Set<number>();
    for (const input of frame.slice(8)) {
      if (!Array.isArray(input)) continue;
      const side = sides.get(Number(input[0])) ?? -1;
      const own = schemas.get(Number(input[0]));
      const hand = hands[side];
      if (!own || !hand || seen.has(side)) continue;
      seen.add(side);
      const parts = input.slice(8) as unknown[];
      if (own.hasGrip) parts.shift();
      const joints = own.hasHand ? numbersOf(parts.shift()) : [];
      const [button] = own.hasGamepad && Array.isArray(parts[0]) ? (parts[0] as unknown[]) : [];
      state(hand.tracked, time, joints.length > 0 ? 1 : 0);
      state(hand.pinching, time, Array.isArray(button) && Number(button[2]) > 0.5 ? 1 : 0);
      const ray = numbersOf(input.slice(1, 8));
      for (const [i, name] of (own.jointSequence ?? WEBXR_JOINTS).entries()) {
        const pose = WEBXR_JOINTS.includes(name) ? hand.joints[placeOf(name)] : undefined;
        if (pose && joints.length >= 8 * i + 7) push(pose, time, placed(joints.slice(8 * i, 8 * i + 7), ray));
      }
    }
    for (const [side, hand] of hands.entries()) if (!seen.has(side)) state(hand.tracked, time, 0);
  }
  const lost = [...sides.values()].filter(side => side < 0).length;
  return { recording: { head, hands, gaze: null, markers: [] }, lost };
}

const emptyHand = (): RecordedHand => ({ tracked: blank(), pinching: blank(), joints: Array.from({ length: JOINTS }, blankPose) });

/** Adds a key if the value differs from the last key of the curve. */
function state(curve: NumberCurve, time: number, value: number): void {
  if (curve.values.at(-1) === value) return;
  curve.times.push(time);
  curve.values.push(value);
}

/**
 * Converts a WebXR pose to Unity's space and adds it as a key. The quaternion is negated if the
 * negated quaternion is closer to the previous key.
 */
function push(pose: PoseCurves, time: number, [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1]: readonly number[]): void {
  const turn = [-qx, -qy, qz, qw];
  const before = pose.slice(3).map(({ values }) => values.at(-1) ?? 0);
  const isFar = turn.reduce((sum, value, i) => sum + value * numberAt(before, i), 0) < 0;
  const values = [x, y, -z, ...turn.map(value => (isFar ? -value : value))];
  for (const [i, curve] of pose.entries()) {
    curve.times.push(time);
    curve.values.push(numberAt(values, i));
  }
}

/** Converts the pose of a joint from the space of the input's target ray to reference space. */
function placed(joint: readonly number[], ray: readonly number[]): number[] {
  const axes = ray.slice(3);
  const way = joint.slice(0, 3);
  rotateVector(way, 0, axes);
  const turn = [0, 0, 0, 1];
  multiply(turn, 0, axes, 0, joint.slice(3), 0);
  return [...way.map((value, i) => value + (ray[i] ?? 0)), ...turn];
}
