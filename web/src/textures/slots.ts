// The slots of the scene's materials: what their textures hold, and which of them are drawn.
import type { Material } from '../core/types.ts';

/** What a slot's texture holds, channel by channel, where it packs several values. glTF's order is the one three reads by itself. */
export type Channel = 'r' | 'g' | 'b' | 'a';
export interface Packing {
  occlusion?: Channel;
  roughness?: Channel;
  metalness?: Channel;
}
export const PACKINGS: Record<string, Packing> = {
  orm: { occlusion: 'r', roughness: 'g', metalness: 'b' },
  metallicRoughness: { roughness: 'g', metalness: 'b' },
  mro: { metalness: 'r', roughness: 'g', occlusion: 'b' },
  rma: { roughness: 'r', metalness: 'g', occlusion: 'b' },
  mra: { metalness: 'r', roughness: 'g', occlusion: 'b' },
  specularMasks: { metalness: 'g', roughness: 'b' },
  rmo: { roughness: 'r', metalness: 'g', occlusion: 'b' },
  arm: { occlusion: 'r', roughness: 'g', metalness: 'b' },
  metallic: { metalness: 'b' },
  roughness: { roughness: 'g' },
  gloss: { roughness: 'g' }, // read as one minus roughness
  occlusion: { occlusion: 'r' },
};

const TEXTURE_SLOTS = new Set([
  ...Object.keys(PACKINGS),
  'baseColor',
  'opacity',
  'normal',
  'emissive',
  'emissiveMask',
  'specularColor',
  'specular',
  'maskMap',
  'specularGloss',
  'detailBaseColor',
  'detailNormal',
  'detailMask',
  'height',
  'anisotropy',
]);
/** Where a toon material has a texture. */
export const TOON_PLACES = {
  baseColor: 'map',
  shade: 'shadeMultiplyTexture',
  normal: 'normalMap',
  emissive: 'emissiveMap',
  shadingShift: 'shadingShiftTexture',
  matcap: 'matcapTexture',
  rim: 'rimMultiplyTexture',
  outlineWidth: 'outlineWidthMultiplyTexture',
  uvAnimationMask: 'uvAnimationMaskTexture',
} as const;
const TOON_SLOTS = new Set(Object.keys(TOON_PLACES));
const COLOR_SLOTS = new Set([
  'baseColor',
  'emissive',
  'emissiveStrength',
  'emissiveMask',
  'occlusion',
  'anisotropy',
  'metallic',
  'roughness',
  'gloss',
  'specularColor',
  'specular',
]);

/** Whether a texture in that slot can be drawn at all. */
export function isDrawnSlot(slot: string): boolean {
  return TEXTURE_SLOTS.has(slot) || TOON_SLOTS.has(slot);
}

const PHYSICAL_SLOTS = new Set(['specularColor', 'specular', 'specularGloss', 'anisotropy']);

/** Slots that are drawn only on a material whose own file has one of them; what a side file says of a highlight is in other units. */
export function isPhysicalSlot(slot: string): boolean {
  return PHYSICAL_SLOTS.has(slot);
}

/** Whether a material has highlights beyond the metallic workflow. */
export function isPhysical({ slots }: Material): boolean {
  return slots.some(({ slot }) => PHYSICAL_SLOTS.has(slot));
}

/** Slots whose texture holds colour. */
export function isColorSlot(slot: string): boolean {
  return ['baseColor', 'emissive', 'specularColor', 'specularGloss', 'shade', 'matcap', 'rim', 'detailBaseColor'].includes(slot);
}

/** Slots of what few materials have: finer structures than the material's own. */
export const isReliefSlot = (slot: string): boolean =>
  ['anisotropy', 'detailBaseColor', 'detailMask', 'detailNormal', 'height'].includes(slot);

/** Slots of a material that nothing is drawn of, by the names of its file. */
export function unusedSlots({ model, slots }: Material, isToon: boolean): string[] {
  if (model === 'skybox') return [];
  const textures = isToon ? TOON_SLOTS : TEXTURE_SLOTS;
  return slots.filter(({ slot, texture }) => !(texture === undefined ? COLOR_SLOTS : textures).has(slot)).map(({ source }) => source);
}
