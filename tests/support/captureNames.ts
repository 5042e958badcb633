// Bone names that systems for motion capture and body tracking give to the body parts in
// tests/support/bodies.ts.
import type { Part } from './bodies.ts';
import { FINGERS, isFinger, mayaNames, take } from './bodyNames.ts';

const capital = (side: string): string => side[0]!.toUpperCase() + side.slice(1);

/** Kinect: its joints, from the hips to the head, and of each limb. */
const kinectNames = (spine: readonly string[], nameOf: (joint: string, side: string | null) => string): ((part: Part) => string) =>
  take((part, side, k) => {
    const names: Record<string, string> = {
      hips: spine[0]!,
      spine: spine[k] ?? `spine_${k}`,
      neck: k > 1 ? `neck_${k}` : 'neck',
      Shoulder: 'clavicle',
      UpperArm: 'shoulder',
      LowerArm: 'elbow',
      Hand: 'wrist',
      UpperLeg: 'hip',
      LowerLeg: 'knee',
      Foot: 'ankle',
      Toes: 'foot',
    };
    return nameOf(names[part] ?? part.toLowerCase(), side);
  });

const camel = (name: string): string => name.split('_').map(capital).join('');

export const CAPTURE_SCHEMES: Readonly<Record<string, (part: Part) => string>> = {
  ARKit: take((part, side, k) => {
    const s = side ? `${side}_` : '';
    if (isFinger(part)) {
      const first = part === 'Thumb' ? 1 : 0;
      return `${s}hand${part === 'Little' ? 'Pinky' : part}${k === first ? 'Start' : `_${k - first}`}_joint`;
    }
    const names: Record<string, string> = {
      spine: `spine_${k}`,
      neck: `neck_${k}`,
      Shoulder: 'shoulder_1',
      UpperArm: 'arm',
      LowerArm: 'forearm',
      Hand: 'hand',
      UpperLeg: 'upLeg',
      LowerLeg: 'leg',
      Foot: 'foot',
      Toes: 'toes',
      Eye: 'eye',
    };
    return `${s}${names[part] ?? part}_joint`;
  }),
  Rokoko: take((part, side, k) => {
    const s = side ? capital(side) : '';
    const joints = part === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Medial', 'Distal'];
    if (isFinger(part)) return `${s}Finger${FINGERS.indexOf(part) + 1}${k === 0 ? 'Metacarpal' : joints[k - 1]}`;
    const names: Record<string, string> = {
      hips: 'Hips',
      spine: `Spine${k}`,
      neck: 'Neck',
      head: 'Head',
      UpperArm: 'Arm',
      LowerArm: 'ForeArm',
      UpperLeg: 'Thigh',
      LowerLeg: 'Shin',
      Toes: 'Toe',
    };
    return s + (names[part] ?? part);
  }),
  'Xsens segments': take((part, side, k) => {
    const s = side ? capital(side) : '';
    const joints = part === 'Thumb' ? ['MC', 'PP', 'DP'] : ['PP', 'MP', 'DP'];
    if (isFinger(part))
      return `${s}${['First', 'Second', 'Third', 'Fourth', 'Fifth'][FINGERS.indexOf(part)]}${k === 0 ? 'MC' : joints[k - 1]}`;
    const names: Record<string, string> = {
      hips: 'Pelvis',
      spine: ['L5', 'L3', 'T12', 'T8'][k - 1]!,
      neck: 'Neck',
      head: 'Head',
      LowerArm: 'ForeArm',
      Toes: 'Toe',
    };
    return s + (names[part] ?? part);
  }),
  'Xsens BVH': take((part, side, k) => {
    const s = side ? capital(side) : '';
    const names: Record<string, string> = {
      hips: 'Hips',
      spine: `Chest${k > 1 ? k : ''}`,
      neck: 'Neck',
      head: 'Head',
      Shoulder: 'Collar',
      UpperArm: 'Shoulder',
      LowerArm: 'Elbow',
      Hand: 'Wrist',
      UpperLeg: 'Hip',
      LowerLeg: 'Knee',
      Foot: 'Ankle',
      Toes: 'Toe',
    };
    return s + (names[part] ?? part);
  }),
  'OptiTrack Motive': take((part, side, k) => {
    const s = side ? side[0]!.toUpperCase() : '';
    if (isFinger(part)) return `Actor_${s}${part === 'Little' ? 'Pinky' : part}${k}`;
    const names: Record<string, string> = {
      hips: 'Hip',
      spine: ['Ab', 'Chest'][k - 1] ?? `Chest${k}`,
      neck: 'Neck',
      head: 'Head',
      UpperArm: 'UArm',
      LowerArm: 'FArm',
      UpperLeg: 'Thigh',
      LowerLeg: 'Shin',
      Toes: 'Toe',
    };
    return `Actor_${s}${names[part] ?? part}`;
  }),
  'OptiTrack FBX': mayaNames('Skeleton 001:'),
  'Kinect Azure': kinectNames(['pelvis', 'spine_navel', 'spine_chest'], (joint, side) => `${joint}${side ? `_${side}` : ''}`.toUpperCase()),
  'Kinect Azure, constants': kinectNames(['pelvis', 'spine_navel', 'spine_chest'], (joint, side) =>
    `k4abt_joint_${joint}${side ? `_${side}` : ''}`.toUpperCase(),
  ),
  'Kinect 2': kinectNames(['spine_base', 'spine_mid', 'spine_shoulder'], (joint, side) => camel(joint) + (side ? capital(side) : '')),
  'SMPL-X': take((part, side, k) => {
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
      Eye: 'eye_smplhf',
    };
    return s + (names[part] ?? part);
  }),
  // MediaPipe has no joints of the trunk. Exporters add them between its landmarks.
  'MediaPipe pose and hands': take((part, side, k) => {
    const s = side ? `${side}_` : '';
    const joints = part === 'Thumb' ? ['cmc', 'mcp', 'ip'] : ['mcp', 'pip', 'dip'];
    if (isFinger(part))
      return `${s}${part === 'Little' ? 'pinky' : part === 'Thumb' ? 'thumb' : `${part.toLowerCase()}_finger`}_${joints[k - 1]}`;
    const names: Record<string, string> = {
      spine: `spine_${k}`,
      UpperArm: 'shoulder',
      LowerArm: 'elbow',
      Hand: 'wrist',
      UpperLeg: 'hip',
      LowerLeg: 'knee',
      Foot: 'ankle',
      Toes: 'foot_index',
      Shoulder: 'collar',
    };
    return s + (names[part] ?? part);
  }),
};
