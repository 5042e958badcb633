// Patches built-in materials of three.js for any number of influences per vertex and for dual
// quaternions. skinning.ts computes the same on the CPU.
import { type Material, ShaderChunk, ShaderLib } from 'three';
import { patchShader, replaceChunk } from '../materials/shaderPatch.ts';
import { programOf, type Skinning } from './skinning.ts';

const CHUNKS = ['skinning_pars_vertex', 'skinbase_vertex', 'skinnormal_vertex', 'skinning_vertex'] as const;

/**
 * Returns true if the shader chunks in the installed release of three.js contain the code that the
 * patch changes. If false, meshes are drawn with four linear influences.
 */
export function canExtendSkinning(): boolean {
  const texts = Object.values(ShaderLib)
    .map(({ vertexShader }) => vertexShader)
    .filter(text => text.includes('#include <skinning_'));
  const pars = ShaderChunk.skinning_pars_vertex;
  return (
    texts.length > 0 &&
    texts.every(text => CHUNKS.every(name => text.includes(`#include <${name}>`))) &&
    ['uniform mat4 bindMatrix;', 'uniform mat4 bindMatrixInverse;', 'mat4 getBoneMatrix('].every(anchor => pars.includes(anchor))
  );
}

/**
 * Patches a material for one kind of skinning. The material can then no longer draw meshes with
 * other kinds of skinning.
 */
export function extendSkinning<M extends Material>(material: M, skinning: Skinning): M {
  patchShader(material, 'skinning', {
    key: programOf(skinning),
    apply: shader => {
      if (skinning.influences) shader.uniforms['skinInfluences'] = { value: skinning.influences };
      let text = shader.vertexShader;
      text = replaceChunk(text, 'skinning_pars_vertex', `#include <skinning_pars_vertex>\n${functions(skinning)}`);
      text = replaceChunk(text, 'skinbase_vertex', BASE);
      text = replaceChunk(text, 'skinnormal_vertex', NORMAL); // occurs at most once in a shader
      shader.vertexShader = replaceChunk(text, 'skinning_vertex', VERTEX);
    },
  });
  return material;
}

const BASE = /* glsl */ `
#ifdef USE_SKINNING
  mat4 skinMatrix = skinMatrixOfVertex();
#endif
`;

const NORMAL = /* glsl */ `
#ifdef USE_SKINNING
  objectNormal = mat3( skinMatrix ) * objectNormal;
  #ifdef USE_TANGENT
    objectTangent = mat3( skinMatrix ) * objectTangent;
  #endif
#endif
`;

const VERTEX = /* glsl */ `
#ifdef USE_SKINNING
  transformed = ( skinMatrix * vec4( transformed, 1.0 ) ).xyz;
#endif
`;

/**
 * Returns the GLSL function that blends the transforms of all influences of a vertex into one
 * matrix. The four values of `skinWeight` sum to 1, as unpatched materials require. The other
 * weights are fractions of the total weight, so the first four are scaled to the fraction that
 * remains.
 */
function functions(skinning: Skinning): string {
  const { dual, scaled } = skinning;
  const blend = BLENDS[scaled ? 'scaled' : dual ? 'dual' : 'linear'];
  const four = (suffix: string, weight: string): string =>
    ['x', 'y', 'z', 'w'].map(c => `  ${blend.add(`skinIndex${suffix}.${c}`, `${weight}.${c}`)}`).join('\n');
  const tail = skinning.influences
    ? { attributes: RANGE_ATTRIBUTES, share: 'skinRange.w', sum: range(blend.add('influence.x', 'influence.y')) }
    : skinning.eight
      ? { attributes: SECOND_ATTRIBUTES, share: 'dot( skinWeight1, vec4( 1.0 ) )', sum: four('1', 'skinWeight1') }
      : { attributes: '', share: '0.0', sum: '' };
  return /* glsl */ `
#ifdef USE_SKINNING
${tail.attributes}
${blend.functions}
mat4 skinMatrixOfVertex() {
  vec4 first = skinWeight * ( 1.0 - ${tail.share} );
  ${blend.begin}
${four('', 'first')}
${tail.sum}
  return ${blend.end};
}
#endif
`;
}

const SECOND_ATTRIBUTES = 'attribute vec4 skinIndex1;\nattribute vec4 skinWeight1;';
const RANGE_ATTRIBUTES = 'attribute vec4 skinRange;\nuniform highp sampler2D skinInfluences;';

/**
 * GLSL that reads influences from the texture. `skinRange` contains the column and row of the first
 * texel, and the number of texels.
 */
const range = (add: string): string => /* glsl */ `
  int width = textureSize( skinInfluences, 0 ).x;
  for ( int i = int( skinRange.x ), end = i + int( skinRange.z ); i < end; i ++ ) {
    vec2 influence = texelFetch( skinInfluences, ivec2( i % width, int( skinRange.y ) + i / width ), 0 ).xy;
  ${add}
  }
`;

const DUAL = /* glsl */ `
// Returns the same rotation as Matrix4.decompose.
vec4 rotationOf( in mat3 m ) {
  float sign = determinant( m );
  if ( sign == 0.0 ) return vec4( 0.0, 0.0, 0.0, 1.0 );
  m = mat3( normalize( m[ 0 ] ) * ( sign < 0.0 ? - 1.0 : 1.0 ), normalize( m[ 1 ] ), normalize( m[ 2 ] ) );
  float x = m[ 0 ][ 0 ], y = m[ 1 ][ 1 ], z = m[ 2 ][ 2 ];
  vec3 difference = vec3( m[ 1 ][ 2 ] - m[ 2 ][ 1 ], m[ 2 ][ 0 ] - m[ 0 ][ 2 ], m[ 0 ][ 1 ] - m[ 1 ][ 0 ] );
  vec3 sum = vec3( m[ 2 ][ 1 ] + m[ 1 ][ 2 ], m[ 2 ][ 0 ] + m[ 0 ][ 2 ], m[ 1 ][ 0 ] + m[ 0 ][ 1 ] );
  float big;
  if ( x + y + z > 0.0 ) {
    big = 1.0 + x + y + z;
    return vec4( difference, big ) * ( 0.5 / sqrt( big ) );
  }
  if ( x > y && x > z ) {
    big = 1.0 + x - y - z;
    return vec4( big, sum.z, sum.y, difference.x ) * ( 0.5 / sqrt( big ) );
  }
  if ( y > z ) {
    big = 1.0 + y - x - z;
    return vec4( sum.z, big, sum.x, difference.y ) * ( 0.5 / sqrt( big ) );
  }
  big = 1.0 + z - x - y;
  return vec4( sum.y, sum.x, big, difference.z ) * ( 0.5 / sqrt( big ) );
}

mat3 matrixOf( const in vec4 q ) {
  vec3 a = 2.0 * q.xyz, s = q.xyz * a;
  float xy = q.x * a.y, xz = q.x * a.z, yz = q.y * a.z;
  vec3 w = q.w * a;
  return mat3(
    1.0 - s.y - s.z, xy + w.z, xz - w.y,
    xy - w.z, 1.0 - s.x - s.z, yz + w.x,
    xz + w.y, yz - w.x, 1.0 - s.x - s.y
  );
}

void addQuaternion( in vec4 q, in vec3 t, in float weight, inout vec4 real, inout vec4 dual, inout vec4 pivot ) {
  if ( pivot == vec4( 0.0 ) ) pivot = q;
  if ( dot( q, pivot ) < 0.0 ) weight = - weight;
  real += weight * q;
  dual += 0.5 * weight * vec4( t * q.w + cross( t, q.xyz ), - dot( t, q.xyz ) );
}

mat4 dualMatrix( in vec4 real, in vec4 dual ) {
  float size = length( real );
  if ( size == 0.0 ) return mat4( 1.0 );
  real /= size;
  dual /= size;
  vec3 t = 2.0 * ( real.w * dual.xyz - dual.w * real.xyz + cross( real.xyz, dual.xyz ) );
  mat3 m = matrixOf( real );
  return mat4( vec4( m[ 0 ], 0.0 ), vec4( m[ 1 ], 0.0 ), vec4( m[ 2 ], 0.0 ), vec4( t, 1.0 ) );
}
`;

/** GLSL that adds the rigid transform of a bone, without its scale. */
const BONE = /* glsl */ `
void addBone( const in float index, in float weight, inout vec4 real, inout vec4 dual, inout vec4 pivot ) {
  if ( weight == 0.0 ) return;
  mat4 m = bindMatrixInverse * getBoneMatrix( index ) * bindMatrix;
  addQuaternion( rotationOf( mat3( m ) ), m[ 3 ].xyz, weight, real, dual, pivot );
}
`;

/**
 * GLSL that splits a bone's matrix into a scale about the bone's head, along the bone's axes at
 * rest, and a rigid transform. The scales are summed as matrices and applied first. Rest transforms
 * are in the second half of the bone texture (restSkeleton.ts).
 */
const SCALED_BONE = /* glsl */ `
// Returns the rotation of a matrix relative to the axes at rest. The rotation keeps the direction
// of the Y axis.
mat3 turnOf( in mat3 m, const in mat3 rest ) {
  m *= rest;
  float sign = determinant( m );
  if ( sign == 0.0 ) return mat3( 1.0 );
  vec3 y = normalize( m[ 1 ] ) * ( sign < 0.0 ? - 1.0 : 1.0 ), x = m[ 0 ] * ( sign < 0.0 ? - 1.0 : 1.0 );
  x = normalize( x - dot( x, y ) * y );
  return mat3( x, y, cross( x, y ) ) * transpose( rest );
}

void addBone( const in float index, in float weight, inout vec4 real, inout vec4 dual, inout vec4 pivot, inout mat4 size ) {
  if ( weight == 0.0 ) return;
  int side = textureSize( boneTexture, 0 ).x;
  mat4 m = bindMatrixInverse * getBoneMatrix( index );
  mat4 rest = getBoneMatrix( index + float( side * side / 8 ) );
  mat3 turn = turnOf( mat3( m ), mat3( rest ) );
  vec3 head = rest[ 3 ].xyz;
  addQuaternion( rotationOf( turn ), ( m * rest[ 3 ] ).xyz - turn * head, weight, real, dual, pivot );
  mat3 scale = transpose( turn ) * mat3( m );
  size += weight * mat4( vec4( scale[ 0 ], 0.0 ), vec4( scale[ 1 ], 0.0 ), vec4( scale[ 2 ], 0.0 ), vec4( head - scale * head, 1.0 ) );
}

mat4 scaleMatrix( const in mat4 sum ) {
  return sum[ 3 ][ 3 ] == 0.0 ? mat4( 1.0 ) : sum * ( 1.0 / sum[ 3 ][ 3 ] );
}
`;

/** GLSL code snippets of a function that blends the transforms of several bones into one matrix. */
interface Blend {
  functions: string;
  begin: string;
  add(index: string, weight: string): string;
  end: string;
}

const DUAL_SUM = 'vec4 real = vec4( 0.0 ), dual = vec4( 0.0 ), pivot = vec4( 0.0 );';

const BLENDS: Record<'linear' | 'dual' | 'scaled', Blend> = {
  linear: {
    functions: '',
    begin: 'mat4 blended = mat4( 0.0 );',
    add: (index, weight) => `blended += ${weight} * getBoneMatrix( ${index} );`,
    end: 'bindMatrixInverse * blended * bindMatrix',
  },
  dual: {
    functions: `${DUAL}${BONE}`,
    begin: DUAL_SUM,
    add: (index, weight) => `addBone( ${index}, ${weight}, real, dual, pivot );`,
    end: 'dualMatrix( real, dual )',
  },
  scaled: {
    functions: `${DUAL}${SCALED_BONE}`,
    begin: `${DUAL_SUM}\n  mat4 size = mat4( 0.0 );`,
    add: (index, weight) => `addBone( ${index}, ${weight}, real, dual, pivot, size );`,
    end: 'dualMatrix( real, dual ) * scaleMatrix( size ) * bindMatrix',
  },
};
