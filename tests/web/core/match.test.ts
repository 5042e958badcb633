// Matches animations with models: by target names, then by file names, then by folders.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { animatesNodesOnly, isMadeFor, match, mayBeMadeFor, rank } from '../../../web/src/core/match.ts';
import { open } from '../../../web/src/core/open.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';

const read = async (bytes: Uint8Array, name: string): Promise<RigScene> => (await open(bytes, { name, worker: false })).scene!;
const body = ['Root', 'Spine', 'Head', 'Arm L', 'Arm R', 'Leg L', 'Leg R', 'Tail'];

describe('match', () => {
  test('compares the names of the clip with those of the model', async () => {
    const model = await read(makePsk({ bones: body }), 'pig.psk');
    const own = await read(makePsa({ bones: body, sequences: ['Roll', 'Walk'] }), 'pig.psa');
    const barrel = await read(makePsa({ bones: ['Root', 'Lid'] }), 'barrel.psa');
    const crowd = await read(makePsa({ bones: [...body, ...Array.from({ length: 24 }, (_, i) => `Feather ${i}`)] }), 'bird.psa');
    expect(match(own.clips, model)).toEqual({ names: 8, found: 8, bones: 8, moved: 8, fit: 1 });
    expect(match(barrel.clips, model)).toEqual({ names: 2, found: 1, bones: 8, moved: 1, fit: 1 / 16 });
    expect(match(crowd.clips, model)).toEqual({ names: 32, found: 8, bones: 8, moved: 8, fit: 1 / 4 });
    expect(match(own.clips[0]!, model)).toEqual(match(own.clips, model));
    expect(match([], model)).toEqual({ names: 0, found: 0, bones: 8, moved: 0, fit: 0 });
  });

  test('returns the best match of several clips, in any order', () => {
    const scene = armScene();
    const moves = (...targets: string[]) =>
      clip(targets.join(), 1, ...targets.map(target => track({ target, path: 'translation', times: f32(0), values: f32(0, 0, 0) })));
    expect(match([moves('nobody'), moves('low.er', 'up/per'), moves('low.er')], scene)).toMatchObject({
      names: 2,
      found: 2,
      moved: 2,
      fit: 1,
    });
  });

  test('ignores bones whose name another bone has that the clip moves', async () => {
    const model = await read(makePsk({ bones: [...body, 'Tail', 'Tail', 'Tail', 'Hat'] }), 'pig.psk');
    const own = await read(makePsa({ bones: body }), 'pig.psa');
    expect(match(own.clips, model)).toEqual({ names: 8, found: 8, bones: 12, moved: 8, fit: 8 / 9 });
  });

  test('ignores bones that a pose of differences does not change', () => {
    const tracks = [track({ target: 'low.er', path: 'translation', times: f32(0), values: f32(0, 0, 1) })];
    const pose = { ...clip('open', 0, ...tracks), addsToRest: true };
    expect(match(clip('open', 0, ...tracks), armScene()).fit).toBe(0.5);
    expect(match(pose, armScene())).toMatchObject({ names: 1, found: 1, moved: 1, fit: 1 });
    expect(isMadeFor(match(pose, armScene()))).toBe(true);
  });

  test('ignores bones for a clip that animates faces only', () => {
    const weight = (property: string) => track({ target: '', property, path: 'weight', times: f32(0), values: f32(1) });
    expect(match(clip('blink', 1, weight('Swell'), weight('Swell')), armScene())).toMatchObject({ names: 1, found: 1, moved: 0, fit: 1 });
    expect(match(clip('blink', 1, weight('Swell'), weight('Pout')), armScene())).toMatchObject({ names: 2, found: 1, fit: 0.5 });
    expect(
      match(
        clip('speech', 1, weight('Swell'), track({ target: 'low.er', path: 'translation', times: f32(0), values: f32(0, 0, 0) })),
        armScene(),
      ),
    ).toMatchObject({ names: 2, found: 2, moved: 1, fit: 0.5 });
  });
});

test('accepts a clip for automatic start if it fits the whole body, or at least half of it with no other names', async () => {
  const hero = await read(makePsk({ bones: [...body, 'Hair', 'Cape', 'Belt', 'Bag', 'Sword', 'Hat'] }), 'hero.psk');
  const isMade = async (...bones: string[]): Promise<boolean> => isMadeFor(match((await read(makePsa({ bones }), 'x.psa')).clips, hero));
  expect(await isMade(...body)).toBe(true); // 8 of 14
  expect(await isMade(...body.slice(0, 6))).toBe(false);
  expect(await isMade(...body, 'Wing L', 'Wing R')).toBe(false);
});

describe('the quick test before matching', () => {
  const moves = (...targets: string[]) =>
    clip(targets.join(), 1, ...targets.map(target => track({ target, path: 'rotation', times: f32(0), values: f32(0, 0, 0, 1) })));
  /** Creates a scene with several models, each a node with a chain of bones below it. */
  const skeleton = (...models: (readonly string[])[]): RigScene => {
    const rows = [{ name: '', parent: -1, bone: -1 }];
    let bone = 0;
    for (const names of models) {
      rows.push({ name: 'model', parent: 0, bone: -1 });
      for (const name of names) rows.push({ name, parent: rows.length - 1, bone: bone++ });
    }
    const scene = armScene();
    const nodes = {
      ...scene.nodes,
      length: rows.length,
      names: rows.map(({ name }) => name),
      parents: Int32Array.from(rows, ({ parent }) => parent),
      bones: Int32Array.from(rows, row => row.bone),
    };
    return { ...scene, nodes, renderers: [], meshes: [], skins: [], clips: [] };
  };

  test('never rules out a matching pair', () => {
    let seed = 7;
    const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
    const parts = ['Head', 'head', 'Arm L', 'arm_l', 'Spine', 'Tail', ' Tail', 'Leg.001'];
    const prefixes = ['', 'Bip01 ', 'mixamorig:', 'rig_'];
    const some = (): string[] => {
      const prefix = prefixes[random(prefixes.length)]!;
      return Array.from({ length: 1 + random(6) }, () => (random(8) > 0 ? prefix : '') + parts[random(parts.length)]!);
    };
    const counts = { made: 0, ruledOut: 0 };
    for (let round = 0; round < 3000; round++) {
      const names = some();
      const model = random(2) > 0 ? skeleton(names) : skeleton(names, random(2) > 0 ? some() : names.map(name => name.toUpperCase()));
      const clips = Array.from({ length: 1 + random(2) }, () => moves(...new Set(some())));
      const isMade = isMadeFor(match(clips, model));
      const mayBe = mayBeMadeFor(clips, model);
      if (isMade) counts.made++;
      if (!mayBe) counts.ruledOut++;
      if (isMade)
        expect([mayBe, model.nodes.names, clips.map(({ name }) => name)]).toEqual([true, model.nodes.names, clips.map(({ name }) => name)]);
    }
    expect([counts.made > 50, counts.ruledOut > 500]).toEqual([true, true]);
  });

  test('rules out pairs with few names in common', () => {
    const model = skeleton(['Root', 'Spine', 'Head']);
    expect([mayBeMadeFor([moves('root', 'Spine', 'Wing')], model), mayBeMadeFor([moves('Root', 'Tail', 'Wing')], model)]).toEqual([
      true,
      false,
    ]);
    expect(mayBeMadeFor([moves('x:Root', 'x:Spine', 'x:Head')], model)).toBe(true);
  });

  test('applies to clips that animate only nodes', () => {
    const shape = track({ target: '', property: 'Smile', path: 'weight', times: f32(0), values: f32(1) });
    expect([animatesNodesOnly([moves('a')]), animatesNodesOnly([moves('a'), clip('b', 1, shape)])]).toEqual([true, false]);
  });
});

describe('rank', () => {
  const fit = (value: number) => ({ names: 1, found: 1, bones: 1, moved: 1, fit: value });
  const best = (model: string, ...motions: string[]): string =>
    motions.toSorted((a, b) => rank(fit(1), model, b) - rank(fit(1), model, a))[0]!;

  test('sorts equal matches by similar file names, then by common folders', () => {
    expect(best('Meshes/skPigMesh.psk', 'Anims/skBarrelAnims.psa', 'Anims/skPigAnims.psa', 'Meshes/skKnightAnims.psa')).toBe(
      'Anims/skPigAnims.psa',
    );
    expect(best('SK_MaleBase_01_Body.psk', 'Lobby_back_01.psa', 'maleBase-Idle_02.psa')).toBe('maleBase-Idle_02.psa');
    expect(best('b\\hero.psk', 'a\\run.psa', 'b\\run.psa', 'b\\deep\\run.psa')).toBe('b\\run.psa');
    expect(best('猫.psk', '犬.psa', '猫.psa')).toBe('猫.psa');
  });

  test('ranks matching bones above similar names', () => {
    expect(rank(fit(1), 'a/pig.psk', 'b/c/roll.psa')).toBeGreaterThan(rank(fit(0.5), 'a/pig.psk', 'a/pig.psa'));
    expect(rank(fit(1), 'a/pig.psk', 'a/pig.psa')).toBeCloseTo(1, 12);
  });
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
if (!existsSync(corpus)) console.log('skipped: motions of real models are not matched, there is no ../shared/corpus');

test.skipIf(!existsSync(corpus))('chooses the right animation for each model of a folder of real files', async () => {
  const all = async (folder: string, extension: string) => {
    const names = readdirSync(new URL(folder, corpus)).filter(name => name.endsWith(extension));
    return Promise.all(
      names.map(async name => ({ path: folder + name, scene: await read(readFileSync(new URL(folder + name, corpus)), name) })),
    );
  };
  const [models, motions] = await Promise.all([all('psk/hp2/', '.psk'), all('psa/hp2/', '.psa')]);
  const own: string[] = [];
  let foreign = 0;
  for (const model of models) {
    const ranked = motions
      .map(motion => ({ ...motion, match: match(motion.scene.clips, model.scene) }))
      .toSorted((a, b) => rank(b.match, model.path, b.path) - rank(a.match, model.path, a.path));
    const fitting = ranked.filter(each => isMadeFor(each.match));
    foreign += Math.max(fitting.length - 1, 0);
    const [first] = fitting;
    if (first && first.scene.clips.some(({ duration }) => duration > 0))
      own.push(`${model.path.slice(8, -8)} ${first.path.slice(8, -9)} ${first.match.fit}`);
  }
  expect(own.map(line => line.toLowerCase().split(' ')).every(([model, motion, fit]) => model === motion && fit === '1')).toBe(true);
  expect({ own: own.length, foreign }).toEqual({ own: 15, foreign: 0 });
});
