// Estimates the forward and up directions of a model from the positions and names of its bones.
// Used to frame the model, which is not rotated. Independent of three.js.
import { add, cross, length, normalized, subtract, type Vector } from './math/vector.ts';
import { OTHER_SIDE as SIDES, wordsOf } from './nameWords.ts';
import { restPoseOf } from './restPose.ts';
import { member } from './properties.ts';
import type { NodeTable, RigScene } from './types.ts';

/** Estimated directions of a model: unit vectors in scene space. */
export interface Facing {
  forward: [number, number, number];
  /** Direction from feet to head: +Y unless the model is lying down. */
  up: [number, number, number];
  /**
   * Degree to which the left-right bone pairs agree, 0 to 1. Halved if there is only one pair, if
   * neither legs nor spine indicate the up axis, or if they indicate that the model is lying down,
   * which cannot be distinguished from an animal with spread legs.
   */
  certainty: number;
}

/** Patterns for bone names from which the side, numbers and common prefixes were removed. */
const LEG = /(^| )(thigh|up leg|upper leg|hip|femur)$/;
const FOOT = /(^| )(foot|ankle|toe|toe base|ball|heel|hoof|paw)$/;
const HIPS = /(^| )(pelvis|hips|mainroot|root)$/;
const SPINE = /(^| )spine$/;
const HEAD = /(^| )(head|neck)$/;
const NOT_A_PART = /^(joint|jnt|bone|bn|\d+)$/;

const Y: Vector = [0, 1, 0];

/**
 * Estimates the direction that a model faces. `up`: up axis, if known. Returns null if there is no
 * left-right pair of bones.
 */
export function facingOf(nodes: NodeTable, up?: readonly [number, number, number]): Facing | null {
  const { positions } = restPoseOf(nodes);
  const pairs = pairsOf(nodes);
  const roots = pairs.filter(({ left, right }) => nodes.parents[left] === nodes.parents[right]);
  const across = roots
    .map(({ left, right }) => normalized(subtract(positions[left]!, positions[right]!)))
    .filter(vector => vector !== null);
  if (across.length === 0) return null;
  const knownUp: Vector | null = up ? [...up] : upOf(nodes, positions, pairs);
  const upAxis = knownUp ?? Y;
  const left = sum(across.map(vector => perpendicular(vector, upAxis)));
  const forward = normalized(cross(left, upAxis));
  if (!forward) return null;
  const isPlain = across.length > 1 && knownUp !== null && (up !== undefined || knownUp[1] === 1);
  return { forward, up: upAxis, certainty: (length(left) / across.length) * (isPlain ? 1 : 0.5) };
}

/**
 * Returns a copy of the nodes in which the bones have the humanoid names that the file declares
 * (VGO). Returns the nodes themselves if the file declares none.
 */
export function nodesWithDeclaredNames({ nodes, features }: RigScene): NodeTable {
  const declared = member(features.find(({ kind }) => kind === 'humanoid')?.properties, 'bones');
  if (!declared || typeof declared !== 'object') return nodes;
  const names = [...nodes.names];
  for (const [name, row] of Object.entries(declared)) if (typeof row === 'number' && row > 0 && row < nodes.length) names[row] = name;
  return { ...nodes, names };
}

interface Pair {
  left: number;
  right: number;
  /** Words of the bone's name, without the word for the side. */
  part: string;
}

/** Finds pairs of bones whose names differ only in the side. */
function pairsOf({ length: count, names, bones }: NodeTable): Pair[] {
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
 * Returns the up axis, or null if it is unknown. If the legs indicate +Y, the spine is ignored,
 * because four-legged animals have a horizontal spine. Otherwise legs and spine must indicate the
 * same axis. Without legs, the spine must indicate +Y. The axis is unknown for animals with several
 * pairs of spread legs.
 */
function upOf(nodes: NodeTable, positions: readonly Vector[], pairs: readonly Pair[]): Vector | null {
  const bothOf = (pattern: RegExp): Vector[] =>
    pairs.filter(({ part }) => pattern.test(part)).flatMap(({ left, right }) => [positions[left]!, positions[right]!]);
  const rowOf = (pattern: RegExp): number =>
    nodes.names.findIndex((name, row) => nodes.bones[row]! >= 0 && pattern.test(partOf(wordsOf(name))));
  const [high, low] = [bothOf(LEG), bothOf(FOOT)];
  const byLegs = high.length > 0 && low.length > 0 ? axisOf(subtract(mean(high), mean(low))) : null;
  if (byLegs?.[1] === 1) return byLegs;
  const hips = [HIPS, SPINE].map(rowOf).find(row => row >= 0);
  const head = rowOf(HEAD);
  const bySpine = hips !== undefined && head >= 0 ? axisOf(subtract(positions[head]!, positions[hips]!)) : null;
  if (!byLegs) return bySpine?.[1] === 1 ? bySpine : null;
  if (high.length > 2) return null;
  return bySpine && byLegs.every((value, k) => value === bySpine[k]) ? byLegs : null;
}

/**
 * Returns the coordinate axis, positive or negative, that is closest to the direction of `vector`.
 * Null if the length of `vector` is almost zero.
 */
function axisOf(vector: Vector): Vector | null {
  const largest = Math.max(...vector.map(Math.abs));
  if (!(largest > 1e-6)) return null;
  const at = vector.findIndex(value => Math.abs(value) === largest);
  return [0, 1, 2].map(k => (k === at ? Math.sign(vector[k]!) : 0)) as Vector;
}

const sum = (all: readonly Vector[]): Vector => all.reduce(add, [0, 0, 0]);
const mean = (all: readonly Vector[]): Vector => sum(all).map(value => value / all.length) as Vector;
/** Returns the component of `a` perpendicular to the unit vector `along`. */
const perpendicular = (a: Vector, along: Vector): Vector => {
  const share = a[0] * along[0] + a[1] * along[1] + a[2] * along[2];
  return subtract(a, [along[0] * share, along[1] * share, along[2] * share]);
};
