import { type Material, type Mesh, type Object3D, type Skeleton, Texture } from 'three';
import type { Built } from './build/build.ts';

/** An object that may hold GPU memory and can free it. */
export interface Disposable {
  dispose(): void;
}

/**
 * Returns all resources in an object tree that hold GPU memory: geometries, materials (including
 * materials for shadows), skeletons, lights, instanced meshes. Textures are not included.
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

/** Returns all objects built from a scene that may hold GPU memory. */
export function resourcesMade({ group, geometries, skeletons, materials }: Built): Set<Disposable> {
  const all = materials.all();
  return new Set([...resourcesOf(group), ...geometries, ...skeletons, ...all, ...all.flatMap(texturesOf)]);
}

/**
 * Frees the GPU memory of an object tree, including objects that the page has created: geometries,
 * materials with all textures, bone textures.
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
