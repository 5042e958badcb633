// Finds the base clip of an additive clip by comparing names and lengths, because the keys do not
// contain the pose to which they refer.
import { detectAdditive } from './bind.ts';
import type { Clip, RigScene } from './types.ts';

/**
 * A clip that may be the base of an additive clip. `code` names the evidence. NAME: the names of
 * both clips contain `words`, rarest first. LENGTH: both clips have the same number of frames.
 * IDLE: the candidate is an idle animation. NONE: there is no evidence.
 */
export interface BaseClipCandidate {
  clip: Clip;
  /** Strength of the evidence. Higher scores mean stronger evidence; 0 means none. */
  score: number;
  code: 'NAME' | 'LENGTH' | 'IDLE' | 'NONE';
  words: readonly string[];
}

/** Words that describe how a clip is used, so they do not help to identify its base clip. */
const USAGE_WORDS = new Set([
  'additive',
  'add',
  'delta',
  'ao',
  'aim',
  'offset',
  'offsets',
  'overlay',
  'layer',
  'anim',
  'seq',
  'a',
  'as',
  'local',
  'mesh',
  'space',
  'ref',
]);
const IDLE = new Set(['idle', 'stand', 'standing', 'rest', 'base', 'bind', 'ref', 'relaxed', 'breathe']);

/**
 * Ranks the clips that may be the base of an additive clip, best first. Leaves out the clip itself
 * and candidates whose keys are additive on this model.
 */
export function rankBaseClips(clip: Clip, candidates: readonly Clip[], scene: RigScene): BaseClipCandidate[] {
  const bases = candidates.filter(each => each !== clip && !detectAdditive(each, scene).isAdditive);
  const words = new Map(bases.map(each => [each, wordsOf(each.name)]));
  const own = wordsOf(clip.name);
  const weights = rarityOf([...words.values(), own]);
  const sizeOf = (some: Iterable<string>): number => Array.from(some).reduce((sum, word) => sum + weights.get(word)!, 0);
  return bases
    .map((each): BaseClipCandidate => {
      const theirs = words.get(each)!;
      const common = [...own].filter(word => theirs.has(word)).toSorted((a, b) => weights.get(b)! - weights.get(a)!);
      const similarity = common.length ? sizeOf(common) / Math.sqrt(sizeOf(own) * sizeOf(theirs)) : 0;
      const hasEqualLength = clip.frameCount > 1 && each.frameCount === clip.frameCount;
      const isIdle = [...theirs].some(word => IDLE.has(word));
      const code = common.length ? 'NAME' : hasEqualLength ? 'LENGTH' : isIdle ? 'IDLE' : 'NONE';
      return { clip: each, score: similarity + (hasEqualLength ? 0.1 : 0) + (isIdle ? 0.02 : 0), code, words: common };
    })
    .toSorted((a, b) => b.score - a.score);
}

/** Splits the name of a clip into words and numbers, at separators and capital letters. */
function wordsOf(name: string): Set<string> {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\d+/gu) ?? [];
  const plain = words.map(word => word.toLowerCase().replace(/^0+(?=\d)/, ''));
  const own = new Set(plain.filter(word => !USAGE_WORDS.has(word)));
  return own.size ? own : new Set(plain);
}

/**
 * Returns a weight for each word. Words that occur in fewer names have a higher weight, because a
 * match of rare words is stronger evidence.
 */
function rarityOf(names: readonly Set<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of names) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map(Array.from(counts, ([word, count]) => [word, Math.log(1 + names.length / count)]));
}
