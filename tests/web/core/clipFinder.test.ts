// Tests finding animations by name and index.
import { expect, it } from 'vitest';
import { nameFinder } from '../../../web/src/core/clipFinder.ts';

it.each([
  ['Run', 0],
  ['RUN', 1],
  ['rUN', 0],
  ['1', 3],
  [1, 1],
  ['2', 2],
  ['4', -1],
  [-1, -1],
  [0.5, -1],
  ['', -1],
  ['1e0', -1],
])('%j is number %i', (which, row) => {
  expect(nameFinder(['Run', 'RUN', 'Walk', '1'])(which)).toBe(row);
});
