// Measures and sets the distance that a clip travels, and the angle that it turns.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import type { Clip } from '../../../web/src/core/types.ts';
import { clipFacts } from '../../../web/src/rig/clipFacts.ts';
import { rootMotionOf, setTravel } from '../../../web/src/rig/rootMotion.ts';
import { makeClip, sampledTrack } from '../../../web/src/rig/table.ts';
import { TestBody } from '../../support/bodies.ts';
import { Player } from '../../support/player.ts';

const body = new TestBody({ axes: 3 });
const walk = body.clip('walk', 2.4, 60, time => body.walk(time));
const hips = body.row('hips');
const placeAt = (clip: Clip, time: number): Vector3 => new Player(body.scene, clip).at(time).place(hips);

describe('the travel of a clip', () => {
  const bound = bind(walk, body.scene);

  it('of zero keeps the body in place, and its sway', () => {
    const inPlace = setTravel(bound, body.scene, [0, 0, 0])!;
    expect(placeAt(inPlace, 2.4).distanceTo(placeAt(inPlace, 0))).toBeLessThan(1e-4);
    const [a, b] = [0.6, 0.75].map(time => placeAt(walk, time).y - placeAt(inPlace, time).y) as [number, number];
    expect(Math.abs(a - b)).toBeLessThan(0.01);
  });

  it('is restored from the contacts of the feet', () => {
    const inPlace = setTravel(bound, body.scene, [0, 0, 0])!;
    const { travel } = clipFacts(bind(inPlace, body.scene), body.scene)!;
    const moved = setTravel(bind(inPlace, body.scene), body.scene, travel)!;
    const distance = placeAt(walk, 2.4).distanceTo(placeAt(walk, 0));
    expect(placeAt(moved, 2.4).distanceTo(placeAt(walk, 2.4)) / distance).toBeLessThan(0.05);
  });

  it('is a vector of the scene, also below a rotated and scaled node', () => {
    const { nodes } = body.scene;
    const rotations = nodes.rotations.slice();
    const scales = nodes.scales.slice();
    rotations.set([0, Math.SQRT1_2, 0, Math.SQRT1_2], 0);
    scales.fill(2, 0, 3);
    const scene = { ...body.scene, nodes: { ...nodes, rotations, scales } };
    const moved = new Player(scene, setTravel(bind(walk, scene), scene, [0, 0, 3])!);
    const [first, last] = [0, 2.4].map(time => moved.at(time).place(hips)) as [Vector3, Vector3];
    expect(last.sub(first).distanceTo(new Vector3(0, 0, 3))).toBeLessThan(1e-3);
  });

  it('can be added to hips that the clip does not animate', () => {
    const nod = {
      ...walk,
      tracks: makeClip(
        walk,
        [...walk.tracks].filter(({ target }) => target === 'head'),
      ).tracks,
    };
    const moved = setTravel(bind(nod, body.scene), body.scene, [1, 0, 0])!;
    expect(placeAt(moved, 2.4).x - placeAt(moved, 0).x).toBeCloseTo(1, 5);
  });

  it('is unknown if the clip moves no bone of the model', () => {
    const other = new TestBody({ nameOf: part => `y${part}` });
    expect(setTravel(bind(walk, other.scene), other.scene, [1, 0, 0])).toBe(null);
    expect(rootMotionOf(bind(walk, other.scene), other.scene)).toBe(null);
  });
});

describe('the turn of a clip', () => {
  const UP = new Vector3(0, 1, 0);
  /** Walks on a circle, `turn` degrees in two seconds. */
  const curve = (turn: number): Clip =>
    body.clip('curve', 2, 30, time => {
      const yaw = new Quaternion().setFromAxisAngle(UP, ((turn * Math.PI) / 360) * time);
      const { turns, hips } = body.walk(time);
      const place = new Vector3(-1, hips.y, 0).applyQuaternion(yaw).add(new Vector3(1, 0, 0));
      return { turns: new Map([...turns].map(([part, q]) => [part, yaw.clone().multiply(q)])), hips: place };
    });
  const motionOf = (clip: Clip) => rootMotionOf(bind(clip, body.scene), body.scene)!;
  const yawAt = (clip: Clip, time: number): Quaternion => new Player(body.scene, clip).at(time).turn(body.row('head'));

  it.each([90, -90, 270, 360, -450])('is measured: %i degrees', turn => {
    expect(motionOf(curve(turn)).turn).toBeCloseTo(turn, 2);
  });

  it('is zero for hips that sway in a circle', () => {
    const sway = body.clip('sway', 2, 30, time => {
      const axis = new Vector3(Math.cos(Math.PI * time), 0, Math.sin(Math.PI * time));
      return { turns: new Map([['hips', new Quaternion().setFromAxisAngle(axis, 0.3)]]), hips: body.hipHeight() };
    });
    expect(motionOf(sway).turn).toBeCloseTo(0, 2);
  });

  it('is removed, and the body keeps its place and its sway', () => {
    const clip = curve(270);
    const { travel } = motionOf(clip);
    const straight = setTravel(bind(clip, body.scene), body.scene, travel, { turn: 0 })!;
    expect(motionOf(straight).turn).toBeCloseTo(0, 2);
    for (const time of [0, 0.35, 1.2, 2]) {
      expect(yawAt(straight, time).angleTo(yawAt(walk, time))).toBeLessThan(0.01);
      expect(placeAt(straight, time).distanceTo(placeAt(clip, time))).toBeLessThan(1e-4);
    }
  });

  it('is removed about the hips if a bone above them moves', () => {
    const { nodes } = body.scene;
    const root = 'root';
    // Adds a bone below the hips in the table, and makes it the parent of the hips.
    const scene = {
      ...body.scene,
      nodes: {
        ...nodes,
        length: nodes.length + 1,
        names: ['', root, ...nodes.names.slice(1)],
        parents: Int32Array.from([-1, 0, ...nodes.parents.slice(1).map(parent => parent + 1)]),
        translations: Float32Array.from([0, 0, 0, 3, 0, 1, ...nodes.translations.slice(3)]),
        rotations: Float32Array.from([0, 0, 0, 1, 0, Math.SQRT1_2, 0, Math.SQRT1_2, ...nodes.rotations.slice(4)]),
        scales: new Float32Array(3 * nodes.length + 3).fill(1),
        bones: Int32Array.from({ length: nodes.length + 1 }, (_, row) => row - 1),
        visible: new Uint8Array(nodes.length + 1).fill(1),
        segmentScaleCompensate: new Uint8Array(nodes.length + 1),
      },
    };
    const still = sampledTrack({
      target: root,
      occurrence: 0,
      path: 'translation',
      times: Float32Array.of(0),
      values: Float32Array.of(3, 0, 1),
    });
    const base = curve(90);
    const clip: Clip = { ...base, tracks: { ...base.tracks, [Symbol.iterator]: () => [still, ...base.tracks][Symbol.iterator]() } };
    const straight = setTravel(bind(clip, scene), scene, [0, 0, 0], { turn: 0 })!;
    const [before, after] = [new Player(scene, clip), new Player(scene, straight)];
    const start = before.at(0).place(hips + 1);
    expect(
      after
        .at(0)
        .place(hips + 1)
        .distanceTo(start),
    ).toBeLessThan(1e-4);
    expect(
      after
        .at(2)
        .place(hips + 1)
        .distanceTo(start),
    ).toBeLessThan(1e-4);
    expect(
      after
        .at(2)
        .turn(hips + 1)
        .angleTo(before.at(0).turn(hips + 1)),
    ).toBeLessThan(1e-3);
    expect(rootMotionOf(bind(straight, scene), scene)!.turn).toBeCloseTo(0, 2);
  });

  it('can be set, also to more than one rotation of a clip with a single key', () => {
    const still = { ...body.clip('still', 0, 30, () => ({ turns: new Map(), hips: body.hipHeight() })), duration: 2 };
    const turned = setTravel(bind(still, body.scene), body.scene, [0, 0, 0], { turn: 540 })!;
    expect(motionOf(turned).turn).toBeCloseTo(540, 1);
  });

  it('is about the up axis of the scene, also below a rotated node', () => {
    const { nodes } = body.scene;
    const rotations = nodes.rotations.slice();
    rotations.set([Math.SQRT1_2, 0, 0, Math.SQRT1_2], 0);
    const scene = { ...body.scene, nodes: { ...nodes, rotations } };
    const turned = setTravel(bind(walk, scene), scene, [0, 0, 0], { turn: 90 })!;
    const [before, after] = [new Player(scene, walk), new Player(scene, turned)];
    const yaw = new Quaternion().setFromAxisAngle(UP, Math.PI / 2);
    const wanted = yaw.multiply(before.at(2.4).turn(hips));
    expect(after.at(2.4).turn(hips).angleTo(wanted)).toBeLessThan(1e-3);
  });
});

describe('a clip with new root motion', () => {
  it('keeps curves of faces, and curves that the model does not have', () => {
    const others = ['blink', 'strange'].map(target =>
      sampledTrack({
        target: target === 'blink' ? '' : target,
        property: target === 'blink' ? 'blink' : '',
        occurrence: 0,
        path: target === 'blink' ? 'expression' : 'rotation',
        times: Float32Array.of(0),
        values: target === 'blink' ? Float32Array.of(1) : Float32Array.of(0, 0, 0, 1),
      }),
    );
    const clip: Clip = { ...walk, tracks: { ...walk.tracks, [Symbol.iterator]: () => [...walk.tracks, ...others][Symbol.iterator]() } };
    const kept = [...setTravel(bind(clip, body.scene), body.scene, [0, 0, 0])!.tracks];
    for (const other of others) expect(kept).toContain(other);
    expect(kept).toHaveLength([...clip.tracks].length);
  });

  it('needs finite numbers', () => {
    const bound = bind(walk, body.scene);
    for (const [travel, turn] of [
      [[NaN, 0, 0], 0],
      [[0, 0, 0], Infinity],
    ] as const)
      expect(() => setTravel(bound, body.scene, [...travel], { turn })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('declares its modes', () => {
    const clip = { ...walk, undeclaredModes: true };
    expect(setTravel(bind(clip, body.scene), body.scene, [0, 0, 0])!.undeclaredModes).not.toBe(true);
  });

  it('needs one root', () => {
    const { nodes } = body.scene;
    const scene = {
      ...body.scene,
      nodes: { ...nodes, parents: nodes.parents.map(() => 0).fill(-1, 0, 1), names: nodes.names.map((_, i) => `x${i}`) },
    };
    const moving = sampledTrack({
      occurrence: 0,
      target: 'x1',
      path: 'translation',
      times: Float32Array.of(0),
      values: Float32Array.of(0, 0, 0),
    });
    const clipOf = (...tracks: (typeof moving)[]): Clip => ({
      ...walk,
      tracks: { ...walk.tracks, length: tracks.length, [Symbol.iterator]: () => tracks[Symbol.iterator]() },
    });
    expect(rootMotionOf(bind(clipOf(moving), scene), scene)).not.toBe(null);
    expect(rootMotionOf(bind(clipOf(moving, { ...moving, target: 'x2' }), scene), scene)).toBe(null);
  });
});
