// Determines the humanoid bones of a VRM and the direction that the model faces.
import { parentOf } from '../../core/tree.ts';
import { add, scale, type Vector, vectorAt } from '../../core/math/vector.ts';
import { inverted, transformPoint } from '../../core/math/matrix.ts';
import { multiply } from '../../core/math/quaternion.ts';
import type { RigScene } from '../../core/types.ts';
import { type HumanBone, type Humanoid, humanoidOf } from '../../rig/humanoid.ts';
import { RestTransforms } from '../common/bodies.ts';
import type { GltfContext } from '../gltf/context.ts';
import { placeOf, reportFingers } from '../common/humanPose.ts';
import { refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';

/** Humanoid bones that VRM requires. */
const NEEDED = ['hips', 'spine', 'head'] as const satisfies HumanBone[];
const NEEDED_OF_SIDE = ['UpperLeg', 'LowerLeg', 'Foot', 'UpperArm', 'LowerArm', 'Hand'] as const;

export interface VrmBody {
  humanoid: Humanoid | null;
  bones: ReadonlyMap<HumanBone, number>;
  rest: RestTransforms;
  /** Rotation about the up axis that makes the model face +Z, in radians. */
  yaw: number;
}

/**
 * Returns the humanoid of a scene. If a required bone is missing, throws a ConversionError that
 * lists the missing bones.
 */
export function bodyOf(scene: RigScene): VrmBody {
  const humanoid = humanoidOf(scene);
  const bones = new Map([...(humanoid?.bones ?? [])].filter(([name]) => isVrm(name)));
  const needed = [...NEEDED, ...(['left', 'right'] as const).flatMap(side => NEEDED_OF_SIDE.map(part => `${side}${part}` as const))];
  const missing = needed.filter(name => !bones.has(name));
  if (missing.length > 0) throw refusal(refusals, 'BODY_INCOMPLETE', { bones: missing.slice(0, 5).join(', ') });
  const rest = new RestTransforms(scene);
  const [left, right] = [placeOf(rest, bones, 'leftUpperArm'), placeOf(rest, bones, 'rightUpperArm')];
  // A model that faces +Z has its left side at +X.
  const yaw = Math.atan2(left[2] - right[2], left[0] - right[0]);
  return { humanoid, bones, rest, yaw: Math.abs(yaw) < 0.02 ? 0 : Math.PI - Math.abs(yaw) < 0.02 ? Math.PI : yaw };
}

/** True if VRM has a humanoid bone with this name. */
const isVrm = (name: HumanBone): boolean => !/Eye\d|Twist/.test(name);

/** Rotates a vector about the up axis by `yaw` radians. */
export function turned([x = 0, y = 0, z = 0]: Iterable<number>, yaw: number): [x: number, y: number, z: number] {
  const [sine, cosine] = yaw === Math.PI ? [0, -1] : [Math.sin(yaw), Math.cos(yaw)];
  return [x * cosine + z * sine, y, z * cosine - x * sine];
}

/** Rotates the root of the scene, so that the model faces +Z. */
export function faceForward({ nodes: [root], report }: GltfContext, { yaw }: VrmBody): void {
  if (yaw === 0 || !root) return;
  const turn: [number, number, number, number] = [0, Math.sin(yaw / 2), 0, yaw === Math.PI ? 0 : Math.cos(yaw / 2)];
  const rotation: [number, number, number, number] = [0, 0, 0, 1];
  multiply(rotation, 0, turn, 0, root.getRotation(), 0);
  root.setRotation(rotation).setTranslation(turned(root.getTranslation(), yaw));
  report.add('FACING_TURNED', '', (yaw * 180) / Math.PI);
}

/**
 * Returns the `humanBones` object of VRM. A bone is left out and reported if it is not a descendant
 * of the bone that VRM requires as its ancestor.
 */
export function humanBonesOf(
  { scene, report }: GltfContext,
  { humanoid, bones }: VrmBody,
  nodeOf: (row: number) => number,
): Record<string, { node: number }> {
  const isBelow = (row: number, above: number): boolean => {
    for (let at = parentOf(scene.nodes, row); at >= 0; at = parentOf(scene.nodes, at)) if (at === above) return true;
    return false;
  };
  const made: Record<string, { node: number }> = {};
  const seen = new Set<number>();
  let lost = 0;
  for (const [name, row] of bones) {
    const above = aboveOf(name, bones);
    if (seen.has(row) || (above !== undefined && !isBelow(row, above)) || (name === 'upperChest' && !bones.has('chest'))) {
      lost++;
      continue;
    }
    seen.add(row);
    made[name] = { node: nodeOf(row) };
  }
  if (lost > 0) report.add('HUMAN_BONES_LOST', '', lost);
  if (humanoid) reportFingers(humanoid, scene.nodes, report);
  return made;
}

const TRUNK: readonly HumanBone[] = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head'];

/**
 * Returns the row of the nearest humanoid bone that VRM requires as an ancestor of the given bone,
 * or undefined if the model has no such bone.
 */
function aboveOf(name: HumanBone, bones: ReadonlyMap<HumanBone, number>): number | undefined {
  const [, side = '', part = ''] = /^(left|right)(.*)$/.exec(name) ?? [];
  const chain = (list: readonly string[], from: string): number | undefined => {
    const rows = list.slice(0, list.indexOf(from)).map(each => bones.get(each as HumanBone));
    return rows.findLast(row => row !== undefined);
  };
  if (!side) return name === 'jaw' ? bones.get('head') : chain(TRUNK, name);
  if (part === 'Eye') return bones.get('head');
  const limbs = [['UpperLeg', 'LowerLeg', 'Foot', 'Toes'], ['Shoulder', 'UpperArm', 'LowerArm', 'Hand']]; // prettier-ignore
  const limb = limbs.find(parts => parts.includes(part))?.map(each => side + each);
  if (limb) return chain(limb, name) ?? (part.endsWith('Leg') || part === 'Foot' ? bones.get('hips') : bones.get('spine'));
  return bones.get(`${side}Hand` as HumanBone);
}

/**
 * Returns the origin of the gaze in the space of the head. This is the point between the eyes. If
 * an eye bone is missing, it is a point above and in front of the head's origin.
 */
export function eyesOf({ rest, bones, yaw }: VrmBody): [number, number, number] {
  const head = rest.inScene(bones.get('head') ?? 0);
  const [left, right] = [bones.has('leftEye'), bones.has('rightEye')];
  const eyes: Vector =
    left && right
      ? scale(add(placeOf(rest, bones, 'leftEye'), placeOf(rest, bones, 'rightEye')), 0.5)
      : add(turned([0, 0.06, 0.05], -yaw), vectorAt(head, 12));
  transformPoint(eyes, inverted(head), 0, eyes);
  return eyes;
}
