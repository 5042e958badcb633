// Tests the summaries of files in the library.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sceneFacts } from '../../../web/src/cli/gallery/facts.ts';
import { open } from '../../../web/src/core/index.ts';
import { factsOf } from '../../../web/src/session/library.ts';
import { Rig, samplePoses } from '../../../web/src/three/index.ts';

test('counts a mesh that two actors share twice, as poses and galleries do', async () => {
  const name = 'yard.ueworld';
  const file = await open(new Uint8Array(readFileSync(`tests/data/ueformat/${name}`)), { name, worker: false });
  const [pose] = samplePoses(await Rig.make(file), {});
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const drawn = {
    vertices: sum(pose!.meshes.map(({ vertexCount }) => vertexCount)),
    triangles: sum(pose!.meshes.map(({ triangleCount }) => triangleCount)),
  };
  expect(file.scene!.meshes).toHaveLength(1);
  expect(drawn.triangles).toBe((2 * file.scene!.meshes[0]!.indices!.length) / 3);
  expect(factsOf(file)).toMatchObject(drawn);
  expect(sceneFacts(file.scene!)).toMatchObject(drawn);
});
