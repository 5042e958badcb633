// Compares retargeted clips with movements that are computed in closed form
// (tests/support/bodies.ts).
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { BodyRetargeter, type BodyRetargetOptions } from '../../../web/src/rig/bodyRetargeter.ts';
import { type BodyDesign, TestBody } from '../../support/bodies.ts';
import { Player } from '../../support/player.ts';

const LIMBS = (['left', 'right'] as const).flatMap(side =>
  [
    ['UpperArm', 'LowerArm'],
    ['LowerArm', 'Hand'],
    ['UpperLeg', 'LowerLeg'],
    ['LowerLeg', 'Foot'],
  ].map(([a, b]) => [`${side}${a}`, `${side}${b}`] as const),
);
const SECONDS = 2;
const walkOf = (body: TestBody): Clip => body.clip('walk', SECONDS, 60, time => body.walk(time));
const degrees = (radians: number): number => (radians * 180) / Math.PI;

/**
 * Returns the mean angle between expected and actual limbs, and the distance that planted feet
 * slide, metres.
 */
function measure(source: TestBody, target: TestBody, options?: BodyRetargetOptions): { limbs: number; slide: number } {
  const clip = walkOf(source);
  const moved = BodyRetargeter.of(source.scene, target.scene)!.retarget(bind(clip, source.scene), options);
  const player = new Player(target.scene, moved);
  const truth = new Player(source.scene, clip);
  let [sum, count, slide] = [0, 0, 0];
  const stood = new Map<string, Vector3>();
  for (let frame = 0; frame <= SECONDS * 60; frame++) {
    const time = frame / 60;
    const is = player.at(time);
    const was = truth.at(time);
    for (const [a, b] of LIMBS) {
      const way = is
        .place(target.row(b))
        .sub(is.place(target.row(a)))
        .applyQuaternion(target.yaw.clone().invert());
      const right = was
        .place(source.row(b))
        .sub(was.place(source.row(a)))
        .applyQuaternion(source.yaw.clone().invert());
      sum += degrees(way.angleTo(right));
      count++;
    }
    for (const [side, shift] of [
      ['left', 0],
      ['right', 0.5],
    ] as const) {
      const cycle = (time + shift + 1e-6) % 1;
      const key = `${side} ${Math.floor(time + shift + 1e-6)}`;
      const foot = is.place(target.row(`${side}Foot`));
      if (cycle < 0.49) slide = Math.max(slide, foot.distanceTo(stood.get(key) ?? (stood.set(key, foot), foot)));
    }
  }
  return { limbs: sum / count, slide };
}

it('a body with wide hips stays on the foot about which the source turns', () => {
  const [source, target] = [new TestBody(), new TestBody({ proportions: { hipWidth: 0.8, upperLeg: 0.3, lowerLeg: 0.3 } })];
  const foot = source.p.hipWidth / 2;
  const turn = source.clip('turn', 3, 30, time => {
    const share = Math.min(Math.max((time - 1) / 0.8, 0), 1);
    const yaw = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 2 * Math.PI * share * share * (3 - 2 * share));
    const hips = new Vector3(-foot, 0, 0).applyQuaternion(yaw).add(new Vector3(foot, 0, 0));
    const lifted = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -0.8 * Math.sin(Math.PI * share));
    const leg: [string, Quaternion][] = ['UpperLeg', 'LowerLeg', 'Foot'].flatMap(part => [
      [`left${part}`, yaw],
      [`right${part}`, yaw.clone().multiply(lifted)],
    ]);
    return { turns: new Map([['hips', yaw], ...leg]), hips: hips.setY(source.hipHeight().y - 0.02) };
  });
  const moved = BodyRetargeter.of(source.scene, target.scene)!.retarget(bind(turn, source.scene));
  const [is, was] = [new Player(target.scene, moved), new Player(source.scene, turn)];
  const stands = (player: Player, row: number, frame: number) =>
    player
      .at(frame / 30)
      .place(row)
      .distanceTo(player.at(0).place(row));
  const frames = Array.from({ length: 91 }, (_, frame) => frame);
  expect(Math.max(...frames.map(frame => stands(was, source.row('leftFoot'), frame)))).toBeLessThan(1e-4);
  expect(Math.max(...frames.map(frame => stands(is, target.row('leftFoot'), frame)))).toBeLessThan(0.002);
});

it('keys of a spinning body use the shorter rotation between keys', () => {
  const [source, target] = [new TestBody(), new TestBody({ axes: 5, yaw: 40 })];
  const spin = source.clip('spin', 2, 30, time => ({
    turns: new Map([['hips', new Quaternion().setFromAxisAngle(new Vector3(0.3, 1, 0.2).normalize(), 3 * Math.PI * time)]]),
    hips: source.hipHeight(),
  }));
  const moved = BodyRetargeter.of(source.scene, target.scene)!.retarget(bind(spin, source.scene));
  let checked = 0;
  for (const { path, values } of moved.tracks)
    for (let at = 4; path === 'rotation' && at < values.length; at += 4, checked++)
      expect([0, 1, 2, 3].reduce((sum, c) => sum + values[at + c]! * values[at - 4 + c]!, 0)).toBeGreaterThan(0);
  expect(checked).toBeGreaterThan(500);
});

describe('a walk', () => {
  it('is unchanged on its own body', () => {
    const body = new TestBody({ axes: 7 });
    const clip = walkOf(body);
    const retargeter = BodyRetargeter.of(body.scene, body.scene)!;
    expect(retargeter.scale).toBeCloseTo(1, 9);
    const is = new Player(body.scene, retargeter.retarget(bind(clip, body.scene)));
    const was = new Player(body.scene, clip);
    let [turned, moved] = [0, 0];
    for (let frame = 0; frame <= 120; frame += 7) {
      const [a, b] = [is.at(frame / 60), was.at(frame / 60)];
      for (let row = 1; row < body.scene.nodes.length; row++) {
        turned = Math.max(turned, degrees(a.turn(row).angleTo(b.turn(row))));
        moved = Math.max(moved, a.place(row).distanceTo(b.place(row)));
      }
    }
    expect(turned).toBeLessThan(0.01);
    expect(moved).toBeLessThan(1e-4);
  });

  const bodies: Record<string, BodyDesign> = {
    'with other axes in every bone': { axes: 3 },
    'that rests with its arms down': { armsDown: 50, axes: 5 },
    'that looks the other way': { yaw: 180, axes: 5 },
    'that looks to its side': { yaw: 90 },
    'of a child': {
      proportions: {
        upperLeg: 0.2,
        lowerLeg: 0.19,
        ankle: 0.05,
        hipWidth: 0.12,
        spine: 0.32,
        shoulderWidth: 0.22,
        upperArm: 0.14,
        lowerArm: 0.12,
      },
      axes: 9,
    },
    'with long legs, short shins and wide hips': { proportions: { upperLeg: 0.62, lowerLeg: 0.55, hipWidth: 0.3 }, armsDown: 30, axes: 2 },
    'with another spine and no fingers': { proportions: { spineBones: 5, neckBones: 2, hasFingers: false }, axes: 4 },
  };
  it.each(Object.entries(bodies))('moves limbs alike without sliding feet on a body %s', (_, design) => {
    const { limbs, slide } = measure(new TestBody({ axes: 1 }), new TestBody(design));
    expect(limbs).toBeLessThan(3);
    expect(slide).toBeLessThan(0.005);
  });
});

it.each([0, -1, NaN])('a frame rate of %d is rejected', frameRate => {
  const body = new TestBody();
  expect(() => measure(body, body, { frameRate })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

it('feet slide without plantFeet', () => {
  const source = new TestBody({ axes: 1 });
  const target = new TestBody({ proportions: { upperLeg: 0.6, lowerLeg: 0.3 }, axes: 2 });
  expect(measure(source, target, { plantFeet: false }).slide).toBeGreaterThan(0.01);
});

it('planted feet follow a walk in a circle with wide hips', () => {
  const walkAround = (body: TestBody) => (time: number) => {
    const { turns, hips } = body.walk(time, 0);
    const turn = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI * time);
    for (const [part, q] of turns) turns.set(part, turn.clone().multiply(q));
    return { turns, hips: hips.applyQuaternion(turn) };
  };
  const source = new TestBody();
  const target = new TestBody({ proportions: { hipWidth: 0.4 }, axes: 2 });
  const moved = BodyRetargeter.of(source.scene, target.scene)!.retarget(
    bind(source.clip('around', 2, 30, walkAround(source)), source.scene),
  );
  const player = new Player(target.scene, moved);
  for (let frame = 0; frame <= 60; frame += 5) {
    const { place } = player.at(frame / 30);
    const across = place(target.row('leftFoot')).sub(place(target.row('rightFoot')));
    expect(Math.hypot(across.x, across.z)).toBeGreaterThan(0.35); // not crossed
  }
});

it.each([
  ['keep their distance from the places of the source on the ground', 0],
  ['keep their distance from the places of the source on a step', 0.3],
  ['keep the directions of the legs in flight', 2],
])('feet %s', (_, height) => {
  const source = new TestBody({ axes: 1 });
  const target = new TestBody({ proportions: { upperLeg: 0.4, lowerLeg: 0.48 }, axes: 2 });
  const clip = source.clip('walk', 1, 30, time => {
    const { turns, hips } = source.walk(time);
    return { turns, hips: hips.add(new Vector3(0, height, 0)) };
  });
  const retargeter = BodyRetargeter.of(source.scene, target.scene)!;
  const [player, truth] = [new Player(target.scene, retargeter.retarget(bind(clip, source.scene))), new Player(source.scene, clip)];
  const first = player
    .at(0)
    .place(target.row('leftFoot'))
    .sub(truth.at(0).place(source.row('leftFoot')));
  for (let frame = 0; frame <= 30; frame++) {
    const [is, was] = [player.at(frame / 30), truth.at(frame / 30)];
    for (const [a, b] of LIMBS.filter(([bone]) => bone.includes('Leg'))) {
      const way = is.place(target.row(b)).sub(is.place(target.row(a)));
      if (height > 1) expect(degrees(way.angleTo(was.place(source.row(b)).sub(was.place(source.row(a)))))).toBeLessThan(0.1);
    }
    // The legs of both bodies have the same length. The left foot is planted in the first half.
    const apart = is.place(target.row('leftFoot')).sub(was.place(source.row('leftFoot')));
    if (height < 1) expect(Math.abs(apart.y)).toBeLessThan(1e-3);
    if (height < 1 && frame < 15) expect(apart.distanceTo(first)).toBeLessThan(1e-3);
  }
  if (height < 1) expect(first.length()).toBeGreaterThan(1e-3);
});

describe('a body with short thighs and long shins', () => {
  const source = new TestBody({ axes: 1 });
  const target = new TestBody({ proportions: { upperLeg: 0.3, lowerLeg: 0.6, hipWidth: 0.3 }, axes: 2 });
  const scale = 0.9 / 0.88;
  const about = (angle: number): Quaternion => new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), angle);
  /** Heights of the target's hips above the scaled hips of the source, in all frames. */
  const hipHeights = ({ is, was }: { is: Player; was: Player }): number[] =>
    Array.from({ length: 61 }, (_, frame) => {
      const [pose, truth] = [is.at(frame / 30), was.at(frame / 30)];
      return pose.place(target.row('hips')).y - scale * truth.place(source.row('hips')).y;
    });
  /** Bends the knees while the feet stay on the ground: 0 for straight legs, 1 for bent ones. */
  const crouch = (bend: number): { turns: Map<string, Quaternion>; hips: Vector3 } => {
    const [thigh, shin] = [0.8 * bend, 0.3 * bend];
    const turns = new Map(
      ['left', 'right'].flatMap(side => [
        [`${side}UpperLeg`, about(-thigh)] as const,
        [`${side}LowerLeg`, about(shin)] as const,
        [`${side}Foot`, about(0)] as const,
      ]),
    );
    return { turns, hips: new Vector3(0, 0.08 + 0.45 * Math.cos(thigh) + 0.43 * Math.cos(shin), 0) };
  };
  const play = (pose: (time: number) => ReturnType<typeof crouch>, options?: BodyRetargetOptions, loop = false) => {
    const clip = { ...source.clip('crouch', 2, 30, pose), loop };
    const made = BodyRetargeter.of(source.scene, target.scene)!.retarget(bind(clip, source.scene), options);
    return { is: new Player(target.scene, made), was: new Player(source.scene, clip) };
  };

  it('stands with the knees of the source and its feet on the ground', () => {
    const { is, was } = play(() => crouch(1));
    const [pose, truth] = [is.at(1), was.at(1)];
    for (const [a, b] of LIMBS) {
      const way = pose.place(target.row(b)).sub(pose.place(target.row(a)));
      expect(degrees(way.angleTo(truth.place(source.row(b)).sub(truth.place(source.row(a))))), a).toBeLessThan(0.1);
    }
    for (const foot of ['leftFoot', 'rightFoot']) {
      const height = scale * (truth.place(source.row(foot)).y - 0.08);
      expect(pose.place(target.row(foot)).y).toBeCloseTo(0.08 + height, 4);
    }
  });

  /** Crouches on feet that don't move: from standing at the start to a deep crouch at 2 s. */
  const sitDown = (time: number): ReturnType<typeof crouch> => {
    const bend = 0.9 - 0.85 * Math.cos((Math.PI * time) / 2);
    const { turns } = crouch(bend);
    // The thigh is 0.43 long, because its joint is 0.02 below the hips.
    const [thigh, shin] = [0.8 * bend, 0.3 * bend];
    const [up, back] = [Math.cos(thigh) + Math.cos(shin), Math.sin(thigh) - Math.sin(shin)];
    return { turns, hips: new Vector3(0, 0.1 + 0.43 * up, -0.43 * back) };
  };
  const legAngles = ({ is, was }: { is: Player; was: Player }, time: number): number[] => {
    const [pose, truth] = [is.at(time), was.at(time)];
    return LIMBS.filter(([bone]) => bone.includes('Leg')).map(([a, b]) => {
      const way = pose.place(target.row(b)).sub(pose.place(target.row(a)));
      return degrees(way.angleTo(truth.place(source.row(b)).sub(truth.place(source.row(a)))));
    });
  };
  const frames = Array.from({ length: 61 }, (_, frame) => frame / 30);

  it.each([false, true])('keeps the pose and its feet on the ground while it crouches (declared as a loop: %s)', loop => {
    const both = play(sitDown, {}, loop);
    for (const foot of ['leftFoot', 'rightFoot']) {
      const places = frames.map(time => both.is.at(time).place(target.row(foot)));
      for (const place of places) {
        expect(place.distanceTo(places[0]!)).toBeLessThan(1e-3);
        expect(Math.abs(place.y - 0.08)).toBeLessThan(1e-3);
      }
      expect(
        both.was
          .at(2)
          .place(source.row(foot))
          .distanceTo(both.was.at(0).place(source.row(foot))),
      ).toBeLessThan(1e-5);
    }
    for (const time of frames) expect(Math.max(...legAngles(both, time)), `${time} s`).toBeLessThan(3);
    const travel = (player: Player, body: TestBody): Vector3 =>
      player
        .at(2)
        .place(body.row('hips'))
        .sub(player.at(0).place(body.row('hips')));
    // Shorter thighs move the hips less far down and back.
    const [moved, scaled] = [travel(both.is, target), travel(both.was, source).multiplyScalar(scale)];
    expect(moved.y - scaled.y).toBeGreaterThan(0.1);
    expect(moved.z - scaled.z).toBeGreaterThan(0.1);
  });

  it('moves its hips as smoothly as the source', () => {
    const roughness = (player: Player, body: TestBody): number => {
      const places = frames.map(time => player.at(time).place(body.row('hips')));
      return Math.max(
        ...places.slice(2).map((place, i) =>
          place
            .clone()
            .add(places[i]!)
            .addScaledVector(places[i + 1]!, -2)
            .length(),
        ),
      );
    };
    const other = new TestBody({ proportions: { upperLeg: 0.3, lowerLeg: 0.6, hipWidth: 0.6 }, axes: 2 });
    const walk = source.clip('walk', 2, 30, time => source.walk(time));
    const made = BodyRetargeter.of(source.scene, other.scene)!.retarget(bind(walk, source.scene));
    // Wider hips swing farther when they turn.
    expect(roughness(new Player(other.scene, made), other)).toBeLessThan(1.4 * scale * roughness(new Player(source.scene, walk), source));
    const { is, was } = play(sitDown);
    expect(roughness(is, target)).toBeLessThan(1.2 * scale * roughness(was, source));
  });

  it('moves its hips smoothly from the end of a loop to its start', () => {
    const turn = (time: number) => 0.5 + 0.4 * Math.sin(Math.PI * time);
    const { is, was } = play(time => crouch(turn(time)), {}, true);
    const jolt = (player: Player, body: TestBody): number => {
      const [last, first, second] = [59, 0, 1].map(frame => player.at(frame / 30).place(body.row('hips')).y);
      return Math.abs(last! + second! - 2 * first!);
    };
    expect(jolt(is, target)).toBeLessThan(1.2 * scale * jolt(was, source));
  });

  it('is retargeted if the file declares an extreme frame rate', () => {
    const clip = { ...source.clip('fast', 1e-6, 1e9, () => crouch(1)), loop: false };
    const made = BodyRetargeter.of(source.scene, target.scene)!.retarget(bind(clip, source.scene));
    expect(made.frameCount).toBe(1001);
  });

  it('moves its feet as far as the source if it shuffles them while it crouches', () => {
    const shuffle = (time: number): ReturnType<typeof crouch> => {
      const pose = sitDown(time);
      pose.hips.z += time < 1 ? 0 : Math.min(0.3 * (time - 1), 0.03);
      return pose;
    };
    const { is, was } = play(shuffle);
    for (const time of frames) {
      const moved = is
        .at(time)
        .place(target.row('leftFoot'))
        .sub(is.at(0).place(target.row('leftFoot')));
      const wanted = was
        .at(time)
        .place(source.row('leftFoot'))
        .sub(was.at(0).place(source.row('leftFoot')));
      expect(moved.distanceTo(wanted.multiplyScalar(scale)), `${time} s`).toBeLessThan(1e-3);
    }
  });

  it('keeps the height of its hips while it jumps', () => {
    const jump = (time: number): ReturnType<typeof crouch> => {
      const { turns, hips } = crouch(1.5);
      return { turns, hips: hips.add(new Vector3(0, 0.5 * Math.sin((Math.PI * time) / 2), 0)) };
    };
    const heights = hipHeights(play(jump));
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1e-3);
    expect(Math.abs(heights[0]! - 0.08 * (1 - scale))).toBeGreaterThan(0.02);
  });

  it('lowers its hips gradually if its feet would not reach the ground', () => {
    const { is, was } = play(time => crouch(time < 1 ? 1 : 0));
    for (let frame = 0; frame <= 60; frame++) {
      const [pose, truth] = [is.at(frame / 30), was.at(frame / 30)];
      for (const foot of ['leftFoot', 'rightFoot']) {
        const height = scale * (truth.place(source.row(foot)).y - 0.08);
        expect(Math.abs(pose.place(target.row(foot)).y - 0.08 - height), `frame ${frame}`).toBeLessThan(0.003);
      }
    }
    const heights = hipHeights({ is, was });
    const steps = heights.slice(1).map((height, i) => Math.abs(height - heights[i]!));
    expect(Math.max(...steps)).toBeLessThan(0.02);
    expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(0.01);
  });

  it('lowers its hips by a tenth of a leg at most', () => {
    const wide = new TestBody({ proportions: { hipWidth: 0.9 } });
    const roll = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), 0.6);
    const clip = source.clip('roll', 2, 30, () => ({ turns: new Map([...crouch(0).turns, ['hips', roll]]), hips: source.hipHeight() }));
    const heightOf = (options: BodyRetargetOptions): number =>
      new Player(wide.scene, BodyRetargeter.of(source.scene, wide.scene)!.retarget(bind(clip, source.scene), options))
        .at(1)
        .place(wide.row('hips')).y;
    // The length from the hip joint to the foot is 0.86, because the joint is 0.02 below the hips.
    expect(heightOf({ plantFeet: false }) - heightOf({})).toBeCloseTo(0.1 * 0.86, 3);
  });

  it('has the height that the foot on the ground gives if the other foot is high', () => {
    const raised = (): ReturnType<typeof crouch> => {
      const { turns } = crouch(0);
      return { turns: new Map([...turns, ['rightUpperLeg', about(-1.4)], ['rightLowerLeg', about(0.3)]]), hips: source.hipHeight() };
    };
    const { is, was } = play(raised);
    const [pose, truth] = [is.at(1), was.at(1)];
    // The ankles of both bodies are 0.08 above the ground.
    expect(pose.place(target.row('hips')).y - 0.08).toBeCloseTo(scale * (truth.place(source.row('hips')).y - 0.08), 4);
  });
});

it('a body that lies in the rest pose, with a leaning trunk, walks as an upright one does', () => {
  const design: BodyDesign = { proportions: { upperLeg: 0.6, lowerLeg: 0.3, hipWidth: 0.3 }, axes: 2 };
  const source = new TestBody({ axes: 1 });
  const lean = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), 0.2);
  const lie = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2);
  const bodyWith = (turn: Quaternion): TestBody => {
    const body = new TestBody(design);
    const { translations, rotations } = body.scene.nodes;
    const [hips, spine] = [body.row('hips'), body.row('spine1')];
    const axes = new Quaternion(...rotations.subarray(4 * hips, 4 * hips + 4));
    const local = axes.clone().invert().multiply(lean).multiply(axes);
    rotations.set(local.multiply(new Quaternion(...rotations.subarray(4 * spine, 4 * spine + 4))).toArray(), 4 * spine);
    rotations.set(turn.clone().multiply(axes).toArray(), 4 * hips);
    translations.set(new Vector3(...translations.subarray(3 * hips, 3 * hips + 3)).applyQuaternion(turn).toArray(), 3 * hips);
    return body;
  };
  const [upright, lying] = [bodyWith(new Quaternion()), bodyWith(lie)];
  const playerOf = (body: TestBody): Player =>
    new Player(body.scene, BodyRetargeter.of(source.scene, body.scene)!.retarget(bind(walkOf(source), source.scene)));
  const [wanted, actual] = [playerOf(upright), playerOf(lying)];
  for (let frame = 0; frame <= 60; frame += 5)
    for (const part of ['hips', 'head', 'leftHand', 'leftLowerLeg', 'leftFoot', 'rightFoot'] as const) {
      const place = wanted
        .at(frame / 30)
        .place(upright.row(part))
        .applyQuaternion(lie);
      expect(
        actual
          .at(frame / 30)
          .place(lying.row(part))
          .distanceTo(place),
      ).toBeLessThan(1e-4);
    }
});

describe('two bodies', () => {
  const motionOf = (body: TestBody, turns: ReadonlyMap<string, Quaternion>, z = 0): Clip =>
    body.clip('pose', 1, 30, time => ({ turns, hips: body.hipHeight().add(new Vector3(0, 0, z * time)) }));
  const moved = (source: TestBody, target: TestBody, clip: Clip, options?: BodyRetargetOptions): Player =>
    new Player(target.scene, BodyRetargeter.of(source.scene, target.scene)!.retarget(bind(clip, source.scene), options));

  it('with nearly equal forward directions are treated as equal', () => {
    const source = new TestBody();
    for (const [yaw, wanted] of [
      [3, 0],
      [88, 90],
      [20, 20],
    ] as const) {
      const target = new TestBody({ yaw });
      const player = moved(source, target, motionOf(source, new Map(), 1));
      const travel = player
        .at(1)
        .place(target.row('hips'))
        .sub(player.at(0).place(target.row('hips')));
      expect(degrees(Math.atan2(travel.x, travel.z))).toBeCloseTo(wanted, 1);
    }
  });

  it('with spread legs at rest keep the height of the hips', () => {
    const [source, target] = [new TestBody(), new TestBody()];
    for (const [side, angle] of [
      ['left', 0.4],
      ['right', -0.4],
    ] as const) {
      const apart = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), angle);
      target.scene.nodes.rotations.set(apart.toArray(), 4 * target.row(`${side}UpperLeg`));
    }
    const rest = new Player(target.scene, {
      ...motionOf(source, new Map()),
      tracks: { length: 0, get: () => null!, [Symbol.iterator]: () => [][Symbol.iterator]() },
    });
    const stands = moved(source, target, motionOf(source, new Map()), { plantFeet: false });
    for (const foot of ['leftFoot', 'rightFoot'])
      expect(stands.at(0.5).place(target.row(foot)).y).toBeCloseTo(rest.at(0.5).place(target.row(foot)).y, 4);
  });

  it('with equally many spine bones pair them in order', () => {
    const [source, target] = [new TestBody(), new TestBody()];
    const { translations } = target.scene.nodes;
    translations[3 * target.row('spine2') + 1]! *= 0.2; // much lower than in the source
    const bend = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), 0.6);
    const { turn } = moved(source, target, motionOf(source, new Map([['spine2', bend]]))).at(0.5);
    expect(degrees(turn(target.row('spine1')).angleTo(new Quaternion()))).toBeCloseTo(0, 3);
    expect(degrees(turn(target.row('spine2')).angleTo(bend))).toBeCloseTo(0, 3);
  });

  it('share face curves and frame rate', () => {
    const [source, target] = [new TestBody(), new TestBody({ axes: 2 })];
    const clip = motionOf(source, new Map());
    const smile = {
      ...[...clip.tracks][0]!,
      target: '',
      path: 'weight' as const,
      property: 'smile',
      times: Float32Array.of(0),
      values: Float32Array.of(1),
    };
    const tracks = [...clip.tracks, smile];
    const both = {
      ...clip,
      tracks: { length: tracks.length, get: (i: number) => tracks[i]!, [Symbol.iterator]: () => tracks[Symbol.iterator]() },
    };
    const body = BodyRetargeter.of(source.scene, target.scene)!;
    const made = (frameRate: number, options?: BodyRetargetOptions): Clip =>
      body.retarget(bind({ ...both, frameRate }, source.scene), options);
    expect([...made(30).tracks].filter(({ path }) => path === 'weight').map(({ property }) => property)).toEqual(['smile']);
    expect([made(24), made(0), made(24, { frameRate: 10 })].map(({ frameRate, frameCount }) => [frameRate, frameCount])).toEqual([
      [24, 25],
      [30, 31],
      [10, 11],
    ]);
  });
});

it('hands with different palm rest directions are aligned', () => {
  const source = new TestBody();
  const target = new TestBody({ axes: 6, palm: 90 });
  expect(measure(source, target).limbs).toBeLessThan(3);
  const clip = walkOf(source);
  const is = new Player(target.scene, BodyRetargeter.of(source.scene, target.scene)!.retarget(bind(clip, source.scene)));
  const was = new Player(source.scene, clip);
  for (const time of [0, 0.3, 1.1]) {
    const [a, b] = [is.at(time), was.at(time)];
    const across = (body: TestBody, { place }: typeof a): Vector3 => place(body.row('leftIndex1')).sub(place(body.row('leftLittle1')));
    expect(degrees(across(target, a).angleTo(across(source, b)))).toBeLessThan(1);
  }
});
