// Copies an object tree for the exporters of three.js.
import { BufferGeometry, type Material, Mesh, type Object3D } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { isToon, standardOf } from '../materials/toonStandard.ts';

/**
 * Copies an object tree with standard materials instead of MToon materials, and without outlines.
 * If no material draws the vertex colors of a mesh, they are renamed to the attribute `_color`,
 * because glTF viewers always draw `COLOR_0`. Arrays and textures are shared with the original.
 */
export function exportCopy(tree: Object3D): Object3D {
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
    const geometry = object.geometry as BufferGeometry;
    const isOutline = materials.map(material => isToon(material) && material.isOutline);
    const hidesColors = geometry.hasAttribute('color') && !materials.some(({ vertexColors }) => vertexColors);
    if (hidesColors || isOutline.includes(true)) object.geometry = exportGeometry(geometry, hidesColors, isOutline);
    const kept = materials.filter((_, i) => !isOutline[i]).map(replace);
    object.material = Array.isArray(object.material) ? kept : (kept[0] ?? []);
  });
  return copy;
}

/** Copies a geometry without the groups for outlines, which come after all other groups. */
function exportGeometry(geometry: BufferGeometry, hidesColors: boolean, isOutline: readonly boolean[]): BufferGeometry {
  const made = new BufferGeometry();
  const { name, index, attributes, morphAttributes, morphTargetsRelative, boundingBox, boundingSphere, userData } = geometry;
  Object.assign(made, { name, index, attributes, morphAttributes, morphTargetsRelative, boundingBox, boundingSphere, userData });
  if (hidesColors) {
    const { color, ...others } = attributes;
    made.attributes = { ...others, _color: color! };
  }
  made.groups = geometry.groups.filter(({ materialIndex = 0 }) => !isOutline[materialIndex]);
  return made;
}
