// Converts MToon materials to standard materials, for exporters, ObjectLoader and WebGPURenderer.
import { type Material, MeshStandardMaterial } from 'three';
import type { ToonMaterial } from './vendor/mtoon.ts';

export const isToon = (material: Material): material is ToonMaterial => 'isMToonMaterial' in material;

/**
 * Returns a standard material with the lit color and the textures of an MToon material, but without
 * its shade, rim and outline.
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
