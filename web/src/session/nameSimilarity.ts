// Compares file names and folders to select the files of a large drop that are opened.
import { pathSimilarity, type PathWords, parsePath } from '../core/match.ts';
import type { InputFile } from './inputFile.ts';

type Named = Pick<InputFile, 'path'>;

/**
 * Maximum number of files that are compared per word. A word that occurs in more files does not
 * distinguish them.
 */
const MAX_FILES_PER_WORD = 64;

/**
 * Returns a function that compares a file's name with the names of `others`. It returns the highest
 * similarity, from 0 to 1; 0 if there is no common word.
 */
function similarityTo(others: readonly Named[]): (file: Named) => number {
  const byWord = new Map<string, PathWords[]>();
  for (const { path } of others) {
    const parsed = parsePath(path);
    for (const word of parsed.words) byWord.set(word, [...(byWord.get(word) ?? []), parsed].slice(0, MAX_FILES_PER_WORD));
  }
  return ({ path }) => {
    const own = parsePath(path);
    const similar = [...own.words].flatMap(word => byWord.get(word) ?? []);
    return similar.reduce((largest, other) => Math.max(largest, pathSimilarity(own, other)), 0);
  };
}

/**
 * Returns the files whose names are most similar to any of `others`, in their original order.
 * `maxFiles`: maximum number of files.
 */
export function mostSimilar<File extends Named>(files: readonly File[], others: readonly Named[], maxFiles: number): readonly File[] {
  if (files.length <= maxFiles) return files;
  const similarity = similarityTo(others);
  const ranked = files.map(file => ({ file, rank: similarity(file) })).sort((a, b) => b.rank - a.rank);
  const chosen = new Set(ranked.slice(0, maxFiles).map(({ file }) => file));
  return files.filter(file => chosen.has(file));
}

/**
 * Returns the files whose names have a word in common with one of `others`. `maxFiles`: maximum
 * number of files; if more files have a common word, returns the most similar ones.
 */
export function similarFiles(files: readonly InputFile[], others: readonly InputFile[], maxFiles: number): readonly InputFile[] {
  const similarity = similarityTo(others);
  return mostSimilar(
    files.filter(file => similarity(file) > 0),
    others,
    maxFiles,
  );
}

/**
 * Returns the files sorted by their similarity to any of `others`, highest first. Equally similar
 * files are sorted by size, largest first.
 */
export function bySimilarity(files: readonly InputFile[], others: readonly InputFile[]): readonly InputFile[] {
  const similarity = similarityTo(others);
  const ranked = files.map(input => ({ input, rank: similarity(input) }));
  return ranked.sort((a, b) => b.rank - a.rank || b.input.file.size - a.input.file.size).map(({ input }) => input);
}
