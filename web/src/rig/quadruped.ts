// Maps the bones of a skeleton to quadruped bones, by bone names and hierarchy, and by bone
// positions.
//
// Names state the pair of legs (FrontLeg_L, hind_thigh.R, UpperLeg_FL), or are those of a human
// (thigh, upper arm, hand). In the second case, and without known names, bone positions decide
// whether a body has two or four legs.
import { dot, length, normalized, scale, subtract, type Vector, add } from '../core/math/vector.ts';
import { type RestPose, restPoseOf } from '../core/restPose.ts';
import { isBone, nameOf, parentOf } from '../core/tree.ts';
import type { NodeTable, RigScene } from '../core/types.ts';
import { commonOf, isBelow, pathTo } from './hierarchy.ts';
import { type Side, SIDES } from '../core/nameWords.ts';
import { inferHumanoid } from './humanoidShape.ts';
import { LEG_PARTS, type QuadrupedBone } from './quadrupedBones.ts';
import { type Pair, PAIRS, type QuadrupedWord, readQuadrupedName } from './quadrupedNames.ts';

export interface Quadruped {
  kind: 'quadruped';
  /** Row in `scene.nodes` of each quadruped bone that was found. */
  bones: ReadonlyMap<QuadrupedBone, number>;
  /** Bones between hips and neck, from the hips to the shoulders. */
  spine: readonly number[];
  /** Bones between spine and head, from the shoulders to the head. */
  neck: readonly number[];
  /** Bones of the tail, from its root to its tip. */
  tail: readonly number[];
  /** Source of the mapping: bone names, or bone positions (`topology`). */
  detectedFrom: 'names' | 'topology';
}

type Legs = ReadonlyMap<`${Side}${Pair}`, Leg>;
type Leg = Partial<Record<(typeof LEG_PARTS)[number], number>>;

const CORNERS = PAIRS.flatMap(pair => SIDES.map(side => ({ pair, side, key: `${side}${pair}` as const })));

/** Returns the quadruped of a scene, or null if no quadruped was found. */
export function quadrupedOf(scene: RigScene): Quadruped | null {
  const words = wordsIn(scene.nodes);
  const rest = restPoseOf(scene.nodes);
  const stated = statedLegs(words, scene.nodes, rest);
  const named = stated ?? legsOf(words, word => word.usualPair, scene.nodes, rest);
  const legs = named ?? inferredLegs(scene, rest);
  const isQuadruped = legs && (stated !== null || standsOnFour(legs, rest));
  const found = isQuadruped ? complete(legs, words, scene.nodes, rest) : null;
  return found && { ...found, kind: 'quadruped', detectedFrom: named ? 'names' : 'topology' };
}

function wordsIn(nodes: NodeTable): QuadrupedWord[] {
  const hasBones = nodes.bones.some(bone => bone >= 0);
  const words: QuadrupedWord[] = [];
  for (let row = 1; row < nodes.length; row++) {
    const word = !hasBones || isBone(nodes, row) ? readQuadrupedName(nameOf(nodes, row), row) : null;
    if (word) words.push(word);
  }
  return words;
}

// ---------------------------------------------------------------- legs

/**
 * Finds legs whose names state a pair: at least upper and lower bones of the front legs do. The hind
 * legs may have the names of human legs, as in Rigify.
 */
function statedLegs(words: readonly QuadrupedWord[], nodes: NodeTable, rest: RestPose): Legs | null {
  const stated = new Set(words.filter(({ pair, side }) => pair === 'Front' && side).map(({ row }) => row));
  const legs = stated.size > 0 ? legsOf(words, word => word.pair ?? word.usualPair, nodes, rest) : null;
  const isStated = ({ UpperLeg, LowerLeg }: Leg): boolean => stated.has(UpperLeg ?? 0) && stated.has(LowerLeg ?? 0);
  return legs && SIDES.every(side => isStated(legs.get(`${side}Front`) ?? {})) ? legs : null;
}

/** Finds legs by bone positions only: two pairs of mirrored limbs, each followed to its end. */
function inferredLegs(scene: RigScene, rest: RestPose): Legs | null {
  const bones = inferHumanoid(scene);
  if (!bones) return null;
  const legs = new Map<`${Side}${Pair}`, Leg>();
  for (const { pair, side, key } of CORNERS) {
    const parts =
      pair === 'Front' ? (['Shoulder', 'UpperArm', 'LowerArm', 'Hand'] as const) : (['UpperLeg', 'LowerLeg', 'Foot', 'Toes'] as const);
    const rows = parts.flatMap(part => bones.get(`${side}${part}`) ?? []);
    for (let row = rows.at(-1); row !== undefined && rows.length < LEG_PARTS.length;) {
      row = scene.nodes.parents.findIndex((parent, child) => parent === row && isBone(scene.nodes, child));
      if (row < 0) break;
      rows.push(row);
    }
    legs.set(
      key,
      pair === 'Hind'
        ? legFrom([undefined, ...rows])
        : segmentsOf(
            rows.map(row => ({ row, segment: null })),
            pair,
            rest,
          ),
    );
  }
  return legs;
}

const legFrom = (rows: readonly (number | undefined)[]): Leg =>
  Object.fromEntries(LEG_PARTS.flatMap((part, i) => (rows[i] === undefined ? [] : [[part, rows[i]]])));

/**
 * Returns four legs with at least upper and lower bones, or null. `pairOf`: pair that a bone
 * belongs to.
 */
function legsOf(
  words: readonly QuadrupedWord[],
  pairOf: (word: QuadrupedWord) => Pair | null,
  nodes: NodeTable,
  rest: RestPose,
): Legs | null {
  const legs = new Map<`${Side}${Pair}`, Leg>();
  for (const { pair, side, key } of CORNERS) {
    const chain = longestChain(
      words.filter(word => word.side === side && word.part !== 'ear' && pairOf(word) === pair),
      nodes,
    );
    const leg = segmentsOf(chain, pair, rest);
    if (leg.UpperLeg === undefined || leg.LowerLeg === undefined) return null;
    legs.set(key, leg);
  }
  return legs;
}

/** Returns the longest chain of bones that descend from each other; the first one of equal chains. */
function longestChain(words: readonly QuadrupedWord[], nodes: NodeTable): QuadrupedWord[] {
  const known = new Map(words.map(word => [word.row, word]));
  const above = new Map<number, number>();
  const depths = new Map<number, number>();
  let end = -1;
  for (const { row } of words) {
    let parent = parentOf(nodes, row);
    while (parent >= 0 && !known.has(parent)) parent = parentOf(nodes, parent);
    above.set(row, parent);
    const depth = (depths.get(parent) ?? 0) + 1;
    depths.set(row, depth);
    if (depth > (depths.get(end) ?? 0)) end = row;
  }
  const chain: QuadrupedWord[] = [];
  for (let row = end; row >= 0; row = above.get(row) ?? -1) chain.unshift(known.get(row)!);
  return chain;
}

/** Maximum height of toes above the ground, as a fraction of the height of the leg. */
const TOES = 0.15;

/**
 * Assigns the bones of a chain to the segments of a leg. The first bone is the shoulder or one half
 * of the pelvis if its name says so, unless the second bone is the lower leg. If names
 * don't state segments, it is the shoulder if there are more than three bones above the toes, which
 * start near the ground. The last
 * bones are toes if their names say so. The other bones follow each other from upper leg to toes.
 */
function segmentsOf(chain: readonly Pick<QuadrupedWord, 'row' | 'segment'>[], pair: Pair, rest: RestPose): Leg {
  const bones = [...chain];
  let root: number | undefined;
  while (bones[0]?.segment === 'root' && bones[1] && bones[1].segment !== 'lower') root = bones.shift()?.row;
  const firstToe = bones.findIndex(({ segment }, i) => i > 1 && segment === 'toes');
  const toes = firstToe < 0 ? undefined : bones[firstToe]?.row;
  if (firstToe >= 0) bones.length = firstToe;
  const rows = bones.map(({ row }) => row);
  const isUnnamed = root === undefined && bones.every(({ segment }) => !segment);
  const hasToes = toes !== undefined || isOnGround(rows, rest);
  if (isUnnamed && rows.length > (hasToes && toes === undefined ? 4 : 3)) root = rows.shift();
  const [upper, lower, foot, next] = rows;
  // A leg without a bone for the foot ends in its toes.
  const shoulder = pair === 'Front' ? root : undefined;
  return legFrom(foot === undefined ? [shoulder, upper, lower, toes] : [shoulder, upper, lower, foot, next ?? toes]);
}

/** Returns true if the last bone of a leg is near the ground, like toes. The height of the ground is 0. */
function isOnGround(rows: readonly number[], rest: RestPose): boolean {
  const [top, end] = [rows[0], rows.at(-1)].map(row => rest.position(row ?? 0)[1]) as [number, number];
  return end < TOES * top;
}

// ---------------------------------------------------------------- standing on two or four legs

/** Maximum cosine of the angle between trunk and hind legs of a quadruped. For a human, it is nearly -1. */
const ACROSS = 0.6;
/** Minimum length of the front legs in the direction of the hind legs, as a fraction of the length of the bones of a hind leg. */
const FRONT_LENGTH = 0.3;
/** Maximum distance of the ends of front legs from the ground, as a fraction of the length of the bones of a hind leg. */
const GROUND = 0.5;

/**
 * Returns true if the trunk is at an angle to the hind legs in the rest pose, and all legs end on
 * the same ground. Doesn't use the up axis, which may be unknown.
 */
function standsOnFour(legs: Legs, rest: RestPose): boolean {
  const middle = (pair: Pair, at: 'start' | 'end'): Vector => {
    const [a, b] = SIDES.map(side => {
      const { UpperLeg, LowerLeg, Foot, Toes } = legs.get(`${side}${pair}`) ?? {};
      return rest.position((at === 'start' ? UpperLeg : (Toes ?? Foot ?? LowerLeg)) ?? 0);
    }) as [Vector, Vector];
    return scale(add(a, b), 0.5);
  };
  const hind = subtract(middle('Hind', 'end'), middle('Hind', 'start'));
  const front = subtract(middle('Front', 'end'), middle('Front', 'start'));
  const trunk = normalized(subtract(middle('Front', 'start'), middle('Hind', 'start')));
  const down = normalized(add(hind, front));
  if (!down || !trunk) return false;
  // The hind legs of a sitting body are folded, so their bones are measured one by one.
  const bones = LEG_PARTS.slice(1).flatMap(part => legs.get('leftHind')?.[part] ?? []);
  const size = bones.slice(1).reduce((sum, row, i) => sum + length(rest.offset(bones[i] ?? row, row)), 0);
  const step = dot(subtract(middle('Front', 'end'), middle('Hind', 'end')), down);
  return Math.abs(dot(trunk, down)) < ACROSS && dot(front, down) > FRONT_LENGTH * size && Math.abs(step) < GROUND * size;
}

// ---------------------------------------------------------------- trunk, head and tail

function complete(
  legs: Legs,
  words: readonly QuadrupedWord[],
  nodes: NodeTable,
  rest: RestPose,
): Pick<Quadruped, 'bones' | 'spine' | 'neck' | 'tail'> | null {
  const rootOf = (pair: Pair): number => {
    const [a, b] = SIDES.map(side => legs.get(`${side}${pair}`)!).map(({ Shoulder, UpperLeg }) => Shoulder ?? UpperLeg ?? 0) as [
      number,
      number,
    ];
    return commonOf(nodes, a, b);
  };
  let [chest, pelvis] = [rootOf('Front'), rootOf('Hind')];
  const common = commonOf(nodes, chest, pelvis);
  const named = words.findLast(({ part, side, row }) => part === 'pelvis' && !side && (row === common || isBelow(nodes, common, row)));
  const hips = named?.row ?? common;
  if (hips <= 0) return null;
  const isNeck = (row: number): boolean => words.some(word => word.row === row && word.part === 'neck');
  // In 3ds Max's Biped, the collar bones are children of the neck.
  while (chest !== hips && isNeck(chest)) chest = parentOf(nodes, chest);
  const bones = new Map<QuadrupedBone, number>([['hips', hips]]);
  const spine = chest === hips ? [] : [...pathTo(nodes, hips, chest), chest];
  if (!isBelow(nodes, pelvis, hips) || spine.includes(pelvis)) pelvis = hips;
  else bones.set('pelvis', pelvis);
  for (const { key } of CORNERS)
    for (const [part, row] of Object.entries(legs.get(key) ?? {})) bones.set(`${key}${part}` as QuadrupedBone, row);
  const limbs = new Set(CORNERS.map(({ key }) => legs.get(key)!).map(({ Shoulder, UpperLeg }) => Shoulder ?? UpperLeg!));
  const tree = new Centre(nodes, rest, words, limbs);
  const head = tree.head(chest);
  const neck = head === undefined ? [] : pathTo(nodes, chest, head);
  const tail = tree.tail(pelvis, hips, new Set([...spine, ...neck, ...(head === undefined ? [] : [head])]));
  setIf(bones, 'spine', spine[0]);
  setIf(bones, 'neck', neck[0]);
  setIf(bones, 'head', head);
  setIf(bones, 'tail', tail[0]);
  if (head !== undefined) {
    setIf(bones, 'jaw', words.find(({ part, row }) => part === 'jaw' && isBelow(nodes, row, head))?.row);
    for (const side of SIDES)
      setIf(bones, `${side}Ear`, words.find(word => word.part === 'ear' && word.side === side && isBelow(nodes, word.row, head))?.row);
  }
  return { bones, spine, neck, tail };
}

function setIf(bones: Map<QuadrupedBone, number>, name: QuadrupedBone, row: number | undefined): void {
  if (row !== undefined) bones.set(name, row);
}

/** The bones of head and tail, by name or as the longest chain of bones that has no side. */
class Centre {
  readonly #nodes: NodeTable;
  readonly #rest: RestPose;
  readonly #words: readonly QuadrupedWord[];
  readonly #children = new Map<number, number[]>();
  readonly #lengths = new Map<number, number>();

  /** `limbs`: first bones of the legs. */
  constructor(nodes: NodeTable, rest: RestPose, words: readonly QuadrupedWord[], limbs: ReadonlySet<number>) {
    this.#nodes = nodes;
    this.#rest = rest;
    this.#words = words;
    const central = words.filter(({ side, row }) => !side && !limbs.has(row));
    const rows = new Set(central.map(({ row }) => row));
    for (const row of [...rows].sort((a, b) => b - a)) {
      const children = this.#children.get(row) ?? [];
      this.#lengths.set(row, 1 + Math.max(0, ...children.map(child => this.#lengths.get(child) ?? 0)));
      const parent = parentOf(nodes, row);
      this.#children.set(parent, [row, ...(this.#children.get(parent) ?? [])]);
    }
  }

  /**
   * Returns the head: the bone with this name. Otherwise returns the end of the chain of bones after
   * the chest: the last bone with the same name apart from its number, as in Rigify, or the bone
   * where the chain branches or ends.
   */
  head(chest: number): number | undefined {
    const named = this.#words.find(({ part, side, row }) => part === 'head' && !side && isBelow(this.#nodes, row, chest));
    if (named) return named.row;
    const chain = this.#chain(this.#children.get(chest) ?? []);
    const lettersOf = (row: number): string => nameOf(this.#nodes, row).replace(/\d/g, '');
    return chain.findLast(row => lettersOf(row) === lettersOf(chest)) ?? chain.find(row => this.#childCount(row) !== 1);
  }

  #childCount(row: number): number {
    return this.#nodes.parents.filter((parent, child) => parent === row && isBone(this.#nodes, child)).length;
  }

  /**
   * Returns the bones of the tail: those with this name, or the longest chain of bones without side
   * after the pelvis or the hips that leads away from the shoulders.
   */
  tail(pelvis: number, hips: number, others: ReadonlySet<number>): number[] {
    const named = this.#words.find(
      ({ part, side, row }) => part === 'tail' && !side && !others.has(row) && isBelow(this.#nodes, row, hips),
    );
    if (named) return this.#chain([named.row]);
    const starts = [pelvis, hips].flatMap(row => this.#children.get(row) ?? []).filter(row => !others.has(row) && row !== pelvis);
    const chest = [...others][0];
    const isBehind = (row: number): boolean =>
      chest !== undefined && dot(this.#rest.offset(hips, this.#chain([row]).at(-1) ?? row), this.#rest.offset(hips, chest)) < 0;
    const chain = this.#chain(starts.filter(isBehind));
    return chain.length > 1 ? chain : [];
  }

  /** Follows the longest chain from one of `starts` to its end. */
  #chain(starts: readonly number[]): number[] {
    const chain: number[] = [];
    for (let next: readonly number[] = starts; next.length > 0;) {
      const row = next.reduce((best, each) => ((this.#lengths.get(each) ?? 0) > (this.#lengths.get(best) ?? 0) ? each : best));
      chain.push(row);
      next = this.#children.get(row) ?? [];
    }
    return chain;
  }
}
