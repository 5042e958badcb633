// Emission: its texture, and the mask that some files lay over it.
import { type Color, DataTexture, type MeshStandardMaterial, ShaderChunk, type Texture } from 'three';
import type { Material, MaterialSlot } from '../../core/types.ts';
import { isPlain, patchShader, replaceChunk } from './shaderPatch.ts';

/** Emission shows once its texture is there. */
export function glow(material: { emissive: Color; userData: Record<string, unknown> }): void {
  const [r, g, b] = (material.userData['emissive'] as Material['emissive'] | undefined) ?? [0, 0, 0];
  if (r + g + b > 0) material.emissive.setRGB(r, g, b);
  else material.emissive.setRGB(1, 1, 1);
}

/**
 * Emission times the red of a mask; of a material with no emission of its own the mask is all there
 * is, in white.
 */
export function maskEmission(material: MeshStandardMaterial, mask: Texture): void {
  const slots = (material.userData['slots'] ?? []) as MaterialSlot[];
  if (!slots.some(({ slot }) => slot === 'emissive')) material.emissive.setRGB(1, 1, 1);
  // The mask is read where an emissive texture would be. Where nobody reads it, it stands for that
  // texture: white alone would make all of it glow.
  material.emissiveMap ??= isPlain(material) ? mask : whitePixel();
  patchShader(material, 'emissiveMask', {
    key: 'red',
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

/** One for all materials: it belongs to none of them. */
function whitePixel(): Texture {
  if (!sharedWhitePixel) {
    sharedWhitePixel = new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
    sharedWhitePixel.needsUpdate = true;
  }
  return sharedWhitePixel;
}
