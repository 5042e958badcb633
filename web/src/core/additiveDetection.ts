// Determines whether the keys of a clip are absolute values or differences that are added to a
// pose. Also finds tracks whose keys the exporting tool has replaced by zeros.
import type { SkeletonRows } from './sceneFacts.ts';
import type { Clip, RigScene, Track } from './types.ts';

/** A track and the node that it animates. */
export interface Pair {
  track: Track;
  node: number;
}

/**
 * Result of additive detection. `code` names the evidence. MODES: the format declares the mode of
 * every curve. TRANSLATIONS: as absolute values, the keys would move `count` bones to their
 * parents. ROTATIONS: as absolute values, the keys would remove the rest rotation of `count` bones.
 * NOTHING: too few bones could be inspected; the keys are treated as absolute values.
 */
export interface AdditiveEvidence {
  isAdditive: boolean;
  code: 'MODES' | 'TRANSLATIONS' | 'ROTATIONS' | 'NOTHING';
  /** Number of bones (tracks if `code` is MODES) that indicate an additive clip. */
  count: number;
  /** Number of bones (tracks if `code` is MODES) that were inspected. */
  judged: number;
  /** Node indices of the bones that `count` counts; empty if `code` is MODES. */
  rows: readonly number[];
}

/** Describes the evidence in a few English words. */
export function explainEvidence({ isAdditive, code, count, judged }: AdditiveEvidence): string {
  if (code === 'NOTHING') return 'too few bones move to decide';
  if (code === 'MODES') return isAdditive ? 'the file declares it additive' : 'the file declares its keys as values';
  const what = code === 'TRANSLATIONS' ? 'would collapse onto their parents' : 'would lose their rest rotation';
  return `${isAdditive ? '' : 'only '}${count} of ${judged} bones ${what}`;
}

/** Length of a rest translation, in metres, below which it is considered to be zero. */
const MIN_OFFSET = 1e-4;
/**
 * Keys are considered to be differences if their distance from zero is less than this factor times
 * their distance from the rest pose.
 */
const CLOSER_FACTOR = 0.5;
/** Minimum fraction of the inspected bones or tracks that must indicate an additive clip. */
const MIN_SHARE = 0.6;
/**
 * Rotations are considered to be absolute values if their total distance from the rest pose is less
 * than this factor times their total distance from the identity. An exporter has then emptied
 * translations that are zero.
 */
const ABSOLUTE_FACTOR = 0.98;
/**
 * Cosine of half the minimum rest rotation, 30°. Bones with a smaller rest rotation are not
 * inspected.
 */
const MAX_REST_COSINE = Math.cos(Math.PI / 12);
/** Approximate number of keys per track that are inspected. */
const SAMPLES = 8;

/** Values of the option `additive` of the command line, the element and conversions. */
export const ADDITIVE = ['as-stated', 'detect', 'rest'] as const;

/** Determines how `bind` plays keys that are declared as absolute. */
export type AdditiveOption = (typeof ADDITIVE)[number] | 'layer';

/** How a clip is played on a model. */
export interface Additive {
  /**
   * Pose to which absolute keys are added. `rest`: the rest pose. `layer`: the pose of the layers
   * below. `no`: none; the keys are played as they are.
   */
  base: 'no' | 'rest' | 'layer';
  /**
   * True if `base` was inferred from the keys, because neither the file nor an option determines
   * it.
   */
  isGuessed: boolean;
}

/**
 * Decides how absolute keys are played. `option` has priority over the declaration in the file.
 * Calls `detect` only if neither determines the result.
 */
export function decideAdditive(
  { undeclaredModes, addsToRest }: Clip,
  option: AdditiveOption | undefined,
  detect: () => AdditiveEvidence,
): Additive {
  if (option === 'rest' || option === 'layer') return { base: option, isGuessed: false };
  if (addsToRest) return { base: 'rest', isGuessed: false };
  const isGuessed = (option ?? 'detect') === 'detect' && undeclaredModes === true && detect().isAdditive;
  return { base: isGuessed ? 'rest' : 'no', isGuessed };
}

/**
 * Returns the detail of a finding in English: which bones indicate an additive clip, and how the
 * keys are played.
 */
export function explainAdditive(evidence: AdditiveEvidence, { nodes }: RigScene, { base }: Additive): string {
  const named = evidence.rows.slice(0, MAX_NAMED).map(row => nodes.names[row] ?? '');
  const more = evidence.rows.length - named.length;
  const bones = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const how =
    base === 'no'
      ? 'played as stored; "detect" or "rest" adds the keys to the rest pose'
      : 'added to the rest pose; "as-stated" plays the keys as stored';
  return `${explainEvidence(evidence)} (${bones}): ${how}`;
}

const MAX_NAMED = 5;

/**
 * Finds tracks whose keys are all zeros or identity rotations although their bones have a rest
 * translation (`stripped`), and determines whether the other keys look additive. Zero translations
 * of a bone that rotates are either differences or stripped; the rotations of the clip decide.
 */
export function inspectKeys(
  { undeclaredModes, addsToRest }: Clip,
  pairs: readonly Pair[],
  scene: RigScene,
  { bones, roots }: Pick<SkeletonRows, 'bones' | 'roots'>,
): { stripped: ReadonlySet<Track>; verdict: AdditiveEvidence } {
  const zeros = new Map<number, Track>();
  const rotations = new Map<number, Track>();
  const rotating = new Set<number>();
  const translationVotes: Votes = { rows: [], judged: 0 };
  const rotationVotes: RotationVotes = { rows: [], judged: 0, toIdentity: 0, toRest: 0 };
  let declared = 0;
  let transforms = 0;
  for (const { track, node } of pairs) {
    const { path, mode, component } = track;
    if (path !== 'translation' && path !== 'rotation' && path !== 'scale') continue;
    transforms++;
    if (addsToRest || mode !== 'absolute') declared += addsToRest || mode === 'additive' ? 1 : 0;
    else if (!bones.has(node) || roots.has(node) || component >= 0) continue;
    else if (path === 'rotation') {
      const { values } = track;
      rotations.set(node, track);
      if (!isIdentity(values)) rotating.add(node);
      judgeRotation(values, scene.nodes.rotations, node, rotationVotes);
    } else if (path === 'translation') {
      if (judgeTranslation(track.values, scene.nodes.translations, node, translationVotes)) zeros.set(node, track);
    }
  }
  for (const node of rotating) {
    if (!zeros.has(node)) continue;
    translationVotes.judged++;
    translationVotes.rows.push(node);
  }
  const isDeclared = undeclaredModes !== true;
  const verdict: AdditiveEvidence = isDeclared
    ? { isAdditive: declared > 0 && declared >= MIN_SHARE * transforms, code: 'MODES', count: declared, judged: transforms, rows: [] }
    : verdictOf(translationVotes, rotationVotes);
  const stripped = new Set<Track>();
  for (const [node, zero] of zeros) {
    if (rotating.has(node) && (isDeclared || verdict.isAdditive)) continue;
    stripped.add(zero);
    const rotation = rotations.get(node);
    if (rotation && !rotating.has(node)) stripped.add(rotation);
  }
  return { stripped, verdict };
}

/**
 * The bones that indicate an additive clip (`rows`), and the number of bones that were inspected
 * (`judged`).
 */
interface Votes {
  rows: number[];
  judged: number;
}

/**
 * `toIdentity`, `toRest`: mean distances in radians of the rotations of each bone from the identity
 * and from the rest pose, summed over all bones.
 */
interface RotationVotes extends Votes {
  toIdentity: number;
  toRest: number;
}

function verdictOf(translationVotes: Votes, rotationVotes: RotationVotes): AdditiveEvidence {
  const evidenceOf = ({ rows, judged }: Votes, code: AdditiveEvidence['code'], isAdditive: boolean): AdditiveEvidence => ({
    isAdditive,
    code,
    count: rows.length,
    judged,
    rows,
  });
  if (translationVotes.judged >= 2) {
    const isAdditive = translationVotes.rows.length >= MIN_SHARE * translationVotes.judged;
    const isEmptied = isAdditive && rotationVotes.toRest < ABSOLUTE_FACTOR * rotationVotes.toIdentity;
    return isEmptied ? evidenceOf(rotationVotes, 'ROTATIONS', false) : evidenceOf(translationVotes, 'TRANSLATIONS', isAdditive);
  }
  if (rotationVotes.judged >= 3)
    return evidenceOf(rotationVotes, 'ROTATIONS', rotationVotes.rows.length > MIN_SHARE * rotationVotes.judged);
  return evidenceOf(rotationVotes, 'NOTHING', false);
}

/**
 * Inspects a translation track and counts its node in `votes`, unless the node has no rest
 * translation. Returns true if the track contains only zeros.
 */
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

/**
 * Adds the distances of a rotation track to `votes`. Counts its node, unless its rest rotation is
 * too small.
 */
function judgeRotation(values: Float32Array, rest: Float32Array, node: number, votes: RotationVotes): void {
  const at = 4 * node;
  const keys = values.length / 4;
  const step = Math.max(Math.floor(keys / SAMPLES), 1);
  let toIdentity = 0;
  let toRest = 0;
  let samples = 0;
  for (let k = 0; k < keys; k += step, samples++) {
    let cosine = 0;
    for (let c = 0; c < 4; c++) cosine += values[4 * k + c]! * rest[at + c]!;
    toIdentity += angle(values[4 * k + 3]!);
    toRest += angle(cosine);
  }
  if (samples === 0) return;
  votes.toIdentity += toIdentity / samples;
  votes.toRest += toRest / samples;
  if (!(Math.abs(rest[at + 3]!) < MAX_REST_COSINE)) return;
  votes.judged++;
  if (toIdentity < toRest) votes.rows.push(node);
}

const angle = (cosine: number): number => Math.acos(Math.min(Math.abs(cosine), 1));

function isIdentity(rotations: Float32Array): boolean {
  for (let i = 0; i < rotations.length; i += 4) if (rotations[i] !== 0 || rotations[i + 1] !== 0 || rotations[i + 2] !== 0) return false;
  return true;
}
