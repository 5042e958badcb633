// Bone maps of the visitor: which map applies, and how the session uses it.
import { describe, expect, test } from 'vitest';
import { boneMapFor, hasBoneMap, skeletonKey, withBoneMap, withOnlyBoneMap } from '../../../web/src/session/boneMaps.ts';
import { isMapped, retargetAgain, retargetAnimations, shouldRetarget } from '../../../web/src/session/retargeting.ts';
import { rowsOf } from '../../../web/src/session/animationRows.ts';
import { boneLabel, boneMapPair } from '../../../web/src/rig/boneMap.ts';
import { boneMapRows, filteredRows, withoutPair, withPair } from '../../../web/src/viewer/drawer/boneMapRows.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { castBody, castMotion, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { castFile, model, node, triangle } from '../../support/castFile.ts';
import { type Bone, boneScene } from '../../support/figure.ts';
import { mixamoBvh } from '../../support/mixamo.ts';
import { TestSession } from './support.ts';

const chain = (...names: string[]): RigScene => boneScene(names.map((name, at): Bone => [name, names[at - 1] ?? '', 0, at + 1, 0]));
const [from, other, to] = [chain('a', 'b'), chain('c', 'd'), chain('x', 'y')];
const pair = (target: string, source: string | null) => ({ target, source });

describe('the map of a model', () => {
  test('is that of the skeleton, otherwise the general one', () => {
    const general = withOnlyBoneMap([], 'x.cast', [pair('x', 'a')]);
    expect(boneMapFor(general, 'x.cast', from)).toEqual([pair('x', 'a')]);
    expect(boneMapFor(general, 'z.cast', from)).toEqual([]);
    const own = withBoneMap(general, { path: 'x.cast', skeleton: skeletonKey(other), pairs: [pair('y', 'd')] });
    expect([boneMapFor(own, 'x.cast', from), boneMapFor(own, 'x.cast', other)]).toEqual([[pair('x', 'a')], [pair('y', 'd')]]);
    // An empty map of a skeleton overrides the general one.
    const empty = withBoneMap(own, { path: 'x.cast', skeleton: skeletonKey(other), pairs: [] });
    expect(boneMapFor(empty, 'x.cast', other)).toEqual([]);
    expect(withOnlyBoneMap(own, 'x.cast', [])).toEqual([]);
  });

  test('is shared by skeletons with the same bone names in any order', () => {
    expect(skeletonKey(chain('a', 'b'))).toBe(skeletonKey(chain('b', 'a')));
    expect(skeletonKey(chain('a', 'b'))).not.toBe(skeletonKey(chain('a', 'c')));
  });

  test('counts only if the skeletons have its bones', () => {
    expect(hasBoneMap(withOnlyBoneMap([], 'x.cast', [pair('x', 'a')]), 'x.cast', from, to)).toBe(true);
    expect(hasBoneMap(withOnlyBoneMap([], 'x.cast', [pair('x', 'q')]), 'x.cast', from, to)).toBe(false);
  });
});

describe('rows', () => {
  const pairs = [
    { target: 1, sources: [2], foundBy: 'stated' as const, part: null },
    { target: 2, sources: [], foundBy: 'stated' as const, part: null },
  ];
  const rows = boneMapRows({ from, pairs }, chain('x', 'y', 'z'));
  const texts = (list: typeof rows): string[] =>
    list.map(({ target, sources }) => `${target ? boneLabel(target) : ''} ← ${sources.map(boneLabel).join()}`);

  test('are the bones of the model, then bones of the animation that move nothing', () => {
    expect(texts(rows)).toEqual(['x ← b', 'y ← ', 'z ← ', ' ← a']);
  });

  test('are filtered by state and name', () => {
    expect(texts(filteredRows(rows, 'paired', ''))).toEqual(['x ← b']);
    expect(texts(filteredRows(rows, 'unpaired', ''))).toEqual(['y ← ', 'z ← ', ' ← a']);
    expect(texts(filteredRows(rows, 'changed', ''))).toEqual(['x ← b', 'y ← ']);
    expect(texts(filteredRows(rows, 'all', ' A '))).toEqual([' ← a']);
  });

  test('have one pair per bone of the model', () => {
    expect(withPair([pair('x', 'a'), pair('y', 'b')], pair('x', null))).toEqual([pair('y', 'b'), pair('x', null)]);
  });

  test('number bones with the same name, which have pairs of their own', () => {
    const none = { from: chain('a', 'b', 'b'), pairs: [] };
    const twins = boneMapRows(none, chain('twin', 'x', 'twin'));
    expect(texts(twins)).toEqual(['twin ← ', 'x ← ', 'twin (2) ← ', ' ← a', ' ← b', ' ← b (2)']);
    const map = withPair([pair('twin', 'a')], boneMapPair(twins[2]!.target!, twins[5]!.sources[0]!));
    expect(map).toEqual([pair('twin', 'a'), { target: 'twin', targetIndex: 1, source: 'b', sourceIndex: 1 }]);
    expect(withoutPair(map, twins[0]!.target!)).toEqual(map.slice(1));
  });
});

describe('a session', async () => {
  const [nameOf, mixamo] = [SCHEMES['Unreal Engine']!, SCHEMES['Mixamo']!];
  const walker = new TestBody({ nameOf: mixamo });
  const hero = new TestBody({ nameOf });
  const arm = nameOf('leftUpperArm');
  const input = (path: string, content: BlobPart) => ({ path, file: new File([content], path) });
  const bvh = mixamoBvh({ body: walker, nameOf: mixamo, seconds: 1, rate: 30, poseAt: time => walker.walk(time) });
  const files = [
    input('hero.cast', new Uint8Array(castBody(hero, triangle('skin')))),
    input('walk.bvh', bvh),
    input('own.cast', new Uint8Array(castMotion(hero.clip('own', 1, 30, time => hero.walk(time))))),
  ];
  const page = await new TestSession().drop(files);
  const source = (path: string) => rowsOf(page.session).find(each => each.source.input.path === path)!.source;
  const boneMaps = withOnlyBoneMap([], 'hero.cast', [pair(arm, null)]);

  test('retargets with the map of the model, and again after a change', async () => {
    const session = { ...page.session, boneMaps };
    const { retargeted } = (await retargetAnimations(session, source('walk.bvh'), page.openingContext()))!;
    const stated = (list: typeof retargeted): number => list!.pairs.filter(({ foundBy }) => foundBy === 'stated').length;
    expect(stated(retargeted)).toBe(1);
    const again = await retargetAgain({ ...session, boneMaps: [] }, retargeted!);
    expect(stated(again.retargeted)).toBe(0);
    expect(again.retargeted!.madeFor).toBe('walk.bvh');
  });

  test('maps only animations with a skeleton of their own', () => {
    const session = { ...page.session, boneMaps };
    expect([isMapped(session, source('walk.bvh')), isMapped(session, source('own.cast'))]).toEqual([true, false]);
    expect(isMapped(page.session, source('walk.bvh'))).toBe(false);
    expect(shouldRetarget(session, source('own.cast'))).toBe(false);
  });

  test('shows the originals of retargeted animations after the maps have changed', async () => {
    const original = source('walk.bvh');
    const replacement = (await retargetAnimations(page.session, original, page.openingContext()))!;
    page.dispatch({ type: 'replace', source: original, replacement, indices: [0] });
    expect(page.playing).not.toBe('the rest pose');
    const { playing } = page;
    page.dispatch({ type: 'set-bone-maps', boneMaps });
    expect([page.session.animationFiles.includes(original), page.playing]).toEqual([true, playing]);
    page.dispatch({ type: 'close' });
    expect(page.session.boneMaps).toBe(boneMaps);
  });

  test('can pair bones of skeletons that have nothing in common', async () => {
    const bone = (name: string, parent: number) =>
      node('bone', { n: ['s', name], p: ['i', [parent]], lp: ['3v', [0, 1, 0]], lr: ['4v', [0, 0, 0, 1]] });
    const prop = castFile(model('prop', node('skel', {}, bone('base', 0xffffffff), bone('lid', 0)), triangle('skin')));
    const session = (await new TestSession().drop([input('prop.cast', new Uint8Array(prop)), input('walk.bvh', bvh)])).session;
    const walk = rowsOf(session).find(each => each.source.input.path === 'walk.bvh')!.source;
    const opening = new TestSession().openingContext();
    expect(await retargetAnimations(session, walk, opening)).toBeNull();
    const forced = (await retargetAnimations(session, walk, opening, true))!;
    expect(forced.retargeted).toMatchObject({ method: 'none', bones: 0, pairs: [] });
    expect(forced.file.scene!.clips[0]!.tracks.length).toBe(0);
    const mapped = { ...session, boneMaps: withOnlyBoneMap([], 'prop.cast', [pair('lid', 'mixamorig:LeftArm')]) };
    expect((await retargetAgain(mapped, forced.retargeted!)).retargeted).toMatchObject({ method: 'names', bones: 1 });
  });
});
