// The rest pose of a scene in its own space.
import { multiplied, type Quaternion, quaternionAt, rotated } from './math/quaternion.ts';
import { add, subtract, type Vector, vectorAt } from './math/vector.ts';
import type { NodeTable } from './types.ts';

/** All nodes at rest, in the scene's space, by row. Shear is left out. */
export class RestPose {
  readonly places: Vector[] = [];
  readonly turns: Quaternion[] = [];
  readonly sizes: Vector[] = [];

  constructor({ count, parents, translations, rotations, scales }: NodeTable) {
    for (let row = 0; row < count; row++) {
      const place = vectorAt(translations, 3 * row);
      const turn = quaternionAt(rotations, 4 * row);
      const size = vectorAt(scales, 3 * row);
      const parent = parents[row]!;
      if (parent < 0) {
        this.places.push(place);
        this.turns.push(turn);
        this.sizes.push(size);
        continue;
      }
      const above = this.sizes[parent]!;
      const rotation = this.rotation(parent);
      this.places.push(add(this.position(parent), rotated([place[0] * above[0], place[1] * above[1], place[2] * above[2]], rotation)));
      this.turns.push(multiplied(rotation, turn));
      this.sizes.push([size[0] * above[0], size[1] * above[1], size[2] * above[2]]);
    }
  }

  position(row: number): Vector {
    return this.places[row]!;
  }

  rotation(row: number): Quaternion {
    return this.turns[row]!;
  }

  /** The vector from one node to another. */
  offset(from: number, to: number): Vector {
    return subtract(this.position(to), this.position(from));
  }
}

export const restOf = (nodes: NodeTable): RestPose => new RestPose(nodes);
