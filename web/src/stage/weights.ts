// How much of each vertex hangs on a bone, as an attribute of its geometry while somebody looks at it.
import { BufferAttribute, type Object3D, type SkinnedMesh } from 'three';
import type { Skinning } from '../three/skinning.ts';

export const WEIGHTS = 'weightOfBone';

type Skinned = SkinnedMesh & { skinning?: Skinning | null };

/** Of all skinned meshes below `content`; null takes the weights away again. */
export function showWeights(content: Object3D, bone: Object3D | null): void {
  content.traverse(object => {
    const mesh = object as Skinned;
    if (!mesh.isSkinnedMesh) return;
    const joint = bone ? mesh.skeleton.bones.indexOf(bone as never) : -1;
    if (bone) mesh.geometry.setAttribute(WEIGHTS, new BufferAttribute(weightsOf(mesh, joint), 1));
    else mesh.geometry.deleteAttribute(WEIGHTS);
  });
}

/** One number per vertex: the shares of all its influences by that joint. Joint −1: none. */
export function weightsOf({ geometry, skinning }: Skinned, joint: number): Float32Array {
  const { position, skinIndex, skinWeight, skinIndex1, skinWeight1 } = geometry.attributes;
  const weights = new Float32Array(position!.count);
  if (joint < 0 || !skinIndex || !skinWeight) return weights;
  const hasMore = skinning?.eight && skinIndex1 && skinWeight1;
  for (let vertex = 0; vertex < weights.length; vertex++) {
    let rest = 1;
    let own = 0;
    // Of eight influences the second four are true shares, and the first four share what is left.
    for (let k = 0; hasMore && k < 4; k++) {
      const weight = skinWeight1.getComponent(vertex, k);
      rest -= weight;
      if (skinIndex1.getComponent(vertex, k) === joint) own += weight;
    }
    for (let k = 0; k < 4; k++) if (skinIndex.getComponent(vertex, k) === joint) own += rest * skinWeight.getComponent(vertex, k);
    weights[vertex] = own;
  }
  return weights;
}
