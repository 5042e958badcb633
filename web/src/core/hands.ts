// Finds hands and their sides: hands that models contain, and recorded hands, whose joints have the
// same names on both sides (mrtk-input-animation.md).
import { cross, dot, length, normalized, subtract } from './math/vector.ts';
import { sideOf, type Side, wordsOf } from './nameWords.ts';
import { restPoseOf } from './restPose.ts';
import { nameOf, parentOf } from './tree.ts';
import type { NodeTable } from './types.ts';

/** Maximum number of ancestors whose names are searched for a side. */
const MAX_DEPTH = 256;
/**
 * Minimum distance of the fingertips from the plane of the palm, as a fraction of the length of the
 * palm, from which the side of a hand is inferred.
 */
const PALM_SIDE = 0.1;

/**
 * Returns the side of a hand that isn't part of a body: the side in the name of its nearest
 * ancestor or of that ancestor's children, then the side in the name of the model, then the side
 * that the positions of the bones show. Returns null if the fingers end in the plane of the palm.
 * `fingers`: rows of the bones of each finger, from the palm to the tip.
 */
export function sideOfHand(hand: number, fingers: ReadonlyMap<string, readonly number[]>, nodes: NodeTable, modelName: string): Side | null {
  for (let row = parentOf(nodes, hand), depth = 0; row >= 0 && depth < MAX_DEPTH; row = parentOf(nodes, row), depth++) {
    const own = sideIn(nameOf(nodes, row));
    if (own) return own;
    const sides = new Set(nodes.names.filter((_, each) => each > 0 && parentOf(nodes, each) === row).map(sideIn));
    sides.delete(null);
    const [side] = sides;
    if (side && sides.size === 1) return side;
  }
  return sideIn(`hand ${modelName}`) ?? sideByPosition(hand, fingers, nodes);
}

/** Returns the side in the name of a hand, such as "l_handMeshNode" or "hand.left". */
function sideIn(name: string): Side | null {
  const words = wordsOf(name);
  return words.includes('hand') ? sideOf(words).side : null;
}

/**
 * Infers the side of a hand: fingers bend towards the palm, and the thumb is on the palm's side,
 * left of the right hand's fingers if the palm points down.
 */
function sideByPosition(hand: number, fingers: ReadonlyMap<string, readonly number[]>, nodes: NodeTable): Side | null {
  const rest = restPoseOf(nodes);
  const [index, middle, little] = ['Index', 'Middle', 'Little'].map(finger => fingers.get(finger)?.[0]);
  if (index === undefined || middle === undefined || little === undefined) return null;
  const along = rest.offset(hand, middle);
  const back = normalized(cross(along, subtract(rest.position(index), rest.position(little))));
  if (!back) return null;
  const heights = [...fingers.values()].map(chain => dot(back, rest.offset(hand, chain.at(-1) ?? hand)));
  const height = heights.reduce((sum, each) => sum + each, 0) / heights.length;
  if (Math.abs(height) < PALM_SIDE * length(along)) return null;
  return height < 0 ? 'right' : 'left';
}
