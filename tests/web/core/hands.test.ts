// Recorded hands on models that are one WebXR hand, two of them, or a body.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bind, type BoundClip } from '../../../web/src/core/bind.ts';
import { isMadeFor, match, mayBeMadeFor } from '../../../web/src/core/match.ts';
import { open } from '../../../web/src/core/open.ts';
import type { Clip, RigScene } from '../../../web/src/core/types.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { bindRetargeted } from '../../../web/src/rig/bindRetargeted.ts';
import { positionOf } from '../../../web/src/rig/frame.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { makeClip } from '../../../web/src/rig/table.ts';
import { TestBody } from '../../support/bodies.ts';
import { webxrHand } from '../../support/webxrHand.ts';

const bytes = new Uint8Array(readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url)));
const recording = (await open(bytes, { name: 'wavingHands.bin', worker: false })).scene!;
const [clip] = recording.clips as [Clip];
const SIDES = ['left', 'right'] as const;

/** Position of a bone at a time, in metres, in scene space. */
function positionAt(scene: RigScene, bound: BoundClip, row: number, time: number): number[] {
  const animator = new Animator(scene);
  const layer = new Layer(animator.shape, bound.tracks);
  layer.time = time;
  animator.layers.push(layer);
  animator.world.update(animator.evaluate());
  const position = [0, 0, 0] as [number, number, number];
  positionOf(animator.world.matrices, row, position);
  return position;
}

const jointOf = (side: 'left' | 'right', joint: string): number => {
  const hand = recording.features.find(({ kind, name }) => kind === 'hand' && name === side)!;
  return (hand.properties!.joints as number[]).find(row => recording.nodes.names[row] === joint)!;
};
const recordedAt = (side: 'left' | 'right', joint: string, time: number): number[] =>
  positionAt(recording, bind(clip, recording), jointOf(side, joint), time);
const rowOf = (scene: RigScene, joint: string): number => scene.nodes.names.indexOf(joint);
const near = (position: readonly number[]): unknown[] => position.map(value => expect.closeTo(value, 4));
const codesOf = (bound: BoundClip): string[] => bound.report.findings.map(({ code }) => code);

/** The clip without the tracks that the filter rejects. */
const filtered = (keep: (track: Clip['tracks'] extends Iterable<infer Track> ? Track : never) => boolean): Clip =>
  makeClip(clip, [...clip.tracks].filter(keep));

/** A model of two hands, the right one first. */
function twoHands(parents: readonly [string, string], bend?: number): RigScene {
  const [right, left] = [webxrHand({ side: 'right', bend }), webxrHand({ side: 'left', bend })];
  const count = left.nodes.length - 1;
  const joined = <T extends Float32Array | Int32Array | Uint8Array>(a: T, b: T, width: number): T =>
    new (a.constructor as new (values: number[]) => T)([...a, ...b.subarray(width)]);
  const nodes = {
    ...right.nodes,
    length: 2 * count + 1,
    names: [...right.nodes.names.with(1, parents[0]), ...left.nodes.names.slice(1).with(0, parents[1])],
    parents: Int32Array.from([...right.nodes.parents, ...left.nodes.parents.slice(1).map(row => (row > 0 ? row + count : row))]),
    translations: joined(right.nodes.translations, left.nodes.translations, 3),
    rotations: joined(right.nodes.rotations, left.nodes.rotations, 4),
    scales: joined(right.nodes.scales, left.nodes.scales, 3),
    visible: joined(right.nodes.visible, left.nodes.visible, 1),
    bones: Int32Array.from({ length: 2 * count + 1 }, (_, row) => (row === 1 || row === count + 1 ? -1 : row - 1)),
  };
  return { ...right, nodes };
}

describe('a recording of two hands', () => {
  it('drives a model of one hand with the recorded hand of its side', () => {
    for (const side of SIDES) {
      const model = webxrHand({ side });
      const bound = bind(clip, model);
      for (const joint of ['wrist', 'thumb-tip', 'pinky-finger-phalanx-intermediate'])
        for (const time of [0.5, 1.5, 2.5])
          expect(positionAt(model, bound, rowOf(model, joint), time)).toEqual(near(recordedAt(side, joint, time)));
    }
  });

  it('does not move a joint that its side lacks with the joint of the other hand', () => {
    for (const [occurrence, side] of SIDES.entries()) {
      const model = webxrHand({ side });
      const partial = filtered(track => track.target !== 'thumb-tip' || track.occurrence !== occurrence);
      const bound = bind(partial, model);
      expect(bound.tracks.some(({ node }) => node === rowOf(model, 'thumb-tip'))).toBe(false);
      expect(bound.tracks.some(({ node }) => node === rowOf(model, 'wrist'))).toBe(true);
    }
  });

  it('does not drive the model if only the other hand was recorded', () => {
    for (const [occurrence, side] of SIDES.entries()) {
      const other = filtered(track => track.target.startsWith('hand.') || track.occurrence !== occurrence);
      const bound = bind(other, webxrHand({ side }));
      expect(bound.tracks).toEqual([]);
      expect(bound.report.findings).toMatchObject([{ code: 'BIND_NOTHING', detail: expect.stringContaining('joints of the') as string }]);
    }
  });

  it('matches names of other spellings and names with a prefix by side', () => {
    for (const spell of [(name: string) => name.replaceAll('-', '_').toUpperCase(), (name: string) => `rig:${name}`]) {
      const hand = webxrHand({ side: 'right' });
      const model = { ...hand, nodes: { ...hand.nodes, names: hand.nodes.names.map(spell) } };
      const bound = bind(
        filtered(({ target }) => !target.startsWith('g') && !target.startsWith('camera')),
        model,
      );
      expect(positionAt(model, bound, rowOf(model, spell('wrist')), 1)).toEqual(near(recordedAt('right', 'wrist', 1)));
    }
  });

  it('drives both hands of a model, whatever their order', () => {
    for (const parents of [
      ['hand.right', 'hand.left'],
      ['a', 'b'],
    ] as const) {
      const model = twoHands(parents);
      const bound = bind(clip, model);
      const [right, left] = model.nodes.names.flatMap((name, row) => (name === 'wrist' ? [row] : [])) as [number, number];
      expect(positionAt(model, bound, left, 1)).toEqual(near(recordedAt('left', 'wrist', 1)));
      expect(positionAt(model, bound, right, 1)).toEqual(near(recordedAt('right', 'wrist', 1)));
    }
  });

  it('drives both hands of a body', () => {
    const { scene } = new TestBody();
    const moved = bindRetargeted(clip, recording, scene).tracks.map(({ node }) => scene.nodes.names[node]!);
    const count = (side: string): number => new Set(moved.filter(name => name.toLowerCase().includes(side))).size;
    expect(count('left')).toBe(15);
    expect(count('right')).toBe(15);
  });

  it('reports that the joints of the other hand are not played', () => {
    const { findings } = bind(clip, webxrHand({ side: 'left' })).report;
    expect(findings.find(({ code }) => code === 'BIND_UNMATCHED_TRACKS')?.detail).toContain('joints of the right hand');
    expect(findings.map(({ code }) => code)).not.toContain('BIND_HAND_SIDE');
  });

  it('reports which hand a model of unknown side plays', () => {
    const model = webxrHand({ side: 'right', bend: 0 });
    const bound = bind(clip, model);
    expect(bound.report.findings).toContainEqual(expect.objectContaining({ code: 'BIND_HAND_SIDE', severity: 'warning', detail: 'left' }));
    expect(positionAt(model, bound, rowOf(model, 'wrist'), 1)).toEqual(near(recordedAt('left', 'wrist', 1)));
    const other = webxrHand({ side: 'right', bend: 0 });
    expect(codesOf(bind(clip, { ...other, asset: { ...other.asset, name: 'right.glb' } }))).not.toContain('BIND_HAND_SIDE');
  });
});

it('the recorded hand that a model lacks does not count as unmatched', () => {
  const model = webxrHand({ side: 'right' });
  expect(mayBeMadeFor([clip], model)).toBe(true);
  const result = match(clip, model);
  expect(result.found).toBe(25);
  expect(isMadeFor(result)).toBe(true);
});

it('an animation of one hand that is no recording plays on a hand of either side', () => {
  const own = filtered(({ target, occurrence }) => occurrence === 0 && !target.startsWith('hand.'));
  for (const side of SIDES) expect(bind(own, webxrHand({ side })).report.matched).toHaveLength(25);
});
