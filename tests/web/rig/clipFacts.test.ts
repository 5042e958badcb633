// Compares measured facts with walks that are computed in closed form.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { clipFacts } from '../../../web/src/rig/clipFacts.ts';
import { type BodyDesign, TestBody } from '../../support/bodies.ts';

const designs: Record<string, BodyDesign> = {
  'of the middle size': { axes: 1 },
  'of a child': { proportions: { upperLeg: 0.2, lowerLeg: 0.19, ankle: 0.05, hipWidth: 0.12 }, axes: 3 },
  'that looks to its side': { axes: 5, yaw: 90 },
};

describe.each(Object.entries(designs))('facts of a walk, body %s', (_, design) => {
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
    const facts = clipFacts(bind(clip, body.scene), body.scene)!;
    const travel = speed * leg * seconds;
    expect(Math.abs(Math.hypot(facts.travel[0], facts.travel[2]) - travel)).toBeLessThan(0.02 * travel);
    expect(Math.hypot(facts.moved[0], facts.moved[2])).toBeCloseTo(inPlace ? 0 : travel, 3);
    // Compares contacts frame by frame.
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

it('measures the seam as the angle between last and first pose', () => {
  const body = new TestBody();
  const seamOf = (seconds: number): number =>
    clipFacts(
      bind(
        body.clip('walk', seconds, 60, time => body.walk(time)),
        body.scene,
      ),
      body.scene,
    )!.seam;
  expect(seamOf(1)).toBeLessThan(0.1);
  expect(
    clipFacts(
      bind(
        body.clip('walk', 1, 60, time => body.walk(time)),
        body.scene,
      ),
      body.scene,
    )!.cycle,
  ).toBeCloseTo(1, 5);
  expect(seamOf(1.5)).toBeGreaterThan(5);
});

it('measures no travel of a standing body, and a cycle only if it sways', () => {
  const body = new TestBody();
  const wave = body.clip('wave', 2, 30, time => ({
    hips: body.hipHeight(),
    turns: new Map([['leftUpperArm', new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), time)]]),
  }));
  const facts = clipFacts(bind(wave, body.scene), body.scene)!;
  expect(facts.travel).toEqual([0, 0, 0].map(zero => expect.closeTo(zero, 5)));
  expect(facts.cycle).toBe(null);
  expect(facts.contacts).toEqual([
    { foot: 'left', from: 0, to: expect.closeTo(2, 5), slide: expect.closeTo(0, 5) },
    { foot: 'right', from: 0, to: expect.closeTo(2, 5), slide: expect.closeTo(0, 5) },
  ]);
});

/**
 * A body in its rest pose, lifted by 0.2 m in the frames that `isUp` selects. 60 frames per second.
 */
function hopping(seconds: number, isUp: (frame: number) => boolean, z: (time: number) => number = () => 0) {
  const body = new TestBody();
  const clip = body.clip('hop', seconds, 60, time => ({
    turns: new Map(),
    hips: body.hipHeight().add(new Vector3(0, isUp(Math.round(time * 60)) ? 0.2 : 0, z(time))),
  }));
  return clipFacts(bind(clip, body.scene), body.scene)!;
}
const contactsOf = (isUp: (frame: number) => boolean): number[][] =>
  hopping(2, isUp)
    .contacts.filter(({ foot }) => foot === 'left')
    .map(({ from, to }) => [Math.round(from * 60), Math.round(to * 60)]);

describe('contacts', () => {
  it('have no short gaps and no short durations', () => {
    expect(contactsOf(frame => frame >= 30 && frame < 33)).toEqual([[0, 120]]);
    expect(contactsOf(frame => frame >= 30 && frame < 36)).toEqual([
      [0, 29],
      [36, 120],
    ]);
    expect(contactsOf(frame => frame < 30 || frame >= 33)).toEqual([]);
    expect(contactsOf(frame => frame < 30 || frame >= 36)).toEqual([[30, 35]]);
  });

  it('have the distance that the foot slides', () => {
    const slides = hopping(
      2,
      () => false,
      time => 0.03 * time,
    ).contacts.map(({ slide }) => slide);
    expect(slides).toEqual([expect.closeTo(0.06, 3), expect.closeTo(0.06, 3)]);
    const body = new TestBody();
    const walk = body.clip('walk', 3, 60, time => body.walk(time));
    for (const { slide } of clipFacts(bind(walk, body.scene), body.scene)!.contacts) expect(slide).toBeLessThan(0.02);
  });

  it('have no slide while a foot turns on its heel', () => {
    const body = new TestBody();
    const clip = body.clip('turn', 2, 60, time => ({
      hips: body.hipHeight(),
      turns: new Map([['leftFoot', new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 0.4 * time)]]),
    }));
    for (const { slide } of clipFacts(bind(clip, body.scene), body.scene)!.contacts) expect(slide).toBeCloseTo(0, 4);
  });

  it('have gaps filled before short contacts are removed', () => {
    expect(contactsOf(frame => frame < 30 || frame >= 60 || frame % 4 > 1)).toEqual([[32, 57]]);
  });

  it('may be short at the start and end of the clip', () => {
    expect(contactsOf(frame => frame > 1 && frame < 119)).toEqual([
      [0, 1],
      [119, 120],
    ]);
  });
});

it('counts slow movement of the ground as movement of the body', () => {
  const facts = hopping(
    2,
    () => false,
    time => 0.04 * time,
  );
  expect([facts.moved[2], facts.travel[2]]).toEqual([expect.closeTo(0.08, 5), expect.closeTo(0.08, 5)]);
});

it('moves the ground at constant speed while no foot is in contact', () => {
  const speed = 1;
  const z = (time: number): number => ((time + 1e-6) % 0.5 < 0.25 ? -speed * (time % 0.5) : speed * ((time % 0.5) - 0.5));
  const facts = hopping(3, frame => frame % 30 >= 15, z);
  expect(facts.travel[2]).toBeGreaterThan(0.8 * speed * 3);
  expect(facts.travel[2]).toBeLessThan(1.2 * speed * 3);
});

describe('a cycle', () => {
  /** Measures a clip in which arms and legs rotate together by `degrees(time)`. */
  const facts = (seconds: number, degrees: (time: number) => number, frameRate = 30) => {
    const body = new TestBody();
    const clip = body.clip('sway', seconds, 30, time => {
      const turn = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), (degrees(time) * Math.PI) / 180);
      const turns = new Map(['left', 'right'].flatMap(side => ['UpperArm', 'UpperLeg'].map(part => [`${side}${part}`, turn] as const)));
      return { turns, hips: body.hipHeight() };
    });
    return clipFacts(bind({ ...clip, frameRate }, body.scene), body.scene)!;
  };

  it('requires the movement of the first frame, not only its pose', () => {
    expect(facts(3, time => 30 * Math.sin(2 * Math.PI * time)).cycle).toBeCloseTo(1, 5);
    expect(facts(0.8, time => 30 * Math.sin(2 * Math.PI * time)).cycle).toBeNull();
  });

  it('tolerates a difference relative to the largest angle', () => {
    // The angle rises to 8 degrees, falls to 2.5 and rises again.
    const wiggle = (time: number): number => (time < 0.5 ? 16 * time : time < 1 ? 8 - 11 * (time - 0.5) : 2.5 + 11 * (time - 1));
    expect(facts(1.5, wiggle).cycle).toBeNull();
    expect(facts(1.5, time => 5 * wiggle(time) * (time < 0.98 || time > 1.02 ? 1 : 0)).cycle).not.toBeUndefined();
  });

  it('is sampled at 30 Hz if the clip has no frame rate', () => {
    const { cycle } = facts(2, time => 30 * Math.sin((2 * Math.PI * time * 60) / 73), 0);
    expect(cycle! * 30).toBeCloseTo(Math.round(cycle! * 30), 6);
    expect(Math.abs(cycle! - 73 / 60)).toBeLessThan(1 / 30);
  });
});
