// What solvers read off world matrices: places, rotations, factors of scale; and the way back into a node's own space.
import { determinant, orthonormalize } from '../core/math/matrix.ts';
import { fromAxes, multiply, normalize } from '../core/math/quaternion.ts';
import { length3, type Numbers } from '../core/math/vector.ts';

/** Where a node is. */
export function positionOf(matrices: Float64Array, row: number, result: Numbers): void {
  for (let c = 0; c < 3; c++) result[c] = matrices[16 * row + 12 + c]!;
}

/** A point of the node's own space in the world. */
export function pointOf(matrices: Float64Array, row: number, point: Numbers, result: Numbers): void {
  directionOf(matrices, row, point, result);
  for (let c = 0; c < 3; c++) result[c]! += matrices[16 * row + 12 + c]!;
}

/** A direction of the node's own space in the world, scaled as the node is. */
export function directionOf(matrices: Float64Array, row: number, v: Numbers, result: Numbers): void {
  const at = 16 * row;
  const x = v[0]!;
  const y = v[1]!;
  const z = v[2]!;
  for (let c = 0; c < 3; c++) result[c] = matrices[at + c]! * x + matrices[at + 4 + c]! * y + matrices[at + 8 + c]! * z;
}

/** How long the node's axes are in the world: what its scale has become. */
export function lengthsOf(matrices: Float64Array, row: number, result: Numbers): void {
  for (let axis = 0, at = 16 * row; axis < 3; axis++, at += 4) result[axis] = length3(matrices[at]!, matrices[at + 1]!, matrices[at + 2]!);
}

const x = new Float64Array(3);
const y = new Float64Array(3);

/**
 * How a node is turned in the world, without scale and shear (its x axis counts, then its y axis). `scales` are local ones, by row: a bone's own mirroring is
 * not part of its rotation. Below a mirrored node all rotations are those of the point reflection, so that they still go together.
 */
export function rotationOf(matrices: Float64Array, row: number, scales: Float64Array, result: Numbers): void {
  const m = matrices;
  const at = 16 * row;
  const sx = scales[3 * row]! < 0 ? -1 : 1;
  const sy = scales[3 * row + 1]! < 0 ? -1 : 1;
  const sz = scales[3 * row + 2]! < 0 ? -1 : 1;
  const sign = determinant(m, at) * sx * sy * sz < 0 ? -1 : 1;
  for (let c = 0; c < 3; c++) {
    x[c] = m[at + c]! * sx * sign;
    y[c] = m[at + 4 + c]! * sy * sign;
  }
  orthonormalize(x, y);
  fromAxes(result, x, y);
}

/** A point of the world in the space of a node; false where the node is scaled to nothing. */
export function intoSpace(matrices: Float64Array, row: number, point: Numbers, result: Numbers): boolean {
  const at = 16 * row;
  const size = determinant(matrices, at);
  if (!(Math.abs(size) > 1e-30)) return false;
  const px = point[0]! - matrices[at + 12]!;
  const py = point[1]! - matrices[at + 13]!;
  const pz = point[2]! - matrices[at + 14]!;
  for (let axis = 0; axis < 3; axis++) {
    // Cramer's rule: the cross product of the two other axes.
    const u = at + 4 * ((axis + 1) % 3);
    const v = at + 4 * ((axis + 2) % 3);
    const cx = matrices[u + 1]! * matrices[v + 2]! - matrices[u + 2]! * matrices[v + 1]!;
    const cy = matrices[u + 2]! * matrices[v]! - matrices[u]! * matrices[v + 2]!;
    const cz = matrices[u]! * matrices[v + 1]! - matrices[u + 1]! * matrices[v]!;
    result[axis] = (cx * px + cy * py + cz * pz) / size;
  }
  return true;
}

const back = new Float64Array(4);

/** The local rotation that turns a node as `wanted` in the world; `world` is how it is turned now, `local` (at `at`) what makes it so. May write into `local`. */
export function localRotation(result: Numbers, to: number, world: Numbers, local: Numbers, at: number, wanted: Numbers): void {
  // parent = world local⁻¹, so the new one is parent⁻¹ wanted = local world⁻¹ wanted.
  for (let c = 0; c < 3; c++) back[c] = -world[c]!;
  back[3] = world[3]!;
  multiply(back, 0, back, 0, wanted, 0);
  multiply(result, to, local, at, back, 0);
  normalize(result, to);
}
