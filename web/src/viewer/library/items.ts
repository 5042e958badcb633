// The models of the library as rows that can be sorted and filtered.
import { extensionOf, folderOf } from '../../core/paths.ts';
import type { FileSummary, LibraryEntry } from '../../session/library.ts';

export const COLUMNS = ['name', 'bones', 'triangles', 'animations', 'textures', 'date'] as const;
export type Column = (typeof COLUMNS)[number];

export interface LibraryItem {
  entry: LibraryEntry;
  name: string;
  folder: string;
  /** Extension of the file in upper case. */
  format: string;
  /** Identifies models with the same bone names; '' if there are no bones or they are unknown. */
  skeleton: string;
  isStarred: boolean;
  isDamaged: boolean;
  /** Numbers by which models are sorted; null if they are unknown. `date`: in milliseconds. */
  values: Record<Exclude<Column, 'name'>, number | null>;
}

/** Models that have the same bone names. */
export interface Skeleton {
  key: string;
  /** Name of the first bone, in lower case. */
  root: string;
  bones: number;
  models: number;
}

export interface Filter {
  text: string;
  format: string;
  skeleton: string;
  isStarred: boolean;
}

const skeletons = new WeakMap<NonNullable<FileSummary['model']>, string>();

function skeletonOf(facts: FileSummary | null): string {
  const model = facts?.model;
  if (!model) return '';
  let key = skeletons.get(model);
  if (key === undefined) skeletons.set(model, (key = [...model.bones.keys()].sort().join('\0')));
  return key;
}

/** `textures`: number of textures; null if it is unknown. */
export function itemOf(entry: LibraryEntry, textures: number | null, isStarred: boolean): LibraryItem {
  const { input, facts } = entry;
  const { name, lastModified } = input.file;
  return {
    entry,
    name,
    folder: folderOf(input.path).join('/'),
    format: extensionOf(name).toUpperCase(),
    skeleton: skeletonOf(facts),
    isStarred,
    isDamaged: facts?.isDamaged ?? false,
    values: {
      bones: facts?.bones ?? null,
      triangles: facts?.triangles ?? null,
      animations: facts?.animations ?? null,
      textures,
      date: lastModified || null,
    },
  };
}

/** Returns the skeletons that at least two models have, starting with the most frequent one. */
export function skeletonsOf(items: readonly LibraryItem[]): Skeleton[] {
  const found = new Map<string, Skeleton>();
  for (const { skeleton, entry, values } of items) {
    if (skeleton === '') continue;
    const known = found.get(skeleton);
    if (known) known.models++;
    else found.set(skeleton, { key: skeleton, root: entry.facts!.model!.root, bones: values.bones ?? 0, models: 1 });
  }
  return [...found.values()].filter(({ models }) => models > 1).sort((a, b) => b.models - a.models || b.bones - a.bones);
}

/** Returns the formats with their numbers of models, starting with the most frequent one. */
export function formatsOf(items: readonly LibraryItem[]): [format: string, models: number][] {
  const found = new Map<string, number>();
  for (const { format } of items) found.set(format, (found.get(format) ?? 0) + 1);
  return [...found].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

export function filtered(items: readonly LibraryItem[], { text, format, skeleton, isStarred }: Filter): LibraryItem[] {
  const typed = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(
    item =>
      (format === '' || item.format === format) &&
      (skeleton === '' || item.skeleton === skeleton) &&
      (!isStarred || item.isStarred) &&
      typed.every(word => item.entry.input.path.toLowerCase().includes(word)),
  );
}

/** Sorts by a column. Unknown values are last in both directions; equal values are sorted by path. */
export function sorted(items: readonly LibraryItem[], column: Column, isDescending: boolean): LibraryItem[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const sign = isDescending ? -1 : 1;
  const byPath = (a: LibraryItem, b: LibraryItem): number => compare(a.entry.input.path, b.entry.input.path);
  return items.toSorted((a, b) => {
    if (column === 'name') return sign * (compare(a.name, b.name) || byPath(a, b));
    const [one, other] = [a.values[column], b.values[column]];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byPath(a, b);
    return sign * (one - other) || byPath(a, b);
  });
}
