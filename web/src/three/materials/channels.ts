// Textures that pack several values into other channels than three reads.
import { type MeshStandardMaterial, ShaderChunk } from 'three';
import { patchShader, replaceChunk, replaceText } from './shaderPatch.ts';
import { glslNumber } from './shaderValues.ts';
import type { Packing } from '../../textures/slots.ts';

export interface ChannelPatch extends Packing {
  invert?: boolean;
  /** GLSL of `texelRoughness`, instead of a channel. */
  roughnessExpression?: string;
  /** Smoothness is the base texture's alpha, times that. */
  baseSmoothness?: number;
}

/** Where metalness begins in three's chunk of it; roughness comes before. */
const METALNESS = 'float metalnessFactor = metalness;';

/**
 * Teaches a material to read other channels than three's (occlusion r, roughness g, metalness b),
 * and gloss as one minus roughness.
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
