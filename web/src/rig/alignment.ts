// Compares two skeletons with the same bones: the rotation between their world axes, the ratio of
// their units, and the difference of their rest poses.
import { numberAt } from '../core/math/column.ts';
import { determinant } from '../core/math/matrix.ts';
import { fromDirections, multiply, rotateVector } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import type { RigScene } from '../core/types.ts';
import { Pose, PoseShape } from './pose.ts';
import { WorldMatrices } from './world.ts';

/** World transforms of all nodes in the rest pose. */
export interface Rest {
  /** Positions, 3 numbers per node. */
  positions: Float64Array;
  /** Rotations as quaternions, 4 numbers per node. */
  rotations: Float64Array;
  /** Uniform scales, one per node: the cube root of the matrix's determinant. */
  scales: Float64Array;
}

/** Computes the world transforms of all nodes in the rest pose. */
export function restOf(scene: RigScene): Rest {
  const { length: count, parents, rotations } = scene.nodes;
  const shape = new PoseShape(scene);
  const world = new WorldMatrices(shape);
  world.update(new Pose(shape));
  const rest: Rest = { positions: new Float64Array(3 * count), rotations: new Float64Array(4 * count), scales: new Float64Array(count) };
  for (let row = 0; row < count; row++) {
    const m = world.matrices.subarray(16 * row, 16 * row + 16);
    for (let c = 0; c < 3; c++) rest.positions[3 * row + c] = m[12 + c] ?? 0;
    rest.scales[row] = Math.cbrt(Math.abs(determinant(m))) || 1;
    const parent = parents[row] ?? -1;
    if (parent < 0) rest.rotations.set(rotations.subarray(0, 4));
    else multiply(rest.rotations, 4 * row, rest.rotations, 4 * parent, rotations, 4 * row);
  }
  return rest;
}

/** Rows of a bone in the first scene (`from`) and in the second (`to`). */
export interface BonePair {
  from: number;
  to: number;
}

export interface Alignment {
  /**
   * Quaternion that converts directions of the first scene to directions of the second. It is one
   * of the 24 rotations that map axes to axes.
   */
  rotation: readonly number[];
  /** Factor that converts lengths in the first scene to lengths in the second. */
  scale: number;
  /**
   * Rest rotations of the second scene after its limbs were aligned with those of the first, as
   * quaternions, 4 numbers per node.
   */
  reference: Float64Array;
  /**
   * Rows of the bones in the second scene that were rotated to align them, and the largest of these
   * rotations in radians.
   */
  bent: readonly number[];
  largestAngle: number;
}

/**
 * Minimum angle in radians between a limb in two skeletons that indicates different rest poses.
 * Smaller angles are explained by different proportions.
 */
const SAME_POSE = Math.PI / 18;

/** Compares the rest poses of two scenes. `parents`: parent rows of the nodes in the scene `to`. */
export function align(from: Rest, to: Rest, parents: Int32Array, pairs: readonly BonePair[]): Alignment {
  const partners = new Map(pairs.map(pair => [pair.to, pair.from]));
  const ancestors = pairedAncestorsOf(parents, partners);
  const rotation = findRotation(from, to, pairs);
  return { rotation, scale: findScale(from, to, partners, ancestors), ...alignLimbs(from, to, parents, partners, ancestors, rotation) };
}

// ---------------------------------------------------------------- axes and unit

const H = Math.SQRT1_2;
const signs = [1, -1];

/** The 24 rotations that map axes to axes, as quaternions, smallest angle first. */
const AXIS_ROTATIONS: readonly (readonly number[])[] = [
  [0, 0, 0, 1],
  ...[0, 1, 2].flatMap(axis => signs.map(sign => [0, 1, 2].map(c => (c === axis ? sign * H : 0)).concat(H))),
  ...signs.flatMap(x => signs.flatMap(y => signs.map(z => [x / 2, y / 2, z / 2, 0.5]))),
  ...[0, 1, 2].map(axis => [0, 1, 2].map(c => (c === axis ? 1 : 0)).concat(0)),
  ...[0, 1, 2].flatMap(axis => signs.map(sign => [0, 1, 2].map(c => (c === axis ? 0 : c === (axis + 1) % 3 ? H : sign * H)).concat(0))),
];

/** Ratios between the metre and other common units, and their inverses. */
const UNITS = [1, 100, 1000, 10, 1 / 0.0254, 1 / 0.3048].flatMap(unit => [unit, 1 / unit]);

/**
 * Rounds a scale to the nearest ratio of common units. `most`: maximum difference of their
 * logarithms; beyond it, the scale is returned unchanged.
 */
export function nearestUnit(scale: number, most = 2e-3): number {
  return UNITS.find(unit => Math.abs(Math.log(scale / unit)) < most) ?? scale;
}

/**
 * Returns the axis rotation for which the bone positions of both scenes correlate best. If several
 * correlate equally, returns the smallest rotation.
 */
function findRotation({ positions: a }: Rest, { positions: b }: Rest, pairs: readonly BonePair[]): readonly number[] {
  const centre = (positions: Float64Array, side: 'from' | 'to'): number[] =>
    [0, 1, 2].map(c => pairs.reduce((sum, pair) => sum + (positions[3 * pair[side] + c] ?? 0), 0) / Math.max(pairs.length, 1));
  const [ca, cb] = [centre(a, 'from'), centre(b, 'to')];
  // covariance[3 i + j] is the covariance of coordinate i in the first scene and coordinate j in
  // the second
  const covariance = new Float64Array(9);
  for (const { from, to } of pairs)
    for (let i = 0; i < 3; i++) {
      const x = (a[3 * from + i] ?? 0) - (ca[i] ?? 0);
      for (let j = 0; j < 3; j++) covariance[3 * i + j] = numberAt(covariance, 3 * i + j) + x * ((b[3 * to + j] ?? 0) - (cb[j] ?? 0));
    }
  let best: { rotation: readonly number[]; score: number } = { rotation: [0, 0, 0, 1], score: -Infinity };
  const total = Math.hypot(...covariance);
  for (const rotation of AXIS_ROTATIONS) {
    let score = 0;
    for (let i = 0; i < 3; i++) {
      const axis = [0, 0, 0];
      axis[i] = 1;
      rotateVector(axis, 0, rotation);
      for (let j = 0; j < 3; j++) score += (axis[j] ?? 0) * (covariance[3 * i + j] ?? 0);
    }
    if (score > best.score + 1e-6 * total) best = { rotation, score };
  }
  return best.rotation;
}

/**
 * Returns the total length of all bones in the second scene divided by that in the first scene.
 * Bone lengths are independent of the pose.
 */
function findScale(
  { positions: a }: Rest,
  { positions: b }: Rest,
  partners: ReadonlyMap<number, number>,
  ancestors: ReadonlyMap<number, number>,
): number {
  let [target, source] = [0, 0];
  for (const [row, ancestor] of ancestors) {
    source += length(between(a, partners.get(ancestor) ?? 0, partners.get(row) ?? 0));
    target += length(between(b, ancestor, row));
  }
  return target > 0 && source > 0 ? nearestUnit(target / source) : 1;
}

/**
 * Maps the row of each paired bone in the second scene to the row of its nearest paired ancestor.
 */
function pairedAncestorsOf(parents: Int32Array, partners: ReadonlyMap<number, number>): Map<number, number> {
  const ancestors = new Map<number, number>();
  for (const row of partners.keys()) {
    let above = parents[row] ?? -1;
    while (above >= 0 && !partners.has(above)) above = parents[above] ?? -1;
    if (above >= 0) ancestors.set(row, above);
  }
  return ancestors;
}

// ---------------------------------------------------------------- rest pose

/**
 * Rotates the limbs of the second scene, together with their descendants, to their rest directions
 * in the first scene, for example from A-pose to T-pose.
 */
function alignLimbs(
  from: Rest,
  to: Rest,
  parents: Int32Array,
  partners: ReadonlyMap<number, number>,
  ancestors: ReadonlyMap<number, number>,
  rotation: readonly number[],
): Pick<Alignment, 'reference' | 'bent' | 'largestAngle'> {
  const next = new Map<number, number>(); // -1 for a bone with several children, such as the hips, because it has no single direction
  for (const [row, ancestor] of ancestors) next.set(ancestor, next.has(ancestor) ? -1 : row);
  const reference = new Float64Array(to.rotations.length);
  const accumulated = new Float64Array(to.rotations.length);
  const bent: number[] = [];
  let largestAngle = 0;
  const own = [0, 0, 0, 1];
  for (let row = 0; row < parents.length; row++) {
    const parent = parents[row] ?? -1;
    accumulated.set(parent < 0 ? [0, 0, 0, 1] : accumulated.subarray(4 * parent, 4 * parent + 4), 4 * row);
    const child = next.get(row) ?? -1;
    if (child >= 0) {
      const target = between(to.positions, row, child);
      rotateVector(target, 0, accumulated.subarray(4 * row, 4 * row + 4));
      const source = between(from.positions, partners.get(row) ?? 0, partners.get(child) ?? 0);
      rotateVector(source, 0, rotation);
      fromDirections(own, target, source);
      const angle = 2 * Math.acos(Math.min(Math.abs(own[3] ?? 1), 1));
      if (angle > SAME_POSE && length(target) > 0 && length(source) > 0) {
        multiply(accumulated, 4 * row, own, 0, accumulated, 4 * row);
        bent.push(row);
        largestAngle = Math.max(largestAngle, angle);
      }
    }
    multiply(reference, 4 * row, accumulated, 4 * row, to.rotations, 4 * row);
  }
  return { reference, bent, largestAngle };
}

const between = (positions: Float64Array, a: number, b: number): number[] =>
  [0, 1, 2].map(c => (positions[3 * b + c] ?? 0) - (positions[3 * a + c] ?? 0));

const length = (v: Numbers): number => Math.hypot(v[0] ?? 0, v[1] ?? 0, v[2] ?? 0);
