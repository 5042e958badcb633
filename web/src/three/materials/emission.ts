// Assigns emissive textures and emission masks.
import { type Color, DataTexture, type MeshStandardMaterial, ShaderChunk, type Texture } from 'three';
import type { Material, MaterialSlot } from '../../core/types.ts';
import { isPlain, patchShader, replaceChunk } from './shaderPatch.ts';

/**
 * Applies the emissive color of a material, or white if the color is black, so that the emissive
 * texture is visible.
 */
export function enableEmission(material: { emissive: Color; userData: Record<string, unknown> }): void {
  const [r, g, b] = (material.userData['emissive'] as Material['emissive'] | undefined) ?? [0, 0, 0];
  if (r + g + b > 0) material.emissive.setRGB(r, g, b);
  else material.emissive.setRGB(1, 1, 1);
}

/**
 * Multiplies emission by the red channel of a mask texture. A material without an emissive texture
 * emits white where the mask is white.
 */
export function maskEmission(material: MeshStandardMaterial, mask: Texture): void {
  const slots = (material.userData['slots'] ?? []) as MaterialSlot[];
  if (!slots.some(({ slot }) => slot === 'emissive')) material.emissive.setRGB(1, 1, 1);
  // The patch multiplies the emissive texture by the mask, so a material without an emissive
  // texture gets a white one. If patches are not applied, the mask itself is the emissive texture,
  // because a white texture would make the whole surface emissive.
  material.emissiveMap ??= isPlain(material) ? mask : whitePixel();
  patchShader(material, 'emissiveMask', {
    key: 'red',
    values: mask,
    apply: shader => {
      shader.uniforms['emissiveMask'] = { value: mask };
      const masked = `${ShaderChunk.emissivemap_fragment}\n#ifdef USE_EMISSIVEMAP\n  totalEmissiveRadiance *= texture2D( emissiveMask, vEmissiveMapUv ).r;\n#endif`;
      const pars = `${ShaderChunk.emissivemap_pars_fragment}\nuniform sampler2D emissiveMask;`;
      shader.fragmentShader = replaceChunk(
        replaceChunk(shader.fragmentShader, 'emissivemap_fragment', masked),
        'emissivemap_pars_fragment',
        pars,
      );
    },
  });
}

let sharedWhitePixel: Texture | undefined;

/** Returns a white texture of one pixel, which is shared by all materials and never disposed. */
function whitePixel(): Texture {
  if (!sharedWhitePixel) {
    sharedWhitePixel = new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
    sharedWhitePixel.needsUpdate = true;
  }
  return sharedWhitePixel;
}
