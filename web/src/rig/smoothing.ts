// Smooths values of the frames of a clip over time.
import { copyQuaternion, quat, rotateVector } from '../core/math/quaternion.ts';
import type { FrameOrder } from './footOffsets.ts';
import { inverseAt } from './frame.ts';

/** Seconds within which values start and end to change. */
const GRADUALLY = 0.4;
/** Maximum number of neighbours of a frame, because the frame rate of a damaged file can be any number. */
const MOST_NEIGHBOURS = 400;

const heading = quat();

/** Number of frames before and after a frame that are within `GRADUALLY`, at least 1. */
const neighboursOf = ({ rate }: FrameOrder): number => Math.min(Math.max(Math.round(GRADUALLY * rate), 1), MOST_NEIGHBOURS);

/** Returns the frame at an index before the first or after the last one. The last frame of a loop is the first one. */
function frameAt(index: number, count: number, isLoop: boolean): number {
  const last = count - 1;
  return isLoop && last > 0 ? ((index % last) + last) % last : Math.min(Math.max(index, 0), last);
}

/**
 * Smooths columns with `width` numbers per frame: takes the mean of the frames within 0.4 s, with weights
 * that decrease with the distance. If the clip is not a loop, its first and last frames are repeated.
 */
export function smooth(values: Float64Array, width: number, order: FrameOrder): void {
  const span = neighboursOf(order);
  const before = values.slice();
  const count = values.length / width;
  values.fill(0);
  for (let frame = 0; frame < count; frame++) {
    for (let k = 1 - span; k < span; k++) {
      const other = frameAt(frame + k, count, order.isLoop);
      const weight = (span - Math.abs(k)) / span ** 2;
      for (let c = 0; c < width; c++) values[width * frame + c]! += weight * before[width * other + c]!;
    }
  }
}

/**
 * Smooths vectors with 3 numbers per frame in a space that turns. `headings`: rotations of this space, 4
 * numbers per frame.
 */
export function smoothTurning(vectors: Float64Array, headings: Float64Array, order: FrameOrder): void {
  for (let frame = 0; 3 * frame < vectors.length; frame++) {
    inverseAt(heading, headings, 4 * frame);
    rotateVector(vectors, 3 * frame, heading);
  }
  smooth(vectors, 3, order);
  for (let frame = 0; 3 * frame < vectors.length; frame++) {
    copyQuaternion(heading, 0, headings, 4 * frame);
    rotateVector(vectors, 3 * frame, heading);
  }
}

/** Sets each value to the highest one among the frames that `smooth` takes the mean of. */
export function extend(values: Float64Array, order: FrameOrder): void {
  const span = neighboursOf(order);
  const before = values.slice();
  for (let frame = 0; frame < values.length; frame++)
    for (let k = 1 - span; k < span; k++)
      values[frame] = Math.max(values[frame]!, before[frameAt(frame + k, values.length, order.isLoop)]!);
}
