// Draws height maps as Unity does (ParallaxOffset1Step): the texture coordinates of each pixel are
// offset once, by an amount that depends on its height.
import { type MeshStandardMaterial, type Texture } from 'three';
import { patchShader, replaceChunk, replaceText } from './shaderPatch.ts';
import { glslNumber, type ShaderValues } from './shaderValues.ts';

/** Names of the texture coordinates to which GLSL macros add the parallax offset. */
const MOVED = [
  'vMapUv',
  'vAlphaMapUv',
  'vAoMapUv',
  'vNormalMapUv',
  'vEmissiveMapUv',
  'vMetalnessMapUv',
  'vRoughnessMapUv',
  'vSpecularColorMapUv',
  'vDetailUv',
  'vDetailMaskUv',
];

const DECLARED = `#include <uv_pars_fragment>
uniform sampler2D heightMap;
uniform mat3 heightTransform;
varying vec2 vHeightUv;
vec2 parallax = vec2( 0.0 );
${MOVED.map(name => `#define ${name} ( ${name} + parallax )`).join('\n')}`;

/**
 * GLSL that computes the parallax offset. Screen-space derivatives define the tangent frame, in
 * which V points down.
 */
const LOOK_ASIDE = `#include <logdepthbuf_fragment>
{
  vec3 across = dFdx( - vViewPosition ), up = dFdy( - vViewPosition );
  #ifdef FLAT_SHADED
    vec3 facing = normalize( cross( across, up ) );
  #else
    vec3 facing = normalize( vNormal ) * ( gl_FrontFacing ? 1.0 : - 1.0 );
  #endif
  vec3 acrossSide = cross( up, facing ), upSide = cross( facing, across );
  vec2 st0 = dFdx( vHeightUv ), st1 = dFdy( vHeightUv );
  vec3 alongU = acrossSide * st0.x + upSide * st1.x, alongV = acrossSide * st0.y + upSide * st1.y;
  float lengths = dot( alongU, alongU ) * dot( alongV, alongV );
  vec3 eye = isOrthographic ? vec3( 0.0, 0.0, 1.0 ) : normalize( vViewPosition );
  vec3 seen = vec3( dot( eye, alongU ) * inversesqrt( dot( alongU, alongU ) ), dot( eye, alongV ) * inversesqrt( dot( alongV, alongV ) ), dot( eye, facing ) );
  float height = ( texture2D( heightMap, ( heightTransform * vec3( vHeightUv, 1 ) ).xy ).g - 0.5 ) * HEIGHT;
  if ( lengths > 0.0 ) parallax = height * seen.xy / ( seen.z + 0.42 );
}`;

/**
 * GLSL that sets the parallax offset to zero for one shader chunk. The chunk uses derivatives of
 * texture coordinates, and the offset would make them wrong.
 */
const FRAMED = 'vec2 lookedAside = parallax;\nparallax = vec2( 0.0 );\n#include <normal_fragment_begin>\nparallax = lookedAside;';

/** Assigns a height map. Returns false if the shader of the material doesn't draw height maps. */
export function assignHeight(material: MeshStandardMaterial, texture: Texture, values: ShaderValues): boolean {
  if (!values.shader || values.keyword('_PARALLAXMAP') === false) return false;
  texture.updateMatrix();
  const height = values.number('_Parallax', values.shader.startsWith('Universal Render Pipeline/') ? 0.005 : 0.02);
  patchShader(material, 'parallax', {
    key: String(height),
    values: { texture, height },
    apply: shader => {
      Object.assign(shader.uniforms, { heightMap: { value: texture }, heightTransform: { value: texture.matrix } });
      shader.vertexShader = `varying vec2 vHeightUv;\n${replaceText(shader.vertexShader, 'void main() {', 'void main() {\n  vHeightUv = uv;')}`;
      let text = replaceChunk(shader.fragmentShader, 'uv_pars_fragment', DECLARED);
      text = replaceChunk(text, 'logdepthbuf_fragment', LOOK_ASIDE.replace('HEIGHT', glslNumber(height)));
      shader.fragmentShader = replaceChunk(text, 'normal_fragment_begin', FRAMED);
    },
  });
  return true;
}
