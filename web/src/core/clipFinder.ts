// Finds animations by name or index.
import { uniqueNames } from './names.ts';
import type { Clip } from './types.ts';

/**
 * Returns a function that finds the index of a name, of the same name in another case, or of an index
 * that is a number or a text of digits. The function returns -1 if there is none.
 */
export function nameFinder(names: readonly string[]): (which: string | number) => number {
  const lower = names.map(name => name.toLowerCase());
  const isIndex = (which: string | number): boolean => /^\d+$/.test(`${which}`) && Number(which) < names.length;
  return which => {
    const rows = typeof which === 'number' ? [] : [names.indexOf(which), lower.indexOf(which.toLowerCase())];
    return rows.find(row => row >= 0) ?? (isIndex(which) ? Number(which) : -1);
  };
}

/** Returns a function that finds a clip by its unique name or its index, as `nameFinder` does. */
export function clipFinder(clips: readonly Clip[]): (which: string | number) => Clip | undefined {
  const find = nameFinder(uniqueNames(clips.map(({ name }) => name)));
  return which => clips[find(which)];
}
