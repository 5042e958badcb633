// Tests masks, fades and animation events of layers.
import { beforeAll, describe, expect, it } from 'vitest';
import type { BoundTrack } from '../../../web/src/core/bind.ts';
import { open } from '../../../web/src/core/index.ts';
import { Animator } from '../../../web/src/rig/animator.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { maskOf } from '../../../web/src/rig/mask.ts';
import { AnimationEvents } from '../../../web/src/rig/animationEvents.ts';
import { PoseShape } from '../../../web/src/rig/pose.ts';
import { castFile, model, node } from '../../support/castFile.ts';

const bone = (name: string, parent: number) =>
  node('bone', { n: ['s', name], p: ['i', [parent]], lp: ['3v', [0, 0, 0]], lr: ['4v', [0, 0, 0, 1]] });

let shape: PoseShape;
const row = (name: string): number => shape.scene.nodes.names.indexOf(name);
beforeAll(async () => {
  const bones = [bone('hips', -1), bone('spine', 0), bone('head', 1), bone('arm', 1), bone('leg', 0)];
  shape = new PoseShape((await open(castFile(model('m', node('skel', {}, ...bones))), { name: 'm.cast', worker: false })).scene!);
});

const at = (name: string, x: number): BoundTrack => ({
  node: row(name),
  renderers: [],
  morph: '',
  path: 'translation',
  component: -1,
  mode: 'absolute',
  blendWeight: 1,
  times: Float32Array.of(0),
  values: Float32Array.of(x, 0, 0),
  interpolation: 'linear',
  before: 'hold',
  after: 'hold',
});
const layerOf = (places: Record<string, number>): Layer =>
  new Layer(
    shape,
    Object.entries(places).map(([name, x]) => at(name, x)),
  );
const x = (animator: Animator, name: string): number => animator.pose.translations[3 * row(name)]!;

describe('maskOf', () => {
  it('applies the weight of a bone to descendants without a weight of their own', () => {
    const mask = maskOf(shape.scene, { spine: 1, head: 0.25 });
    expect(['hips', 'spine', 'arm', 'head', 'leg'].map(name => mask[row(name)])).toEqual([0, 1, 1, 0.25, 0]);
    expect([...maskOf(shape.scene, new Map([['leg', 0]]), 1)].filter(weight => weight === 0)).toHaveLength(1);
  });

  it('applies a weight to all bones with the name', async () => {
    const twins = [bone('hips', -1), bone('arm', 0), bone('hips', 0), bone('arm', 2)];
    const bytes = castFile(model('m', node('skel', {}, ...twins)));
    const { scene } = await open(bytes, { name: 'm.cast', worker: false });
    const mask = maskOf(scene!, { arm: 1 });
    expect(scene!.nodes.names.map((name, i) => `${name} ${mask[i]}`).filter(each => each.startsWith('arm'))).toEqual(['arm 1', 'arm 1']);
  });

  it('throws OUT_OF_RANGE for unknown names', () => {
    expect(() => maskOf(shape.scene, { spine: 1, Spine1: 1 })).toThrow('"Spine1"');
  });

  it('limits a layer to the masked bones', () => {
    const animator = new Animator(shape);
    animator.layers.push(layerOf({ arm: 1, leg: 1 }), layerOf({ arm: 5, leg: 5 }));
    animator.layers[1]!.mask = maskOf(shape.scene, { spine: 0.5 });
    animator.evaluate();
    expect([x(animator, 'arm'), x(animator, 'leg')]).toEqual([3, 1]);
  });
});

describe('fades', () => {
  it('change the weight linearly', () => {
    const animator = new Animator(shape);
    const layer = layerOf({ arm: 8 });
    layer.weight = 0;
    animator.layers.push(layer);
    layer.fadeTo(0.5, 2);
    const seen = [0.5, 0, 1, 1, 1].map(seconds => (animator.evaluate(seconds), x(animator, 'arm')));
    expect(seen).toEqual([1, 1, 3, 4, 4]);
    layer.fadeTo(0, 0);
    animator.evaluate();
    expect(x(animator, 'arm')).toBe(0);
  });

  it('cross-fade directly between two clips, without passing the rest pose', () => {
    const animator = new Animator(shape);
    const below = layerOf({ leg: 2 });
    const from = layerOf({ arm: 4, leg: 6 });
    const to = layerOf({ arm: 8, head: 4 });
    animator.layers.push(below, from);
    animator.crossFade(from, to, 2);
    expect(animator.layers).toEqual([below, to]);
    const seen = [0, 0.5, 0.5, 1, 1].map(seconds => {
      animator.evaluate(seconds);
      return ['arm', 'leg', 'head'].map(name => x(animator, name));
    });
    expect(seen).toEqual([
      [4, 6, 0],
      [5, 5, 1],
      [6, 4, 2],
      [8, 2, 4],
      [8, 2, 4],
    ]);
    expect(to.fadeProgress).toBe(1);
  });

  it('can be reversed, and interrupted by a third clip', () => {
    const animator = new Animator(shape);
    const [a, b, c] = [layerOf({ arm: 0 }), layerOf({ arm: 8 }), layerOf({ arm: 16 })];
    animator.layers.push(a!);
    animator.crossFade(a!, b!, 4);
    animator.evaluate(1);
    expect(x(animator, 'arm')).toBe(2);
    animator.crossFade(b!, a!, 4);
    animator.evaluate();
    expect(x(animator, 'arm')).toBe(2);
    animator.evaluate(0.5);
    expect(x(animator, 'arm')).toBe(1);
    animator.crossFade(a!, c!, 1);
    animator.evaluate();
    expect(x(animator, 'arm')).toBe(1);
    animator.evaluate(1);
    expect([animator.layers.length, x(animator, 'arm')]).toEqual([1, 16]);
    animator.crossFade(c!, a!, 0);
    expect(a!.fadeProgress).toBe(1);
    animator.evaluate();
    expect(x(animator, 'arm')).toBe(0);
  });

  it('move a layer of the stack, and add it on top if the other layer is not in the stack', () => {
    const animator = new Animator(shape);
    const [a, b, c] = [layerOf({ arm: 1 }), layerOf({ leg: 2 }), layerOf({ head: 3 })];
    animator.layers.push(a!, b!);
    animator.crossFade(a!, b!, 2);
    expect(animator.layers).toEqual([b]);
    animator.crossFade(a!, c!, 2);
    expect([animator.layers, c!.fadeProgress]).toEqual([[b, c], 1]);
  });

  it('between three layers never form a cycle', () => {
    const animator = new Animator(shape);
    const [a, b, c] = [layerOf({ arm: 1 }), layerOf({ arm: 2 }), layerOf({ arm: 4 })];
    animator.layers.push(a!);
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
      [a, b],
    ] as const) {
      animator.crossFade(from!, to!, 1);
      animator.evaluate(0.25);
    }
    expect(x(animator, 'arm')).toBeGreaterThanOrEqual(1);
    expect(x(animator, 'arm')).toBeLessThanOrEqual(4);
    animator.evaluate(1);
    expect(x(animator, 'arm')).toBe(2);
  });

  it('set the weight at once if the duration is 0', () => {
    const layer = layerOf({ arm: 8 });
    layer.fadeTo(0.25, 0);
    expect(layer.weight).toBe(0.25);
    layer.fadeTo(1, 2);
    layer.fadeTo(0.25, 1); // the weight is already reached, so no fade is running
    layer.advance(1);
    expect(layer.weight).toBe(0.25);
  });
});

describe('AnimationEvents', () => {
  const events = [
    { name: 'end', time: 1 },
    { name: 'begin', time: 0 },
    { name: 'middle', time: 0.5 },
  ];
  const told = (times: readonly number[], passing = new AnimationEvents(events, 0, 1)): string[] => {
    const names: string[] = [];
    for (const time of times) passing.advance(time, ({ name }) => names.push(name));
    return names;
  };

  it('reports each passed event once, for any time steps', () => {
    expect(told([0, 0.2, 0.4, 0.5, 0.5, 0.6, 1])).toEqual(['begin', 'middle', 'end']);
    expect(told([0, 0.6])).toEqual(['begin', 'middle']);
  });

  it('reports events across the end of a loop in playback order', () => {
    expect(told([0.4, 0.9, 0.1, 0.6])).toEqual(['middle', 'end', 'begin', 'middle']);
    let time = 0;
    const passes = Array.from({ length: 1000 }, () => (time += 0.037) % 1);
    const names = told(passes);
    for (const { name } of events) expect(Math.abs(names.filter(each => each === name).length - 37)).toBeLessThanOrEqual(1);
  });

  it('reports events in backward playback', () => {
    expect(told([0.8, 0.4, 0.1])).toEqual(['middle']);
    expect(told([0.4, 0.2, 0.9, 0.4])).toEqual(['begin', 'end', 'middle']);
    expect(told([0.4, 0.2, 0.2, 0.9])).toEqual(['begin', 'end']); // also after a frame without movement
  });

  it('reports no events for a seek', () => {
    const passing = new AnimationEvents(events, 0, 1);
    passing.seek(0.4);
    passing.seek(0.9);
    expect(told([1], passing)).toEqual(['end']);
  });
});
