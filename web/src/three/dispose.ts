import { BufferGeometry, type Material, type Mesh, type Object3D, type Skeleton, Texture } from 'three';

/** Frees what the GPU holds for an object tree: geometries, materials, every texture in them, bone textures. */
export function disposeTree(root: Object3D): void {
  root.traverse(object => {
    const { geometry, material, skeleton } = object as Partial<Mesh> & { skeleton?: Skeleton };
    if (geometry instanceof BufferGeometry) geometry.dispose();
    skeleton?.dispose();
    for (const one of [material ?? []].flat()) disposeMaterial(one);
    object.customDepthMaterial?.dispose();
    object.customDistanceMaterial?.dispose();
    if ('dispose' in object && ('isLight' in object || 'isInstancedMesh' in object)) (object as unknown as { dispose(): void }).dispose();
  });
}

export function disposeMaterial(material: Material): void {
  for (const value of Object.values(material)) if (value instanceof Texture) disposeTexture(value);
  material.dispose();
}

export function disposeTexture(texture: Texture): void {
  const image: unknown = texture.image;
  if (typeof ImageBitmap !== 'undefined' && image instanceof ImageBitmap) image.close();
  texture.dispose();
}
