// Determines which nodes the camera can follow while a model walks.
import type { Object3D, SkinnedMesh } from 'three';

/**
 * Joint boxes as rigcast builds them: six numbers per joint, minimum and maximum. Empty if the
 * joint moves no vertices.
 */
type Skinned = SkinnedMesh & { jointBoxes?: Float32Array | null };

/**
 * Returns the root of a skeleton and, if it is another bone, the lowest common ancestor of all
 * bones that move vertices. Many games move the pelvis (j_mainroot) and leave the root (tag_origin)
 * in place. `bones`: in file order, the root first.
 */
export function followCandidatesOf(bones: readonly Object3D[], drawn: readonly Object3D[]): Object3D[] {
  const [root] = bones;
  if (!root) return [];
  const moving = new Set<Object3D>();
  for (const each of drawn)
    each.traverse(child => {
      const { jointBoxes, skeleton } = child as Skinned;
      if (!jointBoxes || !skeleton) return;
      skeleton.bones.forEach((bone, row) => {
        if (bone && jointBoxes[6 * row]! <= jointBoxes[6 * row + 3]!) moving.add(bone);
      });
    });
  const common = commonAncestor(moving);
  return common && common !== root && isBelow(common, root) ? [root, common] : [root];
}

/** Returns the lowest common ancestor of `nodes`. It may be one of the nodes itself. */
function commonAncestor(nodes: ReadonlySet<Object3D>): Object3D | null {
  let common: Object3D[] | null = null;
  for (const node of nodes) {
    const line = ancestorsOf(node);
    if (!common) common = line;
    else {
      const above = new Set(line);
      common = common.filter(each => above.has(each));
    }
  }
  return common?.[0] ?? null;
}

/** Returns a node and all its ancestors, from the node upwards. */
function ancestorsOf(node: Object3D): Object3D[] {
  const line: Object3D[] = [];
  for (let each: Object3D | null = node; each; each = each.parent) line.push(each);
  return line;
}

const isBelow = (node: Object3D, top: Object3D): boolean => ancestorsOf(node).includes(top);
