// Tests scale inheritance, and special cases of rotations.
import { fromAxisAngle, fromDirections, fromEuler, normalize, toEuler } from '../../../web/src/core/math/quaternion.ts';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { RigScene } from '../../../web/src/core/types.ts';
import { Pose, PoseShape } from '../../../web/src/rig/pose.ts';
import { occurrenceOf } from '../../../web/src/rig/table.ts';
import { WorldMatrices } from '../../../web/src/rig/world.ts';
import { armScene } from '../../support/armScene.ts';
import { skeleton } from '../../support/figure.ts';

/** A node and two bones at (0, 1, 0) and (0, 2, 0), with these scales. */
function chain(scales: readonly (readonly number[])[], over: Partial<RigScene> = {}): RigScene {
  const nodes = skeleton([
    ['holder', '', 0, 0, 0],
    ['lower', 'holder', 0, 1, 0],
    ['upper', 'lower', 0, 2, 0],
  ]);
  nodes.bones.set([-1, -1, 0, 1]);
  nodes.scales.set(scales.flat(), 3);
  const scene: RigScene = { ...armScene(), scaleInheritance: 'matrix', ...over };
  const isCompensated = scene.scaleInheritance === 'matrix' ? 1 : 0;
  return { ...scene, nodes: { ...nodes, segmentScaleCompensate: new Uint8Array(4).fill(isCompensated) } };
}
function sizes(scene: RigScene): number[][] {
  const shape = new PoseShape(scene);
  const world = new WorldMatrices(shape);
  world.update(new Pose(shape));
  return [1, 2, 3].map(row => new Vector3().setFromMatrixScale(new Matrix4().fromArray(world.matrices, 16 * row)).toArray());
}
const ONE = [1, 1, 1];

describe('segment scale compensate', () => {
  it('cancels the scale of a parent bone, not of a parent node', () => {
    expect(sizes(chain([ONE, [2, 3, 4], [5, 5, 5]]))).toEqual([ONE, [2, 3, 4], [5, 5, 5]]);
    expect(sizes(chain([[2, 2, 2], ONE, ONE]))).toEqual([
      [2, 2, 2],
      [2, 2, 2],
      [2, 2, 2],
    ]);
  });

  it('keeps a parent scale of zero', () => {
    const [, , upper] = sizes(chain([ONE, [2, 0, 2], ONE]));
    expect(upper).toEqual([2, 0, 2]);
  });
});

it('inherits scale by axis along each bone’s own axes, starting at the bones', () => {
  const scene = chain(
    [
      [3, 3, 3],
      [2, 4, 1],
      [5, 1, 1],
    ],
    { scaleInheritance: 'axes' },
  );
  scene.nodes.rotations.set(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), 0.7).toArray(), 12);
  const [, lower, upper] = sizes(scene);
  expect(lower).toEqual([6, 12, 3]);
  expect(upper).toEqual([30, 12, 3].map(value => expect.closeTo(value, 6)));
});

describe('rotations', () => {
  it('are converted to Euler angles and back at the poles', () => {
    for (const y of [90, -90, 89.999, 30])
      for (const [x, z] of [
        [0, 0],
        [40, 0],
        [0, -70],
        [20, 50],
      ]) {
        const angles = [x!, y, z!].map(angle => (angle * Math.PI) / 180);
        const [q, again, found] = [
          [0, 0, 0, 1],
          [0, 0, 0, 1],
          [0, 0, 0],
        ];
        fromEuler(q!, angles);
        toEuler(found!, q!);
        fromEuler(again!, found!);
        expect(Math.abs(q!.reduce((sum, value, c) => sum + value * again![c]!, 0))).toBeCloseTo(1, 9);
      }
  });

  it('between opposite directions are 180°, and the identity for zero vectors', () => {
    const directions = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [-1, 0, 0],
      [1, 2, 3],
      [0.95, 0.1, 0.1],
    ];
    for (const from of directions)
      for (const into of [from.map(value => -2 * value), from, ...directions]) {
        const turn = [0, 0, 0, 0];
        fromDirections(turn, from, into);
        expect(Math.hypot(...turn)).toBeCloseTo(1, 9);
        const moved = new Vector3(...from).applyQuaternion(new Quaternion(...turn)).normalize();
        expect(moved.distanceTo(new Vector3(...into).normalize())).toBeLessThan(1e-6);
      }
    const turn = [9, 9, 9, 9];
    fromDirections(turn, [0, 0, 0], [1, 0, 0]);
    expect(turn).toEqual([0, 0, 0, 1]);
    fromAxisAngle(turn, 0, 0, 0, 2);
    expect(turn).toEqual([0, 0, 0, 1]);
    normalize(turn);
    expect(turn).toEqual([0, 0, 0, 1]);
  });
});

it('weightRow finds a morph target by exact name, then ignoring case', () => {
  const scene = armScene();
  scene.meshes[0]!.morphs = ['smile', 'Smile', 'Frown'].map(name => ({ ...scene.meshes[0]!.morphs[0]!, name }));
  const shape = new PoseShape(scene);
  expect(['smile', 'Smile', 'SMILE', 'frown', 'wink'].map(name => shape.weightRow(0, name))).toEqual([0, 1, 0, 2, -1]);
  expect(shape.weightRow(9, 'smile')).toBe(-1);
});

it('occurrenceOf counts bones before other nodes of the same name', () => {
  const nodes = skeleton(['arm', 'arm', 'arm', 'leg', 'arm'].map(name => [name, '', 0, 0, 0]));
  nodes.bones.set([-1, -1, 2, 1, 0, -1]);
  expect([1, 2, 3, 4, 5].map(row => occurrenceOf(nodes, row))).toEqual([2, 1, 0, 0, 3]);
});
