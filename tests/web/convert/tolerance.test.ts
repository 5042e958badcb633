// The sampled curves of a GLB stay within the tolerance at every bone, both with and without a
// skin.
import { describe, expect, it } from 'vitest';
import type { RigFile } from '../../../web/src/core/index.ts';
import type { Track } from '../../../web/src/core/types.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { castFile, model, node, type CastProperty } from '../../support/castFile.ts';
import { converted, parse, posesOf } from '../../support/convertedPoses.ts';
import { farthest } from '../../support/samePose.mjs';

type Scale = readonly [number, number, number];

const times = Array.from({ length: 41 }, (_, k) => k / 60);
/** Tolerance for rounding errors of single precision along the chain, metres. */
const ROUNDING = 2e-5;

/**
 * Returns a chain of rotating bones with animated scale and segment scale compensation, without a
 * skin.
 */
async function chain(count: number, length: number, scaleOf: (i: number) => Scale): Promise<RigFile> {
  const names = Array.from({ length: count }, (_, i) => `b${i}`);
  const bones = names.map((name, i) =>
    node('bone', {
      n: ['s', name],
      p: ['i', [i === 0 ? 0xffffffff : i - 1]],
      lp: ['3v', [0, i === 0 ? 0 : length, 0]],
      lr: ['4v', [0, 0, 0, 1]],
      s: ['3v', scaleOf(i)] as CastProperty,
      ssc: ['b', [1]],
    }),
  );
  const file = await parse('chain.cast', castFile(model('chain', node('skel', {}, ...bones))));
  const size = Math.hypot(0.1, 0.05, 0.08, 1);
  const tracks = names.flatMap((target, i): Track[] => [
    track({ target, path: 'rotation', times: f32(0, 2 / 3), values: f32(0, 0, 0, 1, 0.1 / size, 0.05 / size, 0.08 / size, 1 / size) }),
    track({ target, path: 'scale', times: f32(0, 2 / 3), values: f32(...scaleOf(i), ...scaleOf(i).map(scale => (i % 2 ? 1 : 4) * scale)) }),
  ]);
  return { ...file, scene: { ...file.scene!, clips: [clip('grow', 2 / 3, ...tracks)] } };
}

/**
 * Returns the largest error of a bone. The default of `maxOutput` suffices for the longest chain.
 */
async function farthestBone(file: RigFile, tolerance: number, maxOutput = 2 ** 30) {
  const source = await posesOf(file, null, times);
  const { made, poses } = await converted([file], 'glb', times, { tolerance, maxOutput });
  const told = made.report.items.filter(({ code }) => code === 'CLIP_BAKED').reduce((sum, { amount }) => sum + amount, 0);
  const most = Math.max(...source.map((pose, k) => farthest(pose, poses![k]!).bones));
  return { most, told, size: made.files[0]!.bytes.length, isLimited: made.report.items.some(({ code }) => code === 'WORK_LIMIT') };
}

describe('bones without a skin', () => {
  it.each<[string, number, number, (i: number) => Scale]>([
    ['is the same along all axes', 60, 0.5, i => (i % 2 ? [1.2, 1.2, 1.2] : [0.9, 0.9, 0.9])],
    ['is small', 4, 20, () => [0.2, 0.2, 0.2]],
    ['differs by axis', 20, 0.5, i => (i % 2 ? [1.5, 0.5, 1] : [0.5, 0.25, 2])],
    ['differs by axis and is large', 3, 1, () => [9, 10, 11]],
  ])('stay within the tolerance with segment scale compensate below a scale that %s', async (_, count, length, scaleOf) => {
    const file = await chain(count, length, scaleOf);
    for (const tolerance of [1e-3, 1e-4]) {
      const { most, told } = await farthestBone(file, tolerance);
      expect(most).toBeLessThan(tolerance + ROUNDING);
      expect(most).toBeLessThan(told + ROUNDING);
      expect(told).toBeLessThanOrEqual(1.0001 * tolerance);
    }
  });

  it('stay within the tolerance along two hundred bones', async () => {
    const { most, told } = await farthestBone(await chain(200, 1, i => (i % 2 ? [1.2, 1.2, 1.2] : [0.9, 0.9, 0.9])), 0.01);
    expect(most).toBeLessThan(0.01 + ROUNDING);
    expect(told).toBeLessThanOrEqual(0.01);
  });

  it('have fewer keys if they would exceed the limit of the conversion, which is reported', async () => {
    const file = await chain(36, 0.5, i => (i % 2 ? [1.2, 1.2, 1.2] : [0.9, 0.9, 0.9]));
    const few = await farthestBone(file, 1e-3, 2 ** 20);
    expect([few.isLimited, few.told > 1e-3, few.most < 1.1 * few.told]).toEqual([true, true, true]);
    // The error after the first round is 0.8 % above the tolerance, and the work budget is too
    // small for a second round.
    const more = await farthestBone(file, 1e-3, 33e6);
    expect(more.isLimited).toBe(true);
    expect(more.most).toBeLessThan(1.1e-3);
  });

  it('stay within the tolerance below a bone with a sampled scale', async () => {
    const base = armScene();
    const scales = base.nodes.scales.slice();
    scales.set([0.02, 0.02, 0.02], 3);
    const translations = base.nodes.translations.slice();
    translations.set([0, 100, 0], 6);
    // glTF cannot store weighted Bézier segments, so this curve is sampled.
    const grow = track({
      target: 'low.er',
      path: 'scale',
      interpolation: 'bezier',
      times: f32(0, 2 / 3),
      values: f32(0.02, 0.02, 0.02, 0.05, 0.03, 0.02),
      tangents: new Float32Array(12).fill(0.1),
      weights: new Float32Array(12).fill(0.7),
    });
    const opened = await chain(1, 1, () => [1, 1, 1]);
    const nodes = { ...base.nodes, scales, translations };
    const file: RigFile = { ...opened, scene: { ...base, nodes, renderers: [], features: [], clips: [clip('grow', 2 / 3, grow)] } };
    for (const tolerance of [1e-3, 1e-4]) {
      const { most, told } = await farthestBone(file, tolerance);
      expect(most).toBeLessThan(tolerance + ROUNDING);
      expect(most).toBeLessThan(told + ROUNDING);
      expect(told).toBeGreaterThan(0);
    }
  });

  it('stay within 0.1 mm by default', async () => {
    const file = await chain(20, 0.5, () => [1.2, 1.2, 1.2]);
    const [without, withIt] = [await converted([file], 'glb', times), await converted([file], 'glb', times, { tolerance: 1e-4 })];
    expect(without.made.files[0]!.bytes.length).toBe(withIt.made.files[0]!.bytes.length);
  });

  it('have fewer keys if the tolerance is larger', async () => {
    const file = await chain(20, 0.5, () => [1.2, 1.2, 1.2]);
    const [coarse, fine] = [await farthestBone(file, 1e-2), await farthestBone(file, 1e-4)];
    expect(coarse.size).toBeLessThan(0.8 * fine.size);
  });
});
