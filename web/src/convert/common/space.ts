// From the space of a body into that of a file of bones: rotated, scaled, mirrored, moved.
import { decompose, identity, transformDirection } from '../../core/math/matrix.ts';
import { multiply, rotateVector, toQuat } from '../../core/math/quaternion.ts';
import { addScaled, copyVector, type Vector, vec3, vectorAt } from '../../core/math/vector.ts';
import { localOf } from '../gltf/placement.ts';

type Values = Float32Array | Float64Array;

/** Brings the local transforms of one bone into a file, at rest and in keys. */
export interface BoneSpace {
  /** Three numbers at `at`: a translation, or, with `isDifference`, what is added to one. */
  place(values: Values, at: number, isDifference: boolean): void;
  /** Four numbers at `at`: a rotation, or, with `isDifference`, what one is multiplied by from the right. */
  turn(values: Values, at: number, isDifference: boolean): void;
}

/** The rest pose of a bone's parent, in the space of the body. */
export interface ParentRest {
  /** Product of the rotations down to it. */
  turn: ArrayLike<number>;
  /** With all scales that the file does not have, column-major. Undefined if there are none. */
  matrix?: ArrayLike<number> | undefined;
}

export class BodySpace {
  /** The geometric mean of the scales. */
  readonly scale: number;
  /** True if the scale is the same along all axes, so that bones and their keys are exact. */
  readonly isEven: boolean;
  /** Bones cannot be mirrored. Their transforms are reflected along x, and so are vertices and faces. */
  readonly isMirrored: boolean;
  readonly #matrix: Float64Array;
  readonly #shift: Vector;
  readonly #turn: Float64Array;
  readonly #scales: Vector;

  /** `matrix`: where the space of the body is in that of the file, column-major. */
  constructor(matrix: Float64Array) {
    const local = new Float64Array(10);
    decompose(matrix, local);
    const [sx, sy, sz] = vectorAt(local, 7);
    this.scale = Math.cbrt(Math.abs(sx * sy * sz)) || 1;
    this.#matrix = matrix;
    this.#shift = vectorAt(local, 0);
    this.#turn = toQuat(local, 3);
    this.isMirrored = sx * sy * sz < 0;
    const sizes: Vector = [Math.abs(sx), Math.abs(sy), Math.abs(sz)];
    this.isEven = localOf(matrix) !== null && sizes.every(s => Math.abs(s - this.scale) <= 1e-5 * this.scale);
    this.#scales = this.isEven ? [this.scale, this.scale, this.scale] : sizes;
  }

  /** A point of the body, three numbers at `at`. */
  point(values: Values, at: number): void {
    this.way(values, at);
    addScaled(values, at, this.#shift, 1);
  }

  /** A difference of two points. */
  way(values: Values, at: number): void {
    if (this.isEven) {
      if (this.isMirrored) values[at]! *= -1;
      for (let c = 0; c < 3; c++) values[at + c]! *= this.scale;
      rotateVector(values, at, this.#turn);
      return;
    }
    transform(this.#matrix, values, at);
  }

  /** A direction that stands upright on a surface. It keeps its length. */
  normal(values: Values, at: number): void {
    if (this.isMirrored) values[at]! *= -1;
    if (!this.isEven) {
      const length = (): number => Math.hypot(...vectorAt(values, at));
      const before = length();
      for (let c = 0; c < 3; c++) values[at + c]! /= this.#scales[c] || 1;
      const factor = before / (length() || 1);
      for (let c = 0; c < 3; c++) values[at + c]! *= factor;
    }
    rotateVector(values, at, this.#turn);
  }

  /** For bones that lie in the space of the body itself. */
  readonly root: BoneSpace = {
    place: (values, at, isDifference) => (isDifference ? this.way(values, at) : this.point(values, at)),
    turn: (values, at, isDifference) => {
      this.#reflect(values, at);
      if (isDifference) return;
      const turned = new Float64Array(4);
      multiply(turned, 0, this.#turn, 0, values, at);
      values.set(turned, at);
    },
  };

  /** For bones below another one. `factor`: what its translations are multiplied by besides, since scales of bones above are not in the file. */
  below(parent: ParentRest, factor = 1): BoneSpace {
    const scale = this.scale * factor;
    const linear = this.isEven && !parent.matrix ? null : this.#linearOf(parent);
    return {
      place: (values, at) => {
        if (linear) return transform(linear, values, at);
        if (this.isMirrored) values[at]! *= -1;
        for (let c = 0; c < 3; c++) values[at + c]! *= scale;
      },
      turn: (values, at) => this.#reflect(values, at),
    };
  }

  /** The matrix for translations below a bone, exact at rest: W⁻¹ S F G, with the rotation W of the written parent and the matrix G of the parent. */
  #linearOf({ turn, matrix }: ParentRest): Float64Array {
    const back = toQuat(turn);
    this.#reflect(back, 0);
    for (let c = 0; c < 3; c++) back[c]! *= -1;
    const result = identity();
    for (let column = 0; column < 3; column++) {
      const axis = vec3();
      if (matrix) copyVector(axis, 0, matrix, 4 * column);
      else {
        axis[column] = 1;
        rotateVector(axis, 0, turn);
      }
      if (this.isMirrored) axis[0] *= -1;
      for (let c = 0; c < 3; c++) axis[c]! *= this.#scales[c]!;
      rotateVector(axis, 0, back);
      result.set(axis, 4 * column);
    }
    return result;
  }

  /** A rotation as it is in a space that is reflected along x. */
  #reflect(values: Values, at: number): void {
    if (!this.isMirrored) return;
    values[at + 1]! *= -1;
    values[at + 2]! *= -1;
  }
}

/** Multiplies three numbers by the upper left 3 × 3 of a matrix. */
function transform(m: Float64Array, values: Values, at: number): void {
  const vector = vectorAt(values, at);
  transformDirection(vector, m, 0, vector);
  values.set(vector, at);
}
