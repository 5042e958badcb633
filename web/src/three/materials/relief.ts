// Assigns textures that few materials have (`isReliefSlot`): detail, height and anisotropy maps.
// Imported with the first of them.
import type { MeshStandardMaterial, Texture } from 'three';
import { assignAnisotropy } from './anisotropy.ts';
import { assignDetail, isDetailSlot } from './detail.ts';
import { assignHeight } from './parallax.ts';
import type { ShaderValues } from './shaderValues.ts';

/** Assigns a texture by its slot. Returns false if it isn't drawn. */
export function assignRelief(material: MeshStandardMaterial, slot: string, texture: Texture, values: ShaderValues): boolean {
  if (slot === 'anisotropy') return assignAnisotropy(material, texture);
  if (slot === 'height') return assignHeight(material, texture, values);
  return isDetailSlot(slot) && assignDetail(material, slot, texture, values);
}
