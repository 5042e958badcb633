// Finds levels of detail by file name: Body_LOD2.psk is Body.psk with fewer triangles.

import { entry } from './entry.ts';

const LEVEL = /[_ -]?lod(\d+)(?=\.|$)/i;

/** Returns the level of detail that a name contains, or 0 if it contains none. */
export const levelOf = (name: string): number => Number(LEVEL.exec(name)?.[1] ?? 0);

/** Returns the path without the level of detail. */
const stemOf = (path: string): string => path.replace(LEVEL, '');

/**
 * Groups models whose paths differ only in the level of detail and in upper and lower case. If a
 * group contains two different paths with the same level, the case separates the models. Sorts each
 * group from the finest level to the coarsest.
 */
export function levelsIn<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[][] {
  const levelOfItem = (item: Item): number => levelOf(pathOf(item));
  const exactStem = (item: Item): string => stemOf(pathOf(item));
  const groups = groupBy(items, item => exactStem(item).toLowerCase());
  return groups
    .flatMap(group => {
      const byCase = groupBy(group, exactStem);
      const levels = byCase.map(models => new Set(models.map(levelOfItem)));
      const count = levels.reduce((sum, { size }) => sum + size, 0);
      return new Set(group.map(levelOfItem)).size < count ? byCase : [group];
    })
    .map(group => group.sort((a, b) => levelOfItem(a) - levelOfItem(b)));
}

/** Groups items with the same key. Groups and items are in the order of `items`. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) entry(groups, keyOf(item), () => []).push(item);
  return [...groups.values()];
}
