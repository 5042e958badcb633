// Maps the bones of a skeleton to humanoid bones. Uses the mapping that the file declares;
// otherwise bone names and hierarchy; otherwise bone positions.
//
// Names differ by tool (thigh_l, "Bip01 L Thigh", j_hip_le, mixamorig:LeftUpLeg, lThighBend,
// DEF-thigh.L) and are ambiguous: "shoulder" can be the collar bone or the upper arm, "leg" the
// thigh or the shin, "foot" the ankle or the toes. The names of the other bones of the limb resolve
// the ambiguity.
import { invalidArgument } from '../core/error.ts';
import { numberAt } from '../core/math/column.ts';
import { distance, type Vector } from '../core/math/vector.ts';
import { OTHER_SIDE, wordsOf } from '../core/nameWords.ts';
import { isBone, nameOf, parentOf } from '../core/tree.ts';
import type { NodeTable, RigScene } from '../core/types.ts';
import { type Finger, type HumanBone, type Side, SIDES } from './humanBones.ts';
import { inferHumanoid } from './humanoidShape.ts';

export type { HumanBone } from './humanBones.ts';

export interface Humanoid {
  /** Row in `scene.nodes` of each humanoid bone that was found. */
  bones: ReadonlyMap<HumanBone, number>;
  /**
   * Bones between hips and neck, from bottom to top. Includes `spine`, `chest` and `upperChest`.
   */
  spine: readonly number[];
  /** Bones between spine and head, from bottom to top. */
  neck: readonly number[];
  /**
   * Source of the mapping: the mapping that the file declares, bone names, or bone positions
   * (`topology`).
   */
  detectedFrom: 'file' | 'names' | 'topology';
}

/** Humanoid bones that a skeleton must have to count as a humanoid. */
const REQUIRED: readonly HumanBone[] = [
  'hips',
  ...SIDES.flatMap(side => (['UpperLeg', 'LowerLeg', 'UpperArm', 'LowerArm'] as const).map(part => `${side}${part}` as const)),
];

/** Returns the humanoid of a scene, or null if no humanoid was found. */
export function humanoidOf(scene: RigScene): Humanoid | null {
  for (const [detectedFrom, find] of [
    ['file', fromFile],
    ['names', fromNames],
    ['topology', inferHumanoid],
  ] as const) {
    const bones = find(scene);
    if (bones && REQUIRED.every(name => bones.has(name))) return complete(bones, scene.nodes, detectedFrom);
  }
  return null;
}

/**
 * Returns all bones of the humanoid if the scene has one. Otherwise returns the bones of hands and
 * fingers, for example of first-person arms or of a single hand.
 */
export function handBonesOf(scene: RigScene): ReadonlyMap<HumanBone, number> {
  return humanoidOf(scene)?.bones ?? new NamedBody(scene.nodes).hands();
}

/**
 * Returns the row of a humanoid bone. Throws a TypeError with the code INVALID_ARGUMENT if the
 * humanoid lacks the bone.
 */
export function boneOf({ bones }: Pick<Humanoid, 'bones'>, name: HumanBone): number {
  const row = bones.get(name);
  if (row === undefined) throw invalidArgument(`The humanoid has no bone ${name}.`);
  return row;
}

/** Returns the total length of both legs in metres. */
export function legLength({ bones }: Humanoid, { positions }: { positions: readonly Vector[] }): number {
  let sum = 0;
  for (const side of ['left', 'right'] as const) {
    const [hip, knee, foot] = (['UpperLeg', 'LowerLeg', 'Foot'] as const).map(part => positions[bones.get(`${side}${part}`) ?? -1]);
    if (hip && knee) sum += distance(hip, knee);
    if (knee && foot) sum += distance(knee, foot);
  }
  return sum;
}

/** Reads the mapping that the file declares (docs/formats/vgo.md, humanAvatar). */
function fromFile(scene: RigScene): Map<HumanBone, number> | null {
  const declared = scene.features.find(({ kind }) => kind === 'humanoid')?.properties?.bones;
  if (!declared || typeof declared !== 'object' || Array.isArray(declared)) return null;
  const isRow = (row: unknown): row is number => typeof row === 'number' && row > 0 && row < scene.nodes.length;
  return new Map(Object.entries(declared).filter((entry): entry is [HumanBone, number] => isRow(entry[1])));
}

/**
 * Adds the bones of the spine (from the hips to the arms) and of the neck (from the arms to the
 * head).
 */
function complete(bones: Map<HumanBone, number>, nodes: NodeTable, detectedFrom: Humanoid['detectedFrom']): Humanoid {
  const hips = boneOf({ bones }, 'hips');
  const arms = commonOf(nodes, armRoot(bones, 'left'), armRoot(bones, 'right'));
  const head = bones.get('head') ?? -1;
  const trunk =
    detectedFrom === 'file' ? (bones.get('upperChest') ?? bones.get('chest') ?? bones.get('spine') ?? arms) : chestBelow(nodes, arms, hips);
  const spine = pathTo(nodes, hips, trunk);
  if (trunk !== hips && isBelow(nodes, trunk, hips)) spine.push(trunk);
  const neck = head >= 0 && isBelow(nodes, head, trunk) ? pathTo(nodes, trunk, head) : [];
  if (detectedFrom !== 'file') {
    const [first, second, third] = spine;
    if (first !== undefined) bones.set('spine', first);
    if (second !== undefined) bones.set('chest', second);
    if (third !== undefined) bones.set('upperChest', spine.at(-1) ?? third);
    if (neck[0] !== undefined) bones.set('neck', neck[0]);
  }
  return { bones, spine, neck, detectedFrom };
}

const armRoot = (bones: ReadonlyMap<HumanBone, number>, side: Side): number =>
  bones.get(`${side}Shoulder`) ?? boneOf({ bones }, `${side}UpperArm`);

/**
 * Returns the top bone of the spine: the common ancestor of the arms or, if that is a neck bone,
 * the nearest ancestor that isn't. In 3ds Max's Biped, the collar bones are children of the neck.
 */
function chestBelow(nodes: NodeTable, arms: number, hips: number): number {
  let row = arms;
  while (row > 0 && row !== hips && wordsOf(nameOf(nodes, row)).some(word => word.startsWith('neck'))) row = parentOf(nodes, row);
  return row;
}

// ---------------------------------------------------------------- hierarchy

/**
 * Maximum number of ancestors of a bone that are searched. It limits the cost of invalid files with
 * very long chains.
 */
const MAX_DEPTH = 256;

const isBelow = (nodes: NodeTable, row: number, above: number): boolean => {
  let at = parentOf(nodes, row);
  for (let step = 0; at >= 0 && step < MAX_DEPTH; step++, at = parentOf(nodes, at)) if (at === above) return true;
  return false;
};

/** Returns the rows of the nodes strictly between an ancestor and a node, from top to bottom. */
function pathTo(nodes: NodeTable, above: number, row: number): number[] {
  const path: number[] = [];
  for (let at = parentOf(nodes, row); at >= 0 && at !== above; at = parentOf(nodes, at)) path.unshift(at);
  return path;
}

/**
 * Returns the lowest common ancestor of two nodes. If one is an ancestor of the other, returns it.
 */
function commonOf(nodes: NodeTable, a: number, b: number): number {
  const above = new Set<number>();
  for (let at = a; at >= 0; at = parentOf(nodes, at)) above.add(at);
  let at = b;
  while (at >= 0 && !above.has(at)) at = parentOf(nodes, at);
  return at;
}

// ---------------------------------------------------------------- names

/** A parsed bone name. */
interface Word {
  row: number;
  depth: number;
  part: Part;
  side: Side | null;
  /**
   * Letters of the name that remain without body part and side. If several bones match a body part,
   * those with the same remaining letters as the limb are preferred, then those with the fewest.
   */
  rest: string;
  finger?: Finger;
  hasNumber: boolean;
}

/** Name patterns of the body parts. The first match is used, so `forearm` comes before `arm`. */
const PARTS = {
  forearm: /fore?arm|lower_?arm|lowarm|armlower|lrarm|elbow|ulna|radius/,
  upperArm: /upper_?arm|uparm|uprarm|armupper|bicep|humerus/,
  clavicle: /clavicle|clav$|collar|scapula/,
  shoulder: /shoulder|shldr|shoul/,
  wrist: /wrist/,
  hand: /hand|palm/,
  arm: /arm$/,
  toes: /toe|ball/,
  ankle: /ankle/,
  foot: /foot|feet/,
  thigh: /thigh|upper?leg|uprleg|legupper|femur/,
  shin: /calf|shin|knee|lower?leg|lwrleg|leglower|tibia/,
  leg: /leg$/,
  hips: /pelvis|hips?$|mainroot/,
  head: /head/,
  eye: /eye$|eyeball/,
  jaw: /jaw|chin$/,
  spine: /spine$/,
} as const;
type Part = keyof typeof PARTS | 'finger';

const FINGERS: readonly (readonly [Finger, RegExp])[] = [
  ['Thumb', /^thumb/],
  ['Index', /^(index|point)/],
  ['Middle', /^mid/],
  ['Ring', /^ring/],
  ['Little', /^(pinky|pinkie|little)/],
];

/** Words that identify helper bones. Bones with such a word in their names aren't mapped. */
const HELPERS =
  /^(ik|fk|vb|pole|roll|target|helper|ctrl|control|offset|correct|corrective|socket|attach|attachment|prop|weapon|end|nub|cloth|skirt|muscle|bulge|dummy|marker|aim|camera|jiggle|pad|armou?r|adj|virtual|grip|gun|holster|lid|brow|lash|sleeve|hair|twist\d*|.*twist)$/;

/**
 * Separates the side from the other words of a bone name. The side may also be the prefix of a body
 * part, as in `lthigh`.
 */
function sideOf(words: readonly string[]): { side: Side | null; rest: string[] } {
  const rights = new Set(Object.values(OTHER_SIDE));
  const at = words.findIndex(word => Object.hasOwn(OTHER_SIDE, word) || rights.has(word));
  if (at >= 0) return { side: rights.has(words[at] ?? '') ? 'right' : 'left', rest: words.filter((_, i) => i !== at) };
  const pattern =
    /^(left|right|l|r)(?=(thigh|calf|shin|foot|toe|ball|hand|arm|fore|upper|lower|clav|collar|should|shldr|elbow|wrist|knee|ankle|hip|thumb|index|mid|ring|pinky|eye))/;
  for (const [i, word] of words.entries()) {
    const prefix = pattern.exec(word)?.[0];
    if (prefix) return { side: prefix.startsWith('l') ? 'left' : 'right', rest: words.with(i, word.slice(prefix.length)) };
  }
  return { side: null, rest: [...words] };
}

/** Japanese words of MikuMikuDance's standard bones. Longer words precede words that they contain. */
const JAPANESE: readonly (readonly [RegExp, string])[] = [
  [/左/g, 'left'],
  [/右/g, 'right'],
  [/親指/g, 'thumb'],
  [/人差?し?指/g, 'index'],
  [/中指/g, 'middle'],
  [/薬指/g, 'ring'],
  [/小指/g, 'little'],
  [/[つ爪]ま?先/g, 'toe'],
  [/足首/g, 'ankle'],
  [/手首/g, 'wrist'],
  [/ひざ|膝/g, 'knee'],
  [/ひじ|肘/g, 'elbow'],
  [/足/g, 'leg'],
  [/手/g, 'hand'],
  [/腕/g, 'arm'],
  [/肩/g, 'shoulder'],
  [/頭/g, 'head'],
  [/首/g, 'neck'],
  [/目/g, 'eye'],
  [/捩り?/g, 'twist'],
  [/先/g, 'end'],
];

/** Splits a bone name into lower-case English words. */
function englishWords(name: string): string[] {
  if (!/[\p{Script=Han}\p{Script=Hiragana}]/u.test(name)) return wordsOf(name);
  return wordsOf(JAPANESE.reduce((text, [pattern, word]) => text.replace(pattern, ` ${word} `), name.normalize('NFKC')));
}

/** `firstFinger`: number of the thumb in numbered fingers. */
function readName(name: string, row: number, depth: number, firstFinger: number): Word | null {
  const words = englishWords(name);
  if (words.some(word => HELPERS.test(word))) return null;
  const { side, rest } = sideOf(words);
  const finger = fingerOf(rest, firstFinger);
  const hasNumber = words.some(word => /^\d+$/.test(word));
  if (finger) {
    if (rest.some(word => word.startsWith('tip') || (/^(carpal|metacarpal|palm)/.test(word) && finger !== 'Thumb'))) return null;
    return { row, depth, part: 'finger', side, rest: '', finger, hasNumber };
  }
  const letters = rest.filter(word => !/^\d+$/.test(word)).join('');
  for (const part of Object.keys(PARTS) as (keyof typeof PARTS)[]) {
    const found = PARTS[part].exec(letters);
    if (found) return { row, depth, part, side, rest: letters.replace(found[0], ''), hasNumber };
  }
  return null;
}

/** Returns the finger that a bone name contains. */
function fingerOf(words: readonly string[], firstFinger: number): Finger | null {
  for (const word of words) {
    const found = FINGERS.find(([, pattern]) => pattern.test(word));
    if (found) return found[0];
  }
  return FINGERS[fingerNumber(words) - firstFinger]?.[0] ?? null;
}

/**
 * Returns the number of a finger: the first digit after the word "finger", or NaN if there is none.
 * Finger12 in 3ds Max's Biped and finger1-2 in MakeHuman are the last and the middle bone of finger
 * 1.
 */
const fingerNumber = (words: readonly string[]): number => {
  const at = words.indexOf('finger');
  return at >= 0 ? Number(words[at + 1]?.[0]) : NaN;
};

/**
 * Returns the number of the thumb if fingers are numbered: 1 if there is a finger 5 but no finger 0
 * (MakeHuman, XNALara), otherwise 0 (Biped).
 */
function firstFingerOf(names: readonly string[]): number {
  const numbers = new Set(names.filter(name => /finger/i.test(name)).map(name => fingerNumber(wordsOf(name))));
  return numbers.has(5) && !numbers.has(0) ? 1 : 0;
}

function fromNames({ nodes }: RigScene): Map<HumanBone, number> {
  return new NamedBody(nodes).find();
}

class NamedBody {
  readonly #nodes: NodeTable;
  readonly #words: Word[] = [];
  readonly #found = new Map<HumanBone, number>();

  constructor(nodes: NodeTable) {
    this.#nodes = nodes;
    const hasBones = nodes.bones.some(bone => bone >= 0);
    const depths = new Int32Array(nodes.length);
    const firstFinger = firstFingerOf(nodes.names);
    for (let row = 1; row < nodes.length; row++) {
      const depth = numberAt(depths, parentOf(nodes, row)) + 1;
      depths[row] = depth;
      if (hasBones && !isBone(nodes, row)) continue;
      const word = readName(nameOf(nodes, row), row, depth, firstFinger);
      if (word) this.#words.push(word);
    }
    this.#words.sort((a, b) => a.rest.length - b.rest.length || a.depth - b.depth || a.row - b.row);
  }

  find(): Map<HumanBone, number> {
    for (const side of ['left', 'right'] as const) {
      this.#leg(side);
      this.#arm(side);
    }
    this.#centre();
    return this.#found;
  }

  hands(): Map<HumanBone, number> {
    for (const side of SIDES) {
      const hand = [...this.#rowsOf('wrist', side), ...this.#rowsOf('hand', side)][0];
      this.#set(`${side}Hand`, hand);
      if (hand !== undefined) this.#fingers(side, hand);
    }
    return this.#found;
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

  #set(name: HumanBone, row: number | undefined): void {
    if (row !== undefined) this.#found.set(name, row);
  }

  #leg(side: Side): void {
    const hasAnkle = this.#rowsOf('ankle', side).length > 0;
    for (const upper of [...this.#rowsOf('thigh', side), ...this.#rowsOf('hips', side), ...this.#rowsOf('leg', side)]) {
      const lower = [...this.#rowsOf('shin', side, upper), ...this.#rowsOf('leg', side, upper)][0];
      if (lower === undefined) continue;
      this.#set(`${side}UpperLeg`, upper);
      this.#set(`${side}LowerLeg`, lower);
      const foot = this.#endOf(lower, this.#rowsOf(hasAnkle ? 'ankle' : 'foot', side, lower));
      this.#set(`${side}Foot`, foot);
      if (foot !== undefined) this.#set(`${side}Toes`, [...this.#rowsOf('toes', side, foot), ...this.#rowsOf('foot', side, foot)][0]);
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
      const hand = this.#endOf(lower, [...this.#rowsOf('wrist', side, lower), ...this.#rowsOf('hand', side, lower)]);
      this.#set(`${side}Hand`, hand);
      if (hand !== undefined) this.#fingers(side, hand);
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

  #fingers(side: Side, hand: number): void {
    for (const [finger] of FINGERS) {
      const chain = this.#words
        .filter(word => word.finger === finger && isBelow(this.#nodes, word.row, hand) && (word.side === side || word.side === null))
        .sort((a, b) => a.depth - b.depth || a.row - b.row);
      const names =
        finger === 'Thumb' ? (['Metacarpal', 'Proximal', 'Distal'] as const) : (['Proximal', 'Intermediate', 'Distal'] as const);
      // The first bone of a chain Index, Index1, Index2, Index3 is in the palm and isn't mapped.
      if (chain.length > 3 && !chain[0]?.hasNumber && chain[1]?.hasNumber) chain.shift();
      let above = hand;
      let at = 0;
      for (const { row } of chain) {
        const name = names[at];
        if (!name || !isBelow(this.#nodes, row, above)) continue;
        this.#set(`${side}${finger}${name}` as HumanBone, row);
        at++;
        above = row;
      }
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
