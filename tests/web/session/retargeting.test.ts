// Tests that an animation of one model is retargeted to another model in the same drop.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { retargetAnimations, shouldRetarget } from '../../../web/src/session/retargeting.ts';
import { LayeredAction } from '../../../web/src/session/layeredAction.ts';
import { rowsOf, compatibilityIn } from '../../../web/src/session/animationRows.ts';
import { castBody, castMotion, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { castFile, model, node } from '../../support/castFile.ts';
import { parse } from '../../support/convertedPoses.ts';
import { fingersFile } from '../../support/livingFiles.ts';
import { TestSession } from './support.ts';

const villain = new TestBody({ nameOf: SCHEMES['Call of Duty'] });
const hero = new TestBody({ nameOf: SCHEMES.Mixamo, axes: 3, armsDown: 45, proportions: { upperLeg: 0.3, lowerLeg: 0.28, ankle: 0.06 } });
const inputFile = (path: string, bytes: Uint8Array) => ({ path, file: new File([new Uint8Array(bytes)], path.split('/').at(-1)!) });
const hands = inputFile('wavingHands.bin', readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url)));
const walk = castMotion(villain.clip('walk', 1, 30, time => villain.walk(time)));

test('retargets an animation between bodies, and undoes that when another model is shown', async () => {
  const page = await new TestSession().drop([
    inputFile('villain.cast', castBody(villain)),
    inputFile('villain_walk.cast', walk),
    inputFile('hero.cast', castBody(hero)),
  ]);
  expect(page.session.shown?.input.path).toBe('villain.cast');
  await page.openEntry('hero.cast');
  expect(page.playing).toBe('the rest pose');
  expect(page.advice).toContain('retargetable');
  const row = rowsOf(page.session).find(({ source }) => source.input.path === 'villain_walk.cast')!;
  expect(shouldRetarget(page.session, row.source)).toBe(true);
  const retargeted = (await retargetAnimations(page.session, row.source, page.openingContext()))!;
  expect(retargeted.retargeted).toMatchObject({ madeFor: 'villain.cast', method: 'body' });
  page.dispatch({ type: 'replace', source: row.source, replacement: retargeted, indices: row.indices });
  expect(compatibilityIn(page.session, retargeted)!.fits).toBe(true);
  expect(shouldRetarget(page.session, retargeted)).toBe(false);
  expect(page.advice).toContain('retargeted');

  const action = new LayeredAction(page.model!, retargeted, [0], 'auto', false);
  const hips = page.model!.bones.find(({ name }) => name.endsWith('Hips'))!;
  action.seek(0);
  const from = hips.position.z;
  action.seek(1);
  const leg = (body: TestBody): number => body.p.upperLeg - 0.02 + body.p.lowerLeg;
  expect(hips.position.z - from).toBeCloseTo(leg(hero), 1); // one leg length per second
  expect(hips.position.z - from).toBeLessThan(0.8 * leg(villain));
  action.stop();

  await page.openEntry('villain.cast');
  expect(rowsOf(page.session).some(({ source }) => source.retargeted)).toBe(false);
  expect(compatibilityIn(page.session, rowsOf(page.session)[0]!.source)!.fits).toBe(true);
});

test('retargets the wave of a fox to the arms of a robot, whose feet and root stay in place', async () => {
  const demo = (name: string) => inputFile(name, readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url)));
  const page = await new TestSession().drop(['Tock.cast', 'Pip.psa'].map(demo));
  expect(page.session.shown?.input.path).toBe('Tock.cast');
  const row = rowsOf(page.session).find(({ source }) => source.input.path === 'Pip.psa')!;
  const retargeted = (await retargetAnimations(page.session, row.source, page.openingContext()))!;
  expect(retargeted.retargeted).toMatchObject({ madeFor: 'Pip.psa', method: 'names', bones: 6 });
  const action = new LayeredAction(page.model!, retargeted, row.indices, 'auto', false);
  const bone = (name: string) => page.model!.bones.find(each => each.name === name)!;
  const feet = ['foot_l', 'foot_r'].map(name => bone(name).position.clone());
  const arm = bone('arm_r').quaternion.clone();
  let most = 0;
  for (let share = 0; share <= 1; share += 0.1) {
    action.seek(share * action.duration);
    most = Math.max(most, bone('arm_r').quaternion.angleTo(arm));
    for (const [i, name] of ['foot_l', 'foot_r'].entries()) expect(bone(name).position.distanceTo(feet[i]!)).toBeLessThan(0.02);
    expect(bone('root').position.length()).toBeLessThan(0.1);
  }
  expect(most).toBeGreaterThan(0.5);
  action.stop();
});

test('retargets a hand recording to the fingers of a model dropped with it or shown later', async () => {
  const model = inputFile('fingers.cast', fingersFile());
  const moved = async (page: TestSession): Promise<number> => {
    expect(page.session.shown?.input.path).toBe('fingers.cast');
    const row = rowsOf(page.session).find(({ source }) => source.input.path === 'wavingHands.bin')!;
    expect(shouldRetarget(page.session, row.source)).toBe(true);
    const retargeted = (await retargetAnimations(page.session, row.source, page.openingContext()))!;
    expect(retargeted.retargeted).toMatchObject({ madeFor: 'wavingHands.bin', method: 'hands' });
    const action = new LayeredAction(page.model!, retargeted, [0], 'auto', false);
    const finger = page.model!.bones.find(({ name }) => name === 'rightIndex2')!;
    const rest = finger.quaternion.clone();
    let most = 0;
    for (let share = 0; share <= 1; share += 0.1) {
      action.seek(share * action.duration);
      most = Math.max(most, finger.quaternion.angleTo(rest));
    }
    action.stop();
    return most;
  };
  const together = await new TestSession().drop([model, hands]);
  expect(await moved(together)).toBeGreaterThan(0.2);
  const after = await (await new TestSession().drop([inputFile('fingers.cast', fingersFile())])).drop([hands]);
  expect(after.session.shown?.input.path).toBe('wavingHands.bin');
  await after.openEntry('fingers.cast');
  expect(await moved(after)).toBeGreaterThan(0.2);
  const chair = await new TestSession().drop([
    inputFile('arm.semodel', readFileSync(new URL('../../data/se/arm.semodel', import.meta.url))),
    hands,
  ]);
  expect(rowsOf(chair.session).some(({ source }) => source.input.path === 'wavingHands.bin')).toBe(
    chair.session.shown?.input.path === 'wavingHands.bin',
  );
});

test('replaces a recording that is dropped again', async () => {
  const files = (): Parameters<TestSession['drop']>[0] => [inputFile('fingers.cast', fingersFile()), hands];
  const page = await new TestSession().drop(files());
  await page.drop(files());
  await page.drop(files());
  const recordings = page.session.animationFiles.filter(({ input: { path } }) => path === 'wavingHands.bin');
  expect(recordings).toHaveLength(1);
  expect(rowsOf(page.session).filter(({ source }) => source.input.path === 'wavingHands.bin')).toHaveLength(1);
});

test('prefers the skeleton of the animation file to a model of the library', async () => {
  const page = await new TestSession().drop([inputFile('villain.cast', castBody(villain)), inputFile('hero.cast', castBody(hero))]);
  await page.openEntry('hero.cast');
  const { clips } = (await parse('walk.cast', walk)).scene!;
  const ownerWith = async (bytes: Uint8Array): Promise<string | undefined> => {
    const file = await parse('own.cast', bytes);
    const source = { input: inputFile('own.cast', bytes), file: { ...file, scene: { ...file.scene!, clips } } };
    return (await retargetAnimations(page.session, source, page.openingContext()))?.retargeted?.madeFor;
  };
  const stub = castFile(model('prop', node('skel', {}, node('bone', { n: ['s', 'prop'] }))));
  expect([await ownerWith(castBody(villain)), await ownerWith(stub)]).toEqual(['own.cast', 'villain.cast']);
});

test('does not retarget if the source model is missing or retargeting is turned off', async () => {
  const page = await new TestSession().drop([inputFile('hero.cast', castBody(hero))]);
  await page.drop([inputFile('villain_walk.cast', walk)]);
  const row = rowsOf(page.session).find(({ source }) => source.input.path === 'villain_walk.cast')!;
  expect(await retargetAnimations(page.session, row.source, page.openingContext())).toBe(null);
  expect(shouldRetarget(page.session, { ...row.source, isBoundByName: true })).toBe(false);
});
