// Draws MToon materials with WebGPURenderer. The rules are those of MToon 1.0 and of the limits of
// MToon 0.x (docs/formats/vgo.md, section 9.5), as ../materials/toon.ts draws them with
// WebGLRenderer. The nodes of @pixiv/three-vrm-materials-mtoon don't work with three.js r187.
import { BackSide, Color, DoubleSide, type Material as ThreeMaterial, type Side, type Texture, Vector2 } from 'three';
import {
  cameraProjectionMatrix,
  clamp,
  cos,
  diffuseColor,
  dot,
  faceDirection,
  float,
  inverseSqrt,
  length,
  mat3,
  materialNormal,
  materialReference,
  max,
  min,
  mix,
  modelNormalMatrix,
  modelViewMatrix,
  normalLocal,
  normalMap,
  normalView,
  normalViewGeometry,
  positionLocal,
  positionView,
  positionViewDirection,
  select,
  sin,
  uv,
  vec2,
  vec3,
  vec4,
} from 'three/tsl';
import { LightingModel, type Node, type NodeBuilder, NodeMaterial } from 'three/webgpu';
import type { Material } from '../../core/types.ts';
import { standardOf } from '../materials/toonStandard.ts';
import { type ToonValues, toonValues } from '../materials/toonValues.ts';
import type { ToonMaterial } from '../materials/vendor/mtoon.ts';
import { built, moved } from './built.ts';

export { toonValues };

type Float = Node<'float'>;
type Vec2 = Node<'vec2'>;
type Vec3 = Node<'vec3'>;
type Vec4 = Node<'vec4'>;
type Mat3 = Node<'mat3'>;

const numberOf = (name: string): Float => materialReference(name, 'float') as unknown as Float;
const colorOf = (name: string): Vec3 => materialReference(name, 'color') as unknown as Vec3;

/** The values of a toon material, as properties with the names of MToonMaterial, and its textures. */
const values = () => ({
  color: new Color(1, 1, 1),
  emissive: new Color(0, 0, 0),
  emissiveIntensity: 1,
  normalScale: new Vector2(1, 1),
  shadeColorFactor: new Color(0, 0, 0),
  shadingShiftFactor: 0,
  shadingShiftTextureScale: 1,
  shadingToonyFactor: 0.9,
  rimLightingMixFactor: 1,
  matcapFactor: new Color(1, 1, 1),
  parametricRimColorFactor: new Color(0, 0, 0),
  parametricRimLiftFactor: 0,
  parametricRimFresnelPowerFactor: 5,
  outlineWidthMode: 'none' as ToonValues['outlineWidthMode'],
  outlineWidthFactor: 0,
  outlineColorFactor: new Color(0, 0, 0),
  outlineLightingMixFactor: 1,
  uvAnimationScrollXSpeedFactor: 0,
  uvAnimationScrollYSpeedFactor: 0,
  uvAnimationRotationSpeedFactor: 0,
  v0CompatShade: false,
  redMasks: false,
  isOutline: false,
  map: null as Texture | null,
  emissiveMap: null as Texture | null,
  normalMap: null as Texture | null,
  shadeMultiplyTexture: null as Texture | null,
  shadingShiftTexture: null as Texture | null,
  rimMultiplyTexture: null as Texture | null,
  matcapTexture: null as Texture | null,
  outlineWidthMultiplyTexture: null as Texture | null,
  uvAnimationMaskTexture: null as Texture | null,
});

type Values = ReturnType<typeof values>;
type TextureName = { [name in keyof Values]: Values[name] extends Texture | null ? name : never }[keyof Values];

const NodeMaterialWithValues = NodeMaterial as unknown as new () => NodeMaterial & Values & { emissiveNode: Node };

class ToonNodes extends NodeMaterialWithValues {
  readonly isMToonMaterial = true;
  /** Offset of the texture coordinates, and their rotation in radians, by UV animation. */
  scroll = new Vector2();
  turn = 0;

  constructor() {
    super();
    Object.assign(this, values());
    this.lights = true;
    this.#setNodes();
  }

  /** Sets nodes that read the properties of this material when the shader is built. */
  #setNodes(): void {
    this.colorNode = built(({ material }) => {
      if (material !== this) return vec4(1); // a shadow pass, which itself multiplies the alpha of the map
      const color = colorOf('color');
      return this.map ? vec4(color, 1).mul(this.texel('map')) : vec4(color, 1);
    });
    this.emissiveNode = built<Vec3>(() => {
      const color = colorOf('emissive').mul(numberOf('emissiveIntensity'));
      return this.emissiveMap ? color.mul(this.texel('emissiveMap').rgb) : vec3(color);
    });
    this.normalNode = built<Vec3>(({ geometry }) => {
      if (!this.normalMap) return vec3(materialNormal as unknown as Vec3).mul(this.isOutline ? -1 : 1);
      const scale = materialReference('normalScale', 'vec2') as unknown as Vec2;
      const texel = this.texel('normalMap');
      if (geometry!.hasAttribute('tangent')) return vec3(normalMap(texel as unknown as Vec3, scale) as unknown as Vec3);
      const read = texel.xyz.mul(2).sub(1);
      return tangentFrame(this.#animatedUv(), this.side)
        .mul(vec3(read.xy.mul(scale), read.z))
        .normalize();
    });
  }

  /** Returns the texel of a texture at the animated texture coordinates. */
  texel(name: TextureName): Vec4 {
    return (materialReference(name, 'texture') as unknown as Vec4).context({ getUV: () => this.#animatedUv() }) as unknown as Vec4;
  }

  #animatedUv(): Vec2 {
    const mask = this.uvAnimationMaskTexture
      ? this.#masked(
          (materialReference('uvAnimationMaskTexture', 'texture') as unknown as Vec4).context({ getUV: () => uv() }) as unknown as Vec4,
          'b',
        )
      : float(1);
    const angle = numberOf('turn').mul(mask);
    const [c, s] = [cos(angle), sin(angle)];
    const from = uv().sub(0.5);
    const turned = vec2(from.x.mul(c).add(from.y.mul(s)), from.y.mul(c).sub(from.x.mul(s)));
    return turned.add(0.5).add((materialReference('scroll', 'vec2') as unknown as Vec2).mul(mask));
  }

  /** Reads a mask, which is in the red channel in MToon 0.x. */
  #masked(texel: Vec4, channel: 'g' | 'b'): Float {
    return this.redMasks ? texel.r : texel[channel];
  }

  override customProgramCacheKey(): string {
    return `${super.customProgramCacheKey()} ${this.isOutline} ${this.outlineWidthMode}`;
  }

  override setup(builder: NodeBuilder): void {
    // Shadows change the shading instead of the color of the light.
    const shadows = new Map<unknown, Float>();
    const context = builder.context as Record<string, unknown>;
    context['getShadow'] = (light: { shadowNode: Float; baseColorNode: Vec3 }) => {
      shadows.set(light, light.shadowNode);
      return light.baseColorNode;
    };
    context['toonShadows'] = shadows;
    super.setup(builder);
  }

  override setupLightingModel(): LightingModel {
    return new ToonLighting(this);
  }

  override setupPosition(builder: NodeBuilder): Node {
    const position = super.setupPosition(builder);
    if (!this.isOutline || this.outlineWidthMode === 'none') return position;
    moved(() => this.#widen()).toStack();
    return position;
  }

  /** Moves the vertex of an outline along its normal. */
  #widen(): void {
    const normal = normalLocal.normalize().toVar();
    const width = numberOf('outlineWidthFactor').mul(length(modelNormalMatrix.mul(normal)));
    const mask = this.outlineWidthMultiplyTexture
      ? this.#masked(
          (materialReference('outlineWidthMultiplyTexture', 'texture') as unknown as Vec4).context({
            getUV: () => uv(),
          }) as unknown as Vec4,
          'g',
        )
      : float(1);
    const scale =
      this.outlineWidthMode === 'screenCoordinates'
        ? modelViewMatrix
            .mul(vec4(positionLocal, 1))
            .z.negate()
            .div(cameraProjectionMatrix.mul(vec4(0, 1, 0, 0)).y)
        : float(1);
    positionLocal.addAssign(normal.mul(width).mul(mask).mul(scale));
  }

  override setupOutput(builder: NodeBuilder, output: Node): Node {
    if (!this.isOutline) return super.setupOutput(builder, output);
    const color = colorOf('outlineColorFactor').mul(mix(vec3(1), (output as Vec4).rgb, numberOf('outlineLightingMixFactor')));
    return super.setupOutput(builder, vec4(color, (output as Vec4).a));
  }

  /** Advances the UV animation. */
  update(seconds: number): void {
    this.scroll.x += seconds * this.uvAnimationScrollXSpeedFactor;
    this.scroll.y += seconds * this.uvAnimationScrollYSpeedFactor;
    this.turn += seconds * this.uvAnimationRotationSpeedFactor;
  }

  override copy(source: this): this {
    super.copy(source);
    this.#setNodes(); // those of the source read its properties
    for (const name of Object.keys(values()) as (keyof Values)[]) {
      const value = source[name];
      Object.assign(this, { [name]: value instanceof Color || value instanceof Vector2 ? value.clone() : value });
    }
    return this;
  }

  /** Serializes a standard material, which ObjectLoader can load. */
  override toJSON(meta?: Parameters<ThreeMaterial['toJSON']>[0]): ReturnType<ThreeMaterial['toJSON']> {
    const made = standardOf(this as unknown as ToonMaterial);
    Object.assign(made, { uuid: this.uuid });
    made.visible &&= !this.isOutline;
    return made.toJSON(meta);
  }
}

type Sum = Vec3 & { addAssign(value: Node): void };

/**
 * Returns the tangent frame of a pixel. Screen-space derivatives of animated texture coordinates
 * define it, because UV animation also rotates normal maps.
 */
function tangentFrame(place: Vec2, drawn: Side): Mat3 {
  const across = positionView.dFdx().toVar();
  const up = positionView.dFdy().toVar();
  const st0 = place.dFdx().toVar();
  const st1 = place.dFdy().toVar();
  const facing = drawn === DoubleSide ? float(faceDirection) : float(1);
  const normal = normalViewGeometry
    .normalize()
    .mul(drawn === BackSide ? float(-1) : facing)
    .toVar();
  const acrossSide = up.cross(normal).toVar();
  const upSide = normal.cross(across).toVar();
  const tangent = acrossSide.mul(st0.x).add(upSide.mul(st1.x)).toVar();
  const bitangent = acrossSide.mul(st0.y).add(upSide.mul(st1.y)).toVar();
  const size = max(dot(tangent, tangent), dot(bitangent, bitangent));
  const factor = select(size.equal(0), float(0), inverseSqrt(size)).mul(facing).toVar();
  return mat3(tangent.mul(factor), bitangent.mul(factor), normal);
}

/** Light data that LightingModel passes, without the parts that toon materials don't use. */
interface DirectLight {
  lightDirection: Vec3;
  lightColor: Vec3;
  lightNode: unknown;
  reflectedLight: Record<'directDiffuse' | 'indirectDiffuse' | 'indirectSpecular', Sum>;
}

class ToonLighting extends LightingModel {
  readonly #material: ToonNodes;
  #shade!: Vec3;
  #shift!: Float;
  /** Sum of all light, which colors the rim. */
  #light!: Sum;

  constructor(material: ToonNodes) {
    super();
    this.#material = material;
  }

  override start(builder: NodeBuilder): void {
    const { shadeMultiplyTexture, shadingShiftTexture } = this.#material;
    const texel = shadeMultiplyTexture ? this.#material.texel('shadeMultiplyTexture').rgb : vec3(1);
    this.#shade = colorOf('shadeColorFactor').mul(texel).toVar();
    const shift = shadingShiftTexture ? this.#material.texel('shadingShiftTexture').r.mul(numberOf('shadingShiftTextureScale')) : float(0);
    this.#shift = numberOf('shadingShiftFactor').add(shift).toVar();
    this.#light = vec3(0).toVar() as unknown as Sum;
    super.start(builder);
  }

  override direct(light: never, builder: NodeBuilder): void {
    const { lightDirection, lightColor, lightNode, reflectedLight } = light as DirectLight;
    const shadow = (builder.context as { toonShadows: Map<unknown, Float> }).toonShadows.get(lightNode) ?? float(1);
    const toony = numberOf('shadingToonyFactor');
    const lit = clamp(dot(normalView, lightDirection), -1, 1).add(this.#shift);
    const low = toony.sub(1);
    const shading = clamp(lit.sub(low).div(toony.oneMinus().sub(low)), 0, 1).mul(shadow);
    const color = lightColor.mul(mix(this.#shade, diffuseColor.rgb, shading)).mul(1 / Math.PI);
    reflectedLight.directDiffuse.addAssign(this.#material.v0CompatShade ? min(color, diffuseColor.rgb) : color);
    this.#light.addAssign(lightColor);
  }

  override indirect(builder: NodeBuilder): void {
    const { irradiance, reflectedLight } = builder.context as unknown as DirectLight & { irradiance: Vec3 };
    reflectedLight.indirectDiffuse.addAssign(irradiance.mul(diffuseColor.rgb).mul(1 / Math.PI));
    this.#light.addAssign(irradiance);
    const { matcapTexture, rimMultiplyTexture } = this.#material;
    const view = positionViewDirection;
    const facing = dot(view, normalView).oneMinus().add(numberOf('parametricRimLiftFactor'));
    let rim: Vec3 = colorOf('parametricRimColorFactor').mul(clamp(facing, 0, 1).pow(numberOf('parametricRimFresnelPowerFactor')));
    if (matcapTexture) {
      const x = vec3(view.z, 0, view.x.negate()).normalize();
      const y = view.cross(x);
      const place = vec2(dot(x, normalView), dot(y, normalView).negate()).mul(0.5).add(0.5);
      const texel = (materialReference('matcapTexture', 'texture') as unknown as Vec4).context({ getUV: () => place }) as unknown as Vec4;
      rim = rim.add(colorOf('matcapFactor').mul(texel.rgb));
    }
    if (rimMultiplyTexture) rim = rim.mul(this.#material.texel('rimMultiplyTexture').rgb);
    const rimLight = mix(vec3(1), this.#light.mul(1 / Math.PI), numberOf('rimLightingMixFactor'));
    reflectedLight.indirectSpecular.addAssign(rimLight.mul(rim));
  }
}

/** Builds a toon material without textures. MaterialLibrary sets its transparency and drawn sides. */
export function buildToon(source: Material): ToonMaterial {
  const material = new ToonNodes() as unknown as ToonMaterial;
  const { shadeFromBase, bumpScale, giEqualizationFactor: _, ...all } = toonValues(source);
  for (const [name, value] of Object.entries(all)) {
    if (Array.isArray(value)) (material[name as keyof ToonMaterial] as Color).setRGB(...(value as [number, number, number]));
    else Object.assign(material, { [name]: value });
  }
  material.normalScale.setScalar(bumpScale);
  material.userData = { toon: { shadeFromBase, bumpScale } satisfies Pick<ToonValues, 'shadeFromBase' | 'bumpScale'> };
  return material;
}

/**
 * Returns the material of the outline, which is drawn as enlarged back faces. Returns null if the
 * material has no outline.
 */
export function buildOutline(surface: ToonMaterial): ToonMaterial | null {
  const { outlineWidthMode, outlineWidthFactor } = surface as unknown as ToonValues;
  if (outlineWidthMode === 'none' || !(outlineWidthFactor > 0)) return null;
  const outline = surface.clone();
  outline.isOutline = true;
  outline.side = BackSide;
  outline.userData = { ...surface.userData, outlineOf: surface };
  return outline;
}
