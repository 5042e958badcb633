// Tests the numbers of animations in the texts of the page.
import { expect, test } from 'vitest';
import type { InputFile } from '../../../web/src/session/inputFile.ts';
import { animationCounts } from '../../../web/src/viewer/sentences.ts';
import { en } from '../../../web/src/viewer/words/en.ts';
import { makePsa, makePsk } from '../../support/actorx.ts';
import { TestSession } from '../session/support.ts';

const given = (name: string, bytes: Uint8Array<ArrayBuffer>): InputFile => ({ path: name, file: new File([bytes], name) });
const pig = ['Root', 'Spine', 'Head', 'Arm'];
const car = ['Wheel', 'Axle', 'Crank', 'Piston'];

test('counts the animations of the shown model and all open animations', async () => {
  const motions = [
    given('pig.psa', makePsa({ bones: pig, sequences: ['Walk', 'Run'] })),
    given('car.psa', makePsa({ bones: car, sequences: ['Drive', 'Turn', 'Stop'] })),
  ];
  const page = await new TestSession().drop([given('pig.psk', makePsk({ bones: pig })), ...motions]);
  expect(animationCounts(page.session)).toEqual({ own: 2, all: 5 });
  expect(en.animationCount(2, 5)).toBe('2 of 5 animations match this model');
  expect(en.animationCount(2, 2)).toBe('2 animations');
  const alone = await new TestSession().drop([motions[0]!]);
  expect(animationCounts(alone.session)).toEqual({ own: 2, all: 2 });
});
