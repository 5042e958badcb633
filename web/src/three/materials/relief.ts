// Assigns detail, height and anisotropy textures, which few materials have. This module is imported
// on demand.
import type { MeshStandardMaterial, Texture } from 'three';
import { assignAnisotropy } from './anisotropy.ts';
import { assignDetail, isDetailSlot } from './detail.ts';
import { assignHeight } from './parallax.ts';
import type { ShaderValues } from './shaderValues.ts';

/**
 * Assigns a texture to the material property for its slot. Returns false if the material doesn't
 * draw the texture.
 */
export function assignRelief(material: MeshStandardMaterial, slot: string, texture: Texture, values: ShaderValues): boolean {
  if (slot === 'anisotropy') return assignAnisotropy(material, texture);
  if (slot === 'height') return assignHeight(material, texture, values);
  return isDetailSlot(slot) && assignDetail(material, slot, texture, values);
}
