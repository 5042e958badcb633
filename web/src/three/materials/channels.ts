// Draws packed textures whose channels have another order than in three.js.
import { type MeshStandardMaterial, ShaderChunk } from 'three';
import { patchShader, replaceChunk, replaceText } from './shaderPatch.ts';
import { glslNumber } from './shaderValues.ts';
import type { Packing } from '../../textures/slots.ts';

export interface ChannelPatch extends Packing {
  invert?: boolean;
  /**
   * GLSL expression that computes the roughness from `texelRoughness`. If absent, a single channel
   * is read.
   */
  roughnessExpression?: string;
  /** Factor for smoothness if the alpha channel of the base texture contains smoothness. */
  baseSmoothness?: number;
}

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
    apply: shader => {
      const roughness = patch.roughnessExpression ?? `texelRoughness.${patch.roughness}`;
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

function isStandard({ occlusion, roughness, metalness, invert, roughnessExpression, baseSmoothness }: ChannelPatch): boolean {
  return !roughnessExpression && baseSmoothness === undefined && occlusion === 'r' && roughness === 'g' && metalness === 'b' && !invert;
}
