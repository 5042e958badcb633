// Retargets a walk between quadrupeds with other names, bone axes and proportions, and refuses to
// put the motion of a human on a quadruped.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind, type BoundClip } from '../../../web/src/core/bind.ts';
import { type RestPose, restPoseOf } from '../../../web/src/core/restPose.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { bindRetargeted } from '../../../web/src/rig/bindRetargeted.ts';
import { BodyRetargeter } from '../../../web/src/rig/bodyRetargeter.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { Player } from '../../support/player.ts';
import { QUADRUPED_SCHEMES } from '../../support/quadrupedNames.ts';
import { type QuadrupedDesign, TestQuadruped } from '../../support/quadrupeds.ts';

const LEGS = ['leftHind', 'leftFront', 'rightHind', 'rightFront'];
const SHIFTS = [0, 0.25, 0.5, 0.75];
const RATE = 60;
const walkOf = (body: TestQuadruped) => body.clip('walk', 2, RATE, time => body.walk(time));
const rigify = QUADRUPED_SCHEMES['Rigify (wolf, cat, horse)']!;
const biped = QUADRUPED_SCHEMES['Biped of 3ds Max']!;

/** Returns the largest distance that planted toes slide, metres, and the mean angle between limbs, degrees. */
function measure(
  source: TestQuadruped,
  target: TestQuadruped,
  retarget: (clip: BoundClip) => Clip = clip => BodyRetargeter.of(source.scene, target.scene)!.retarget(clip),
): { slide: number; limbs: number; tail: number } {
  const clip = walkOf(source);
  const moved = retarget(bind(clip, source.scene));
  const [player, truth] = [new Player(target.scene, moved), new Player(source.scene, clip)];
  let [slide, sum, count, tail] = [0, 0, 0, 0];
  const stood = new Map<string, Vector3>();
  for (let frame = 0; frame <= 2 * RATE; frame++) {
    const time = frame / RATE;
    const [is, was] = [player.at(time), truth.at(time)];
    const angle = (from: string, to: string): number => {
      const direction = (pose: typeof is, body: TestQuadruped): Vector3 =>
        pose
          .place(body.row(to))
          .sub(pose.place(body.row(from)))
          .applyQuaternion(body.yaw.clone().invert());
      return (direction(is, target).angleTo(direction(was, source)) * 180) / Math.PI;
    };
    for (const [i, leg] of LEGS.entries()) {
      for (const [from, to] of [
        ['UpperLeg', 'LowerLeg'],
        ['LowerLeg', 'Foot'],
        ['Foot', 'Toes'],
      ] as const) {
        sum += angle(leg + from, leg + to);
        count++;
      }
      const shifted = time + SHIFTS[i]! + 1e-6;
      const toes = is.place(target.row(`${leg}Toes`));
      const key = `${leg} ${Math.floor(shifted)}`;
      if (shifted % 1 < 0.49) slide = Math.max(slide, toes.distanceTo(stood.get(key) ?? (stood.set(key, toes), toes)));
    }
    tail = Math.max(tail, angle('tail1', 'tail2'));
  }
  return { slide, limbs: sum / count, tail };
}

it('a walk is unchanged on its own body', () => {
  const body = new TestQuadruped({ axes: 7, nameOf: rigify });
  const clip = walkOf(body);
  const retargeter = BodyRetargeter.of(body.scene, body.scene)!;
  const [is, was] = [new Player(body.scene, retargeter.retarget(bind(clip, body.scene))), new Player(body.scene, clip)];
  let [turned, moved] = [0, 0];
  for (let frame = 0; frame <= 120; frame += 7) {
    const [a, b] = [is.at(frame / RATE), was.at(frame / RATE)];
    for (let row = 1; row < body.scene.nodes.length; row++) {
      turned = Math.max(turned, a.turn(row).angleTo(b.turn(row)));
      moved = Math.max(moved, a.place(row).distanceTo(b.place(row)));
    }
  }
  expect((turned * 180) / Math.PI).toBeLessThan(0.1);
  expect(moved).toBeLessThan(1e-3);
});

describe('a walk moves limbs alike, and planted toes don’t slide, on a quadruped', () => {
  const bodies: Record<string, QuadrupedDesign> = {
    'with other axes in every bone': { axes: 3 },
    'that looks to its side': { axes: 5, yaw: 90 },
    'twice as tall': { axes: 2, proportions: { height: 2, trunk: 2, width: 2 } },
    'with a long trunk and short legs': { axes: 4, proportions: { height: 0.6, trunk: 1.3 } },
    'with high hocks and wide hips': { axes: 6, proportions: { hock: 1.15, width: 1.4 } },
    'with another spine, neck and tail': { axes: 8, proportions: { spineBones: 2, neckBones: 3, tailBones: 4 } },
  };
  const source = new TestQuadruped({ axes: 1, nameOf: rigify });
  it.each(Object.entries(bodies))('%s', (_, design) => {
    const { slide, limbs, tail } = measure(source, new TestQuadruped({ ...design, nameOf: biped }));
    expect(slide).toBeLessThan(0.003);
    expect(limbs).toBeLessThan(7);
    if (!design.proportions) expect(tail).toBeLessThan(0.1);
  });

  it('but slide if they are not planted', () => {
    const target = new TestQuadruped({ nameOf: biped, proportions: { height: 0.6, trunk: 1.3 } });
    const unplanted = (clip: BoundClip): Clip => BodyRetargeter.of(source.scene, target.scene)!.retarget(clip, { plantFeet: false });
    expect(measure(source, target, unplanted).slide).toBeGreaterThan(0.01);
  });
});

describe('legs of a quadruped', () => {
  const source = new TestQuadruped({ nameOf: rigify });
  const stand = source.clip('stand', 1, 30, () => ({ turns: new Map(), hips: source.bones[0]!.place.clone() }));
  const playedOn = (target: TestQuadruped, clip: Clip, plantFeet = true) =>
    new Player(target.scene, BodyRetargeter.of(source.scene, target.scene)!.retarget(bind(clip, source.scene), { plantFeet })).at(0);

  it.each([
    ['backwards, as in the rest pose', 'leftFront', 1, -1],
    ['backwards, if they are nearly straight in the rest pose', 'leftFront', -0.04, -1],
    ['forwards', 'rightHind', 1, 1],
  ] as const)('that are straight in a clip bend %s: %s', (_, leg, frontBend, sign) => {
    // The legs of the source are straight. The longer or wider trunk of the target brings the start
    // of the leg nearer to the ground, so that the leg has to bend.
    const axis = leg === 'leftFront' ? new Vector3(1, 0, 0) : new Vector3(0, 0, 1);
    const pitch = new Quaternion().setFromAxisAngle(axis, 0.3);
    const turns = new Map([['hips', pitch]]);
    for (const leg of LEGS) {
      const places = ['UpperLeg', 'LowerLeg', 'Foot'].map(part => source.bones.find(bone => bone.part === leg + part)!.place);
      for (const [i, part] of ['UpperLeg', 'LowerLeg'].entries())
        turns.set(
          leg + part,
          new Quaternion().setFromUnitVectors(places[i + 1]!.clone().sub(places[i]!).normalize(), new Vector3(0, -1, 0)),
        );
    }
    const clip = source.clip('bow', 1, 30, () => ({ turns, hips: source.bones[0]!.place.clone() }));
    const target = new TestQuadruped({ nameOf: biped, axes: 3, proportions: { trunk: 1.8, width: 2, frontBend } });
    const { place } = playedOn(target, clip);
    const [upper, lower, foot] = ['UpperLeg', 'LowerLeg', 'Foot'].map(part => place(target.row(leg + part))) as [Vector3, Vector3, Vector3];
    const line = foot.sub(upper).normalize();
    const bend = lower.sub(upper);
    bend.addScaledVector(line, -bend.dot(line));
    expect(sign * bend.z).toBeGreaterThan(0.02);
  });

  it('at the front do not raise the hips', () => {
    const target = new TestQuadruped({ nameOf: biped, proportions: { frontBend: 0 } });
    expect(playedOn(target, stand).place(target.row('hips')).y).toBeCloseTo(0.6, 4);
  });

  it('stay where the aligned rest pose has them if the feet point outwards in the rest pose', () => {
    const outwards = (angle: number): Quaternion => new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), angle);
    const rest = new Map(LEGS.map(leg => [`${leg}Foot`, outwards(leg.startsWith('left') ? 0.8 : -0.8)]));
    const target = new TestQuadruped({ nameOf: biped, proportions: { width: 1.6 }, rest });
    const [planted, free] = [playedOn(target, stand), playedOn(target, stand, false)];
    for (const leg of LEGS) {
      const toes = target.row(`${leg}Toes`);
      const moved = planted.place(toes).sub(free.place(toes));
      expect(Math.hypot(moved.x, moved.z)).toBeLessThan(1e-3);
    }
  });

  it('stand on the ground with their toes, however high the hocks are', () => {
    const high = new TestQuadruped({ nameOf: rigify, proportions: { hock: 1.6 } });
    const target = new TestQuadruped({ nameOf: biped });
    const retargeter = BodyRetargeter.of(high.scene, target.scene)!;
    const heightAfter = (sunk: number): number => {
      const hips = high.bones[0]!.place.clone().add(new Vector3(0, -sunk, 0));
      const clip = high.clip('sunk', 1, 30, () => ({ turns: new Map(), hips }));
      const { place } = new Player(target.scene, retargeter.retarget(bind(clip, high.scene), { plantFeet: false })).at(0);
      return place(target.row('hips')).y;
    };
    expect(heightAfter(0) - heightAfter(0.15)).toBeCloseTo(0.15 * retargeter.scale, 4);
  });
});

it('a quadruped is bound to another one by body parts', () => {
  const source = new TestQuadruped({ nameOf: rigify });
  const target = new TestQuadruped({ nameOf: biped });
  const { report, tracks } = bindRetargeted(walkOf(source), source.scene, target.scene);
  expect(report.findings.find(({ code }) => code === 'BIND_BY_BODY')).toMatchObject({ severity: 'info' });
  expect(report.findings.some(({ code }) => code === 'BIND_OTHER_BODY')).toBe(false);
  expect(tracks.length).toBeGreaterThan(20);
  expect(createRetargeter(source.scene, target.scene)?.method).toBe('body');
});

it('legs with other proportions are corrected if the names match', () => {
  const source = new TestQuadruped({ nameOf: biped });
  const target = new TestQuadruped({ nameOf: biped, proportions: { height: 0.6, trunk: 1.2 } });
  const { report } = bindRetargeted(walkOf(source), source.scene, target.scene);
  expect(report.findings.map(({ code }) => code)).toContain('BIND_FEET_PLANTED');
  const retargeter = createRetargeter(source.scene, target.scene)!;
  expect(retargeter.method).toBe('names');
  expect(measure(source, target, clip => retargeter.retarget(clip)).slide).toBeLessThan(0.003);
});

it('toes keep their height if the names match and the spine has another rest rotation', () => {
  const source = new TestQuadruped({ nameOf: biped });
  const target = new TestQuadruped({ nameOf: biped, proportions: { height: 0.6, trunk: 1.2 } });
  for (const [part, angle] of [
    ['spine1', 0.1],
    ['spine2', -0.1],
  ] as const)
    target.scene.nodes.rotations.set([Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)], 4 * target.row(part));
  const retargeter = createRetargeter(source.scene, target.scene)!;
  expect(retargeter.method).toBe('names');
  const clip = walkOf(source);
  const [is, was] = [new Player(target.scene, retargeter.retarget(bind(clip, source.scene))), new Player(source.scene, clip)];
  const rests = [target, source].map(body => restPoseOf(body.scene.nodes)) as [RestPose, RestPose];
  for (const leg of LEGS) {
    const [rest, sourceRest] = [rests[0].position(target.row(`${leg}Toes`)), rests[1].position(source.row(`${leg}Toes`))];
    for (let frame = 0; frame < RATE; frame++) {
      const [toes, truth] = [is.at(frame / RATE).place(target.row(`${leg}Toes`)), was.at(frame / RATE).place(source.row(`${leg}Toes`))];
      expect(Math.abs(toes.y - rest[1] - 0.6 * (truth.y - sourceRest[1])), leg).toBeLessThan(0.003);
    }
  }
});

describe('the motion of a human', () => {
  const human = new TestBody({ nameOf: SCHEMES['Biped of 3ds Max']! });
  const walk = human.clip('walk', 1, 30, time => human.walk(time));

  it('is bound to a quadruped only by names, with a warning', () => {
    const { scene, ...animal } = new TestQuadruped({ nameOf: biped });
    const { report, tracks } = bindRetargeted(walk, human.scene, scene);
    expect(report.findings.find(({ code }) => code === 'BIND_OTHER_BODY')).toMatchObject({
      severity: 'warning',
      detail: 'animation: humanoid, model: quadruped',
    });
    expect(report.findings.some(({ code }) => code === 'BIND_BY_BODY')).toBe(false);
    const head = animal.bones.findIndex(({ part }) => part === 'head') + 1;
    expect(tracks.some(({ node, path }) => node === head && path === 'rotation')).toBe(true);
  });

  it('does not move the tail of a quadruped whose tip is named like a spine', () => {
    const animal = new TestQuadruped({ nameOf: rigify });
    const mixamo = new TestBody({ nameOf: SCHEMES['Mixamo']! });
    const { tracks } = bindRetargeted(
      mixamo.clip('walk', 1, 30, time => mixamo.walk(time)),
      mixamo.scene,
      animal.scene,
    );
    const moved = new Set(tracks.map(({ node }) => animal.scene.nodes.names[node]));
    expect(animal.scene.nodes.names).toContain('DEF-spine');
    expect(moved.has('DEF-spine')).toBe(false);
  });

  it('is not retargeted to a quadruped with other names', () => {
    const { scene } = new TestQuadruped({ nameOf: rigify });
    const other = new TestBody();
    expect(createRetargeter(other.scene, scene)).toBe(null);
    const { report, tracks } = bindRetargeted(
      other.clip('walk', 1, 30, time => other.walk(time)),
      other.scene,
      scene,
    );
    expect(tracks.filter(({ node }) => node >= 0)).toEqual([]);
    expect(report.findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['BIND_OTHER_BODY', 'BIND_NOTHING']));
  });
});

it('the motion of a quadruped is not put on a human', () => {
  const animal = new TestQuadruped({ nameOf: rigify });
  const { report } = bindRetargeted(walkOf(animal), animal.scene, new TestBody().scene);
  expect(report.findings.find(({ code }) => code === 'BIND_OTHER_BODY')?.detail).toBe('animation: quadruped, model: humanoid');
});

it('quadrupeds whose feet aren’t below their legs are not retargeted', () => {
  const withoutFeet = new TestQuadruped({ nameOf: part => (/Front(Foot|Toes)/.test(part) ? null : part) });
  expect(BodyRetargeter.of(withoutFeet.scene, new TestQuadruped().scene)).toBe(null);
});
