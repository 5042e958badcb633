// Which motion an additive one was made for, among those at hand. Keys of differences do not tell what they were taken from: names do, and lengths.
import { additiveLooks } from './bind.ts';
import type { Clip, RigScene } from './types.ts';

/**
 * Why a motion may be the base. NAME: the words that both are called, the rarest first. LENGTH: as many frames. IDLE: it is one that bodies stand in. NONE: nothing
 * speaks for it.
 */
export interface BaseGuess {
  clip: Clip;
  /** The higher the likelier; 0: nothing speaks for it. */
  score: number;
  code: 'NAME' | 'LENGTH' | 'IDLE' | 'NONE';
  words: readonly string[];
}

/** What says how a motion is used, and not which one it is. */
const USES = new Set([
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

/** Candidates for the base of an additive motion, the likeliest first. Those that are additive themselves on this model are no bases, nor is the motion itself. */
export function rankBases(clip: Clip, candidates: readonly Clip[], scene: RigScene): BaseGuess[] {
  const bases = candidates.filter(each => each !== clip && !additiveLooks(each, scene).isAdditive);
  const words = new Map(bases.map(each => [each, wordsOf(each.name)]));
  const own = wordsOf(clip.name);
  const weights = rarityOf([...words.values(), own]);
  const sizeOf = (some: Iterable<string>): number => Array.from(some).reduce((sum, word) => sum + weights.get(word)!, 0);
  return bases
    .map((each): BaseGuess => {
      const theirs = words.get(each)!;
      const common = [...own].filter(word => theirs.has(word)).toSorted((a, b) => weights.get(b)! - weights.get(a)!);
      const alike = common.length ? sizeOf(common) / Math.sqrt(sizeOf(own) * sizeOf(theirs)) : 0;
      const isAsLong = clip.frameCount > 1 && each.frameCount === clip.frameCount;
      const isIdle = [...theirs].some(word => IDLE.has(word));
      const code = common.length ? 'NAME' : isAsLong ? 'LENGTH' : isIdle ? 'IDLE' : 'NONE';
      return { clip: each, score: alike + (isAsLong ? 0.1 : 0) + (isIdle ? 0.02 : 0), code, words: common };
    })
    .toSorted((a, b) => b.score - a.score);
}

/** In a few words, for people. */
export function explainBase({ clip, code, words }: BaseGuess): string {
  if (code === 'NAME') return `${clip.name} is called alike (${words.join(', ')})`;
  if (code === 'LENGTH') return `${clip.name} is as long`;
  return code === 'IDLE' ? `${clip.name} is a motion to stand in` : `nothing speaks for ${clip.name}`;
}

/** Words and numbers, as separators and capitals part them. */
function wordsOf(name: string): Set<string> {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\d+/gu) ?? [];
  const plain = words.map(word => word.toLowerCase().replace(/^0+(?=\d)/, ''));
  const own = new Set(plain.filter(word => !USES.has(word)));
  return own.size ? own : new Set(plain);
}

/** A word that few are called by tells more. */
function rarityOf(names: readonly Set<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of names) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map(Array.from(counts, ([word, count]) => [word, Math.log(1 + names.length / count)]));
}
