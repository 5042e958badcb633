// Toon materials as three's own, for what knows no foreign shaders: exporters, ObjectLoader,
// WebGPURenderer.
import { type Material, MeshStandardMaterial } from 'three';
import type { ToonMaterial } from './vendor/mtoon.ts';

export const isToon = (material: Material): material is ToonMaterial => 'isMToonMaterial' in material;

/**
 * What of a toon material a standard one can show: its lit colour and textures, not its shade, rim
 * or outline.
 */
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
