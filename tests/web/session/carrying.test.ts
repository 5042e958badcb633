// A motion of one model on another that was given with it.
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
import { Desk } from './support.ts';

const villain = new TestBody({ nameOf: SCHEMES['Call of Duty'] });
const hero = new TestBody({ nameOf: SCHEMES.Mixamo, axes: 3, armsDown: 45, proportions: { upperLeg: 0.3, lowerLeg: 0.28, ankle: 0.06 } });
const given = (path: string, bytes: Uint8Array) => ({ path, file: new File([new Uint8Array(bytes)], path.split('/').at(-1)!) });
const hands = given('wavingHands.bin', readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url)));
const walk = castMotion(villain.clip('walk', 1, 30, time => villain.walk(time)));

test('moves it from body to body, until another model is shown', async () => {
  const desk = await new Desk().drop([
    given('villain.cast', castBody(villain)),
    given('villain_walk.cast', walk),
    given('hero.cast', castBody(hero)),
  ]);
  expect(desk.session.shown?.given.path).toBe('villain.cast');
  await desk.step('hero.cast');
  expect(desk.playing).toBe('the rest pose');
  expect(desk.advice).toContain('comes-over');
  const row = rowsOf(desk.session).find(({ source }) => source.given.path === 'villain_walk.cast')!;
  expect(shouldRetarget(desk.session, row.source)).toBe(true);
  const retargeted = (await retargetAnimations(desk.session, row.source, desk.opening()))!;
  expect(retargeted.retargeted).toMatchObject({ owner: 'villain.cast', by: 'body' });
  desk.do({ type: 'replace', source: row.source, replacement: retargeted, indices: row.indices });
  expect(compatibilityIn(desk.session, retargeted)!.fits).toBe(true);
  expect(shouldRetarget(desk.session, retargeted)).toBe(false);
  expect(desk.advice).toContain('carried');

  const motion = new LayeredAction(desk.actor!, retargeted, [0], 'auto', false);
  const hips = desk.actor!.bones.find(({ name }) => name.endsWith('Hips'))!;
  motion.seek(0);
  const from = hips.position.z;
  motion.seek(1);
  const leg = (body: TestBody): number => body.p.upperLeg - 0.02 + body.p.lowerLeg;
  expect(hips.position.z - from).toBeCloseTo(leg(hero), 1); // a leg's length a second
  expect(hips.position.z - from).toBeLessThan(0.8 * leg(villain));
  motion.stop();

  await desk.step('villain.cast');
  expect(rowsOf(desk.session).some(({ source }) => source.retargeted)).toBe(false);
  expect(compatibilityIn(desk.session, rowsOf(desk.session)[0]!.source)!.fits).toBe(true);
});

test('a fox’s wave moves the arms of a robot, which keeps its lengths and stands where it stood', async () => {
  const demo = (name: string) => given(name, readFileSync(new URL(`../../../web/src/viewer/demo/${name}`, import.meta.url)));
  const desk = await new Desk().drop(['Tock.cast', 'Pip.psa'].map(demo));
  expect(desk.session.shown?.given.path).toBe('Tock.cast');
  const row = rowsOf(desk.session).find(({ source }) => source.given.path === 'Pip.psa')!;
  const retargeted = (await retargetAnimations(desk.session, row.source, desk.opening()))!;
  expect(retargeted.retargeted).toMatchObject({ owner: 'Pip.psa', by: 'names', bones: 6 });
  const motion = new LayeredAction(desk.actor!, retargeted, row.indices, 'auto', false);
  const bone = (name: string) => desk.actor!.bones.find(each => each.name === name)!;
  const feet = ['foot_l', 'foot_r'].map(name => bone(name).position.clone());
  const arm = bone('arm_r').quaternion.clone();
  let most = 0;
  for (let share = 0; share <= 1; share += 0.1) {
    motion.seek(share * motion.duration);
    most = Math.max(most, bone('arm_r').quaternion.angleTo(arm));
    for (const [i, name] of ['foot_l', 'foot_r'].entries()) expect(bone(name).position.distanceTo(feet[i]!)).toBeLessThan(0.02);
    expect(bone('root').position.length()).toBeLessThan(0.1);
  }
  expect(most).toBeGreaterThan(0.5);
  motion.stop();
});

test('a recording of hands moves the fingers of a model that it is given with, and of one that is shown after it', async () => {
  const model = given('fingers.cast', fingersFile());
  const moved = async (desk: Desk): Promise<number> => {
    expect(desk.session.shown?.given.path).toBe('fingers.cast');
    const row = rowsOf(desk.session).find(({ source }) => source.given.path === 'wavingHands.bin')!;
    expect(shouldRetarget(desk.session, row.source)).toBe(true);
    const retargeted = (await retargetAnimations(desk.session, row.source, desk.opening()))!;
    expect(retargeted.retargeted).toMatchObject({ owner: 'wavingHands.bin', by: 'hands' });
    const motion = new LayeredAction(desk.actor!, retargeted, [0], 'auto', false);
    const finger = desk.actor!.bones.find(({ name }) => name === 'rightIndex2')!;
    const rest = finger.quaternion.clone();
    let most = 0;
    for (let share = 0; share <= 1; share += 0.1) {
      motion.seek(share * motion.duration);
      most = Math.max(most, finger.quaternion.angleTo(rest));
    }
    motion.stop();
    return most;
  };
  const together = await new Desk().drop([model, hands]);
  expect(await moved(together)).toBeGreaterThan(0.2);
  const after = await (await new Desk().drop([given('fingers.cast', fingersFile())])).drop([hands]);
  expect(after.session.shown?.given.path).toBe('wavingHands.bin');
  await after.step('fingers.cast');
  expect(await moved(after)).toBeGreaterThan(0.2);
  const chair = await new Desk().drop([given('arm.semodel', readFileSync(new URL('../../data/se/arm.semodel', import.meta.url))), hands]);
  expect(rowsOf(chair.session).some(({ source }) => source.given.path === 'wavingHands.bin')).toBe(
    chair.session.shown?.given.path === 'wavingHands.bin',
  );
});

test('a recording that is given again takes the place of the one before', async () => {
  const files = (): Parameters<Desk['drop']>[0] => [given('fingers.cast', fingersFile()), hands];
  const desk = await new Desk().drop(files());
  await desk.drop(files());
  await desk.drop(files());
  const recordings = desk.session.animationFiles.filter(({ given: { path } }) => path === 'wavingHands.bin');
  expect(recordings).toHaveLength(1);
  expect(rowsOf(desk.session).filter(({ source }) => source.given.path === 'wavingHands.bin')).toHaveLength(1);
});

test('starts from the skeleton of its own file if that fits, even if another model of the library has all its bones', async () => {
  const desk = await new Desk().drop([given('villain.cast', castBody(villain)), given('hero.cast', castBody(hero))]);
  await desk.step('hero.cast');
  const { clips } = (await parse('walk.cast', walk)).scene!;
  const ownerWith = async (bytes: Uint8Array): Promise<string | undefined> => {
    const file = await parse('own.cast', bytes);
    const source = { given: given('own.cast', bytes), file: { ...file, scene: { ...file.scene!, clips } } };
    return (await retargetAnimations(desk.session, source, desk.opening()))?.retargeted?.owner;
  };
  const stub = castFile(model('prop', node('skel', {}, node('bone', { n: ['s', 'prop'] }))));
  expect([await ownerWith(castBody(villain)), await ownerWith(stub)]).toEqual(['own.cast', 'villain.cast']);
});

test('stays what it is where its own model is not at hand, or somebody wants it bone by bone', async () => {
  const desk = await new Desk().drop([given('hero.cast', castBody(hero))]);
  await desk.drop([given('villain_walk.cast', walk)]);
  const row = rowsOf(desk.session).find(({ source }) => source.given.path === 'villain_walk.cast')!;
  expect(await retargetAnimations(desk.session, row.source, desk.opening())).toBe(null);
  expect(shouldRetarget(desk.session, { ...row.source, isBoundByName: true })).toBe(false);
});
