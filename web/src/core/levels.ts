// Finds levels of detail by file name: Body_LOD2.psk is Body.psk with fewer triangles.

const LEVEL = /[_ -]?lod(\d+)(?=\.|$)/i;

/** Returns the level of detail that a name contains, or 0 if it contains none. */
export const levelOf = (name: string): number => Number(LEVEL.exec(name)?.[1] ?? 0);

/**
 * Returns the path in lower case without the level of detail. The result is the same for all levels
 * of a model.
 */
export const withoutLevel = (path: string): string => path.toLowerCase().replace(LEVEL, '');

/**
 * Groups models whose paths differ only in the level of detail. Sorts each group from the finest
 * level to the coarsest.
 */
export function levelsIn<Item>(items: readonly Item[], pathOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = withoutLevel(pathOf(item));
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].map(group => group.sort((a, b) => levelOf(pathOf(a)) - levelOf(pathOf(b))));
}
