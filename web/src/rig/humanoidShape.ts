// Infers the humanoid bones of a skeleton from bone positions if its names are unknown. Two
// mirrored limbs that reach the ground are legs, and two mirrored limbs above them are arms. The
// bones between legs and arms are the spine; the chain above the arms ends in the head.
import { numberAt } from '../core/math/column.ts';
import { add, cross, length, type Vector } from '../core/math/vector.ts';
import { type RestPose, restPoseOf } from '../core/restPose.ts';
import { isBone, parentOf } from '../core/tree.ts';
import type { NodeTable, RigScene } from '../core/types.ts';
import type { HumanBone } from './humanBones.ts';

/** Tolerance for mirrored limbs as a fraction of the body height. */
const MIRRORED = 0.03;
/** Maximum height of a foot above the ground as a fraction of the body height. */
const GROUND = 0.1;
/** Minimum height of a leg as a fraction of the body height. */
const LEG = 0.25;
/** Minimum length of an arm as a fraction of the body height. */
const ARM = 0.15;
/** Maximum number of children of a bone that is searched for pairs of limbs. */
const MAX_CHILDREN = 64;

type Pair = [left: number, right: number];

/** Returns the humanoid bones of an upright body whose up axis is +Y, or null if none are found. */
export function inferHumanoid({ nodes }: RigScene): Map<HumanBone, number> | null {
  const body = new Topology(nodes);
  return body.height > 0 ? body.find() : null;
}

class Topology {
  readonly height: number;
  readonly #ground: number;
  readonly #nodes: NodeTable;
  readonly #rest: RestPose;
  readonly #children: number[][];
  readonly #ends: number[];
  readonly #lowest: number[];

  constructor(nodes: NodeTable) {
    this.#nodes = nodes;
    this.#rest = restPoseOf(nodes);
    this.#children = Array.from({ length: nodes.length }, () => []);
    for (let row = 1; row < nodes.length; row++) if (isBone(nodes, row)) this.#childrenOf(parentOf(nodes, row)).push(row);
    const heights = this.#rest.positions.filter((_, row) => isBone(nodes, row)).map(place => place[1]);
    this.#ground = heights.reduce((low, height) => Math.min(low, height), Infinity);
    this.height = heights.length > 0 ? heights.reduce((high, height) => Math.max(high, height), -Infinity) - this.#ground : 0;
    this.#ends = this.#rest.positions.map((_, row) => row);
    this.#lowest = this.#rest.positions.map(place => place[1]);
    // Iterates backwards, because children follow their parents in the list and the ends of
    // children must be known first.
    for (let row = nodes.length - 1; row > 0; row--) {
      const farthest = this.#childrenOf(row)
        .map(child => this.#endOf(child))
        .sort((a, b) => this.#distance(b, row) - this.#distance(a, row))[0];
      if (farthest !== undefined) this.#ends[row] = farthest;
      this.#lowest[row] = this.#childrenOf(row).reduce((low, child) => Math.min(low, this.#lowestOf(child)), this.#lowestOf(row));
    }
  }

  find(): Map<HumanBone, number> | null {
    const legs = this.#legs();
    if (!legs) return null;
    const { hips, pair } = legs;
    const across = this.#rest.offset(pair[1], pair[0]);
    const arms = this.#arms(hips, pair, across);
    if (!arms) return null;
    const found = new Map<HumanBone, number>([['hips', hips]]);
    for (const [k, side] of [
      [0, 'left'],
      [1, 'right'],
    ] as const) {
      const leg = this.#joints(pair[k], 4);
      for (const [i, part] of (['UpperLeg', 'LowerLeg', 'Foot', 'Toes'] as const).entries())
        if (leg[i] !== undefined) found.set(`${side}${part}`, leg[i]);
      const arm = this.#joints(arms.pair[k], 5);
      // A collar bone is much shorter than the bone after it.
      const [first = -1, second = -1, third = -1] = arm;
      const hasCollar = arm.length > 3 && this.#distance(first, second) < 0.7 * this.#distance(second, third);
      const names = hasCollar ? (['Shoulder', 'UpperArm', 'LowerArm', 'Hand'] as const) : (['UpperArm', 'LowerArm', 'Hand'] as const);
      for (const [i, part] of names.entries()) if (arm[i] !== undefined) found.set(`${side}${part}`, arm[i]);
    }
    const head = this.#head(arms.chest, new Set(arms.pair));
    if (head < 0) return null;
    return found.set('head', head);
  }

  /** Returns the rows of a node's child bones. */
  #childrenOf(row: number): number[] {
    return this.#children[row] ?? [];
  }

  /** Returns the farthest descendant of a bone; the bone itself if it has no child bones. */
  #endOf(row: number): number {
    return numberAt(this.#ends, row);
  }

  /** Returns the y coordinate of the lowest bone among a bone and its descendants. */
  #lowestOf(row: number): number {
    return numberAt(this.#lowest, row);
  }

  #distance(a: number, b: number): number {
    return length(this.#rest.offset(b, a));
  }

  /**
   * Yields mirrored pairs of children: they start at the same height, end at the same height and
   * have the same length.
   */
  *#mirrored(row: number): Generator<Pair> {
    const children = this.#childrenOf(row);
    const near = MIRRORED * this.height;
    if (children.length > MAX_CHILDREN) return;
    for (const [i, a] of children.entries()) {
      for (const b of children.slice(i + 1)) {
        const begin = this.#rest.offset(b, a);
        const end = this.#rest.offset(this.#endOf(b), this.#endOf(a));
        const isLevel = Math.abs(begin[1]) < near && Math.abs(end[1]) < near;
        const isWide = length(end) > near && Math.abs(this.#limbLength(a) - this.#limbLength(b)) < near;
        if (isLevel && isWide) yield [a, b];
      }
    }
  }

  #limbLength(row: number): number {
    return this.#distance(row, this.#endOf(row));
  }

  /**
   * Orders a pair of legs so that the left one comes first. The toes tell which direction is
   * forward; a body without toes is assumed to face +Z.
   */
  #leftFirst([a, b]: Pair): Pair {
    const toe = (leg: number): Vector => this.#rest.offset(parentOf(this.#nodes, this.#endOf(leg)), this.#endOf(leg));
    const [x, , z] = add(toe(a), toe(b));
    const forward: Vector = Math.hypot(x, z) > MIRRORED * this.height ? [x, 0, z] : [0, 0, 1];
    const left = cross([0, 1, 0], forward);
    const across = this.#rest.offset(b, a);
    return left[0] * across[0] + left[2] * across[2] > 0 ? [a, b] : [b, a];
  }

  #legs(): { hips: number; pair: Pair } | null {
    for (let row = 1; row < this.#nodes.length; row++)
      for (const pair of this.#mirrored(row)) if (pair.every(leg => this.#isLeg(leg))) return { hips: row, pair: this.#leftFirst(pair) };
    return null;
  }

  /** Returns true if the limb that starts at this bone is long and ends near the ground. */
  #isLeg(row: number): boolean {
    const end = this.#lowestOf(row);
    return this.#rest.position(row)[1] - end > LEG * this.height && end - this.#ground < GROUND * this.height;
  }

  #arms(hips: number, legs: Pair, across: Vector): { chest: number; pair: Pair } | null {
    const pending = this.#childrenOf(hips).filter(row => !legs.includes(row));
    for (let row = pending.shift(); row !== undefined; row = pending.shift()) {
      for (const [left, right] of this.#mirrored(row)) {
        if (this.#limbLength(left) < ARM * this.height) continue;
        const direction = this.#rest.offset(this.#endOf(right), this.#endOf(left));
        const isSame = direction[0] * across[0] + direction[1] * across[1] + direction[2] * across[2] > 0;
        return { chest: row, pair: isSame ? [left, right] : [right, left] };
      }
      pending.push(...this.#childrenOf(row));
    }
    return null;
  }

  /**
   * Returns the bones on the longest path down a limb, skipping bones that coincide with the
   * previous one. `most`: maximum number of bones.
   */
  #joints(first: number, most: number): number[] {
    const joints = [first];
    let last = first;
    for (let row = first; joints.length < most;) {
      const next = [...this.#childrenOf(row)].sort(
        (a, b) => this.#limbLength(b) + this.#distance(b, row) - this.#limbLength(a) - this.#distance(a, row),
      )[0];
      if (next === undefined) break;
      if (this.#distance(next, last) > 0.01 * this.height) joints.push((last = next));
      row = next;
    }
    return joints;
  }

  /**
   * Returns the row of the head: the bone at which the highest chain above the chest branches or
   * ends. Returns -1 if there is no such chain.
   */
  #head(chest: number, arms: ReadonlySet<number>): number {
    const up = this.#childrenOf(chest).filter(
      row => !arms.has(row) && this.#rest.position(this.#endOf(row))[1] > this.#rest.position(chest)[1],
    );
    let row = up.sort((a, b) => this.#rest.position(this.#endOf(b))[1] - this.#rest.position(this.#endOf(a))[1])[0] ?? -1;
    for (;;) {
      const [only, other] = row < 0 ? [] : this.#childrenOf(row);
      if (only === undefined || other !== undefined) return row;
      row = only;
    }
  }
}
