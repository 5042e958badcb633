// Adds attached models to the files to save, as instances that refer to other files.
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import type { RigFile } from '../core/open.ts';
import type { InstanceSet, Reference } from '../core/types.ts';
import type { Model } from '../session/model.ts';
import { displayName } from '../session/model.ts';
import type { AttachedModel } from './entries.ts';

/**
 * Returns the files of `models`, to which instances of the attached models are added, and the files
 * of the attached models. The attached models are in their bind pose.
 */
export function withAttached(models: readonly Model[], attached: readonly AttachedModel[]): { models: RigFile[]; placed: RigFile[] } {
  const placed: RigFile[] = [];
  const files = models.map(({ file, rig }): RigFile => {
    const scene = file.scene!;
    const references: Reference[] = [...scene.references];
    const instances: InstanceSet[] = [...scene.instances];
    for (const { bone, model } of attached) {
      const node = rig.nodes.indexOf(bone);
      if (node < 0) continue;
      // References identify files by name, so the name must be unique.
      const name = `attached ${placed.length}/${model.file.name}`;
      placed.push({ ...model.file, name });
      instances.push({
        reference: references.length,
        node,
        transforms: placeOf(bone, model.rig.nodes[0]!),
        names: [displayName(model.rig.nodes[0]!) || model.file.name],
      });
      references.push({ kind: 'instance', name, required: false, supplied: true });
    }
    return instances.length === scene.instances.length ? file : { ...file, scene: { ...scene, references, instances } };
  });
  return { models: files, placed };
}

/** Returns the transform of a root node relative to a bone: translation, rotation, scale. */
function placeOf(bone: Object3D, root: Object3D): Float32Array {
  root.updateWorldMatrix(true, false);
  const [translation, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  new Matrix4().copy(bone.matrixWorld).invert().multiply(root.matrixWorld).decompose(translation, rotation, scale);
  return Float32Array.of(...translation, ...rotation, ...scale);
}
