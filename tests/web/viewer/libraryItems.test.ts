// Filters, columns and skeletons of the library.
import { expect, test } from 'vitest';
import { CompanionFiles } from '../../../web/src/session/companionFiles.ts';
import type { FileSummary, LibraryEntry } from '../../../web/src/session/library.ts';
import { filtered, formatsOf, itemOf, type LibraryItem, skeletonsOf, sorted } from '../../../web/src/viewer/library/items.ts';

const factsOf = (bones: readonly string[], triangles: number): FileSummary => ({
  model: {
    bones: new Map(bones.map(name => [name, [0, 0, 0]])),
    root: bones[0] ?? '',
    shares: new Map(),
    min: [0, 0, 0],
    max: [1, 1, 1],
    vertexCount: 3,
    textures: [],
  },
  bones: bones.length,
  vertices: 3,
  triangles,
  clips: 0,
  isDamaged: false,
});
const item = (path: string, facts: FileSummary | null, isStarred = false): LibraryItem => {
  const entry: LibraryEntry = {
    input: { path, file: new File([], path.split('/').at(-1)!, { lastModified: 1000 }) },
    role: 'model',
    companionFiles: new CompanionFiles(),
    facts,
  };
  return itemOf(entry, null, isStarred);
};

const items = [
  item('a/Hero10.psk', factsOf(['root', 'spine'], 50), true),
  item('a/Hero2.psk', factsOf(['spine', 'root'], 10)),
  item('b/Chair.cast', factsOf([], 50)),
  item('b/Unread.psk', null),
  item('b/Bird.psk', factsOf(['root', 'wing'], 30)),
];
const namesOf = (all: readonly LibraryItem[]): string[] => all.map(({ name }) => name);
const none = { text: '', format: '', skeleton: '', isStarred: false };

test('names are sorted by their numbers', () => {
  expect(namesOf(sorted(items, 'name', false))).toEqual(['Bird.psk', 'Chair.cast', 'Hero2.psk', 'Hero10.psk', 'Unread.psk']);
});

test('unknown values are last in both directions, and equal values are sorted by path', () => {
  expect(namesOf(sorted(items, 'triangles', false))).toEqual(['Hero2.psk', 'Bird.psk', 'Hero10.psk', 'Chair.cast', 'Unread.psk']);
  expect(namesOf(sorted(items, 'triangles', true))).toEqual(['Hero10.psk', 'Chair.cast', 'Bird.psk', 'Hero2.psk', 'Unread.psk']);
});

test('a skeleton is a set of bone names that at least two models have', () => {
  const [skeleton, ...others] = skeletonsOf(items);
  expect([skeleton!.root, skeleton!.bones, skeleton!.models, others]).toEqual(['root', 2, 2, []]);
  expect(namesOf(filtered(items, { ...none, skeleton: skeleton!.key }))).toEqual(['Hero10.psk', 'Hero2.psk']);
});

test('filters by words of the path, by format and by stars', () => {
  expect(namesOf(filtered(items, { ...none, text: ' B/  psk ' }))).toEqual(['Unread.psk', 'Bird.psk']);
  expect(namesOf(filtered(items, { ...none, format: 'CAST' }))).toEqual(['Chair.cast']);
  expect(namesOf(filtered(items, { ...none, isStarred: true }))).toEqual(['Hero10.psk']);
  expect(formatsOf(items)).toEqual([
    ['PSK', 4],
    ['CAST', 1],
  ]);
});
