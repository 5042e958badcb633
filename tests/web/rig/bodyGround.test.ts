// Heights of bodies after retargeting from skeletons whose feet are not on the ground in the rest
// pose.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { BodyRetargeter } from '../../../web/src/rig/bodyRetargeter.ts';
import { type Part, TestBody } from '../../support/bodies.ts';
import { Player } from '../../support/player.ts';

/** Returns the clip with other translation keys. `convert` is called with each coordinate. */
function withTranslations(clip: Clip, convert: (value: number, i: number) => number): Clip {
  const tracks = [...clip.tracks].map(track =>
    track.path === 'translation' ? { ...track, values: track.values.map((value, i) => convert(value, i)) } : track,
  );
  return { ...clip, tracks: { length: tracks.length, get: i => tracks[i]!, [Symbol.iterator]: () => tracks[Symbol.iterator]() } };
}

/**
 * Returns a body whose hips are at height `hips` in the rest pose. Lengths are in units of `unit`
 * metres.
 */
function bodyAt(hips: number, unit = 1): TestBody {
  const body = new TestBody({ axes: 1 });
  const { translations } = body.scene.nodes;
  translations[3 * body.row('hips') + 1] = hips;
  for (let at = 0; at < translations.length; at++) translations[at]! /= unit;
  return body;
}

const target = new TestBody({ axes: 2, proportions: { upperLeg: 0.35, lowerLeg: 0.4, ankle: 0.1 } });
const retarget = (body: TestBody, clip: Clip): Player =>
  new Player(target.scene, BodyRetargeter.of(body.scene, target.scene)!.retarget(bind(clip, body.scene)));
/** Height of the lower ankle at a time. */
const ankle = (player: Player, time: number): number => {
  const { place } = player.at(time);
  return Math.min(place(target.row('leftFoot')).y, place(target.row('rightFoot')).y);
};

describe('a rest pose with the hips at the origin, as in a BVH,', () => {
  it.each([
    ['metres', 1],
    ['centimetres', 0.01],
    ['inches', 0.0254],
  ])('stands on the ground in %s', (_, unit) => {
    const source = bodyAt(0, unit);
    const walk = withTranslations(
      source.clip('walk', 2, 30, time => source.walk(time)),
      value => value / unit,
    );
    const player = retarget(source, walk);
    for (let time = 0; time <= 2; time += 0.25) expect(ankle(player, time)).toBeCloseTo(target.p.ankle, 3);
  });

  it('stands on the ground if the first frame is the rest pose', () => {
    const source = bodyAt(0);
    const walk = withTranslations(
      source.clip('walk', 2, 30, time => source.walk(time)),
      (value, i) => (i < 3 ? 0 : value),
    );
    const player = retarget(source, walk);
    for (let time = 0.25; time <= 2; time += 0.25) expect(ankle(player, time)).toBeCloseTo(target.p.ankle, 3);
  });

  it('jumps relative to the ground', () => {
    const source = bodyAt(0);
    const jump = source.clip('jump', 1, 30, time => ({
      turns: new Map(),
      hips: source.hipHeight().add(new Vector3(0, Math.sin(Math.PI * time), 0)),
    }));
    const { scale } = BodyRetargeter.of(source.scene, target.scene)!;
    const player = retarget(source, jump);
    expect(ankle(player, 0)).toBeCloseTo(target.p.ankle, 3);
    expect(ankle(player, 0.5) - ankle(player, 0)).toBeCloseTo(scale, 3);
  });

  it('flies at the right height if the clip never reaches the ground', () => {
    const source = bodyAt(0);
    const fly = source.clip('fly', 1, 30, () => ({ turns: new Map(), hips: source.hipHeight().add(new Vector3(0, 2, 0)) }));
    const { scale } = BodyRetargeter.of(source.scene, target.scene)!;
    expect(ankle(retarget(source, fly), 0.5)).toBeCloseTo((2 + source.p.ankle) * scale, 3);
  });
});

it('a body whose origin is at its hips in the rest pose and in the clip stands on the ground', () => {
  const source = bodyAt(0);
  const height = source.hipHeight().y;
  const walk = withTranslations(
    source.clip('walk', 2, 30, time => source.walk(time)),
    (value, i) => (i % 3 === 1 ? value - height : value),
  );
  const player = retarget(source, walk);
  for (let time = 0; time <= 2; time += 0.25) expect(ankle(player, time)).toBeCloseTo(target.p.ankle, 3);
});

it('a model whose origin is at its hips flies at the height of its keys, with folded legs too', () => {
  const body = bodyAt(0);
  const scene = { ...body.scene, meshes: [{ morphs: [] } as never] };
  const folded = new Map<Part, Quaternion>(
    (['left', 'right'] as const).flatMap(side => [
      [`${side}UpperLeg`, new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -2)],
      [`${side}LowerLeg`, new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), 0.3)],
    ]),
  );
  const clip = body.clip('fly', 1, 30, () => ({ turns: folded, hips: new Vector3(0, 0.1, 0) }));
  const retargeter = BodyRetargeter.of(scene, target.scene)!;
  const player = new Player(target.scene, retargeter.retarget(bind(clip, scene)));
  const hips = target.hipHeight().y + 0.1 * retargeter.scale;
  expect(player.at(0.5).place(target.row('hips')).y).toBeCloseTo(hips, 2);
});

it.each([
  ['above', 2],
  ['slightly below', -0.06],
])('a body that rests on the ground keeps its height in a clip %s the ground', (_, height) => {
  const source = bodyAt(new TestBody().hipHeight().y);
  const clip = source.clip('fly', 1, 30, () => ({ turns: new Map(), hips: source.hipHeight().add(new Vector3(0, height, 0)) }));
  const { scale } = BodyRetargeter.of(source.scene, target.scene)!;
  expect(ankle(retarget(source, clip), 0.5)).toBeCloseTo(target.p.ankle + height * scale, 3);
});
