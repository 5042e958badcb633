// Draws Unity's detail maps: additional color and normal textures with their own texture
// coordinates and a mask (docs/formats/vgo.md, section 9.3).
import { DataTexture, type IUniform, Matrix3, type MeshStandardMaterial, ShaderChunk, type Texture } from 'three';
import { patchShader, replaceChunk, replaceText } from './shaderPatch.ts';
import { glslNumber, type ShaderValues } from './shaderValues.ts';

/**
 * Factor by which Unity multiplies detail colors in linear space. With this factor, a grey of 0.5
 * has no effect. Newer render pipelines use a factor of two.
 */
const LINEAR_DOUBLE = 4.5947938;

const SLOTS = { detailBaseColor: 'color', detailNormal: 'normal', detailMask: 'mask' } as const;

type DetailMaps = Record<(typeof SLOTS)[keyof typeof SLOTS], Texture | null>;

export function isDetailSlot(slot: string): slot is keyof typeof SLOTS {
  return Object.hasOwn(SLOTS, slot);
}

/** Returns true if the shader keywords enable detail maps. A texture alone doesn't enable them. */
function hasDetails(values: ShaderValues): boolean {
  return values.keyword('_DETAIL_MULX2') ?? values.keyword('_DETAIL_SCALED') ?? true;
}

/**
 * Assigns a detail map, or the mask of the detail maps (its alpha channel). Returns false if the
 * shader of the material doesn't draw the texture.
 */
export function assignDetail(material: MeshStandardMaterial, slot: keyof typeof SLOTS, texture: Texture, values: ShaderValues): boolean {
  if (!hasDetails(values)) return false;
  const isUniversal = values.shader.startsWith('Universal Render Pipeline/');
  const maps = (material.userData['details'] ??= { color: null, normal: null, mask: null }) as DetailMaps;
  maps[SLOTS[slot]] = texture;
  if (maps.normal && !material.normalMap) {
    material.normalMap = flatNormals(); // three.js computes the tangent frame only if there is a normal map
    material.normalScale.set(1, material.userData['hasTangents'] === true ? 1 : -1); // as in assignTexture.ts, tangents determine the sign
  }
  texture.updateMatrix();
  const strength = isUniversal ? values.number('_DetailAlbedoMapScale', 1) : 1;
  const factor = isUniversal ? 2 : LINEAR_DOUBLE;
  const uv = values.number('_UVSec', 0) === 1 ? 'uv1' : 'uv';
  const bumps = values.number('_DetailNormalMapScale', 1);
  const { color, normal, mask } = maps;
  if (!color && !normal) return true; // the detail map for this mask isn't loaded yet
  patchShader(material, 'details', {
    key: JSON.stringify([color !== null, normal !== null, mask !== null, strength, factor, uv, bumps]),
    values: { color, normal, mask, uv, factor, strength, bumps },
    apply: shader => {
      const uniforms: Record<string, IUniform> = {
        detailMap: { value: color },
        detailNormalMap: { value: normal },
        detailTransform: { value: (color ?? normal)!.matrix },
        detailMask: { value: mask },
        detailMaskTransform: { value: mask?.matrix ?? new Matrix3() },
      };
      Object.assign(shader.uniforms, uniforms);
      const declared = uv === 'uv1' ? '#ifndef USE_UV1\nattribute vec2 uv1;\n#endif\n' : '';
      const placed = `vDetailUv = ( detailTransform * vec3( ${uv}, 1 ) ).xy;\nvDetailMaskUv = ( detailMaskTransform * vec3( uv, 1 ) ).xy;`;
      const varyings = 'varying vec2 vDetailUv, vDetailMaskUv;\n';
      shader.vertexShader = `uniform mat3 detailTransform, detailMaskTransform;\n${varyings}${declared}${replaceChunk(shader.vertexShader, 'uv_vertex', `${ShaderChunk.uv_vertex}\n${placed}`)}`;
      const amount = `float detailAmount = ${mask ? 'texture2D( detailMask, vDetailMaskUv ).a' : '1.0'};`;
      const tinted = color
        ? `diffuseColor.rgb *= mix( vec3( 1.0 ), texture2D( detailMap, vDetailUv ).rgb * ${factor.toFixed(6)}, ${glslNumber(strength)} * detailAmount );`
        : '';
      let fragment = replaceChunk(shader.fragmentShader, 'map_fragment', `${ShaderChunk.map_fragment}\n${amount}\n${tinted}`);
      if (normal) {
        const blended = `vec3 detailN = texture2D( detailNormalMap, vDetailUv ).xyz * 2.0 - 1.0;
          detailN.xy *= sign( normalScale ) * ${glslNumber(bumps)};
          mapN = mix( mapN, normalize( vec3( mapN.xy + detailN.xy, mapN.z * detailN.z ) ), detailAmount );`;
        fragment = replaceChunk(
          fragment,
          'normal_fragment_maps',
          replaceText(ShaderChunk.normal_fragment_maps, 'mapN.xy *= normalScale;', `mapN.xy *= normalScale;\n${blended}`),
        );
      }
      shader.fragmentShader = `uniform sampler2D detailMap, detailNormalMap, detailMask;\n${varyings}${fragment}`;
    },
  });
  return true;
}

let sharedFlatNormals: Texture | undefined;

/** Returns a flat normal map, which is shared by all materials and never disposed. */
function flatNormals(): Texture {
  if (!sharedFlatNormals) {
    sharedFlatNormals = new DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
    sharedFlatNormals.needsUpdate = true;
  }
  return sharedFlatNormals;
}
