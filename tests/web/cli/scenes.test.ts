// A folder of thousands: what files have in common is kept, and compared, once.
import { describe, expect, it, vi } from 'vitest';
import { Scenes } from '../../../web/src/cli/scenes.ts';
import { group } from '../../../web/src/convert/group.ts';
import { open } from '../../../web/src/core/index.ts';
import * as matching from '../../../web/src/core/match.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';

vi.mock(import('../../../web/src/core/match.ts'), async original => {
  const real = await original();
  return { ...real, match: vi.fn(real.match) };
});

const read = async (name: string, bytes: Uint8Array): Promise<RigScene> => (await open(bytes, { name, worker: false })).scene!;

describe('scenes', () => {
  it('that say the same are one, without vertices; another bone or curve makes another one', async () => {
    const scenes = new Scenes();
    const take = async (name: string, bytes: Uint8Array) => scenes.shared(await read(name, bytes), name);
    const body = ['Root', 'Spine', 'Head'];
    const first = await take('a.psk', makePsk({ bones: body }));
    expect(await take('b.psk', makePsk({ bones: body }))).toBe(first);
    expect(first.meshes.map(({ positions }) => positions.length)).toEqual([0]);
    expect(await take('c.psk', makePsk({ bones: ['Root', 'Spine', 'Tail'] }))).not.toBe(first);
    const motion = await take('a.psa', makePsa({ bones: body }));
    expect(await take('b.psa', makePsa({ bones: body }))).toBe(motion);
    expect(await take('c.psa', makePsa({ bones: body, sequences: ['Run', 'Walk'] }))).not.toBe(motion);
  });

  it('of forty models and sixty motions of two bodies are compared four times, and find each other', async () => {
    const scenes = new Scenes();
    const take = async (name: string, bytes: Uint8Array) => scenes.shared(await read(name, bytes), name);
    const bodies = { Pig: ['Root', 'Spine', 'Head', 'Arm'], Barrel: ['Root', 'Lid'] };
    const all = [];
    for (const [name, bones] of Object.entries(bodies)) {
      const [psk, psa] = [makePsk({ bones }), makePsa({ bones })];
      for (let i = 0; i < 20; i++) all.push({ path: `${name}${i}/Mesh.psk`, file: { scene: await take(`${name}${i}.psk`, psk) } });
      for (let i = 0; i < 30; i++) all.push({ path: `${name}${i}/Run.psa`, file: { scene: await take(`run${i}.psa`, psa) } });
    }
    vi.mocked(matching.match).mockClear();
    const { groups, left } = group(all);
    expect(matching.match).toHaveBeenCalledTimes(4);
    expect(left).toEqual([]);
    expect(
      groups.map(({ model, motions }) => [model.path, motions.every(({ path }) => path.slice(0, 3) === model.path.slice(0, 3))]),
    ).toEqual(groups.map(({ model }) => [model.path, true]));
    expect(groups.find(({ model }) => model.path === 'Pig3/Mesh.psk')!.motions.map(({ path }) => path)).toContain('Pig3/Run.psa');
  });
});
