// What a motion does on its body, against walks that are known in closed form.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { motionFacts } from '../../../web/src/rig/motionFacts.ts';
import { type BodyDesign, TestBody } from '../../support/bodies.ts';

const designs: Record<string, BodyDesign> = {
  'of the middle size': { axes: 1 },
  'of a child': { proportions: { upperLeg: 0.2, lowerLeg: 0.19, ankle: 0.05, hipWidth: 0.12 }, axes: 3 },
  'that looks to its side': { axes: 5, yaw: 90 },
};

describe.each(Object.entries(designs))('a walk of a body %s', (_, design) => {
  const body = new TestBody(design);
  const leg = body.p.upperLeg - 0.02 + body.p.lowerLeg;
  it.each([
    { seconds: 3, speed: 1, inPlace: false },
    { seconds: 2.4, speed: 0.6, inPlace: true },
    { seconds: 3, speed: 1.3, inPlace: true },
  ])('$seconds s long, speed $speed, in place: $inPlace', ({ seconds, speed, inPlace }) => {
    const clip = body.clip('walk', seconds, 60, time => {
      const { turns, hips } = body.walk(time, speed);
      if (inPlace) hips.z = 0;
      return { turns, hips };
    });
    const facts = motionFacts(bind(clip, body.scene), body.scene)!;
    const travel = speed * leg * seconds;
    expect(Math.abs(Math.hypot(facts.travel[0], facts.travel[2]) - travel)).toBeLessThan(0.02 * travel);
    expect(Math.hypot(facts.moved[0], facts.moved[2])).toBeCloseTo(inPlace ? 0 : travel, 3);
    // Contacts, frame by frame.
    let [both, found, meant] = [0, 0, 0];
    for (const [foot, shift] of [
      ['left', 0],
      ['right', 0.5],
    ] as const)
      for (let frame = 0; frame <= seconds * 60; frame++) {
        const isMeant = (frame / 60 + shift) % 1 <= 0.5;
        const isFound = facts.contacts.some(each => each.foot === foot && each.from <= frame / 60 + 1e-6 && each.to >= frame / 60 - 1e-6);
        both += isMeant && isFound ? 1 : 0;
        found += isFound ? 1 : 0;
        meant += isMeant ? 1 : 0;
      }
    expect((2 * both) / (found + meant)).toBeGreaterThan(0.95);
    expect(Math.abs(facts.cycle! - 1)).toBeLessThanOrEqual(1 / 60 + 1e-9);
  });
});

it('the seam is what limbs jump where the end meets the beginning', () => {
  const body = new TestBody();
  const seamOf = (seconds: number): number =>
    motionFacts(
      bind(
        body.clip('walk', seconds, 60, time => body.walk(time)),
        body.scene,
      ),
      body.scene,
    )!.seam;
  expect(seamOf(1)).toBeLessThan(0.1);
  expect(
    motionFacts(
      bind(
        body.clip('walk', 1, 60, time => body.walk(time)),
        body.scene,
      ),
      body.scene,
    )!.cycle,
  ).toBeCloseTo(1, 5);
  expect(seamOf(1.5)).toBeGreaterThan(5);
});

it('who stands travels nowhere and has no cycle but in what sways', () => {
  const body = new TestBody();
  const wave = body.clip('wave', 2, 30, time => ({
    hips: body.hipHeight(),
    turns: new Map([['leftUpperArm', new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), time)]]),
  }));
  const facts = motionFacts(bind(wave, body.scene), body.scene)!;
  expect(facts.travel).toEqual([0, 0, 0].map(zero => expect.closeTo(zero, 5)));
  expect(facts.cycle).toBe(null);
  expect(facts.contacts).toEqual([
    { foot: 'left', from: 0, to: expect.closeTo(2, 5) },
    { foot: 'right', from: 0, to: expect.closeTo(2, 5) },
  ]);
});
