// Chooses the animation that starts by itself with a model. No three.js.
import { placeOf } from './match.ts';
import { wordsOf } from './nameWords.ts';
import type { Clip } from './types.ts';

/** Shorter clips are poses or twitches. */
const LEAST_SECONDS = 0.5;

const STAND = new Set(['idle', 'idles', 'idling', 'stand', 'stands', 'standing', 'breathe', 'breathes', 'breathing', 'breath']);
const WALK = new Set(['walk', 'walks', 'walking', 'run', 'runs', 'running', 'jog', 'jogging']);
/** Words of clips that are added to another one. */
const ADDED = new Set(['add', 'additive', 'delta', 'overlay', 'offset', 'offsets', 'ao']);

/** Seconds from the first key to the end. */
export const lengthOf = ({ start, duration }: Pick<Clip, 'start' | 'duration'>): number => Math.max(0, duration - Math.max(start, 0));

/**
 * Returns the index of the clip to start with: an idle clip by its name, else a walk or run, else the longest loop, else the longest clip. Among idle clips the one
 * with the fewest other words in its name wins, then the first. A clip of less than half a second never starts. Returns -1 if there is no longer one.
 */
export function firstClip(clips: readonly Pick<Clip, 'name' | 'start' | 'duration' | 'loop'>[]): number {
  const long = clips
    .map((clip, index) => ({
      index,
      words: wordsOf(clip.name).filter(word => !/^\d/.test(word)),
      loop: clip.loop,
      seconds: lengthOf(clip),
    }))
    .filter(({ seconds }) => seconds >= LEAST_SECONDS);
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
 * Returns the files with animations that are a model's own: the best, and all in its folder that share the same words with the model's name. `ranked`: files whose
 * animations fit the model, the best first (`rank`).
 */
export function ownSet<Set extends { readonly path: string }>(modelPath: string, ranked: readonly Set[]): Set[] {
  const model = placeOf(modelPath).words;
  const keyOf = ({ path }: Set): string => {
    const { words, folders } = placeOf(path);
    return JSON.stringify([[...words].filter(word => model.has(word)).sort(), folders]);
  };
  const [best] = ranked;
  return best ? ranked.filter(set => keyOf(set) === keyOf(best)) : [];
}
