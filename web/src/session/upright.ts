// Whether a model lies where it should stand, and what puts it upright.
import { inverted, multiplied, type Quaternion, rotated } from '../core/math/quaternion.ts';
import { facingOf, nodesAsTold } from '../core/facing.ts';
import { traitsOf } from '../core/formats.ts';
import type { RigFile } from '../core/open.ts';
import { restOf } from '../core/rest.ts';
import type { NodeTable, RigScene } from '../core/types.ts';
import type { Placement } from './viewSettings.ts';

const known = new WeakMap<RigScene, Partial<Placement> | null>();

/** Puts a model upright whose head is not above its feet; null: it stands, or nothing tells. */
export function uprightPlacement({ format, scene }: Pick<RigFile, 'format' | 'scene'>): Partial<Placement> | null {
  if (!scene) return null;
  let found = known.get(scene);
  if (found === undefined) known.set(scene, (found = findUpright(scene, traitsOf(format)?.isRootAmbiguous ?? false)));
  return found;
}

function findUpright(scene: RigScene, isRootAmbiguous: boolean): Partial<Placement> | null {
  const nodes = nodesAsTold(scene);
  const up = facingOf(nodes)?.up;
  if (!up || up[1] > 0) return null;
  // Some writers store the root as they store other bones; read so, all of the model turns with it.
  const change = isRootAmbiguous ? turnOfPlainRoot(nodes) : null;
  if (change && rotated(up, change)[1] > 0.9) return { isRootConjugated: true };
  const axis = up.findIndex(value => value !== 0);
  return { up: `${up[axis]! < 0 ? '-' : ''}${'xyz'[axis]}` as Placement['up'] };
}

/** How the model turns where its first bone turns the other way round; null without bones. */
function turnOfPlainRoot(nodes: NodeTable): Quaternion | null {
  const row = nodes.bones.indexOf(0);
  if (row < 0) return null;
  const { turns } = restOf(nodes);
  const [x, y, z, w] = nodes.rotations.subarray(4 * row, 4 * row + 4);
  const above: Quaternion = turns[nodes.parents[row]!] ?? [0, 0, 0, 1];
  return multiplied(multiplied(above, [-x!, -y!, -z!, w!]), inverted(turns[row]!));
}
