// Computes the rest pose of a scene in scene space.
import { multiplied, type Quaternion, quaternionAt, rotated } from './math/quaternion.ts';
import { add, subtract, type Vector, vectorAt } from './math/vector.ts';
import type { NodeTable } from './types.ts';

/** Rest transforms of all nodes in scene space, by node index. Ignores shear. */
export class RestPose {
  readonly positions: Vector[] = [];
  readonly rotations: Quaternion[] = [];
  readonly scales: Vector[] = [];

  constructor({ length: count, parents, translations, rotations, scales }: NodeTable) {
    for (let row = 0; row < count; row++) {
      const translation = vectorAt(translations, 3 * row);
      const localRotation = quaternionAt(rotations, 4 * row);
      const localScale = vectorAt(scales, 3 * row);
      const parent = parents[row]!;
      if (parent < 0) {
        this.positions.push(translation);
        this.rotations.push(localRotation);
        this.scales.push(localScale);
        continue;
      }
      const parentScale = this.scales[parent]!;
      const rotation = this.rotation(parent);
      this.positions.push(
        add(
          this.position(parent),
          rotated([translation[0] * parentScale[0], translation[1] * parentScale[1], translation[2] * parentScale[2]], rotation),
        ),
      );
      this.rotations.push(multiplied(rotation, localRotation));
      this.scales.push([localScale[0] * parentScale[0], localScale[1] * parentScale[1], localScale[2] * parentScale[2]]);
    }
  }

  position(row: number): Vector {
    return this.positions[row]!;
  }

  rotation(row: number): Quaternion {
    return this.rotations[row]!;
  }

  /** Returns the vector from one node to another in the rest pose, in scene space. */
  offset(from: number, to: number): Vector {
    return subtract(this.position(to), this.position(from));
  }
}

export const restPoseOf = (nodes: NodeTable): RestPose => new RestPose(nodes);
