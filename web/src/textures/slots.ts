// Describes the texture slots of materials: what their channels contain, and which slots are drawn.
import type { Material } from '../core/types.ts';

/**
 * Channel of a texture that stores a value, such as the roughness. three.js expects the same
 * channels as glTF (`metallicRoughness`).
 */
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
  gloss: { roughness: 'g' }, // the image contains 1 − roughness
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
/** Slots of toon materials, and the properties of MToonMaterial that contain their textures. */
export const TOON_MAPS = {
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
const TOON_SLOTS = new Set(Object.keys(TOON_MAPS));
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

/** True if a texture in this slot can be drawn. */
export function isDrawnSlot(slot: string): boolean {
  return TEXTURE_SLOTS.has(slot) || TOON_SLOTS.has(slot);
}

const PHYSICAL_SLOTS = new Set(['specularColor', 'specular', 'specularGloss', 'anisotropy']);

/**
 * True for specular and anisotropy slots. They are only drawn if the model file contains one of
 * them; in material files, their values have a different meaning.
 */
export function isPhysicalSlot(slot: string): boolean {
  return PHYSICAL_SLOTS.has(slot);
}

/**
 * True if a material has specular or anisotropy textures, which require a physical material of
 * three.js.
 */
export function isPhysical({ slots }: Material): boolean {
  return slots.some(({ slot }) => PHYSICAL_SLOTS.has(slot));
}

/** True if the texture of a slot contains colour. */
export function isColorSlot(slot: string): boolean {
  return ['baseColor', 'emissive', 'specularColor', 'specularGloss', 'shade', 'matcap', 'rim', 'detailBaseColor'].includes(slot);
}

/** True for the slots of detail, height and anisotropy textures. */
export const isDetailSlot = (slot: string): boolean =>
  ['anisotropy', 'detailBaseColor', 'detailMask', 'detailNormal', 'height'].includes(slot);

/** Returns the names of the slots that are not drawn, as spelled in the file. */
export function unusedSlots({ model, slots }: Material, isToon: boolean): string[] {
  if (model === 'skybox') return [];
  const textures = isToon ? TOON_SLOTS : TEXTURE_SLOTS;
  return slots.filter(({ slot, texture }) => !(texture === undefined ? COLOR_SLOTS : textures).has(slot)).map(({ source }) => source);
}
