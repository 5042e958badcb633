// The rest pose of a scene in its own space.
import { multiplied, type Quaternion, rotated } from './math/quaternion.ts';
import { add, type Vector } from './math/vector.ts';
import type { NodeTable } from './types.ts';

/** All nodes at rest, in the scene's space: their positions, rotations (x y z w) and scales. Shear is left out. */
export function restOf({ count, parents, translations, rotations, scales }: NodeTable): {
  places: Vector[];
  turns: Quaternion[];
  sizes: Vector[];
} {
  const places: Vector[] = [];
  const turns: Quaternion[] = [];
  const sizes: Vector[] = [];
  for (let row = 0; row < count; row++) {
    const place: Vector = [translations[3 * row]!, translations[3 * row + 1]!, translations[3 * row + 2]!];
    const turn: Quaternion = [rotations[4 * row]!, rotations[4 * row + 1]!, rotations[4 * row + 2]!, rotations[4 * row + 3]!];
    const size: Vector = [scales[3 * row]!, scales[3 * row + 1]!, scales[3 * row + 2]!];
    const parent = parents[row]!;
    if (parent < 0) {
      places.push(place);
      turns.push(turn);
      sizes.push(size);
      continue;
    }
    const above = sizes[parent]!;
    places.push(add(places[parent]!, rotated([place[0] * above[0], place[1] * above[1], place[2] * above[2]], turns[parent]!)));
    turns.push(multiplied(turns[parent]!, turn));
    sizes.push([size[0] * above[0], size[1] * above[1], size[2] * above[2]]);
  }
  return { places, turns, sizes };
}
