// Merges several curves of one bone in an SEAnim, which has only one list of keys per bone and
// path.
import { describe, expect, it } from 'vitest';
import { animation, curve, skeleton, skinned } from '../../support/castRigs.ts';
import { castFile, model, node, type CastNode } from '../../support/castFile.ts';
import { converted, parse, posesOf } from '../../support/convertedPoses.ts';
import { farthest } from '../../support/samePose.mjs';

const times = [0, 2 / 30, 5 / 30, 10 / 30];
const bones = [
  { name: 'a', place: [0, 1, 0], turn: [0, 0, Math.sin(0.3), Math.cos(0.3)] },
  { name: 'b', parent: 0, place: [0, 1, 0], turn: [Math.sin(0.2), 0, 0, Math.cos(0.2)], scale: [2, 1, 1] },
];
const [x, y] = [
  [0, 0, 0, 1, Math.sin(0.4), 0, 0, Math.cos(0.4)],
  [0, 0, 0, 1, 0, Math.sin(0.5), 0, Math.cos(0.5)],
];

function weighted(each: CastNode, weight: number): CastNode {
  return node('curv', { ...each.properties, ab: ['f', [weight]] });
}

async function compared(...curves: CastNode[]): Promise<{ gap: number; codes: string[]; amounts: number[] }> {
  const bytes = castFile(model('rig', skeleton(bones), skinned('skin', 0), skinned('tip', 1)), animation('move', ...curves));
  const file = await parse('rig.cast', bytes);
  const source = await posesOf(file, null, times);
  const { made, poses } = await converted([file], 'se', times);
  const gaps = source.map((pose, k) => farthest(pose, poses![k]!)).flatMap(({ bones: far, box }) => [far, box]);
  const sampled = made.report.items.filter(({ code }) => code === 'CURVES_SAMPLED');
  return { gap: Math.max(...gaps), codes: made.report.items.map(({ code }) => code), amounts: sampled.map(({ amount }) => amount) };
}

describe('curves of one value in SE', () => {
  it('add up if they are additive', async () => {
    const { gap, codes } = await compared(
      curve('a', 'tx', [0, 10], [0, 1], 'additive'),
      curve('a', 'tx', [0, 5, 10], [0, 4, 4], 'additive'),
    );
    expect(gap).toBeLessThan(1e-5);
    expect(codes).not.toContain('NOT_SAID');
  });

  it('multiply additive rotations, and report the error between frames', async () => {
    const { gap, amounts } = await compared(curve('b', 'rq', [0, 10], x!, 'additive'), curve('b', 'rq', [0, 10], y!, 'additive'));
    expect(gap).toBeLessThan(1e-5);
    expect(amounts).toHaveLength(1);
    expect(amounts[0]).toBeGreaterThan(0);
    expect(amounts[0]).toBeLessThan(0.01);
  });

  it('use the weights of additive curves', async () => {
    const { gap, codes } = await compared(
      weighted(curve('a', 'ty', [0, 10], [0, 3], 'additive'), 0.25),
      weighted(curve('b', 'rq', [0, 10], x!, 'additive'), 0.5),
    );
    expect(gap).toBeLessThan(1e-5);
    expect(codes).not.toContain('NOT_SAID');
  });

  it('are absolute if additive curves are combined with absolute or relative ones', async () => {
    for (const mode of ['absolute', 'relative'])
      expect(
        (
          await compared(
            curve('a', 'tx', [0, 10], [1, 2], mode),
            curve('a', 'tx', [0, 5], [0, 4], 'additive'),
            curve('a', 'tz', [0, 5], [0, 2], 'additive'),
            curve('b', 'rq', [0, 10], x!, mode),
            curve('b', 'rq', [0, 10], y!, 'additive'),
            curve('b', 'sy', [0, 10], [1, 3], 'additive'),
          )
        ).gap,
        mode,
      ).toBeLessThan(1e-5);
  });

  it('can have a different mode per axis', async () => {
    const { gap } = await compared(curve('a', 'tx', [0, 10], [1, 2], 'relative'), curve('a', 'ty', [0, 5], [0, 4], 'absolute'));
    expect(gap).toBeLessThan(1e-5);
  });

  it('use the last of several absolute curves', async () => {
    const { gap } = await compared(
      curve('a', 'tx', [0, 10], [1, 2]),
      curve('a', 'tx', [0, 5], [0, 4]),
      curve('b', 'rq', [0], x!.slice(4)),
      curve('b', 'rq', [0], y!.slice(4)),
    );
    expect(gap).toBeLessThan(1e-5);
  });

  it('leave out and report additive curves combined with relative ones without a rest pose', async () => {
    const motion = animation('move', curve('a', 'tx', [0, 10], [1, 2], 'relative'), curve('a', 'tx', [0, 5], [0, 4], 'additive'));
    const { made } = await converted([await parse('move.cast', castFile(motion))], 'se', []);
    expect(made.report.items.filter(({ code }) => code === 'NOT_SAID')).toMatchObject([
      { path: 'additive curves combined with others in move', amount: 1 },
    ]);
  });
});
