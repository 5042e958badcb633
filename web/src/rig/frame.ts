// Reads positions, rotations and scales from world matrices, and transforms points and directions
// between world space and node space.
import { determinant, orthonormalize, transformDirection, transformPoint, untransformPoint } from '../core/math/matrix.ts';
import { copyQuaternion, fromAxes, invert, multiply, normalize, quat, type QuaternionLike } from '../core/math/quaternion.ts';
import { copyVector, length, type Numbers, vec3, type VectorLike } from '../core/math/vector.ts';

/** Writes the world position of a node. */
export function positionOf(matrices: Numbers, row: number, result: Numbers): void {
  copyVector(result, 0, matrices, 16 * row + 12);
}

/** Transforms a point from node space to world space. */
export function pointOf(matrices: Numbers, row: number, point: VectorLike, result: VectorLike): void {
  transformPoint(result, matrices, 16 * row, point);
}

/** Transforms a direction from node space to world space, including scale. */
export function directionOf(matrices: Numbers, row: number, v: VectorLike, result: VectorLike): void {
  transformDirection(result, matrices, 16 * row, v);
}

const x = vec3();
const y = vec3();
const z = vec3();

/** Writes the world scale of a node: the lengths of its axes in world space. */
export function lengthsOf(matrices: Numbers, row: number, result: VectorLike): void {
  copyVector(x, 0, matrices, 16 * row);
  copyVector(y, 0, matrices, 16 * row + 4);
  copyVector(z, 0, matrices, 16 * row + 8);
  result[0] = length(x);
  result[1] = length(y);
  result[2] = length(z);
}

const scale = vec3();

/**
 * Writes the world rotation of a node without scale and shear. Keeps the direction of the x axis
 * and orthonormalizes the y axis. `scales`: local scales of all nodes, which tell whether the node
 * mirrors itself by a negative scale. If its ancestors mirror the node, all axes are negated,
 * because a mirrored matrix is not a rotation.
 */
export function rotationOf(matrices: Numbers, row: number, scales: Numbers, result: Numbers): void {
  copyVector(scale, 0, scales, 3 * row);
  copyVector(x, 0, matrices, 16 * row);
  copyVector(y, 0, matrices, 16 * row + 4);
  const sx = scale[0] < 0 ? -1 : 1;
  const sy = scale[1] < 0 ? -1 : 1;
  const sz = scale[2] < 0 ? -1 : 1;
  const sign = determinant(matrices, 16 * row) * sx * sy * sz < 0 ? -1 : 1;
  if (sx !== sign) flip(x);
  if (sy !== sign) flip(y);
  orthonormalize(x, y);
  fromAxes(result, x, y);
}

function flip(v: VectorLike): void {
  v[0] = -v[0];
  v[1] = -v[1];
  v[2] = -v[2];
}

/**
 * Transforms a point from world space to node space. Returns false if the node's matrix is
 * singular.
 */
export function intoSpace(matrices: Numbers, row: number, point: VectorLike, result: VectorLike): boolean {
  return untransformPoint(result, matrices, 16 * row, point);
}

const inverse = quat();

/**
 * Writes the local rotation that gives a node the world rotation `wanted` to `result[to]`. `world`:
 * current world rotation of the node. `local[at]`: its current local rotation. `result` and `local`
 * may be the same array.
 */
export function localRotation(result: Numbers, to: number, world: QuaternionLike, local: Numbers, at: number, wanted: Numbers): void {
  // parent = world local⁻¹, so the local rotation is parent⁻¹ wanted = local world⁻¹ wanted.
  invert(inverse, world);
  multiply(inverse, 0, inverse, 0, wanted, 0);
  multiply(result, to, local, at, inverse, 0);
  normalize(result, to);
}

/** Writes the inverse of the quaternion at `q[at]`. */
export function inverseAt(result: QuaternionLike, q: Numbers, at: number): void {
  copyQuaternion(result, 0, q, at);
  invert(result, result);
}
