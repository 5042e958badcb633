// Tests the advice about textures and how copies of files are handled, with complete files.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adviceFor } from '../../../web/src/session/advice.ts';
import { open } from '../../../web/src/core/open.ts';
import { TextureResolver } from '../../../web/src/textures/resolver.ts';
import { planTextures } from '../../../web/src/textures/plan.ts';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { TestSession } from './support.ts';

const inputFile = (path: string, bytes: Uint8Array | string): InputFile => ({
  path,
  file: new File([bytes as Uint8Array<ArrayBuffer>], path.split('/').at(-1)!),
});
const picture = readFileSync(new URL('../../../web/src/viewer/demo/Pip_D.png', import.meta.url));
const image = (path: string): InputFile => inputFile(path, picture);
const model = (...materials: string[]): InputFile => inputFile('hero.psk', makePsk({ side: 6, materials }));
const textureAdvice = (page: TestSession): unknown[] =>
  adviceFor(page.session, null, false).filter(({ code }) => /textures|images|unused-companions/.test(code));

describe('texture advice', () => {
  test('lists the materials whose textures are missing', async () => {
    const page = await new TestSession().drop([model('Body', 'Face')]);
    expect(textureAdvice(page)).toEqual([{ code: 'missing-textures', names: ['Body', 'Face'], isAll: true }]);
  });

  test('lists images and materials whose names don’t match instead of missing textures', async () => {
    const unmatched = { code: 'unmatched-images', images: ['body_diffuse.png', 'head.png'], materials: ['Torso', 'Face'] };
    const together = await new TestSession().drop([model('Torso', 'Face'), image('body_diffuse.png'), image('head.png')]);
    expect(textureAdvice(together)).toEqual([unmatched]);
    // If the model and the images are dropped one after the other, the advice is the same, without
    // a second notice about the images.
    const page = await new TestSession().drop([model('Torso', 'Face')]);
    await page.drop([image('body_diffuse.png'), image('head.png')]);
    expect(textureAdvice(page)).toEqual([unmatched]);
  });

  test('leaves out images that a material uses or that the visitor assigned', async () => {
    const page = await new TestSession().drop([model('Torso', 'Face', 'Hand'), image('Torso.png'), image('skin.png')]);
    expect(textureAdvice(page)).toEqual([{ code: 'unmatched-images', images: ['skin.png'], materials: ['Face', 'Hand'] }]);
    page.dispatch({
      type: 'assign-image',
      assignment: { path: 'hero.psk', isShared: false, material: 'Face', slot: 'baseColor', image: 'skin.png' },
    });
    expect(textureAdvice(page)).toEqual([{ code: 'missing-textures', names: ['Face', 'Hand'], isAll: false }]);
  });

  test('leaves out materials without a name', async () => {
    const page = await new TestSession().drop([model('Torso', 'None', ' ', 'none'), image('Torso.png')]);
    expect(textureAdvice(page)).toEqual([]);
    // The only image is used for the only material with a name.
    const other = await new TestSession().drop([model('Torso', 'None'), image('skin.png')]);
    expect(textureAdvice(other)).toEqual([]);
    expect(other.session.shown!.unusedImages).toEqual([]);
    const nameless = await new TestSession().drop([model('None'), image('skin.png')]);
    expect(nameless.session.shown!.unusedImages).toEqual([]);
  });
});

describe('copies of one character in several folders', () => {
  const bones = ['Root', 'Spine', 'Head', 'Arm'];
  const folder = (name: string, frames = 31): InputFile[] => [
    inputFile(`${name}/pig.psk`, makePsk({ bones })),
    inputFile(`${name}/pig.psa`, makePsa({ bones, sequences: ['Walk', 'Run'], frames })),
  ];

  test('lists each animation once', async () => {
    const page = new TestSession();
    for (const name of ['One', 'Two', 'Three']) await page.drop(folder(name));
    expect(page.titles).toEqual(['Walk', 'Run']);
    expect(page.session.library).toHaveLength(6);
    await new TestSession().drop([...folder('One'), ...folder('Two')]).then(({ titles: list }) => expect(list).toEqual(['Walk', 'Run']));
  });

  test('lists all animations if the files differ', async () => {
    const page = await new TestSession().drop([...folder('One'), ...folder('Two', 32)]);
    expect(page.titles).toEqual(['Walk', 'Run', 'Walk', 'Run']);
    // The file has the same size, but its keys differ.
    const [pig, walk] = folder('Three');
    const bytes = new Uint8Array(await walk!.file.arrayBuffer());
    bytes[bytes.length - 20]! ^= 1;
    const others = await new TestSession().drop([...folder('One'), pig!, inputFile('Three/pig.psa', bytes)]);
    expect(others.titles).toHaveLength(4);
  });
});

test('requests no texture for a material without a name', async () => {
  const { scene } = await open(makePsk({ side: 6, materials: ['None', 'Body'] }));
  const asked: string[] = [];
  const nothing = (name: string): Promise<null> => Promise.resolve((asked.push(name), null));
  await planTextures(scene!, new TextureResolver({ text: nothing, image: nothing, names: null, isRemote: true }));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(name => /none/i.test(name))).toEqual([]);
});
