// Poses with all solvers enabled are the same on a page as in Node
// (tests/web/rig/sameEverywhere.test.ts).
import { expect, it } from 'vitest';
import { open } from '../../../../web/src/core/index.ts';
import { LIVING } from '../../../support/livingNumbers.ts';
import { livingPoses } from '../../../support/livingPoses.ts';

const address: Readonly<Record<string, string>> = {
  'tests/data/cast/everything.cast': new URL('../../../data/cast/everything.cast', import.meta.url).href,
  'tests/data/vgo/puppet.vgo': new URL('../../../data/vgo/puppet.vgo', import.meta.url).href,
  'web/src/viewer/demo/Lotl.vgo': new URL('../../../../web/src/viewer/demo/Lotl.vgo', import.meta.url).href,
  'web/src/viewer/demo/wavingHands.bin': new URL('../../../../web/src/viewer/demo/wavingHands.bin', import.meta.url).href,
};

it('poses with all solvers are the same in a page as in Node', async () => {
  const found = await livingPoses(async path => (await open(address[path]!, { name: path.split('/').at(-1)! })).scene!);
  for (const [name, numbers] of Object.entries(LIVING))
    for (const [i, number] of numbers.entries()) expect(found[name]![i], name).toBeCloseTo(number, 3);
  expect(Object.keys(found)).toEqual(Object.keys(LIVING));
});
