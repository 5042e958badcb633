// A real folder of models and animations: every model finds its own animations. Skipped if the
// corpus is not available.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { modelsIn } from '../../../web/src/session/library.ts';
import { durationOf, rowsOf, compatibilityIn } from '../../../web/src/session/animationRows.ts';
import { Desk } from './support.ts';

const corpus = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));
const isThere = existsSync(`${corpus}psk/hp2`);
if (!isThere) console.log('skipped: ../shared/corpus is not there');

const filesOf = (folder: string, as: string, extension: string): InputFile[] =>
  readdirSync(`${corpus}${folder}`)
    .filter(name => name.endsWith(extension))
    .map(name => ({ path: `${as}/${name}`, file: new File([new Uint8Array(readFileSync(`${corpus}${folder}/${name}`))], name) }));

/** `skPigMesh.psk` and `skPigAnims.psa` are both "pig". */
const whose = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^sk/, '')
    .replace(/(mesh|anims)\.\w+$/, '');

test.skipIf(!isThere)(
  'of forty files every model starts a motion of its own, and most of its bones move',
  async () => {
    const models = filesOf('psk/hp2', 'Meshes', '.psk');
    const motions = filesOf('psa/hp2', 'Animations', '.psa');
    const others = ['a.png', 'b.png', 'notices.txt', 'x.uasset', 'x.uexp'].map(name => ({ path: name, file: new File(['?'], name) }));
    const desk = await new Desk().drop([...models, ...motions, ...others]);
    expect(desk.session.library).toHaveLength(models.length + motions.length + others.length);
    const started: Record<string, unknown> = {};
    for (const { given } of modelsIn(desk.session.library)) {
      if (given !== desk.session.shown!.given) await desk.step(given.path);
      const own = motions.find(({ file }) => whose(file.name) === whose(given.file.name));
      const rows = rowsOf(desk.session);
      const row = rows[desk.session.selected];
      const source = desk.session.animationFiles.find(one => one.given.path === own?.path);
      // A set of stills and twitches starts nothing; neither does a model without motions.
      const moves = source ? rows.some(one => one.source === source && durationOf(one) >= 0.5) : false;
      const suit = row && compatibilityIn(desk.session, row.source)!;
      started[given.file.name] = [row?.source.given.file.name ?? null, !suit || suit.moved / suit.bones >= 0.95];
      expect(started[given.file.name], given.file.name).toEqual([moves ? own!.file.name : null, true]);
    }
    expect(Object.values(started).filter(one => (one as [string | null])[0] !== null).length).toBeGreaterThanOrEqual(14);
  },
  120_000,
);

test.skipIf(!isThere)('of the parts of a real character body, head and armour stand together, the head once', async () => {
  const desk = await new Desk().drop(filesOf('psk/psk_loaders', 'Male', '.psk'));
  const { shown } = desk.session;
  expect([shown!.given.file.name, shown!.pieces.map(({ given }) => given.file.name)]).toEqual([
    'SK_MaleBase_01_Body.psk',
    ['SK_Male_CivilRespiratorMK1_01.psk', 'SK_Male_HazmatArmorMK1_01.psk', 'SK_Male_LightArmor_01_Lod2.psk', 'SK_MaleAll_01_Head_Lod1.psk'],
  ]);
});
