// Writes recordings for the ActionPlayer of IWER, the WebXR emulator. Recordings contain frames
// with the head, the hands and the buttons (github.com/meta-quest/immersive-web-emulation-runtime).
import { subtract, type Vector, vectorAt } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import { inverted, multiplied, type Quaternion, rotated } from '../../core/math/quaternion.ts';
import { bind, type BoundClip } from '../../core/bind.ts';
import type { Clip, Feature, RigScene } from '../../core/types.ts';
import { CurveCursor } from '../../rig/curve.ts';
import { rotationOf } from '../../rig/frame.ts';
import { Layer } from '../../rig/layer.ts';
import { Pose, PoseShape } from '../../rig/pose.ts';
import { WorldMatrices } from '../../rig/world.ts';
import type { ReportBuilder } from '../common/report.ts';
import { refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';

/** Frame rate of written recordings, in frames per second. */
const RATE = 60;
/** Height in metres that the head gets if it was not recorded. */
const EYES = 1.6;
const PARTS = ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'];

/** Names of the WebXR hand joints, in the order of the specification. */
export const WEBXR_JOINTS: readonly string[] = [
  'wrist',
  ...PARTS.filter(part => part !== 'phalanx-intermediate').map(part => `thumb-${part}`),
  ...['index', 'middle', 'ring', 'pinky'].flatMap(finger => PARTS.map(part => `${finger}-finger-${part}`)),
];

export interface IwerSchema {
  handedness: string;
  targetRayMode: string;
  profiles: string[];
  hasGrip: boolean;
  hasHand: boolean;
  jointSequence?: readonly string[];
  hasGamepad: boolean;
  mapping?: string;
  numButtons?: number;
  numAxes?: number;
}

export interface IwerRecording {
  schema: [number, IwerSchema][];
  /**
   * Frames of the recording. Each frame contains the time in milliseconds, the position and
   * rotation of the head, and an array for each input.
   */
  frames: unknown[][];
}

interface Hand {
  side: string;
  row: number;
  /** Node row and radius (in metres) of each WebXR joint. */
  joints: { row: number; radius: number }[];
  pinch: CurveCursor | null;
}

/**
 * Returns an IWER recording as UTF-8 pieces. Throws a ConversionError if the scene has no hands.
 */
export function iwerOf(scene: RigScene, clip: Clip | undefined, report: ReportBuilder): Uint8Array[] {
  const bound = clip && bind(clip, scene);
  const hands = scene.features.flatMap((feature): Hand[] => {
    const joints = jointsOf(feature, scene);
    if (!joints || feature.node === undefined) return [];
    const { name = '', node: row } = feature;
    const pinch = bound?.tracks.find(each => each.path === 'property' && each.node === row && each.morph === `${name}.pinch`);
    return [{ side: name, row, joints, pinch: pinch ? new CurveCursor({ ...pinch, width: 1 }) : null }];
  });
  if (!clip || !bound || hands.length === 0) throw refusal(refusals, 'HANDS_MISSING');
  const head = scene.cameras[0]?.node ?? -1;
  if (head < 0) report.add('HEAD_ASSUMED', clip.name, EYES);
  report.add('RAY_ASSUMED', clip.name, hands.length);
  if (scene.features.some(({ kind }) => kind === 'gaze')) report.add('NOT_SAID', 'gaze', 1);
  if (clip.events.length > 0) report.add('NOT_SAID', `animation events in ${clip.name}`, clip.events.length);
  const shape = new PoseShape(scene);
  const layer = new Layer(shape, bound.tracks);
  const pose = new Pose(shape);
  const world = new WorldMatrices(shape);
  const encoder = new TextEncoder();
  const schema: IwerRecording['schema'] = hands.map(({ side }, i) => [i, schemaOf(side)]);
  const pieces = [encoder.encode(`{"schema":${JSON.stringify(schema)},"frames":[`)];
  let filled = 0;
  for (const [i, time] of timesOf(clip, bound, scene, hands.length, report).entries()) {
    pose.reset();
    layer.time = Math.min(time, clip.duration);
    layer.apply(pose);
    world.update(pose);
    const place = (row: number): Vector => vectorAt(world.matrices, 16 * row + 12);
    const turn = (row: number): Quaternion => {
      const made: Quaternion = [0, 0, 0, 1];
      rotationOf(world.matrices, row, pose.scales, made);
      return made;
    };
    const made: IwerRecording['frames'][number] = [
      Math.round(1e4 * time) / 10,
      ...(head < 0 ? [0, EYES, 0, 0, 0, 0, 1] : rounded([...place(head), ...turn(head)])),
    ];
    for (const [index, { row, joints, pinch }] of hands.entries()) {
      const wrist = joints[0]?.row ?? -1;
      if (!pose.visible[row] || !pose.visible[wrist]) continue;
      const [origin, axes] = [place(wrist), turn(wrist)];
      const spaces = joints.flatMap(({ row: joint, radius }) => {
        const isThere = joint >= 0 && pose.visible[joint];
        if (!isThere) filled++;
        return [
          ...rounded(isThere ? relative(place(joint), turn(joint), origin, axes) : [0, 0, 0, 0, 0, 0, 1]),
          Math.round(1e4 * radius) / 1e4,
        ];
      });
      const state = Float32Array.of(0);
      pinch?.evaluate(layer.time, state, 0);
      const isPinching = numberAt(state, 0) > 0.5 ? 1 : 0;
      const ray = rounded([...origin, ...axes]);
      made.push([index, ...ray, ray, spaces, [[isPinching, isPinching, isPinching]]]);
    }
    pieces.push(encoder.encode(`${i > 0 ? ',' : ''}${JSON.stringify(made)}`));
  }
  if (filled > 0) report.add('JOINTS_FILLED', clip.name, filled);
  return [...pieces, encoder.encode(']}')];
}

/** Estimated JSON length of a hand in one frame, in characters. */
const PER_HAND = 2000;
/** Bytes that an evaluated pose takes from the work budget, per node. */
const PER_NODE = 40;

/**
 * Returns the times of all frames in seconds, or only the key times if all frames would exceed the
 * work budget.
 */
function timesOf(clip: Clip, bound: BoundClip, scene: RigScene, hands: number, report: ReportBuilder): number[] {
  const { duration, name } = clip;
  const count = Math.max(Math.round(duration * RATE), 0) + 1;
  const moment = PER_HAND * hands + PER_NODE * scene.nodes.length;
  if (report.budget.afford(moment * count)) return Array.from({ length: count }, (_, frame) => frame / RATE);
  const keys = new Set([0, duration]);
  for (const { times } of bound.tracks) for (const time of times) if (time > 0 && time < duration) keys.add(time);
  report.budget.spend(moment * keys.size);
  report.add('WORK_LIMIT', name, 1, `${keys.size} key times instead of ${count} frames`);
  return [...keys].sort((a, b) => a - b);
}

const schemaOf = (handedness: string): IwerSchema => ({
  handedness,
  targetRayMode: 'tracked-pointer',
  profiles: ['generic-hand-select', 'generic-hand'],
  hasGrip: true,
  hasHand: true,
  jointSequence: WEBXR_JOINTS,
  hasGamepad: true,
  mapping: 'xr-standard',
  numButtons: 1,
  numAxes: 0,
});

function jointsOf({ kind, properties }: Feature, { nodes }: RigScene): Hand['joints'] | null {
  const [rows, radii] = [properties?.['joints'], properties?.['radii']];
  if (kind !== 'hand' || !Array.isArray(rows) || !Array.isArray(radii)) return null;
  return WEBXR_JOINTS.map(name => {
    const at = rows.findIndex(row => nodes.names[Number(row)] === name);
    return { row: at < 0 ? -1 : Number(rows[at]), radius: Number(radii[at] ?? 0.01) };
  });
}

/** Rounds numbers to five decimals, which is a hundredth of a millimetre for positions. */
const rounded = (values: readonly number[]): number[] => values.map(value => Math.round(1e5 * value) / 1e5 || 0);

function relative(place: Vector, turn: Quaternion, origin: Vector, axes: Quaternion): number[] {
  const back = inverted(axes);
  return [...rotated(subtract(place, origin), back), ...multiplied(back, turn)];
}
