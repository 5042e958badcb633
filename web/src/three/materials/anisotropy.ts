import { MeshPhysicalMaterial, ShaderChunk, type Material, type Texture } from 'three';
import { patchShader, replaceChunk } from './shaderPatch.ts';

/**
 * A texture that holds the strength of anisotropy alone, in red (Cast's `aniso`, as Maya takes it).
 * three's map has a direction in red and green and the strength in blue: here the direction is that
 * of U. False where the material has no place for it.
 */
export function assignAnisotropy(material: Material, texture: Texture): boolean {
  if (!(material instanceof MeshPhysicalMaterial)) return false;
  material.anisotropyMap = texture;
  material.anisotropy = 1;
  patchShader(material, 'anisotropy', {
    key: 'red',
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
