// Plays the poses of a .uepose file on a model, and converts them. Shows a .ueworld file.
import { readFileSync } from 'node:fs';
import { Quaternion } from 'three';
import { describe, expect, it } from 'vitest';
import { bind, detectAdditive } from '../../../web/src/core/bind.ts';
import { open, type RigFile } from '../../../web/src/core/index.ts';
import { Rig, samplePoses } from '../../../web/src/three/index.ts';
import { converted, posesOf } from '../../support/convertedPoses.ts';

const fixture = (name: string): Promise<RigFile> =>
  open(new Uint8Array(readFileSync(`tests/data/ueformat/${name}`)), { name, worker: false });

const half = Math.SQRT1_2;
const close = (actual: ArrayLike<number>, expected: readonly number[]): void => {
  for (const [i, number] of expected.entries()) expect(actual[i], `number ${i}`).toBeCloseTo(number, 5);
};

describe('poses of UEFormat', () => {
  it('are named clips without findings, whose file declares that they are differences', async () => {
    const [model, poses] = await Promise.all([fixture('arm.uemodel'), fixture('reach.uepose')]);
    expect(poses.report.items).toEqual([]);
    const { clips } = poses.scene!;
    expect(clips.map(({ name, addsToRest, duration }) => [name, addsToRest, duration])).toEqual([
      ['Reach', true, 0],
      ['Puff', true, 0],
    ]);
    expect(detectAdditive(clips[0]!, model.scene!)).toMatchObject({ isAdditive: true, code: 'MODES' });
    for (const additive of [undefined, 'detect', 'as-stated', 'rest'] as const) {
      const bound = bind(clips[0]!, model.scene!, additive ? { additive } : {});
      expect(bound.additive).toEqual({ base: 'rest', isGuessed: false });
      expect(bound.report.findings.map(({ code }) => code)).toEqual(['BIND_UNTOUCHED_BONES']);
    }
  });

  // Reach adds 10 cm to the position of Upper, multiplies its rotation from the left by 90° about
  // the engine's Z axis, and multiplies the scale of Lower by 1.5 along the engine's Y axis.
  it('change position, rotation, scale and morph weights of the rest pose', async () => {
    const [model, poses] = await Promise.all([fixture('arm.uemodel'), fixture('reach.uepose')]);
    const { names, translations, rotations, scales } = model.scene!.nodes;
    const [upper, lower] = [names.indexOf('Upper'), names.indexOf('Lower')];
    const rig = await Rig.make(model);
    const animator = rig.createAnimator();
    animator.layers.push(animator.layer(rig.bind(poses).clips[0]!));
    animator.apply();
    const { position, quaternion } = rig.nodes[upper]!;
    const rest = translations.subarray(3 * upper, 3 * upper + 3);
    close(position.toArray(), [rest[0]! + 0.1, rest[1]!, rest[2]!]);
    const turned = new Quaternion(0, -half, 0, half).multiply(new Quaternion().fromArray(rotations, 4 * upper));
    expect(Math.abs(quaternion.dot(turned))).toBeCloseTo(1, 5);
    close(rig.nodes[lower]!.scale.toArray(), [scales[3 * lower]!, scales[3 * lower + 1]!, 1.5 * scales[3 * lower + 2]!]);

    const [puff] = await posesOf(model, poses, [0], {}, 1);
    expect(puff!.values['Bulge']).toBeCloseTo(0.75, 6);
    rig.dispose();
  });

  it('can be mixed by weight on top of an animation', async () => {
    const [model, poses, animation] = await Promise.all(['arm.uemodel', 'reach.uepose', 'grow.ueanim'].map(fixture));
    const rig = await Rig.make(model!);
    const animator = rig.createAnimator();
    const below = animator.layer(rig.bind(animation!).clips[0]!);
    const above = animator.layer(rig.bind(poses!, { additive: 'layer' }).clips[0]!);
    animator.layers.push(below);
    animator.apply();
    const upper = rig.nodes.find(({ name }) => name === 'Upper')!;
    const start = upper.position.x;
    above.weight = 0.5;
    animator.layers.push(above);
    animator.apply();
    expect(upper.position.x).toBeCloseTo(start + 0.05, 5);
    rig.dispose();
  });

  it.each(['glb', 'cast', 'uemodel'] as const)('look the same after a conversion to %s', async to => {
    const [model, poses] = await Promise.all([fixture('arm.uemodel'), fixture('reach.uepose')]);
    const [before] = await posesOf(model, poses, [0]);
    const { made, poses: after } = await converted([model, poses], to, [0]);
    for (const { name, bone, matrix } of before!.nodes) {
      const other = after![0]!.nodes.find(node => node.name === name);
      if (bone === false || !other) continue;
      for (const k of [12, 13, 14]) expect(other.matrix[k], name).toBeCloseTo(matrix[k]!, 4);
    }
    expect(made.report.items.map(({ code }) => code)).not.toContain('ADDITIVE_GUESSED');
  });
});

describe('worlds of UEFormat', () => {
  it('show each actor with the geometry of its model', async () => {
    const world = await fixture('yard.ueworld');
    expect(world.report.items.map(({ code, severity }) => [code, severity])).toEqual([['PROTOTYPE_WORLD', 'warning']]);
    const rig = await Rig.make(world);
    expect(new Set(rig.meshes.map(mesh => mesh!.geometry)).size).toBe(1);
    const [pose] = samplePoses(rig, {});
    const [near, far] = pose!.meshes;
    const sizeOf = (k: number, mesh = near!): number => mesh.max![k]! - mesh.min![k]!;
    expect(pose!.meshes).toHaveLength(2);
    expect(pose!.meshes.every(({ visible }) => visible)).toBe(true);
    // The second actor is twice as large and rotated by 90° about the vertical axis.
    close(
      [0, 1, 2].map(k => sizeOf(k, far)),
      [2 * sizeOf(2), 2 * sizeOf(1), 2 * sizeOf(0)],
    );
    rig.dispose();
  });
});
