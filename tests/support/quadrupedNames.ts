// Bone names of quadrupeds in common tools and packs of animals, by body part. A part without a name
// doesn't exist in the scheme.
import type { Part } from './testSkeleton.ts';

type Names = (part: Part) => string | null;
type Leg = Partial<Record<'Shoulder' | 'Pelvis' | 'UpperLeg' | 'LowerLeg' | 'Foot' | 'Toes', string>>;

/** Splits `leftFrontUpperLeg` into side, pair and segment. */
const legOf = (part: Part): { side: 'left' | 'right'; pair: 'Front' | 'Hind'; segment: keyof Leg } | null => {
  const [, side, pair, segment] = /^(left|right)(Front|Hind)(\w+)$/.exec(part) ?? [];
  return segment ? { side: side as 'left', pair: pair as 'Front', segment: segment as keyof Leg } : null;
};
const numberOf = (part: Part): number => Number(/\d+$/.exec(part)?.[0]);

/**
 * Creates a scheme. `S` in the names of legs is the side. `rest`: names of all other parts.
 */
const scheme =
  (sides: readonly [string, string], legs: { Front: Leg; Hind: Leg }, rest: Names): Names =>
  part => {
    const leg = legOf(part);
    const name = leg ? legs[leg.pair][leg.segment] : rest(part);
    const side = part.startsWith('left') ? sides[0] : sides[1];
    return name?.replace('S_', side) ?? null;
  };

/** Names of trunk, head and tail. `#` is a number, counted from 1. Ears contain `S_`. */
const trunk =
  (
    names: { hips: string; spine: string; neck: string | null; head: string; tail: string | null; ear?: string; jaw?: string },
    first = 1,
  ): Names =>
  part => {
    const kind = part
      .replace(/^(left|right)/, '')
      .replace(/\d+$/, '')
      .toLowerCase() as keyof typeof names;
    return (
      names[kind]?.replace('##', String(numberOf(part) + first - 1).padStart(2, '0')).replace('#', String(numberOf(part) + first - 1)) ??
      null
    );
  };

export const QUADRUPED_SCHEMES: Readonly<Record<string, Names>> = {
  'parts of this test': part => (/HindPelvis/.test(part) ? null : part),
  'Biped of 3ds Max': scheme(
    ['L', 'R'],
    {
      Front: {
        Shoulder: 'Bip01 S_ Clavicle',
        UpperLeg: 'Bip01 S_ UpperArm',
        LowerLeg: 'Bip01 S_ Forearm',
        Foot: 'Bip01 S_ Hand',
        Toes: 'Bip01 S_ Finger0',
      },
      Hind: { UpperLeg: 'Bip01 S_ Thigh', LowerLeg: 'Bip01 S_ Calf', Foot: 'Bip01 S_ HorseLink', Toes: 'Bip01 S_ Foot' },
    },
    trunk({ hips: 'Bip01 Pelvis', spine: 'Bip01 Spine#', neck: 'Bip01 Neck#', head: 'Bip01 Head', tail: 'Bip01 Tail#' }),
  ),
  'Truebones (Biped, underscores)': scheme(
    ['L', 'R'],
    {
      Front: {
        Shoulder: 'Bip01_S_Clavicle',
        UpperLeg: 'Bip01_S_UpperArm',
        LowerLeg: 'Bip01_S_Forearm',
        Foot: 'Bip01_S_Hand',
        Toes: 'Bip01_S_Finger0',
      },
      Hind: { UpperLeg: 'Bip01_S_Thigh', LowerLeg: 'Bip01_S_Calf', Foot: 'Bip01_S_HorseLink', Toes: 'Bip01_S_Foot' },
    },
    trunk({ hips: 'Hips', spine: 'Bip01_Spine#', neck: 'Bip01_Neck#', head: 'Bip01_Head', tail: 'BN_Tail_##', jaw: 'BN_Jaw' }),
  ),
  'Rigify (wolf, cat, horse)': scheme(
    ['L', 'R'],
    {
      Front: {
        Shoulder: 'DEF-shoulder.S_',
        UpperLeg: 'DEF-front_thigh.S_',
        LowerLeg: 'DEF-front_shin.S_',
        Foot: 'DEF-front_foot.S_',
        Toes: 'DEF-front_toe.S_',
      },
      Hind: { Pelvis: 'DEF-pelvis.S_', UpperLeg: 'DEF-thigh.S_', LowerLeg: 'DEF-shin.S_', Foot: 'DEF-foot.S_', Toes: 'DEF-toe.S_' },
    },
    part => {
      const spine = /^(spine|neck)(\d)$/.exec(part);
      if (part === 'hips') return 'DEF-spine.004';
      if (part === 'head') return 'DEF-spine.011';
      if (spine) return `DEF-spine.${String(Number(spine[2]) + (spine[1] === 'spine' ? 4 : 8)).padStart(3, '0')}`;
      if (part.startsWith('tail')) return ['DEF-spine.003', 'DEF-spine.002', 'DEF-spine.001', 'DEF-spine'][numberOf(part) - 1] ?? null;
      return part === 'jaw' ? 'DEF-jaw' : `DEF-ear.S_`;
    },
  ),
  'Fox of the glTF samples': scheme(
    ['Left', 'Right'],
    {
      Front: { UpperLeg: 'b_S_UpperArm_06', LowerLeg: 'b_S_ForeArm_07', Foot: 'b_S_Hand_08' },
      Hind: { UpperLeg: 'b_S_Leg01_015', LowerLeg: 'b_S_Leg02_016', Foot: 'b_S_Foot01_017', Toes: 'b_S_Foot02_018' },
    },
    trunk({ hips: 'b_Hip_01', spine: 'b_Spine##_02', neck: 'b_Neck_04', head: 'b_Head_05', tail: 'b_Tail##_012' }),
  ),
  Mesh2Motion: scheme(
    ['L', 'R'],
    {
      Front: {
        Shoulder: 'Front_Leg_Shoulder_S_',
        UpperLeg: 'Front_Leg_Upper_S_',
        LowerLeg: 'Front_Leg_Lower_S_',
        Foot: 'Front_Leg_Ankle_S_',
        Toes: 'Front_Leg_Foot_S_',
      },
      Hind: {
        Pelvis: 'Back_Leg_Pelvis_S_',
        UpperLeg: 'Back_Leg_Upper_S_',
        LowerLeg: 'Back_Leg_Lower_S_',
        Foot: 'Back_Leg_Ankle_S_',
        Toes: 'Back_Leg_Foot_S_',
      },
    },
    trunk({ hips: 'Hips', spine: 'Spine_#', neck: 'Spine_4', head: 'Head', tail: 'Tail_Mid.00#', ear: 'Ear_S_', jaw: 'Chin' }),
  ),
  'Front_Shoulder, Front_Knee, Front_Foot': scheme(
    ['L', 'R'],
    {
      Front: { UpperLeg: 'Front_Shoulder_S_', LowerLeg: 'Front_Knee_S_', Foot: 'Front_Foot_S_' },
      Hind: { UpperLeg: 'Hind_Shoulder_S_', LowerLeg: 'Hind_Knee_S_', Foot: 'Hind_Fooot_S_', Toes: 'Hind_Hoof_S_' },
    },
    trunk({ hips: 'Pelvis', spine: 'Spine_#', neck: 'Neck', head: 'Head', tail: 'Tail_#' }),
  ),
  'LegFront1, FrontFoot1': scheme(
    ['L', 'R'],
    {
      Front: { UpperLeg: 'LegFront1.S_', LowerLeg: 'LegFront2.S_', Foot: 'FrontFoot1.S_', Toes: 'FrontFoot2.S_' },
      Hind: { UpperLeg: 'LegBack1.S_', LowerLeg: 'LegBack2.S_', Foot: 'BackFoot1.S_', Toes: 'BackFoot2.S_' },
    },
    trunk({ hips: 'Hip', spine: 'Spine#', neck: 'Neck', head: 'head', tail: 'tail_#' }),
  ),
  'Front.L1 to Front.L3': scheme(
    ['L', 'R'],
    {
      Front: { UpperLeg: 'Front.S_1', LowerLeg: 'Front.S_2', Foot: 'Front.S_3' },
      Hind: { UpperLeg: 'Back.S_1', LowerLeg: 'Back.S_2', Foot: 'Back.S_3' },
    },
    trunk({ hips: 'Base', spine: 'Body#', neck: 'Neck', head: 'Head', tail: 'Tail#' }),
  ),
  'UpperLeg_FL, Foot_HR': part => {
    const leg = legOf(part);
    if (leg) return /Shoulder|Pelvis/.test(leg.segment) ? null : `${leg.segment}_${leg.pair[0]}${leg.side[0]!.toUpperCase()}`;
    return trunk({ hips: 'Pelvis', spine: 'Spine#', neck: 'Neck#', head: 'Head', tail: 'Tail#' })(part);
  },
  'front_leg_upper.L, front_paw.L': scheme(
    ['L', 'R'],
    {
      Front: { UpperLeg: 'front_leg_upper.S_', LowerLeg: 'front_leg_lower.S_', Foot: 'front_paw.S_' },
      Hind: { UpperLeg: 'back_leg_upper.S_', LowerLeg: 'back_leg_lower.S_', Foot: 'back_paw.S_' },
    },
    trunk({ hips: 'hips', spine: 'spine.00#', neck: 'neck', head: 'head', tail: 'tail_##' }),
  ),
  'LeftFrontUpperLeg, LeftRearFoot': part => {
    const leg = legOf(part);
    if (leg)
      return /Shoulder|Pelvis/.test(leg.segment)
        ? null
        : `${leg.side === 'left' ? 'Left' : 'Right'}${leg.pair === 'Front' ? 'Front' : 'Rear'}${leg.segment}`;
    return (
      trunk({ hips: 'Hips', spine: 'Spine#', neck: 'Neck#', head: 'Head', tail: 'Tail#', ear: 'S_Ear' })(part)?.replace(
        'S_',
        part.startsWith('left') ? 'Left' : 'Right',
      ) ?? null
    );
  },
  'dog of Unreal Tournament': scheme(
    ['Left', 'Right'],
    {
      Front: { Shoulder: 'b_S_Clav', UpperLeg: 'b_S_Arm', LowerLeg: 'b_S_ForeArm', Foot: 'b_S_Hand', Toes: 'b_S_Finger' },
      Hind: { UpperLeg: 'b_S_LegUpper', LowerLeg: 'b_S_Leg', Foot: 'b_S_Leg1', Toes: 'b_S_Ankle' },
    },
    trunk({ hips: 'b_Hips', spine: 'b_Spine#', neck: 'b__Neck#', head: 'b_Head', tail: 'b_Tail00#', jaw: 'Dog_Jaw' }),
  ),
  'Unreal Engine names on four legs': scheme(
    ['l', 'r'],
    {
      Front: { Shoulder: 'clavicle_S_', UpperLeg: 'upperarm_S_', LowerLeg: 'lowerarm_S_', Foot: 'hand_S_', Toes: 'finger_S_' },
      Hind: { UpperLeg: 'thigh_S_', LowerLeg: 'calf_S_', Foot: 'foot_S_', Toes: 'ball_S_' },
    },
    trunk({ hips: 'pelvis', spine: 'spine_##', neck: 'neck_##', head: 'head', tail: 'tail_##', ear: 'ear_S_', jaw: 'jaw' }),
  ),
};
