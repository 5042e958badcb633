// Reads the leg and the side from names of bones of quadrupeds.
import { type Side, sideOf, wordsOf } from '../core/nameWords.ts';
import { HELPERS } from './boneNames.ts';

export const PAIRS = ['Front', 'Hind'] as const;
export type Pair = (typeof PAIRS)[number];

/** Kind of a leg bone. `root`: shoulder blade, collar bone or one half of the pelvis. */
export type Segment = 'root' | 'upper' | 'lower' | 'foot' | 'toes';

/** The parsed name of a bone. */
export interface QuadrupedWord {
  row: number;
  side: Side | null;
  /** The pair of legs that the name states, as in `front_thigh.L`; null if it states none. */
  pair: Pair | null;
  /** The pair of legs whose bones usually have this name: front for arms and hands, hind for legs. */
  usualPair: Pair | null;
  /** The segment of a leg that the name states; null if it states none. */
  segment: Segment | null;
  part: 'neck' | 'head' | 'jaw' | 'ear' | 'tail' | 'pelvis' | null;
}

/** Abbreviations of pair and side, as in `UpperLeg_FL` and `leg_RR`. */
const CORNERS: Readonly<Record<string, readonly [Pair, Side]>> = {
  fl: ['Front', 'left'],
  fr: ['Front', 'right'],
  hl: ['Hind', 'left'],
  hr: ['Hind', 'right'],
  bl: ['Hind', 'left'],
  br: ['Hind', 'right'],
  rl: ['Hind', 'left'],
  rr: ['Hind', 'right'],
};

/** Beginnings of words for the pairs of legs. */
const FRONT = /\b(front|frnt|fore)/;
const HIND = /\b(hind|back|rear)/;

/** Name patterns of the segments. The first match is used, so `forearm` comes before `arm`. */
const SEGMENTS: readonly (readonly [Segment, RegExp])[] = [
  ['toes', /toe|hoof|ball|finger|claw|digit|fetlock|pastern/],
  ['foot', /foo+t|feet|paw|hand|wrist|ankle|hock|horse ?link|metatars|metacarp|cannon|carp(us|al)/],
  ['lower', /lower|shin|calf|knee|tibia|fore?arm|elbow|radius|ulna|lwr/],
  ['upper', /upper|thigh|femur|humerus|up ?(leg|arm)|bicep/],
  ['root', /shoulder|sholder|scapula|clav|collar|pelvis|hips?$/],
];
const OF_ARM = /arm|hand|wrist|finger|clav|collar|shoulder|sholder|scapula|elbow|humerus|radius|ulna|metacarp|carp(us|al)/;
const OF_LEG = /leg|thigh|shin|calf|foo+t|feet|toe|hoof|paw|ankle|knee|hock|horse ?link|femur|tibia|metatars|pelvis|hips?$|ball/;

const PARTS: readonly (readonly [Exclude<QuadrupedWord['part'], null>, RegExp])[] = [
  ['tail', /^tail/],
  ['ear', /^ears?$/],
  ['jaw', /jaw|^chin$/],
  ['neck', /neck/],
  ['head', /^head/],
  ['pelvis', /pelvis|^hips?$/],
];

/** Reads a bone name. Returns null if it identifies a helper bone. */
export function readQuadrupedName(name: string, row: number): QuadrupedWord | null {
  const words = wordsOf(name);
  if (words.some(word => HELPERS.test(word) || word.startsWith('tip'))) return null;
  const corner = words.map(word => CORNERS[word]).find(found => found !== undefined);
  const { side, rest } = corner ? { side: corner[1], rest: words.filter(word => !Object.hasOwn(CORNERS, word)) } : sideOf(words);
  const letters = rest.filter(word => !/^\d+$/.test(word));
  const text = letters.join(' ');
  const pair = corner?.[0] ?? (FRONT.test(text) ? 'Front' : HIND.test(text) ? 'Hind' : null);
  const joined = letters.join('');
  const usualPair = OF_ARM.test(joined) ? 'Front' : OF_LEG.test(joined) ? 'Hind' : null;
  const segment = SEGMENTS.find(([, pattern]) => pattern.test(text) || pattern.test(joined))?.[0] ?? null;
  const part = PARTS.find(([, pattern]) => letters.some(word => pattern.test(word)))?.[0] ?? null;
  return { row, side, pair, usualPair, segment, part };
}
