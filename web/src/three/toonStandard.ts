// Toon materials as three's own, for what knows no foreign shaders: exporters, ObjectLoader, WebGPURenderer.
import { BufferGeometry, type Material, Mesh, MeshStandardMaterial, type Object3D } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import type { ToonMaterial } from './vendor/mtoon.ts';

const isToon = (material: Material): material is ToonMaterial => 'isMToonMaterial' in material;

/** What of a toon material a standard one can show: its lit colour and textures, not its shade, rim or outline. */
export function standardOf(material: ToonMaterial): MeshStandardMaterial {
  const { name, color, map, normalMap, emissive, emissiveMap, opacity, transparent, alphaTest, side, depthWrite, vertexColors, visible } =
    material;
  const made = new MeshStandardMaterial({
    name,
    color,
    map,
    normalMap,
    emissive,
    emissiveMap,
    opacity,
    transparent,
    alphaTest,
    side,
    depthWrite,
    vertexColors,
    visible,
    roughness: 1,
    metalness: 0,
  });
  made.normalScale.copy(material.normalScale);
  const { outlineOf: _, ...userData } = material.userData;
  made.userData = userData;
  return made;
}

/** A copy of the tree with standard materials in the place of toon ones, and without outlines. Geometry and textures are shared. */
export function withStandardMaterials(tree: Object3D): Object3D {
  const made = new Map<Material, Material>();
  const copy = clone(tree);
  const replace = (material: Material): Material => {
    if (!isToon(material)) return material;
    const known = made.get(material) ?? standardOf(material);
    made.set(material, known);
    return known;
  };
  copy.traverse(object => {
    if (!(object instanceof Mesh)) return;
    const materials = [object.material].flat() as Material[];
    if (!materials.some(isToon)) return;
    const isOutline = materials.map(material => isToon(material) && material.isOutline);
    const kept = materials.map((material, i) => (isOutline[i] ? null : replace(material)));
    if (isOutline.includes(true)) object.geometry = withoutGroups(object.geometry as BufferGeometry, isOutline);
    object.material = Array.isArray(object.material) ? kept.filter(material => material !== null) : kept[0];
  });
  return copy;
}

/** Outlines come behind all other materials, so the others keep their numbers. */
function withoutGroups(geometry: BufferGeometry, isOutline: readonly boolean[]): BufferGeometry {
  const made = new BufferGeometry();
  const { name, index, attributes, morphAttributes, morphTargetsRelative, boundingBox, boundingSphere, userData } = geometry;
  Object.assign(made, { name, index, attributes, morphAttributes, morphTargetsRelative, boundingBox, boundingSphere, userData });
  made.groups = geometry.groups.filter(({ materialIndex = 0 }) => !isOutline[materialIndex]);
  return made;
}
