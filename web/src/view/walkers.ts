// Which bones the eye keeps to while a model walks.
import type { Object3D, SkinnedMesh } from 'three';

/** As rigs of ours have it: six per joint, min and max, where it moves anything. */
type Skinned = SkinnedMesh & { jointBoxes?: Float32Array | null };

/**
 * The root of a skeleton, and the bone that carries all of what is drawn on it. Many games move their bodies by the pelvis (j_mainroot) and leave the root
 * (tag_origin) where it stands. `bones` in the order of their file, the first of them the root.
 */
export function walkersOf(bones: readonly Object3D[], drawn: readonly Object3D[]): Object3D[] {
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
  const carrier = commonAncestor(moving);
  return carrier && carrier !== root && isBelow(carrier, root) ? [root, carrier] : [root];
}

/** The lowest that is one of these, or above one, for all of them. */
function commonAncestor(nodes: ReadonlySet<Object3D>): Object3D | null {
  let common: Object3D[] | null = null;
  for (const node of nodes) {
    const line = lineOf(node);
    if (!common) common = line;
    else {
      const above = new Set(line);
      common = common.filter(each => above.has(each));
    }
  }
  return common?.[0] ?? null;
}

/** It and all above it, from below. */
function lineOf(node: Object3D): Object3D[] {
  const line: Object3D[] = [];
  for (let each: Object3D | null = node; each; each = each.parent) line.push(each);
  return line;
}

const isBelow = (node: Object3D, top: Object3D): boolean => lineOf(node).includes(top);
