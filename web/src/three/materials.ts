// The scene's materials as three's. Textures come later (textures.ts) and are put into the slots here.
import {
  AddEquation,
  BackSide,
  type Blending,
  type BlendingEquation,
  Color,
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
  RED_RGTC1_Format,
  ReverseSubtractEquation,
  ShaderChunk,
  type Side,
  SIGNED_RED_RGTC1_Format,
  SrcAlphaFactor,
  SRGBColorSpace,
  type Texture,
  ZeroFactor,
} from 'three';
import { numberIn } from '../core/properties.ts';
import type { Material, MaterialSlot, RigScene, Texture as SceneTexture } from '../core/types.ts';
import { assignAnisotropy } from './anisotropy.ts';
import { assignDetail, isDetailSlot } from './detail.ts';
import type { Modules } from './modules.ts';
import { assignHeight } from './parallax.ts';
import { patchShader, replaceChunk, replaceText } from './shaderPatch.ts';
import { glslNumber, ShaderValues } from './shaderValues.ts';
import type { Sidecar } from './sidecars.ts';
import type { Skinning } from './skinning.ts';
import { extendSkinning } from './skinningShader.ts';
import type { ToonMaterial } from './toon.ts';
import { isToon } from './toonValues.ts';

export interface MaterialOptions {
  /** Draw vertex colours: true, false, or where the file says that they are part of the material (`auto`, the default). */
  vertexColors?: boolean | 'auto';
  /** Formats without colours of their own (Unreal's): grey until a texture comes. Default: as the scene's hints say. */
  greyUntilTextured?: boolean;
  /** Which sides of faces are drawn: as the file's format means it (`file`, the default; Cast: both, as in Maya and Blender), or all alike. */
  sides?: 'file' | 'front' | 'both';
  /** What some files need beyond three itself (modules.ts). Without it toon materials are drawn as plain ones and spring bones stand still. */
  modules?: Modules;
}

const GREY = 0.6;
const GLOSS_OPACITY = 0.1;

/** What a mesh asks of its material besides the file's words. */
export interface MaterialTraits {
  isStrands: boolean;
  hasColors: boolean;
  hasNormals: boolean;
  hasTangents: boolean;
  skinning?: Skinning | null;
  /** Of the one mesh that has these materials for itself, since clips change them. */
  owner?: number;
}

const SIDES: Record<Material['side'], Side> = { front: FrontSide, back: BackSide, both: DoubleSide };
const BLENDINGS: Partial<Record<Material['alphaMode'], Blending>> = { add: CustomBlending, multiply: MultiplyBlending };

/** A file without materials still has a shape to show. */
const PLAIN: Material = {
  name: '',
  model: 'standard',
  color: [0.8, 0.8, 0.8, 1],
  emissive: [0, 0, 0],
  metalness: 0,
  roughness: 0.8,
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  side: 'both',
  visible: true,
  renderOrder: 0,
  slots: [],
};

/** One three material for each of the scene's and each kind of mesh that shows it: sharing survives. */
export class MaterialLibrary {
  readonly #scene: RigScene;
  readonly #options: MaterialOptions;
  readonly #made = new Map<string, ThreeMaterial>();
  /** By row of the scene's materials. */
  readonly #byRow = new Map<number, ThreeMaterial[]>();
  readonly #exposure: number;

  constructor(scene: RigScene, options: MaterialOptions) {
    this.#scene = scene;
    this.#options = options;
    this.#exposure = exposureOf(scene);
  }

  get(index: number, traits: MaterialTraits): ThreeMaterial {
    const vertexColors = this.#options.vertexColors ?? 'auto';
    const colored = vertexColors === 'auto' ? traits.hasColors : vertexColors;
    const key = `${index} ${traits.isStrands} ${colored} ${traits.hasNormals} ${traits.hasTangents} ${traits.skinning?.eight} ${traits.skinning?.dual} ${traits.owner}`;
    const made = this.#made.get(key);
    if (made) return made;
    const source = this.#scene.materials[index] ?? PLAIN;
    const material = buildMaterial(source, { ...traits, hasColors: colored }, this.#options.modules, this.#exposure);
    // Lines have no shading: white ones would glow, or not be seen at all on a light page.
    const isPale = traits.isStrands && (source === PLAIN || hasTexture(source, 'baseColor'));
    const isGrey = this.#options.greyUntilTextured ?? this.#scene.hints?.namedMaterials;
    if ((isGrey || isPale) && !colored) makeGrey(material);
    const { sides = 'file' } = this.#options;
    if (sides !== 'file') material.side = SIDES[sides];
    if (traits.skinning && !isToonMaterial(material)) extendSkinning(material, traits.skinning); // toon materials have a shader of their own
    return this.#keep(key, index, material);
  }

  /** The line around a toon material of a row, one for all that show it; null where it has none. */
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

  /** Some of them by the rows they were made of. */
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

  /** The three materials made of one of the scene's. */
  of(index: number): ThreeMaterial[] {
    return [...(this.#byRow.get(index) ?? [])];
  }
}

function makeGrey(material: ThreeMaterial): void {
  if (!('color' in material)) return;
  (material as MeshStandardMaterial).color.multiplyScalar(GREY);
  material.userData['isGrey'] = true;
}

function endGrey(material: ThreeMaterial): void {
  if (material.userData['isGrey']) (material as MeshStandardMaterial).color.multiplyScalar(1 / GREY);
  delete material.userData['isGrey'];
}

const NOTHING: Material['emissive'] = [0, 0, 0];
/**
 * In the specular workflow the colour is the reflection itself, not a share of a dielectric's: an index of refraction so high that the reflection
 * at right angles is that colour (as Blender's importer has it).
 */
const MIRROR = 1000;

function hasTexture({ slots }: Material, name: string): boolean {
  return slots.some(({ slot, texture }) => slot === name && texture !== undefined);
}

function colorOf({ slots }: Material, name: string): MaterialSlot['color'] {
  return slots.find(({ slot, color }) => slot === name && color)?.color;
}

/** Slots of a material that three has no place for; they stay in `userData.slots`. */
export function unusedSlots(material: Material): string[] {
  if (material.model === 'skybox') return [];
  const textures = isToon(material) ? TOON_SLOTS : TEXTURE_SLOTS;
  return material.slots
    .filter(({ slot, texture }) => !(texture === undefined ? COLOR_SLOTS : textures).has(slot))
    .map(({ source }) => source);
}

/**
 * How bright one nit is drawn. HDRP's lights are physical, and the brightest is scaled to π, where it makes white paper a 1 (wasm/formats/vgo); paper in E lux
 * sends E / π nits.
 */
function exposureOf({ lights }: RigScene): number {
  for (const { intensity, properties } of lights) {
    const scale = intensity / (Math.PI * numberIn(properties, 'intensity', 0));
    if (scale > 0 && scale < 1 - 1e-6) return Math.PI * scale;
  }
  return 1;
}

/** HDRP's emission is in nits, and `_EmissiveExposureWeight` tells how far exposure touches it. */
function exposed([r, g, b]: Material['emissive'], values: ShaderValues, exposure: number): Material['emissive'] {
  if (!values.shader.startsWith('HDRP/')) return [r, g, b];
  const factor = 1 + (exposure - 1) * Math.min(Math.max(values.number('_EmissiveExposureWeight', 1), 0), 1);
  return [factor * r, factor * g, factor * b];
}

const PHYSICAL_SLOTS = new Set(['specularColor', 'specular', 'specularGloss', 'anisotropy']);

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
        : coat > 0 || source.slots.some(({ slot }) => PHYSICAL_SLOTS.has(slot))
          ? new MeshPhysicalMaterial()
          : new MeshStandardMaterial();
  made.name = name;
  made.color.setRGB(color[0], color[1], color[2]);
  if (made instanceof MeshStandardMaterial) {
    // A factor of a texture that may never come: neither a glow nor a black metal without it.
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
  made.vertexColors = hasColors;
  made.side = SIDES[source.side];
  made.visible = source.visible;
  if (alphaMode === 'opaque') made.opacity = 1;
  applyAlphaMode(made, alphaMode, alphaCutoff);
  if (isSubtractive(values)) changeLight(made, ReverseSubtractEquation);
  if (source.depthWrite) made.depthWrite = true;
  made.userData = { ...made.userData, name, renderOrder: source.renderOrder, slots: source.slots, hasTangents, emissive };
  if (source.properties) made.userData['properties'] = source.properties;
  if (isToonMaterial(made)) made.update(0); // puts opacity and the like into its uniforms
  return made;
}

/** Unity's own particle shaders take light away in one of their modes; old ones have the switch under another name. */
function isSubtractive(values: ShaderValues): boolean {
  return values.shader.startsWith('Particles/') && values.number('_Mode', values.number('_BlendMode', 0)) === 5;
}

/** What a sidecar says about a material beyond its textures. */
export function overrideMaterial(material: ThreeMaterial, { twoSided, blend, alphaCutoff, color }: Sidecar): void {
  if (twoSided) material.side = DoubleSide;
  if (color && 'color' in material) {
    endGrey(material);
    (material as MeshStandardMaterial).color.setRGB(...color);
  }
  if (blend) applyAlphaMode(material, blend, alphaCutoff ?? (material.alphaTest || 1 / 3));
  material.needsUpdate = true;
}

/** A cornea, a tear line: only what it reflects is seen. */
export function makeGloss(material: ThreeMaterial): void {
  if (!(material instanceof MeshStandardMaterial)) return;
  endGrey(material);
  applyAlphaMode(material, 'blend', 0);
  material.opacity = GLOSS_OPACITY;
  material.roughness = 0.05;
  material.needsUpdate = true;
}

function applyAlphaMode(material: ThreeMaterial, mode: Material['alphaMode'], cutoff: number): void {
  const isBlended = mode !== 'opaque' && mode !== 'mask';
  material.alphaTest = mode === 'mask' ? cutoff : 0;
  material.transparent = isBlended;
  material.depthWrite = !isBlended;
  material.blending = BLENDINGS[mode] ?? NormalBlending;
  material.premultipliedAlpha = mode === 'multiply'; // three asks this of multiply blending
  if (mode === 'add') changeLight(material, AddEquation);
}

/** Adds light or takes it away and leaves the canvas's alpha alone: three's own blendings add alpha as well, so that black covers the page behind a transparent canvas. */
function changeLight(material: ThreeMaterial, equation: BlendingEquation): void {
  material.blending = CustomBlending;
  material.blendEquation = equation;
  material.blendSrc = SrcAlphaFactor;
  material.blendDst = OneFactor;
  material.blendEquationAlpha = AddEquation;
  material.blendSrcAlpha = ZeroFactor;
  material.blendDstAlpha = OneFactor;
}

export function isToonMaterial(material: ThreeMaterial): material is ToonMaterial {
  return 'isMToonMaterial' in material;
}

/** What a slot's texture holds, channel by channel, where it packs several values. glTF's order is the one three reads by itself. */
type Channel = 'r' | 'g' | 'b' | 'a';
interface Packing {
  occlusion?: Channel;
  roughness?: Channel;
  metalness?: Channel;
}
const PACKINGS: Record<string, Packing> = {
  orm: { occlusion: 'r', roughness: 'g', metalness: 'b' },
  metallicRoughness: { roughness: 'g', metalness: 'b' },
  mro: { metalness: 'r', roughness: 'g', occlusion: 'b' },
  rma: { roughness: 'r', metalness: 'g', occlusion: 'b' },
  mra: { metalness: 'r', roughness: 'g', occlusion: 'b' },
  specularMasks: { metalness: 'g', roughness: 'b' },
  rmo: { roughness: 'r', metalness: 'g', occlusion: 'b' },
  arm: { occlusion: 'r', roughness: 'g', metalness: 'b' },
  metallic: { metalness: 'b' },
  roughness: { roughness: 'g' },
  gloss: { roughness: 'g' }, // read as one minus roughness
  occlusion: { occlusion: 'r' },
};

const TEXTURE_SLOTS = new Set([
  ...Object.keys(PACKINGS),
  'baseColor',
  'opacity',
  'normal',
  'emissive',
  'emissiveMask',
  'specularColor',
  'specular',
  'maskMap',
  'specularGloss',
  'detailBaseColor',
  'detailNormal',
  'detailMask',
  'height',
  'anisotropy',
]);
/** Where a toon material has a texture. */
const TOON_PLACES = {
  baseColor: 'map',
  shade: 'shadeMultiplyTexture',
  normal: 'normalMap',
  emissive: 'emissiveMap',
  shadingShift: 'shadingShiftTexture',
  matcap: 'matcapTexture',
  rim: 'rimMultiplyTexture',
  outlineWidth: 'outlineWidthMultiplyTexture',
  uvAnimationMask: 'uvAnimationMaskTexture',
} as const;
const TOON_SLOTS = new Set(Object.keys(TOON_PLACES));
const COLOR_SLOTS = new Set([
  'baseColor',
  'emissive',
  'emissiveStrength',
  'emissiveMask',
  'occlusion',
  'anisotropy',
  'metallic',
  'roughness',
  'gloss',
  'specularColor',
  'specular',
]);

/** Whether a texture in that slot can be drawn at all. */
export function isDrawnSlot(slot: string): boolean {
  return TEXTURE_SLOTS.has(slot) || TOON_SLOTS.has(slot);
}

/** Slots whose texture holds colour. */
export function isColorSlot(slot: string): boolean {
  return ['baseColor', 'emissive', 'specularColor', 'specularGloss', 'shade', 'matcap', 'rim', 'detailBaseColor'].includes(slot);
}

/**
 * Puts a texture where the slot says; false where three's material has no such place. `directX`: the green channel of normals points down
 * (Unreal).
 */
export function assignTexture(
  material: ThreeMaterial,
  slot: string,
  texture: Texture,
  { directX = false, settings = null }: TextureTraits = {},
): boolean {
  if (isColorSlot(slot)) texture.colorSpace = SRGBColorSpace;
  material.needsUpdate = true;
  if (isToonMaterial(material)) return assignToonTexture(material, slot, texture);
  if (slot === 'baseColor') {
    if (material instanceof LineBasicMaterial) return tint(material, texture); // strands have no texture coordinates
    if (!('map' in material)) return false;
    (material as MeshStandardMaterial).map = texture;
    endGrey(material);
    if (material instanceof MeshStandardMaterial && smoothnessIsInBase(material))
      patchChannels(material, { baseSmoothness: smoothnessOf(material) });
    return true;
  }
  if (slot === 'opacity' && 'alphaMap' in material) {
    (material as MeshStandardMaterial).alphaMap = texture;
    if (!material.transparent && !material.alphaTest) material.alphaTest = 0.5;
    return true;
  }
  if (!(material instanceof MeshStandardMaterial)) return false;
  if (slot === 'normal') {
    material.normalMap = texture;
    // With V pointing down three's own tangents, made of derivatives in the shader, turn the green channel over (three's issue 11438).
    const isDown = directX !== (material.userData['hasTangents'] !== true);
    const strength = bumpScaleOf(material);
    material.normalScale.set(strength, isDown ? -strength : strength);
    return true;
  }
  if (isDetailSlot(slot)) return assignDetail(material, slot, texture, new ShaderValues({ properties: material.userData['properties'] }));
  if (slot === 'height') return assignHeight(material, texture, new ShaderValues({ properties: material.userData['properties'] }));
  if (slot === 'emissive') {
    material.emissiveMap = texture;
    glow(material);
    return true;
  }
  if (slot === 'anisotropy') return assignAnisotropy(material, texture);
  if (slot === 'emissiveMask') {
    maskEmission(material, texture);
    return true;
  }
  if (slot === 'specularColor' || slot === 'specular') {
    if (!(material instanceof MeshPhysicalMaterial)) return false;
    if (slot === 'specularColor') {
      material.specularColorMap = texture;
      material.ior = MIRROR;
    } else {
      readRed(material, texture);
    }
    return true;
  }
  const packed = settings && unityPatch(material, slot, texture, settings);
  if (packed) {
    patchChannels(material, packed);
    return true;
  }
  const packing = PACKINGS[slot];
  if (!packing) return false;
  // A texture with one channel answers in red only.
  const isRed = (texture.format as number) === RED_RGTC1_Format || (texture.format as number) === SIGNED_RED_RGTC1_Format;
  const patch: ChannelPatch = {};
  if (packing.roughness) {
    material.roughnessMap = texture;
    material.roughness = 1;
    patch.roughness = isRed ? 'r' : packing.roughness;
    patch.invert = slot === 'gloss';
  }
  if (packing.metalness) {
    material.metalnessMap = texture;
    material.metalness = 1;
    patch.metalness = isRed ? 'r' : packing.metalness;
  }
  if (packing.occlusion) {
    material.aoMap = texture;
    patch.occlusion = packing.occlusion;
  }
  patchChannels(material, patch);
  return true;
}

/** What is known of a texture besides its pixels. */
export interface TextureTraits {
  /** The green channel of normals points down (Unreal). */
  directX?: boolean;
  settings?: SceneTexture | null;
}

function assignToonTexture(material: ToonMaterial, slot: string, texture: Texture): boolean {
  if (!Object.hasOwn(TOON_PLACES, slot)) return false;
  const { shadeFromBase, bumpScale } = material.userData['toon'] as { shadeFromBase: boolean; bumpScale: number };
  material[TOON_PLACES[slot as keyof typeof TOON_PLACES]] = texture;
  if (slot === 'baseColor' && shadeFromBase) material.shadeMultiplyTexture ??= texture;
  if (slot === 'normal') material.normalScale.set(bumpScale, material.userData['hasTangents'] === true ? bumpScale : -bumpScale);
  if (slot === 'emissive') glow(material);
  material.update(0);
  return true;
}

/** Emission shows once its texture is there. */
function glow(material: { emissive: Color; userData: Record<string, unknown> }): void {
  const [r, g, b] = (material.userData['emissive'] as Material['emissive'] | undefined) ?? NOTHING;
  if (r + g + b > 0) material.emissive.setRGB(r, g, b);
  else material.emissive.setRGB(1, 1, 1);
}

function bumpScaleOf({ userData }: ThreeMaterial): number {
  const values = new ShaderValues({ properties: userData['properties'] });
  return values.number('_NormalScale', values.number('_BumpScale', 1));
}

/** How a texture of Unity's was packed when it was exported (vgo.md section 9.2). */
const isRepacked = (mapType: number): boolean => mapType === 3 || mapType === 5;

/**
 * Unity's packed maps, read as the material means them: smoothness, scaled by the material, where others have roughness. Null for files of other
 * origin (their textures have no `mapType`), whose slots say it all.
 */
function unityPatch(material: MeshStandardMaterial, slot: string, texture: Texture, settings: SceneTexture): ChannelPatch | null {
  const mapType = numberIn(settings.properties, 'mapType', NaN);
  if (Number.isNaN(mapType)) return null;
  const values = new ShaderValues({ properties: material.userData['properties'] });
  const smoothness = smoothnessOf(material);
  const patch: ChannelPatch = {};
  const addMetalness = (channel: Channel): void => {
    material.metalnessMap = texture;
    material.metalness = 1;
    patch.metalness = channel;
  };
  const addRoughness = (expression: string): void => {
    material.roughnessMap = texture;
    material.roughness = 1;
    patch.roughnessExpression = expression;
  };
  const addOcclusion = (channel: Channel): void => {
    material.aoMap = texture;
    material.aoMapIntensity = values.number('_OcclusionStrength', 1);
    patch.occlusion = channel;
  };
  switch (slot) {
    case 'metallicRoughness': {
      if (smoothnessIsInBase(material)) {
        addMetalness(isRepacked(mapType) ? 'b' : 'r');
        return patch;
      }
      if (!isRepacked(mapType)) {
        addMetalness('r');
        addRoughness(`( 1.0 - texelRoughness.a * ${glslNumber(smoothness)} )`);
        return patch;
      }
      addMetalness('b');
      // The exporter took the smoothness times one minus the material's own; where that was 1, or is not told, nothing of it is left.
      const own = numberIn(settings.properties, 'metallicRoughness', -1);
      if (own >= 0 && own < 1)
        addRoughness(`( 1.0 - clamp( ( 1.0 - texelRoughness.g ) / ${glslNumber(1 - own)}, 0.0, 1.0 ) * ${glslNumber(smoothness)} )`);
      else material.roughness = 1 - smoothness;
      return patch;
    }
    case 'occlusion':
      addOcclusion(isRepacked(mapType) ? 'r' : 'g');
      return patch;
    case 'maskMap':
      addMetalness('r');
      addOcclusion('g');
      addRoughness(
        `( 1.0 - mix( ${glslNumber(values.number('_SmoothnessRemapMin', 0))}, ${glslNumber(values.number('_SmoothnessRemapMax', 1))}, texelRoughness.a ) )`,
      );
      return patch;
    case 'specularGloss':
      if (!(material instanceof MeshPhysicalMaterial)) return null;
      material.specularColorMap = texture;
      material.specularColor.setRGB(1, 1, 1);
      material.ior = MIRROR;
      addRoughness(`( 1.0 - texelRoughness.a * ${glslNumber(smoothness)} )`);
      return patch;
    default:
      return null;
  }
}

/** How smooth a surface is where its map says one. */
function smoothnessOf({ userData }: ThreeMaterial): number {
  const values = new ShaderValues({ properties: userData['properties'] });
  return values.shader === 'Standard' || values.shader.startsWith('UniGLTF/')
    ? values.number('_GlossMapScale', 1)
    : values.number('_Smoothness', 0.5);
}

/** Unity's shaders may keep smoothness where others have transparency. */
function smoothnessIsInBase({ userData }: ThreeMaterial): boolean {
  return new ShaderValues({ properties: userData['properties'] }).number('_SmoothnessTextureChannel', 0) === 1;
}

/** Colours a material as the texture is on the whole. */
function tint(material: LineBasicMaterial, texture: Texture): boolean {
  const color = averageColor(texture);
  if (!color) return false;
  endGrey(material);
  material.color.multiply(color);
  return true;
}

/** Linear; null where the pixels cannot be read (compressed ones). */
function averageColor({ image }: Texture): Color | null {
  const { data } = image as { data?: unknown };
  const pixels = data instanceof Uint8Array || data instanceof Uint8ClampedArray ? data : pixelsOf(image);
  if (!pixels || pixels.length < 4) return null;
  const sum = new Color(0, 0, 0);
  const one = new Color();
  const step = 4 * Math.max(1, Math.floor(pixels.length / 4 / 65_536));
  let count = 0;
  for (let i = 0; i + 3 < pixels.length; i += step, count++) {
    sum.add(one.setRGB(pixels[i]! / 255, pixels[i + 1]! / 255, pixels[i + 2]! / 255, SRGBColorSpace));
  }
  return sum.multiplyScalar(1 / count);
}

function pixelsOf(image: unknown): Uint8ClampedArray | null {
  if (typeof ImageBitmap === 'undefined' || !(image instanceof ImageBitmap)) return null;
  const context = new OffscreenCanvas(64, 64).getContext('2d');
  context?.drawImage(image, 0, 0, 64, 64);
  return context?.getImageData(0, 0, 64, 64).data ?? null;
}

/** How much of a dielectric's reflection: three reads alpha, files mean red. */
function readRed(material: MeshPhysicalMaterial, texture: Texture): void {
  material.specularIntensityMap = texture;
  patchShader(material, 'specular', {
    key: 'red',
    apply: shader => {
      const chunk = replaceText(ShaderChunk.lights_physical_fragment, 'vSpecularIntensityMapUv ).a', 'vSpecularIntensityMapUv ).r');
      shader.fragmentShader = replaceChunk(shader.fragmentShader, 'lights_physical_fragment', chunk);
    },
  });
}

/** Emission times the red of a mask; of a material with no emission of its own the mask is all there is, in white. */
function maskEmission(material: MeshStandardMaterial, mask: Texture): void {
  const slots = (material.userData['slots'] ?? []) as MaterialSlot[];
  if (!slots.some(({ slot }) => slot === 'emissive')) material.emissive.setRGB(1, 1, 1);
  material.emissiveMap ??= whitePixel(); // the mask is read where an emissive texture would be
  patchShader(material, 'emissiveMask', {
    key: 'red',
    apply: shader => {
      shader.uniforms['emissiveMask'] = { value: mask };
      const masked = `${ShaderChunk.emissivemap_fragment}\n#ifdef USE_EMISSIVEMAP\n  totalEmissiveRadiance *= texture2D( emissiveMask, vEmissiveMapUv ).r;\n#endif`;
      const pars = `${ShaderChunk.emissivemap_pars_fragment}\nuniform sampler2D emissiveMask;`;
      shader.fragmentShader = replaceChunk(
        replaceChunk(shader.fragmentShader, 'emissivemap_fragment', masked),
        'emissivemap_pars_fragment',
        pars,
      );
    },
  });
}

/** A texture of one grey, linear. */
function onePixel(grey: number): Texture {
  const texture = new DataTexture(new Uint8Array([...Array(3).fill(Math.round(255 * Math.min(Math.max(grey, 0), 1))), 255]), 1, 1);
  texture.needsUpdate = true;
  return texture;
}

let sharedWhitePixel: Texture | undefined;

/** One for all materials: it belongs to none of them. */
function whitePixel(): Texture {
  if (!sharedWhitePixel) {
    sharedWhitePixel = new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
    sharedWhitePixel.needsUpdate = true;
  }
  return sharedWhitePixel;
}

interface ChannelPatch extends Packing {
  invert?: boolean;
  /** GLSL of `texelRoughness`, instead of a channel. */
  roughnessExpression?: string;
  /** Smoothness is the base texture's alpha, times that. */
  baseSmoothness?: number;
}

/** Where metalness begins in three's chunk of it; roughness comes before. */
const METALNESS = 'float metalnessFactor = metalness;';

/** Teaches a material to read other channels than three's (occlusion r, roughness g, metalness b), and gloss as one minus roughness. */
function patchChannels(material: MeshStandardMaterial, more: ChannelPatch): void {
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
