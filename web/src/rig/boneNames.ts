// Reads the body part, the side and the finger from bone names.
import { type Side, sideOf, wordsOf } from '../core/nameWords.ts';
import type { Finger } from './humanBones.ts';

/** A parsed bone name. */
export interface Word {
  row: number;
  depth: number;
  part: Part;
  side: Side | null;
  /**
   * Letters of the name that remain without body part and side. If several bones match a body part,
   * those with the same remaining letters as the limb are preferred, then those with the fewest.
   */
  rest: string;
  /** The finger, or its number if fingers are numbered. */
  finger?: Finger | number;
  /** True if the name contains a word for the palm, such as "metacarpal". */
  isPalm: boolean;
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
  eye: /eye$|eyeball|eyesmplhf/,
  jaw: /jaw|chin$/,
  spine: /spine$/,
} as const;
export type Part = keyof typeof PARTS | 'finger';

export const FINGERS: readonly (readonly [Finger, RegExp])[] = [
  ['Thumb', /^thumb/],
  ['Index', /^(index|point)/],
  ['Middle', /^mid/],
  ['Ring', /^ring/],
  ['Little', /^(pinky|pinkie|little)/],
];

/** Words that identify helper bones. Bones with such a word in their names aren't mapped. */
export const HELPERS =
  /^(ik|fk|vb|pole|roll|target|helper|ctrl|control|offset|correct|corrective|socket|attach|attachment|prop|weapon|end|nub|cloth|skirt|muscle|bulge|dummy|marker|aim|camera|jiggle|pad|armou?r|adj|virtual|inner|outer|grip|gun|holster|lid|brow|lash|sleeve|hair|twist\d*|.*twist)$/;

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

/** OptiTrack abbreviates "left upper arm" to LUArm and "right forearm" to RFArm. */
const SHORT_ARMS: readonly (readonly [RegExp, string])[] = [
  [/(?<!\p{L})([LR])U(?=Arm)/u, '$1 upper'],
  [/(?<!\p{L})([LR])F(?=Arm)/u, '$1 fore'],
];

const translated = (name: string, words: readonly (readonly [RegExp, string])[]): string =>
  words.reduce((text, [pattern, word]) => text.replace(pattern, ` ${word} `), name);

/** Splits a bone name into lower-case English words. */
function englishWords(name: string): string[] {
  if (!/[\p{Script=Han}\p{Script=Hiragana}]/u.test(name)) return wordsOf(translated(name, SHORT_ARMS));
  return wordsOf(translated(name.normalize('NFKC'), JAPANESE));
}

/** Words for bones in the palm, such as indexmetacarpal, lCarpal1, SecondMC and palm_index. */
const IN_PALM = /(^|meta)carpals?$|^(palm.*|mc)$/;

/** Words at the end of the names of all bones: ARKit's left_arm_joint, and arm_stretch.l of Auto-Rig Pro. */
const NEUTRAL = /^(joint|jnt|stretch)$/;

/** Names of single toes, which are used only if a foot has no bone for all toes. */
export const SINGLE_TOE = /thumb|big|index|long|mid|ring|fourth|little|pinky|small/;

/** Reads a bone name. Returns null if it contains no known body part or identifies a helper bone. */
export function readName(name: string, row: number, depth: number): Word | null {
  const words = englishWords(name);
  if (words.some(word => HELPERS.test(word))) return null;
  const { side, rest } = sideOf(words);
  const letters = rest.filter(word => !/^\d+$/.test(word)).join('');
  const named = rest.filter(word => !/^\d+$/.test(word) && !NEUTRAL.test(word)).join('');
  const finger = /toe|foot/.test(letters) ? null : fingerOf(rest);
  const isPalm = rest.some(word => IN_PALM.test(word));
  const hasNumber = words.some(word => /^\d+$/.test(word));
  if (finger !== null) {
    if (rest.some(word => word.startsWith('tip'))) return null;
    return { row, depth, part: 'finger', side, rest: '', finger, isPalm, hasNumber };
  }
  for (const part of Object.keys(PARTS) as (keyof typeof PARTS)[]) {
    const found = PARTS[part].exec(named);
    if (found) return { row, depth, part, side, rest: letters.replace(found[0], ''), isPalm, hasNumber };
  }
  return null;
}

/** Returns the finger that a bone name contains, or its number. Returns null if there is none. */
function fingerOf(words: readonly string[]): Finger | number | null {
  for (const word of words) {
    const found = FINGERS.find(([, pattern]) => pattern.test(word));
    if (found) return found[0];
  }
  const joint = words.findIndex(word => /^(mc|pp|mp|dp)$/.test(word));
  const ordinal = joint > 0 ? ORDINALS.indexOf(words[joint - 1] ?? '') : -1;
  if (ordinal >= 0) return FINGERS[ordinal]?.[0] ?? null;
  const number = fingerNumber(words);
  return Number.isNaN(number) ? null : number;
}

/** Ordinals of the fingers in Xsens, which calls the bones of the index finger SecondPP to SecondDP. */
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/**
 * Returns the number of a finger: the first digit after the word "finger", or NaN if there is none.
 * Finger12 in 3ds Max's Biped and finger1-2 in MakeHuman are the last and the middle bone of finger
 * 1.
 */
const fingerNumber = (words: readonly string[]): number => {
  const at = words.indexOf('finger');
  return at >= 0 ? Number(words[at + 1]?.[0]) : NaN;
};
