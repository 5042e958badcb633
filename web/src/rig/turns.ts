// Rotations as values, for what is worked out once: for each frame there are those of quaternion.ts in columns.
import { cross, type Turn, unit, type Vector } from '../core/rest.ts';
import { turnAbout, turnBetween } from './quaternion.ts';

export const NONE: Turn = [0, 0, 0, 1];

export const back = ([x, y, z, w]: Turn): Turn => [-x, -y, -z, w];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** The shortest turn from one direction to another. */
export function swing(from: Vector, into: Vector): Turn {
  const result: Turn = [0, 0, 0, 1];
  turnBetween(result, from, into);
  return result;
}

/** The turn about an axis that brings one vector above another, as seen along the axis; half a turn about it where they are opposite. */
export function roll(from: Vector, into: Vector, axis: Vector): Turn {
  const along = unit(axis);
  if (!along) return NONE;
  const flat = ([x, y, z]: Vector): Vector => {
    const share = dot([x, y, z], along);
    return [x - share * along[0], y - share * along[1], z - share * along[2]];
  };
  const [a, b] = [flat(from), flat(into)];
  const result: Turn = [0, 0, 0, 1];
  turnAbout(result, ...along, Math.atan2(dot(cross(a, b), along), dot(a, b)));
  return result;
}
