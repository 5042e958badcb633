// Tests layers, masks and solvers of the animator.
import { beforeAll, describe, expect, it } from 'vitest';
import { bind, type BoundTrack } from '../../../web/src/core/bind.ts';
import { open } from '../../../web/src/core/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { Animator, type Solver, type SolverStage } from '../../../web/src/rig/animator.ts';
import { Layer } from '../../../web/src/rig/layer.ts';
import { PoseShape } from '../../../web/src/rig/pose.ts';
import { castFile, model, node } from '../../support/castFile.ts';

const bone = (name: string, parent: number, x: number) =>
  node('bone', { n: ['s', name], p: ['i', [parent]], lp: ['3v', [x, 0, 0]], lr: ['4v', [0, 0, 0, 1]] });
const half = Math.SQRT1_2; // sine and cosine of 45°

let scene: RigScene, shape: PoseShape, root: number, arm: number;
beforeAll(async () => {
  const bytes = castFile(model('m', node('skel', {}, bone('root', -1, 0), bone('arm', 0, 1))));
  scene = (await open(bytes, { name: 'm.cast', worker: false })).scene!;
  shape = new PoseShape(scene);
  [root, arm] = ['root', 'arm'].map(name => scene.nodes.names.indexOf(name)) as [number, number];
});

const track = (over: Partial<BoundTrack> & Pick<BoundTrack, 'node' | 'path' | 'values'>): BoundTrack => ({
  renderers: [],
  morph: '',
  component: -1,
  mode: 'absolute',
  blendWeight: 1,
  times: Float32Array.of(0),
  interpolation: over.path === 'rotation' ? 'slerp' : 'linear',
  before: 'hold',
  after: 'hold',
  ...over,
});
const at = (row: number, x: number, over: Partial<BoundTrack> = {}) =>
  track({ node: row, path: 'translation', values: Float32Array.of(x, 0, 0), ...over });
const play = (...layers: Layer[]): Animator => {
  const animator = new Animator(shape);
  animator.layers.push(...layers);
  animator.evaluate();
  return animator;
};
const x = (animator: Animator, row: number): number => animator.pose.translations[3 * row]!;

describe('Layer', () => {
  it('blends from the rest pose by its weight', () => {
    const layer = new Layer(shape, [at(arm, 5), track({ node: arm, path: 'rotation', values: Float32Array.of(0, 0, 1, 0) })]);
    layer.weight = 0;
    expect(x(play(layer), arm)).toBe(1);
    layer.weight = 0.5;
    const animator = play(layer);
    expect(x(animator, arm)).toBe(3);
    expect([...animator.pose.rotations.subarray(4 * arm, 4 * arm + 4)].map(Math.abs)).toEqual([
      0,
      0,
      expect.closeTo(half, 6),
      expect.closeTo(half, 6),
    ]);
  });

  it('replaces lower layers, limited by its mask', () => {
    const below = new Layer(shape, [at(root, 1), at(arm, 2)]);
    const above = new Layer(shape, [at(root, 10), at(arm, 20)]);
    above.mask = new Float32Array(scene.nodes.length);
    above.mask[arm] = 1;
    const animator = play(below, above);
    expect([x(animator, root), x(animator, arm)]).toEqual([1, 20]);
    above.mask[root] = 0.25;
    expect(x(play(below, above), root)).toBe(1 + 9 * 0.25);
  });

  it('adds additive curves to lower layers, weighted by layer and curve', () => {
    const below = new Layer(shape, [at(arm, 2)]);
    const above = new Layer(shape, [at(arm, 4, { mode: 'additive', blendWeight: 0.5 })]);
    expect(x(play(below, above), arm)).toBe(4);
    above.weight = 0.5;
    expect(x(play(below, above), arm)).toBe(3);
  });

  it('applies several additive curves of one value in file order', () => {
    const about = (axis: 0 | 1): Float32Array => Float32Array.from([0, 1, 2, 3], c => (c === axis || c === 3 ? half : 0));
    const layer = new Layer(shape, [
      at(arm, 1, { mode: 'additive' }),
      at(arm, 2, { mode: 'additive' }),
      track({ node: arm, path: 'rotation', mode: 'additive', values: about(0) }),
      track({ node: arm, path: 'rotation', mode: 'additive', values: about(1) }),
      track({ node: arm, path: 'scale', mode: 'additive', values: Float32Array.of(2, 2, 2) }),
      track({ node: arm, path: 'scale', mode: 'additive', values: Float32Array.of(3, 3, 3) }),
    ]);
    const { pose } = play(layer);
    expect(pose.translations[3 * arm]).toBe(1 + 1 + 2);
    expect([...pose.rotations.subarray(4 * arm, 4 * arm + 4)]).toEqual([0.5, 0.5, 0.5, 0.5].map(value => expect.closeTo(value, 6))); // first x, then y
    expect(pose.scales[3 * arm]).toBe(6);
  });

  it('weights additive rotations after interpolation', () => {
    const turn = (axis: 0 | 1): number[] =>
      [0, 1, 2].map(c => (c === axis ? Math.sin((75 * Math.PI) / 180) : 0)).concat(Math.cos((75 * Math.PI) / 180));
    const layer = new Layer(shape, [
      track({
        node: arm,
        path: 'rotation',
        mode: 'additive',
        blendWeight: 0.5,
        times: Float32Array.of(0, 1),
        values: Float32Array.from([...turn(0), ...turn(1)]),
      }),
    ]);
    layer.time = 0.5;
    const q = [...play(layer).pose.rotations.subarray(4 * arm, 4 * arm + 4)];
    const middle = turn(0).map((value, c) => value + turn(1)[c]!);
    const length = Math.hypot(...middle);
    const angle = Math.acos(middle[3]! / length) / 2; // half of the half angle
    expect(q[3]).toBeCloseTo(Math.cos(angle), 6);
    expect(q[0]).toBeCloseTo(Math.sin(angle) * half, 6);
    expect(q[0]).toBeCloseTo(q[1]!, 9);
  });

  it('normalizes additive rotations', () => {
    const added = (...values: number[]): number[] => {
      const layer = new Layer(shape, [track({ node: arm, path: 'rotation', mode: 'additive', values: Float32Array.from(values) })]);
      return [...play(layer).pose.rotations.subarray(4 * arm, 4 * arm + 4)];
    };
    expect(added(0, 0, 3, 3)).toEqual(added(0, 0, half, half).map(value => expect.closeTo(value, 6)));
    expect(added(0, 0, 0, 0)).toEqual([0, 0, 0, 1]);
  });

  it('uses the last absolute curve of a component, and the rest pose for components without curves', () => {
    const single = (component: number, value: number) => at(arm, 0, { component, values: Float32Array.of(value) });
    const { pose } = play(new Layer(shape, [single(1, 3), single(1, 4), single(2, 5)]));
    expect([...pose.translations.subarray(3 * arm, 3 * arm + 3)]).toEqual([1, 4, 5]);
    const whole = play(new Layer(shape, [single(1, 3), at(arm, 8), at(arm, 9)]));
    expect([...whole.pose.translations.subarray(3 * arm, 3 * arm + 3)]).toEqual([9, 0, 0]);
  });

  it('applies visibility curves only from weight 0.5 on', () => {
    const hidden = (over: Partial<BoundTrack> = {}): Layer =>
      new Layer(shape, [track({ node: arm, path: 'visible', values: Float32Array.of(0), interpolation: 'step', ...over })]);
    const seen = (layer: Layer, weight: number): number => ((layer.weight = weight), play(layer).pose.visible[arm]!);
    expect([0.49, 0.5, 1].map(weight => seen(hidden(), weight))).toEqual([1, 0, 0]);
    expect(seen(hidden({ mode: 'additive' }), 1)).toBe(1);
  });

  it('plays a stepped key at frame k from k / 30 on', () => {
    const times = Float32Array.from({ length: 40 }, (_, k) => k / 30);
    const layer = new Layer(shape, [
      at(arm, 0, { interpolation: 'step', times, values: Float32Array.from({ length: 120 }, (_, i) => Math.floor(i / 3)) }),
    ]);
    for (let k = 0; k < 40; k++) {
      layer.time = k / 30;
      expect(x(play(layer), arm)).toBe(k);
    }
  });
});

describe('Animator', () => {
  it('gives a pose that is independent of previous evaluations, and the rest pose without layers', () => {
    const layer = new Layer(shape, [at(arm, 0, { times: Float32Array.of(0, 1, 2), values: Float32Array.of(0, 0, 0, 1, 0, 0, 5, 0, 0) })]);
    const animator = play(layer);
    const seen = (time: number): number => ((layer.time = time), animator.evaluate(), x(animator, arm));
    expect([1.5, 0.25, 2, 1.5].map(seen)).toEqual([3, 0.25, 5, 3]);
    animator.layers.pop();
    animator.evaluate();
    expect(x(animator, arm)).toBe(1);
  });

  it('runs solvers in SOLVER_ORDER on the pose of the layers, without their previous output', () => {
    const animator = play(new Layer(shape, [at(arm, 2)]));
    const order: SolverStage[] = [];
    const push = (stage: SolverStage): Solver => ({ stage, solve: pose => (order.push(stage), void (pose.translations[3 * arm]! += 1)) });
    for (const stage of ['springs', 'expressions', 'ik', 'constraints'] as const) animator.add(push(stage));
    animator.evaluate(0.1);
    animator.evaluate(0.1);
    expect(order).toEqual([...Array(2)].flatMap(() => ['expressions', 'constraints', 'ik', 'springs']));
    expect(x(animator, arm)).toBe(6);
  });

  it('runs solvers of one stage in insertion order, without removed ones', () => {
    const animator = play();
    const order: string[] = [];
    const named = (name: string, stage: SolverStage): Solver => ({ stage, solve: () => void order.push(name) });
    const [first, second] = [named('first', 'ik'), named('second', 'ik')];
    for (const solver of [named('last', 'springs'), first, second, named('before', 'lookAt')]) animator.add(solver);
    animator.evaluate();
    animator.remove(first);
    animator.remove(first);
    animator.evaluate();
    expect(order).toEqual(['before', 'first', 'second', 'last', 'before', 'second', 'last']);
  });

  it('computes world matrices along the bone chain', () => {
    const animator = play(new Layer(shape, [track({ node: root, path: 'rotation', values: Float32Array.of(0, 0, half, half) })]));
    animator.world.update(animator.pose);
    expect([...animator.world.matrices.subarray(16 * arm + 12, 16 * arm + 15)]).toEqual([0, 1, 0].map(value => expect.closeTo(value, 6)));
  });

  it('plays bound clips', async () => {
    const keys = node('curv', { nn: ['s', 'arm'], kp: ['s', 'ty'], kb: ['b', [0, 30]], kv: ['f', [0, 3]], m: ['s', 'relative'] });
    const motion = (await open(castFile(node('anim', { fr: ['f', [30]] }, keys)), { name: 'a.cast', worker: false })).scene!;
    const layer = new Layer(shape, bind(motion.clips[0]!, scene).tracks);
    layer.time = 0.5;
    expect(play(layer).pose.translations[3 * arm + 1]).toBeCloseTo(1.5, 6);
  });
});
