// Converts scaled models to PSK and SE, which cannot store the scale of a whole model.
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import type { RigFile } from '../../../web/src/core/index.ts';
import { armScene, clip, f32, track } from '../../support/armScene.ts';
import { skeleton, animation, curve, scaledArm, scaledTriangle, skinned } from '../../support/castRigs.ts';
import { castFile, model } from '../../support/castFile.ts';
import { converted, parse, posesOf } from '../../support/convertedPoses.ts';
import { farthest } from '../../support/samePose.mjs';

const TARGETS = ['psk', 'se', 'uemodel'] as const;
const times = [0, 5 / 30, 10 / 30];

/** Returns the number of faces that point in the opposite direction of their normals. */
function facesAgainst({ scene }: RigFile): number {
  let count = 0;
  for (const { positions: p, normals: n, indices } of scene!.meshes)
    for (let i = 0; i + 2 < indices!.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map(corner => 3 * indices![i + corner]!) as [number, number, number];
      const side = (from: number, axis: number): number => p[from + axis]! - p[a + axis]!;
      const facing = [0, 1, 2].map(axis => {
        const [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
        return side(b, y) * side(c, z) - side(b, z) * side(c, y);
      });
      if (facing.reduce((sum, value, axis) => sum + value * n![a + axis]!, 0) < 0) count++;
    }
  return count;
}

describe.each(TARGETS)('a scaled model as %s', to => {
  it.each([
    ['differs by axis', [1, 3, 1]],
    ['is mirrored', [-1, 1, 1]],
    ['is mirrored and differs by axis', [1, -2, 0.5]],
    ['is turned inside out', [-2, -2, -2]],
  ])('keeps the positions of its vertices without bones, if the scale %s', async (_, scale) => {
    const file = await parse('side.cast', scaledTriangle(scale));
    const [source] = await posesOf(file, null, []);
    const { made, poses } = await converted([file], to, []);
    expect(farthest(source!, poses![0]!).box).toBeLessThan(1e-5);
    expect(made.report.items.map(({ code }) => code)).not.toContain('SCALE_EVENED');
    const again = await parse(made.files[0]!.name, made.files[0]!.bytes);
    expect(facesAgainst(again)).toBe(0);
  });

  it.each([
    ['even', [2, 2, 2], 'absolute'],
    ['mirrored', [-1, 1, 1], 'absolute'],
    ['mirrored and large', [2, -2, 2], 'absolute'],
    ['mirrored, of differences', [-1, 1, 1], 'relative'],
    ['mirrored, of additive keys', [-1, 1, 1], 'additive'],
    ['turned inside out', [-1, -1, -1], 'absolute'],
  ] as const)('moves as its bones do if the scale is %s', async (_, scale, mode) => {
    const file = await parse('arm.cast', scaledArm(scale, mode));
    const source = await posesOf(file, null, times);
    const { made, poses } = await converted([file], to, times);
    for (const [k, pose] of source.entries()) {
      const { bones, box, missing } = farthest(pose, poses![k]!);
      expect([bones < 1e-4, box < 1e-4, missing]).toEqual([true, true, []]);
    }
    expect(made.report.items.map(({ code }) => code)).not.toContain('SCALE_EVENED');
    expect(facesAgainst(await parse(made.files[0]!.name, made.files[0]!.bytes))).toBe(0);
  });

  it('is exact at rest if the scale differs by axis, and reports the error of animations in metres', async () => {
    const file = await parse('arm.cast', scaledArm([1, 3, 1]));
    const [rest] = await posesOf(file, null, []);
    const still = await converted([file], to, [], { clips: [] });
    expect(farthest(rest!, still.poses![0]!).bones).toBeLessThan(1e-5);
    expect(farthest(rest!, still.poses![0]!).box).toBeLessThan(1e-5);
    expect(still.made.report.items.map(({ code }) => code)).not.toContain('SCALE_EVENED');
    const source = await posesOf(file, null, times);
    const { made, poses } = await converted([file], to, times);
    const off = Math.max(...source.map((pose, k) => farthest(pose, poses![k]!).box));
    const [entry] = made.report.items.filter(({ code }) => code === 'SCALE_EVENED');
    expect(off).toBeGreaterThan(0.1);
    // `off` compares bounding boxes, which can differ by less than the farthest vertex.
    expect(entry!.amount).toBeGreaterThan(off / 2);
    expect(entry!.amount).toBeLessThan(4 * off);
  });
});

it('a PSK has bones with a non-uniform rest scale at their positions', async () => {
  const bones = [
    { name: 'a', turn: [0, 0, Math.sin(0.4), Math.cos(0.4)], scale: [1, 2, 0.5] },
    { name: 'b', parent: 0, place: [0, 1, 0.5], turn: [Math.sin(0.2), 0, 0, Math.cos(0.2)] },
    { name: 'c', parent: 1, place: [0.3, 1, 0] },
  ];
  const file = await parse(
    'rest.cast',
    castFile(model('rest', skeleton(bones), skinned('skin', 2)), animation('up', curve('b', 'ty', [0, 10], [1, 2]))),
  );
  const source = await posesOf(file, null, times);
  const { made, poses } = await converted([file], 'psk', times);
  expect(farthest(source[0]!, poses![0]!).bones).toBeLessThan(1e-5);
  expect(farthest(source[0]!, poses![0]!).box).toBeLessThan(1e-5);
  expect(farthest(source[2]!, poses![2]!).bones).toBeLessThan(1e-5); // exact, because its parent does not move
  expect(made.report.items.map(({ code }) => code)).toContain('SCALES_BAKED');
});

describe('scale that is multiplied axis by axis, as in Unreal', () => {
  async function arm(...values: number[]): Promise<RigFile> {
    const grow = clip('grow', 1, track({ target: 'low.er', path: 'scale', times: f32(0, 1), values: f32(1, 1, 1, ...values) }));
    const opened = await parse('arm.cast', scaledTriangle([1, 1, 1]));
    return { ...opened, format: 'psk', scene: armScene({ clips: [grow], scaleInheritance: 'axes', features: [] }) };
  }

  it('is reported for the children of a bone that a clip scales differently per axis, as Cast', async () => {
    const inherited = async (file: RigFile) =>
      (await convert([file], { to: 'cast' })).report.items.filter(({ code }) => code === 'SCALE_INHERITED');
    expect(await inherited(await arm(1, 3, 2))).toMatchObject([{ path: 'up/per', amount: 1 }]);
    expect(await inherited(await arm(3, 3, 3))).toEqual([]);
  });
});
