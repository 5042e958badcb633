// Conversion of animations whose file is read in parts.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import { open } from '../../../web/src/core/open.ts';
import { makePsk } from '../../support/actorx.ts';
import { largePsa, type PsaServer, servePsa, stored } from '../../support/largePsa.ts';

const file = stored(largePsa(3, 100, 1800));
const model = makePsk({ bones: Array.from({ length: 100 }, (_, i) => `bone${i}`) });
let server: PsaServer;
beforeAll(async () => (server = await servePsa(file)));
afterAll(() => server.close());

/** Returns a hash of the result. */
const converted = async (animations: Parameters<typeof convert>[0][number], clips?: number[]): Promise<string> => {
  const opened = await open(model, { name: 'hero.psk' });
  const { files, report } = await convert([opened, animations], { to: 'glb', ...(clips && { clips }) });
  expect(report.items.filter(({ kind }) => kind === 'loss')).toEqual([]);
  return createHash('sha1').update(files[0]!.bytes).digest('hex');
};

test('reads the keys of the clips that are written, and no others', async () => {
  const whole = await open(file.part(0, file.byteLength), { name: 'many.psa' });
  const inParts = await open(server.url, { ranges: true });
  const { requests } = server.counted;
  expect(await converted(inParts, [1])).toEqual(await converted(whole, [1]));
  expect(server.counted.requests).toBe(requests + 1);
  expect(inParts.scene!.clips.map(({ keysUnread }) => keysUnread)).toEqual([true, false, true]);
  expect(await converted(inParts)).toEqual(await converted(whole));
  expect(server.counted.requests).toBe(requests + 3);
});
