// What few materials have of textures (`isReliefSlot`), fetched with the first of them: detail
// maps, heights, anisotropy.
import type { MeshStandardMaterial, Texture } from 'three';
import { assignAnisotropy } from './anisotropy.ts';
import { assignDetail, isDetailSlot } from './detail.ts';
import { assignHeight } from './parallax.ts';
import type { ShaderValues } from './shaderValues.ts';

/** Puts a texture where the slot says; false where it would show nothing. */
export function assignRelief(material: MeshStandardMaterial, slot: string, texture: Texture, values: ShaderValues): boolean {
  if (slot === 'anisotropy') return assignAnisotropy(material, texture);
  if (slot === 'height') return assignHeight(material, texture, values);
  return isDetailSlot(slot) && assignDetail(material, slot, texture, values);
}
