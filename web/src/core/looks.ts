// Decides how the keys of a clip are played on a model: as values, or as differences that are added to something. Finds tracks that a tool has emptied.
import type { SkeletonRows } from './sceneFacts.ts';
import type { Clip, RigScene, Track } from './types.ts';

/** A track and the row of the node it moves. */
export interface Pair {
  track: Track;
  node: number;
}

/**
 * Whether an animation is additive, and the evidence. MODES: its format declares the mode of every curve, so nothing is guessed. PLACES: that many of the judged bones
 * would lie near their parents, away from where they rest. TURNS: that many of them would lose the rotation that they have at rest. NOTHING: too few bones move;
 * taken for values.
 */
export interface Looks {
  isAdditive: boolean;
  code: 'MODES' | 'PLACES' | 'TURNS' | 'NOTHING';
  /** Number of bones (for MODES: tracks) that indicate an additive animation. */
  count: number;
  judged: number;
  /** Rows of these bones in `scene.nodes`; empty for MODES. */
  rows: readonly number[];
}

/** Explains the evidence in a few words. */
export function explainLooks({ isAdditive, code, count, judged }: Looks): string {
  if (code === 'NOTHING') return 'too few bones move to tell';
  if (code === 'MODES') return isAdditive ? 'the file declares it additive' : 'the file declares its keys as values';
  const what = code === 'PLACES' ? 'would collapse onto their parents' : 'would lose the turn that they have at rest';
  return `${isAdditive ? '' : 'only '}${count} of ${judged} bones ${what}`;
}

/** Metres: rest translations below are not told from zero. */
const SMALLEST = 1e-4;
/** A difference is nearer to zero than to the rest pose by this factor. */
const NEARER = 0.5;
const MOST = 0.6;
/** Cosine of the half angle of 30°: bones that are turned less at rest do not tell one from the other. */
const TURNED = Math.cos(Math.PI / 12);
/** Keys of a track that are looked at. */
const SAMPLES = 8;

/** Values of the option `additive` of commands, elements and conversions. */
export const ADDITIVE = ['as-stated', 'detect', 'rest'] as const;

/** How `bind` plays absolute keys. */
export type AdditiveOption = (typeof ADDITIVE)[number] | 'layer' | 'off';

/** How a clip is played on a model. */
export interface Additive {
  /** Its absolute keys are added to the rest pose, or to whatever else plays; `no`: they are the values themselves. */
  base: 'no' | 'rest' | 'layer';
  /** No option asked for it, and the format cannot declare it: the keys look additive on this model. */
  isGuessed: boolean;
}

/**
 * The one decision about additive keys. A format that declares the mode of every curve is never overruled by a guess; only an option does that. `looks` is called if
 * the decision depends on it.
 */
export function decideAdditive({ undeclaredModes }: Clip, option: AdditiveOption | undefined, looks: () => Looks): Additive {
  if (option === 'rest' || option === 'layer') return { base: option, isGuessed: false };
  const isGuessed = (option ?? 'detect') === 'detect' && undeclaredModes === true && looks().isAdditive;
  return { base: isGuessed ? 'rest' : 'no', isGuessed };
}

/** Says which bones make keys of an undeclared mode look additive, and how they are played. The same words in findings and in conversion reports. */
export function explainAdditive(looks: Looks, { nodes }: RigScene, { base }: Additive): string {
  const named = looks.rows.slice(0, MOST_NAMED).map(row => nodes.names[row] ?? '');
  const more = looks.rows.length - named.length;
  const bones = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const how =
    base === 'no'
      ? 'played as stored; "detect" or "rest" adds the keys to the rest pose'
      : 'added to the rest pose; "as-stated" plays the keys as stored';
  return `${explainLooks(looks)} (${bones}): ${how}`;
}

const MOST_NAMED = 5;

/**
 * Finds bones whose tracks are exactly zero and identity in all frames although they rest elsewhere (`stripped`), and whether the other keys look additive. Translations
 * tell more than rotations, which leave the rest pose far behind.
 */
export function inspectMotion(
  { undeclaredModes }: Clip,
  pairs: readonly Pair[],
  scene: RigScene,
  { bones, roots }: Pick<SkeletonRows, 'bones' | 'roots'>,
): { stripped: Set<number>; verdict: Looks } {
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
      judgeTurn(values, scene.nodes.rotations, node, turns);
    } else if (path === 'translation') {
      if (judgePlace(track.values, scene.nodes.translations, node, places)) stripped.add(node);
    }
  }
  for (const node of alive) {
    if (stripped.delete(node)) {
      places.judged++; // turns, but sits on its parent: a difference, not a removed track
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

/** Bones that indicate an additive animation, and how many were looked at. */
interface Votes {
  rows: number[];
  judged: number;
}

function verdictOf(places: Votes, turns: Votes): Looks {
  const looks = ({ rows, judged }: Votes, code: Looks['code'], isAdditive: boolean): Looks => ({
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

/** Returns true if the track is nothing but zeros. */
function judgePlace(values: Float32Array, rest: Float32Array, node: number, votes: Votes): boolean {
  const at = 3 * node;
  const length = Math.hypot(rest[at]!, rest[at + 1]!, rest[at + 2]!);
  if (!(length > SMALLEST)) return false;
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
  if (toZero < NEARER * toRest) votes.rows.push(node);
  return false;
}

function judgeTurn(values: Float32Array, rest: Float32Array, node: number, votes: Votes): void {
  const at = 4 * node;
  if (!(Math.abs(rest[at + 3]!) < TURNED)) return;
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
