// Converts transforms from the space of a body to the space of a file. The file's space can be
// rotated, scaled, mirrored and translated.
import { decompose, identity, transformDirection } from '../../core/math/matrix.ts';
import { multiply, rotateVector, toQuat } from '../../core/math/quaternion.ts';
import { addScaled, copyVector, type Vector, vec3, vectorAt } from '../../core/math/vector.ts';
import { exactTransform } from './localTransform.ts';

type Values = Float32Array | Float64Array;

/** Conversion of a bone's local transforms, in the rest pose and in keys. */
export interface BoneSpace {
  /**
   * Converts the translation at `values[at]` in place. `isDifference`: true if the values are an
   * offset that is added to another translation.
   */
  translation(values: Values, at: number, isDifference: boolean): void;
  /**
   * Converts the quaternion at `values[at]` in place. `isDifference`: true if the quaternion is an
   * offset q that is applied to a rotation r as r q.
   */
  rotation(values: Values, at: number, isDifference: boolean): void;
}

/** Rest pose of a bone's parent, in the space of the body. */
export interface ParentRest {
  /** Product of all local rotations from the root down to the parent. */
  rotation: ArrayLike<number>;
  /**
   * Column-major matrix of the parent, including scales that the file does not contain. It is
   * undefined if the file contains all scales.
   */
  matrix?: ArrayLike<number> | undefined;
}

export class BodySpace {
  /** Geometric mean of the space's scales on the three axes. */
  readonly scale: number;
  /** True if the scale is uniform, which is required to convert bones and keys exactly. */
  readonly isEven: boolean;
  /**
   * True if the space is mirrored. Because bones cannot be mirrored, bones, vertices and faces are
   * reflected along x.
   */
  readonly isMirrored: boolean;
  readonly #matrix: Float64Array;
  readonly #shift: Vector;
  readonly #rotation: Float64Array;
  readonly #scales: Vector;

  /** `matrix`: column-major matrix that converts the space of the body to the space of the file. */
  constructor(matrix: Float64Array) {
    const local = new Float64Array(10);
    decompose(matrix, local);
    const [sx, sy, sz] = vectorAt(local, 7);
    this.scale = Math.cbrt(Math.abs(sx * sy * sz)) || 1;
    this.#matrix = matrix;
    this.#shift = vectorAt(local, 0);
    this.#rotation = toQuat(local, 3);
    this.isMirrored = sx * sy * sz < 0;
    const sizes: Vector = [Math.abs(sx), Math.abs(sy), Math.abs(sz)];
    this.isEven = exactTransform(matrix) !== null && sizes.every(s => Math.abs(s - this.scale) <= 1e-5 * this.scale);
    this.#scales = this.isEven ? [this.scale, this.scale, this.scale] : sizes;
  }

  /** Converts the point at `values[at]` in place. */
  point(values: Values, at: number): void {
    this.direction(values, at);
    addScaled(values, at, this.#shift, 1);
  }

  /** Converts the vector between two points at `values[at]` in place. */
  direction(values: Values, at: number): void {
    if (this.isEven) {
      if (this.isMirrored) values[at]! *= -1;
      for (let c = 0; c < 3; c++) values[at + c]! *= this.scale;
      rotateVector(values, at, this.#rotation);
      return;
    }
    transform(this.#matrix, values, at);
  }

  /** Converts the surface normal at `values[at]` in place and keeps its length. */
  normal(values: Values, at: number): void {
    if (this.isMirrored) values[at]! *= -1;
    if (!this.isEven) {
      const length = (): number => Math.hypot(...vectorAt(values, at));
      const before = length();
      for (let c = 0; c < 3; c++) values[at + c]! /= this.#scales[c] || 1;
      const factor = before / (length() || 1);
      for (let c = 0; c < 3; c++) values[at + c]! *= factor;
    }
    rotateVector(values, at, this.#rotation);
  }

  /** Conversion of the local transforms of bones that have no parent bone. */
  readonly root: BoneSpace = {
    translation: (values, at, isDifference) => (isDifference ? this.direction(values, at) : this.point(values, at)),
    rotation: (values, at, isDifference) => {
      this.#reflect(values, at);
      if (isDifference) return;
      const turned = new Float64Array(4);
      multiply(turned, 0, this.#rotation, 0, values, at);
      values.set(turned, at);
    },
  };

  /**
   * Returns the conversion for the children of a bone. `factor`: additional factor for the
   * translations of the children, for ancestor scales that the file does not contain.
   */
  below(parent: ParentRest, factor = 1): BoneSpace {
    const scale = this.scale * factor;
    const linear = this.isEven && !parent.matrix ? null : this.#linearOf(parent);
    return {
      translation: (values, at) => {
        if (linear) return transform(linear, values, at);
        if (this.isMirrored) values[at]! *= -1;
        for (let c = 0; c < 3; c++) values[at + c]! *= scale;
      },
      rotation: (values, at) => this.#reflect(values, at),
    };
  }

  /**
   * Returns the matrix W⁻¹ S F G, which converts the translations of a bone's children to the target
   * space. It is exact in the rest pose. G is the matrix of the parent in the source, S and F are
   * the scale and the reflection of the space, and W is the rotation of the parent as written.
   */
  #linearOf({ rotation, matrix }: ParentRest): Float64Array {
    const back = toQuat(rotation);
    this.#reflect(back, 0);
    for (let c = 0; c < 3; c++) back[c]! *= -1;
    const result = identity();
    for (let column = 0; column < 3; column++) {
      const axis = vec3();
      if (matrix) copyVector(axis, 0, matrix, 4 * column);
      else {
        axis[column] = 1;
        rotateVector(axis, 0, rotation);
      }
      if (this.isMirrored) axis[0] *= -1;
      for (let c = 0; c < 3; c++) axis[c]! *= this.#scales[c]!;
      rotateVector(axis, 0, back);
      result.set(axis, 4 * column);
    }
    return result;
  }

  /** Reflects the rotation at `values[at]` along x if the space is mirrored. */
  #reflect(values: Values, at: number): void {
    if (!this.isMirrored) return;
    values[at + 1]! *= -1;
    values[at + 2]! *= -1;
  }
}

/** Multiplies the vector at `values[at]` by the upper left 3 × 3 matrix of `m`. */
function transform(m: Float64Array, values: Values, at: number): void {
  const vector = vectorAt(values, at);
  transformDirection(vector, m, 0, vector);
  values.set(vector, at);
}
