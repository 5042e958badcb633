// Finds humanoid bones by name and hierarchy.
//
// Names differ by tool (thigh_l, "Bip01 L Thigh", j_hip_le, mixamorig:LeftUpLeg, lThighBend,
// DEF-thigh.L) and are ambiguous: "shoulder" can be the collar bone or the upper arm, "leg" the
// thigh or the shin, "foot" the ankle or the toes. The names of the other bones of the limb resolve
// the ambiguity.
import { numberAt } from '../core/math/column.ts';
import { sideOfHand } from '../core/hands.ts';
import { type Side, SIDES, wordsOf } from '../core/nameWords.ts';
import { isBone, nameOf, parentOf } from '../core/tree.ts';
import type { NodeTable, RigScene } from '../core/types.ts';
import { type Part, readName, SINGLE_TOE, type Word } from './boneNames.ts';
import { fingersOf, type HandFingers, type NumberedFingers } from './fingers.ts';
import { commonOf, isBelow } from './hierarchy.ts';
import type { HumanBone } from './humanBones.ts';

/** Minimum number of fingers by which a hand without a side in its names is detected. */
const MIN_FINGERS = 4;

export class NamedBody {
  readonly #nodes: NodeTable;
  readonly #words: Word[] = [];
  readonly #found = new Map<HumanBone, number>();
  readonly #numbered: { inferred: number[]; unknown: number[] } = { inferred: [], unknown: [] };

  constructor(nodes: NodeTable) {
    this.#nodes = nodes;
    const hasBones = nodes.bones.some(bone => bone >= 0);
    const depths = new Int32Array(nodes.length);
    for (let row = 1; row < nodes.length; row++) {
      const depth = numberAt(depths, parentOf(nodes, row)) + 1;
      depths[row] = depth;
      if (hasBones && !isBone(nodes, row)) continue;
      const word = readName(nameOf(nodes, row), row, depth);
      if (word) this.#words.push(word);
    }
    this.#words.sort((a, b) => a.rest.length - b.rest.length || a.depth - b.depth || a.row - b.row);
  }

  /** Finger bones of the hands found so far whose names are only numbers. */
  get numberedFingers(): NumberedFingers {
    return this.#numbered;
  }

  find(): Map<HumanBone, number> {
    for (const side of ['left', 'right'] as const) {
      this.#leg(side);
      this.#arm(side);
    }
    this.#centre();
    return this.#found;
  }

  /** Returns the bones of hands without a body. `asset`: names the file, which may state the side. */
  hands(asset: RigScene['asset']): Map<HumanBone, number> {
    for (const side of SIDES) {
      const hands = this.#topmost([...this.#rowsOf('hand', side), ...this.#rowsOf('wrist', side)]);
      const found = hands.map(row => ({ row, fingers: this.#fingersBelow(row, side) }));
      const hand = found.find(({ fingers }) => fingers.bones.size > 0);
      this.#set(`${side}Hand`, hand?.row);
      const fingers = (hand ?? found[0])?.fingers;
      if (fingers) this.#setFingers(side, fingers);
    }
    for (const hand of this.#topmost([...this.#rowsOf('hand', null), ...this.#rowsOf('wrist', null)])) this.#handWithoutSide(hand, asset);
    return this.#found;
  }

  /** Adds a hand whose bones have names without a side, such as those of WebXR. */
  #handWithoutSide(hand: number, asset: RigScene['asset']): void {
    const nodes = this.#nodes;
    const isOwn = (row: number): boolean => isBelow(nodes, row, hand) || parentOf(nodes, row) === parentOf(nodes, hand);
    const words = this.#words.filter(({ part, side, row }) => part === 'finger' && side === null && isOwn(row));
    const fingers = fingersOf(hand, words, nodes);
    const side = fingers.bones.size >= MIN_FINGERS ? sideOfHand(hand, fingers.bones, nodes, asset.name) : null;
    if (!side || this.#found.has(`${side}Hand`)) return;
    this.#set(`${side}Hand`, hand);
    this.#setFingers(side, fingers);
  }

  /**
   * Returns the rows of the bones whose names match a body part and a side, fewest remaining
   * letters first (see `Word.rest`). `below`: bone whose descendants are searched (default: all
   * bones).
   */
  #rowsOf(part: Part, side: Side | null, below?: number): number[] {
    return this.#words
      .filter(word => word.part === part && word.side === side && (below === undefined || isBelow(this.#nodes, word.row, below)))
      .map(({ row }) => row);
  }

  /**
   * Returns the first of `rows` whose remaining letters equal those of the limb; otherwise the
   * first.
   */
  #endOf(limb: number, rows: readonly number[]): number | undefined {
    const restOfName = (row: number): string | undefined => this.#words.find(word => word.row === row)?.rest;
    return rows.find(row => restOfName(row) === restOfName(limb)) ?? rows[0];
  }

  /**
   * Leaves out bones below others of `rows`. A wrist above a hand bone is the hand; a wrist beside
   * or below it is a helper bone.
   */
  #topmost(rows: readonly number[]): number[] {
    return rows.filter(row => !rows.some(other => isBelow(this.#nodes, row, other)));
  }

  /** Returns the bone of all toes; the first single toe if there is none. */
  #toesBelow(foot: number, side: Side): number | undefined {
    const toes = [...this.#rowsOf('toes', side, foot), ...this.#rowsOf('foot', side, foot)];
    return toes.find(row => !SINGLE_TOE.test(nameOf(this.#nodes, row).toLowerCase())) ?? toes[0];
  }

  #set(name: HumanBone, row: number | undefined): void {
    if (row !== undefined) this.#found.set(name, row);
  }

  #leg(side: Side): void {
    for (const upper of [...this.#rowsOf('thigh', side), ...this.#rowsOf('hips', side), ...this.#rowsOf('leg', side)]) {
      const lower = [...this.#rowsOf('shin', side, upper), ...this.#rowsOf('leg', side, upper)][0];
      if (lower === undefined) continue;
      this.#set(`${side}UpperLeg`, upper);
      this.#set(`${side}LowerLeg`, lower);
      const foot = this.#endOf(lower, this.#topmost([...this.#rowsOf('ankle', side, lower), ...this.#rowsOf('foot', side, lower)]));
      this.#set(`${side}Foot`, foot);
      if (foot !== undefined) this.#set(`${side}Toes`, this.#toesBelow(foot, side));
      return;
    }
  }

  #arm(side: Side): void {
    const shoulders = this.#rowsOf('shoulder', side);
    for (const first of [...this.#rowsOf('upperArm', side), ...this.#rowsOf('arm', side), ...shoulders]) {
      const upper = shoulders.includes(first) ? this.#lastShoulder(first, side) : first;
      const lower = [...this.#rowsOf('forearm', side, upper), ...this.#rowsOf('arm', side, upper)][0];
      if (lower === undefined) continue;
      this.#set(`${side}UpperArm`, upper);
      this.#set(`${side}LowerArm`, lower);
      const collars = [...this.#rowsOf('clavicle', side), ...this.#rowsOf('shoulder', side)];
      this.#set(
        `${side}Shoulder`,
        collars.find(row => row !== upper && isBelow(this.#nodes, upper, row)),
      );
      const hand = this.#endOf(lower, this.#topmost([...this.#rowsOf('hand', side, lower), ...this.#rowsOf('wrist', side, lower)]));
      this.#set(`${side}Hand`, hand);
      if (hand !== undefined) this.#setFingers(side, this.#fingersBelow(hand, side));
      return;
    }
  }

  /**
   * Returns the upper arm if collar bone and upper arm are both called shoulder, as in XNALara: the
   * last of these bones that is above a forearm. Otherwise returns `first`.
   */
  #lastShoulder(first: number, side: Side): number {
    const others = this.#rowsOf('shoulder', side, first).filter(row => this.#rowsOf('forearm', side, row).length > 0);
    return others.at(-1) ?? first;
  }

  #fingersBelow(hand: number, side: Side): HandFingers {
    const words = this.#words.filter(
      word => word.part === 'finger' && (word.side === side || word.side === null) && isBelow(this.#nodes, word.row, hand),
    );
    return fingersOf(hand, words, this.#nodes);
  }

  #setFingers(side: Side, { bones, numbered }: HandFingers): void {
    this.#numbered.inferred.push(...numbered.inferred);
    this.#numbered.unknown.push(...numbered.unknown);
    for (const [finger, rows] of bones) {
      const names =
        finger === 'Thumb' ? (['Metacarpal', 'Proximal', 'Distal'] as const) : (['Proximal', 'Intermediate', 'Distal'] as const);
      for (const [i, name] of names.entries()) this.#set(`${side}${finger}${name}` as HumanBone, rows[i]);
    }
  }

  /**
   * Finds hips, head, jaw and eyes. The hips are the common ancestor of legs and arms, or an
   * ancestor of it that is named like hips.
   */
  #centre(): void {
    const roots = SIDES.flatMap(side => [
      this.#found.get(`${side}UpperLeg`),
      this.#found.get(`${side}Shoulder`) ?? this.#found.get(`${side}UpperArm`),
    ]);
    if (roots.some(row => row === undefined)) return;
    const common = (roots as number[]).reduce((a, b) => commonOf(this.#nodes, a, b));
    const named = this.#rowsOf('hips', null).find(row => row === common || isBelow(this.#nodes, common, row));
    const hips = named ?? common;
    if (hips <= 0) return;
    this.#set('hips', hips);
    const arms = commonOf(this.#nodes, roots[1]!, roots[3]!);
    const head = this.#headBelow(hips) ?? this.#endOfSpine(arms);
    if (head === undefined) return;
    this.#set('head', head);
    this.#set('jaw', this.#rowsOf('jaw', null, head)[0]);
    for (const side of ['left', 'right'] as const) this.#set(`${side}Eye`, this.#rowsOf('eye', side, head)[0]);
  }

  /**
   * Returns the head. XNALara calls neck and head "head neck lower" and "head neck upper", so the
   * last bone is the head if the names of all heads contain "neck".
   */
  #headBelow(hips: number): number | undefined {
    const heads = this.#rowsOf('head', null, hips);
    const isNeck = (row: number): boolean => wordsOf(nameOf(this.#nodes, row)).includes('neck');
    return heads.every(isNeck) ? heads.at(-1) : heads[0];
  }

  /**
   * Returns the last of the spine bones above the arms. It is the head in Rigify, which calls neck
   * and head spine.004 to spine.006. Returns undefined unless there are at least two such bones.
   */
  #endOfSpine(arms: number): number | undefined {
    const spine = this.#rowsOf('spine', null, arms);
    const chain = [arms];
    for (const row of spine.toSorted((a, b) => a - b)) if (parentOf(this.#nodes, row) === chain.at(-1)) chain.push(row);
    return chain.length > 2 ? chain.at(-1) : undefined;
  }
}
