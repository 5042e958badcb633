// Files that three's own loaders open, by their names.
import { extensionOf } from './given.ts';

/** Extensions by the name that people know. */
export const FOREIGN = { glTF: ['gltf'], GLB: ['glb'], VRM: ['vrm', 'vrma'], FBX: ['fbx'], OBJ: ['obj'], BVH: ['bvh'] } as const;

const EXTENSIONS: ReadonlySet<string> = new Set(Object.values(FOREIGN).flat());

export const isForeign = (name: string): boolean => EXTENSIONS.has(extensionOf(name.split(/[/\\]/).at(-1)!));
