// Which of many files belong together, as far as their names and folders say: the first guess where there are too many to open them all.
import { likeness, type Place, placeOf } from '../core/match.ts';
import type { InputFile } from './inputFile.ts';

type Named = Pick<InputFile, 'path'>;

/** A word that more files share says little of one of them. */
const MOST_OF_WORD = 64;

/** From 0 to 1 for each file: how much it is called like the one of `others` that it is most like; 0 where they have no word in common. */
function kinshipWith(others: readonly Named[]): (file: Named) => number {
  const byWord = new Map<string, Place[]>();
  for (const { path } of others) {
    const place = placeOf(path);
    for (const word of place.words) byWord.set(word, [...(byWord.get(word) ?? []), place].slice(0, MOST_OF_WORD));
  }
  return ({ path }) => {
    const own = placeOf(path);
    const kin = [...own.words].flatMap(word => byWord.get(word) ?? []);
    return kin.reduce((most, other) => Math.max(most, likeness(own, other)), 0);
  };
}

/** Of more than `most` files those that are called most like some of the others, in the order that they have. */
export function mostSimilar<File extends Named>(files: readonly File[], others: readonly Named[], most: number): readonly File[] {
  if (files.length <= most) return files;
  const kinship = kinshipWith(others);
  const ranked = files.map(file => ({ file, rank: kinship(file) })).sort((a, b) => b.rank - a.rank);
  const chosen = new Set(ranked.slice(0, most).map(({ file }) => file));
  return files.filter(file => chosen.has(file));
}

/** Of some files those that are called like one of the others, at most so many. */
export function similarFiles(files: readonly InputFile[], others: readonly InputFile[], most: number): readonly InputFile[] {
  const kinship = kinshipWith(others);
  return mostSimilar(
    files.filter(file => kinship(file) > 0),
    others,
    most,
  );
}
