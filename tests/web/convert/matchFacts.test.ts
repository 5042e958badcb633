// Facts for matching thousands of files: equal facts are sent and compared once, and match like the
// files.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { type FactsMessage, FactsSender, MatchScenes } from '../../../web/src/convert/matchFacts.ts';
import { group } from '../../../web/src/convert/group.ts';
import { open } from '../../../web/src/core/index.ts';
import { match, rankPaths } from '../../../web/src/core/match.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { castFile, model, node, triangle } from '../../support/castFile.ts';

const read = async (name: string, bytes: Uint8Array): Promise<RigScene> => (await open(bytes, { name, worker: false })).scene!;

const sender = (): FactsSender => new FactsSender(JSON.stringify);
const message = (scene: RigScene, path: string): FactsMessage => structuredClone(sender().messageOf(scene, path));

/** Groups sources, and counts how often a model is matched and ranked. */
async function countedGroup(all: Parameters<typeof group>[0]) {
  const [compared, ranked] = [vi.fn(match), vi.fn(rankPaths)];
  vi.doMock('../../../web/src/core/match.ts', async original => ({ ...(await original<object>()), match: compared, rankPaths: ranked }));
  vi.resetModules(); // test files share modules that were loaded before
  const result = (await import('../../../web/src/convert/group.ts')).group(all);
  vi.doUnmock('../../../web/src/core/match.ts');
  vi.resetModules();
  return { ...result, compared, ranked };
}

describe('facts of scenes', () => {
  it('give one scene for equal facts, and another scene for another bone or curve', async () => {
    const scenes = new MatchScenes();
    const take = async (name: string, bytes: Uint8Array) => scenes.take(message(await read(name, bytes), name));
    const body = ['Root', 'Spine', 'Head'];
    const first = await take('a.psa', makePsa({ bones: body }));
    expect(await take('b.psa', makePsa({ bones: body }))).toBe(first);
    expect(await take('c.psa', makePsa({ bones: body, sequences: ['Run', 'Walk'], frames: 9 }))).toBe(first); // both animate the same bones
    expect(await take('d.psa', makePsa({ bones: ['Root', 'Spine', 'Tail'] }))).not.toBe(first);
    const [a, b, c] = [
      await take('a.psk', makePsk({ bones: body })),
      await take('b.psk', makePsk({ bones: body, side: 3 })),
      await take('c.psk', makePsk({ bones: ['Root'] })),
    ];
    expect([a.nodes === b.nodes, a.nodes === c.nodes, a.meshes[0]!.positions.length]).toEqual([true, false, 0]);
  });

  it('are sent once by a process, and later referred to by their key', async () => {
    const [scenes, process] = [new MatchScenes(), sender()];
    const first = process.messageOf(await read('a.psk', makePsk()), 'a.psk');
    const again = process.messageOf(await read('a.psk', makePsk()), 'a.psk');
    expect([Object.keys(first), Object.keys(again)]).toEqual([
      ['key', 'nodesKey', 'facts', 'nodes'],
      ['key', 'nodesKey'],
    ]);
    expect(() => scenes.take(again)).toThrow('neither in this message');
    const scene = scenes.take(first);
    expect(scenes.take(again)).toBe(scene);
  });

  it('are sent without the nodes if an earlier model has the same nodes', async () => {
    const [scenes, process] = [new MatchScenes(), sender()];
    const [a, b] = await Promise.all(['a.psk', 'b.psk'].map(async name => process.messageOf(await read(name, makePsk()), name)));
    expect([b!.facts!.meshes[0]!.name, b!.nodes]).toEqual(['b', undefined]);
    expect(() => scenes.take(b!)).toThrow('neither in this message');
    expect(scenes.take(a!).nodes).toBe(scenes.take(b!).nodes);
  });

  it('match like the files: names, case, prefixes, shapes, meshes, expressions, overrides', async () => {
    const data = (name: string): Uint8Array => readFileSync(fileURLToPath(new URL(`../../data/${name}`, import.meta.url)));
    const body = ['Bip01 Root', 'Bip01 Spine', 'Bip01 Head', 'Bip01 Arm'];
    const skin = triangle('skin');
    const shape = node('blsh', { n: ['s', 'smile'], b: ['l', skin.hash], vi: ['b', [0]], vp: ['3v', [0, 0, 1]] });
    const face = node(
      'anim',
      { fr: ['f', [30]] },
      node('curv', { nn: ['s', 'smile'], kp: ['s', 'bs'], kb: ['b', [0, 1]], kv: ['f', [0, 1]], m: ['s', 'absolute'] }),
    );
    const files: [string, Uint8Array][] = [
      ['body.psk', makePsk({ bones: body })],
      ['lower.psk', makePsk({ bones: body.map(name => name.toLowerCase()) })],
      ['bare.psk', makePsk({ bones: body.map(name => name.slice(6)) })],
      ['other.psk', makePsk({ bones: ['Bip01 Root', 'Wing'] })],
      ['face.cast', castFile(model('face', skin, shape))],
      ['everything.cast', data('cast/everything.cast')],
      ['puppet.vgo', data('vgo/puppet.vgo')],
      ['arm.semodel', data('se/arm.semodel')],
      ['arm.uemodel', data('ueformat/arm.uemodel')],
      ['reach.uepose', data('ueformat/reach.uepose')],
      ['run.psa', makePsa({ bones: body, sequences: ['Run', 'Walk', 'Stand'] })],
      ['part.psa', makePsa({ bones: body.slice(0, 2) })],
      ['mixamo.psa', makePsa({ bones: body.map(name => `mixamorig:${name.slice(6)}`) })],
      ['face_smile.cast', castFile(face)],
      ['absolute.seanim', data('se/absolute.seanim')],
    ];
    const scenes = new MatchScenes();
    const all = await Promise.all(files.map(async ([name, bytes]) => ({ name, scene: await read(name, bytes) })));
    const light = all.map(({ name, scene }) => scenes.take(message(scene, name)));
    let found = 0;
    for (const [i, { name, scene }] of all.entries())
      for (const [k, { name: of, scene: target }] of all.entries()) {
        if (scene.clips.length === 0) continue;
        const fit = match(scene.clips, target);
        expect([name, of, match(light[i]!.clips, light[k]!)]).toEqual([name, of, fit]);
        if (i !== k && fit.found > 0) found++;
      }
    expect(found).toBeGreaterThan(12);
  });

  it('assign an animation of a shape to the model with the shape, among two with the same nodes', async () => {
    const scenes = new MatchScenes();
    const take = async (name: string, bytes: Uint8Array) => scenes.take(message(await read(name, bytes), name));
    const skin = triangle('skin');
    const shape = node('blsh', { n: ['s', 'smile'], b: ['l', skin.hash], vi: ['b', [0]], vp: ['3v', [0, 0, 1]] });
    const curve = node('curv', { nn: ['s', 'smile'], kp: ['s', 'bs'], kb: ['b', [0, 1]], kv: ['f', [0, 1]], m: ['s', 'absolute'] });
    const files: [string, Uint8Array][] = [
      ['plain.cast', castFile(model('face', triangle('skin')))],
      ['shaped.cast', castFile(model('face', skin, shape))],
      ['smile.cast', castFile(node('anim', { fr: ['f', [30]] }, curve))],
    ];
    const all = await Promise.all(files.map(async ([path, bytes]) => ({ path, file: { format: null, scene: await take(path, bytes) } })));
    expect(all[0]!.file.scene.nodes).toBe(all[1]!.file.scene.nodes);
    const { groups, left } = group(all);
    expect(groups.map(({ model: { path }, animations }) => [path, animations.map(animation => animation.path)])).toEqual([
      ['plain.cast', []],
      ['shaped.cast', ['smile.cast']],
    ]);
    expect(left).toEqual([]);
  });

  it('of 40 models and 60 animations of two skeletons are compared only twice', async () => {
    const scenes = new MatchScenes();
    const take = async (name: string, bytes: Uint8Array) => scenes.take(message(await read(name, bytes), name));
    const bodies = { Pig: ['Root', 'Spine', 'Head', 'Arm'], Barrel: ['Root', 'Lid'] };
    const all = [];
    for (const [name, bones] of Object.entries(bodies)) {
      for (let i = 0; i < 20; i++)
        all.push({
          path: `${name}${i}/Mesh.psk`,
          file: { format: null, scene: await take(`${name}${i}.psk`, makePsk({ bones, material: `m${i}` })) },
        });
      for (let i = 0; i < 30; i++)
        all.push({
          path: `${name}${i}/Run.psa`,
          file: { format: null, scene: await take(`run${i}.psa`, makePsa({ bones, sequences: ['Run', `Go${i}`] })) },
        });
    }
    const { groups, left, compared } = await countedGroup(all);
    expect(compared).toHaveBeenCalledTimes(2);
    expect(left).toEqual([]);
    expect(
      groups.map(({ model, animations }) => [model.path, animations.every(({ path }) => path.slice(0, 3) === model.path.slice(0, 3))]),
    ).toEqual(groups.map(({ model }) => [model.path, true]));
    expect(groups.find(({ model }) => model.path === 'Pig3/Mesh.psk')!.animations.map(({ path }) => path)).toContain('Pig3/Run.psa');
  });

  it('of 40 models with the same bones, words and folder are ranked once, although their meshes have names of their own', async () => {
    const scenes = new MatchScenes();
    const bones = ['Root', 'Spine', 'Head', 'Arm'];
    const take = async (path: string, bytes: Uint8Array) => ({
      path,
      file: { format: null, scene: scenes.take(message(await read(path, bytes), path)) },
    });
    const all = [await take('Run.psa', makePsa({ bones }))];
    for (let i = 0; i < 40; i++) all.push(await take(`Pig${i}.psk`, makePsk({ bones })));
    const { groups, compared, ranked } = await countedGroup(all as Parameters<typeof group>[0]);
    expect([compared.mock.calls.length, ranked.mock.calls.length]).toEqual([1, 1]);
    expect(groups.filter(({ animations }) => animations.length === 1)).toHaveLength(40);
  });
});
