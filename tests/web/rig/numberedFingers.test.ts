// Reports fingers whose names are only numbers when an animation is bound by body part.
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import type { Finding } from '../../../web/src/core/types.ts';
import { bindRetargeted } from '../../../web/src/rig/bindRetargeted.ts';
import { handsOf } from '../../../web/src/rig/humanoid.ts';
import { castBody, type Part, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { parse } from '../../support/convertedPoses.ts';

const FINGERS = ['Index', 'Middle', 'Ring', 'Little'];
const numbered = (part: Part): string => {
  const [, side, finger, joint] = /^(left|right)(Thumb|Index|Middle|Ring|Little)(\d)$/.exec(part) ?? [];
  return !finger ? part : finger === 'Thumb' ? `x${part.length}` : `${side}Finger${FINGERS.indexOf(finger) + 1}${joint}`;
};
/** A body with numbered fingers. If `isAmbiguous`, finger 1 of the left hand may be the thumb or not. */
function body(isAmbiguous: boolean): TestBody {
  const made = new TestBody({ nameOf: numbered });
  if (isAmbiguous) made.scene.nodes.translations[3 * made.row('leftIndex1')]! *= 0.7;
  return made;
}
const named = new TestBody({ nameOf: SCHEMES['Mixamo']! });

function findingsOf(source: TestBody, target: TestBody): Finding[] {
  const walk = source.clip('walk', 1, 10, time => source.walk(time));
  return bindRetargeted(walk, source.scene, target.scene).report.findings.filter(({ code }) => code.startsWith('BIND_FINGERS'));
}

describe.each(['vrm', 'vgo'] as const)('numbered fingers of a model that is saved as %s', to => {
  const reported = async (made: TestBody): Promise<object[]> => {
    const { report } = await convert([await parse('body.cast', castBody(made))], { to });
    return report.items.filter(({ code }) => code.startsWith('FINGERS'));
  };

  it('are reported if they are left out or inferred', async () => {
    expect(await reported(body(true))).toEqual([
      { code: 'FINGERS_LEFT', kind: 'loss', path: '', amount: 12, detail: expect.stringMatching(/^leftFinger11/) },
      { code: 'FINGERS_INFERRED', kind: 'guess', path: '', amount: 12, detail: expect.stringMatching(/^rightFinger11/) },
    ]);
  });

  it('are not reported if they have names', async () => {
    expect(await reported(named)).toEqual([]);
  });
});

describe('numbered fingers', () => {
  it('that are left out of the model are reported as a warning', () => {
    const [unknown, inferred] = findingsOf(named, body(true));
    expect(unknown).toMatchObject({ code: 'BIND_FINGERS_UNKNOWN', severity: 'warning', count: 12 });
    expect(unknown!.detail).toMatch(/^model: leftFinger11/);
    expect(inferred).toMatchObject({ code: 'BIND_FINGERS_INFERRED', severity: 'info', count: 12 });
    expect(inferred!.detail).toMatch(/^model: rightFinger11/);
  });

  it('of the animation are reported too', () => {
    expect(findingsOf(body(true), named).map(({ code, detail }) => [code, /^\w+/.exec(detail)![0]])).toEqual([
      ['BIND_FINGERS_UNKNOWN', 'animation'],
      ['BIND_FINGERS_INFERRED', 'animation'],
    ]);
  });

  it('that can be identified by their numbers, or by names, are not reported', () => {
    const biped = new TestBody({ nameOf: SCHEMES['Biped of 3ds Max']! });
    expect(findingsOf(named, biped)).toEqual([]);
    expect(findingsOf(biped, named)).toEqual([]);
  });

  it('above the five that exist are unknown', () => {
    const sixth = new TestBody({ nameOf: part => SCHEMES['Biped of 3ds Max']!(part).replace('Finger4', 'Finger5') });
    expect(handsOf(sixth.scene).numberedFingers.unknown.map(row => sixth.bones[row - 1]!.part)).toEqual(
      expect.arrayContaining(['leftLittle1', 'rightLittle3']),
    );
  });

  it('of hands without a body are known as well', () => {
    const made = body(true);
    const { names, bones: isBone } = made.scene.nodes;
    for (const [row, name] of names.entries()) if (/Leg|Foot|Toes/.test(name)) isBone[row] = -1;
    const { bones, numberedFingers } = handsOf(made.scene);
    expect([bones.has('leftHand'), bones.has('rightIndexProximal')]).toEqual([false, true]);
    expect([numberedFingers.unknown.length, numberedFingers.inferred.length]).toEqual([12, 12]);
  });
});
