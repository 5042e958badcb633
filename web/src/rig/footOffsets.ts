// Offsets of a foot from the scaled position of the source's foot. If two bodies have different
// proportions, a leg that is rotated like the source's leg does not reach this position. A foot that
// keeps a constant offset from it while it is planted doesn't slide, and its leg nearly keeps the
// pose of the source.
import { copyQuaternion, quat, rotateVector } from '../core/math/quaternion.ts';
import { addScaled, copyVector, length, multiplyScalar, setDifference, type Vec3, vec3 } from '../core/math/vector.ts';
import { inverseAt } from './frame.ts';

/** The movement of a foot in a clip, in columns with one row per frame. */
export interface FootMovement {
  /** Scaled positions of the source's foot, 3 numbers per frame. */
  goals: Float64Array;
  /** Horizontal vectors from the goal to the end of the leg, 3 numbers per frame. */
  missed: Float64Array;
  /** World rotations of the foot about the up axis, relative to the rest pose, 4 numbers per frame. */
  headings: Float64Array;
  /** Weight of each frame in means, from 0 for a foot high above the ground to 1. */
  weights: Float64Array;
}

/** How the frames of a clip follow each other. */
export interface FrameOrder {
  /** Frames per second. */
  rate: number;
  /** True if the first frame follows the last one. */
  isLoop: boolean;
}

/** Maximum speed of a planted foot in leg lengths per second. */
const PLANTED_SPEED = 0.25;
/** Minimum duration of a step in seconds. A foot that only reverses its direction is slow for a shorter time. */
const STEP_DURATION = 0.15;

/** Weight of frames with weight 0, which count if there are no others. */
const IN_THE_AIR = 1e-6;

/** Frames in which a foot is planted, and its offset. `end` is the frame after the last one. */
interface Step {
  start: number;
  end: number;
  offset: Vec3;
}

const step = vec3();
const rotation = quat();

/**
 * Returns the horizontal offset of a foot in each frame, 3 numbers per frame. It is constant while the
 * foot is planted. Between steps it turns with the foot, and changes gradually (`isTurning`: 1 for each of
 * these frames). If the foot is never planted, as in a walk cycle in place, its offset is constant relative
 * to the heading of the foot. `leg`: length of the leg.
 */
export function footOffsets(
  movement: FootMovement,
  leg: number,
  { rate, isLoop }: FrameOrder,
): { offsets: Float64Array; isTurning: Uint8Array } {
  const { headings } = movement;
  const frames = movement.weights.length;
  const steps = stepsOf(movement, (PLANTED_SPEED * leg) / rate, STEP_DURATION * rate);
  const [first, last] = [steps[0], steps.at(-1)];
  const isTurning = new Uint8Array(frames).fill(1);
  if (!first || !last) return { offsets: turningOffsets(movement), isTurning };
  if (isLoop && steps.length > 1 && first.start === 0 && last.end === frames) {
    const share = first.end / (first.end + last.end - last.start);
    multiplyScalar(first.offset, share);
    addScaled(first.offset, 0, last.offset, 1 - share);
    last.offset = first.offset;
  }
  const offsets = new Float64Array(3 * frames);
  /** Adds an offset that a step has in the frame `at`, turned with the foot to `frame`. */
  const addTurned = (offset: Vec3, at: number, frame: number, share: number): void => {
    copyVector(step, 0, offset, 0);
    inverseAt(rotation, headings, 4 * at);
    rotateVector(step, 0, rotation);
    copyQuaternion(rotation, 0, headings, 4 * frame);
    rotateVector(step, 0, rotation);
    addScaled(offsets, 3 * frame, step, share);
  };
  for (const [i, { start, end, offset }] of steps.entries()) {
    isTurning.fill(0, start, end);
    for (let frame = start; frame < end; frame++) copyVector(offsets, 3 * frame, offset, 0);
    const next = steps[i + 1] ?? (isLoop ? { start: first.start + frames, offset: first.offset } : null);
    const nextStart = next?.start ?? frames;
    for (let frame = end; frame < nextStart; frame++) {
      const part = (frame - end + 1) / (nextStart - end + 1);
      const share = next ? part * part * (3 - 2 * part) : 0;
      addTurned(offset, end - 1, frame % frames, 1 - share);
      if (next) addTurned(next.offset, next.start % frames, frame % frames, share);
    }
  }
  if (!isLoop) for (let frame = 0; frame < first.start; frame++) addTurned(first.offset, first.start, frame, 1);
  return { offsets, isTurning };
}

/** Finds the steps of a foot. `most`: maximum distance that a planted foot moves between two frames. */
function stepsOf({ goals, missed, weights }: FootMovement, most: number, minimum: number): Step[] {
  const steps: Step[] = [];
  const frames = weights.length;
  const isStill = (frame: number): boolean => {
    setDifference(step, goals, 3 * frame, goals, 3 * (frame - 1));
    return length(step) <= most;
  };
  for (let start = 0, end = 1; start < frames; start = end++) {
    while (end < frames && isStill(end)) end++;
    if (end - start >= Math.min(minimum, frames)) steps.push({ start, end, offset: meanOf(missed, start, end) });
  }
  return steps;
}

function meanOf(vectors: Float64Array, start: number, end: number): Vec3 {
  const mean = vec3();
  for (let frame = start; frame < end; frame++) addScaled(mean, 0, vectors.subarray(3 * frame) as Vec3, 1 / (end - start));
  return mean;
}

/** Returns offsets that only turn with the foot. */
function turningOffsets({ missed, headings, weights }: FootMovement): Float64Array {
  const frames = weights.length;
  const mean = vec3();
  let total = 0;
  for (let frame = 0; frame < frames; frame++) {
    copyVector(step, 0, missed, 3 * frame);
    inverseAt(rotation, headings, 4 * frame);
    rotateVector(step, 0, rotation);
    const weight = weights[frame] || IN_THE_AIR;
    addScaled(mean, 0, step, weight);
    total += weight;
  }
  multiplyScalar(mean, 1 / total);
  const offsets = new Float64Array(3 * frames);
  for (let frame = 0; frame < frames; frame++) {
    copyVector(step, 0, mean, 0);
    rotateVector(step, 0, headings.subarray(4 * frame, 4 * frame + 4));
    copyVector(offsets, 3 * frame, step, 0);
  }
  return offsets;
}
