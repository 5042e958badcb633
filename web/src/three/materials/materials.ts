// Builds three.js materials from the materials of a scene. Textures are assigned later
// (textures.ts, assignTexture.ts).
import { DEFAULT_MATERIAL } from '../../textures/defaultMaterial.ts';
import {
  AddEquation,
  BackSide,
  type Blending,
  type BlendingEquation,
  CustomBlending,
  DataTexture,
  DoubleSide,
  FrontSide,
  LineBasicMaterial,
  type Material as ThreeMaterial,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MultiplyBlending,
  NormalBlending,
  OneFactor,
  ReverseSubtractEquation,
  type Side,
  SrcAlphaFactor,
  type Texture,
  ZeroFactor,
} from 'three';
import { numberIn } from '../../core/properties.ts';
import type { Material, MaterialSlot, RigScene } from '../../core/types.ts';
import type { MaterialOverrides } from '../../textures/plan.ts';
import { isPhysical } from '../../textures/slots.ts';
import { endGrey, makeGrey } from './grey.ts';
import type { Modules } from '../modules.ts';
import { keepPlain } from './shaderPatch.ts';
import { ShaderValues } from './shaderValues.ts';
import { keyOf, type Skinning } from '../build/skinning.ts';
import { isToon, isToonMaterial } from './toonMaterial.ts';
import { MIRROR } from './unityMaps.ts';

export interface MaterialOptions {
  /**
   * Draw vertex colors: always (true), never (false), or as the file declares (`auto`). Default:
   * `auto`. Toon materials never draw them.
   */
  vertexColors?: boolean | 'auto';
  /**
   * Draw materials grey until their texture is loaded, for formats without material colors
   * (Unreal). The default is a hint in the scene.
   */
  greyUntilTextured?: boolean;
  /**
   * True if built-in shaders are patched. `full` (default): with patches for packed channels,
   * masks, detail and height maps, which require WebGLRenderer. `nodes`: the same for WebGPURenderer;
   * requires the import of `rigcast/three/webgpu`. `plain`: without patches. The report lists
   * features that are not drawn.
   */
  shaders?: 'full' | 'nodes' | 'plain';
  /**
   * Which sides of faces are drawn: as the file declares (`file`), or the same for all materials.
   * Default: `file`, which for Cast means both sides, as in Maya and Blender.
   */
  sides?: 'file' | 'front' | 'both';
  /**
   * Modules that only some files need (modules.ts). If they are missing, toon materials become
   * standard materials, vertices have at most four influences, and spring bones and constraints
   * don't move.
   */
  modules?: Modules;
}

/** Properties of a mesh that determine how its materials are built. */
export interface MaterialTraits {
  isStrands: boolean;
  hasColors: boolean;
  hasNormals: boolean;
  hasTangents: boolean;
  skinning?: Skinning | null;
  /**
   * Id of the only object that uses the material. It is set if the material is animated and
   * therefore must not be shared.
   */
  owner?: number;
}

const SIDES: Record<Material['side'], Side> = { front: FrontSide, back: BackSide, both: DoubleSide };
const BLENDINGS: Partial<Record<Material['alphaMode'], Blending>> = { add: CustomBlending, multiply: MultiplyBlending };

/**
 * Builds one three.js material for each combination of scene material and MaterialTraits. Meshes
 * with the same combination share a material.
 */
export class MaterialLibrary {
  readonly #scene: RigScene;
  readonly #options: MaterialOptions;
  readonly #made = new Map<string, ThreeMaterial>();
  /** Three.js materials by index of the scene material. */
  readonly #byRow = new Map<number, ThreeMaterial[]>();
  readonly #exposure: number;

  constructor(scene: RigScene, options: MaterialOptions) {
    this.#scene = scene;
    this.#options = options;
    this.#exposure = exposureOf(scene);
  }

  get hasPlainShaders(): boolean {
    return this.#options.shaders === 'plain';
  }

  /** True if the materials are for WebGPURenderer. */
  get hasNodes(): boolean {
    return this.#options.shaders === 'nodes';
  }

  get(index: number, traits: MaterialTraits): ThreeMaterial {
    const vertexColors = this.#options.vertexColors ?? 'auto';
    const colored = vertexColors === 'auto' ? traits.hasColors : vertexColors;
    const key = `${index} ${traits.isStrands} ${colored} ${traits.hasNormals} ${traits.hasTangents} ${traits.skinning && keyOf(traits.skinning)} ${traits.owner}`;
    const made = this.#made.get(key);
    if (made) return made;
    const source = this.#scene.materials[index] ?? DEFAULT_MATERIAL;
    const material = buildMaterial(source, { ...traits, hasColors: colored }, this.#options.modules, this.#exposure);
    // Lines are unlit. White lines would be too bright, and invisible on a light page.
    const isPale = traits.isStrands && (source === DEFAULT_MATERIAL || hasTexture(source, 'baseColor'));
    const isGrey = this.#options.greyUntilTextured ?? this.#scene.hints?.namedMaterials;
    if ((isGrey || isPale) && !colored) makeGrey(material);
    const { sides = 'file' } = this.#options;
    if (sides !== 'file') material.side = SIDES[sides];
    if (this.hasPlainShaders) keepPlain(material);
    traits.skinning?.extend(material);
    return this.#keep(key, index, material);
  }

  /**
   * Returns the outline material of a toon material, or null if the material has no outline. Meshes
   * that share the toon material also share the outline material.
   */
  outlineOf(surface: ThreeMaterial, index: number): ThreeMaterial | null {
    const { toon } = this.#options.modules ?? {};
    if (!toon || !isToonMaterial(surface)) return null;
    const key = `outline ${surface.uuid}`;
    const made = this.#made.get(key);
    if (made) return made;
    const material = toon.buildOutline(surface);
    return material && this.#keep(key, index, material);
  }

  #keep(key: string, index: number, material: ThreeMaterial): ThreeMaterial {
    this.#made.set(key, material);
    const row = this.#byRow.get(index);
    if (row) row.push(material);
    else this.#byRow.set(index, [material]);
    return material;
  }

  /** Groups the given materials by index in `scene.materials`. */
  by(drawn: ThreeMaterial | readonly ThreeMaterial[]): Map<number, ThreeMaterial[]> {
    const wanted = new Set([drawn].flat());
    return new Map(
      Array.from(this.#byRow, ([row, made]) => [row, made.filter(material => wanted.has(material))] as const).filter(
        ([, made]) => made.length > 0,
      ),
    );
  }

  all(): ThreeMaterial[] {
    return [...this.#made.values()];
  }

  /** Returns the three.js materials that were built from a scene material. */
  of(index: number): ThreeMaterial[] {
    return [...(this.#byRow.get(index) ?? [])];
  }
}

const NOTHING: Material['emissive'] = [0, 0, 0];
function hasTexture({ slots }: Material, name: string): boolean {
  return slots.some(({ slot, texture }) => slot === name && texture !== undefined);
}

function colorOf({ slots }: Material, name: string): MaterialSlot['color'] {
  return slots.find(({ slot, color }) => slot === name && color)?.color;
}

/**
 * Returns the brightness with which a surface that emits one nit is drawn. HDRP's lights have
 * physical units. The VGO importer scales the brightest light to π, so that a white surface lit by
 * it is drawn as 1. A white surface that receives E lux emits E / π nits.
 */
function exposureOf({ lights }: RigScene): number {
  for (const { intensity, properties } of lights) {
    const scale = intensity / (Math.PI * numberIn(properties, 'intensity', 0));
    if (scale > 0 && scale < 1 - 1e-6) return Math.PI * scale;
  }
  return 1;
}

/**
 * Returns the emission of an HDRP material as it is drawn. HDRP specifies emission in nits.
 * `_EmissiveExposureWeight` is the fraction of the emission to which exposure applies.
 */
function exposed([r, g, b]: Material['emissive'], values: ShaderValues, exposure: number): Material['emissive'] {
  if (!values.shader.startsWith('HDRP/')) return [r, g, b];
  const factor = 1 + (exposure - 1) * Math.min(Math.max(values.number('_EmissiveExposureWeight', 1), 0), 1);
  return [factor * r, factor * g, factor * b];
}

export function buildMaterial(
  source: Material,
  { isStrands, hasColors, hasNormals, hasTangents }: MaterialTraits,
  modules: Modules = {},
  exposure = 1,
): ThreeMaterial {
  const { name, color, alphaMode, alphaCutoff } = source;
  const values = new ShaderValues(source);
  const emissive = exposed(source.emissive, values, exposure);
  const coat = values.number('_CoatMask', 0);
  const isUnlit = source.model === 'unlit' || source.model === 'skybox';
  const made = isStrands
    ? new LineBasicMaterial()
    : modules.toon && isToon(source)
      ? modules.toon.buildToon(source)
      : isUnlit
        ? new MeshBasicMaterial()
        : coat > 0 || isPhysical(source)
          ? new MeshPhysicalMaterial()
          : new MeshStandardMaterial();
  made.name = name;
  made.color.setRGB(color[0], color[1], color[2]);
  if (made instanceof MeshStandardMaterial) {
    // If the material has an emissive or metallic texture, `emissive` or `metalness` is the factor
    // of the texture, and stays 0 until the texture is loaded.
    made.emissive.setRGB(...(hasTexture(source, 'emissive') ? NOTHING : emissive));
    made.metalness = hasTexture(source, 'metallic') ? 0 : source.metalness;
    const mask = colorOf(source, 'emissiveMask')?.[0];
    made.emissiveIntensity = (colorOf(source, 'emissiveStrength')?.[0] ?? 1) * (mask ?? 1);
    if (mask !== undefined && !source.slots.some(({ slot }) => slot === 'emissive')) made.emissive.setRGB(1, 1, 1);
    const occlusion = colorOf(source, 'occlusion')?.[0];
    if (occlusion !== undefined) made.aoMap = onePixel(occlusion);
    made.roughness = source.roughness;
    made.flatShading = !hasNormals;
  }
  if (isToonMaterial(made)) made.emissive.setRGB(...(hasTexture(source, 'emissive') ? NOTHING : emissive));
  if (made instanceof MeshPhysicalMaterial) {
    made.clearcoat = coat;
    const specularColor = colorOf(source, 'specularColor');
    if (specularColor) {
      made.specularColor.setRGB(specularColor[0], specularColor[1], specularColor[2]);
      made.ior = MIRROR;
    }
    made.specularIntensity = colorOf(source, 'specular')?.[0] ?? 1;
    made.anisotropy = colorOf(source, 'anisotropy')?.[0] ?? 0;
  }
  made.opacity = color[3];
  made.vertexColors = hasColors && !isToonMaterial(made);
  made.side = SIDES[source.side];
  made.visible = source.visible;
  if (alphaMode === 'opaque') made.opacity = 1;
  applyAlphaMode(made, alphaMode, alphaCutoff);
  if (isSubtractive(values)) changeLight(made, ReverseSubtractEquation);
  if (source.depthWrite) made.depthWrite = true;
  made.userData = { ...made.userData, name, renderOrder: source.renderOrder, slots: source.slots, hasTangents, emissive };
  if (source.properties) made.userData['properties'] = source.properties;
  if (isToonMaterial(made)) made.update(0); // copies opacity and other values to the uniforms
  return made;
}

/**
 * Returns true if a Unity particle shader uses subtractive blending. The setting has different
 * names in old and new shaders.
 */
function isSubtractive(values: ShaderValues): boolean {
  return values.shader.startsWith('Particles/') && values.number('_Mode', values.number('_BlendMode', 0)) === 5;
}

/** Applies the property overrides of the texture plan (textures/plan.ts) to a material. */
export function changeMaterial(material: ThreeMaterial, change: MaterialOverrides): void {
  const { side, color, alphaMode, alphaCutoff = 0, opacity, roughness, metalness } = change;
  if (side) material.side = SIDES[side];
  if (color || opacity !== undefined) endGrey(material);
  if (color && 'color' in material) (material as MeshStandardMaterial).color.setRGB(...color);
  if (alphaMode) applyAlphaMode(material, alphaMode, alphaCutoff);
  if (opacity !== undefined) material.opacity = opacity;
  if (material instanceof MeshStandardMaterial) {
    if (roughness !== undefined) material.roughness = roughness;
    if (metalness !== undefined) material.metalness = metalness;
  }
  material.needsUpdate = true;
}

/** Properties of a material that determine how it is blended with what is behind it. */
export const BLENDING = [
  'transparent',
  'depthWrite',
  'blending',
  'blendEquation',
  'blendSrc',
  'blendDst',
  'blendEquationAlpha',
  'blendSrcAlpha',
  'blendDstAlpha',
  'premultipliedAlpha',
] as const;

export function applyAlphaMode(material: ThreeMaterial, mode: Material['alphaMode'], cutoff: number): void {
  const isBlended = mode !== 'opaque' && mode !== 'mask';
  material.alphaTest = mode === 'mask' ? cutoff : 0;
  material.transparent = isBlended;
  material.depthWrite = !isBlended;
  material.blending = BLENDINGS[mode] ?? NormalBlending;
  material.premultipliedAlpha = mode === 'multiply'; // three.js requires this for MultiplyBlending
  if (mode === 'add') changeLight(material, AddEquation);
}

/**
 * Sets additive or subtractive blending that doesn't change the alpha of the canvas. The built-in
 * blend modes of three.js also add alpha, so black pixels would cover the page behind a transparent
 * canvas.
 */
function changeLight(material: ThreeMaterial, equation: BlendingEquation): void {
  material.blending = CustomBlending;
  material.blendEquation = equation;
  material.blendSrc = SrcAlphaFactor;
  material.blendDst = OneFactor;
  material.blendEquationAlpha = AddEquation;
  material.blendSrcAlpha = ZeroFactor;
  material.blendDstAlpha = OneFactor;
}

/** Returns a texture with a single pixel of a linear grey value. */
function onePixel(grey: number): Texture {
  const texture = new DataTexture(new Uint8Array([...Array(3).fill(Math.round(255 * Math.min(Math.max(grey, 0), 1))), 255]), 1, 1);
  texture.needsUpdate = true;
  return texture;
}
