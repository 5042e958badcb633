// Tests sparse morph targets in glTF. Importers get the values that were written, and no complete
// column is created.
import { WebIO } from '@gltf-transform/core';
import { expect, it } from 'vitest';
import { SparseColumns } from '../../../web/src/convert/gltf/sparse.ts';
import { joined } from '../../../web/src/convert/common/written.ts';
import { Document, type JSONDocument } from '../../../web/src/convert/vendor/gltfTransform.ts';

/** Writes columns and returns the arrays that glTF-Transform reads from the result. */
async function read(columns: readonly { vertices: number[]; deltas: number[]; count: number }[]): Promise<number[][]> {
  const sparse = new SparseColumns();
  const document = new Document();
  const buffer = document.createBuffer();
  for (const { vertices, deltas, count } of columns)
    expect(sparse.add(document, buffer, Uint32Array.from(vertices), Float32Array.from(deltas), count).getCount()).toBe(1);
  const { json, resources } = await new WebIO().writeJSON(document, { basename: 'a' });
  const before = resources['a.bin'] ?? new Uint8Array(0);
  const bytes = joined([before, ...sparse.write(json, before.length)]);
  json.buffers = [{ uri: 'a.bin', byteLength: bytes.length }];
  const again = await new WebIO().readJSON({ json, resources: { 'a.bin': bytes } } as JSONDocument);
  return again
    .getRoot()
    .listAccessors()
    .map(accessor => [...accessor.getArray()!]);
}

it('writes vectors by vertex for any order of vertices', async () => {
  const [column] = await read([{ vertices: [5, 1], deltas: [1, 2, 3, 4, 5, 6], count: 7 }]);
  expect(column).toEqual([0, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0]);
});

it('writes the last vector of a vertex that occurs twice', async () => {
  const [column] = await read([{ vertices: [1, 0, 1], deltas: [1, 1, 1, 2, 2, 2, 3, 3, 3], count: 3 }]);
  expect(column).toEqual([2, 2, 2, 3, 3, 3, 0, 0, 0]);
});

it.each([[3], [300], [70_000]])('writes zeros for a column that moves nothing, with %i vertices', async count => {
  const [none, last] = await read([
    { vertices: [1], deltas: [0, 0, 0], count },
    { vertices: [count - 1], deltas: [1, -2, 3], count },
  ]);
  expect([none!.length, none!.every(value => value === 0)]).toEqual([3 * count, true]);
  expect([last!.length, ...last!.slice(-3)]).toEqual([3 * count, 1, -2, 3]);
});
