import { type Material, type Mesh, type Object3D, type Skeleton, Texture } from 'three';
import type { Built } from './build/build.ts';

/** What holds memory of the GPU. */
export interface Disposable {
  dispose(): void;
}

/**
 * What holds memory of the GPU in an object tree, each once: geometries, materials (those of
 * shadows included), bone textures, lights, instances. Not the textures of its materials.
 */
export function resourcesOf(root: Object3D): Set<Disposable> {
  const found = new Set<Disposable>();
  root.traverse(object => {
    const { geometry, material, skeleton, customDepthMaterial, customDistanceMaterial } = object as Partial<Mesh> & { skeleton?: Skeleton };
    for (const each of [geometry, material, skeleton, customDepthMaterial, customDistanceMaterial].flat()) if (each) found.add(each);
    if ('dispose' in object && ('isLight' in object || 'isInstancedMesh' in object)) found.add(object);
  });
  return found;
}

/** Everything that was made of a scene and may hold memory of the GPU, shown or not. */
export function resourcesMade({ group, geometries, skeletons, materials }: Built): Set<Disposable> {
  const all = materials.all();
  return new Set([...resourcesOf(group), ...geometries, ...skeletons, ...all, ...all.flatMap(texturesOf)]);
}

/**
 * Frees what the GPU holds for an object tree, whoever made it: geometries, materials, every
 * texture in them, bone textures.
 */
export function disposeTree(root: Object3D): void {
  for (const each of resourcesOf(root)) {
    if ('isMaterial' in each) disposeMaterial(each as Material);
    else each.dispose();
  }
}

export function disposeMaterial(material: Material): void {
  texturesOf(material).forEach(disposeTexture);
  material.dispose();
}

export function texturesOf(material: object): Texture[] {
  return Object.values(material).filter(value => value instanceof Texture);
}

export function disposeTexture(texture: Texture): void {
  const image: unknown = texture.image;
  if (typeof ImageBitmap !== 'undefined' && image instanceof ImageBitmap) image.close();
  texture.dispose();
}
