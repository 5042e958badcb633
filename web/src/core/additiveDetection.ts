// Decides whether the keys of a clip are values or differences that are added to a pose. Also finds
// tracks that a tool has emptied.
import type { SkeletonRows } from './sceneFacts.ts';
import type { Clip, RigScene, Track } from './types.ts';

/** A track and the node that it animates. */
export interface Pair {
  track: Track;
  node: number;
}

/**
 * The result of additive detection, with the evidence. MODES: its format declares the mode of every curve.
 * PLACES: `count` of the judged bones would move to their parents, away from their rest positions.
 * TURNS: `count` of them would lose their rest rotation. NOTHING: too few bones move to decide;
 * treated as values.
 */
export interface AdditiveEvidence {
  isAdditive: boolean;
  code: 'MODES' | 'PLACES' | 'TURNS' | 'NOTHING';
  /** Number of bones (for MODES: tracks) that indicate an additive clip. */
  count: number;
  judged: number;
  /** Nodes of these bones; empty for MODES. */
  rows: readonly number[];
}

/** Explains the evidence in a few English words. */
export function explainEvidence({ isAdditive, code, count, judged }: AdditiveEvidence): string {
  if (code === 'NOTHING') return 'too few bones move to tell';
  if (code === 'MODES') return isAdditive ? 'the file declares it additive' : 'the file declares its keys as values';
  const what = code === 'PLACES' ? 'would collapse onto their parents' : 'would lose the turn that they have at rest';
  return `${isAdditive ? '' : 'only '}${count} of ${judged} bones ${what}`;
}

/** Metres. Rest translations below this length are indistinguishable from zero. */
const MIN_OFFSET = 1e-4;
/** Keys are differences if they are closer to zero than to the rest pose by this factor. */
const CLOSER_FACTOR = 0.5;
const MOST = 0.6;
/** Cosine of half of 30°. Bones with a smaller rest rotation are not judged. */
const MAX_REST_COSINE = Math.cos(Math.PI / 12);
/** Number of keys per track that are inspected. */
const SAMPLES = 8;

/** Values of the option `additive` of commands, elements and conversions. */
export const ADDITIVE = ['as-stated', 'detect', 'rest'] as const;

/** How `bind` plays absolute keys. */
export type AdditiveOption = (typeof ADDITIVE)[number] | 'layer' | 'off';

/** How a clip is played on a model. */
export interface Additive {
  /** Base of absolute keys: the rest pose, or the pose below. `no`: keys are values. */
  base: 'no' | 'rest' | 'layer';
  /**
   * True if the decision follows from the keys, because the format cannot declare it and no option
   * was set.
   */
  isGuessed: boolean;
}

/**
 * Decides how absolute keys are played. If the format declares the mode of every curve, only an
 * option can override it. Calls `looks` only if the decision depends on the evidence.
 */
export function decideAdditive({ undeclaredModes }: Clip, option: AdditiveOption | undefined, looks: () => AdditiveEvidence): Additive {
  if (option === 'rest' || option === 'layer') return { base: option, isGuessed: false };
  const isGuessed = (option ?? 'detect') === 'detect' && undeclaredModes === true && looks().isAdditive;
  return { base: isGuessed ? 'rest' : 'no', isGuessed };
}

/**
 * Explains which bones make keys of an undeclared mode look additive, and how they are played. Used
 * in findings and conversion reports.
 */
export function explainAdditive(looks: AdditiveEvidence, { nodes }: RigScene, { base }: Additive): string {
  const named = looks.rows.slice(0, MAX_NAMED).map(row => nodes.names[row] ?? '');
  const more = looks.rows.length - named.length;
  const bones = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const how =
    base === 'no'
      ? 'played as stored; "detect" or "rest" adds the keys to the rest pose'
      : 'added to the rest pose; "as-stated" plays the keys as stored';
  return `${explainEvidence(looks)} (${bones}): ${how}`;
}

const MAX_NAMED = 5;

/**
 * Finds bones whose tracks contain only zero or identity although their rest pose differs
 * (`stripped`), and determines whether the other keys look additive. Translations are stronger
 * evidence than rotations, which move far away from the rest pose.
 */
export function inspectKeys(
  { undeclaredModes }: Clip,
  pairs: readonly Pair[],
  scene: RigScene,
  { bones, roots }: Pick<SkeletonRows, 'bones' | 'roots'>,
): { stripped: Set<number>; verdict: AdditiveEvidence } {
  const stripped = new Set<number>();
  const alive = new Set<number>();
  const places: Votes = { rows: [], judged: 0 };
  const turns: Votes = { rows: [], judged: 0 };
  let declared = 0;
  let transforms = 0;
  for (const { track, node } of pairs) {
    const { path, mode, component } = track;
    if (path !== 'translation' && path !== 'rotation' && path !== 'scale') continue;
    transforms++;
    if (mode !== 'absolute') declared += mode === 'additive' ? 1 : 0;
    else if (!bones.has(node) || roots.has(node) || component >= 0) continue;
    else if (path === 'rotation') {
      const { values } = track;
      if (!isIdentity(values)) alive.add(node);
      judgeRotation(values, scene.nodes.rotations, node, turns);
    } else if (path === 'translation') {
      if (judgeTranslation(track.values, scene.nodes.translations, node, places)) stripped.add(node);
    }
  }
  for (const node of alive) {
    if (stripped.delete(node)) {
      places.judged++; // rotates but stays at its parent: a difference, not a removed track
      places.rows.push(node);
    }
  }
  const isDeclared = undeclaredModes !== true;
  return {
    stripped,
    verdict: isDeclared
      ? { isAdditive: declared > 0 && declared >= MOST * transforms, code: 'MODES', count: declared, judged: transforms, rows: [] }
      : verdictOf(places, turns),
  };
}

/** Bones that indicate an additive clip, and number of bones judged. */
interface Votes {
  rows: number[];
  judged: number;
}

function verdictOf(places: Votes, turns: Votes): AdditiveEvidence {
  const looks = ({ rows, judged }: Votes, code: AdditiveEvidence['code'], isAdditive: boolean): AdditiveEvidence => ({
    isAdditive,
    code,
    count: rows.length,
    judged,
    rows,
  });
  if (places.judged >= 2) return looks(places, 'PLACES', places.rows.length >= MOST * places.judged);
  if (turns.judged >= 3) return looks(turns, 'TURNS', turns.rows.length > MOST * turns.judged);
  return looks(turns, 'NOTHING', false);
}

/** Returns true if the track contains only zeros. */
function judgeTranslation(values: Float32Array, rest: Float32Array, node: number, votes: Votes): boolean {
  const at = 3 * node;
  const length = Math.hypot(rest[at]!, rest[at + 1]!, rest[at + 2]!);
  if (!(length > MIN_OFFSET)) return false;
  const keys = values.length / 3;
  const step = Math.max(Math.floor(keys / SAMPLES), 1);
  let toZero = 0;
  let toRest = 0;
  for (let k = 0; k < keys; k += step) {
    const x = values[3 * k]!;
    const y = values[3 * k + 1]!;
    const z = values[3 * k + 2]!;
    toZero += Math.hypot(x, y, z);
    toRest += Math.hypot(x - rest[at]!, y - rest[at + 1]!, z - rest[at + 2]!);
  }
  if (toZero === 0 && values.every(value => value === 0)) return true;
  votes.judged++;
  if (toZero < CLOSER_FACTOR * toRest) votes.rows.push(node);
  return false;
}

function judgeRotation(values: Float32Array, rest: Float32Array, node: number, votes: Votes): void {
  const at = 4 * node;
  if (!(Math.abs(rest[at + 3]!) < MAX_REST_COSINE)) return;
  const keys = values.length / 4;
  const step = Math.max(Math.floor(keys / SAMPLES), 1);
  let toNone = 0;
  let toRest = 0;
  for (let k = 0; k < keys; k += step) {
    let cosine = 0;
    for (let c = 0; c < 4; c++) cosine += values[4 * k + c]! * rest[at + c]!;
    toNone += angle(values[4 * k + 3]!);
    toRest += angle(cosine);
  }
  votes.judged++;
  if (toNone < toRest) votes.rows.push(node);
}

const angle = (cosine: number): number => Math.acos(Math.min(Math.abs(cosine), 1));

function isIdentity(rotations: Float32Array): boolean {
  for (let i = 0; i < rotations.length; i += 4) if (rotations[i] !== 0 || rotations[i + 1] !== 0 || rotations[i + 2] !== 0) return false;
  return true;
}
