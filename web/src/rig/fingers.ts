// Finds the bones of the fingers of one hand.
import { add, dot, normalized } from '../core/math/vector.ts';
import { wordsOf } from '../core/nameWords.ts';
import { restPoseOf } from '../core/restPose.ts';
import { nameOf } from '../core/tree.ts';
import type { NodeTable } from '../core/types.ts';
import { FINGERS, type Word } from './boneNames.ts';
import { isBelow } from './hierarchy.ts';
import type { Finger } from './humanBones.ts';

/** Rows of the bones of each finger, from the palm to the tip. Fingers without bones are left out. */
export type FingerBones = ReadonlyMap<Finger, readonly number[]>;

/**
 * Rows of finger bones whose names are only numbers, by how the fingers were identified: `inferred`
 * from the positions of the bones, or not at all (`unknown`), so that these bones aren't mapped.
 */
export interface NumberedFingers {
  inferred: readonly number[];
  unknown: readonly number[];
}

export interface HandFingers {
  bones: FingerBones;
  numbered: NumberedFingers;
}

/** Returns the bones of the fingers of a hand. `words`: parsed names of the finger bones. */
export function fingersOf(hand: number, words: readonly Word[], nodes: NodeTable): HandFingers {
  const { first, isInferred } = firstFingerOf(hand, words, nodes);
  const found = new Map<Finger, number[]>();
  for (const [i, [finger]] of FINGERS.entries()) {
    const ofFinger = ({ finger: each }: Word): boolean => each === finger || (typeof each === 'number' && each - first === i);
    const bones = words.filter(word => ofFinger(word) && (!word.isPalm || finger === 'Thumb'));
    const chain = chainOf(hand, bones, nodes);
    // The first bone of a chain Index, Index1, Index2, Index3 is in the palm and isn't mapped.
    if (chain.length > 3 && !chain[0]?.hasNumber && chain[1]?.hasNumber) chain.shift();
    if (chain.length > 0)
      found.set(
        finger,
        chain.map(({ row }) => row),
      );
  }
  const numbered = words.flatMap(({ finger, isPalm, row }) =>
    typeof finger === 'number' && !isPalm ? [{ row, index: finger - first }] : [],
  );
  const isKnown = ({ index }: { index: number }): boolean => index >= 0 && index < FINGERS.length;
  const rowsOf = (each: typeof numbered): number[] => each.map(({ row }) => row);
  const inferred = isInferred ? rowsOf(numbered.filter(isKnown)) : [];
  return { bones: found, numbered: { inferred, unknown: rowsOf(numbered.filter(each => !isKnown(each))) } };
}

/**
 * Returns the bones of a finger that form a chain. If the hand has no hierarchy, as the hands of
 * WebXR, names such as "phalanx-proximal" give the order.
 */
function chainOf(hand: number, bones: readonly Word[], nodes: NodeTable): Word[] {
  if (bones.every(({ row }) => !isBelow(nodes, row, hand))) return bones.toSorted((a, b) => jointOf(nodes, a.row) - jointOf(nodes, b.row));
  const chain: Word[] = [];
  for (const bone of bones.toSorted((a, b) => a.depth - b.depth || a.row - b.row))
    if (isBelow(nodes, bone.row, chain.at(-1)?.row ?? hand)) chain.push(bone);
  return chain;
}

const JOINTS = ['metacarpal', 'proximal', 'intermediate', 'distal'];
const jointOf = (nodes: NodeTable, row: number): number => {
  const words = wordsOf(nameOf(nodes, row));
  return JOINTS.findIndex(joint => words.includes(joint));
};

/**
 * Maximum distance of the thumb and minimum distance of a finger from the hand bone, measured along
 * the other fingers, as fractions of the distance of the nearest of these fingers.
 */
const [THUMB_DISTANCE, KNUCKLE_DISTANCE] = [0.6, 0.8];
/** Minimum cosine of the angle between fingers that point in the same direction. */
const SAME_DIRECTION = Math.cos(Math.PI / 9);
/** Maximum cosine of the angle between the thumb and the other fingers. */
const THUMB_DIRECTION = Math.cos(Math.PI / 6);

/**
 * Returns the number of the thumb if fingers are numbered, and whether it was inferred. It is 0 if there is a finger 0 (Biped),
 * and 1 if there is a finger 5 (MakeHuman, XNALara). If another bone is named like a thumb, it is
 * the number before that of the first finger. Otherwise the positions of the bones decide: finger 1 is the thumb if it starts nearer to the hand bone than
 * the other fingers, or points in another direction; finger 1 is the index finger if it does
 * neither. The number is NaN if the positions are ambiguous, so that numbered fingers aren't mapped.
 */
function firstFingerOf(hand: number, words: readonly Word[], nodes: NodeTable): { first: number; isInferred: boolean } {
  const numbers = new Set(words.map(({ finger }) => finger));
  const stated = numbers.has('Thumb') ? (numbers.has(0) ? -1 : numbers.has(1) ? 0 : 1) : numbers.has(0) ? 0 : numbers.has(5) ? 1 : null;
  return stated === null ? { first: inferredFirst(hand, words, nodes), isInferred: true } : { first: stated, isInferred: false };
}

/** Infers the number of the thumb from the positions of the bones. Returns NaN if they are ambiguous. */
function inferredFirst(hand: number, words: readonly Word[], nodes: NodeTable): number {
  const rest = restPoseOf(nodes);
  const fingers = [1, 2, 3, 4].flatMap(number => {
    const chain = chainOf(
      hand,
      words.filter(({ finger, isPalm }) => finger === number && !isPalm),
      nodes,
    );
    const [start, end] = [chain[0]?.row, chain.at(-1)?.row];
    if (start === undefined || end === undefined) return [];
    const direction = normalized(rest.offset(start, end));
    return direction ? [{ number, offset: rest.offset(hand, start), direction }] : [];
  });
  const [one, ...others] = fingers;
  if (one?.number !== 1 || others.length < 2) return NaN;
  const along = normalized(others.map(({ direction }) => direction).reduce(add));
  if (!along) return NaN;
  const distance = dot(one.offset, along);
  const nearest = Math.min(...others.map(({ offset }) => dot(offset, along)));
  const cosines = others.map(({ direction }) => dot(direction, one.direction));
  if (distance < THUMB_DISTANCE * nearest || cosines.every(cosine => cosine < THUMB_DIRECTION)) return 1;
  return distance > KNUCKLE_DISTANCE * nearest && cosines.every(cosine => cosine > SAME_DIRECTION) ? 0 : NaN;
}
