// What hangs on the model as a part of the file that is saved: placed there, as a world places other files.
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import type { RigFile } from '../core/open.ts';
import type { InstanceSet, Reference } from '../core/types.ts';
import type { Model } from '../session/model.ts';
import { displayName } from '../session/model.ts';
import type { Held } from './entries.ts';

/** The files of `models` with what hangs on their nodes, and after them the files of that. They stand there at rest. */
export function withHeld(models: readonly Model[], held: readonly Held[]): { models: RigFile[]; placed: RigFile[] } {
  const placed: RigFile[] = [];
  const files = models.map(({ file, rig }): RigFile => {
    const scene = file.scene!;
    const references: Reference[] = [...scene.references];
    const instances: InstanceSet[] = [...scene.instances];
    for (const { bone, model } of held) {
      const node = rig.nodes.indexOf(bone);
      if (node < 0) continue;
      // A name that no other file has: it is found by that.
      const name = `held ${placed.length}/${model.file.name}`;
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

/** Where a root is below a bone: translation, rotation, scale. */
function placeOf(bone: Object3D, root: Object3D): Float32Array {
  root.updateWorldMatrix(true, false);
  const [translation, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  new Matrix4().copy(bone.matrixWorld).invert().multiply(root.matrixWorld).decompose(translation, rotation, scale);
  return Float32Array.of(...translation, ...rotation, ...scale);
}
