// Assigns textures to the material properties of three.js.
import {
  LineBasicMaterial,
  type Material as ThreeMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  RED_RGTC1_Format,
  ShaderChunk,
  SIGNED_RED_RGTC1_Format,
  SRGBColorSpace,
  type Texture,
} from 'three';
import type { Texture as SceneTexture } from '../../core/types.ts';
import { averageColor } from './averageColor.ts';
import { patchChannels } from './channels.ts';
import { enableEmission, maskEmission } from './emission.ts';
import { endGrey } from './grey.ts';
import type { ChannelPatch } from './patchValues.ts';
import type { assignRelief } from './relief.ts';
import { patchShader, replaceChunk, replaceText } from './shaderPatch.ts';
import { ShaderValues } from './shaderValues.ts';
import { isColorSlot, isDetailSlot, packingOf, TOON_MAPS } from '../../textures/slots.ts';
import type { ToonMaterial } from './toon.ts';
import { isToonMaterial } from './toonMaterial.ts';
import { MIRROR, smoothnessIsInBase, smoothnessOf, unityPatch } from './unityMaps.ts';

/** Properties that determine how a texture is assigned to a material. */
export interface TextureTraits {
  /** True if the green channel of normal maps points down, as in Unreal. */
  directX?: boolean;
  settings?: SceneTexture | null;
  /**
   * Function that assigns detail, height and anisotropy textures; undefined if they aren't drawn.
   */
  relief?: typeof assignRelief | undefined;
}

const valuesOf = ({ userData }: ThreeMaterial): ShaderValues => new ShaderValues({ properties: userData['properties'] });

/**
 * Functions that assign a texture to a material, by slot. They return false if the material has no
 * property for the texture.
 */
const SLOT_ASSIGNERS: Record<string, (material: MeshStandardMaterial, texture: Texture, traits: TextureTraits) => boolean> = {
  normal: assignNormal,
  emissive: (material, texture) => {
    material.emissiveMap = texture;
    enableEmission(material);
    return true;
  },
  emissiveMask: (material, texture) => {
    maskEmission(material, texture);
    return true;
  },
  specularColor: (material, texture) => {
    if (!(material instanceof MeshPhysicalMaterial)) return false;
    material.specularColorMap = texture;
    material.ior = MIRROR;
    return true;
  },
  specular: (material, texture) => {
    if (!(material instanceof MeshPhysicalMaterial)) return false;
    readRed(material, texture);
    return true;
  },
};

/**
 * Assigns a texture to the material property for its slot. Returns false if the material has no
 * such property.
 */
export function assignTexture(material: ThreeMaterial, slot: string, texture: Texture, traits: TextureTraits = {}): boolean {
  if (isColorSlot(slot)) texture.colorSpace = SRGBColorSpace;
  material.needsUpdate = true;
  if (isToonMaterial(material)) return assignToonTexture(material, slot, texture);
  if (slot === 'baseColor') return assignBaseColor(material, texture);
  if (slot === 'opacity' && 'alphaMap' in material) {
    (material as MeshStandardMaterial).alphaMap = texture;
    if (!material.transparent && !material.alphaTest) material.alphaTest = 0.5;
    return true;
  }
  if (!(material instanceof MeshStandardMaterial)) return false;
  if (isDetailSlot(slot)) return traits.relief?.(material, slot, texture, valuesOf(material)) ?? false;
  if (Object.hasOwn(SLOT_ASSIGNERS, slot)) return SLOT_ASSIGNERS[slot]!(material, texture, traits);
  return assignPacked(material, slot, texture, traits);
}

function assignBaseColor(material: ThreeMaterial, texture: Texture): boolean {
  if (material instanceof LineBasicMaterial) return tint(material, texture); // strands have no texture coordinates
  if (!('map' in material)) return false;
  (material as MeshStandardMaterial).map = texture;
  endGrey(material);
  if (material instanceof MeshStandardMaterial && smoothnessIsInBase(material)) {
    patchChannels(material, { baseSmoothness: smoothnessOf(material) });
  }
  return true;
}

function assignNormal(material: MeshStandardMaterial, texture: Texture, { directX = false }: TextureTraits): boolean {
  material.normalMap = texture;
  // V points down in rigcast. Tangents that three.js derives in the shader therefore invert the
  // green channel (three.js issue 11438).
  const isDown = directX !== (material.userData['hasTangents'] !== true);
  const values = valuesOf(material);
  const strength = values.number('_NormalScale', values.number('_BumpScale', 1));
  material.normalScale.set(strength, isDown ? -strength : strength);
  return true;
}

/** Assigns a texture whose channels contain occlusion, roughness or metalness. */
function assignPacked(material: MeshStandardMaterial, slot: string, texture: Texture, { settings = null }: TextureTraits): boolean {
  const packed = settings && unityPatch(material, slot, texture, settings);
  if (packed) {
    patchChannels(material, packed);
    return true;
  }
  const packing = packingOf(slot);
  if (!packing) return false;
  // Textures with a single channel store it as red.
  const isRed = (texture.format as number) === RED_RGTC1_Format || (texture.format as number) === SIGNED_RED_RGTC1_Format;
  const patch: ChannelPatch = {};
  if (packing.roughness) {
    material.roughnessMap = texture;
    material.roughness = 1;
    patch.roughness = isRed ? 'r' : packing.roughness;
    patch.invert = packing.isGloss ?? false;
  }
  if (packing.metalness) {
    material.metalnessMap = texture;
    material.metalness = 1;
    patch.metalness = isRed ? 'r' : packing.metalness;
  }
  if (packing.occlusion) {
    material.aoMap = texture;
    patch.occlusion = packing.occlusion;
  }
  patchChannels(material, patch);
  return true;
}

function assignToonTexture(material: ToonMaterial, slot: string, texture: Texture): boolean {
  if (!Object.hasOwn(TOON_MAPS, slot)) return false;
  const { shadeFromBase, bumpScale } = material.userData['toon'] as { shadeFromBase: boolean; bumpScale: number };
  material[TOON_MAPS[slot as keyof typeof TOON_MAPS]] = texture;
  if (slot === 'baseColor' && shadeFromBase) material.shadeMultiplyTexture ??= texture;
  if (slot === 'normal') material.normalScale.set(bumpScale, material.userData['hasTangents'] === true ? bumpScale : -bumpScale);
  if (slot === 'emissive') enableEmission(material);
  material.update(0);
  return true;
}

/** Multiplies the color of a material by the average color of a texture. */
function tint(material: LineBasicMaterial, texture: Texture): boolean {
  const color = averageColor(texture);
  if (!color) return false;
  endGrey(material);
  material.color.multiply(color);
  return true;
}

/**
 * Assigns the specular intensity of a dielectric. three.js reads the alpha channel, but files store
 * the intensity in red.
 */
function readRed(material: MeshPhysicalMaterial, texture: Texture): void {
  material.specularIntensityMap = texture;
  patchShader(material, 'specular', {
    key: 'red',
    values: 'red',
    apply: shader => {
      const chunk = replaceText(ShaderChunk.lights_physical_fragment, 'vSpecularIntensityMapUv ).a', 'vSpecularIntensityMapUv ).r');
      shader.fragmentShader = replaceChunk(shader.fragmentShader, 'lights_physical_fragment', chunk);
    },
  });
}
