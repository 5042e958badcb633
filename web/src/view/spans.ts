// Calculates the time spans in which each hand of a recording was tracked and pinched, and the
// bounds that the camera should show.
import { Box3, Quaternion, Vector3 } from 'three';
import type { Clip } from '../core/types.ts';
import { handsOf } from '../three/xr/hands.ts';
import type { Rig } from '../three/rig.ts';

/** A time span in seconds. */
export interface Span {
  from: number;
  to: number;
}

export interface HandSpans {
  handedness: 'left' | 'right';
  tracked: Span[];
  pinching: Span[];
}

/**
 * Returns the time spans of both hands within the clip, left hand first. Omits hands for which the
 * file has no tracking data.
 */
export function handSpans(clip: Clip): HandSpans[] {
  const states = new Map<string, Span[]>();
  for (const track of clip.tracks) {
    if (track.path === 'property' && /^(left|right)\.(tracked|pinch)$/.test(track.property))
      states.set(track.property, heldSpans(track.times, track.values, clip.duration));
  }
  return (['left', 'right'] as const).flatMap(handedness => {
    const tracked = states.get(`${handedness}.tracked`);
    // Pinches are omitted while the hand is not tracked, because the recorder has only guessed
    // them.
    return tracked ? [{ handedness, tracked, pinching: intersect(states.get(`${handedness}.pinch`) ?? [], tracked) }] : [];
  });
}

/**
 * Returns the time spans between 0 and `end` (seconds) in which a stepped curve is greater than
 * 0.5.
 */
function heldSpans(times: Float32Array, values: Float32Array, end: number): Span[] {
  const spans: Span[] = [];
  times.forEach((time, key) => {
    if (!(values[key]! > 0.5)) return;
    const from = key === 0 ? 0 : Math.max(time, 0);
    const to = Math.min(times[key + 1] ?? end, end);
    const last = spans.at(-1);
    if (to <= from) return;
    if (last && last.to >= from) last.to = to;
    else spans.push({ from, to });
  });
  return spans;
}

function intersect(a: readonly Span[], b: readonly Span[]): Span[] {
  return a.flatMap(one =>
    b.map(other => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) })).filter(({ from, to }) => to > from),
  );
}

const SAMPLES = 60;

/**
 * If the bounds of all frames are more than `WIDE_FACTOR` times as large as those of a typical
 * frame, each side of the bounds excludes the fraction `EDGE_SHARE` of the frames.
 */
const WIDE_FACTOR = 2;
const EDGE_SHARE = 0.15;

/**
 * Returns bounds, camera direction and margin for the initial view of a recording. The bounds
 * contain the hands, or the head if there are no hands. The camera is in front of them, slightly to
 * one side and above. `seek`: poses the rig at a time in seconds. The rig keeps the last pose.
 */
export function recordingView(rig: Rig, duration: number, seek: (time: number) => void): { box: Box3; direction: Vector3; margin: number } {
  const hands: Box3[] = [];
  const heads: Box3[] = [];
  const at = new Vector3();
  const rotation = new Quaternion();
  const forward = new Vector3();
  const head = rig.file.scene!.cameras[0];
  for (let sample = 0; sample <= SAMPLES; ++sample) {
    seek((duration * sample) / SAMPLES);
    rig.scene.updateMatrixWorld(true);
    const box = new Box3();
    for (const hand of handsOf(rig)) {
      if (!hand.tracked) continue;
      for (const joint of Object.values(hand.joints)) if (joint.visible) box.expandByPoint(at.setFromMatrixPosition(joint.matrixWorld));
    }
    if (!box.isEmpty()) hands.push(box);
    if (!head) continue;
    const node = rig.nodes[head.node]!;
    heads.push(new Box3().expandByPoint(node.getWorldPosition(at)));
    forward.add(at.set(0, 0, -1).applyQuaternion(node.getWorldQuaternion(rotation)));
  }
  const box = typicalBox(hands.length > 0 ? hands : heads);
  if (box.isEmpty()) box.set(new Vector3(-0.3, -0.3, -0.6), new Vector3(0.3, 0.3, 0));
  box.expandByScalar(hands.length > 0 ? 0.04 : 0.3);
  forward.setY(0);
  if (forward.lengthSq() < 1e-6) forward.set(0, 0, -1);
  forward.normalize();
  const direction = new Vector3(-forward.z, 0, forward.x).multiplyScalar(0.8).addScaledVector(forward, 0.75).setY(0.32).normalize();
  // The margin is below 1, because hands never fill the corners of their bounding box.
  return { box, direction, margin: 0.92 };
}

/** Returns the union of all boxes. If this is much larger than a typical box, excludes outliers. */
function typicalBox(boxes: readonly Box3[]): Box3 {
  const all = boxes.reduce((union, box) => union.union(box), new Box3());
  const across = (box: Box3): number => box.min.distanceTo(box.max);
  if (boxes.length === 0 || across(all) <= WIDE_FACTOR * quantile(boxes.map(across), 0.5)) return all;
  const edge = (corner: 'min' | 'max', share: number): Vector3 => {
    const at = (axis: number): number =>
      quantile(
        boxes.map(box => box[corner].getComponent(axis)),
        share,
      );
    return new Vector3(at(0), at(1), at(2));
  };
  return new Box3(edge('min', EDGE_SHARE), edge('max', 1 - EDGE_SHARE));
}

/**
 * Sorts `values` in place and returns a quantile. `share`: 0 for the minimum, 1 for the maximum.
 */
const quantile = (values: number[], share: number): number => values.sort((a, b) => a - b)[Math.round(share * (values.length - 1))]!;
