// What a motion's keys look like on a model: values, differences that are to be added to something, or tracks that a tool has emptied.
import type { RigScene, Track } from './types.ts';

/** A track and the row of the node it moves. */
export interface Pair {
  track: Track;
  node: number;
}

/**
 * Whether a motion is made of differences, and what says so. MODES: its file does. PLACES: as so many of the judged bones lie near their parents, where at rest they do
 * not, or so few. TURNS: so many of them are turned hardly at all, where at rest they are. NOTHING: too little moves to tell; taken for values.
 */
export interface Looks {
  isAdditive: boolean;
  code: 'MODES' | 'PLACES' | 'TURNS' | 'NOTHING';
  /** Bones (tracks of MODES) that speak for differences. */
  count: number;
  judged: number;
}

/** In a few words, for people. */
export function explainLooks({ isAdditive, code, count, judged }: Looks): string {
  if (code === 'NOTHING') return 'too few bones move to tell';
  if (code === 'MODES') return isAdditive ? 'the file says so' : 'the file says that they are no differences';
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

/** Bones, and those of them that are under no other bone. */
interface Skeleton {
  bones: ReadonlySet<number>;
  roots: ReadonlySet<number>;
}

/**
 * Bones whose tracks are exactly zero and identity in all frames although they rest elsewhere (`stripped`), and what the others are made of. Places tell more than
 * turns, which leave the rest pose far behind.
 */
export function inspectMotion(
  pairs: readonly Pair[],
  scene: RigScene,
  { bones, roots }: Skeleton,
): { stripped: Set<number>; verdict: Looks } {
  const stripped = new Set<number>();
  const alive = new Set<number>();
  const places = { count: 0, judged: 0 };
  const turns = { count: 0, judged: 0 };
  let declared = 0;
  let isFew = 0;
  for (const { track, node } of pairs) {
    const { path, mode, component } = track;
    if (path !== 'translation' && path !== 'rotation' && path !== 'scale') continue;
    isFew++;
    if (mode !== 'absolute') declared += mode === 'additive' ? 1 : 0;
    else if (!bones.has(node) || roots.has(node) || component >= 0) continue;
    else if (path === 'rotation') {
      const { values } = track;
      if (!isIdentity(values)) alive.add(node);
      judgeTurn(values, scene.nodes.rotations, 4 * node, turns);
    } else if (path === 'translation') {
      if (judgePlace(track.values, scene.nodes.translations, 3 * node, places)) stripped.add(node);
    }
  }
  for (const node of alive) {
    if (stripped.delete(node)) {
      places.judged++; // turns, but sits on its parent: a difference, not a removed track
      places.count++;
    }
  }
  return { stripped, verdict: verdictOf(declared, isFew, places, turns) };
}

interface Votes {
  count: number;
  judged: number;
}

function verdictOf(declared: number, tracks: number, places: Votes, turns: Votes): Looks {
  if (declared > 0) return { isAdditive: declared >= MOST * tracks, code: 'MODES', count: declared, judged: tracks };
  if (places.judged >= 2) return { isAdditive: places.count >= MOST * places.judged, code: 'PLACES', ...places };
  if (turns.judged >= 3) return { isAdditive: turns.count > MOST * turns.judged, code: 'TURNS', ...turns };
  return { isAdditive: false, code: 'NOTHING', ...turns };
}

/** True where the track is nothing but zeros. */
function judgePlace(values: Float32Array, rest: Float32Array, at: number, votes: Votes): boolean {
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
  if (toZero < NEARER * toRest) votes.count++;
  return false;
}

function judgeTurn(values: Float32Array, rest: Float32Array, at: number, votes: Votes): void {
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
  if (toNone < toRest) votes.count++;
}

const angle = (cosine: number): number => Math.acos(Math.min(Math.abs(cosine), 1));

function isIdentity(rotations: Float32Array): boolean {
  for (let i = 0; i < rotations.length; i += 4) if (rotations[i] !== 0 || rotations[i + 1] !== 0 || rotations[i + 2] !== 0) return false;
  return true;
}
