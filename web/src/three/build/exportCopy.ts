// A tree as three's exporters understand it.
import { BufferGeometry, type Material, Mesh, type Object3D } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { isToon, standardOf } from '../materials/toonStandard.ts';

/**
 * A copy of the tree with standard materials in the place of toon ones and without outlines. Vertex colours that no material draws become the attribute
 * `_color`, since glTF multiplies every `COLOR_0` into the picture. Arrays and textures are shared.
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

/** Outlines come behind all other materials, so the others keep their numbers. */
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
