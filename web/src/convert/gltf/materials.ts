// Writes metallic-roughness materials to glTF. Uses only ratified extensions.
import { EFFECT_NAMES, ROTATED_TEXTURES } from '../../core/materialEffects.ts';
import { member, numberIn } from '../../core/properties.ts';
import type { Material, MaterialSlot, Texture } from '../../core/types.ts';
import { drawnMaterials } from '../../textures/drawnMaterials.ts';
import type { StoredImage } from '../common/images.ts';
import type { TextureFactors } from '../common/texturedScene.ts';
import {
  EXTTextureWebP,
  type GltfMaterial,
  type GltfTexture,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsSpecular,
  KHRMaterialsUnlit,
  KHRTextureTransform,
  type Specular,
  type TextureInfo,
} from '../vendor/gltfTransform.ts';
import { DEFAULT_MATERIAL } from '../../textures/defaultMaterial.ts';
import type { GltfContext } from './context.ts';
import { effectSlots, physicalOf, writeEffects } from './effects.ts';
import { isToon, isToonSlot } from './toonSlots.ts';

/** Names of the slots whose textures glTF can use without changes. */
const SLOTS = new Set(['baseColor', 'normal', 'emissive', 'occlusion', 'metallicRoughness', 'orm', 'arm', 'specularColor']);

/** Shading models and effects that glTF can store. */
const MODELS = new Set<string>(['standard', 'specular', 'unlit', ROTATED_TEXTURES, ...EFFECT_NAMES]);

/**
 * Index of refraction for materials with the specular workflow. With such a high index, the
 * reflection at normal incidence has the full specular colour.
 */
const MIRROR = 1000;

/** Returns the rows of `scene.images` that the glTF materials of visible meshes use. */
export function wantedImages({ scene, isAvatar }: GltfContext): Set<number> {
  const rows = new Set<number>();
  for (const material of drawnMaterials(scene).flatMap(row => scene.materials[row] ?? []))
    for (const { slot, texture } of material.slots) {
      const image = texture === undefined ? undefined : scene.textures[texture]?.image;
      const isWanted = isKept(material, slot, scene.textures[texture ?? -1]) || (isAvatar && isToonSlot(material, slot));
      if (image !== undefined && isWanted) rows.add(image);
    }
  return rows;
}

/**
 * True if glTF can use the texture. Returns false for metallic textures from Unity, because they
 * contain smoothness instead of roughness (docs/formats/vgo.md section 9.2).
 */
function isKept(material: Material, slot: string, texture: Texture | undefined): boolean {
  if (material.model === 'skybox') return false;
  const isUnitys = member(texture?.properties, 'mapType') !== undefined;
  return (SLOTS.has(slot) && !(isUnitys && slot === 'metallicRoughness')) || effectSlots(material).includes(slot);
}

export class MaterialWriter {
  readonly #context: GltfContext;
  readonly #images: ReadonlyMap<number, StoredImage | null>;
  readonly #factors: ReadonlyMap<number, TextureFactors>;
  readonly #made = new Map<string, GltfMaterial>();
  readonly #reported = new Set<number>();

  /** `factors`: factors that multiply textures, by row of `scene.materials`. */
  constructor(
    context: GltfContext,
    images: ReadonlyMap<number, StoredImage | null>,
    factors: ReadonlyMap<number, TextureFactors> = new Map(),
  ) {
    this.#factors = factors;
    this.#context = context;
    this.#images = images;
  }

  /**
   * Returns the glTF material for a row of `scene.materials`, or a default material for row -1.
   * `uvSets`: number of UV sets of the mesh. Textures that use a UV set beyond these are left out and
   * reported, because glTF does not allow them.
   */
  get(row: number, uvSets: number): GltfMaterial {
    const source = this.#context.scene.materials[row] ?? DEFAULT_MATERIAL;
    const key = `${row} ${source.slots.some(({ texture }) => texture !== undefined) ? uvSets : 0}`;
    let made = this.#made.get(key);
    if (!made) this.#made.set(key, (made = this.#write(source, row, uvSets)));
    return made;
  }

  #write(source: Material, row: number, uvSets: number): GltfMaterial {
    const { document, report, scene, isAvatar, materialRows } = this.#context;
    const isNew = !this.#reported.has(row);
    this.#reported.add(row);
    const reportLosses = (code: string, detail = '', amount = 1): void => {
      if (isNew) report.add(code, source.name, amount, detail);
    };
    const made = document.createMaterial(source.name);
    materialRows.set(made, row);
    this.#paint(made, source, reportLosses);
    this.#blend(made, source, reportLosses);
    const effectTextures = writeEffects(document, made, source);
    const lost: string[] = [];
    const withoutUvs: string[] = [];
    const own = source.slots.some(hasFactor) ? source : { metalness: 1, roughness: 1 };
    const { metalness = own.metalness, roughness = own.roughness } = this.#factors.get(row) ?? {};
    for (const slot of source.slots) {
      if (slot.texture === undefined) continue;
      const settings = scene.textures[slot.texture];
      if (isAvatar && isToonSlot(source, slot.slot)) continue;
      if (!isKept(source, slot.slot, settings)) lost.push(slot.source || slot.slot);
      else if (settings && settings.uvSet < uvSets) this.#resolveTextures(made, source, slot, settings, effectTextures);
      else if (settings) withoutUvs.push(slot.source || slot.slot);
    }
    if (made.getMetallicRoughnessTexture()) made.setMetallicFactor(metalness).setRoughnessFactor(roughness);
    if (lost.length > 0) reportLosses('TEXTURE_SLOT_LOST', lost.join(', '), lost.length);
    // The same material can be complete on a mesh with more UV sets.
    if (withoutUvs.length > 0) report.add('TEXTURE_UV_MISSING', source.name, withoutUvs.length, withoutUvs.join(', '));
    if (source.properties && !physicalOf(source)) made.setExtras({ properties: source.properties });
    return made;
  }

  #paint(made: GltfMaterial, source: Material, reportLosses: (code: string, detail?: string) => void): void {
    const { document } = this.#context;
    const [r, g, b, a] = source.color;
    const isOut = (value: number): boolean => !(value >= 0 && value <= 1);
    if (source.color.some(isOut)) reportLosses('COLOR_CLAMPED', source.color.join(', '));
    made.setBaseColorFactor([clamp(r), clamp(g), clamp(b), source.alphaMode === 'opaque' ? 1 : clamp(a)]);
    // If a texture is missing, its factor is ignored, because the factor alone would make the
    // material emissive or look like black metal.
    made.setMetallicFactor(this.#hasTexture(source, 'metallic') ? 0 : clamp(source.metalness));
    made.setRoughnessFactor(clamp(source.roughness));
    made.setDoubleSided(source.side !== 'front');
    if (source.side === 'back') reportLosses('SIDES_BOTH');
    const hasGlow = this.#hasTexture(source, 'emissive');
    const strength = colorOf(source, 'emissiveStrength')?.[0] ?? 1;
    const glow = hasGlow ? [0, 0, 0] : source.emissive.map(value => Math.max(value, 0) * strength);
    setGlow(this.#context, made, glow);
    const specular = physicalOf(source) ? undefined : colorOf(source, 'specularColor');
    if (specular) specularOf(this.#context, made).setSpecularColorFactor([clamp(specular[0]), clamp(specular[1]), clamp(specular[2])]);
    const isUnlit = source.model === 'unlit' || source.model === 'skybox';
    if (isUnlit) made.setExtension('KHR_materials_unlit', document.createExtension(KHRMaterialsUnlit).createUnlit());
    const isStoredToon = this.#context.isAvatar && isToon(source);
    const reduced = source.model.split(', ').filter(name => !MODELS.has(name));
    if (!isStoredToon && reduced.length > 0) reportLosses('MATERIAL_REDUCED', reduced.join(', '));
  }

  #blend(
    made: GltfMaterial,
    { alphaMode, alphaCutoff, visible, color }: Material,
    reportLosses: (code: string, detail?: string) => void,
  ): void {
    if (alphaMode === 'mask') made.setAlphaMode('MASK').setAlphaCutoff(Math.max(alphaCutoff, 0));
    else if (alphaMode !== 'opaque') made.setAlphaMode('BLEND');
    if (alphaMode === 'add' || alphaMode === 'multiply') reportLosses('BLENDING_REDUCED', alphaMode);
    // Invisible materials get an alpha below the cutoff, which hides them.
    if (!visible)
      made
        .setAlphaMode('MASK')
        .setAlphaCutoff(1)
        .setBaseColorFactor([clamp(color[0]), clamp(color[1]), clamp(color[2]), 0]);
  }

  #hasTexture({ slots }: Material, name: string): boolean {
    return slots.some(({ slot, texture }) => slot === name && texture !== undefined);
  }

  #resolveTextures(
    made: GltfMaterial,
    source: Material,
    materialSlot: MaterialSlot,
    settings: Texture,
    effectTextures: ReturnType<typeof writeEffects>,
  ): void {
    const { slot, texture: index } = materialSlot;
    const image = this.#images.get(settings.image ?? -1);
    if (!image || index === undefined) return;
    const texture = imageTexture(this.#context, image, settings.name);
    const setEffect = effectTextures[slot];
    if (setEffect) return this.#settle(setEffect(texture), settings);
    switch (slot) {
      case 'baseColor':
        made.setBaseColorTexture(texture);
        return this.#settle(made.getBaseColorTextureInfo(), settings);
      case 'normal':
        made.setNormalTexture(texture).setNormalScale(numberIn(settings.properties, 'normalScale', bumpScaleOf(source)));
        return this.#settle(made.getNormalTextureInfo(), settings);
      case 'emissive': {
        made.setEmissiveTexture(texture);
        const strength = colorOf(source, 'emissiveStrength')?.[0] ?? 1;
        const isGlowing = hasFactor(materialSlot) || source.emissive.some(value => value > 0);
        setGlow(
          this.#context,
          made,
          (isGlowing ? source.emissive : [1, 1, 1]).map(value => Math.max(value, 0) * strength),
        );
        return this.#settle(made.getEmissiveTextureInfo(), settings);
      }
      case 'occlusion':
        made.setOcclusionTexture(texture).setOcclusionStrength(numberIn(settings.properties, 'occlusionStrength', 1));
        return this.#settle(made.getOcclusionTextureInfo(), settings);
      case 'specularColor': {
        const specular = specularOf(this.#context, made).setSpecularColorTexture(texture);
        return this.#settle(specular.getSpecularColorTextureInfo(), settings);
      }
      default:
        made.setMetallicRoughnessTexture(texture);
        this.#settle(made.getMetallicRoughnessTextureInfo(), settings);
        if (slot === 'metallicRoughness' || made.getOcclusionTexture()) return undefined;
        made.setOcclusionTexture(texture);
        return this.#settle(made.getOcclusionTextureInfo(), settings);
    }
  }

  #settle(info: TextureInfo | null, settings: Texture): void {
    if (!info) return;
    const { offset, scale, uvSet } = settings;
    const sampler = samplerOf(settings);
    info.setWrapS(sampler.wrapS).setWrapT(sampler.wrapT).setTexCoord(uvSet);
    info.setMagFilter(sampler.magFilter).setMinFilter(sampler.minFilter);
    const rotation = numberIn(settings.properties, 'rotation', 0);
    if (offset[0] === 0 && offset[1] === 0 && scale[0] === 1 && scale[1] === 1 && rotation === 0) return;
    const transform = this.#context.document.createExtension(KHRTextureTransform).createTransform();
    info.setExtension(
      'KHR_texture_transform',
      transform
        .setOffset([...offset])
        .setScale([...scale])
        .setRotation(rotation),
    );
  }
}

/**
 * True for a slot of a material that a loader of three.js has read. Factors of such a material multiply its
 * textures, as in glTF. In other formats, the texture replaces them.
 */
const hasFactor = ({ source }: MaterialSlot): boolean => source === 'metalnessMap' || source === 'emissiveMap';

// WebGL constants for texture filters and wrap modes.
const NEAREST = 9728;
const LINEAR = 9729;
const WRAPS = { repeat: 10497, clamp: 33071, mirror: 33648 } as const satisfies Record<Texture['wrapU'], number>;
/** WebGL constants for minification filters with mipmaps. */
const MIN_FILTERS = { nearest: 9984, linear: 9985, trilinear: 9987 } as const satisfies Record<Texture['filter'], number>;

/** Returns the filters and wrap modes of a texture as WebGL constants. */
export const samplerOf = ({ wrapU, wrapV, filter }: Texture) =>
  ({
    wrapS: WRAPS[wrapU],
    wrapT: WRAPS[wrapV],
    magFilter: filter === 'nearest' ? NEAREST : LINEAR,
    minFilter: MIN_FILTERS[filter],
  }) as const;

/** Returns the glTF texture for an image. The texture is created on first use. */
export function imageTexture({ document, textures }: GltfContext, image: StoredImage, name: string): GltfTexture {
  const known = textures.get(image);
  if (known) return known;
  if (image.mimeType === 'image/webp') document.createExtension(EXTTextureWebP).setRequired(true);
  const texture = document.createTexture(name || image.name).setMimeType(image.mimeType);
  texture.setImage(image.bytes as Uint8Array<ArrayBuffer>);
  textures.set(image, texture);
  return texture;
}

function clamp(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0;
}

function colorOf({ slots }: Material, name: string): MaterialSlot['color'] {
  return slots.find(({ slot, color }) => slot === name && color)?.color;
}

function specularOf({ document }: GltfContext, made: GltfMaterial): Specular {
  const known = made.getExtension<Specular>('KHR_materials_specular');
  if (known) return known;
  const specular = document.createExtension(KHRMaterialsSpecular).createSpecular();
  made.setExtension('KHR_materials_specular', specular);
  made.setExtension('KHR_materials_ior', document.createExtension(KHRMaterialsIOR).createIOR().setIOR(MIRROR));
  return specular;
}

/**
 * Sets the emissive colour. KHR_materials_emissive_strength is used for colours brighter than 1.
 */
function setGlow({ document }: GltfContext, made: GltfMaterial, glow: readonly number[]): void {
  const strength = Math.max(...glow, 1);
  const [r = 0, g = 0, b = 0] = glow;
  made.setEmissiveFactor([r / strength, g / strength, b / strength]);
  if (strength > 1) {
    const extension = document.createExtension(KHRMaterialsEmissiveStrength);
    made.setExtension('KHR_materials_emissive_strength', extension.createEmissiveStrength().setEmissiveStrength(strength));
  }
}

function bumpScaleOf({ properties }: Material): number {
  const floats = member(properties, 'floatProperties');
  return numberIn(floats, '_NormalScale', numberIn(floats, '_BumpScale', 1));
}
