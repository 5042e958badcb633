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
  /** True if the channel `roughness` contains gloss, which is 1 − roughness. */
  isGloss?: boolean;
}
const PACKINGS: Record<string, Packing> = {
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
  gloss: { roughness: 'g', isGloss: true },
  occlusion: { occlusion: 'r' },
};

const CHANNELS = ['r', 'g', 'b', 'a'] as const;
/** Contents of a channel, as in the name of a custom packing. */
export type ChannelContent = 'o' | 'r' | 'g' | 'm' | '-';
const CUSTOM = /^packed:([orgm-]{4})$/;

/**
 * Returns the packing of a slot; undefined if its texture does not store values in channels. Besides
 * the named slots there are custom packings, such as "packed:org-": a letter for each of the channels
 * red, green, blue and alpha. Letters: o occlusion, r roughness, g gloss, m metalness, - unused.
 */
export function packingOf(slot: string): Packing | undefined {
  if (Object.hasOwn(PACKINGS, slot)) return PACKINGS[slot];
  const letters = CUSTOM.exec(slot)?.[1];
  if (letters === undefined) return undefined;
  const packing: Packing = {};
  for (const [at, channel] of CHANNELS.entries()) {
    const letter = letters[at];
    if (letter === 'o') packing.occlusion ??= channel;
    if (letter === 'm') packing.metalness ??= channel;
    if ((letter === 'r' || letter === 'g') && !packing.roughness) {
      packing.roughness = channel;
      packing.isGloss = letter === 'g';
    }
  }
  return packing;
}

/** Returns the name of a custom packing. `contents`: contents of the channels red, green, blue and alpha. */
export const packedSlot = (contents: readonly ChannelContent[]): string => `packed:${contents.join('')}`;

/** Returns the contents of the channels red, green, blue and alpha; null if the slot is not packed. */
export function channelContents(slot: string): ChannelContent[] | null {
  const packing = packingOf(slot);
  if (!packing) return null;
  const { occlusion, roughness, metalness, isGloss } = packing;
  return CHANNELS.map(channel =>
    channel === occlusion ? 'o' : channel === roughness ? (isGloss ? 'g' : 'r') : channel === metalness ? 'm' : '-',
  );
}

/**
 * Returns the slot of a texture after another texture was assigned to the slot `taken`: without the
 * values that the other texture stores. Returns null if nothing is left, and `slot` if the two
 * textures store different values.
 */
export function slotWithout(slot: string, taken: string): string | null {
  if (slot === taken) return null;
  const [own, other] = [packingOf(slot), packingOf(taken)];
  if (!own || !other) return slot;
  const parts = (['occlusion', 'roughness', 'metalness'] as const).filter(part => own[part]);
  const left = parts.filter(part => !other[part]);
  if (left.length === parts.length) return slot;
  if (left.length === 0) return null;
  if (left.length === 1 && own.occlusion === 'r' && left[0] === 'occlusion') return 'occlusion';
  const kept = new Set(left.map(part => own[part]));
  return packedSlot(channelContents(slot)!.map((content, at) => (kept.has(CHANNELS[at]) ? content : '-')));
}

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
  return TEXTURE_SLOTS.has(slot) || TOON_SLOTS.has(slot) || packingOf(slot) !== undefined;
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
