// One animation for several models in one file, such as hands and gun or body and pet, in Cast
// files.
import { describe, expect, it } from 'vitest';
import { bind, type BoundClip } from '../../../web/src/core/bind.ts';
import { open } from '../../../web/src/core/open.ts';
import type { Clip, RigScene } from '../../../web/src/core/types.ts';
import { castFile, type CastNode, model, node } from '../../support/castFile.ts';

type Bone = readonly [name: string, parent: number, place?: readonly number[]];

const skeleton = (...bones: Bone[]): CastNode =>
  node(
    'skel',
    {},
    ...bones.map(([n, p, place = [0, 1, 0]]) =>
      node('bone', { n: ['s', n], p: ['i', [p >>> 0]], lp: ['3v', place], lr: ['4v', [0, 0, 0, 1]] }),
    ),
  );
const curve = (nn: string, kp: string, mode = 'relative', values = [0, 4]): CastNode =>
  node('curv', { nn: ['s', nn], kp: ['s', kp], kb: ['b', values.map((_, i) => 10 * i)], kv: ['f', values], m: ['s', mode] });

async function opened(...nodes: CastNode[]): Promise<{ scene: RigScene; clip: Clip; bound: BoundClip }> {
  const { scene } = await open(castFile(...nodes), { name: 'two.cast' });
  const [clip] = scene!.clips;
  return { scene: scene!, clip: clip!, bound: bind(clip!, scene!) };
}
/** Returns "model.bone", or "model.bone#k" for the k-th bone with that name in its model. */
const moved = (scene: RigScene, bound: BoundClip): string[] =>
  bound.tracks.map(({ node: row }) => {
    const { names, parents, bones } = scene.nodes;
    let top = parents[row]!;
    while (bones[top]! >= 0) top = parents[top]!;
    const inModel = (other: number): boolean => {
      let at = other;
      while (bones[at]! >= 0) at = parents[at]!;
      return at === top;
    };
    const k = names.filter((name, other) => other < row && name === names[row] && bones[other]! >= 0 && inModel(other)).length;
    return `${names[top]}.${names[row]}${k ? `#${k}` : ''}`;
  });
const motion = (...curves: CastNode[]): CastNode => node('anim', { n: ['s', 'm'], fr: ['f', [10]] }, ...curves);

describe('a track, in a file with several models,', () => {
  it('animates the bone of its name in every model, relative to its own rest pose', async () => {
    const { scene, bound } = await opened(
      model('body', skeleton(['tag_origin', -1, [0, 1, 0]], ['head', 0])),
      model('pet', skeleton(['tag_origin', -1, [7, 5, 0]])),
      model('hat', skeleton(['brim', -1])),
      motion(curve('tag_origin', 'ty')),
    );
    expect(moved(scene, bound)).toEqual(['body.tag_origin', 'pet.tag_origin']);
    expect(bound.tracks.map(({ values }) => [...values])).toEqual([
      [1, 5],
      [5, 9],
    ]);
    expect(bound.report.models.map(({ name, bones }) => [name, bones])).toEqual([
      ['body', 1],
      ['pet', 1],
    ]);
    expect(bound.report.matched).toEqual(['tag_origin']);
    expect([...bound.report.untouched].sort()).toEqual(['brim', 'head']);
    expect(bound.report.unmatched).toEqual([]);
  });

  it('pairs duplicate names within a skeleton in order, and finds other spellings if a model has no exact one', async () => {
    const { scene, bound } = await opened(
      model('a', skeleton(['grip', -1], ['grip', 0], ['Tag.L', 0])),
      model('b', skeleton(['GRIP', -1], ['tag_l', 0])),
      model('c', skeleton(['grip', -1], ['tag.l', 0], ['grip', 0])),
      motion(curve('grip', 'tx'), curve('Tag.L', 'tx')),
    );
    expect(moved(scene, bound).sort()).toEqual(['a.Tag.L', 'a.grip', 'b.GRIP', 'b.tag_l', 'c.grip', 'c.tag.l']);
  });

  it('does not animate a bone that another track matches exactly', async () => {
    const { scene, bound } = await opened(
      model('a', skeleton(['hand', -1])),
      model('b', skeleton(['HAND', -1])),
      motion(curve('hand', 'tx', 'absolute', [1, 1]), curve('HAND', 'tx', 'absolute', [2, 2])),
    );
    expect(moved(scene, bound)).toEqual(['a.hand', 'b.HAND']);
    expect(bound.tracks.map(({ values }) => values[0])).toEqual([1, 2]);
  });

  it('applies overrides, lockRoot and strip-zero-tracks in every model', async () => {
    const over = node('CMOV', { nn: ['s', 'root'], m: ['s', 'relative'], ot: ['b', [1]] });
    const { scene, clip, bound } = await opened(
      model('a', skeleton(['root', -1], ['arm', 0])),
      model('b', skeleton(['root', -1], ['arm', 0, [0, 3, 0]])),
      motion(curve('root', 'ty', 'absolute', [2, 8]), curve('arm', 'ty', 'absolute', [0, 4]), over),
    );
    expect(moved(scene, bound)).toEqual(['a.root', 'b.root', 'a.arm', 'b.arm']);
    expect(bound.tracks.slice(2).map(({ values }) => values[1])).toEqual([5, 7]);
    expect(
      bind(clip, scene, { lockRoot: true })
        .tracks.slice(0, 2)
        .map(({ values }) => [...values]),
    ).toEqual([[2], [2]]);
  });

  it('is limited by memory in a small file with thousands of models, which is reported', async () => {
    const models = Array.from({ length: 1000 }, (_, i) => model(`${i}`, skeleton(['b', -1])));
    const curves = Array.from({ length: 200 }, (_, i) => curve('b', ['tx', 'ty', 'tz', 'sx', 'sy', 'sz'][i % 6]!));
    const { bound } = await opened(...models, motion(...curves));
    const [tooMany] = bound.report.findings.filter(({ code }) => code === 'BIND_TOO_MANY');
    expect(tooMany!.severity).toBe('warning');
    expect(bound.tracks.length + tooMany!.count).toBe(200_000);
    expect(bound.tracks.length).toBeLessThan(70_000);
  });
});
