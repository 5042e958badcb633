import { MeshPhysicalMaterial, ShaderChunk, type Material, type Texture } from 'three';
import { patchShader, replaceChunk } from './shaderPatch.ts';

/**
 * Assigns a texture whose red channel contains the strength of anisotropy (Cast's `aniso`, as Maya
 * reads it). In three.js, the red and green channels of an anisotropy map contain a direction, and
 * blue contains the strength. The patched shader always uses the direction of U. Returns false if
 * the material has no anisotropy.
 */
export function assignAnisotropy(material: Material, texture: Texture): boolean {
  if (!(material instanceof MeshPhysicalMaterial)) return false;
  material.anisotropyMap = texture;
  material.anisotropy = 1;
  patchShader(material, 'anisotropy', {
    key: 'red',
    values: 'red',
    apply: shader => {
      const chunk = ShaderChunk.lights_physical_fragment.replace(
        'texture2D( anisotropyMap, vAnisotropyMapUv ).rgb',
        'vec3( 1.0, 0.5, texture2D( anisotropyMap, vAnisotropyMapUv ).r )',
      );
      shader.fragmentShader = replaceChunk(shader.fragmentShader, 'lights_physical_fragment', chunk);
    },
  });
  return true;
}
