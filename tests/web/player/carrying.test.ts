// A motion of one model on another that was given with it.
import { expect, test } from 'vitest';
import { carryOver, wantsCarrying } from '../../../web/src/player/carrying.ts';
import { PlayedMotion } from '../../../web/src/player/motion.ts';
import { rowsOf, suitIn } from '../../../web/src/player/session.ts';
import { castBody, castMotion, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { Desk } from './support.ts';

const villain = new TestBody({ nameOf: SCHEMES['Call of Duty'] });
const hero = new TestBody({ nameOf: SCHEMES.Mixamo, axes: 3, armsDown: 45, proportions: { upperLeg: 0.3, lowerLeg: 0.28, ankle: 0.06 } });
const given = (path: string, bytes: Uint8Array) => ({ path, file: new File([new Uint8Array(bytes)], path.split('/').at(-1)!) });
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
  expect(wantsCarrying(desk.session, row.source)).toBe(true);
  const carried = (await carryOver(desk.session, row.source, desk.opening()))!;
  expect(carried.carried).toMatchObject({ owner: 'villain.cast', by: 'body' });
  desk.do({ type: 'carry', source: row.source, carried, indices: row.indices });
  expect(suitIn(desk.session, carried)!.fits).toBe(true);
  expect(wantsCarrying(desk.session, carried)).toBe(false);
  expect(desk.advice).toContain('carried');

  const motion = new PlayedMotion(desk.actor!, carried, [0], 'auto', false);
  const hips = desk.actor!.bones.find(({ name }) => name.endsWith('Hips'))!;
  motion.seek(0);
  const from = hips.position.z;
  motion.seek(1);
  const leg = (body: TestBody): number => body.p.upperLeg - 0.02 + body.p.lowerLeg;
  expect(hips.position.z - from).toBeCloseTo(leg(hero), 1); // a leg's length a second
  expect(hips.position.z - from).toBeLessThan(0.8 * leg(villain));
  motion.stop();

  await desk.step('villain.cast');
  expect(rowsOf(desk.session).some(({ source }) => source.carried)).toBe(false);
  expect(suitIn(desk.session, rowsOf(desk.session)[0]!.source)!.fits).toBe(true);
});

test('stays what it is where its own model is not at hand, or somebody wants it bone by bone', async () => {
  const desk = await new Desk().drop([given('hero.cast', castBody(hero))]);
  await desk.drop([given('villain_walk.cast', walk)]);
  const row = rowsOf(desk.session).find(({ source }) => source.given.path === 'villain_walk.cast')!;
  expect(await carryOver(desk.session, row.source, desk.opening())).toBe(null);
  expect(wantsCarrying(desk.session, { ...row.source, isAsIs: true })).toBe(false);
});
