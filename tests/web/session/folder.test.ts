// Tests with a folder of real files that each model finds its own animations. Skipped if the corpus
// is not available.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { modelsIn } from '../../../web/src/session/library.ts';
import { durationOf, rowsOf, compatibilityIn } from '../../../web/src/session/animationRows.ts';
import { TestSession } from './support.ts';

const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));
const isThere = existsSync(`${corpus}psk/hp2`);
if (!isThere) console.log('skipped: ../shared/corpus is not there');

const filesOf = (folder: string, as: string, extension: string): InputFile[] =>
  readdirSync(`${corpus}${folder}`)
    .filter(name => name.endsWith(extension))
    .map(name => ({ path: `${as}/${name}`, file: new File([new Uint8Array(readFileSync(`${corpus}${folder}/${name}`))], name) }));

/**
 * Returns the name of the character, for example "pig" for `skPigMesh.psk` and `skPigAnims.psa`.
 */
const whose = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^sk/, '')
    .replace(/(mesh|anims)\.\w+$/, '');

test.skipIf(!isThere)(
  'starts an animation made for each model of a folder of 40 files, which moves most of its bones',
  async () => {
    const models = filesOf('psk/hp2', 'Meshes', '.psk');
    const animations = filesOf('psa/hp2', 'Animations', '.psa');
    const others = ['a.png', 'b.png', 'notices.txt', 'x.uasset', 'x.uexp'].map(name => ({ path: name, file: new File(['?'], name) }));
    const page = await new TestSession().drop([...models, ...animations, ...others]);
    expect(page.session.library).toHaveLength(models.length + animations.length + others.length);
    const started: Record<string, unknown> = {};
    for (const { input } of modelsIn(page.session.library)) {
      if (input !== page.session.shown!.input) await page.openEntry(input.path);
      const own = animations.find(({ file }) => whose(file.name) === whose(input.file.name));
      const rows = rowsOf(page.session);
      const row = rows[page.session.selected];
      const source = page.session.animationFiles.find(one => one.input.path === own?.path);
      // No animation starts if the model has none, or if all of them are shorter than half a
      // second.
      const moves = source ? rows.some(one => one.source === source && durationOf(one) >= 0.5) : false;
      const suit = row && compatibilityIn(page.session, row.source)!;
      started[input.file.name] = [row?.source.input.file.name ?? null, !suit || suit.moved / suit.bones >= 0.95];
      expect(started[input.file.name], input.file.name).toEqual([moves ? own!.file.name : null, true]);
    }
    expect(Object.values(started).filter(one => (one as [string | null])[0] !== null).length).toBeGreaterThanOrEqual(14);
  },
  120_000,
);

test.skipIf(!isThere)('combines body, one head and armour of a real character', async () => {
  const page = await new TestSession().drop(filesOf('psk/psk_loaders', 'Male', '.psk'));
  const { shown } = page.session;
  expect([shown!.input.file.name, shown!.parts.map(({ input }) => input.file.name)]).toEqual([
    'SK_MaleBase_01_Body.psk',
    ['SK_Male_CivilRespiratorMK1_01.psk', 'SK_Male_HazmatArmorMK1_01.psk', 'SK_Male_LightArmor_01_Lod2.psk', 'SK_MaleAll_01_Head_Lod1.psk'],
  ]);
});
