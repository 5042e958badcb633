// Draws packed textures whose channels have another order than in three.js.
import { type MeshStandardMaterial, ShaderChunk } from 'three';
import { patchShader, replaceChunk, replaceText } from './shaderPatch.ts';
import { glslNumber } from './shaderValues.ts';
import type { ChannelPatch, Smoothness } from './patchValues.ts';

/**
 * First statement in three's fragment shader that computes metalness, which follows the computation
 * of roughness.
 */
const METALNESS = 'float metalnessFactor = metalness;';

/**
 * Patches a material to read other channels than three.js, which reads occlusion from red,
 * roughness from green and metalness from blue. If the texture contains gloss, roughness is one
 * minus gloss.
 */
export function patchChannels(material: MeshStandardMaterial, more: ChannelPatch): void {
  const before = material.userData['channels'] as ChannelPatch | undefined;
  const patch: ChannelPatch = { occlusion: 'r', roughness: 'g', metalness: 'b', ...before, ...more };
  if (!before && isStandard(patch)) return;
  material.userData['channels'] = patch;
  patchShader(material, 'channels', {
    key: JSON.stringify(patch),
    values: patch,
    apply: shader => {
      const roughness = patch.smoothness ? roughnessFrom(patch.smoothness) : `texelRoughness.${patch.roughness}`;
      const chunks = {
        roughnessmap_fragment: ['texelRoughness.g', patch.invert ? `( 1.0 - ${roughness} )` : roughness],
        metalnessmap_fragment: ['texelMetalness.b', `texelMetalness.${patch.metalness}`],
        aomap_fragment: ['vAoMapUv ).r', `vAoMapUv ).${patch.occlusion}`],
      } as const;
      for (const [name, [from, to]] of Object.entries(chunks) as [keyof typeof chunks, readonly [string, string]][]) {
        shader.fragmentShader = replaceChunk(shader.fragmentShader, name, replaceText(ShaderChunk[name], from, to));
      }
      if (patch.baseSmoothness !== undefined) {
        const smooth = `#ifdef USE_MAP\n  roughnessFactor = 1.0 - sampledDiffuseColor.a * ${glslNumber(patch.baseSmoothness)};\n#endif`;
        shader.fragmentShader = replaceText(shader.fragmentShader, METALNESS, `${smooth}\n${METALNESS}`);
      }
    },
  });
}

/** Returns GLSL that computes the roughness from `texelRoughness`. */
function roughnessFrom({ channel, divisor, min, max }: Smoothness): string {
  const texel = `texelRoughness.${channel}`;
  const smoothness = divisor === undefined ? texel : `clamp( ( 1.0 - ${texel} ) / ${glslNumber(divisor)}, 0.0, 1.0 )`;
  return `( 1.0 - mix( ${glslNumber(min)}, ${glslNumber(max)}, ${smoothness} ) )`;
}

function isStandard({ occlusion, roughness, metalness, invert, smoothness, baseSmoothness }: ChannelPatch): boolean {
  return !smoothness && baseSmoothness === undefined && occlusion === 'r' && roughness === 'g' && metalness === 'b' && !invert;
}
