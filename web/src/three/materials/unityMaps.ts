// Reads Unity's packed textures as exporters store them.
import { MeshPhysicalMaterial, type Material, type MeshStandardMaterial, type Texture } from 'three';
import { numberIn } from '../../core/properties.ts';
import type { Texture as SceneTexture } from '../../core/types.ts';
import type { ChannelPatch, Smoothness } from './patchValues.ts';
import { ShaderValues } from './shaderValues.ts';
import type { Channel } from '../../textures/slots.ts';

/**
 * Index of refraction for Unity's specular workflow, in which the specular color is the reflectance
 * at normal incidence. With a very high index, three.js draws exactly this color; Blender's
 * importer does the same.
 */
export const MIRROR = 1000;

/**
 * Returns true if the exporter has changed the channels of the texture (docs/formats/vgo.md,
 * section 9.2).
 */
const isRepacked = (mapType: number): boolean => mapType === 3 || mapType === 5;

/**
 * Returns a patch for a packed texture of Unity, which contains smoothness instead of roughness.
 * The patch also multiplies it by the smoothness of the material. Returns null for textures without
 * `mapType`, which are not from Unity.
 */
export function unityPatch(material: MeshStandardMaterial, slot: string, texture: Texture, settings: SceneTexture): ChannelPatch | null {
  const mapType = numberIn(settings.properties, 'mapType', NaN);
  if (Number.isNaN(mapType)) return null;
  const values = new ShaderValues({ properties: material.userData['properties'] });
  const smoothness = smoothnessOf(material);
  const patch: ChannelPatch = {};
  const addMetalness = (channel: Channel): void => {
    material.metalnessMap = texture;
    material.metalness = 1;
    patch.metalness = channel;
  };
  const addSmoothness = (values: Smoothness): void => {
    material.roughnessMap = texture;
    material.roughness = 1;
    patch.smoothness = values;
  };
  const addOcclusion = (channel: Channel): void => {
    material.aoMap = texture;
    material.aoMapIntensity = values.number('_OcclusionStrength', 1);
    patch.occlusion = channel;
  };
  switch (slot) {
    case 'metallicRoughness': {
      if (smoothnessIsInBase(material)) {
        addMetalness(isRepacked(mapType) ? 'b' : 'r');
        return patch;
      }
      if (!isRepacked(mapType)) {
        addMetalness('r');
        addSmoothness({ channel: 'a', min: 0, max: smoothness });
        return patch;
      }
      addMetalness('b');
      // The exporter multiplied smoothness by one minus the `metallicRoughness` of the material. If
      // that is 1 or unknown, the original smoothness can't be restored.
      const own = numberIn(settings.properties, 'metallicRoughness', -1);
      if (own >= 0 && own < 1) addSmoothness({ channel: 'g', divisor: 1 - own, min: 0, max: smoothness });
      else material.roughness = 1 - smoothness;
      return patch;
    }
    case 'occlusion':
      addOcclusion(isRepacked(mapType) ? 'r' : 'g');
      return patch;
    case 'maskMap':
      addMetalness('r');
      addOcclusion('g');
      addSmoothness({ channel: 'a', min: values.number('_SmoothnessRemapMin', 0), max: values.number('_SmoothnessRemapMax', 1) });
      return patch;
    case 'specularGloss':
      if (!(material instanceof MeshPhysicalMaterial)) return null;
      material.specularColorMap = texture;
      material.specularColor.setRGB(1, 1, 1);
      material.ior = MIRROR;
      addSmoothness({ channel: 'a', min: 0, max: smoothness });
      return patch;
    default:
      return null;
  }
}

/** Returns the factor by which a material multiplies the smoothness in its texture. */
export function smoothnessOf({ userData }: Material): number {
  const values = new ShaderValues({ properties: userData['properties'] });
  return values.shader === 'Standard' || values.shader.startsWith('UniGLTF/')
    ? values.number('_GlossMapScale', 1)
    : values.number('_Smoothness', 0.5);
}

/**
 * Returns true if the alpha channel of a material's base texture contains smoothness, which is an
 * option of Unity's shaders.
 */
export function smoothnessIsInBase({ userData }: Material): boolean {
  return new ShaderValues({ properties: userData['properties'] }).number('_SmoothnessTextureChannel', 0) === 1;
}
