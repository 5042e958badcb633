// Finds hands and their sides: hands that models contain, and recorded hands, whose joints have the
// same names on both sides (mrtk-input-animation.md).
import { cross, dot, length, normalized, subtract } from './math/vector.ts';
import { sideOf, type Side, SIDES, wordsOf } from './nameWords.ts';
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
export function sideOfHand(
  hand: number,
  fingers: ReadonlyMap<string, readonly number[]>,
  nodes: NodeTable,
  modelName: string,
): Side | null {
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

const JOINT = /(?:^|_)(wrist|palm|(thumb|(?:index|middle|ring|pinky)_finger)_(metacarpal|phalanx_(?:proximal|intermediate|distal)|tip))$/;
const FINGER_NAMES: Readonly<Record<string, string>> = {
  thumb: 'Thumb',
  index_finger: 'Index',
  middle_finger: 'Middle',
  ring_finger: 'Ring',
  pinky_finger: 'Little',
};
const PHALANGES = ['phalanx_proximal', 'phalanx_intermediate', 'phalanx_distal'];
/** Minimum number of fingers by which a hand is detected. */
const MIN_FINGERS = 4;

interface HandJoint {
  row: number;
  /** Name in WebXR, such as `thumb-tip`. */
  name: string;
  /** Finger and bone; undefined for wrist and palm. */
  finger: string | undefined;
  bone: string | undefined;
}

/** Parses the WebXR name of a joint, which may have a prefix. Returns null for other names. */
function readJoint(name: string, row: number): HandJoint | null {
  const found = JOINT.exec(
    name
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '_'),
  );
  return found && { row, name: (found[1] ?? '').replaceAll('_', '-'), finger: found[2], bone: found[3] };
}

/** Returns the given nodes that are joints of a hand, by their names in WebXR. */
export function jointRows(nodes: NodeTable, rows: readonly number[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap(row => readJoint(nameOf(nodes, row), row) ?? []).map(({ name, row }) => [name, row]));
}

/**
 * Returns the side of each target that is a joint of a recorded hand, and null for other targets.
 * Recordings name joints as WebXR does; occurrence 0 is the left hand and 1 the right hand. Returns
 * null if the targets are not those of a recording.
 */
export function recordedSides(targets: readonly { name: string; occurrence: number }[]): (Side | null)[] | null {
  const isJoint = (name: string): boolean => readJoint(name, 0) !== null;
  const isRecording = targets.some(
    ({ name, occurrence }) => name === 'hand.left' || name === 'hand.right' || (occurrence === 1 && isJoint(name)),
  );
  return isRecording ? targets.map(({ name, occurrence }) => (isJoint(name) ? (SIDES[occurrence] ?? null) : null)) : null;
}

/** A hand with the joints of WebXR. */
export interface HandModel {
  /** Null if names and positions do not show the side. */
  side: Side | null;
  rows: readonly number[];
}

/**
 * Finds the hands of a model that have the joints of WebXR. These joints are below the wrist, or
 * beside it as in the `generic-hand` profile.
 */
export function handModelsOf(nodes: NodeTable, modelName: string): HandModel[] {
  const sideInName = (row: number): Side | null => sideOf(wordsOf(nameOf(nodes, row))).side;
  const joints: HandJoint[] = [];
  const wrists = new Int32Array(nodes.length).fill(-1);
  const beside = new Map<string, number>();
  const placeOf = (row: number): string => `${parentOf(nodes, row)} ${sideInName(row)}`;
  for (let row = 1; row < nodes.length; row++) {
    wrists[row] = wrists[parentOf(nodes, row)] ?? -1;
    const joint = readJoint(nameOf(nodes, row), row);
    if (!joint) continue;
    joints.push(joint);
    if (joint.name !== 'wrist') continue;
    wrists[row] = row;
    beside.set(placeOf(row), row);
  }
  const hands = new Map<number, HandJoint[]>();
  for (const joint of joints) {
    const wrist = wrists[joint.row]! >= 0 ? wrists[joint.row] : beside.get(placeOf(joint.row));
    if (wrist !== undefined) hands.set(wrist, [...(hands.get(wrist) ?? []), joint]);
  }
  return [...hands].flatMap(([wrist, own]) => {
    const fingers = fingersOf(own);
    if (fingers.size < MIN_FINGERS) return [];
    return [{ side: sideInName(wrist) ?? sideOfHand(wrist, fingers, nodes, modelName), rows: own.map(({ row }) => row) }];
  });
}

/** Returns the rows of the bones of each finger outside the palm, from the palm to the tip. */
function fingersOf(joints: readonly HandJoint[]): Map<string, number[]> {
  const fingers = new Map<string, number[]>();
  for (const [name, finger] of Object.entries(FINGER_NAMES)) {
    const bones = name === 'thumb' ? ['metacarpal', ...PHALANGES] : PHALANGES;
    const rows = bones.flatMap(bone => joints.filter(joint => joint.finger === name && joint.bone === bone).map(({ row }) => row));
    if (rows.length > 0) fingers.set(finger, rows);
  }
  return fingers;
}

/** The hands of a recording and the hands of a model that play them. */
export class HandPairing {
  /**
   * Indices of the targets that are joints of a hand that the model does not have. `NodeNames` does
   * not match them.
   */
  readonly leftOut: ReadonlySet<number>;
  /** Side of the recorded hand that a single hand of unknown side plays; null if its side is known. */
  readonly assumed: Side | null;
  readonly #sides: readonly (Side | null)[];
  readonly #rows = new Map<number, Side>();

  /** `sides`: result of `recordedSides`. `hands`: hands of the model, at least one. */
  constructor(sides: readonly (Side | null)[], hands: readonly HandModel[]) {
    this.#sides = sides;
    const isUnknown = hands.length === 1 && hands[0]!.side === null;
    this.assumed = isUnknown ? (SIDES.find(side => sides.includes(side)) ?? null) : null;
    const known = hands.map(({ side, rows }) => ({ side: side ?? this.assumed, rows }));
    for (const { side, rows } of known) for (const row of rows) if (side) this.#rows.set(row, side);
    const missing = SIDES.filter(side => known.every(hand => hand.side !== null && hand.side !== side));
    this.leftOut = new Set(sides.flatMap((side, i) => (side && missing.includes(side) ? [i] : [])));
  }

  /** Returns the rows that the target with the given index may move. */
  rowsFor(target: number, rows: readonly number[]): readonly number[] {
    const side = this.#sides[target];
    if (!side) return rows;
    return this.leftOut.has(target) ? [] : rows.filter(row => (this.#rows.get(row) ?? side) === side);
  }

  /** Side of the joints in `leftOut`, or null if there are none. */
  get otherSide(): Side | null {
    const [first] = this.leftOut;
    return first === undefined ? null : (this.#sides[first] ?? null);
  }
}
