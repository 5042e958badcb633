// The direction that a model faces: constructed skeletons that face +Z, with the bone names of many
// rigs, and real ones.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Facing, facingOf, nodesWithDeclaredNames } from '../../../web/src/core/facing.ts';
import { open } from '../../../web/src/core/open.ts';
import { armScene } from '../../support/armScene.ts';
import { TestBody } from '../../support/bodies.ts';
import { biped, type Bone, short, skeleton, type Style } from '../../support/figure.ts';
import { vgoBody } from '../../support/vgoBody.ts';

const rounded = (facing: Facing | null) =>
  facing && {
    forward: facing.forward.map(v => Math.round(v * 1e3) / 1e3 + 0),
    up: facing.up.map(v => v + 0),
    certainty: Math.round(facing.certainty * 1e3) / 1e3,
  };
const z = { forward: [0, 0, 1], up: [0, 1, 0], certainty: 1 };

describe('facingOf', () => {
  test.each<[string, Style, string[]?]>([
    ['Unreal', short],
    ['Biped', (part, side) => `Bip01 ${side[0]!.toUpperCase()} ${part}`, ['Thigh', 'Foot', 'UpperArm', 'Bip01 Pelvis', 'Bip01 Head']],
    [
      'Mixamo',
      (part, side) => `mixamorig:${side === 'left' ? 'Left' : 'Right'}${part}`,
      ['UpLeg', 'Foot', 'Arm', 'mixamorig:Hips', 'mixamorig:Head'],
    ],
    ['Call of Duty', (part, side) => `j_${part}_${side === 'left' ? 'le' : 'ri'}`, ['hip', 'ankle', 'shoulder', 'j_mainroot', 'j_head']],
    ['VRoid', (part, side) => `J_Bip_${side[0]!.toUpperCase()}_${part}`, ['UpperLeg', 'Foot', 'UpperArm', 'J_Bip_C_Hips', 'J_Bip_C_Head']],
    ['Maya', (part, side) => `body_${side[0]}_${part}_joint`, ['thigh', 'ankle', 'clavicle', 'body_pelvis_joint', 'body_head_joint']],
    ['Blender', (part, side) => `${part}.${side[0]!.toUpperCase()}`],
  ])('is found by the names of %s', (_, style, parts) => {
    expect(rounded(facingOf(skeleton(biped(style, parts))))).toEqual(z);
  });

  test('finds the direction of a rotated figure, and halves the certainty if the figure lies down', () => {
    const s = Math.SQRT1_2;
    expect(rounded(facingOf(skeleton(biped(short), [0, s, 0, s])))).toEqual({ ...z, forward: [1, 0, 0] });
    const lying = skeleton(biped(short), [-s, 0, 0, s]); // supine
    expect(rounded(facingOf(lying))).toEqual({ forward: [0, 1, 0], up: [0, 0, -1], certainty: 0.5 });
    expect(facingOf(lying, [0, 1, 0])!.forward.map(Math.round)).toEqual([0, 0, 1]);
  });

  test('does not take the spread legs of a spider for a lying figure', () => {
    const leg = (name: string, side: 'left' | 'right', x: number): Bone[] => [
      [short(`${name}thigh`, side), 'pelvis', 0.3, 0, side === 'left' ? x : -x],
      [short(`${name}foot`, side), short(`${name}thigh`, side), -0.3, 0, side === 'left' ? 2 * x : -2 * x],
    ];
    const spread: Bone[] = [['pelvis', '', 0, 0, 0], ['head', 'pelvis', 0.6, 0, 0], ...leg('', 'left', 0.2), ...leg('', 'right', 0.2)];
    expect(facingOf(skeleton(spread))!.up).toEqual([1, 0, 0]);
    expect(facingOf(skeleton([...spread, ...leg('front ', 'left', 0.4), ...leg('front ', 'right', 0.4)]))!.up).toEqual([0, 1, 0]);
  });

  test('ignores a bent hand, and supports figures on all fours', () => {
    const bent = biped(short).map((bone): Bone => (bone[0] === 'upperarm_l' ? ['upperarm_l', 'pelvis', -0.1, 1.4, 0.3] : bone));
    const facing = facingOf(skeleton(bent))!;
    expect(facing.forward[2]).toBeGreaterThan(0.8);
    expect(facing.certainty).toBeLessThan(0.9);
    const beast = biped(short).map((bone): Bone => (bone[0] === 'head' ? ['head', 'pelvis', 0, 1, 0.8] : bone));
    expect(rounded(facingOf(skeleton(beast)))).toEqual(z);
  });

  test('halves the certainty without legs, or with a single pair of bones', () => {
    const bust = biped(short).filter(([name]) => !/thigh|foot/.test(name));
    expect(rounded(facingOf(skeleton(bust)))).toEqual({ ...z, certainty: 0.5 });
    expect(
      facingOf(
        skeleton([
          ['body', '', 0, 0, 0],
          ['eye_l', 'body', 1, 0, 0],
          ['eye_r', 'body', -1, 0, 0],
        ]),
      ),
    ).toMatchObject({ certainty: 0.5 });
  });
});

test('returns null without a pair of bones', () => {
  expect(facingOf(armScene().nodes)).toBeNull();
  expect(
    facingOf(
      skeleton([
        ['wheel_l', '', 0, 0, 0],
        ['wheel_r', '', 0, 0, 0],
      ]),
    ),
  ).toBeNull();
  expect(
    facingOf(
      skeleton([
        ['l', '', Number.NaN, 0, 0],
        ['r', '', 1, 0, 0],
      ]),
    ),
  ).toBeNull();
});

const corpus = new URL('../../../../shared/corpus/psk/', import.meta.url);
if (!existsSync(corpus)) console.log('skipped: real models are not asked where they look, there is no ../shared/corpus');

test.skipIf(!existsSync(corpus))(
  'finds the direction of real models: +X for Unreal 1, +Z for Unreal 4, and one that lies down',
  async () => {
    const look = async (folder: string): Promise<[string, string][]> => {
      const names = readdirSync(new URL(folder, corpus)).filter(name => name.endsWith('.psk') && !name.startsWith('bad_'));
      const all = await Promise.all(
        names.map(async name => {
          const { scene } = await open(readFileSync(new URL(folder + name, corpus)), { name, worker: false });
          const facing = scene && facingOf(scene.nodes, [0, 1, 0]);
          const own = scene && facingOf(scene.nodes);
          return facing && facing.certainty >= 0.5
            ? [
                [
                  name,
                  `${facing.forward
                    .map(Math.round)
                    .map(v => v + 0)
                    .join()}${own!.up[1] === 1 ? '' : ' lies'}`,
                ] as [string, string],
              ]
            : [];
        }),
      );
      return all.flat();
    };
    const first = await look('hp2/');
    expect(first.length).toBe(10);
    expect(first.filter(([, facing]) => !facing.startsWith('1,0,0'))).toEqual([]);
    const later = [...(await look('psk_loaders/')), ...(await look('psk_psa_py/'))];
    expect(later).toContainEqual(['Shrek.psk', '0,0,1 lies']);
    expect(later.length).toBeGreaterThan(5);
    expect(later.filter(([name, facing]) => facing !== (name === 'Shrek.psk' ? '0,0,1 lies' : '0,0,1'))).toEqual([]);
  },
);

test('uses the humanoid mapping of the file instead of bone names', async () => {
  const { scene } = await open(vgoBody(new TestBody({ yaw: 90 })), { name: 'body.vgo', worker: false });
  const nodes = { ...scene!.nodes, names: scene!.nodes.names.map((_, row) => `n${row}`) };
  expect(facingOf(nodes)).toBeNull();
  const { forward, up, certainty } = facingOf(nodesWithDeclaredNames({ ...scene!, nodes }))!;
  expect(forward.map(value => Math.round(value) + 0)).toEqual([1, 0, 0]);
  expect([up, certainty]).toEqual([[0, 1, 0], 1]);
});
