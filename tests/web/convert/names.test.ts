// Tests bone names in formats that identify bones by name.
import { describe, expect, it } from 'vitest';
import { convert } from '../../../web/src/convert/index.ts';
import type { RigFile } from '../../../web/src/core/index.ts';
import { armScene } from '../../support/armScene.ts';
import { animation, curve, sameName, skeleton, skinned } from '../../support/castRigs.ts';
import { castFile, model, node, triangle } from '../../support/castFile.ts';
import { converted, parse, posesOf } from '../../support/convertedPoses.ts';
import { farthest } from '../../support/samePose.mjs';

const times = [0, 10 / 30];
const bonesOf = ({ scene }: RigFile): string[] => scene!.nodes.names.filter((_, row) => scene!.nodes.bones[row]! >= 0);

describe('a model with the name of one of its bones', () => {
  it.each(['cast', 'se', 'psk', 'uemodel', 'glb', 'vgo'] as const)('is not a second bone as %s, and only the bone moves', async to => {
    const file = await parse('same_name.cast', sameName());
    const source = await posesOf(file, null, times);
    expect(source[1]!.nodes.find(({ name }) => name === 'knee')!.position).toEqual([0, 6, 0].map(value => expect.closeTo(value, 5)));
    const { made, poses } = await converted([file], to, times);
    for (const [k, pose] of source.entries()) {
      const { bones, box, missing } = farthest(pose, poses![k]!);
      expect([bones < 1e-5, box < 1e-5, missing]).toEqual([true, true, []]);
    }
    expect(made.report.items.map(({ code }) => code)).not.toContain('NODES_AS_BONES');
    expect(made.report.items.map(({ code }) => code)).not.toContain('NODES_RENAMED');
  });
});

it.each(['cast', 'se', 'psk', 'uemodel'] as const)('a model without bones that moves becomes a bone as %s', async to => {
  const bytes = castFile(model('prop', triangle('side')), animation('up', curve('prop', 'ty', [0, 10], [0, 3])));
  const file = await parse('prop.cast', bytes);
  const source = await posesOf(file, null, times);
  const { made, poses } = await converted([file], to, times);
  for (const [k, pose] of source.entries()) expect(farthest(pose, poses![k]!).box).toBeLessThan(1e-5);
  expect(source[1]!.meshes[0]!.min![1]).toBeCloseTo(3);
  expect(made.report.items.map(({ code }) => code)).toContain('NODES_AS_BONES');
});

it('an animation of morph targets alone is written or reported if the model has no bones', async () => {
  const face = triangle('face');
  const shape = node('blsh', { n: ['s', 'smile'], b: ['l', face.hash], vi: ['b', [0]], vp: ['3v', [0, 0, 1]] });
  const smile = node('curv', { nn: ['s', 'smile'], kp: ['s', 'bs'], kb: ['b', [0, 30]], kv: ['f', [0, 1]], m: ['s', 'absolute'] });
  const file = await parse('face.cast', castFile(model('head', face, shape), animation('laugh', smile)));
  const psk = await convert([file], { to: 'psk' });
  expect(psk.report.items).toContainEqual(expect.objectContaining({ code: 'CLIP_EMPTY', path: 'laugh', detail: 'no bones' }));
  await expect(convert([file], { to: 'psa' })).rejects.toMatchObject({ code: 'BONES_MISSING' });
  const { files } = await convert([file], { to: 'uemodel' });
  const motion = await parse('laugh.ueanim', files.find(({ name }) => name.endsWith('.ueanim'))!.bytes);
  const [weights] = [...motion.scene!.clips[0]!.tracks];
  expect([weights!.path, weights!.property, weights!.values.at(-1)]).toEqual(['weight', 'smile', 1]);
});

describe('nodes that become bones', () => {
  /**
   * Returns an arm with the node `tip`, which is not a bone and has the same name as its parent
   * bone.
   */
  async function file(): Promise<RigFile> {
    const base = armScene();
    const names = base.nodes.names.map(name => (name === 'tip' ? 'UP/per' : name));
    const opened = await parse('arm.cast', sameName());
    return { ...opened, format: 'vgo', scene: { ...base, features: [], nodes: { ...base.nodes, names } } };
  }

  it.each(['cast', 'se', 'psk', 'uemodel'] as const)('get unique names as %s if a bone has the same name', async to => {
    const { files, report } = await convert([await file()], { to });
    const [again] = await Promise.all(files.slice(0, 1).map(({ name, bytes }) => parse(name, bytes)));
    const names = bonesOf(again!);
    expect(names).toEqual(expect.arrayContaining(['low.er', 'up/per', 'UP/per_node']));
    expect(new Set(names).size).toBe(names.length);
    expect(report.items.filter(({ code }) => code === 'NODES_RENAMED')).toEqual([
      { code: 'NODES_RENAMED', kind: 'note', path: 'UP/per', amount: 1, detail: 'UP/per_node' },
    ]);
  });
});

describe('a PSK', () => {
  it('has a name for every bone, in the model and in its animations', async () => {
    const bones = [
      { name: 'bone_1' },
      { name: '', parent: 0, place: [0, 1, 0] },
      { name: ' ', parent: 1, place: [0, 1, 0] },
      { name: 'end', parent: 2, place: [0, 1, 0] },
    ];
    const bytes = castFile(model('arm', skeleton(bones), skinned('skin', 3)), animation('up', curve('bone_1', 'ty', [0, 10], [0, 2])));
    const { files, report } = await convert([await parse('arm.cast', bytes)], { to: 'psk' });
    const read = await Promise.all(files.filter(({ name }) => /\.ps[ka]$/.test(name)).map(({ name, bytes: made }) => parse(name, made)));
    expect(read.map(bonesOf)).toEqual([
      ['bone_1', 'bone_1_2', 'bone_2', 'end'],
      ['bone_1', 'bone_1_2', 'bone_2', 'end'],
    ]);
    expect(report.items.filter(({ code }) => code === 'NAMES_GIVEN')).toMatchObject([{ amount: 2 }]);
  });

  it('keeps names with characters other than ASCII, and reports those of animations', async () => {
    const bones = [{ name: 'hip' }, { name: 'rodilla_ñ', parent: 0, place: [0, 1, 0] }];
    const bytes = castFile(model('arm', skeleton(bones), skinned('skin', 1)), animation('歩く', curve('hip', 'ty', [0, 10], [0, 2])));
    const { files, report } = await convert([await parse('arm.cast', bytes)], { to: 'psk' });
    const { scene } = await parse('arm.psa', files.find(({ name }) => name.endsWith('.psa'))!.bytes);
    expect([bonesOf(await parse('arm.psk', files[0]!.bytes)), scene!.clips[0]!.name]).toEqual([['hip', 'rodilla_ñ'], '歩く']);
    expect(report.items.filter(({ code }) => code === 'NAMES_WIDE')).toMatchObject([{ path: 'rodilla_ñ', amount: 2 }]);
    const plain = castFile(model('arm', skeleton(bones.slice(0, 1)), skinned('skin', 0)), animation('up', curve('hip', 'ty', [0], [1])));
    expect((await convert([await parse('arm.cast', plain)], { to: 'psk' })).report.items.map(({ code }) => code)).not.toContain(
      'NAMES_WIDE',
    );
  });
});
