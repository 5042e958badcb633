// Retargets recorded hands to the fingers of a model.
import { readFileSync, readdirSync } from 'node:fs';
import { Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { open } from '../../../web/src/core/index.ts';
import type { Clip, RigScene, Track } from '../../../web/src/core/types.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { handBonesOf } from '../../../web/src/rig/humanoid.ts';
import { HandRetargeter } from '../../../web/src/rig/handRetargeter.ts';
import { type Part, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { webxrHand } from '../../support/webxrHand.ts';
import { Player } from '../../support/player.ts';

const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;
const joint = (finger: string, k: number): string =>
  finger === 'Thumb'
    ? ['thumb-metacarpal', 'thumb-phalanx-proximal', 'thumb-phalanx-distal', 'thumb-tip'][k]!
    : `${finger === 'Little' ? 'pinky' : finger.toLowerCase()}-finger-${['phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'][k]}`;

/** A left hand that closes within a second while it moves and rotates. */
const hand = new TestBody();
const curl = (time: number): Map<Part, Quaternion> => {
  const fly = new Quaternion().setFromAxisAngle(new Vector3(1, 2, 3).normalize(), 2 * time);
  const turns = new Map<Part, Quaternion>([['leftHand', fly]]);
  for (const [f, finger] of ['Thumb', ...FINGERS].entries())
    for (let k = 1; k <= 3; k++)
      turns.set(
        `left${finger}${k}`,
        fly.clone().multiply(new Quaternion().setFromAxisAngle(new Vector3(0.2, 0, -1).normalize(), (0.3 + 0.05 * f) * k * time)),
      );
  return turns;
};
const played = new Player(
  hand.scene,
  hand.clip('curl', 1, 30, time => ({ turns: curl(time), hips: hand.hipHeight() })),
);

/** The same hand in the form of a recording: joint positions without hierarchy or rotations. */
function record(): { scene: RigScene; clip: Clip } {
  const parts: [name: string, at: (time: number) => Vector3][] = [['wrist', time => played.at(time).place(hand.row('leftHand'))]];
  for (const finger of ['Thumb', ...FINGERS]) {
    for (let k = 1; k <= 3; k++) parts.push([joint(finger, k - 1), time => played.at(time).place(hand.row(`left${finger}${k}`))]);
    parts.push([
      joint(finger, 3),
      time => {
        const { place, turn } = played.at(time);
        return place(hand.row(`left${finger}3`)).add(new Vector3(0.03, 0, 0).applyQuaternion(turn(hand.row(`left${finger}3`))));
      },
    ]);
  }
  const count = parts.length + 2;
  const times = Float32Array.from({ length: 31 }, (_, i) => i / 30);
  const tracks = parts.map(([target, at]): Track => ({
    target,
    property: '',
    occurrence: 0,
    node: -1,
    path: 'translation',
    component: -1,
    interpolation: 'linear',
    mode: 'absolute',
    before: 'hold',
    after: 'hold',
    blendWeight: 1,
    times,
    values: Float32Array.from([...times].flatMap(time => at(time).toArray())),
  }));
  const scene: RigScene = {
    ...hand.scene,
    nodes: {
      length: count,
      names: ['', 'hand.left', ...parts.map(([name]) => name)],
      parents: Int32Array.from({ length: count }, (_, i) => (i < 2 ? i - 1 : 1)),
      translations: new Float32Array(3 * count),
      rotations: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 1 : 0)),
      scales: new Float32Array(3 * count).fill(1),
      bones: new Int32Array(count).fill(-1),
      visible: new Uint8Array(count).fill(1),
      segmentScaleCompensate: new Uint8Array(count),
      properties: new Map(),
    },
    features: [{ kind: 'hand', name: 'left', node: 1, properties: { joints: parts.map((_, i) => i + 2) } }],
  };
  const table = { length: tracks.length, get: (i: number) => tracks[i]!, [Symbol.iterator]: () => tracks[Symbol.iterator]() };
  return {
    scene,
    clip: { name: 'take', start: 0, duration: 1, frameRate: 30, frameCount: 31, loop: false, tracks: table, events: [], overrides: [] },
  };
}

/** Returns the directions of finger bones relative to the palm. */
function ways({ place }: ReturnType<Player['at']>, body: TestBody): Vector3[] {
  const at = (part: Part): Vector3 => place(body.row(part));
  const along = at('leftMiddle1').sub(at('leftHand')).normalize();
  const up = along
    .clone()
    .cross(at('leftIndex1').sub(at('leftLittle1')))
    .normalize();
  const side = up.clone().cross(along);
  return ['Thumb', ...FINGERS].flatMap(finger =>
    [1, 2].map(k => {
      const way = at(`left${finger}${k + 1}`)
        .sub(at(`left${finger}${k}`))
        .normalize();
      return new Vector3(way.dot(along), way.dot(up), way.dot(side));
    }),
  );
}

it('fingers keep their recorded directions on a hand with other axes and another rest pose', () => {
  const { scene, clip } = record();
  for (const model of [
    new TestBody({ axes: 4, armsDown: 60, yaw: 90, nameOf: SCHEMES['Unreal Engine'] }),
    new TestBody({ palm: 180, axes: 2, nameOf: SCHEMES.Mixamo }),
  ]) {
    const fingers = HandRetargeter.of(scene, model.scene)!;
    expect(fingers.bones).toHaveLength(15);
    const moved = new Player(model.scene, fingers.retarget(bind(clip, scene)));
    for (const time of [0, 0.4, 1]) {
      const right = ways(played.at(time), hand);
      for (const [i, way] of ways(moved.at(time), model).entries()) expect(way.angleTo(right[i]!)).toBeLessThan(0.001);
    }
  }
});

it('fingers of an untracked hand keep their pose', () => {
  const { scene, clip } = record();
  const hide: Track = {
    ...clip.tracks.get(0),
    target: 'hand.left',
    path: 'visible',
    interpolation: 'step',
    times: Float32Array.of(0, 0.5),
    values: Float32Array.of(1, 0),
  };
  const tracks = [...clip.tracks, hide];
  const hidden = {
    ...clip,
    tracks: { length: tracks.length, get: (i: number) => tracks[i]!, [Symbol.iterator]: () => tracks[Symbol.iterator]() },
  };
  const model = new TestBody({ axes: 4 });
  const moved = new Player(model.scene, HandRetargeter.of(scene, model.scene)!.retarget(bind(hidden, scene)));
  const at = (time: number): number[] => ways(moved.at(time), model).flatMap(way => way.toArray());
  const lastSeen = 14 / 30;
  expect(at(0.9)).toEqual(at(lastSeen).map(value => expect.closeTo(value, 4)));
  expect(at(0.9)).toEqual(at(0.7).map(value => expect.closeTo(value, 5)));
  expect(at(0.2)).not.toEqual(at(0.4));
});

it('a hand without all knuckles is not retargeted', () => {
  const { scene } = record();
  for (const missing of ['Index', 'Middle', 'Little']) {
    const model = new TestBody({ nameOf: part => (part.includes(missing) ? `x${part.length}` : part) });
    expect(HandRetargeter.of(scene, model.scene), missing).toBeNull();
  }
  const model = new TestBody({ nameOf: part => (/Ring|Thumb/.test(part) ? `x${part.length}` : part) });
  expect(HandRetargeter.of(scene, model.scene)!.bones).toHaveLength(9);
});

it('a hand without hierarchy is not retargeted by rotations', () => {
  const model = webxrHand({ side: 'left' });
  expect(handBonesOf(model).has('leftHand')).toBe(true);
  expect(HandRetargeter.of(record().scene, model)).toBeNull();
});

it('recorded files are retargeted to a model', async () => {
  const folder = new URL('../../data/mrtk/', import.meta.url);
  const model = new TestBody({ nameOf: SCHEMES['Unreal Engine'] });
  let retargeted = 0;
  for (const name of readdirSync(folder).filter(each => each.endsWith('.bin'))) {
    const { scene } = await open(new Uint8Array(readFileSync(new URL(name, folder))), { name, worker: false });
    const retargeter = scene && createRetargeter(scene, model.scene);
    if (!retargeter) continue;
    expect(retargeter.method).toBe('hands');
    const clip = retargeter.retarget(bind(scene.clips[0]!, scene));
    expect(clip.tracks.length).toBeGreaterThan(0);
    for (const { values } of clip.tracks) expect(values.every(Number.isFinite)).toBe(true);
    retargeted++;
  }
  expect(retargeted).toBeGreaterThan(0);
});
