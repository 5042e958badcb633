// Detects humanoid bones by the names of many tools, and by topology.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { open } from '../../../web/src/core/index.ts';
import { type HumanBone, humanoidOf } from '../../../web/src/rig/humanoid.ts';
import { armScene } from '../../support/armScene.ts';
import { type BodyDesign, type Part, type Proportions, TestBody } from '../../support/bodies.ts';
import { SCHEMES } from '../../support/bodyNames.ts';
import { CAPTURE_SCHEMES } from '../../support/captureNames.ts';
import { type Bone, skeleton } from '../../support/figure.ts';

/** Returns the VRM name of a part of the test body, or null for parts without a VRM name. */
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
  if (k === '0') return null;
  const joints = name === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal'];
  return `${side}${name}${joints[Number(k) - 1]}` as HumanBone;
}

/** Returns the names of wrongly detected parts, and the fraction of parts that were detected. */
function found(body: TestBody, parts = body.bones.map(({ part }) => part)): { wrong: string[]; share: number } {
  const { bones } = humanoidOf(body.scene) ?? { bones: new Map<HumanBone, number>() };
  const meant = parts.filter(part => humanBone(part, body) !== null);
  const wrong = meant.filter(part => bones.get(humanBone(part, body)!) !== body.row(part));
  return { wrong, share: 1 - wrong.length / meant.length };
}

/** Parts that only some schemes have. */
const PARTS: Record<string, Partial<Proportions>> = {
  'Unreal Engine': { hasPalms: true },
  'Genesis 9': { hasPalms: true, hasEyes: true },
  Rokoko: { hasPalms: true },
  ARKit: { hasPalms: true, hasEyes: true },
  'Xsens segments': { hasPalms: true },
  'Xsens BVH': { hasFingers: false },
  'Kinect Azure': { hasFingers: false },
  'Kinect Azure, constants': { hasFingers: false },
  'Kinect 2': { hasFingers: false },
  'SMPL-X': { hasEyes: true },
};

/** Correctives, twist bones, toes, IK bones and bones of the face, by the part that they are below. */
const HELPERS: Record<string, Record<Part, string[]>> = {
  'Unreal Engine': {
    hips: ['ik_foot_l', 'ik_hand_gun', 'center_of_mass', 'interaction'],
    head: ['FACIAL_C_ForeheadSkin', 'FACIAL_C_Neck1Root', 'FACIAL_L_EyelidUpperA'],
    leftUpperArm: ['upperarm_twist_01_l', 'upperarm_correctiveRoot_l', 'upperarm_bicep_l', 'upperarm_twistCor_02_l', 'upperarm_bck_l'],
    leftLowerArm: ['lowerarm_twist_02_l', 'lowerarm_correctiveRoot_l', 'lowerarm_fwd_l', 'wrist_l_jiggle'],
    leftHand: ['wrist_inner_l', 'wrist_outer_l', 'weapon_l'],
    leftShoulder: ['clavicle_pec_l', 'clavicle_out_l', 'clavicle_scap_l'],
    leftUpperLeg: ['thigh_correctiveRoot_l', 'thigh_bck_l', 'thigh_fwd_lwr_l'],
    leftLowerLeg: ['calf_correctiveRoot_l', 'calf_kneeBack_l', 'calf_knee_l', 'ankle_bck_l', 'ankle_fwd_l'],
    leftToes: ['bigtoe_01_l', 'indextoe_01_l', 'middletoe_01_l', 'littletoe_01_l'],
  },
  Source: {
    leftUpperArm: ['ValveBiped.Bip01_L_Bicep', 'ValveBiped.Bip01_L_Shoulder', 'ValveBiped.Bip01_L_Elbow'],
    leftLowerArm: ['ValveBiped.Bip01_L_Ulna', 'ValveBiped.Bip01_L_Wrist', 'ValveBiped.Bip01_L_Forearm_driven'],
    leftHand: ['ValveBiped.Anim_Attachment_LH'],
  },
  'Genesis 9': {
    hips: ['pelvis'],
    leftUpperArm: ['l_upperarmtwist1'],
    leftUpperLeg: ['l_thightwist1'],
    leftFoot: ['l_metatarsal', 'l_bigtoe1', 'l_indextoe1', 'l_midtoe1'],
    head: ['lowerteeth', 'l_eyelidinner'],
  },
  'Character Creator': {
    hips: ['CC_Base_Pelvis'],
    leftUpperLeg: ['CC_Base_L_ThighTwist01', 'CC_Base_L_KneeShareBone'],
    leftUpperArm: ['CC_Base_L_UpperarmTwist01', 'CC_Base_L_ElbowShareBone'],
    leftFoot: ['CC_Base_L_ToeBaseShareBone', 'CC_Base_L_IndexToe1', 'CC_Base_L_BigToe1'],
  },
  ARKit: {
    head: ['jaw_joint', 'chin_joint', 'nose_joint', 'left_eyeball_joint', 'left_eyeUpperLid_joint'],
    leftToes: ['left_toesEnd_joint'],
    leftThumb3: ['left_handThumbEnd_joint'],
    leftIndex3: ['left_handIndexEnd_joint'],
  },
  Rokoko: { leftThumb3: ['LeftFinger1Tip'], leftIndex3: ['LeftFinger2Tip'], leftToes: ['LeftToeTip'], head: ['HeadTip'] },
  'Xsens segments': { leftHand: ['LeftCarpus'] },
  'Kinect Azure': {
    leftHand: ['HAND_LEFT', 'HANDTIP_LEFT', 'THUMB_LEFT'],
    rightHand: ['HAND_RIGHT', 'HANDTIP_RIGHT', 'THUMB_RIGHT'],
    head: ['NOSE', 'EYE_LEFT', 'EAR_LEFT', 'EYE_RIGHT', 'EAR_RIGHT'],
  },
  'Kinect 2': { leftHand: ['HandLeft', 'HandTipLeft', 'ThumbLeft'] },
  'SMPL-X': { head: ['jaw'] },
  'MediaPipe pose and hands': {
    head: ['nose', 'left_eye', 'left_eye_inner', 'left_ear', 'mouth_left'],
    leftFoot: ['left_heel'],
    leftThumb3: ['left_thumb_tip'],
    leftIndex3: ['left_index_finger_tip'],
  },
};

describe('a humanoid is detected by the names of', () => {
  const designs: BodyDesign[] = [
    {},
    { proportions: { neckBones: 2, spineBones: 4 }, axes: 3 },
    { proportions: { spineBones: 2 }, yaw: 90 },
  ];
  it.each(Object.entries({ ...SCHEMES, ...CAPTURE_SCHEMES }))('%s', (scheme, nameOf) => {
    for (const design of designs) {
      const body = new TestBody({ ...design, proportions: { ...design.proportions, ...PARTS[scheme] }, nameOf });
      for (const [below, names] of Object.entries(HELPERS[scheme] ?? {})) hang(body, names, below);
      expect(humanoidOf(body.scene)?.detectedFrom).toBe('names');
      expect(found(body).wrong).toEqual([]);
    }
  });

  it('a skeleton with twist bones, IK bones and a weapon', () => {
    const body = new TestBody({ nameOf: SCHEMES['Unreal Engine'] });
    hang(body, [
      'ik_hand_l',
      'hand_l_weapon',
      'upperarm_twist_01_l',
      'thigh_twist_01_r',
      'ik_foot_r',
      'VB hand_l',
      'head_hair',
      'lowerarm_correctiveRoot_l',
    ]);
    expect(found(body).wrong).toEqual([]);
  });

  it('a skeleton of MikuMikuDance with IK, twist and helper bones', () => {
    const body = new TestBody({ nameOf: SCHEMES['MikuMikuDance'] });
    hang(body, ['左腕捩', '左手捩', '左足ＩＫ', '左つま先ＩＫ', '左肩P', '左足D', '左ひざD', '頭先', '両目'], 'hips');
    expect(found(body).wrong).toEqual([]);
  });

  it('a skeleton whose spine ends above the arms without a head', () => {
    const names: Record<string, string> = { neck1: 'DEF-spine.004', head: 'DEF-spine_end' };
    const { scene } = new TestBody({ nameOf: part => names[part] ?? SCHEMES['Rigify']!(part) });
    expect(humanoidOf(scene)!.bones.has('head')).toBe(false);
  });

  it('a skeleton with a common prefix and shorter names of attachment bones', () => {
    const body = new TestBody({ nameOf: SCHEMES['Biped of 3ds Max'] });
    hang(body, ['LeftHand']);
    hang(body, ['RightFoot'], 'rightFoot');
    expect(found(body).wrong).toEqual([]);
  });
});

/** Adds child bones to a bone of the body. */
function hang(body: TestBody, extra: readonly string[], below: Part = 'leftHand'): void {
  const { nodes } = body.scene;
  const at = nodes.length;
  const grown = <T extends Float32Array | Int32Array | Uint8Array>(column: T, width: number, rest: number[]): T => {
    const result = new (column.constructor as new (length: number) => T)(width * (at + extra.length));
    result.set(column);
    for (let i = at; i < at + extra.length; i++) result.set(rest, width * i);
    return result;
  };
  Object.assign(nodes, {
    length: at + extra.length,
    names: [...nodes.names, ...extra],
    parents: grown(nodes.parents, 1, [body.row(below)]),
    bones: grown(nodes.bones, 1, [0]).map((_, row) => row - 1),
    translations: grown(nodes.translations, 3, [0, 0, 0]),
    rotations: grown(nodes.rotations, 4, [0, 0, 0, 1]),
    scales: grown(nodes.scales, 3, [1, 1, 1]),
  });
}

it('the shortest matching name is preferred, wherever other matches are', () => {
  const body = new TestBody({ nameOf: SCHEMES['Unreal Engine'] });
  hang(body, ['satchelthigh_l'], 'hips');
  const { nodes } = body.scene;
  nodes.parents[nodes.length - 1] = 0; // above the bones of the body
  hang(body, ['satchelcalf_l'], 'hips');
  nodes.parents[nodes.length - 1] = nodes.length - 2;
  expect(found(body).wrong).toEqual([]);
});

it('limbs with hundreds of bones are not recognized', () => {
  for (const [count, detectedFrom] of [
    [200, 'names'],
    [300, undefined],
  ] as const) {
    const legs = ['l', 'r'].flatMap((side): Bone[] => [
      [`thigh_${side}`, 'pelvis', 0, 1, 0],
      ...Array.from({ length: count }, (_, i): Bone => [`x${i}${side}x`, i ? `x${i - 1}${side}x` : `thigh_${side}`, 0, 0.9, 0]),
      [`calf_${side}`, `x${count - 1}${side}x`, 0, 0.5, 0],
      [`upperarm_${side}`, 'pelvis', 0, 1, 0],
      [`lowerarm_${side}`, `upperarm_${side}`, 0, 1, 0],
    ]);
    expect(humanoidOf({ ...armScene(), nodes: skeleton([['pelvis', '', 0, 1, 0], ...legs]) })?.detectedFrom).toBe(detectedFrom);
  }
});

it('nodes that are not bones are ignored if the scene has bones', () => {
  const body = new TestBody();
  hang(body, ['head', 'hips'], 'hips');
  const { nodes } = body.scene;
  for (const row of [nodes.length - 2, nodes.length - 1]) nodes.bones[row] = -1;
  expect(found(body).wrong).toEqual([]);
});

it('the first thumb bone is the metacarpal', () => {
  const names: Record<string, string> = { leftThumb1: 'thumb_metacarpal_l', leftThumb2: 'thumb_01_l', leftThumb3: 'thumb_02_l' };
  const body = new TestBody({ nameOf: part => names[part] ?? SCHEMES['Unreal Engine']!(part) });
  const { bones } = humanoidOf(body.scene)!;
  expect(['Metacarpal', 'Proximal', 'Distal'].map(joint => bones.get(`leftThumb${joint}` as HumanBone))).toEqual(
    [1, 2, 3].map(k => body.row(`leftThumb${k}`)),
  );
});

it('a neck with collar bones as children (Biped) is not the chest', () => {
  const nodes = skeleton([
    ['Bip01 Pelvis', '', 0, 1, 0],
    ['Bip01 Spine', 'Bip01 Pelvis', 0, 1.1, 0],
    ['Bip01 Spine1', 'Bip01 Spine', 0, 1.3, 0],
    ['Bip01 Neck', 'Bip01 Spine1', 0, 1.5, 0],
    ['Bip01 Head', 'Bip01 Neck', 0, 1.6, 0],
    ...(['L', 'R'] as const).flatMap((side): [string, string, number, number, number][] => {
      const x = side === 'L' ? 1 : -1;
      return [
        [`Bip01 ${side} Clavicle`, 'Bip01 Neck', 0.05 * x, 1.5, 0],
        [`Bip01 ${side} UpperArm`, `Bip01 ${side} Clavicle`, 0.2 * x, 1.5, 0],
        [`Bip01 ${side} Forearm`, `Bip01 ${side} UpperArm`, 0.5 * x, 1.5, 0],
        [`Bip01 ${side} Hand`, `Bip01 ${side} Forearm`, 0.7 * x, 1.5, 0],
        [`Bip01 ${side} Thigh`, 'Bip01 Pelvis', 0.1 * x, 0.95, 0],
        [`Bip01 ${side} Calf`, `Bip01 ${side} Thigh`, 0.1 * x, 0.5, 0],
        [`Bip01 ${side} Foot`, `Bip01 ${side} Calf`, 0.1 * x, 0.1, 0],
      ];
    }),
  ]);
  const { spine, neck } = humanoidOf({ ...armScene(), nodes })!;
  expect([spine, neck].map(rows => rows.map(row => nodes.names[row]))).toEqual([['Bip01 Spine', 'Bip01 Spine1'], ['Bip01 Neck']]);
});

describe('inferred from topology', () => {
  const limb = (name: string, parent: string, side: number, ...places: [number, number, number][]): Bone[] =>
    places.map(([x, y, z], i) => [`${name}${side}.${i}`, i === 0 ? parent : `${name}${side}.${i - 1}`, side * x, y, z]);
  const both = (of: (side: number) => Bone[]): Bone[] => [1, -1].flatMap(of);
  const arms = (side: number): Bone[] => limb('a', 't2', side, [0.2, 1.4, 0], [0.5, 1.4, 0], [0.75, 1.4, 0], [0.9, 1.4, 0]);
  const legs = (side: number): Bone[] => limb('l', 'p', side, [0.1, 0.95, 0], [0.1, 0.5, 0.01], [0.1, 0.08, 0], [0.1, 0.02, 0.15]);
  const trunk: Bone[] = [
    ['p', '', 0, 1, 0],
    ['t1', 'p', 0, 1.15, 0],
    ['t2', 't1', 0, 1.3, 0],
    ['n', 't2', 0, 1.5, 0],
    ['h', 'n', 0, 1.65, 0],
  ];
  const knownAs = (...bones: Bone[]): Record<string, string> => {
    const nodes = skeleton(bones);
    const human = humanoidOf({ ...armScene(), nodes });
    return Object.fromEntries([...(human?.bones ?? [])].map(([bone, row]) => [bone, nodes.names[row]!]));
  };
  const plain = { hips: 'p', head: 'h', leftUpperLeg: 'l1.0', leftLowerLeg: 'l1.1', leftFoot: 'l1.2', leftToes: 'l1.3' };
  const armsOf = { leftUpperArm: 'a1.0', leftLowerArm: 'a1.1', leftHand: 'a1.2' };

  it('arms without collar bones start with the upper arm', () => {
    const known = knownAs(...trunk, ...both(legs), ...both(arms));
    expect(known).toMatchObject({ ...plain, ...armsOf, rightUpperLeg: 'l-1.0', rightHand: 'a-1.2' });
    expect(known).not.toHaveProperty('leftShoulder');
  });

  it('a short first arm bone is the collar bone', () => {
    const withCollar = (side: number): Bone[] =>
      limb('a', 't2', side, [0.05, 1.42, 0], [0.2, 1.4, 0], [0.5, 1.4, 0], [0.75, 1.4, 0], [0.9, 1.4, 0]);
    expect(knownAs(...trunk, ...both(legs), ...both(withCollar))).toMatchObject({
      leftShoulder: 'a1.0',
      leftUpperArm: 'a1.1',
      leftHand: 'a1.3',
    });
  });

  it('bones at the position of their parent are skipped', () => {
    const twisted = (side: number): Bone[] =>
      limb('a', 't2', side, [0.2, 1.4, 0], [0.2, 1.4, 0], [0.5, 1.4, 0], [0.5, 1.4, 0], [0.75, 1.4, 0], [0.9, 1.4, 0]);
    expect(knownAs(...trunk, ...both(legs), ...both(twisted))).toMatchObject({
      leftUpperArm: 'a1.0',
      leftLowerArm: 'a1.2',
      leftHand: 'a1.4',
    });
  });

  it('short mirrored pairs are not arms', () => {
    const pouches = (side: number): Bone[] => limb('x', 't1', side, [0.1, 1.15, 0.1], [0.15, 1.1, 0.1]);
    expect(knownAs(...trunk, ...both(pouches), ...both(legs), ...both(arms))).toMatchObject({ ...plain, ...armsOf });
  });

  it('mirrored pairs that don’t reach the ground are not legs', () => {
    const tails = (side: number): Bone[] => limb('x', 'p', side, [0.12, 0.98, -0.1], [0.12, 0.7, -0.1], [0.12, 0.45, -0.1]);
    expect(knownAs(...trunk, ...both(tails), ...both(legs), ...both(arms))).toMatchObject({ ...plain, ...armsOf });
  });

  it('bones with too many children are not searched', () => {
    const many = (count: number): Bone[] => Array.from({ length: count }, (_, i) => [`x${i}`, 'p', 0.01 * i, 1.2, -0.2 - 0.03 * i]);
    expect(knownAs(...trunk, ...both(legs), ...both(arms), ...many(61))).toMatchObject({ ...plain, ...armsOf });
    expect(knownAs(...trunk, ...both(legs), ...both(arms), ...many(62))).toEqual({});
  });
});

describe('fingers that are numbered from 1 to 4', () => {
  /** Numbers the fingers of a hand without a little finger. `shift`: number of the thumb. */
  const numbered =
    (fingers: readonly string[], shift: number) =>
    (part: Part): string => {
      const found = /^(left|right)(Thumb|Index|Middle|Ring|Little)(\d)$/.exec(part);
      const at = fingers.indexOf(found?.[2] ?? '');
      return !found ? part : at < 0 ? `x${part.length}` : `${found[1]}Finger${at + shift}${found[3]}`;
    };
  const firstOf = (body: TestBody): Record<string, Part | undefined> => {
    const { bones } = humanoidOf(body.scene)!;
    return Object.fromEntries(
      ['ThumbMetacarpal', 'IndexProximal', 'RingProximal', 'LittleProximal'].map(bone => [
        bone,
        body.bones[(bones.get(`left${bone}` as HumanBone) ?? 0) - 1]?.part,
      ]),
    );
  };

  it('start with the thumb if finger 1 starts near the wrist', () => {
    const body = new TestBody({ nameOf: numbered(['Thumb', 'Index', 'Middle', 'Ring'], 1) });
    expect(firstOf(body)).toEqual({
      ThumbMetacarpal: 'leftThumb1',
      IndexProximal: 'leftIndex1',
      RingProximal: 'leftRing1',
      LittleProximal: undefined,
    });
  });

  it('start with the index finger if finger 1 is in line with the others', () => {
    const body = new TestBody({ nameOf: numbered(['Index', 'Middle', 'Ring', 'Little'], 1) });
    expect(firstOf(body)).toEqual({
      ThumbMetacarpal: undefined,
      IndexProximal: 'leftIndex1',
      RingProximal: 'leftRing1',
      LittleProximal: 'leftLittle1',
    });
  });

  it('start with the index finger beside a thumb with a name', () => {
    for (const shift of [0, 1, 2]) {
      const nameOf = numbered(['Index', 'Middle', 'Ring', 'Little'], shift);
      const body = new TestBody({ nameOf: part => (part.includes('Thumb') ? part : nameOf(part)) });
      expect(firstOf(body)).toMatchObject({ ThumbMetacarpal: 'leftThumb1', IndexProximal: 'leftIndex1', LittleProximal: 'leftLittle1' });
    }
  });

  it('are not mapped if their positions are ambiguous', () => {
    const body = new TestBody({ nameOf: numbered(['Index', 'Middle', 'Ring', 'Little'], 1) });
    const row = body.row('leftIndex1');
    body.scene.nodes.translations[3 * row]! *= 0.7; // neither as near as a thumb nor in line
    expect(firstOf(body)).toEqual({
      ThumbMetacarpal: undefined,
      IndexProximal: undefined,
      RingProximal: undefined,
      LittleProximal: undefined,
    });
  });

  it('start with the thumb if finger 1 points in another direction', () => {
    const body = new TestBody({ nameOf: numbered(['Thumb', 'Index', 'Middle', 'Ring'], 1) });
    const { translations } = body.scene.nodes;
    translations[3 * body.row('leftThumb1')] = 0.09;
    for (const k of [2, 3]) translations.set([0.02, 0, 0.03], 3 * body.row(`leftThumb${k}`));
    expect(firstOf(body)).toMatchObject({ ThumbMetacarpal: 'leftThumb1', IndexProximal: 'leftIndex1' });
  });
});

it('palm bones and finger tips are not finger bones', () => {
  const palms = new TestBody({
    nameOf: part => (/^left(Index|Middle)/.test(part) ? part.replace(/1$/, 'Palm').replace(/2$/, '1').replace(/3$/, 'Tip') : part),
  });
  const { bones } = humanoidOf(palms.scene)!;
  expect(bones.get('leftIndexProximal')).toBe(palms.row('leftIndex2'));
  expect(bones.get('leftIndexIntermediate')).toBe(undefined);
});

it('a humanoid without known names is inferred from topology', () => {
  for (const design of [
    {},
    { armsDown: 50, axes: 4 },
    { yaw: 180, axes: 2 },
    { proportions: { upperLeg: 0.2, lowerLeg: 0.19, spine: 0.35 } },
  ] satisfies BodyDesign[]) {
    const names = new Map<Part, string>();
    const body = new TestBody({ ...design, nameOf: part => names.get(part) ?? (names.set(part, `Bone${names.size}`), names.get(part)!) });
    expect(humanoidOf(body.scene)?.detectedFrom).toBe('topology');
    const limbs = body.bones.map(({ part }) => part).filter(part => !/Thumb|Index|Middle|Ring|Little/.test(part));
    expect(found(body, limbs).wrong).toEqual([]);
  }
});

it('a scene without arms or legs is not a humanoid', () => {
  const body = new TestBody({ nameOf: part => (part.includes('Leg') ? 'wheel' : part) });
  const { nodes } = body.scene;
  expect(humanoidOf(body.scene)?.detectedFrom).not.toBe('names');
  nodes.translations.fill(0);
  expect(humanoidOf(body.scene)).toBe(null);
});

// ---------------------------------------------------------------- real bodies

const corpus = new URL('../../../../shared/corpus/', import.meta.url);

/**
 * Bone names of both sides, with `S` as a placeholder for the side, and names of the central bones.
 */
const biped = (name: string) => ({
  sides: ['L', 'R'],
  limbs: words`UpperLeg ${`${name} S Thigh`} LowerLeg ${`${name} S Calf`} Foot ${`${name} S Foot`} UpperArm ${`${name} S UpperArm`} LowerArm ${`${name} S Forearm`} Shoulder ${`${name} S Clavicle`} Hand ${`${name} S Hand`} ThumbMetacarpal ${`${name} S Finger0`}`,
  middle: words`hips ${`${name} Pelvis`} spine ${`${name} Spine`} neck ${`${name} Neck`} head ${`${name} Head`}`,
});
const fingers = (nameOf: (finger: string, k: number) => string): [string, string][] =>
  ['Thumb', 'Index', 'Middle', 'Ring', 'Little'].flatMap(finger =>
    (finger === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal']).map(
      (joint, i): [string, string] => [`${finger}${joint}`, nameOf(finger === 'Little' ? 'Pinky' : finger, i + 1)],
    ),
  );
const unreal = {
  sides: ['l', 'r'],
  limbs: [
    ...words`UpperLeg ${'thigh_S'} LowerLeg ${'calf_S'} Foot ${'foot_S'} Toes ${'ball_S'} UpperArm ${'upperarm_S'} LowerArm ${'lowerarm_S'} Shoulder ${'clavicle_S'} Hand ${'hand_S'}`,
    ...fingers((finger, k) => `${finger.toLowerCase()}_0${k}_S`),
  ],
  middle: words`hips ${'pelvis'} spine ${'spine_01'} chest ${'spine_02'} upperChest ${'spine_03'} neck ${'neck_01'} head ${'head'}`,
};
const maya = (little: string) => ({
  sides: ['Left', 'Right'],
  limbs: [
    ...words`UpperLeg ${'SUpLeg'} LowerLeg ${'SLeg'} Foot ${'SFoot'} Toes ${'SToeBase'} UpperArm ${'SArm'} LowerArm ${'SForeArm'} Shoulder ${'SShoulder'} Hand ${'SHand'}`,
    ...fingers((finger, k) => (finger === 'Pinky' ? `${little}${k}` : `SHand${finger}${k}`)),
  ],
  middle: words`hips ${'Hips'} spine ${'Spine'} head ${'Head'}`,
});
const rigify = {
  sides: ['L', 'R'],
  limbs: [
    ...words`UpperLeg ${'ORG-thigh_S'} LowerLeg ${'ORG-shin_S'} Foot ${'ORG-foot_S'} Toes ${'ORG-toe_S'} UpperArm ${'ORG-upper_arm_S'} LowerArm ${'ORG-forearm_S'} Shoulder ${'ORG-shoulder_S'} Hand ${'ORG-hand_S'}`,
    ...fingers((finger, k) => `ORG-${finger === 'Thumb' ? '' : 'f_'}${finger.toLowerCase()}_0${k}_S`),
  ],
  middle: [],
};
const joints = {
  sides: ['l', 'r'],
  limbs: words`UpperLeg ${'body_S_thigh_joint'} LowerLeg ${'body_S_knee_joint'} Foot ${'body_S_ankle_joint'} Toes ${'body_S_ball_joint'} UpperArm ${'body_S_shoulder_joint'} LowerArm ${'body_S_elbow_joint'} Shoulder ${'body_S_clavicle_joint'} Hand ${'body_S_wrist_joint'} ThumbMetacarpal ${'body_S_thumbbase_joint'} IndexProximal ${'body_S_indexbase_joint'}`,
  middle: words`hips ${'body_root_joint'} neck ${'body_neck_joint'} head ${'body_head_joint'}`,
};

function words(names: TemplateStringsArray, ...bones: string[]): [string, string][] {
  return bones.map((bone, i): [string, string] => [names[i]!.trim(), bone]);
}

it.skipIf(!existsSync(corpus))('corpus humanoids are mapped as annotated', async () => {
  const bodies: [string, { sides: string[]; limbs: [string, string][]; middle: [string, string][] }][] = [
    ...['Fawkes', 'GinnyLucious', 'Knight', 'ProfMcGonagall', 'YoungAragog', 'cornishpixie'].map(
      (name): [string, ReturnType<typeof biped>] => [`hp2/sk${name}Mesh`, biped('bip01')],
    ),
    ['hp2/skBeaterMesh', biped('BEATER')],
    ['hp2/skgnomeMesh', biped('GNOME')],
    ...['SK_MaleAll_01_Head_Lod1', 'SK_MaleBase_01_Body', 'SK_Male_HazmatArmorMK1_01', 'SK_Male_LightArmor_01_Lod2'].map(
      (name): [string, typeof unreal] => [`psk_loaders/${name}`, unreal],
    ),
    ['psk_psa_py/Grunt_Preview_LOD0', maya('SHandPinky')],
    ['psk_psa_py/carlos_head_carlos', maya('SInHandPinky')],
    ['psk_psa_py/player_body', rigify],
    ['psk_psa_py/Shrek', joints],
  ];
  const wrong: string[] = [];
  let count = 0;
  for (const [path, { sides, limbs, middle }] of bodies) {
    const { scene } = await open(readFileSync(new URL(`psk/${path}.psk`, corpus)), { name: path, worker: false });
    const bones = humanoidOf(scene!)?.bones;
    const meant = [
      ...middle,
      ...limbs.flatMap(([part, bone]) => sides.map((side, i) => [`${['left', 'right'][i]}${part}`, bone.replace('S', side)] as const)),
    ];
    for (const [part, bone] of meant) {
      const is = scene!.nodes.names[bones?.get(part as HumanBone) ?? -1];
      if (is !== bone) wrong.push(`${path}: ${part} is ${is}, not ${bone}`);
      count++;
    }
  }
  expect(count).toBeGreaterThan(500);
  expect(1 - wrong.length / count, wrong.join('\n')).toBeGreaterThanOrEqual(0.98);
});

it.skipIf(!existsSync(corpus))('detection by name agrees with the declarations of avatars', async () => {
  let [count, right] = [0, 0];
  for (const path of readdirSync(new URL('vgo/generated/', corpus)).filter(name => name.startsWith('avatar_') && name.endsWith('.vgo'))) {
    const { scene } = await open(readFileSync(new URL(`vgo/generated/${path}`, corpus)), { name: path, worker: false });
    const humanoid = humanoidOf(scene!)!;
    expect(humanoid.detectedFrom).toBe('file');
    const named = humanoidOf({ ...scene!, features: scene!.features.filter(({ kind }) => kind !== 'humanoid') });
    for (const [part, row] of humanoid.bones) {
      count++;
      if (named?.bones.get(part) === row) right++;
    }
  }
  expect(count).toBeGreaterThan(200);
  expect(right / count).toBeGreaterThanOrEqual(0.98);
});
