// Detects models that lie on their back and returns the placement that corrects this.
import { inverted, multiplied, type Quaternion, rotated } from '../core/math/quaternion.ts';
import { facingOf, nodesWithDeclaredNames } from '../core/facing.ts';
import { traitsOf } from '../core/formats.ts';
import type { RigFile } from '../core/open.ts';
import { restPoseOf } from '../core/restPose.ts';
import type { NodeTable, RigScene } from '../core/types.ts';
import type { Placement } from './viewSettings.ts';

const known = new WeakMap<RigScene, Partial<Placement> | null>();

/**
 * Returns the placement that makes a model upright; null if the model is already upright or no body
 * was detected. Also null for a skeleton with animations but no mesh: in such files, for example of
 * Unreal Engine 1, the rest pose can lie although the animations are upright.
 */
export function uprightPlacement({ format, scene }: Pick<RigFile, 'format' | 'scene'>): Partial<Placement> | null {
  if (!scene || (scene.renderers.length === 0 && scene.clips.length > 0)) return null;
  let found = known.get(scene);
  if (found === undefined) known.set(scene, (found = findUpright(scene, traitsOf(format)?.isRootAmbiguous ?? false)));
  return found;
}

function findUpright(scene: RigScene, isRootAmbiguous: boolean): Partial<Placement> | null {
  const nodes = nodesWithDeclaredNames(scene);
  const up = facingOf(nodes)?.up;
  if (!up || up[1] > 0) return null;
  // Some exporters write the rotation of the root bone with the convention for child bones, which
  // rotates the whole model.
  const change = isRootAmbiguous ? rotationOfConjugatedRoot(nodes) : null;
  if (change && rotated(up, change)[1] > 0.9) return { isRootConjugated: true };
  const axis = up.findIndex(value => value !== 0);
  return { up: `${up[axis]! < 0 ? '-' : ''}${'xyz'[axis]}` as Placement['up'] };
}

/**
 * Returns the rotation of the model that results if the quaternion of the root bone is conjugated;
 * null if there are no bones.
 */
function rotationOfConjugatedRoot(nodes: NodeTable): Quaternion | null {
  const row = nodes.bones.indexOf(0);
  if (row < 0) return null;
  const { rotations: turns } = restPoseOf(nodes);
  const [x, y, z, w] = nodes.rotations.subarray(4 * row, 4 * row + 4);
  const above: Quaternion = turns[nodes.parents[row]!] ?? [0, 0, 0, 1];
  return multiplied(multiplied(above, [-x!, -y!, -z!, w!]), inverted(turns[row]!));
}
