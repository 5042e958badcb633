// The rest pose of a scene in scene space.
import { multiplied, type Quaternion, quaternionAt, rotated } from './math/quaternion.ts';
import { add, subtract, type Vector, vectorAt } from './math/vector.ts';
import type { NodeTable } from './types.ts';

/** Rest transforms of all nodes in scene space, by node index. Ignores shear. */
export class RestPose {
  readonly positions: Vector[] = [];
  readonly rotations: Quaternion[] = [];
  readonly scales: Vector[] = [];

  constructor({ count, parents, translations, rotations, scales }: NodeTable) {
    for (let row = 0; row < count; row++) {
      const place = vectorAt(translations, 3 * row);
      const turn = quaternionAt(rotations, 4 * row);
      const size = vectorAt(scales, 3 * row);
      const parent = parents[row]!;
      if (parent < 0) {
        this.positions.push(place);
        this.rotations.push(turn);
        this.scales.push(size);
        continue;
      }
      const above = this.scales[parent]!;
      const rotation = this.rotation(parent);
      this.positions.push(add(this.position(parent), rotated([place[0] * above[0], place[1] * above[1], place[2] * above[2]], rotation)));
      this.rotations.push(multiplied(rotation, turn));
      this.scales.push([size[0] * above[0], size[1] * above[1], size[2] * above[2]]);
    }
  }

  position(row: number): Vector {
    return this.positions[row]!;
  }

  rotation(row: number): Quaternion {
    return this.rotations[row]!;
  }

  /** Returns the vector from one node to another. */
  offset(from: number, to: number): Vector {
    return subtract(this.position(to), this.position(from));
  }
}

export const restPoseOf = (nodes: NodeTable): RestPose => new RestPose(nodes);
