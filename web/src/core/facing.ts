// Which way a model looks and where its head is, from the places of its bones and their names. Nothing is turned: it is a hint for who frames
// it. No three.js.
import { add, cross, length, normalized, subtract, type Vector } from './math/vector.ts';
import { OTHER_SIDE as SIDES, wordsOf } from './nameWords.ts';
import { restOf } from './rest.ts';
import { member } from './properties.ts';
import type { NodeTable, RigScene } from './types.ts';

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
  const { places } = restOf(nodes);
  const pairs = pairsOf(nodes);
  const roots = pairs.filter(({ left, right }) => nodes.parents[left] === nodes.parents[right]);
  const across = roots.map(({ left, right }) => normalized(subtract(places[left]!, places[right]!))).filter(vector => vector !== null);
  if (across.length === 0) return null;
  const told: Vector | null = up ? [...up] : upOf(nodes, places, pairs);
  const above = told ?? Y;
  const left = sum(across.map(vector => flat(vector, above)));
  const forward = normalized(cross(left, above));
  if (!forward) return null;
  const isPlain = across.length > 1 && told !== null && (up !== undefined || told[1] === 1);
  return { forward, up: above, certainty: (length(left) / across.length) * (isPlain ? 1 : 0.5) };
}

/** The nodes of a scene, of which the bones of a human body have the names that the file itself gives them (VGO), whatever they are called. */
export function nodesAsTold({ nodes, features }: RigScene): NodeTable {
  const told = member(features.find(({ kind }) => kind === 'humanoid')?.properties, 'bones');
  if (!told || typeof told !== 'object') return nodes;
  const names = [...nodes.names];
  for (const [name, row] of Object.entries(told)) if (typeof row === 'number' && row > 0 && row < nodes.count) names[row] = name;
  return { ...nodes, names };
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

const partOf = (words: readonly string[]): string =>
  words
    .filter(word => !NOT_A_PART.test(word))
    .slice(-2)
    .join(' ');

/**
 * The up axis that legs and spine agree on. Legs along +Y suffice: they are the best evidence, for four-legged animals too. Null without legs and spine, and
 * where a beast with more than one pair of such legs spreads them.
 */
function upOf(nodes: NodeTable, places: readonly Vector[], pairs: readonly Pair[]): Vector | null {
  const bothOf = (pattern: RegExp): Vector[] =>
    pairs.filter(({ part }) => pattern.test(part)).flatMap(({ left, right }) => [places[left]!, places[right]!]);
  const rowOf = (pattern: RegExp): number =>
    nodes.names.findIndex((name, row) => nodes.bones[row]! >= 0 && pattern.test(partOf(wordsOf(name))));
  const [high, low] = [bothOf(LEG), bothOf(FOOT)];
  const byLegs = high.length > 0 && low.length > 0 ? axisOf(subtract(mean(high), mean(low))) : null;
  if (byLegs?.[1] === 1) return byLegs;
  const hips = [HIPS, SPINE].map(rowOf).find(row => row >= 0);
  const head = rowOf(HEAD);
  const bySpine = hips !== undefined && head >= 0 ? axisOf(subtract(places[head]!, places[hips]!)) : null;
  if (!byLegs) return bySpine?.[1] === 1 ? bySpine : null;
  if (high.length > 2) return null;
  return bySpine && byLegs.every((value, k) => value === bySpine[k]) ? byLegs : null;
}

/** The axis of the scene that lies nearest. */
function axisOf(vector: Vector): Vector | null {
  const largest = Math.max(...vector.map(Math.abs));
  if (!(largest > 1e-6)) return null;
  const at = vector.findIndex(value => Math.abs(value) === largest);
  return [0, 1, 2].map(k => (k === at ? Math.sign(vector[k]!) : 0)) as Vector;
}

const sum = (all: readonly Vector[]): Vector => all.reduce(add, [0, 0, 0]);
const mean = (all: readonly Vector[]): Vector => sum(all).map(value => value / all.length) as Vector;
/** Without what goes along a unit vector. */
const flat = (a: Vector, along: Vector): Vector => {
  const share = a[0] * along[0] + a[1] * along[1] + a[2] * along[2];
  return subtract(a, [along[0] * share, along[1] * share, along[2] * share]);
};
