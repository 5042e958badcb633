// Local transforms that give the world matrices of the engine where matrices simply multiply, as in glTF. Bones that take over scale in another way
// (Unreal's, axis by axis; Maya's segment scale compensate) get other local transforms; where the difference is shear, no local transform has it.
import type { BoundTrack } from '../../core/bound.ts';
import type { RigScene } from '../../core/types.ts';
import type { Pose } from '../../rig/pose.ts';
import { compose, product } from '../../rig/world.ts';

/** Rows whose local transforms glTF cannot take as they are, given which bones have a scale other than 1, or one that differs by axis. */
export function correctedRows(
  { nodes, scaleInheritance }: RigScene,
  scaled: ReadonlySet<number>,
  uneven: ReadonlySet<number>,
  split: ReadonlySet<number>,
): Set<number> {
  const rows = new Set<number>();
  if (scaled.size === 0) return rows;
  const isBelowUneven = new Uint8Array(nodes.count);
  for (let row = 1; row < nodes.count; row++) {
    const parent = nodes.parents[row] ?? -1;
    const isUnderBone = parent >= 0 && (nodes.bones[row] ?? -1) >= 0 && (nodes.bones[parent] ?? -1) >= 0;
    if (!isUnderBone) continue;
    isBelowUneven[row] = isBelowUneven[parent] || uneven.has(parent) ? 1 : 0;
    if (scaleInheritance === 'axes' && isBelowUneven[row]) rows.add(row);
    if (nodes.segmentScaleCompensate[row] && scaled.has(parent) && !split.has(row)) rows.add(row);
  }
  return rows;
}

/**
 * Bones that refuse a scale that differs by axis: undoing it takes a node of its own between them and their parent, with the translation and one over the parent's
 * scale (T S⁻¹, then R S). `uneven`: bones that have such a scale at rest or in any motion.
 */
export function splitRows({ nodes }: RigScene, uneven: ReadonlySet<number>): Set<number> {
  const rows = new Set<number>();
  for (let row = 1; row < nodes.count; row++) {
    const parent = nodes.parents[row] ?? -1;
    const isUnderBone = parent >= 0 && (nodes.bones[row] ?? -1) >= 0 && (nodes.bones[parent] ?? -1) >= 0;
    if (isUnderBone && nodes.segmentScaleCompensate[row] && uneven.has(parent)) rows.add(row);
  }
  return rows;
}

/** One over each scale; as in the engine, one of which some axis is zero cannot be undone. */
export function inverseScale([x = 1, y = 1, z = 1]: ArrayLike<number> & Iterable<number>): [number, number, number] {
  return x * y * z === 0 ? [1, 1, 1] : [1 / x, 1 / y, 1 / z];
}

/** Bones whose scale, by columns of three, is not 1, and those whose scale differs by axis. Adds to the sets. */
export function scaledRows(scales: ArrayLike<number>, count: number, scaled: Set<number>, uneven: Set<number>): void {
  for (let row = 0; row < count; row++) {
    const x = scales[3 * row] ?? 1;
    const y = scales[3 * row + 1] ?? 1;
    const z = scales[3 * row + 2] ?? 1;
    if (Math.abs(x - 1) + Math.abs(y - 1) + Math.abs(z - 1) > NEARLY) scaled.add(row);
    if (Math.abs(x - y) + Math.abs(y - z) > NEARLY) uneven.add(row);
  }
}

/** Bones to which curves give a scale other than 1, and one that differs by axis. Adds to the sets. */
export function scaledByTracks(tracks: Iterable<BoundTrack>, scaled: Set<number>, uneven: Set<number>): void {
  for (const { path, node, values, component, mode } of tracks) {
    if (path !== 'scale') continue;
    const isPlain = mode === 'absolute' && component < 0;
    if (!isPlain || values.some(value => Math.abs(value - 1) > 1e-6)) scaled.add(node);
    if (!isPlain || values.some((value, i) => Math.abs(value - (values[i - (i % 3)] ?? value)) > 1e-6)) uneven.add(node);
  }
}

const NEARLY = 1e-6;

/** Translation 3, rotation 4, scale 3. */
export type Local = Float64Array;

/** Local transforms of some nodes for world matrices of the engine, one moment after the other. */
export class PlainLocals {
  /** By place in `rows`, ten numbers each (Local). */
  readonly locals: Float64Array;
  /** World matrices as glTF multiplies them; those of the rows are as near to the engine's as they can be. */
  readonly matrices: Float64Array;
  readonly #parents: Int32Array;
  readonly #places: Int32Array;
  readonly #split: ReadonlySet<number>;
  #world: Float64Array = new Float64Array(0);

  /** Rows of `split` are where the engine has them. */
  constructor({ nodes }: RigScene, rows: ReadonlySet<number>, split: ReadonlySet<number>) {
    this.#split = split;
    this.locals = new Float64Array(10 * rows.size);
    this.matrices = new Float64Array(16 * nodes.count);
    this.#parents = nodes.parents;
    this.#places = new Int32Array(nodes.count).fill(-1);
    for (const [i, row] of [...rows].entries()) this.#places[row] = i;
  }

  /** `world`: the engine's matrices of the pose. */
  update(pose: Pose, world: Float64Array): void {
    this.#world = world;
    this.#place(pose, true);
  }

  /** Makes the matrices again after `locals` have been changed. The pose is the one of the last `update`. */
  place(pose: Pose): void {
    this.#place(pose, false);
  }

  #place({ translations, rotations, scales }: Pose, isNew: boolean): void {
    const world = this.#world;
    for (const [row, parent] of this.#parents.entries()) {
      const place = this.#places[row] ?? -1;
      if (this.#split.has(row)) {
        this.matrices.set(world.subarray(16 * row, 16 * row + 16), 16 * row);
        continue;
      }
      if (place < 0) {
        const [sx = 1, sy = 1, sz = 1] = scales.subarray(3 * row, 3 * row + 3);
        compose(one, translations, 3 * row, rotations, 4 * row, sx, sy, sz);
      } else {
        const local = this.locals.subarray(10 * place, 10 * place + 10);
        if (isNew) {
          divide(world, 16 * row, this.matrices, 16 * parent);
          decompose(relative, local);
        }
        const [, , , , , , , sx = 1, sy = 1, sz = 1] = local;
        compose(one, local, 0, local, 3, sx, sy, sz);
      }
      if (parent < 0) this.matrices.set(one, 16 * row);
      else product(this.matrices, 16 * row, this.matrices, 16 * parent, one);
    }
  }
}

const one = new Float64Array(16);
one[15] = 1;

/** Four columns of three. */
const relative = new Float64Array(12);

/** `relative` = b⁻¹ a; both affine. */
function divide(a: Float64Array, atA: number, b: Float64Array, atB: number): void {
  const e = (i: number): number => b[atB + i] ?? 0;
  const c0 = e(5) * e(10) - e(6) * e(9);
  const c1 = e(6) * e(8) - e(4) * e(10);
  const c2 = e(4) * e(9) - e(5) * e(8);
  const determinant = e(0) * c0 + e(1) * c1 + e(2) * c2;
  const f = determinant === 0 ? 0 : 1 / determinant;
  const inverse = [
    [c0 * f, (e(2) * e(9) - e(1) * e(10)) * f, (e(1) * e(6) - e(2) * e(5)) * f],
    [c1 * f, (e(0) * e(10) - e(2) * e(8)) * f, (e(2) * e(4) - e(0) * e(6)) * f],
    [c2 * f, (e(1) * e(8) - e(0) * e(9)) * f, (e(0) * e(5) - e(1) * e(4)) * f],
  ] as const;
  for (let column = 0; column < 4; column++) {
    const shift = column === 3 ? 1 : 0;
    const x = (a[atA + 4 * column] ?? 0) - shift * e(12);
    const y = (a[atA + 4 * column + 1] ?? 0) - shift * e(13);
    const z = (a[atA + 4 * column + 2] ?? 0) - shift * e(14);
    // rows of the inverse, which is stored by columns
    relative[3 * column] = inverse[0][0] * x + inverse[1][0] * y + inverse[2][0] * z;
    relative[3 * column + 1] = inverse[0][1] * x + inverse[1][1] * y + inverse[2][1] * z;
    relative[3 * column + 2] = inverse[0][2] * x + inverse[1][2] * y + inverse[2][2] * z;
  }
}

/** Of four columns of three: scales are the lengths of the columns, a mirrored one along x; what is left of the columns is straightened by Gram and Schmidt. */
export function decompose(m: ArrayLike<number>, result: Local): void {
  const column = (i: number): [number, number, number] => [m[3 * i] ?? 0, m[3 * i + 1] ?? 0, m[3 * i + 2] ?? 0];
  const [a, b, c] = [column(0), column(1), column(2)];
  const [x, y, z] = [unit(a), unit(b), unit(c)];
  const isMirrored = dot(cross(a, b), c) < 0;
  const first = isMirrored ? times(x, -1) : x;
  const second = unit(minus(y, times(first, dot(first, y))));
  const third = cross(first, second);
  result.set([m[9] ?? 0, m[10] ?? 0, m[11] ?? 0, ...quaternionOf(first, second, third)]);
  result[7] = Math.hypot(...a) * (isMirrored ? -1 : 1);
  result[8] = Math.hypot(...b);
  result[9] = Math.hypot(...c) * (dot(third, z) < 0 ? -1 : 1);
}

type Vector = readonly [number, number, number];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a: Vector, f: number): Vector => [a[0] * f, a[1] * f, a[2] * f];
const unit = (a: Vector): Vector => times(a, 1 / (Math.hypot(...a) || 1));

/** Of three columns at right angles. */
function quaternionOf(x: Vector, y: Vector, z: Vector): [number, number, number, number] {
  const trace = x[0] + y[1] + z[2];
  let q: [number, number, number, number];
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    q = [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4];
  } else if (x[0] > y[1] && x[0] > z[2]) {
    const s = 2 * Math.sqrt(1 + x[0] - y[1] - z[2]);
    q = [s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s];
  } else if (y[1] > z[2]) {
    const s = 2 * Math.sqrt(1 + y[1] - x[0] - z[2]);
    q = [(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s];
  } else {
    const s = 2 * Math.sqrt(1 + z[2] - x[0] - y[1]);
    q = [(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s];
  }
  const length = Math.hypot(...q);
  return length > 0 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : [0, 0, 0, 1];
}
