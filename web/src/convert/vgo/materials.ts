// Writes materials and textures for Unity's built-in shaders (docs/formats/vgo.md sections 5.6, 5.7
// and 9).
import type { Material, RigScene, Texture } from '../../core/types.ts';
import { roughInAlpha, type StoredImage } from '../common/images.ts';
import type { ReportBuilder } from '../common/report.ts';
import { KIND, TYPE, type VgoResource } from './resource.ts';
import { branch, type Tree } from './tree.ts';

interface Place {
  property: string;
  /** VGO number for the content of the texture, such as colours or normals. */
  mapType: number;
}

const PLACES: Readonly<Record<string, readonly Place[]>> = {
  baseColor: [{ property: '_MainTex', mapType: 0 }],
  normal: [{ property: '_BumpMap', mapType: 1 }],
  height: [{ property: '_ParallaxMap', mapType: 2 }],
  occlusion: [{ property: '_OcclusionMap', mapType: 3 }],
  emissive: [{ property: '_EmissionMap', mapType: 4 }],
  metallicRoughness: [{ property: '_MetallicGlossMap', mapType: 0 }],
  orm: [
    { property: '_OcclusionMap', mapType: 3 },
    { property: '_MetallicGlossMap', mapType: 0 },
  ],
};
const placesOf = (slot: string): readonly Place[] => PLACES[slot === 'arm' ? 'orm' : slot] ?? [];

/** Names of the texture properties of the unlit shader. */
const UNLIT = new Set(['_MainTex']);
/**
 * Names of texture properties that Unity's Standard shader has, but the particle shaders do not
 * have.
 */
const STANDARD_ALONE = new Set(['_OcclusionMap', '_ParallaxMap']);

const QUEUES = { opaque: 2000, mask: 2450, blend: 3000, add: 3000, multiply: 3000 } as const;
const CULLS = { both: 0, back: 1, front: 2 } as const;
const WRAPS = { repeat: 0, clamp: 1, mirror: 2 } as const satisfies Record<Texture['wrapU'], number>;
const FILTERS = { nearest: 0, linear: 1, trilinear: 2 } as const satisfies Record<Texture['filter'], number>;

/** Returns the rows of the images to write. `isOwn`: true if the source is a VGO file. */
export function wantedImages({ materials, textures, images }: RigScene, isOwn: boolean): Set<number> {
  if (isOwn) return new Set(images.keys());
  const slots = materials.flatMap(({ slots }) => slots).filter(({ slot }) => placesOf(slot).length > 0);
  return new Set(slots.flatMap(({ texture = -1 }) => textures[texture]?.image ?? []));
}

/**
 * Returns the name of the Unity shader for a material. Materials with additive or multiplicative
 * blending get particle shaders. `isTinted`: true if the material is multiplied by vertex colours.
 */
const shaderOf = ({ model, alphaMode }: Material, isTinted: boolean): string => {
  const isLight = alphaMode === 'add' || alphaMode === 'multiply';
  if (model === 'unlit') return isLight ? 'Particles/Standard Unlit' : 'UniGLTF/UniUnlit';
  if (isLight) return 'Particles/Standard Surface';
  return isTinted ? 'UniGLTF/StandardVColor' : 'Standard';
};

export class MaterialWriter {
  readonly materials: Tree[] = [];
  readonly textures: Tree[] = [];
  readonly #scene: RigScene;
  readonly #images: ReadonlyMap<number, StoredImage | null>;
  readonly #resource: VgoResource;
  readonly #report: ReportBuilder;
  readonly #made = new Map<string, number>();
  readonly #sources = new Map<StoredImage, number>();
  readonly #glosses = new Map<StoredImage, Promise<StoredImage | null>>();
  #blank = -1;

  constructor(scene: RigScene, images: ReadonlyMap<number, StoredImage | null>, resource: VgoResource, report: ReportBuilder) {
    this.#scene = scene;
    this.#images = images;
    this.#resource = resource;
    this.#report = report;
  }

  /**
   * Writes all materials in scene order. `tinted`: rows of materials that are multiplied by vertex
   * colours. `isOwn`: true if the source is a VGO file, whose materials can be copied.
   */
  async write(tinted: ReadonlySet<number>, isOwn: boolean): Promise<void> {
    if (isOwn) return this.#copy();
    for (const [row, material] of this.#scene.materials.entries()) this.materials.push(await this.#material(material, tinted.has(row)));
  }

  #copy(): void {
    const { materials, textures } = this.#scene;
    for (const { name, properties } of materials) this.materials.push(branch({ name, ...properties }));
    for (const { name, image, properties } of textures) {
      const stored = this.#images.get(image ?? -1);
      this.textures.push(stored ? branch({ name, ...properties, source: this.#sourceOf(stored) }) : null);
    }
  }

  /**
   * Returns the index of the material that faces without a material get. The material is created on
   * first use.
   */
  blank(): number {
    if (this.#blank >= 0) return this.#blank;
    this.#report.add('MATERIAL_BLANK', '', 1);
    return (this.#blank = this.materials.push(branch({ name: '', shaderName: 'Standard' })) - 1);
  }

  drawsColors(row: number): boolean {
    const material = this.#scene.materials[row];
    return !!material && shaderOf(material, false).startsWith('Particles/');
  }

  async #material(source: Material, isTinted: boolean): Promise<Tree> {
    const { name, color, metalness, roughness, alphaMode, alphaCutoff, side, visible, renderOrder, model } = source;
    const shaderName = shaderOf(source, isTinted);
    const maps = await this.#maps(source, shaderName);
    const glow = this.#glowOf(source);
    const isGlowing = glow.some(value => value > 0);
    const mode = { opaque: 0, mask: 1, blend: 2, add: 4, multiply: 6 }[alphaMode];
    const isBlended = mode > 1;
    const hasGloss = '_MetallicGlossMap' in maps.index;
    const smoothness = hasGloss ? 1 : 1 - roughness;
    this.#reportLosses(source, maps.lost);
    if (side !== 'front' && shaderName.includes('Standard') && !isBlended)
      this.#report.add(
        'MATERIAL_WORDS_LOST',
        name,
        1,
        "Unity's Standard shader draws front faces only; other programs read the visible sides from the file",
      );
    return branch({
      name,
      shaderName,
      renderQueue: QUEUES[alphaMode] + (isBlended ? Math.max(Math.min(renderOrder, 1000), -499) : 0),
      ...(model === 'unlit' && { isUnlit: true }),
      intProperties: {
        ...(shaderName === 'UniGLTF/UniUnlit'
          ? { _BlendMode: mode, _CullMode: CULLS[side], _VColBlendMode: isTinted ? 1 : 0 }
          : { _Mode: mode, ...(side !== 'front' && { _Cull: CULLS[side] }) }),
        _SrcBlend: alphaMode === 'multiply' ? 2 : isBlended ? 5 : 1,
        _DstBlend: alphaMode === 'add' ? 1 : isBlended ? 10 : 0,
        _ZWrite: isBlended && !source.depthWrite ? 0 : 1,
      },
      floatProperties: {
        _Cutoff: alphaCutoff,
        ...(model !== 'unlit' && { _Metallic: metalness, _Glossiness: smoothness, _Smoothness: smoothness, _GlossMapScale: 1 }),
      },
      colorProperties: {
        // Invisible materials have an alpha cutoff, so alpha 0 hides them.
        _Color: [color[0], color[1], color[2], visible ? color[3] : 0],
        ...(isGlowing && { _EmissionColor: [...glow, 1] }),
      },
      ...(maps.offset && { textureOffsetProperties: maps.offset }),
      ...(maps.scale && { textureScaleProperties: maps.scale }),
      ...(Object.keys(maps.index).length > 0 && { textureIndexProperties: maps.index }),
      keywordMap: {
        ...(isGlowing && { _EMISSION: true }),
        ...('_BumpMap' in maps.index && { _NORMALMAP: true }),
        ...(hasGloss && { _METALLICGLOSSMAP: true }),
        ...(alphaMode === 'mask' && { _ALPHATEST_ON: true }),
        ...(alphaMode === 'blend' && { _ALPHABLEND_ON: true }),
      },
      tagMap: { RenderType: alphaMode === 'mask' ? 'TransparentCutout' : isBlended ? 'Transparent' : 'Opaque' },
    });
  }

  #glowOf({ emissive, slots }: Material): number[] {
    const strength = slots.find(({ slot }) => slot === 'emissiveStrength')?.color?.[0] ?? 1;
    const hasMap = slots.some(({ slot, texture }) => slot === 'emissive' && texture !== undefined);
    const isDark = emissive.every(value => value <= 0);
    return (hasMap && isDark ? [1, 1, 1] : emissive).map(value => Math.max(value, 0) * strength);
  }

  #reportLosses({ name, model, color, alphaCutoff, visible, alphaMode }: Material, lost: readonly string[]): void {
    if (lost.length > 0) this.#report.add('TEXTURE_SLOT_LOST', name, lost.length, lost.join(', '));
    if (!['standard', 'unlit'].includes(model)) this.#report.add('MATERIAL_REDUCED', name, 1, model);
    if (color.some(value => !(value >= 0))) this.#report.add('COLOR_CLAMPED', name, 1, color.join(', '));
    if (!visible && !(alphaMode === 'mask' && alphaCutoff > 0)) this.#report.add('HIDDEN_SHOWN', name, 1);
  }

  async #maps(source: Material, shader: string): Promise<Maps> {
    const maps: Maps = { index: {}, lost: [] };
    const isStandard = !shader.startsWith('Particles/');
    for (const { slot, source: spelled, texture } of source.slots) {
      const settings = this.#scene.textures[texture ?? -1];
      if (!settings) continue;
      const image = this.#images.get(settings.image ?? -1);
      const places = placesOf(slot).filter(
        ({ property }) =>
          !(property in maps.index) && (source.model === 'unlit' ? UNLIT.has(property) : isStandard || !STANDARD_ALONE.has(property)),
      );
      if (places.length === 0 || settings.uvSet !== 0) maps.lost.push(spelled || slot);
      if (!image || settings.uvSet !== 0) continue;
      for (const { property, mapType } of places) {
        const made = property === '_MetallicGlossMap' ? await this.#glossOf(image) : image;
        if (made) maps.index[property] = this.#texture(settings, made, mapType, slot === 'baseColor' || slot === 'emissive');
        else maps.lost.push(spelled || slot);
        const [x, y] = settings.scale;
        if (x !== 1 || y !== 1) (maps.scale ??= {})[property] = [x, y];
        const moved = [settings.offset[0], 1 - settings.offset[1] - y];
        if (moved.some(value => value !== 0)) (maps.offset ??= {})[property] = moved;
      }
    }
    return maps;
  }

  #sourceOf(image: StoredImage): number {
    const source = this.#sources.get(image) ?? this.#resource.add(KIND.image, TYPE.u8, image.bytes);
    this.#sources.set(image, source);
    return source;
  }

  #glossOf(image: StoredImage): Promise<StoredImage | null> {
    const made = this.#glosses.get(image) ?? roughInAlpha(image, this.#report);
    this.#glosses.set(image, made);
    return made;
  }

  #texture(settings: Texture, image: StoredImage, mapType: number, isColor: boolean): number {
    const { name, wrapU, wrapV, filter } = settings;
    const source = this.#sourceOf(image);
    const wrap = WRAPS[wrapU];
    const colorSpace = isColor ? 0 : 1;
    const key = [name, source, mapType, colorSpace, wrapU, wrapV, filter].join('\n');
    let made = this.#made.get(key);
    if (made === undefined) {
      const members = { dimensionType: 2, mapType, colorSpace, mimeType: image.mimeType, filterMode: FILTERS[filter] };
      made = this.textures.push(branch({ name, source, ...members, wrapMode: wrap, wrapModeU: wrap, wrapModeV: WRAPS[wrapV] })) - 1;
      this.#made.set(key, made);
    }
    return made;
  }
}

interface Maps {
  index: Record<string, number>;
  offset?: Record<string, number[]>;
  scale?: Record<string, number[]>;
  lost: string[];
}
