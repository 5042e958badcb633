// The rest pose of a scene in its own space, and the little arithmetic that those need who look at it. No three.js.
import type { NodeTable } from './types.ts';

export type Vector = [x: number, y: number, z: number];
/** A rotation of length one. */
export type Turn = [x: number, y: number, z: number, w: number];

/** All nodes at rest, in the scene's space: their positions, rotations (x y z w) and scales. Shear is left out. */
export function restOf({ count, parents, translations, rotations, scales }: NodeTable): {
  places: Vector[];
  turns: Turn[];
  sizes: Vector[];
} {
  const places: Vector[] = [];
  const turns: Turn[] = [];
  const sizes: Vector[] = [];
  for (let row = 0; row < count; row++) {
    const place: Vector = [translations[3 * row]!, translations[3 * row + 1]!, translations[3 * row + 2]!];
    const turn: Turn = [rotations[4 * row]!, rotations[4 * row + 1]!, rotations[4 * row + 2]!, rotations[4 * row + 3]!];
    const size: Vector = [scales[3 * row]!, scales[3 * row + 1]!, scales[3 * row + 2]!];
    const parent = parents[row]!;
    if (parent < 0) {
      places.push(place);
      turns.push(turn);
      sizes.push(size);
      continue;
    }
    const above = sizes[parent]!;
    places.push(plus(places[parent]!, turned([place[0] * above[0], place[1] * above[1], place[2] * above[2]], turns[parent]!)));
    turns.push(after(turns[parent]!, turn));
    sizes.push([size[0] * above[0], size[1] * above[1], size[2] * above[2]]);
  }
  return { places, turns, sizes };
}

/** A vector, turned. */
export function turned(v: Vector, [x, y, z, w]: Turn): Vector {
  const t = cross([2 * x, 2 * y, 2 * z], v);
  return plus(v, plus([w * t[0], w * t[1], w * t[2]], cross([x, y, z], t)));
}

/** First the turn b, then the turn a. */
export function after([ax, ay, az, aw]: Turn, [bx, by, bz, bw]: Turn): Turn {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a: Vector): number => Math.hypot(...a);
/** Of length one; null where it has no direction. */
export function unit(a: Vector): Vector | null {
  const size = length(a);
  return size > 1e-6 && Number.isFinite(size) ? (a.map(value => value / size) as Vector) : null;
}
