// Infers a humanoid from the positions of its bones if names don't help: two mirrored limbs that
// reach the ground are legs, two mirrored limbs above them are arms, and the bones between and
// above them are spine and head.
import { numberAt } from '../core/math/column.ts';
import { add, cross, length, type Vector } from '../core/math/vector.ts';
import { type RestPose, restPoseOf } from '../core/restPose.ts';
import { isBone, parentOf } from '../core/tree.ts';
import type { NodeTable, RigScene } from '../core/types.ts';
import type { HumanBone } from './humanBones.ts';

/**
 * Shares of the body's height: tolerance for mirrored limbs, least drop of a leg, greatest height
 * of its end above the ground, least length of an arm.
 */
const MIRRORED = 0.03;
const GROUND = 0.1;
const LEG = 0.25;
const ARM = 0.15;
/** Bones with more children are not searched for pairs. */
const MOST_CHILDREN = 64;

type Pair = [left: number, right: number];

/** Returns the recognized bones, or null. Requires a body that is upright along +Y. */
export function humanByShape({ nodes }: RigScene): Map<HumanBone, number> | null {
  const body = new Shape(nodes);
  return body.height > 0 ? body.find() : null;
}

class Shape {
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
    this.#children = Array.from({ length: nodes.count }, () => []);
    for (let row = 1; row < nodes.count; row++) if (isBone(nodes, row)) this.#below(parentOf(nodes, row)).push(row);
    const heights = this.#rest.positions.filter((_, row) => isBone(nodes, row)).map(place => place[1]);
    this.#ground = heights.reduce((low, height) => Math.min(low, height), Infinity);
    this.height = heights.length > 0 ? heights.reduce((high, height) => Math.max(high, height), -Infinity) - this.#ground : 0;
    this.#ends = this.#rest.positions.map((_, row) => row);
    this.#lowest = this.#rest.positions.map(place => place[1]);
    // Children follow their parents, so a loop from the end finds the farthest descendant of each
    // row before its parent needs it.
    for (let row = nodes.count - 1; row > 0; row--) {
      const farthest = this.#below(row)
        .map(child => this.#end(child))
        .sort((a, b) => this.#apart(b, row) - this.#apart(a, row))[0];
      if (farthest !== undefined) this.#ends[row] = farthest;
      this.#lowest[row] = this.#below(row).reduce((low, child) => Math.min(low, this.#low(child)), this.#low(row));
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
      const hasCollar = arm.length > 3 && this.#apart(first, second) < 0.7 * this.#apart(second, third);
      const names = hasCollar ? (['Shoulder', 'UpperArm', 'LowerArm', 'Hand'] as const) : (['UpperArm', 'LowerArm', 'Hand'] as const);
      for (const [i, part] of names.entries()) if (arm[i] !== undefined) found.set(`${side}${part}`, arm[i]);
    }
    const head = this.#head(arms.chest, new Set(arms.pair));
    if (head < 0) return null;
    return found.set('head', head);
  }

  /** Returns the child bones of a node. */
  #below(row: number): number[] {
    return this.#children[row] ?? [];
  }

  /** Returns the farthest descendant of a bone, or the bone itself. */
  #end(row: number): number {
    return numberAt(this.#ends, row);
  }

  /** Returns the height of the lowest descendant of a bone. */
  #low(row: number): number {
    return numberAt(this.#lowest, row);
  }

  #apart(a: number, b: number): number {
    return length(this.#rest.offset(b, a));
  }

  /** Yields pairs of children that begin and end at the same height and have the same length. */
  *#mirrored(row: number): Generator<Pair> {
    const children = this.#below(row);
    const near = MIRRORED * this.height;
    if (children.length > MOST_CHILDREN) return;
    for (const [i, a] of children.entries()) {
      for (const b of children.slice(i + 1)) {
        const begin = this.#rest.offset(b, a);
        const end = this.#rest.offset(this.#end(b), this.#end(a));
        const isLevel = Math.abs(begin[1]) < near && Math.abs(end[1]) < near;
        const isWide = length(end) > near && Math.abs(this.#reach(a) - this.#reach(b)) < near;
        if (isLevel && isWide) yield [a, b];
      }
    }
  }

  #reach(row: number): number {
    return this.#apart(row, this.#end(row));
  }

  /** Orders a pair, left first. Toes point forward; without toes the body is taken to face +Z. */
  #leftFirst([a, b]: Pair): Pair {
    const toe = (leg: number): Vector => this.#rest.offset(parentOf(this.#nodes, this.#end(leg)), this.#end(leg));
    const [x, , z] = add(toe(a), toe(b));
    const forward: Vector = Math.hypot(x, z) > MIRRORED * this.height ? [x, 0, z] : [0, 0, 1];
    const left = cross([0, 1, 0], forward);
    const across = this.#rest.offset(b, a);
    return left[0] * across[0] + left[2] * across[2] > 0 ? [a, b] : [b, a];
  }

  #legs(): { hips: number; pair: Pair } | null {
    for (let row = 1; row < this.#nodes.count; row++)
      for (const pair of this.#mirrored(row)) if (pair.every(leg => this.#isLeg(leg))) return { hips: row, pair: this.#leftFirst(pair) };
    return null;
  }

  /** Returns true if the limb is long and ends near the ground. */
  #isLeg(row: number): boolean {
    const end = this.#low(row);
    return this.#rest.position(row)[1] - end > LEG * this.height && end - this.#ground < GROUND * this.height;
  }

  #arms(hips: number, legs: Pair, across: Vector): { chest: number; pair: Pair } | null {
    const pending = this.#below(hips).filter(row => !legs.includes(row));
    for (let row = pending.shift(); row !== undefined; row = pending.shift()) {
      for (const [left, right] of this.#mirrored(row)) {
        if (this.#reach(left) < ARM * this.height) continue;
        const way = this.#rest.offset(this.#end(right), this.#end(left));
        const isSame = way[0] * across[0] + way[1] * across[1] + way[2] * across[2] > 0;
        return { chest: row, pair: isSame ? [left, right] : [right, left] };
      }
      pending.push(...this.#below(row));
    }
    return null;
  }

  /**
   * Returns the bones on the longest path down a limb, without bones at the position of their
   * predecessor.
   */
  #joints(first: number, most: number): number[] {
    const joints = [first];
    let last = first;
    for (let row = first; joints.length < most;) {
      const next = [...this.#below(row)].sort((a, b) => this.#reach(b) + this.#apart(b, row) - this.#reach(a) - this.#apart(a, row))[0];
      if (next === undefined) break;
      if (this.#apart(next, last) > 0.01 * this.height) joints.push((last = next));
      row = next;
    }
    return joints;
  }

  /** Returns the head: the highest bone near the middle on the path up from the chest. */
  #head(chest: number, arms: ReadonlySet<number>): number {
    const up = this.#below(chest).filter(row => !arms.has(row) && this.#rest.position(this.#end(row))[1] > this.#rest.position(chest)[1]);
    let row = up.sort((a, b) => this.#rest.position(this.#end(b))[1] - this.#rest.position(this.#end(a))[1])[0] ?? -1;
    for (;;) {
      const [only, other] = row < 0 ? [] : this.#below(row);
      if (only === undefined || other !== undefined) return row;
      row = only;
    }
  }
}
