// Samples the poses of recorded hands over time, for plots and tables.
import { Vector3 } from 'three';
import { bind } from '../core/bind.ts';
import { jointRows } from '../core/hands.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { Animator } from '../rig/animator.ts';
import { Layer } from '../rig/layer.ts';
import { FINGERS, type HandPose, poseOfJoints } from './handPose.ts';
import { handSpans } from './spans.ts';

export interface HandCurves {
  handedness: 'left' | 'right';
  /** Times of the samples in seconds. */
  times: Float32Array;
  /** Pose at each time; null while the hand is not tracked. */
  poses: readonly (HandPose | null)[];
  /** 1 at each time at which the device reported a pinch, otherwise 0. */
  pinching: Uint8Array;
}

/** Frame rate of recordings that do not declare one. */
const RATE = 60;
/** Maximum number of samples: ten minutes at 60 frames per second. */
const MAX_SAMPLES = 36_000;

/** Returns the curves of both hands, left hand first. `scene`: scene of the recording. */
export function handCurves(scene: RigScene, clip: Clip): HandCurves[] {
  const animator = new Animator(scene);
  const layer = new Layer(animator.shape, bind(clip, scene).tracks);
  animator.layers.push(layer);
  const rate = clip.frameRate > 0 ? clip.frameRate : RATE;
  const count = Math.min(Math.max(Math.round(clip.duration * rate), 0) + 1, MAX_SAMPLES);
  const step = count > 1 ? Math.max(1 / rate, clip.duration / (count - 1)) : 0;
  const times = Float32Array.from({ length: count }, (_, i) => Math.min(i * step, clip.duration));
  const spans = handSpans(clip);
  const hands = (['left', 'right'] as const).flatMap(handedness => {
    const hand = scene.features.find(({ kind, name }) => kind === 'hand' && name === handedness);
    const rows = hand?.properties?.['joints'];
    const isRow = (row: unknown): row is number => typeof row === 'number' && row > 0 && row < scene.nodes.length;
    if (hand?.node === undefined || !Array.isArray(rows)) return [];
    const joints = jointRows(scene.nodes, rows.filter(isRow));
    return [{ handedness, node: hand.node, joints, poses: [] as (HandPose | null)[] }];
  });
  for (const time of times) {
    layer.time = time;
    const pose = animator.evaluate();
    animator.world.update(pose);
    const { matrices } = animator.world;
    for (const { node, joints, poses } of hands)
      poses.push(
        pose.visible[node]
          ? poseOfJoints(name => {
              const row = joints.get(name);
              return row !== undefined && pose.visible[row] ? new Vector3().fromArray(matrices, 16 * row + 12) : null;
            })
          : null,
      );
  }
  return hands.map(({ handedness, poses }) => {
    const pinches = spans.find(each => each.handedness === handedness)?.pinching ?? [];
    const isPinching = (time: number): boolean => pinches.some(({ from, to }) => time >= from && time < to);
    return { handedness, times, poses, pinching: Uint8Array.from(times, time => (isPinching(time) ? 1 : 0)) };
  });
}

const JOINTS = ['knuckle', 'middle', 'end'] as const;

/**
 * Returns a table as CSV, one row per time and hand. Columns: time in seconds, hand, whether it was
 * tracked and pinching (1 or 0), pinch strength (0 to 1), gap between thumb and index finger in
 * millimetres, and the bend of each joint in degrees. Values that were not recorded are empty.
 */
export function handCsv(curves: readonly HandCurves[]): string {
  const bends = FINGERS.flatMap(finger =>
    JOINTS.flatMap(joint => (finger === 'thumb' && joint === 'middle' ? [] : [`${finger}_${joint}_deg`])),
  );
  const lines = [['time_s', 'hand', 'tracked', 'pinching', 'pinch_strength', 'gap_mm', ...bends].join(',')];
  const [first] = curves;
  for (const [at, time] of (first?.times ?? []).entries())
    for (const { handedness, poses, pinching } of curves) {
      const pose = poses[at] ?? null;
      const angles = FINGERS.flatMap((finger, row) =>
        JOINTS.flatMap((_, joint) => (finger === 'thumb' && joint === 1 ? [] : [numberText(pose?.flexion[row]?.[joint] ?? null, 2)])),
      );
      const facts = [time.toFixed(4), handedness, pose ? 1 : 0, pinching[at] ?? 0];
      lines.push([...facts, numberText(pose?.pinch ?? null, 4), numberText(pose && pose.gap * 1000, 2), ...angles].join(','));
    }
  return `${lines.join('\n')}\n`;
}

const numberText = (value: number | null, digits: number): string => (value === null ? '' : value.toFixed(digits));
