// Which bone is which part of a body, by the names of many tools and by shape alone.
import { describe, expect, it } from 'vitest';
import { type HumanBone, humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { type BodyDesign, type Part, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';

/** What a part of the test's body is called in VRM's words; null for what is in between. */
function humanBone(part: Part, { p }: TestBody): HumanBone | null {
  const spine = /^spine(\d)$/.exec(part);
  if (spine) {
    const k = Number(spine[1]);
    return k === 1 ? 'spine' : k === 2 ? 'chest' : k === p.spineBones ? 'upperChest' : null;
  }
  if (part.startsWith('neck')) return part === 'neck1' ? 'neck' : null;
  const finger = /^(left|right)(Thumb|Index|Middle|Ring|Little)(\d)$/.exec(part);
  if (!finger) return part as HumanBone;
  const [, side, name, k] = finger;
  const joints = name === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal'];
  return `${side}${name}${joints[Number(k) - 1]}` as HumanBone;
}

/** Parts that are found where they are, of all that there are. */
function found(body: TestBody, parts = body.bones.map(({ part }) => part)): { wrong: string[]; share: number } {
  const { bones } = humanoidOf(body.scene) ?? { bones: new Map<HumanBone, number>() };
  const meant = parts.filter(part => humanBone(part, body) !== null);
  const wrong = meant.filter(part => bones.get(humanBone(part, body)!) !== body.row(part));
  return { wrong, share: 1 - wrong.length / meant.length };
}

describe('a body is known by the names of', () => {
  const designs: BodyDesign[] = [
    {},
    { proportions: { neckBones: 2, spineBones: 4 }, axes: 3 },
    { proportions: { spineBones: 2 }, yaw: 90 },
  ];
  it.each(Object.entries(SCHEMES))('%s', (_, nameOf) => {
    for (const design of designs) {
      const body = new TestBody({ ...design, nameOf });
      expect(humanoidOf(body.scene)?.told).toBe('names');
      // Rigify's neck and head are bones of the spine by name: where the neck ends, nothing tells.
      const rigify = nameOf === SCHEMES.Rigify;
      expect(
        found(
          body,
          body.bones.map(({ part }) => part).filter(part => !rigify || !/^(neck|head)/.test(part)),
        ).wrong,
      ).toEqual([]);
    }
  });

  it('a tool that adds twist bones, IK bones and a gun in its hand', () => {
    const body = new TestBody({ nameOf: SCHEMES['Unreal Engine'] });
    const { nodes } = body.scene;
    const extra = [
      'ik_hand_l',
      'hand_l_weapon',
      'upperarm_twist_01_l',
      'thigh_twist_01_r',
      'ik_foot_r',
      'VB hand_l',
      'head_hair',
      'lowerarm_correctiveRoot_l',
    ];
    const at = nodes.count;
    const grown = <T extends Float32Array | Int32Array | Uint8Array>(column: T, width: number, rest: number[]): T => {
      const result = new (column.constructor as new (length: number) => T)(width * (at + extra.length));
      result.set(column);
      for (let i = at; i < at + extra.length; i++) result.set(rest, width * i);
      return result;
    };
    Object.assign(nodes, {
      count: at + extra.length,
      names: [...nodes.names, ...extra],
      parents: grown(nodes.parents, 1, [body.row('leftHand')]),
      bones: grown(nodes.bones, 1, [0]).map((_, row) => row - 1),
      translations: grown(nodes.translations, 3, [0, 0, 0]),
      rotations: grown(nodes.rotations, 4, [0, 0, 0, 1]),
      scales: grown(nodes.scales, 3, [1, 1, 1]),
    });
    expect(found(body).wrong).toEqual([]);
  });
});

it('bones in the palm are no fingers, and tips neither', () => {
  const palms = new TestBody({
    nameOf: part => (/^left(Index|Middle)/.test(part) ? part.replace(/1$/, 'Palm').replace(/2$/, '1').replace(/3$/, 'Tip') : part),
  });
  const { bones } = humanoidOf(palms.scene)!;
  expect(bones.get('leftIndexProximal')).toBe(palms.row('leftIndex2'));
  expect(bones.get('leftIndexIntermediate')).toBe(undefined);
});

it('a body without names is known by its shape', () => {
  for (const design of [
    {},
    { armsDown: 50, axes: 4 },
    { yaw: 180, axes: 2 },
    { proportions: { upperLeg: 0.2, lowerLeg: 0.19, spine: 0.35 } },
  ] satisfies BodyDesign[]) {
    const names = new Map<Part, string>();
    const body = new TestBody({ ...design, nameOf: part => names.get(part) ?? (names.set(part, `Bone${names.size}`), names.get(part)!) });
    expect(humanoidOf(body.scene)?.told).toBe('shape');
    const limbs = body.bones.map(({ part }) => part).filter(part => !/Thumb|Index|Middle|Ring|Little/.test(part));
    expect(found(body, limbs).wrong).toEqual([]);
  }
});

it('what has no arms or legs is no body', () => {
  const body = new TestBody({ nameOf: part => (part.includes('Leg') ? 'wheel' : part) });
  const { nodes } = body.scene;
  expect(humanoidOf(body.scene)?.told).not.toBe('names');
  nodes.translations.fill(0);
  expect(humanoidOf(body.scene)).toBe(null);
});
