// Bone names that common tools give to the body parts in tests/support/bodies.ts.
import type { Part } from './bodies.ts';

type Side = 'left' | 'right';
type Names = (part: string, side: Side | null, number: number) => string;

/**
 * Returns a function that calls `nameOf` with the kind, side and number of a body part. The number
 * is 0 if the part has none.
 */
export function take(nameOf: Names): (part: Part) => string {
  return part => {
    const [, side = null, kind = '', number = '0'] = /^(left|right)?(.*?)(\d*)$/.exec(part)!;
    return nameOf(side ? kind : kind.toLowerCase(), side as Side | null, Number(number || 0));
  };
}

export const FINGERS: readonly string[] = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];
export const isFinger = (part: string): boolean => FINGERS.includes(part);
export const two = (k: number): string => String(k).padStart(2, '0');

/** Bone names of Maya's HumanIK, which Mixamo uses too. `prefix`: precedes each name. */
export const mayaNames = (prefix: string): ((part: Part) => string) =>
  take((part, side, k) => {
    const s = side ? side[0]!.toUpperCase() + side.slice(1) : '';
    if (isFinger(part)) return `${prefix}${s}Hand${part === 'Little' ? 'Pinky' : part}${k}`;
    const names: Record<string, string> = {
      hips: 'Hips',
      spine: `Spine${k > 1 ? k - 1 : ''}`,
      neck: `Neck${k > 1 ? k - 1 : ''}`,
      head: 'Head',
      UpperArm: 'Arm',
      LowerArm: 'ForeArm',
      UpperLeg: 'UpLeg',
      LowerLeg: 'Leg',
      Toes: 'ToeBase',
    };
    return `${prefix}${s}${names[part] ?? part}`;
  });

export const SCHEMES: Readonly<Record<string, (part: Part) => string>> = {
  'Unreal Engine': take((part, side, k) => {
    const s = side ? `_${side[0]}` : '';
    if (isFinger(part)) return `${part === 'Little' ? 'pinky' : part.toLowerCase()}_${k === 0 ? 'metacarpal' : two(k)}${s}`;
    const names: Record<string, string> = {
      hips: 'pelvis',
      spine: `spine_${two(k)}`,
      neck: `neck_${two(k)}`,
      Shoulder: 'clavicle',
      UpperArm: 'upperarm',
      LowerArm: 'lowerarm',
      Hand: 'hand',
      UpperLeg: 'thigh',
      LowerLeg: 'calf',
      Foot: 'foot',
      Toes: 'ball',
    };
    return (names[part] ?? part) + s;
  }),
  'Biped of 3ds Max': take((part, side, k) => {
    const s = side ? `${side[0]!.toUpperCase()} ` : '';
    if (isFinger(part)) return `Bip01 ${s}Finger${FINGERS.indexOf(part)}${k > 1 ? k - 1 : ''}`;
    const names: Record<string, string> = {
      hips: 'Pelvis',
      spine: `Spine${k > 1 ? k - 1 : ''}`,
      neck: `Neck${k > 1 ? k - 1 : ''}`,
      head: 'Head',
      Shoulder: 'Clavicle',
      UpperArm: 'UpperArm',
      LowerArm: 'Forearm',
      UpperLeg: 'Thigh',
      LowerLeg: 'Calf',
      Toes: 'Toe0',
    };
    return `Bip01 ${s}${names[part] ?? part}`;
  }),
  Source: take((part, side, k) => {
    const s = side ? `${side[0]!.toUpperCase()}_` : '';
    if (isFinger(part)) return `ValveBiped.Bip01_${s}Finger${FINGERS.indexOf(part)}${k > 1 ? k - 1 : ''}`;
    const names: Record<string, string> = {
      hips: 'Pelvis',
      spine: `Spine${k > 1 ? k : ''}`,
      neck: `Neck${k}`,
      head: 'Head1',
      Shoulder: 'Clavicle',
      LowerArm: 'Forearm',
      UpperLeg: 'Thigh',
      LowerLeg: 'Calf',
      Toes: 'Toe0',
    };
    return `ValveBiped.Bip01_${s}${names[part] ?? part}`;
  }),
  'Call of Duty': take((part, side, k) => {
    const s = side ? `_${side.slice(0, 2)}` : '';
    if (isFinger(part)) return `j_${part === 'Little' ? 'pinky' : part === 'Middle' ? 'mid' : part.toLowerCase()}${s}_${k}`;
    const names: Record<string, string> = {
      hips: 'j_mainroot',
      spine: ['j_spinelower', 'j_spineupper', 'j_spine4'][k - 1] ?? `j_spine${k}`,
      Shoulder: 'j_clavicle',
      UpperArm: 'j_shoulder',
      LowerArm: 'j_elbow',
      Hand: 'j_wrist',
      UpperLeg: 'j_hip',
      LowerLeg: 'j_knee',
      Foot: 'j_ankle',
      Toes: 'j_ball',
    };
    return (names[part] ?? `j_${part}`) + s;
  }),
  Mixamo: mayaNames('mixamorig:'),
  HumanIK: mayaNames('Character1_'),
  'VRoid (VRM)': take((part, side, k) => {
    const s = side ? side[0]!.toUpperCase() : 'C';
    const names: Record<string, string> = {
      hips: 'Hips',
      spine: ['Spine', 'Chest', 'UpperChest'][k - 1] ?? `Spine${k}`,
      neck: 'Neck',
      head: 'Head',
      Toes: 'ToeBase',
    };
    return `J_Bip_${s}_${names[part] ?? part}${isFinger(part) ? k : ''}`;
  }),
  'Unity (VGO)': take((part, side, k) => {
    const s = side ? side[0]!.toUpperCase() + side.slice(1) : '';
    const names: Record<string, string> = {
      hips: 'Hips',
      spine: ['Spine', 'Chest', 'UpperChest'][k - 1] ?? `Spine${k}`,
      neck: 'Neck',
      head: 'Head',
    };
    return `${s}${names[part] ?? part}${isFinger(part) ? ['Proximal', 'Intermediate', 'Distal'][k - 1]! : ''}`;
  }),
  Rigify: take((part, side, k) => {
    const s = side ? `.${side[0]!.toUpperCase()}` : '';
    if (isFinger(part)) return `DEF-${part === 'Thumb' ? 'thumb' : `f_${part === 'Little' ? 'pinky' : part.toLowerCase()}`}.${two(k)}${s}`;
    const names: Record<string, string> = {
      hips: 'DEF-spine',
      spine: `DEF-spine.00${k}`,
      neck: `DEF-spine.00${k + 5}`,
      head: 'DEF-spine.009',
      Shoulder: 'DEF-shoulder',
      UpperArm: 'DEF-upper_arm',
      LowerArm: 'DEF-forearm',
      Hand: 'DEF-hand',
      UpperLeg: 'DEF-thigh',
      LowerLeg: 'DEF-shin',
      Foot: 'DEF-foot',
      Toes: 'DEF-toe',
    };
    return (names[part] ?? part) + s;
  }),
  "Rigify's metarig": part => SCHEMES['Rigify']!(part).replace('DEF-', ''),
  MakeHuman: take((part, side, k) => {
    const s = side ? `.${side[0]!.toUpperCase()}` : '';
    if (isFinger(part)) return `finger${FINGERS.indexOf(part) + 1}-${k}${s}`;
    const names: Record<string, string> = {
      hips: 'root',
      spine: `spine0${6 - k}`,
      neck: `neck0${k}`,
      Shoulder: 'clavicle',
      UpperArm: 'upperarm01',
      LowerArm: 'lowerarm01',
      Hand: 'wrist',
      UpperLeg: 'upperleg01',
      LowerLeg: 'lowerleg01',
      Foot: 'foot',
      Toes: 'toe1-1',
    };
    return (names[part] ?? part) + s;
  }),
  XNALara: take((part, side, k) => {
    if (isFinger(part)) return `arm ${side} finger ${FINGERS.indexOf(part) + 1}${'abc'[k - 1]}`;
    const names: Record<string, string> = {
      hips: 'root hips',
      spine: `spine ${['lower', 'middle', 'upper'][k - 1] ?? k}`,
      neck: `head neck lower${k > 1 ? ` ${k}` : ''}`,
      head: 'head neck upper',
      Shoulder: `arm ${side} shoulder 1`,
      UpperArm: `arm ${side} shoulder 2`,
      LowerArm: `arm ${side} elbow`,
      Hand: `arm ${side} wrist`,
      UpperLeg: `leg ${side} thigh`,
      LowerLeg: `leg ${side} knee`,
      Foot: `leg ${side} ankle`,
      Toes: `leg ${side} toes`,
    };
    return names[part] ?? part;
  }),
  MikuMikuDance: take((part, side, k) => {
    const s = side ? { left: '左', right: '右' }[side] : '';
    const digit = '０１２３'[k - (part === 'Thumb' ? 1 : 0)];
    if (isFinger(part)) return `${s}${['親指', '人指', '中指', '薬指', '小指'][FINGERS.indexOf(part)]}${digit}`;
    const names: Record<string, string> = {
      hips: 'センター',
      spine: `上半身${k > 1 ? k : ''}`,
      neck: `首${k > 1 ? k : ''}`,
      head: '頭',
      Shoulder: '肩',
      UpperArm: '腕',
      LowerArm: 'ひじ',
      Hand: '手首',
      UpperLeg: '足',
      LowerLeg: 'ひざ',
      Foot: '足首',
      Toes: 'つま先',
    };
    return s + (names[part] ?? part);
  }),
  SMPL: take((part, side, k) => {
    const s = side ? `${side}_` : '';
    if (isFinger(part)) return `${s}${part === 'Little' ? 'pinky' : part.toLowerCase()}${k}`;
    const names: Record<string, string> = {
      hips: 'pelvis',
      spine: `spine${k}`,
      Shoulder: 'collar',
      UpperArm: 'shoulder',
      LowerArm: 'elbow',
      Hand: 'wrist',
      UpperLeg: 'hip',
      LowerLeg: 'knee',
      Foot: 'ankle',
      Toes: 'foot',
    };
    return s + (names[part] ?? part);
  }),
  Daz: take((part, side, k) => {
    const s = side ? side[0]! : '';
    if (isFinger(part)) return `${s}${part === 'Little' ? 'Pinky' : part === 'Middle' ? 'Mid' : part}${k}`;
    const names: Record<string, string> = {
      hips: 'hip',
      spine: ['abdomenLower', 'abdomenUpper', 'chestLower', 'chestUpper'][k - 1] ?? `chest${k}`,
      neck: ['neckLower', 'neckUpper'][k - 1]!,
      Shoulder: 'Collar',
      UpperArm: 'ShldrBend',
      LowerArm: 'ForearmBend',
      UpperLeg: 'ThighBend',
      LowerLeg: 'Shin',
      Toes: 'Toe',
    };
    return s + (names[part] ?? part);
  }),
  Cascadeur: take((part, side, k) => {
    const s = side ? `_${side[0]}` : '';
    const names: Record<string, string> = {
      hips: 'pelvis',
      spine: ['stomach', 'chest', 'chest_upper'][k - 1] ?? `chest_${k}`,
      Shoulder: 'clavicle',
      UpperArm: 'arm',
      LowerArm: 'forearm',
      Hand: 'hand',
      UpperLeg: 'thigh',
      LowerLeg: 'calf',
      Foot: 'foot',
      Toes: 'toe',
      Little: 'pinky',
    };
    return (names[part] ?? part).toLowerCase() + (isFinger(part) ? `_${k}` : '') + s;
  }),
  'Team Fortress 2': take((part, side, k) => {
    const s = side ? `_${side[0]!.toUpperCase()}` : '';
    if (isFinger(part)) return `bip_${part === 'Little' ? 'pinky' : part.toLowerCase()}_${k - 1}${s}`;
    const names: Record<string, string> = {
      hips: 'pelvis',
      spine: `spine_${k - 1}`,
      Shoulder: 'collar',
      UpperArm: 'upperArm',
      LowerArm: 'lowerArm',
      Hand: 'hand',
      UpperLeg: 'hip',
      LowerLeg: 'knee',
      Foot: 'foot',
      Toes: 'toe',
    };
    return `bip_${names[part] ?? part}${s}`;
  }),
  'Genesis 9': take((part, side, k) => {
    const s = side ? `${side[0]!}_` : '';
    if (isFinger(part))
      return `${s}${part === 'Little' ? 'pinky' : part === 'Middle' ? 'mid' : part.toLowerCase()}${k === 0 ? 'metacarpal' : k}`;
    const names: Record<string, string> = {
      hips: 'hip',
      spine: `spine${k}`,
      neck: `neck${k}`,
      Shoulder: 'shoulder',
      UpperArm: 'upperarm',
      LowerArm: 'forearm',
      Hand: 'hand',
      UpperLeg: 'thigh',
      LowerLeg: 'shin',
      Foot: 'foot',
      Toes: 'toes',
      Eye: 'eye',
    };
    return s + (names[part] ?? part);
  }),
  'Character Creator': take((part, side, k) => {
    const s = side ? `${side[0]!.toUpperCase()}_` : '';
    if (isFinger(part)) return `CC_Base_${s}${part === 'Little' ? 'Pinky' : part === 'Middle' ? 'Mid' : part}${k}`;
    const names: Record<string, string> = {
      hips: 'Hip',
      spine: ['Waist', 'Spine01', 'Spine02'][k - 1] ?? `Spine${two(k)}`,
      neck: `NeckTwist${two(k)}`,
      head: 'Head',
      Shoulder: 'Clavicle',
      UpperArm: 'Upperarm',
      LowerArm: 'Forearm',
      UpperLeg: 'Thigh',
      LowerLeg: 'Calf',
      Toes: 'ToeBase',
    };
    return `CC_Base_${s}${names[part] ?? part}`;
  }),
  AdvancedSkeleton: take((part, side, k) => {
    const s = side ? `_${side[0]!.toUpperCase()}` : '_M';
    if (isFinger(part)) return `${part === 'Little' ? 'Pinky' : part}Finger${k}${s}`;
    const names: Record<string, string> = {
      hips: 'Root',
      spine: `Spine${k}`,
      neck: 'Neck',
      head: 'Head',
      Shoulder: 'Scapula',
      UpperArm: 'Shoulder',
      LowerArm: 'Elbow',
      Hand: 'Wrist',
      UpperLeg: 'Hip',
      LowerLeg: 'Knee',
      Foot: 'Ankle',
    };
    return (names[part] ?? part) + s;
  }),
  'Auto-Rig Pro': take((part, side, k) => {
    const s = side ? `.${side[0]}` : '.x';
    if (isFinger(part)) return `c_${part === 'Little' ? 'pinky' : part.toLowerCase()}${k}${s}`;
    const names: Record<string, string> = {
      hips: 'root',
      spine: `spine_${two(k)}`,
      neck: `neck${k > 1 ? k : ''}`,
      Shoulder: 'shoulder',
      UpperArm: 'arm_stretch',
      LowerArm: 'forearm_stretch',
      Hand: 'hand',
      UpperLeg: 'thigh_stretch',
      LowerLeg: 'leg_stretch',
      Foot: 'foot',
      Toes: 'toes_01',
    };
    return (names[part] ?? part) + s;
  }),
  'lower case, sides in front': take((part, side, k) => {
    const s = side ? side[0]! : '';
    const names: Record<string, string> = {
      hips: 'pelvis',
      spine: `spine${k}`,
      Shoulder: 'clavicle',
      LowerArm: 'forearm',
      UpperLeg: 'thigh',
      LowerLeg: 'calf',
      Toes: 'toe',
      Little: 'pinky',
    };
    return s + (names[part] ?? part).toLowerCase() + (isFinger(part) ? k : '');
  }),
};
