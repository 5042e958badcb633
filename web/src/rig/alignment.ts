// Compares two skeletons with the same bones: rotation between their axes, ratio of their units,
// difference of their rest poses. No three.js.
import { determinant } from '../core/math/matrix.ts';
import { fromDirections, multiply, rotateVector } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import type { RigScene } from '../core/types.ts';
import { Pose, PoseShape } from './pose.ts';
import { WorldMatrices } from './world.ts';

/** The rest pose of a scene in its own space, by row. */
export interface Rest {
  /** Positions, 3 numbers per row. */
  places: Float64Array;
  /** Rotations without scale, 4 numbers per row. */
  turns: Float64Array;
  /** Uniform scales: the cube root of the change in volume. */
  sizes: Float64Array;
}

export function restOf(scene: RigScene): Rest {
  const { count, parents, rotations } = scene.nodes;
  const shape = new PoseShape(scene);
  const world = new WorldMatrices(shape);
  world.update(new Pose(shape));
  const rest: Rest = { places: new Float64Array(3 * count), turns: new Float64Array(4 * count), sizes: new Float64Array(count) };
  for (let row = 0; row < count; row++) {
    const m = world.matrices.subarray(16 * row, 16 * row + 16);
    for (let c = 0; c < 3; c++) rest.places[3 * row + c] = m[12 + c] ?? 0;
    rest.sizes[row] = Math.cbrt(Math.abs(determinant(m))) || 1;
    const parent = parents[row] ?? -1;
    if (parent < 0) rest.turns.set(rotations.subarray(0, 4));
    else multiply(rest.turns, 4 * row, rest.turns, 4 * parent, rotations, 4 * row);
  }
  return rest;
}

/** Rows of the same bone in two scenes. */
export interface BonePair {
  from: number;
  to: number;
}

export interface Alignment {
  /**
   * Quaternion that rotates directions of the first space into the second; one of the 24 that map
   * axes to axes.
   */
  turn: readonly number[];
  /** Length in the second space of one unit in the first. */
  scale: number;
  /**
   * Rest rotations of the second scene, 4 numbers per row, with its limbs bent to the directions of
   * the first.
   */
  reference: Float64Array;
  /** Rows that were bent, and the largest angle in radians. */
  bent: readonly number[];
  widest: number;
}

/** Smaller angles between limbs, radians, are differences of proportion, not of the rest pose. */
const SAME_POSE = Math.PI / 18;

export function align(from: Rest, to: Rest, parents: Int32Array, pairs: readonly BonePair[]): Alignment {
  const partners = new Map(pairs.map(pair => [pair.to, pair.from]));
  const holders = holdersOf(parents, partners);
  const turn = turnOf(from, to, pairs);
  return { turn, scale: scaleOf(from, to, partners, holders), ...bend(from, to, parents, partners, holders, turn) };
}

// ---------------------------------------------------------------- axes and unit

const H = Math.SQRT1_2;
const signs = [1, -1];

/** All rotations that map axes to axes, smallest first. */
const TURNS: readonly (readonly number[])[] = [
  [0, 0, 0, 1],
  ...[0, 1, 2].flatMap(axis => signs.map(sign => [0, 1, 2].map(c => (c === axis ? sign * H : 0)).concat(H))),
  ...signs.flatMap(x => signs.flatMap(y => signs.map(z => [x / 2, y / 2, z / 2, 0.5]))),
  ...[0, 1, 2].map(axis => [0, 1, 2].map(c => (c === axis ? 1 : 0)).concat(0)),
  ...[0, 1, 2].flatMap(axis => signs.map(sign => [0, 1, 2].map(c => (c === axis ? 0 : c === (axis + 1) % 3 ? H : sign * H)).concat(0))),
];

/** Ratios of common units to the metre, and their inverses. */
const UNITS = [1, 100, 1000, 10, 1 / 0.0254, 1 / 0.3048].flatMap(unit => [unit, 1 / unit]);

/** Returns the common ratio that `scale` is close to, or `scale` if there is none. */
export function nearestUnit(scale: number, most = 2e-3): number {
  return UNITS.find(unit => Math.abs(Math.log(scale / unit)) < most) ?? scale;
}

/**
 * Returns the rotation under which the bone positions correlate most. Among equally good rotations
 * it is the smallest.
 */
function turnOf({ places: a }: Rest, { places: b }: Rest, pairs: readonly BonePair[]): readonly number[] {
  const centre = (places: Float64Array, side: 'from' | 'to'): number[] =>
    [0, 1, 2].map(c => pairs.reduce((sum, pair) => sum + (places[3 * pair[side] + c] ?? 0), 0) / Math.max(pairs.length, 1));
  const [ca, cb] = [centre(a, 'from'), centre(b, 'to')];
  // moments[3 i + j]: covariance of coordinate i in the first scene and coordinate j in the second
  const moments = new Float64Array(9);
  for (const { from, to } of pairs)
    for (let i = 0; i < 3; i++) {
      const x = (a[3 * from + i] ?? 0) - (ca[i] ?? 0);
      for (let j = 0; j < 3; j++) moments[3 * i + j]! += x * ((b[3 * to + j] ?? 0) - (cb[j] ?? 0));
    }
  let best = { turn: TURNS[0]!, score: -Infinity };
  const total = Math.hypot(...moments);
  for (const turn of TURNS) {
    let score = 0;
    for (let i = 0; i < 3; i++) {
      const axis = [0, 0, 0];
      axis[i] = 1;
      rotateVector(axis, 0, turn);
      for (let j = 0; j < 3; j++) score += (axis[j] ?? 0) * (moments[3 * i + j] ?? 0);
    }
    if (score > best.score + 1e-6 * total) best = { turn, score };
  }
  return best.turn;
}

/** Returns the ratio of all bone lengths, which don't depend on the pose. */
function scaleOf(
  { places: a }: Rest,
  { places: b }: Rest,
  partners: ReadonlyMap<number, number>,
  holders: ReadonlyMap<number, number>,
): number {
  let [mine, theirs] = [0, 0];
  for (const [row, holder] of holders) {
    theirs += length(between(a, partners.get(holder) ?? 0, partners.get(row) ?? 0));
    mine += length(between(b, holder, row));
  }
  return mine > 0 && theirs > 0 ? nearestUnit(mine / theirs) : 1;
}

/** Returns for each bone of the model with a partner its nearest ancestor with one, by row. */
function holdersOf(parents: Int32Array, partners: ReadonlyMap<number, number>): Map<number, number> {
  const holders = new Map<number, number>();
  for (const row of partners.keys()) {
    let above = parents[row] ?? -1;
    while (above >= 0 && !partners.has(above)) above = parents[above] ?? -1;
    if (above >= 0) holders.set(row, above);
  }
  return holders;
}

// ---------------------------------------------------------------- rest pose

/**
 * Rotates limbs of the second scene whose rest direction differs (T-pose, A-pose) to that of the
 * first, together with their descendants.
 */
function bend(
  from: Rest,
  to: Rest,
  parents: Int32Array,
  partners: ReadonlyMap<number, number>,
  holders: ReadonlyMap<number, number>,
  turn: readonly number[],
): Pick<Alignment, 'reference' | 'bent' | 'widest'> {
  const next = new Map<number, number>(); // -1 for a bone with several children, such as the hips, because it has no single direction
  for (const [row, holder] of holders) next.set(holder, next.has(holder) ? -1 : row);
  const reference = new Float64Array(to.turns.length);
  const turned = new Float64Array(to.turns.length);
  const bent: number[] = [];
  let widest = 0;
  const own = [0, 0, 0, 1];
  for (let row = 0; row < parents.length; row++) {
    const parent = parents[row] ?? -1;
    turned.set(parent < 0 ? [0, 0, 0, 1] : turned.subarray(4 * parent, 4 * parent + 4), 4 * row);
    const child = next.get(row) ?? -1;
    if (child >= 0) {
      const mine = between(to.places, row, child);
      rotateVector(mine, 0, turned.subarray(4 * row, 4 * row + 4));
      const theirs = between(from.places, partners.get(row) ?? 0, partners.get(child) ?? 0);
      rotateVector(theirs, 0, turn);
      fromDirections(own, mine, theirs);
      const angle = 2 * Math.acos(Math.min(Math.abs(own[3] ?? 1), 1));
      if (angle > SAME_POSE && length(mine) > 0 && length(theirs) > 0) {
        multiply(turned, 4 * row, own, 0, turned, 4 * row);
        bent.push(row);
        widest = Math.max(widest, angle);
      }
    }
    multiply(reference, 4 * row, turned, 4 * row, to.turns, 4 * row);
  }
  return { reference, bent, widest };
}

const between = (places: Float64Array, a: number, b: number): number[] =>
  [0, 1, 2].map(c => (places[3 * b + c] ?? 0) - (places[3 * a + c] ?? 0));

const length = (v: Numbers): number => Math.hypot(v[0] ?? 0, v[1] ?? 0, v[2] ?? 0);
