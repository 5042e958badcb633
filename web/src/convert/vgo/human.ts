// Writes Unity's humanoid bones (docs/formats/vgo.md section 5.2). If the source does not declare
// them, they are detected by name or inferred from topology.
import type { RigScene } from '../../core/types.ts';
import { type HumanBone, humanoidOf } from '../../rig/humanoid.ts';
import { RestTransforms } from '../common/bodies.ts';
import { reportArms, reportFingers } from '../common/humanPose.ts';
import type { ReportBuilder } from '../common/report.ts';
import { branch, type Branch } from './tree.ts';

const SIDES = ['left', 'right'] as const;
const FINGERS = ['Index', 'Middle', 'Ring', 'Little'] as const;

/** Humanoid bones in the order of Unity's enum HumanBodyBones. */
const BONES: readonly HumanBone[] = [
  'hips',
  ...(['UpperLeg', 'LowerLeg', 'Foot'] as const).flatMap(part => SIDES.map(side => `${side}${part}` as const)),
  'spine',
  'chest',
  'neck',
  'head',
  ...(['Shoulder', 'UpperArm', 'LowerArm', 'Hand', 'Toes', 'Eye'] as const).flatMap(part => SIDES.map(side => `${side}${part}` as const)),
  'jaw',
  ...SIDES.flatMap(side => [
    ...(['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'] as const).map(part => `${side}${part}` as const),
    ...FINGERS.flatMap(finger => (['Proximal', 'Intermediate', 'Distal'] as const).map(part => `${side}${finger}${part}` as const)),
  ]),
  'upperChest',
];

/** True if Unity requires the humanoid bone with this index. */
const isNeeded = (id: number): boolean => id <= 7 || id === 10 || (id >= 13 && id <= 18);

/**
 * Adds the humanoid avatar to the root node, if the scene has a humanoid with all required bones.
 */
export function writeHuman(scene: RigScene, root: Branch | undefined, nodeOf: (row: number) => number, report: ReportBuilder): void {
  const body = humanoidOf(scene);
  if (!root || !body) return;
  const missing = BONES.filter((bone, id) => isNeeded(id) && !body.bones.has(bone));
  if (missing.length > 0) {
    report.add('HUMAN_BONES_LOST', '', body.bones.size, `Unity requires ${missing.slice(0, 5).join(', ')}`);
    return;
  }
  const humanBones = [...BONES.entries()].flatMap(([humanBodyBone, bone]) => {
    const row = body.bones.get(bone);
    return row === undefined ? [] : [branch({ humanBodyBone, nodeIndex: nodeOf(row) })];
  });
  const name = String(root.get('name') ?? '');
  root.set('animator', branch({ name, humanAvatar: branch({ name, humanBones }) }));
  reportFingers(body, scene.nodes, report);
  reportArms(new RestTransforms(scene), body.bones, report);
}
