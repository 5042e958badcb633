// Clips of a rig whose file is read in parts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { open } from '../../../web/src/core/open.ts';
import { Rig } from '../../../web/src/three/rig.ts';
import { largePsa, type PsaServer, servePsa, stored } from '../../support/largePsa.ts';

let server: PsaServer;
beforeAll(async () => (server = await servePsa(stored(largePsa(3, 100, 1800)))));
afterAll(() => server.close());

it('reads clips, adds their findings to the report of the rig, and binds them again', async () => {
  const rig = new Rig(await open(server.url, { ranges: true }));
  const clips = rig.file.scene!.clips;
  const [first] = clips;
  const detail = (): (string | undefined)[] => rig.report.items.filter(({ code }) => code === 'KEYS_NOT_READ').map(({ detail }) => detail);
  const early = rig.bind(first!);
  expect(early.report.matched).toHaveLength(100);
  expect(() => early.clips[0]!.bound!.tracks).toThrow(expect.objectContaining({ code: 'KEYS_NOT_READ' }));
  expect(detail()).toEqual(['0 of 3 animations were read']);
  await rig.loadClips([first!]);
  expect(detail()).toEqual(['1 of 3 animations were read']);
  const bound = rig.bind(first!);
  expect(bound === early).toBe(false);
  expect(rig.bind(first!) === bound).toBe(true);
  expect(bound.clips[0]!.bound!.tracks).toHaveLength(200);
  await rig.loadClips(clips);
  expect([detail(), rig.report.infos]).toEqual([[], 0]);
});
