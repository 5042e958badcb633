// Influences of an FBX that the loader of three.js leaves out are reported, as a finding and as a
// loss of conversions.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { convert, LossError } from '../../../web/src/convert/index.ts';
import type { RigFile } from '../../../web/src/core/open.ts';
import { openOtherFormat } from '../../../web/src/interop/openEncoded.ts';
import { fbxSkin } from '../../support/fbx.ts';

const SIX = [0.3, 0.2, 0.2, 0.1, 0.15, 0.05];
const FOUR = [0.4, 0.3, 0.2, 0.1];

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {}); // the loader prints its own warning
});
afterEach(() => {
  vi.restoreAllMocks();
});

const inNode = (bytes: ArrayBuffer): Promise<RigFile> => openOtherFormat('fbx', new Uint8Array(bytes), 'leaf.fbx', () => null);

test('the finding contains the number of vertices and the missing weights', async () => {
  const { scene, report } = await inNode(fbxSkin([SIX, FOUR, [...FOUR.slice(0, 3), 0.05, 0.05]]));
  expect(scene!.skins).toHaveLength(1);
  expect(report.items).toEqual([
    {
      code: 'INFLUENCES_NOT_READ',
      severity: 'warning',
      offset: null,
      path: 'Leaf',
      detail: 'up to 6 influences per vertex; at most 15.0 % of the weights of a vertex are missing',
      count: 2,
    },
  ]);
});

test('four influences and weights of 0 are not reported', async () => {
  const { report } = await inNode(fbxSkin([FOUR, [...FOUR, 0], [1, 0, 0, 0, 0]]));
  expect(report.items).toEqual([]);
});

test('a conversion reports them as a loss', async () => {
  const source = new File([fbxSkin([SIX, FOUR, FOUR])], 'leaf.fbx');
  const { report } = await convert([source], { to: 'glb' });
  expect(report.items).toContainEqual(expect.objectContaining({ code: 'INFLUENCES_NOT_READ', kind: 'loss', amount: 1, path: 'Leaf' }));
  await expect(convert([source], { to: 'glb', strict: true })).rejects.toBeInstanceOf(LossError);
});
