// Chooses the animation that starts by default. Independent of three.js.
import { entry } from './entry.ts';
import { parsePath } from './match.ts';
import { wordsOf } from './nameWords.ts';
import type { Clip } from './types.ts';

/**
 * Minimum length, in seconds, of the clip that starts by default if the model has no surface. It
 * only excludes clips without duration.
 */
export const ANY_SECONDS = 1e-6;

const STAND = new Set(['idle', 'idles', 'idling', 'stand', 'stands', 'standing', 'breathe', 'breathes', 'breathing', 'breath']);
const WALK = new Set(['walk', 'walks', 'walking', 'run', 'runs', 'running', 'jog', 'jogging']);
/** Words in the names of additive clips, which do not start by default. */
const ADDED = new Set(['add', 'additive', 'delta', 'overlay', 'offset', 'offsets', 'ao']);

/** Returns the length of a clip from its first key to its end, in seconds. */
export const lengthOf = ({ start, duration }: Pick<Clip, 'start' | 'duration'>): number => Math.max(0, duration - Math.max(start, 0));

/**
 * Returns the index of the clip that starts by default: a clip whose name indicates an idle,
 * otherwise a walk or run, otherwise the longest loop, otherwise the longest clip. Of several idle
 * clips, prefers the one with the fewest other words in its name. Ignores clips shorter than
 * `leastSeconds`. Returns -1 if no clip remains.
 */
export function firstClip(clips: readonly Pick<Clip, 'name' | 'start' | 'duration' | 'loop'>[], leastSeconds = 0.5): number {
  const long = clips
    .map((clip, index) => ({
      index,
      words: wordsOf(clip.name).filter(word => !/^\d/.test(word)),
      loop: clip.loop,
      seconds: lengthOf(clip),
    }))
    .filter(({ seconds }) => seconds >= leastSeconds);
  for (const wanted of [STAND, WALK]) {
    const named = long.filter(({ words }) => words.some(word => wanted.has(word)) && !words.some(word => ADDED.has(word)));
    const [best] = named.toSorted((a, b) => a.words.length - b.words.length);
    if (best) return best.index;
  }
  const loops = long.filter(({ loop }) => loop);
  const [longest] = (loops.length > 0 ? loops : long).toSorted((a, b) => b.seconds - a.seconds);
  return longest?.index ?? -1;
}

/**
 * Returns the animation files that belong to a model: the best match, and other files in the folder
 * of the best match. Their names must share the same words with the model's name as the name of the
 * best match does, and must not share more words with the name of another model. `ranked`: files
 * that fit the model, best first (see `rank`). `others`: paths of other models.
 */
export function ownSet<Set extends { readonly path: string }>(modelPath: string, ranked: readonly Set[], others: readonly string[]): Set[] {
  const model = parsePath(modelPath).words;
  const byWord = new Map<string, number[]>();
  for (const [at, path] of others.entries()) for (const word of parsePath(path).words) entry(byWord, word, () => []).push(at);
  const own = ranked.flatMap(set => {
    const { words, folders } = parsePath(set.path);
    const common = [...words].filter(word => model.has(word));
    const counts = new Map<number, number>();
    for (const word of words) for (const at of byWord.get(word) ?? []) counts.set(at, (counts.get(at) ?? 0) + 1);
    const isOthers = [...counts.values()].some(count => count > common.length);
    return isOthers ? [] : { set, key: JSON.stringify([common.sort(), folders]) };
  });
  return own.filter(({ key }) => key === own[0]!.key).map(({ set }) => set);
}
