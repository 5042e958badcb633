// Pairs of bones that the user states override those that a retargeter finds.
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../web/src/core/bind.ts';
import type { Clip, RigScene } from '../../../web/src/core/types.ts';
import { type BoneMap, type BoneMapPair, readBoneMap, resolveBoneMap, writeBoneMap } from '../../../web/src/rig/boneMap.ts';
import { BodyRetargeter } from '../../../web/src/rig/bodyRetargeter.ts';
import { createRetargeter } from '../../../web/src/rig/retargeter.ts';
import { clip, f32, track } from '../../support/armScene.ts';
import { TestBody } from '../../support/bodies.ts';
import { type Bone, boneScene } from '../../support/figure.ts';
import { Player } from '../../support/player.ts';

const map: BoneMap = [
  { target: 'arm', source: 'Bip01 L Thigh' },
  { target: 'leg', source: null },
];

describe('a bone map', () => {
  it('is written and read without a change', () => {
    expect(readBoneMap(writeBoneMap(map))).toEqual(map);
    expect(writeBoneMap(map)).toBe(
      '{\n  "boneMap": 1,\n  "pairs": [\n    {"target":"arm","source":"Bip01 L Thigh"},\n    {"target":"leg","source":null}\n  ]\n}\n',
    );
  });

  it.each([
    ['', 'it is not JSON'],
    ['null', '"boneMap" must be 1'],
    ['[]', '"boneMap" must be 1'],
    ['{"boneMap":2,"pairs":[]}', '"boneMap" must be 1'],
    ['{"boneMap":1,"pairs":{"length":1e9}}', '"pairs" must be a list'],
    ['{"boneMap":1,"pairs":[null]}', 'pair 0 must have'],
    ['{"boneMap":1,"pairs":[{"target":"a"}]}', 'pair 0 must have'],
    ['{"boneMap":1,"pairs":[{"target":1,"source":null}]}', 'pair 0 must have'],
    ['{"boneMap":1,"pairs":[{"target":"a","source":null,"targetIndex":-1}]}', 'pair 0 must have'],
    ['{"boneMap":1,"pairs":[{"target":"a","source":"b","sourceIndex":0.5}]}', 'pair 0 must have'],
    ['{"boneMap":1,"pairs":[{"target":"a","source":"b","sourceIndex":"1"}]}', 'pair 0 must have'],
    ['{"boneMap":1,"pairs":[{"target":"a","source":null,"targetIndex":2},{"target":"a","targetIndex":2,"source":"b"}]}', 'a (3)'],
    ['{"boneMap":1,"pairs":[{"target":"a","source":null},{"target":"a","source":"b"}]}', 'the target of two pairs'],
    [`{"boneMap":1,"pairs":[${'0,'.repeat(100_000)}0]}`, 'more than 100000 pairs'],
  ])('%# is refused: %.60s', (text, reason) => {
    expect(() => readBoneMap(text)).toThrow(
      expect.objectContaining({ code: 'BONE_MAP_INVALID', message: expect.stringContaining(reason) }),
    );
  });
});

const chain = (...names: string[]): RigScene => boneScene(names.map((name, at): Bone => [name, names[at - 1] ?? '', 0, at + 1, 0]));

it('names that a scene does not have are listed, and their pairs are ignored', () => {
  const pairs = [
    { target: 'x', source: 'b' },
    { target: 'none', source: 'a' },
    { target: 'y', source: 'nobody' },
    { target: 'z', source: null },
  ];
  expect(resolveBoneMap(pairs, chain('a', 'b', 'c'), chain('x', 'y', 'z'))).toEqual({
    pairs: [
      { to: 1, from: 2 },
      { to: 3, from: -1 },
    ],
    unknown: ['none', 'nobody'],
  });
});

const targetsOf = (clip: Clip): string[] => [...new Set([...clip.tracks].map(({ target }) => target))].sort();
const SWING = [...new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), 0.7).toArray()];
const swing = clip('swing', 1, track({ target: 'b', path: 'rotation', times: f32(0, 1), values: f32(...SWING, ...SWING) }));

describe('a stated pair', () => {
  it('overrides bones with the same name, and bones without a partner', () => {
    const [from, to] = [chain('a', 'b', 'c'), chain('a', 'b', 'c')];
    const moved = (pairs: BoneMap): string[] => targetsOf(createRetargeter(from, to, pairs)!.retarget(bind(swing, from)));
    expect(moved([])).toEqual(['b']);
    expect(moved([{ target: 'c', source: 'b' }])).toEqual(['b', 'c']);
    expect(moved([{ target: 'b', source: null }])).not.toContain('b');
  });

  it('addresses each of several bones with the same name', () => {
    const [from, to] = [chain('a', 'twin', 'twin'), chain('x', 'y', 'z', 'y')];
    const curve = (occurrence: number, angle: number) => {
      const turn = [...new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), angle).toArray()];
      return track({ target: 'twin', occurrence, path: 'rotation', times: f32(0, 1), values: f32(...turn, ...turn) });
    };
    const bends = clip('bends', 1, curve(0, 0.3), curve(1, 0.7));
    /** Angle between the first bone named y and its parent, in radians. */
    const turn = (pair: BoneMapPair): number => {
      const pose = new Player(to, createRetargeter(from, to, [pair])!.retarget(bind(bends, from))).at(0.5);
      const [parent, bone] = [1, 2].map(row => pose.place(row + 1).sub(pose.place(row)));
      return bone!.angleTo(parent!);
    };
    expect(turn({ target: 'y', source: 'twin' })).toBeCloseTo(0.3, 3);
    expect(turn({ target: 'y', source: 'twin', sourceIndex: 1 })).toBeCloseTo(0.7, 3);
    const last = { target: 'y', targetIndex: 1, source: 'twin', sourceIndex: 1 };
    const retargeted = createRetargeter(from, to, [last])!.retarget(bind(bends, from));
    expect(new Set([...retargeted.tracks].map(({ target, occurrence }) => `${target} ${occurrence}`))).toEqual(new Set(['y 1']));
    // Names that only resemble the stated one are in another order.
    expect(resolveBoneMap([last, { ...last, target: 'Y' }], from, to)).toEqual({ pairs: [{ to: 4, from: 3 }], unknown: ['Y (2)'] });
    expect(readBoneMap(writeBoneMap([last]))).toEqual([last]);
  });

  it('makes it possible to retarget models that have nothing in common', () => {
    const [from, to] = [chain('a', 'b', 'c'), chain('x', 'y', 'z')];
    expect(createRetargeter(from, to)).toBeNull();
    const retargeted = createRetargeter(from, to, [{ target: 'y', source: 'b' }])!.retarget(bind(swing, from));
    expect(targetsOf(retargeted)).toEqual(['y']);
    const turned = new Player(to, retargeted).at(0.5).place(3).sub(new Player(to, retargeted).at(0.5).place(2));
    expect(turned.angleTo(new Vector3(0, 1, 0))).toBeCloseTo(0.7, 4);
  });

  it('overrides body parts', () => {
    const source = new TestBody();
    const nameOf = (part: string): string => part.replace('left', 'L_').replace('right', 'R_');
    const target = new TestBody({ nameOf });
    const walk = source.clip('walk', 2, 60, time => source.walk(time));
    const rows = (pairs: BoneMap) => {
      const retargeter = createRetargeter(source.scene, target.scene, pairs)!;
      expect(retargeter.method).toBe('body');
      const player = new Player(target.scene, retargeter.retarget(bind(walk, source.scene), { plantFeet: false }));
      const direction = (side: string): Vector3 => {
        const pose = player.at(0.25);
        return pose.place(target.row(`${side}LowerArm` as never)).sub(pose.place(target.row(`${side}UpperArm` as never)));
      };
      return { left: direction('left'), right: direction('right') };
    };
    const guessed = rows([]);
    const stated = rows([{ target: 'L_UpperArm', source: null }]);
    expect(stated.left.angleTo(guessed.left)).toBeGreaterThan(0.1);
    expect(stated.right.angleTo(guessed.right)).toBeCloseTo(0, 5);
    const crossed = rows([{ target: 'L_UpperArm', source: 'rightUpperArm' }]);
    expect(crossed.left.angleTo(guessed.left)).toBeGreaterThan(0.1);
    expect(crossed.right.angleTo(guessed.right)).toBeCloseTo(0, 5);
    // Limbs are aligned, and feet planted, with the stated bone.
    const [to, from] = [target.row('leftFoot'), source.row('rightFoot')];
    expect(BodyRetargeter.of(source.scene, target.scene, [{ to, from }])!.source.bones.get('leftFoot')).toBe(from);
    // Hips and legs that the animation does not move stay in the rest pose, and the feet aren't planted.
    for (const bone of ['hips', 'L_UpperLeg', 'L_LowerLeg', 'L_Foot', 'spine', 'head']) {
      const retargeter = createRetargeter(source.scene, target.scene, [{ target: bone, source: null }])!;
      const clip = retargeter.retarget(bind(walk, source.scene));
      expect(targetsOf(clip)).not.toContain(bone);
      const places = new Player(target.scene, clip).at(0.25).place(target.row('leftFoot'));
      expect(places.toArray().every(Number.isFinite)).toBe(true);
    }
  });
});
