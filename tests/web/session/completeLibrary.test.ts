// A drop of many models: the first is shown at once, and the others are read afterwards.
import { describe, expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { modelsIn } from '../../../web/src/session/library.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { BODY, BOOTS, makePart, makeWalk } from '../../support/characterParts.ts';
import { TestSession } from './support.ts';

const input = (path: string, bytes: Uint8Array<ArrayBuffer>): InputFile => ({ path, file: new File([bytes], path.split('/').at(-1)!) });
const animal = (name: string, side = 2): InputFile =>
  input(`${name}.psk`, makePsk({ bones: ['Root', `${name} Spine`, `${name} Head`], side }));
const walk = (name: string): InputFile =>
  input(`${name}Anims.psa`, makePsa({ bones: ['Root', `${name} Spine`, `${name} Head`], sequences: [`${name}Walk`], frames: 31 }));

const ANIMALS = ['Bat', 'Cow', 'Dog', 'Eel', 'Fox', 'Gnu', 'Hen'];
const shownIn = ({ session }: TestSession): string | undefined => session.shown?.input.file.name;
const unread = ({ session }: TestSession): number => modelsIn(session.library).filter(({ facts }) => !facts).length;

test('of more than five models, one is shown after it and its own animations were read', async () => {
  const page = new TestSession();
  await page.dropFirst([...ANIMALS.map(name => animal(name)), walk('Fox'), walk('Zebra')]);
  expect([shownIn(page), page.titles, page.playing]).toEqual(['Fox.psk', ['FoxWalk'], 'FoxWalk']);
  expect(unread(page)).toBe(ANIMALS.length - 1);
});

test('of five models, all are read before one is shown', async () => {
  const page = new TestSession();
  await page.dropFirst(ANIMALS.slice(0, 5).map(name => animal(name)));
  expect(unread(page)).toBe(0);
});

describe('of a few models, the reason why one is shown first', () => {
  const reasonOf = async (...files: InputFile[]): Promise<unknown> => {
    const { session } = await new TestSession().dropFirst(files);
    return session.notices.find(({ code }) => code === 'several-models');
  };

  test('is its animations, if they fit no other model as well', async () => {
    const expected = { name: 'Fox.psk', of: 3, reason: 'animations' };
    expect(await reasonOf(animal('Fox'), animal('Cow', 4), animal('Bat'), walk('Fox'))).toMatchObject(expected);
    // The name of the other file with animations is less similar.
    const other = { ...walk('Cow'), path: 'take_01.psa' };
    expect(await reasonOf(animal('Fox'), animal('Cow', 4), animal('Bat'), walk('Fox'), other)).toMatchObject(expected);
  });

  test('is its number of vertices, if no animation fits it better than the others', async () => {
    const expected = { name: 'Cow.psk', of: 3, reason: 'vertices' };
    expect(await reasonOf(animal('Fox'), animal('Cow', 4), animal('Bat'))).toMatchObject(expected);
    expect(await reasonOf(animal('Fox'), animal('Cow', 4), walk('Fox'), walk('Cow'))).toMatchObject({ ...expected, of: 2 });
  });

  test('is missing, if another model has as many vertices', async () => {
    expect(await reasonOf(animal('Fox'), animal('Cow'))).toMatchObject({ name: 'Cow.psk', of: 2, reason: null });
    // The cow has more vertices, and the fox and the bat have equal animations.
    const three = [animal('Fox', 3), animal('Bat'), animal('Cow', 4), walk('Fox'), walk('Bat')];
    expect(await reasonOf(...three)).toMatchObject({ name: 'Fox.psk', reason: null });
  });

  test('is missing, if the model replaces one of its parts, which was chosen', async () => {
    const hero = input('Hero.psk', makePart({ covers: BODY }));
    const boots = input('Hero_Boots.psk', makePart({ covers: Array.from({ length: 8 }, () => BOOTS).flat() }));
    expect(await reasonOf(hero, boots, animal('Fox'))).toMatchObject({ name: 'Hero.psk', of: 3, reason: null });
  });
});

test('if no name is similar to that of an animation file, the largest file is shown first', async () => {
  const page = new TestSession();
  await page.dropFirst(ANIMALS.map(name => animal(name, name === 'Eel' ? 4 : 2)));
  expect(shownIn(page)).toBe('Eel.psk');
});

test('a damaged file with the most similar name is skipped', async () => {
  const broken = input('FoxAnims.psk', makePsk().slice(0, 40));
  const page = await new TestSession().dropFirst([...ANIMALS.map(name => animal(name)), broken, walk('Fox')]);
  expect(shownIn(page)).toBe('Fox.psk');
});

test('the other models and animations are read afterwards, and the selected animation stays selected', async () => {
  const page = await new TestSession().drop([...ANIMALS.map(name => animal(name)), walk('Fox'), walk('Bat')]);
  expect(unread(page)).toBe(0);
  expect([page.titles.toSorted(), page.playing]).toEqual([['BatWalk', 'FoxWalk'], page.session.shown!.input.path.replace('.psk', 'Walk')]);
});

test('an animation that is found afterwards is selected if there was none to select', async () => {
  const bones = ['Root', 'Hen Spine', 'Hen Head'];
  const flight = input('take_01.psa', makePsa({ bones, sequences: ['Flight'], frames: 31 }));
  const page = new TestSession();
  const files = [...ANIMALS.map(name => animal(name, name === 'Hen' ? 4 : 2)), flight];
  await page.dropFirst(files);
  expect([shownIn(page), page.playing]).toEqual(['Hen.psk', 'the rest pose']);
  expect((await new TestSession().drop(files)).playing).toBe('Flight');
});

test('of animation files with equal names and sizes, one of each content is opened afterwards', async () => {
  const take = (folder: string, title: string): InputFile =>
    input(`${folder}/anim.psa`, makePsa({ bones: ['Root', 'Fox Spine', 'Fox Head'], sequences: [title], frames: 31 }));
  // Only the first file has a name that is similar to that of a model.
  const takes = [walk('Fox'), take('a', 'Hops'), take('b', 'Runs'), take('c', 'Hops'), take('d', 'Runs')];
  expect(new Set(takes.slice(1).map(({ file }) => file.size)).size).toBe(1);
  const page = new TestSession();
  await page.dropFirst([...ANIMALS.map(name => animal(name)), ...takes]);
  expect(page.titles).toEqual(['FoxWalk']);
  await page.complete();
  expect(page.titles.toSorted()).toEqual(['FoxWalk', 'Hops', 'Runs']);
  const animationFiles = page.session.animationFiles.filter(({ input: { path } }) => path !== 'b/anim.psa');
  page.session = { ...page.session, animationFiles };
  await page.complete();
  expect(page.titles.toSorted()).toEqual(['FoxWalk', 'Hops', 'Runs']);
});

test('the parts of the shown character are added afterwards', async () => {
  const hero = input('Hero.psk', makePart({ covers: BODY }));
  const boots = input('Hero_Boots.psk', makePart({ covers: BOOTS }));
  const files = [hero, boots, ...ANIMALS.map(name => animal(name)), input('HeroAnims.psa', makeWalk())];
  const page = await new TestSession().dropFirst(files);
  expect([shownIn(page), page.session.shown!.parts]).toEqual(['Hero.psk', []]);
  const later = await new TestSession().drop(files);
  expect([shownIn(later), later.session.shown!.parts.map(({ input: part }) => part.path)]).toEqual(['Hero.psk', ['Hero_Boots.psk']]);
});

test('a part that is shown first is replaced by its character', async () => {
  const hero = input('Hero.psk', makePart({ covers: BODY }));
  // The part is the largest file, so it is shown first.
  const boots = input('Hero_Boots.psk', makePart({ covers: Array.from({ length: 8 }, () => BOOTS).flat() }));
  const files = [hero, boots, ...ANIMALS.map(name => animal(name))];
  expect(shownIn(await new TestSession().dropFirst(files))).toBe('Hero_Boots.psk');
  const later = await new TestSession().drop(files);
  expect([shownIn(later), later.session.shown!.parts.length]).toEqual(['Hero.psk', 1]);
});
