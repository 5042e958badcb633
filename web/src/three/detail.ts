// Unity's detail maps: finer colours and bumps over a material's own, in a place of their own (vgo.md section 9.3).
import { DataTexture, type IUniform, Matrix3, type MeshStandardMaterial, ShaderChunk, type Texture } from 'three';
import { patchShader, replaceChunk } from './shaderPatch.ts';
import type { ShaderValues } from './shaderValues.ts';

/** Unity's doubling in linear space, where a grey of one half changes nothing; its newer pipelines just multiply by two. */
const LINEAR_DOUBLE = 4.5947938;

interface DetailMaps {
  color: Texture | null;
  normal: Texture | null;
}

/** Whether the shader's variant has details at all; a texture alone does not switch them on. */
function hasDetails(values: ShaderValues): boolean {
  return values.keyword('_DETAIL_MULX2') ?? values.keyword('_DETAIL_SCALED') ?? true;
}

/** Puts a detail map over a material; false where its shader does not draw it. */
export function assignDetail(material: MeshStandardMaterial, slot: 'detailBaseColor' | 'detailNormal', texture: Texture, values: ShaderValues): boolean {
  if (!hasDetails(values)) return false;
  const isUniversal = values.shader.startsWith('Universal Render Pipeline/');
  const maps = (material.userData['details'] ??= { color: null, normal: null }) as DetailMaps;
  maps[slot === 'detailNormal' ? 'normal' : 'color'] = texture;
  if (maps.normal && !material.normalMap) {
    material.normalMap = flatNormals(); // what three knows of bumps stands around a normal map
    material.normalScale.set(1, material.userData['hasTangents'] === true ? 1 : -1); // see assignTexture
  }
  texture.updateMatrix();
  const strength = isUniversal ? values.number('_DetailAlbedoMapScale', 1) : 1, factor = isUniversal ? 2 : LINEAR_DOUBLE;
  const uv = values.number('_UVSec', 0) === 1 ? 'uv1' : 'uv', bumps = values.number('_DetailNormalMapScale', 1);
  const { color, normal } = maps;
  patchShader(material, 'details', {
    key: JSON.stringify([color !== null, normal !== null, strength, factor, uv, bumps]),
    apply: shader => {
      const uniforms: Record<string, IUniform> = { detailMap: { value: color }, detailNormalMap: { value: normal }, detailTransform: { value: (color ?? normal)?.matrix ?? new Matrix3() } };
      Object.assign(shader.uniforms, uniforms);
      const declared = uv === 'uv1' ? '#ifndef USE_UV1\nattribute vec2 uv1;\n#endif\n' : '';
      shader.vertexShader = `uniform mat3 detailTransform;\nvarying vec2 vDetailUv;\n${declared}${replaceChunk(
        shader.vertexShader, 'uv_vertex', `${ShaderChunk.uv_vertex}\nvDetailUv = ( detailTransform * vec3( ${uv}, 1 ) ).xy;`,
      )}`;
      let fragment = shader.fragmentShader;
      if (color) {
        const detailed = `diffuseColor.rgb *= mix( vec3( 1.0 ), texture2D( detailMap, vDetailUv ).rgb * ${factor.toFixed(6)}, ${glsl(strength)} );`;
        fragment = replaceChunk(fragment, 'map_fragment', `${ShaderChunk.map_fragment}\n${detailed}`);
      }
      if (normal) {
        const blended = `vec3 detailN = texture2D( detailNormalMap, vDetailUv ).xyz * 2.0 - 1.0;
          detailN.xy *= sign( normalScale ) * ${glsl(bumps)};
          mapN = normalize( vec3( mapN.xy + detailN.xy, mapN.z * detailN.z ) );`;
        fragment = replaceChunk(fragment, 'normal_fragment_maps', ShaderChunk.normal_fragment_maps.replace('mapN.xy *= normalScale;', `mapN.xy *= normalScale;\n${blended}`));
      }
      shader.fragmentShader = `uniform sampler2D detailMap, detailNormalMap;\nvarying vec2 vDetailUv;\n${fragment}`;
    },
  });
  return true;
}

function glsl(value: number): string {
  return Number.isFinite(value) ? value.toFixed(6) : '1.0';
}

function flatNormals(): Texture {
  const texture = new DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
  texture.needsUpdate = true;
  return texture;
}
