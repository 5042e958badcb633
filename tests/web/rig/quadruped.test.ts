// Detects quadrupeds by the names of many packs of animals, and by positions. A quadruped is never
// taken for a human.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import type { RigScene } from '../../../web/src/core/types.ts';
import { handBonesOf, humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { type Quadruped, quadrupedOf } from '../../../web/src/rig/quadruped.ts';
import type { QuadrupedBone } from '../../../web/src/rig/quadrupedBones.ts';
import { TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { CAPTURE_SCHEMES } from '../../support/captureNames.ts';
import { QUADRUPED_SCHEMES } from '../../support/quadrupedNames.ts';
import { type QuadrupedDesign, TestQuadruped } from '../../support/quadrupeds.ts';

/** Returns the parts of a test body whose bones were not found. */
function missing(body: TestQuadruped): string[] {
  const found = quadrupedOf(body.scene);
  if (!found) return ['all'];
  const rowOf = (part: string): number | undefined => {
    const [, chain, k] = /^(spine|neck|tail)(\d+)$/.exec(part) ?? [];
    return chain ? found[chain as 'spine'][Number(k) - 1] : found.bones.get(part as QuadrupedBone);
  };
  return body.bones.map(({ part }) => part).filter(part => !part.endsWith('HindPelvis') && rowOf(part) !== body.row(part));
}

const designs: QuadrupedDesign[] = [
  {},
  { axes: 3, proportions: { height: 1.8, trunk: 1.5, hock: 1.3 } },
  { axes: 5, yaw: 90, proportions: { height: 0.5, trunk: 1.4, spineBones: 3, tailBones: 2 } },
];

describe('a quadruped is detected by the names of', () => {
  it.each(Object.entries(QUADRUPED_SCHEMES))('%s', (_, nameOf) => {
    for (const design of designs) {
      const body = new TestQuadruped({ ...design, nameOf });
      expect(missing(body)).toEqual([]);
      expect(quadrupedOf(body.scene)?.detectedFrom).toBe('names');
      expect(humanoidOf(body.scene)).toBe(null);
    }
  });
});

it('a quadruped without known names is detected by the positions of its bones', () => {
  for (const design of designs) {
    const body = new TestQuadruped({
      ...design,
      nameOf: part => (/Pelvis|Ear|jaw/.test(part) ? null : `x${part.length}${part.charCodeAt(0)}`),
    });
    const { bones, detectedFrom } = quadrupedOf(body.scene)!;
    expect(detectedFrom).toBe('topology');
    for (const part of ['hips', 'leftHindUpperLeg', 'rightHindLowerLeg', 'leftFrontLowerLeg', 'rightFrontUpperLeg'] as const)
      expect(body.bones[bones.get(part)! - 1]?.part, part).toBe(part);
    expect(humanoidOf(body.scene)).toBe(null);
  }
});

it('a quadruped has no hands, although its bones are called like them', () => {
  const body = new TestQuadruped({ nameOf: QUADRUPED_SCHEMES['Biped of 3ds Max']! });
  expect(handBonesOf(body.scene).size).toBe(0);
});

it('a human is not a quadruped, whatever its names, arms and axes', () => {
  for (const nameOf of [undefined, ...Object.values({ ...SCHEMES, ...CAPTURE_SCHEMES })])
    for (const armsDown of [0, 45, 85]) {
      const { scene } = new TestBody({ nameOf, armsDown, axes: 3, proportions: { hasFingers: false } });
      expect(quadrupedOf(scene)).toBe(null);
    }
});

it('bones at the front of clothes don’t make a human a quadruped', () => {
  const coat = new TestBody({
    nameOf: part => {
      const [, side, finger, k] = /^(left|right)(Index|Middle)(\d)$/.exec(part) ?? [];
      return side ? `coat_front_${side[0]}_0${k}_${finger}` : SCHEMES['Unreal Engine']!(part);
    },
  });
  expect(humanoidOf(coat.scene)).not.toBe(null);
});

it('a humanoid that the file declares stays a humanoid on four legs', () => {
  const body = new TestQuadruped({ nameOf: QUADRUPED_SCHEMES['Unreal Engine names on four legs']! });
  const row = (part: string): number => body.row(part);
  const bones = Object.fromEntries(
    ['left', 'right'].flatMap(side => [
      [`${side}UpperArm`, row(`${side}FrontUpperLeg`)],
      [`${side}LowerArm`, row(`${side}FrontLowerLeg`)],
      [`${side}UpperLeg`, row(`${side}HindUpperLeg`)],
      [`${side}LowerLeg`, row(`${side}HindLowerLeg`)],
    ]),
  );
  const declared: RigScene = {
    ...body.scene,
    features: [{ kind: 'humanoid', name: '', properties: { bones: { hips: row('hips'), ...bones } } }] as never,
  };
  expect(humanoidOf(declared)?.detectedFrom).toBe('file');
});

it('a neck with collar bones as children (Biped) is not the end of the spine', () => {
  const biped = QUADRUPED_SCHEMES['Biped of 3ds Max']!;
  const names: Record<string, string> = { spine3: 'Bip01 Neck', neck1: 'Bip01 Neck1' };
  const body = new TestQuadruped({ nameOf: part => names[part] ?? biped(part) });
  const { spine, neck } = quadrupedOf(body.scene)!;
  expect([spine, neck].map(rows => rows.map(row => body.bones[row - 1]!.part))).toEqual([
    ['spine1', 'spine2'],
    ['spine3', 'neck1'],
  ]);
});

it('the head of Rigify is the last spine bone, not the jaw below it', () => {
  const rigify = QUADRUPED_SCHEMES['Rigify (wolf, cat, horse)']!;
  const body = new TestQuadruped({ nameOf: part => (part.endsWith('Ear') ? null : part === 'jaw' ? 'DEF-muzzle' : rigify(part)) });
  expect(quadrupedOf(body.scene)!.bones.get('head')).toBe(body.row('head'));
});

describe('the bones of a leg', () => {
  const named = (names: Record<string, string>): Quadruped => {
    const body = new TestQuadruped({
      nameOf: part => {
        const leg = /^(left|right)(Front|Hind)(\w+)$/.exec(part);
        if (!leg) return part;
        const name = names[leg[3]!];
        return name ? `${leg[2]}${name}_${leg[1]![0]}` : null;
      },
    });
    return quadrupedOf(body.scene)!;
  };
  const nameIn = (names: Record<string, string>, bone: string): string | undefined =>
    Object.keys(names).find(
      part =>
        new TestQuadruped({
          nameOf: each => (/Front|Hind/.test(each) && !names[each.replace(/^(left|right)(Front|Hind)/, '')] ? null : each),
        }).row(`leftFront${part}`) === named(names).bones.get(bone as QuadrupedBone),
    );

  it('without names of segments begin with the shoulder if the last one is above the ground', () => {
    const names = { Shoulder: '1', UpperLeg: '2', LowerLeg: '3', Foot: '4' };
    expect(nameIn(names, 'leftFrontShoulder')).toBe('Shoulder');
    expect(nameIn(names, 'leftFrontFoot')).toBe('Foot');
  });

  it('without names of segments begin with the upper leg if the last one is on the ground', () => {
    const names = { UpperLeg: '1', LowerLeg: '2', Foot: '3', Toes: '4' };
    expect(nameIn(names, 'leftFrontUpperLeg')).toBe('UpperLeg');
    expect(nameIn(names, 'leftFrontToes')).toBe('Toes');
  });
});

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
it.skipIf(!existsSync(corpus))('the pig of ../shared is a quadruped, the frog as well', async () => {
  const read = async (name: string): Promise<RigScene> =>
    (await open(readFileSync(new URL(`psk/hp2/${name}.psk`, corpus)), { name: `${name}.psk`, worker: false })).scene!;
  const pig = await read('skPigMesh');
  const { bones, tail, detectedFrom } = quadrupedOf(pig)!;
  const nameOf = (bone: QuadrupedBone): string | undefined => pig.nodes.names[bones.get(bone) ?? -1];
  expect(detectedFrom).toBe('names');
  expect((['leftFrontShoulder', 'rightFrontFoot', 'leftHindFoot', 'rightHindToes', 'head'] as const).map(nameOf)).toEqual([
    'bip01 L Clavicle',
    'bip01 R Hand',
    'bip01 L Foot',
    'bip01 R Toe0',
    'bip01 Head',
  ]);
  expect(tail.length).toBe(5);
  expect(quadrupedOf(await read('skChocolateFrogMesh'))).not.toBe(null);
});
