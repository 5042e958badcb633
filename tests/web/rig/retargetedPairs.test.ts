// The pairs that a retargeter reports: the bones that it uses, and how it found them.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import { open } from '../../../web/src/core/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import type { BoneMap } from '../../../web/src/rig/boneMap.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { type Bone, boneScene } from '../../support/figure.ts';
import { TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';

const chain = (...names: string[]): RigScene => boneScene(names.map((name, at): Bone => [name, names[at - 1] ?? '', 0, at + 1, 0]));

/** Returns the pairs as texts: "target ← source + source (found by, body part)". */
function pairsOf(from: RigScene, to: RigScene, map: BoneMap = []): string[] {
  const names = ({ nodes }: RigScene, rows: readonly number[]): string => rows.map(row => nodes.names[row]!).join(' + ');
  return createRetargeter(from, to, map)!
    .pairs()
    .map(
      ({ target, sources, foundBy, part }) =>
        `${names(to, [target])} ← ${names(from, sources)} (${[foundBy, part].filter(Boolean).join(', ')})`,
    );
}

describe('by name', () => {
  it('lists bones with the same names, and stated pairs', () => {
    const [from, to] = [chain('a', 'b', 'c'), chain('a', 'b', 'd')];
    expect(pairsOf(from, to)).toEqual(['a ← a (name)', 'b ← b (name)']);
    const map = [
      { target: 'd', source: 'c' },
      { target: 'a', source: null },
      { target: 'none', source: 'b' },
    ];
    expect(pairsOf(from, to, map)).toEqual(['a ←  (stated)', 'b ← b (name)', 'd ← c (stated)']);
  });

  it('lists the bones that are moved', () => {
    const body = new TestBody();
    const walk = body.clip('walk', 1, 30, time => body.walk(time));
    const retargeter = createRetargeter(body.scene, body.scene)!;
    const moved = new Set([...retargeter.retarget(bind(walk, body.scene)).tracks].map(({ target }) => target));
    const paired = new Set(retargeter.pairs().map(({ target }) => body.scene.nodes.names[target]!));
    expect([...moved].filter(name => !paired.has(name))).toEqual([]);
    expect(new Set(retargeter.pairs().map(({ foundBy }) => foundBy))).toEqual(new Set(['name']));
  });
});

describe('by body part', () => {
  const source = new TestBody();
  const target = new TestBody({ nameOf: SCHEMES.Mixamo! });
  const find = (pairs: readonly string[], name: string): string =>
    pairs.find(pair => pair.startsWith(`${SCHEMES.Mixamo!(name as never)} `)) ?? '';

  it('tells body parts, and bones of the trunk that are paired by position', () => {
    const pairs = pairsOf(source.scene, target.scene);
    expect(find(pairs, 'leftUpperArm')).toBe(`${SCHEMES.Mixamo!('leftUpperArm')} ← leftUpperArm (part, leftUpperArm)`);
    expect(find(pairs, 'spine')).toMatch(/\(position, spine\)$/);
    const retargeter = createRetargeter(source.scene, target.scene)!;
    if (retargeter.method !== 'body') throw new Error(retargeter.method);
    const walk = source.clip('walk', 1, 30, time => source.walk(time));
    const moved = new Set([...retargeter.retarget(bind(walk, source.scene)).tracks].map(each => each.target));
    expect(new Set(retargeter.pairs().map(each => target.scene.nodes.names[each.target]!))).toEqual(moved);
  });

  it('marks stated pairs, and bones that stay in their rest pose', () => {
    const [arm, hand] = [SCHEMES.Mixamo!('leftUpperArm'), SCHEMES.Mixamo!('leftHand')];
    const pairs = pairsOf(source.scene, target.scene, [
      { target: arm, source: 'rightUpperArm' },
      { target: hand, source: null },
    ]);
    expect(find(pairs, 'leftUpperArm')).toBe(`${arm} ← rightUpperArm (stated, leftUpperArm)`);
    expect(find(pairs, 'leftHand')).toBe(`${hand} ←  (stated)`);
  });
});

describe('recorded hands', async () => {
  const bytes = readFileSync(new URL('../../../web/src/viewer/demo/wavingHands.bin', import.meta.url));
  const recording = (await open(new Uint8Array(bytes), { name: 'wavingHands.bin' })).scene!;
  const model = new TestBody().scene;

  it('pairs finger bones with the joints where they begin', () => {
    const pairs = pairsOf(recording, model);
    expect(pairs.every(pair => pair.includes('(joint, '))).toBe(true);
    expect(pairs.some(pair => /^leftIndex1 ← .*index-finger-phalanx-proximal \(joint, leftIndexProximal\)$/.test(pair))).toBe(true);
  });

  it('uses a stated joint, and leaves out a finger bone that stays in its rest pose', () => {
    const map = [
      { target: 'leftIndex1', source: 'index-finger-phalanx-intermediate' },
      { target: 'leftRing2', source: null },
    ];
    const stated = createRetargeter(recording, model, map)!;
    expect(stated.method).toBe('hands');
    const pairs = pairsOf(recording, model, map);
    expect(pairs.find(pair => pair.startsWith('leftIndex1'))).toMatch(/index-finger-phalanx-intermediate \(stated, leftIndexProximal\)$/);
    expect(pairs.find(pair => pair.startsWith('leftRing2'))).toBe('leftRing2 ←  (stated)');
    const [bound] = recording.clips.map(clip => bind(clip, recording));
    const rotationsOf = (retargeter: typeof stated): Map<string, string> =>
      new Map([...retargeter.retarget(bound!).tracks].map(({ target, values }) => [target, values.join()]));
    const [before, after] = [rotationsOf(createRetargeter(recording, model)!), rotationsOf(stated)];
    expect([before.has('leftRing2'), after.has('leftRing2')]).toEqual([true, false]);
    expect(after.get('leftIndex1')).not.toBe(before.get('leftIndex1'));
    expect(after.get('leftMiddle1')).toBe(before.get('leftMiddle1'));
  });

  it('pairs by name if a map states other bones', () => {
    for (const map of [[{ target: 'head', source: 'wrist' }], [{ target: 'leftIndex1', source: 'index-finger-tip' }]])
      expect(createRetargeter(recording, model, map)!.method).toBe('names');
  });
});
