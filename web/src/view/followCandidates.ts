// Determines which nodes the camera can follow when a model moves, for example when it walks.
import type { Object3D, SkinnedMesh } from 'three';

/**
 * Skinned mesh of rigcast. `jointBoxes`: bounding box of the vertices that each joint moves, 6
 * numbers per joint (minimum, maximum). If a joint moves no vertices, its box is empty.
 */
type Skinned = SkinnedMesh & { jointBoxes?: Float32Array | null };

/**
 * Returns the root of a skeleton and, if this is another bone, the lowest common ancestor of all
 * bones that move vertices. Many games move the pelvis (j_mainroot) and leave the root (tag_origin)
 * in place. `bones`: bones in file order, starting with the root. `drawn`: objects that contain the
 * skinned meshes.
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

/**
 * Returns the lowest common ancestor of `nodes`, which can be one of the nodes; null if there is
 * none.
 */
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

/** Returns a node, followed by its parent and all further ancestors. */
function ancestorsOf(node: Object3D): Object3D[] {
  const line: Object3D[] = [];
  for (let each: Object3D | null = node; each; each = each.parent) line.push(each);
  return line;
}

const isBelow = (node: Object3D, top: Object3D): boolean => ancestorsOf(node).includes(top);
