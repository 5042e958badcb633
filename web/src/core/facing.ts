// Which way a model looks and where its head is, from the places of its bones and their names. Nothing is turned: it is a hint for who frames
// it. No three.js.
import type { NodeTable } from './types.ts';

/** Unit vectors in the scene's space. */
export interface Facing {
  forward: [number, number, number];
  /** The axis that points from feet to head: +Y unless the model lies. */
  up: [number, number, number];
  /**
   * From 0 to 1: how much the pairs of bones agree. Half of it where there is a single pair, where neither legs nor a spine tell what is up, or where
   * they say that the model lies: beasts with spread legs look like that, too.
   */
  certainty: number;
}

type Vector = [x: number, y: number, z: number];

/** The words for left and right that names have, as words of their own: thigh_l, L Thigh, LeftUpLeg, j_hip_le. */
const SIDES: Readonly<Record<string, string>> = { l: 'r', left: 'right', le: 'ri', lf: 'rt', lft: 'rgt' };

/** What a bone is, without side, number and what rigs call every bone. */
const LEG = /(^| )(thigh|up leg|upper leg|hip|femur)$/;
const FOOT = /(^| )(foot|ankle|toe|toe base|ball|heel|hoof|paw)$/;
const HIPS = /(^| )(pelvis|hips|mainroot|root)$/;
const SPINE = /(^| )spine$/;
const HEAD = /(^| )(head|neck)$/;
const NOT_A_PART = /^(joint|jnt|bone|bn|\d+)$/;

const Y: Vector = [0, 1, 0];

/** Which way a model looks; null without a pair of a left and a right bone. `up`: if the caller knows it already. */
export function facingOf(nodes: NodeTable, up?: readonly [number, number, number]): Facing | null {
  const places = placesOf(nodes);
  const pairs = pairsOf(nodes);
  const roots = pairs.filter(({ left, right }) => nodes.parents[left] === nodes.parents[right]);
  const across = roots.map(({ left, right }) => unit(minus(places[left]!, places[right]!))).filter(vector => vector !== null);
  if (across.length === 0) return null;
  const told: Vector | null = up ? [...up] : upOf(nodes, places, pairs);
  const above = told ?? Y;
  const left = sum(across.map(vector => flat(vector, above)));
  const forward = unit(cross(left, above));
  if (!forward) return null;
  const isPlain = across.length > 1 && told !== null && (up !== undefined || told[1] === 1);
  return { forward, up: above, certainty: (length(left) / across.length) * (isPlain ? 1 : 0.5) };
}

interface Pair {
  left: number;
  right: number;
  /** Its name without the side, in words. */
  part: string;
}

/** Bones that are named alike but for the side. */
function pairsOf({ count, names, bones }: NodeTable): Pair[] {
  const sided = new Map<string, number>();
  const lefts: { row: number; part: string; other: string }[] = [];
  for (let row = 1; row < count; row++) {
    if (bones[row]! < 0) continue;
    const words = wordsOf(names[row]!);
    const key = words.join(' ');
    if (!sided.has(key)) sided.set(key, row);
    const at = words.findIndex(word => Object.hasOwn(SIDES, word));
    if (at >= 0)
      lefts.push({
        row,
        part: partOf(words.filter((_, k) => k !== at)),
        other: words.map((word, k) => (k === at ? SIDES[word]! : word)).join(' '),
      });
  }
  return lefts.flatMap(({ row, part, other }) => (sided.has(other) ? [{ left: row, right: sided.get(other)!, part }] : []));
}

/** `mixamorig:LeftUpLeg` is mixamorig, left, up, leg. */
function wordsOf(name: string): string[] {
  return (name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\d+|\p{Lo}+/gu) ?? []).map(word => word.toLowerCase());
}

const partOf = (words: readonly string[]): string =>
  words
    .filter(word => !NOT_A_PART.test(word))
    .slice(-2)
    .join(' ');

/** The up axis that legs and spine agree on. Legs along +Y suffice: they are the best evidence, for four-legged animals too. Null without legs and spine. */
function upOf(nodes: NodeTable, places: readonly Vector[], pairs: readonly Pair[]): Vector | null {
  const bothOf = (pattern: RegExp): Vector[] =>
    pairs.filter(({ part }) => pattern.test(part)).flatMap(({ left, right }) => [places[left]!, places[right]!]);
  const rowOf = (pattern: RegExp): number =>
    nodes.names.findIndex((name, row) => nodes.bones[row]! >= 0 && pattern.test(partOf(wordsOf(name))));
  const [high, low] = [bothOf(LEG), bothOf(FOOT)];
  const byLegs = high.length > 0 && low.length > 0 ? axisOf(minus(mean(high), mean(low))) : null;
  if (byLegs?.[1] === 1) return byLegs;
  const hips = [HIPS, SPINE].map(rowOf).find(row => row >= 0);
  const head = rowOf(HEAD);
  const bySpine = hips !== undefined && head >= 0 ? axisOf(minus(places[head]!, places[hips]!)) : null;
  if (!byLegs) return bySpine?.[1] === 1 ? bySpine : null;
  return bySpine && byLegs.every((value, k) => value === bySpine[k]) ? byLegs : null;
}

/** The axis of the scene that lies nearest. */
function axisOf(vector: Vector): Vector | null {
  const largest = Math.max(...vector.map(Math.abs));
  if (!(largest > 1e-6)) return null;
  const at = vector.findIndex(value => Math.abs(value) === largest);
  return [0, 1, 2].map(k => (k === at ? Math.sign(vector[k]!) : 0)) as Vector;
}

// ---------------------------------------------------------------- places

/** Of all nodes at rest, in the scene's space. Parents come before their children. */
function placesOf({ count, parents, translations, rotations, scales }: NodeTable): Vector[] {
  const places: Vector[] = [];
  const turns: [number, number, number, number][] = [];
  const sizes: Vector[] = [];
  for (let row = 0; row < count; row++) {
    const place: Vector = [translations[3 * row]!, translations[3 * row + 1]!, translations[3 * row + 2]!];
    const turn: [number, number, number, number] = [
      rotations[4 * row]!,
      rotations[4 * row + 1]!,
      rotations[4 * row + 2]!,
      rotations[4 * row + 3]!,
    ];
    const size: Vector = [scales[3 * row]!, scales[3 * row + 1]!, scales[3 * row + 2]!];
    const parent = parents[row]!;
    if (parent < 0) {
      places.push(place);
      turns.push(turn);
      sizes.push(size);
      continue;
    }
    const above = sizes[parent]!;
    places.push(plus(places[parent]!, turned([place[0] * above[0], place[1] * above[1], place[2] * above[2]], turns[parent]!)));
    turns.push(after(turns[parent]!, turn));
    sizes.push([size[0] * above[0], size[1] * above[1], size[2] * above[2]]); // shear does not matter to a hint
  }
  return places;
}

function turned(v: Vector, [x, y, z, w]: readonly [number, number, number, number]): Vector {
  const t = cross([2 * x, 2 * y, 2 * z], v);
  return plus(v, plus([w * t[0], w * t[1], w * t[2]], cross([x, y, z], t)));
}

function after(
  [ax, ay, az, aw]: readonly [number, number, number, number],
  [bx, by, bz, bw]: readonly [number, number, number, number],
): [number, number, number, number] {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a: Vector): number => Math.hypot(...a);
const sum = (all: readonly Vector[]): Vector => all.reduce(plus, [0, 0, 0]);
const mean = (all: readonly Vector[]): Vector => sum(all).map(value => value / all.length) as Vector;
/** Without what goes along a unit vector. */
const flat = (a: Vector, along: Vector): Vector => {
  const share = a[0] * along[0] + a[1] * along[1] + a[2] * along[2];
  return minus(a, [along[0] * share, along[1] * share, along[2] * share]);
};

/** Null where it has no direction. */
function unit(a: Vector): Vector | null {
  const size = length(a);
  return size > 1e-6 && Number.isFinite(size) ? (a.map(value => value / size) as Vector) : null;
}
