// Groups models into characters: bodies, garments, weapons and unrelated models with one skeleton,
// read from files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Candidate, characterOf, charactersOf, explainDoubt, attachmentBoneOf } from '../../../web/src/core/characters.ts';
import { levelsIn } from '../../../web/src/core/levels.ts';
import { modelFactsOf } from '../../../web/src/core/modelFacts.ts';
import { open } from '../../../web/src/core/open.ts';
import { castFile, metadata, model as castModel, node } from '../../support/castFile.ts';
import { makePsk } from '../../support/actorx.ts';
import { BODY, type Bones, BOOTS, HUMAN, makePart, moved, type PartOptions } from '../../support/characterParts.ts';

async function candidate(path: string, bytes: Uint8Array): Promise<Candidate> {
  const { scene, report } = await open(bytes, { name: path.split('/').at(-1)!, worker: false });
  expect(report.errors, path).toBe(0);
  return { path, facts: modelFactsOf(scene!) };
}
const part = (path: string, options: PartOptions): Promise<Candidate> => candidate(path, makePart(options));

/** Returns the file names of each character, the lead first. */
const listsOf = (models: readonly Candidate[], animations: readonly string[] = []): string[][] =>
  charactersOf(models, animations).map(({ lead, parts }) => [lead, ...parts].map(({ path }) => path));
/** Returns the offers with their reasons. */
const offersOf = (models: readonly Candidate[], animations: readonly string[] = []): string[] =>
  charactersOf(models, animations).flatMap(({ offers }) => offers.map(({ model, doubt }) => `${model.path}: ${explainDoubt(doubt)}`));

/** Finger bones, so that a hand has many bones like in games. */
const withFingers: Bones = Object.fromEntries(
  Object.entries(HUMAN).flatMap(([name, bone]) => {
    const side = /^Hand_(.)$/.exec(name)?.[1];
    const [, x, y, z] = bone;
    const fingers = ['Thumb', 'Index', 'Middle', 'Ring', 'Pinky'].map(
      (finger, i) => [`${finger}_${side}`, [name, x * 1.1, y + 2 * i, z] as const] as const,
    );
    return [[name, bone] as const, ...(side ? fingers : [])];
  }),
);

describe('a character', () => {
  test('is a body with boots, a hat and a head, for any names and any order', async () => {
    const headless = BODY.filter(name => name !== 'Head');
    const models = await Promise.all([
      part('boots.psk', { covers: BOOTS, material: 'Leather' }),
      part('hat.psk', { covers: ['Head'], size: 4 }),
      part('face.psk', { covers: ['Head'], size: 6, bones: { ...HUMAN, Jaw: ['Head', 0, -5, 160], Brow: ['Head', 0, -5, 170] } }),
      part('body.psk', { covers: headless, material: 'Paint' }),
    ]);
    expect(listsOf(models)).toEqual([['body.psk', 'boots.psk', 'face.psk'], ['hat.psk']]);
    expect(listsOf([...models].reverse())[0]).toEqual(['body.psk', 'boots.psk', 'face.psk']);
    const whole = await Promise.all([part('body.psk', { covers: BODY }), models[0]!, models[1]!]);
    expect(listsOf(whole)).toEqual([['body.psk', 'boots.psk', 'hat.psk']]);
  });

  test('is led by the model that covers most of the body, not by the one with most vertices or the widest', async () => {
    const bones: Bones = { ...HUMAN, Wing_L: ['Spine', 150, 0, 180], Wing_R: ['Spine', -150, 0, 180] };
    const models = await Promise.all([
      part('wings.psk', { bones, covers: ['Wing_L', 'Wing_R', ...Array.from({ length: 30 }, () => 'Wing_L')] }),
      part('body.psk', { bones, covers: BODY }),
    ]);
    expect(listsOf(models)).toEqual([['body.psk', 'wings.psk']]);
  });

  test('may have gloves and a jacket that each cover many but not most of its bones', async () => {
    const all = Object.keys(withFingers).filter(name => name !== 'Root');
    const hands = all.filter(name => /Hand|Thumb|Index|Middle|Ring|Pinky/.test(name));
    const models = await Promise.all([
      part('body.psk', { bones: withFingers, covers: all }),
      part('gloves.psk', { bones: withFingers, covers: hands }),
      part('jacket.psk', { bones: withFingers, covers: ['Pelvis', 'Spine', 'UpperArm_L', 'UpperArm_R', 'LowerArm_L', 'LowerArm_R'] }),
    ]);
    expect(listsOf(models)).toEqual([['body.psk', 'gloves.psk', 'jacket.psk']]);
  });

  test('accepts a part whose rest pose differs in a few bones, by less than 1 % of its size, or in additional bones', async () => {
    const near = moved(HUMAN, (x, y, z) => [x, y + 1.5, z]); // the body is 170 units high
    const other: Bones = { ...HUMAN, Hand_L: ['LowerArm_L', 70, 30, 150], Cape_1: ['Spine', 0, 20, 120], Cape_2: ['Cape_1', 0, 20, 90] };
    const models = await Promise.all([
      part('body.psk', { covers: BODY }),
      part('boots.psk', { bones: near, covers: BOOTS }),
      part('cape.psk', { bones: other, covers: ['Cape_1', 'Cape_2'] }),
    ]);
    expect(listsOf(models)).toEqual([['body.psk', 'boots.psk', 'cape.psk']]);
  });

  test('is found in Cast files, whose root rotates meshes and bones upright', async () => {
    const bones = Object.entries(HUMAN);
    const rowOf = (name: string): number => bones.findIndex(([each]) => each === name);
    const at = (name: string): readonly number[] => HUMAN[name]?.slice(1) as number[];
    const cast = (covers: readonly string[]): Uint8Array => {
      const corners = covers.flatMap(name => [0, 1, 2].flatMap(i => at(name).map((value, axis) => value + (axis === i ? 8 : -8))));
      const skeleton = bones.map(([name, [parent]]) =>
        node('bone', {
          n: ['s', name],
          p: ['i', [rowOf(parent) >>> 0]],
          lp: ['3v', at(name).map((value, axis) => value - (parent ? at(parent)[axis]! : 0))],
          lr: ['4v', [0, 0, 0, 1]],
        }),
      );
      const mesh = node('mesh', {
        n: ['s', 'mesh'],
        vp: ['3v', corners],
        f: ['b', corners.slice(0, corners.length / 3).map((_, i) => i)],
        wb: ['b', covers.flatMap(name => [0, 1, 2].map(() => rowOf(name)))],
        wv: ['f', covers.flatMap(() => [1, 1, 1])],
        mi: ['b', [1]],
      });
      return castFile(metadata({ up: 'z' }), castModel('part', node('skel', {}, ...skeleton), mesh));
    };
    const models = await Promise.all([candidate('body.cast', cast(BODY)), candidate('boots.cast', cast(BOOTS))]);
    const { min, max } = models[0]!.facts;
    expect(max[1] - min[1]).toBeGreaterThan(max[2] - min[2]);
    expect(listsOf(models)).toEqual([['body.cast', 'boots.cast']]);
  });

  test('has one level of detail per part, and the same parts for each of its own levels', async () => {
    const models = await Promise.all([
      part('Hero.psk', { covers: BODY }),
      part('Hero_LOD1.psk', { covers: BODY }),
      part('HeroBoots_LOD1.psk', { covers: BOOTS }),
      part('HeroBoots_LOD0.psk', { covers: BOOTS, size: 9 }),
    ]);
    expect(listsOf(models)).toEqual([['Hero.psk', 'HeroBoots_LOD0.psk'], ['Hero_LOD1.psk'], ['HeroBoots_LOD1.psk']]);
    expect(characterOf(models[1]!, models, []).parts).toEqual([models[3]]);
    expect(levelsIn(models, ({ path }) => path).map(group => group.map(({ path }) => path))).toEqual([
      ['Hero.psk', 'Hero_LOD1.psk'],
      ['HeroBoots_LOD0.psk', 'HeroBoots_LOD1.psk'],
    ]);
  });

  test('separates models by upper and lower case if both have the same level of detail', () => {
    const grouped = (...paths: string[]): string[][] => levelsIn(paths, path => path);
    expect(grouped('Model.cast', 'model.cast')).toEqual([['Model.cast'], ['model.cast']]);
    expect(grouped('Model_LOD1.cast', 'model.cast', 'model_LOD1.cast', 'Model.cast')).toEqual([
      ['Model.cast', 'Model_LOD1.cast'],
      ['model.cast', 'model_LOD1.cast'],
    ]);
    expect(grouped('body_lod1.psk', 'Body.psk')).toEqual([['Body.psk', 'body_lod1.psk']]);
    expect(grouped('Body.psk', 'Body_LOD0.psk')).toEqual([['Body.psk', 'Body_LOD0.psk']]);
  });

  test('gets the parts with similar names, or those that follow it in the list if names do not decide', async () => {
    const models = await Promise.all([
      part('Elf_Body.psk', { covers: BODY }),
      part('Orc_Body.psk', { covers: BODY, size: 9 }),
      part('Orc_Boots.psk', { covers: BOOTS }),
      part('Helmet.psk', { covers: ['Head'] }),
    ]);
    expect(listsOf(models)).toEqual([['Orc_Body.psk', 'Helmet.psk', 'Orc_Boots.psk'], ['Elf_Body.psk']]);
    expect(listsOf([models[0]!, models[3]!, ...models.slice(1, 3)])).toEqual([
      ['Orc_Body.psk', 'Orc_Boots.psk'],
      ['Elf_Body.psk', 'Helmet.psk'],
    ]);
    expect(listsOf([models[3]!, ...models.slice(0, 3)])).toEqual([
      ['Orc_Body.psk', 'Orc_Boots.psk'],
      ['Elf_Body.psk', 'Helmet.psk'],
    ]);
    expect(characterOf(models[1]!, models, []).parts.map(({ path }) => path)).toEqual(['Helmet.psk', 'Orc_Boots.psk']);
    expect(characterOf(models[2]!, models, [])).toEqual({ lead: models[2], parts: [], offers: [] });
  });
});

describe('two characters', () => {
  test('are a dwarf and a giant with one skeleton, and children beside an adult', async () => {
    const models = await Promise.all([
      part('giant.psk', { bones: moved(HUMAN, (x, y, z) => [2 * x, 2 * y, 2 * z]), covers: BODY }),
      part('dwarf.psk', { bones: moved(HUMAN, (x, y, z) => [x, y, 0.5 * z]), covers: BODY }),
      part('hat_of_the_dwarf.psk', { bones: moved(HUMAN, (x, y, z) => [x, y, 0.5 * z]), covers: ['Head'] }),
    ]);
    expect(listsOf(models)).toEqual([['giant.psk'], ['dwarf.psk', 'hat_of_the_dwarf.psk']]);
    expect(offersOf(models)).toEqual([]);
  });

  test('are two whole bodies with the same rest pose, for any sizes and additional parts', async () => {
    const crowd: Bones = {
      ...HUMAN,
      ...Object.fromEntries(
        Object.entries(HUMAN).map(([name, [parent, x, y, z]]) => [`Other ${name}`, [parent && `Other ${parent}`, x + 200, y, z]]),
      ),
    };
    const everybody = Object.keys(crowd).filter(name => !name.endsWith('Root'));
    const models = await Promise.all([
      part('two.psk', { bones: crowd, covers: [...everybody, ...everybody.filter(name => name.startsWith('Other'))] }),
      part('one.psk', { covers: BODY, size: 2 }),
    ]);
    expect(listsOf(models)).toEqual([['two.psk'], ['one.psk']]);
    expect(offersOf(models)).toEqual([]);
  });

  test('are two bodies with meaningless bone names, if the vertices of the smaller one follow all of its bones', async () => {
    const snake: Bones = Object.fromEntries(
      Array.from({ length: 24 }, (_, i) => [`Bone${i}`, [i ? `Bone${i - 1}` : '', 0, 20 * i, 10] as const]),
    );
    const names = Object.keys(snake);
    const models = await Promise.all([
      part('snake_and_bird.psk', { bones: { ...snake, ...HUMAN }, covers: [...names, ...BODY] }),
      part('snake.psk', { bones: snake, covers: names }),
      part('chest.psk', { bones: moved(snake, (x, y, z) => [x, y, z + 40]), covers: names.slice(0, 3) }),
      part('other_chest.psk', { bones: moved(snake, (x, y, z) => [x, y, z + 40]), covers: names.slice(0, 3) }),
    ]);
    expect(listsOf(models)).toEqual([['snake_and_bird.psk'], ['snake.psk'], ['chest.psk'], ['other_chest.psk']]);
  });

  test('are the cars of one game: bones of the same names at other positions, and bodies on the same bones', async () => {
    const car = (length: number, height: number): Bones => ({
      chassis_jnt: ['', 0, 0, 20],
      ...Object.fromEntries(
        ['FL', 'FR', 'BL', 'BR'].flatMap((wheel, i) => {
          const at = [i < 2 ? length : -length, i % 2 ? 40 : -40, height] as const;
          return [
            [`${wheel}_pivot_jnt`, ['chassis_jnt', ...at]],
            [`${wheel}_disc_jnt`, [`${wheel}_pivot_jnt`, ...at]],
          ];
        }),
      ),
    });
    const all = ['chassis_jnt', 'FL_disc_jnt', 'FR_disc_jnt', 'BL_disc_jnt', 'BR_disc_jnt'];
    const models = await Promise.all([
      part('Body_Van.psk', { bones: car(60, 22), covers: all, size: 20 }),
      part('Body_Racer.psk', { bones: car(70, 15), covers: all }),
      part('Body_Muscle.psk', { bones: car(64, 18), covers: all }),
      part('Body_Muscle_Gold.psk', { bones: car(64, 18), covers: all }),
      part('Body_Muscle_Spoiler.psk', { bones: car(64, 18), covers: ['BL_pivot_jnt'] }),
    ]);
    expect(listsOf(models)).toEqual([
      ['Body_Van.psk'],
      ['Body_Racer.psk'],
      ['Body_Muscle.psk', 'Body_Muscle_Spoiler.psk'],
      ['Body_Muscle_Gold.psk'],
    ]);
  });

  test('are models with fewer than 8 common bones, or fewer than 80 % of the smaller skeleton', async () => {
    const take = (count: number): Bones => Object.fromEntries(Object.entries(HUMAN).slice(0, count));
    const others = (count: number): Bones =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`Hose_${i}`, ['Root', 0, 10 * i, 10] as const]));
    const body = await part('body.psk', { covers: BODY });
    const hat = (bones: Bones): Promise<Candidate> => part('hat.psk', { bones, covers: ['Head'] });
    expect(listsOf([body, await hat(take(7))])).toEqual([['body.psk'], ['hat.psk']]);
    expect(listsOf([body, await hat(take(8))])).toEqual([['body.psk', 'hat.psk']]);
    expect(listsOf([body, await hat({ ...take(12), ...others(20) })])).toEqual([['body.psk'], ['hat.psk']]);
    expect(listsOf([body, await hat({ ...take(13), ...others(20) })])).toEqual([['body.psk', 'hat.psk']]);
  });

  test('are models without meshes or bones', async () => {
    const body = await part('body.psk', { covers: BODY });
    const skeleton = { ...body.facts, shares: new Map(), vertexCount: 0 };
    const crate = { ...body.facts, shares: new Map(), bones: new Map(), root: '' };
    const models = [body, { path: 'skeleton.psk', facts: skeleton }, { path: 'crate.psk', facts: crate }];
    expect(listsOf(models).sort()).toEqual([['body.psk'], ['crate.psk'], ['skeleton.psk']]);
  });
});

describe('a part is offered instead of applied', () => {
  test('if animations are named after it, but not if they are named after the lead or only contain its name', async () => {
    const models = await Promise.all([part('skKnight.psk', { covers: BODY }), part('skGhostRobe.psk', { covers: ['Spine', 'Pelvis'] })]);
    const both = [['skKnight.psk', 'skGhostRobe.psk']];
    expect(listsOf(models, ['Anims/skKnightAnims.psa', 'Anims/TakeOffGhostRobe.psa', 'Anims/Ghost.psa'])).toEqual(both);
    expect(listsOf(models, ['Anims/skGhostRobeAnims.psa'])).toEqual([['skKnight.psk'], ['skGhostRobe.psk']]);
    expect(offersOf(models, ['Anims/skGhostRobeAnims.psa'])).toEqual(['skGhostRobe.psk: Anims/skGhostRobeAnims.psa has animations for it']);
    const hero = await Promise.all([part('Hero_Body.psk', { covers: BODY }), part('Hero.psk', { covers: ['Head'] })]);
    expect(listsOf(hero, ['Hero_Walk.psa'])).toEqual([['Hero_Body.psk', 'Hero.psk']]);
  });

  test('if textures are named after it and its name shares no word with the lead, unless it has no trunk or adds geometry', async () => {
    const headless = BODY.filter(name => name !== 'Head');
    const [body, torso, robe, named, ghost, boots] = await Promise.all([
      part('skKnight.psk', { covers: BODY }),
      part('skKnight.psk', { covers: headless }),
      part('skGhost.psk', { covers: ['Spine', 'Pelvis'], material: 'skGhostTex0' }),
      part('skKnightRobe.psk', { covers: ['Spine', 'Pelvis'], material: 'skKnightRobeTex0' }),
      part('skGhost.psk', { covers: ['Head', 'Spine'], material: 'skGhostTex0' }),
      part('skBoots.psk', { covers: BOOTS, material: 'skBootsTex0' }),
    ]);
    expect(listsOf([body, robe])).toEqual([['skKnight.psk'], ['skGhost.psk']]);
    expect(offersOf([body, robe])).toEqual(['skGhost.psk: its texture skGhostTex0 is named after it']);
    expect(listsOf([body, named])).toEqual([['skKnight.psk', 'skKnightRobe.psk']]);
    expect(listsOf([torso, ghost])).toEqual([['skKnight.psk', 'skGhost.psk']]);
    expect(listsOf([body, ghost])).toEqual([['skKnight.psk'], ['skGhost.psk']]);
    expect(listsOf([body, boots])).toEqual([['skKnight.psk', 'skBoots.psk']]);
  });

  test('if some of its bones have other rest positions', async () => {
    const bent: Bones = {
      ...HUMAN,
      Hand_L: ['LowerArm_L', 60, 30, 150],
      Hand_R: ['LowerArm_R', -60, 30, 150],
      Head: ['Spine', 0, 20, 165],
    };
    const models = await Promise.all([part('body.psk', { covers: BODY }), part('boots.psk', { bones: bent, covers: BOOTS })]);
    expect(listsOf(models)).toEqual([['body.psk'], ['boots.psk']]);
    expect(offersOf(models)).toEqual(['boots.psk: only 13 of 16 common bones rest at the same position']);
  });

  test('if another part covers the same bones: a second head, a second helmet of that name, and all but one of three', async () => {
    const headless = await part('body.psk', { covers: BODY.filter(name => name !== 'Head') });
    const body = await part('body.psk', { covers: BODY });
    const [heads, helmets, coats] = await Promise.all([
      Promise.all(['Bald', 'Bearded'].map(name => part(`${name}.psk`, { covers: ['Head'] }))),
      Promise.all(['Helmet_01', 'Helmet_02', 'Helmet_B'].map(name => part(`${name}.psk`, { covers: ['Head'] }))),
      Promise.all(['Red', 'Shirt', 'Vest'].map(name => part(`${name}.psk`, { covers: ['Spine', 'Pelvis'] }))),
    ]);
    expect(listsOf([headless, ...heads])).toEqual([['body.psk', 'Bald.psk'], ['Bearded.psk']]);
    expect(offersOf([headless, ...heads])).toEqual(['Bearded.psk: it covers the same bones as Bald.psk']);
    expect(listsOf([body, ...helmets.slice(0, 2)])).toEqual([['body.psk', 'Helmet_01.psk'], ['Helmet_02.psk']]);
    expect(listsOf([body, helmets[0]!, helmets[2]!])).toEqual([['body.psk', 'Helmet_01.psk'], ['Helmet_B.psk']]);
    // A shirt and a vest can be worn together. Only one of three coats is applied.
    expect(listsOf([body, ...coats.slice(1)])).toEqual([['body.psk', 'Shirt.psk', 'Vest.psk']]);
    expect(listsOf([body, ...coats])).toEqual([['body.psk', 'Red.psk'], ['Shirt.psk'], ['Vest.psk']]);
  });
});

describe('facts of a model', () => {
  test('are in metres in scene space, and count each vertex for its strongest bone', async () => {
    const { facts } = await part('boots.psk', { covers: BOOTS });
    expect([facts.root, facts.bones.size, facts.vertexCount, facts.textures]).toEqual(['root', 16, 32, ['Skin']]);
    expect([...facts.shares].sort()).toEqual(BOOTS.map(name => [name.toLowerCase(), 0.25]).sort());
    expect(facts.bones.get('head')!.map(value => +value.toFixed(5) + 0)).toEqual([0, 1.65, 0]);
    expect([...facts.min, ...facts.max].map(value => Math.abs(+value.toFixed(5)))).toEqual([0.18, 0, 0.08, 0.18, 0.58, 0.08]);
  });

  test('assign a mesh without a skin to the nearest bone above it', async () => {
    const { scene } = await open(makePart({ covers: BODY }), { name: 'body.psk', worker: false });
    const { nodes, renderers } = scene!;
    const head = nodes.names.indexOf('Head');
    const hung = renderers.map(({ name, mesh, visible }) => ({ name, mesh, visible, node: head }));
    const { shares, min, max } = modelFactsOf({ ...scene!, renderers: hung });
    expect([...shares]).toEqual([['head', 1]]);
    expect(max[1] - min[1]).toBeGreaterThan(0);
  });
});

describe('attachmentBoneOf', () => {
  const factsOf = async (...bones: string[]) => (await candidate('a.psk', makePsk({ bones }))).facts;

  test('returns the bone that holds a weapon, and no other bone', async () => {
    const arms = await factsOf('tag_view', 'arm', 'hand', 'j_gun');
    expect(attachmentBoneOf(await factsOf('j_gun', 'bolt', 'muzzle'), arms)).toBe('j_gun');
    expect(attachmentBoneOf(await factsOf('J_Gun', 'bolt'), arms)).toBe('j_gun');
    expect(attachmentBoneOf(await factsOf('tag_view', 'bolt'), arms)).toBe('');
    expect(attachmentBoneOf(await factsOf('arm', 'bolt'), arms)).toBe('');
    expect(attachmentBoneOf(await factsOf('j_gun', 'arm', 'hand', 'tag_view'), arms)).toBe('');
  });
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
const isThere = existsSync(new URL('psk/psk_loaders', corpus)) && existsSync(new URL('field/one_character', corpus));
if (!isThere) console.log('skipped: ../shared/corpus is not there');

test.skipIf(!isThere)('groups the parts of third-party files, and keeps whole models separate', async () => {
  const inFolder = (folder: string): Promise<Candidate[]> =>
    Promise.all(
      readdirSync(new URL(folder, corpus))
        .filter(name => name.endsWith('.psk'))
        .sort()
        .map(async name => {
          const { scene } = await open(new Uint8Array(readFileSync(new URL(`${folder}/${name}`, corpus))), { name, worker: false });
          return { path: name, facts: modelFactsOf(scene!) };
        }),
    );
  expect(listsOf(await inFolder('field/one_character'))).toEqual([['body.psk', 'boots.psk']]);
  expect(listsOf(await inFolder('field/two_machines'))).toEqual([['low_racer.psk'], ['tall_van.psk']]);
  expect(listsOf(await inFolder('psk/hp2')).filter(list => list.length > 1)).toEqual([]);
  expect(listsOf(await inFolder('psk/psk_psa_py')).filter(list => list.length > 1)).toEqual([]);
  expect(listsOf(await inFolder('psk/psk_loaders')).filter(list => list.length > 1)).toEqual([
    [
      'SK_MaleBase_01_Body.psk',
      'SK_Male_CivilRespiratorMK1_01.psk',
      'SK_Male_HazmatArmorMK1_01.psk',
      'SK_Male_LightArmor_01_Lod2.psk',
      'SK_MaleAll_01_Head_Lod1.psk',
    ],
  ]);
});
