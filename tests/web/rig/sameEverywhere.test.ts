// Compares poses that all solvers have computed with recorded numbers. A browser test uses the same
// numbers (tests/web/browser/core/poses.test.ts).
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { livingPoses } from '../../support/livingPoses.ts';
import { LIVING } from '../../support/livingNumbers.ts';

const root = new URL('../../../', import.meta.url);
const load = async (path: string) =>
  (await open(new Uint8Array(readFileSync(new URL(path, root))), { name: path.split('/').at(-1)!, worker: false })).scene!;

it('poses with all features equal the recorded ones in Node', async () => {
  const found = await livingPoses(load);
  expect(found).toEqual(await livingPoses(load)); // identical in every bit
  for (const [name, numbers] of Object.entries(LIVING))
    for (const [i, number] of numbers.entries()) expect(found[name]![i], name).toBeCloseTo(number, 3);
  expect(Object.keys(found)).toEqual(Object.keys(LIVING));
});
