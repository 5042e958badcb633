// Sets the nodes of a material that draw what the GLSL patches of ../materials draw. The same values
// describe both (../materials/patchValues.ts).
//
// Most nodes are functions, which are evaluated when the shader is built, because textures may be
// assigned to the material later.
import { Matrix3, type Material, type MeshStandardMaterial, type Texture } from 'three';
import {
  attribute,
  clamp,
  cross,
  dot,
  faceDirection,
  float,
  inverseSqrt,
  mat2,
  materialColor,
  materialAO,
  materialEmissive,
  materialMetalness,
  materialNormal,
  materialOpacity,
  materialReference,
  materialRoughness,
  materialSpecularIntensity,
  mix,
  modelViewProjection,
  normalMap,
  normalViewGeometry,
  positionView,
  select,
  sign,
  texture,
  uniform,
  uv,
  vec2,
  vec3,
  vec4,
} from 'three/tsl';
import type { Node, TextureNode } from 'three/webgpu';
import type { ChannelPatch, DetailPatch, HeightPatch, PatchValues, Smoothness } from '../materials/patchValues.ts';
import type { Channel } from '../../textures/slots.ts';
import { built } from './built.ts';

type Float = Node<'float'>;
type Vec2 = Node<'vec2'>;
type Vec3 = Node<'vec3'>;
type Vec4 = Node<'vec4'>;

/** Names of the node properties of a material that patches set. */
type Slot =
  | 'colorNode'
  | 'opacityNode'
  | 'normalNode'
  | 'emissiveNode'
  | 'roughnessNode'
  | 'metalnessNode'
  | 'aoNode'
  | 'specularIntensityNode'
  | 'anisotropyNode'
  | 'vertexNode';

/** A built-in material. three.js copies its nodes to the node material that it draws. */
type WithNodes = MeshStandardMaterial & { [slot in Slot]?: Node };

const patchesOf = new WeakMap<Material, Partial<PatchValues>>();

/** Nodes that `patchNodes` has set. */
const set = new WeakSet<Node>();

/**
 * Sets the nodes for a patch. They replace those of an earlier patch with the same id, but not those of
 * the page.
 */
export function patchNodes(material: Material, id: string, values: PatchValues[keyof PatchValues]): void {
  const patches = patchesOf.get(material) ?? {};
  patchesOf.set(material, patches);
  Object.assign(patches, { [id]: values });
  const made = material as WithNodes;
  const { channels, details, parallax, emissiveMask, specular, anisotropy, nearer, attributeColor } = patches;
  const nodes: { [slot in Slot]?: Node } = {
    ...(channels && channelNodes(channels)),
    ...(details && detailNodes(details, parallax)),
    ...(emissiveMask && { emissiveNode: maskedEmission(emissiveMask, parallax) }),
    ...(specular && { specularIntensityNode: specularFromRed }),
    ...(anisotropy && { anisotropyNode: anisotropyFromRed }),
    ...(nearer && { vertexNode: nearerBy(nearer) }),
    ...(attributeColor && { colorNode: colorFrom(attributeColor) }),
  };
  for (const [slot, node] of Object.entries(parallax ? withParallax(nodes, parallax) : nodes) as [Slot, Node][]) {
    const own = made[slot];
    if (!own || set.has(own)) Object.assign(made, { [slot]: node });
    set.add(node);
  }
  made.needsUpdate = true;
}

/** Returns a node that is built for the material that is drawn. */
function forMaterial<T extends Node>(build: (material: MeshStandardMaterial) => T): T {
  return built(builder => build(builder.material as MeshStandardMaterial));
}

/** Returns a node of a texture of the material, at the texture coordinates of the material. */
const textureOf = (name: string): Vec4 => materialReference(name, 'texture') as unknown as Vec4;
const numberOf = (name: string): Float => materialReference(name, 'float') as unknown as Float;

const channelOf = (texel: Vec4, channel: Channel): Float => texel[channel];

/** Nodes by patch. Materials with the same nodes share a shader. */
const channelNodesOf = new Map<string, { [slot in Slot]?: Node }>();

function channelNodes(patch: ChannelPatch): { [slot in Slot]?: Node } {
  const key = JSON.stringify(patch);
  const known = channelNodesOf.get(key);
  if (known) return known;
  const { roughness = 'g', metalness = 'b', occlusion = 'r', invert, smoothness, baseSmoothness } = patch;
  const made = {
    roughnessNode: forMaterial(({ roughnessMap, map }) => {
      if (baseSmoothness !== undefined && map) return float(textureOf('map').a.mul(baseSmoothness).oneMinus());
      if (!roughnessMap) return float(materialRoughness);
      const texel = textureOf('roughnessMap').toVar();
      const read = smoothness ? roughnessFrom(texel, smoothness) : channelOf(texel, roughness);
      return float(numberOf('roughness').mul(invert ? read.oneMinus() : read));
    }),
    metalnessNode: forMaterial(({ metalnessMap }) => {
      const factor = numberOf('metalness');
      return float(metalnessMap ? factor.mul(channelOf(textureOf('metalnessMap'), metalness)) : factor);
    }),
    aoNode: forMaterial(({ aoMap }) =>
      aoMap ? channelOf(textureOf('aoMap'), occlusion).sub(1).mul(numberOf('aoMapIntensity')).add(1) : float(1),
    ),
  };
  channelNodesOf.set(key, made);
  return made;
}

function roughnessFrom(texel: Vec4, { channel, divisor, min, max }: Smoothness): Float {
  const read = channelOf(texel, channel);
  const smoothness = divisor === undefined ? read : clamp(read.oneMinus().div(divisor), 0, 1);
  return mix(float(min), float(max), smoothness).oneMinus();
}

const specularFromRed = /*@__PURE__*/ forMaterial(material => {
  const hasMap = 'specularIntensityMap' in material && material.specularIntensityMap !== null;
  const factor = numberOf('specularIntensity');
  return float(hasMap ? factor.mul(textureOf('specularIntensityMap').r) : factor);
});

const anisotropyFromRed = /*@__PURE__*/ forMaterial(() => vec2(numberOf('anisotropy').mul(textureOf('anisotropyMap').r), 0));

/** Returns the position in clip space. The depth range is 0 to 1 with WebGPU, −1 to 1 with WebGL. */
function nearerBy(share: number): Node {
  return built(({ renderer }) => {
    const range = (renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend ? 1 : 2;
    const place = (modelViewProjection as unknown as Vec4).toVar();
    return vec4(place.xy, place.z.sub(place.w.mul(share * range)), place.w);
  });
}

const colorFrom = (name: string): Node =>
  forMaterial(() =>
    vec4((materialColor as unknown as Vec4).rgb.mul(attribute<'vec3'>(name, 'vec3')), (materialColor as unknown as Vec4).a),
  );

/** Returns the texel of a texture at the transformed texture coordinates of another texture. */
function texelAt(map: Texture, coordinates: 'uv' | 'uv1' | number, matrix: Matrix3, parallax: HeightPatch | undefined): Vec4 {
  const channel = typeof coordinates === 'number' ? coordinates : coordinates === 'uv1' ? 1 : 0;
  const placed = uniform(matrix).mul(vec3(uv(channel), 1)).xy;
  return texture(map, parallax ? placed.add(offsetBy(parallax)) : placed) as unknown as Vec4;
}

function maskedEmission(mask: Texture, parallax: HeightPatch | undefined): Vec3 {
  return forMaterial(({ emissiveMap }) => {
    const matrix = emissiveMap?.matrix ?? new Matrix3();
    return vec3((materialEmissive as unknown as Vec3).mul(texelAt(mask, emissiveMap?.channel ?? 0, matrix, parallax).r));
  });
}

function detailNodes(
  { color, normal, mask, uv: set, factor, strength, bumps }: DetailPatch,
  parallax: HeightPatch | undefined,
): { [slot in Slot]?: Node } {
  const matrix = (color ?? normal)!.matrix;
  const amount = (): Float => (mask ? texelAt(mask, 'uv', mask.matrix, parallax).a : float(1));
  return {
    ...(color && {
      colorNode: forMaterial(() => {
        const base = vec4(materialColor as unknown as Vec4);
        const tint = texelAt(color, set, matrix, parallax).rgb.mul(factor);
        return vec4(base.rgb.mul(mix(vec3(1), tint, amount().mul(strength))), base.a);
      }),
    }),
    ...(normal && {
      normalNode: forMaterial(() => {
        const scale = materialReference('normalScale', 'vec2') as unknown as Vec2;
        const base = textureOf('normalMap').xyz.mul(2).sub(1);
        const n = vec3(base.xy.mul(scale), base.z).toVar();
        const read = texelAt(normal, set, matrix, parallax).xyz.mul(2).sub(1);
        const detail = vec3(read.xy.mul(sign(scale)).mul(bumps), read.z).toVar();
        const blended = mix(n, vec3(n.xy.add(detail.xy), n.z.mul(detail.z)).normalize(), amount());
        return vec3(normalMap(blended.mul(0.5).add(0.5)) as unknown as Vec3);
      }),
    }),
  };
}

/**
 * Returns nodes in which textures are read at offset coordinates. Slots without a node get that of
 * the built-in material.
 */
function withParallax(nodes: { [slot in Slot]?: Node }, parallax: HeightPatch): { [slot in Slot]?: Node } {
  const all: { [slot in Slot]?: Node } = {
    colorNode: materialColor,
    opacityNode: materialOpacity,
    normalNode: materialNormal,
    emissiveNode: materialEmissive,
    roughnessNode: materialRoughness,
    metalnessNode: materialMetalness,
    specularIntensityNode: materialSpecularIntensity,
    aoNode: forMaterial(({ aoMap }) => (aoMap ? float(materialAO) : float(1))),
    ...nodes,
  };
  // three.js transforms the coordinates that this function returns, so the offset is transformed back.
  const getUV = (node: TextureNode): Vec2 => {
    const { channel, matrix } = node.value;
    const [a = 1, b = 0, , c = 0, d = 1] = new Matrix3().copy(matrix).invert().elements;
    return uv(channel).add(mat2(a, b, c, d).mul(offsetBy(parallax)));
  };
  return Object.fromEntries(Object.entries(all).map(([slot, node]) => [slot, (node as Vec4).context({ getUV })]));
}

/**
 * Returns the offset of texture coordinates, as Unity computes it (ParallaxOffset1Step).
 * Screen-space derivatives define the tangent frame, in which V points down.
 */
function offsetBy({ texture: map, height }: HeightPatch): Vec2 {
  return forMaterial(({ flatShading }) => {
    const across = positionView.dFdx().toVar();
    const up = positionView.dFdy().toVar();
    const facing = (flatShading ? cross(across, up).normalize() : normalViewGeometry.normalize().mul(float(faceDirection))).toVar();
    const acrossSide = cross(up, facing).toVar();
    const upSide = cross(facing, across).toVar();
    const place = uv(0);
    const st0 = place.dFdx().toVar();
    const st1 = place.dFdy().toVar();
    const alongU = acrossSide.mul(st0.x).add(upSide.mul(st1.x)).toVar();
    const alongV = acrossSide.mul(st0.y).add(upSide.mul(st1.y)).toVar();
    const lengths = dot(alongU, alongU).mul(dot(alongV, alongV));
    const eye = positionView.negate().normalize().toVar();
    const seen = vec3(
      dot(eye, alongU).mul(inverseSqrt(dot(alongU, alongU))),
      dot(eye, alongV).mul(inverseSqrt(dot(alongV, alongV))),
      dot(eye, facing),
    ).toVar();
    const texel = texture(map, uniform(map.matrix).mul(vec3(place, 1)).xy) as unknown as Vec4;
    const offset = texel.g.sub(0.5).mul(height);
    return vec2(select(lengths.greaterThan(0), seen.xy.mul(offset).div(seen.z.add(0.42)), vec2(0)));
  });
}
