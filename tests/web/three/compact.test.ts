// Compact attributes have the same values as in the file, within 16-bit precision.
import { readFile } from 'node:fs/promises';
import type { BufferAttribute, InterleavedBufferAttribute } from 'three';
import { describe, expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { compactNormals, compactWeights } from '../../../web/src/three/build/compact.ts';
import { Rig, type RigSkinnedMesh } from '../../../web/src/three/index.ts';
import { drawnPositions } from '../../../web/src/three/build/skinning.ts';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

const valuesOf = (attribute: Attribute): number[] =>
  Array.from({ length: attribute.count * attribute.itemSize }, (_, i) =>
    attribute.getComponent(Math.floor(i / attribute.itemSize), i % attribute.itemSize),
  );
const farthest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);

describe.each(['demo/Pip.psk', 'demo/Tock.cast', 'demo/Lotl.vgo'])('%s', name => {
  it('keeps positions and directions in fewer bytes', async () => {
    const file = await open(await readFile(new URL(`../../../web/src/viewer/${name}`, import.meta.url)), { name, tangents: true });
    const [plain, compact] = [new Rig(file), new Rig(file, { compact: true })];
    let [before, now] = [0, 0];
    for (const [row, object] of plain.meshes.entries()) {
      if (!object) continue;
      const [whole, short] = [object.geometry.attributes, compact.meshes[row]!.geometry.attributes];
      for (const [kind, most] of [
        ['normal', 1e-4], // some normals are slightly longer than 1
        ['tangent', 2e-5],
        ['skinWeight', 4e-5],
      ] as const) {
        expect(kind in short).toBe(kind in whole);
        if (!whole[kind]) continue;
        expect(farthest(valuesOf(whole[kind]), valuesOf(short[kind]!))).toBeLessThan(most);
        before += whole[kind].array.byteLength;
        now += short[kind]!.array.byteLength;
      }
      if ('isSkinnedMesh' in object) {
        const mesh = file.scene!.meshes[file.scene!.renderers[row]!.mesh]!;
        const [there, here] = [object, compact.meshes[row]!].map(each => drawnPositions(each as RigSkinnedMesh, mesh));
        expect(farthest(there!, here!)).toBeLessThan(1e-4);
      }
    }
    expect(now).toBeLessThan(0.6 * before);
  });
});

it('keeps the direction of normals of any length', () => {
  const normals = compactNormals(Float32Array.of(0, 0, 3, 0, 0.5, 0, 0, 0, 0));
  expect(valuesOf(normals).map(value => Number(value.toFixed(3)))).toEqual([0, 0, 1, 0, 0.5, 0, 0, 0, 0]);
});

it('keeps a weight sum of 1 or 0', () => {
  const weights = compactWeights(Float32Array.of(1 / 3, 1 / 3, 1 / 3, 0, 0.5, 0.49999, 0.00001, 0, 0, 0, 0, 0));
  const values = Array.from(weights.array);
  expect([0, 4, 8].map(at => values.slice(at, at + 4).reduce((sum, value) => sum + value, 0))).toEqual([65535, 65535, 0]);
});
