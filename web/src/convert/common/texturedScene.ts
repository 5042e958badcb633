// Resolves the textures of a scene with the rules of the viewer (textures/plan.ts).
import { someOf } from '../../core/bind.ts';
import { RigcastError } from '../../core/error.ts';
import type { Image, Material, RigScene, Texture } from '../../core/types.ts';
import { TextureResolver } from '../../textures/resolver.ts';
import {
  findImage,
  usesColorKey,
  type MaterialOverrides,
  type MaterialTextures,
  planTextures,
  slotAfter,
  type TextureRequest,
  valuesBeside,
} from '../../textures/plan.ts';
import { baseName } from '../../textures/names.ts';
import { type MaterialValues, type NamedMaterialValues, valuesOf, withMaterialValues } from '../../textures/materialValues.ts';
import { isColorSlot, isPhysical, isPhysicalSlot, packingOf } from '../../textures/slots.ts';
import type { FoundImage } from '../../textures/sources.ts';
import type { ImageSource } from './imageSource.ts';
import type { ReportBuilder } from './report.ts';

/** An image to write, and the changes to make to its pixels. */
export interface RawImage extends FoundImage {
  /**
   * True for a normal map whose green channel points down. The channel has to be inverted, because
   * green points up in glTF.
   */
  isTurned: boolean;
  /** True if pixels in the mask colour have to be made transparent. */
  isCut: boolean;
}

/** Factors of a material that multiply its textures. The default is 1. */
export interface TextureFactors {
  metalness?: number;
  roughness?: number;
}

export interface TexturedScene {
  /**
   * The scene with resolved textures added to its materials. If no textures were added, it is the
   * source scene itself.
   */
  scene: RigScene;
  /** Returns the image in a row of `scene.images`, or null if it was not found. */
  imageOf(row: number): Promise<RawImage | null>;
  /** Values that replace those of the source, by row of `scene.materials`. */
  readonly values?: ReadonlyMap<number, MaterialValues>;
  /** Factors that multiply textures, by row of `scene.materials`. */
  readonly factors?: ReadonlyMap<number, TextureFactors>;
}

/**
 * Returns a texture with the default settings of Unreal's tools: repeating, trilinear filtering, no
 * UV transform.
 */
const plainTexture = (name: string, image: number, slot: string): Texture => ({
  name,
  image,
  wrapU: 'repeat',
  wrapV: 'repeat',
  filter: 'trilinear',
  offset: [0, 0],
  scale: [1, 1],
  uvSet: 0,
  srgb: isColorSlot(slot),
});

/**
 * Adds the textures that the viewer would use if it had the images of `source`. Reports textures
 * that were chosen by name, materials that were converted to a transparent gloss, and missing
 * images.
 */
export async function textured(scene: RigScene, source: ImageSource | undefined, report: ReportBuilder): Promise<TexturedScene> {
  const resolver =
    source &&
    new TextureResolver({
      names: source.names ?? null,
      ...(source.beside && { sameFolder: source.beside }),
      hasOtherModels: source.hasOtherModels ?? false,
      ...(source.choices && { choices: source.choices }),
      ...(source.values && { values: source.values }),
      image: path => source.image(path),
      text: async (name, folder) => (await source.text?.(name, folder)) ?? null,
    });
  const assigner = new TextureAssigner(scene, resolver ?? null, report);
  const assignments = await planTextures(scene, resolver ?? null);
  for (const assignment of assignments) await assigner.assign(assignment);
  if (resolver) assigner.setValues(resolver.values ?? (await valuesIn(scene, resolver, report)));
  if (resolver && assignments.length > 0 && !assigner.hasTextures) {
    const names = assignments.map(({ row }) => scene.materials[row]?.name ?? '');
    report.add('TEXTURES_NONE', scene.asset.name, assignments.length, someOf(names));
  }
  return assigner;
}

/** Returns the values of a file beside the model. Reports an invalid file. */
async function valuesIn(scene: RigScene, resolver: TextureResolver, report: ReportBuilder): Promise<readonly NamedMaterialValues[]> {
  try {
    return (await valuesBeside(scene, resolver)) ?? [];
  } catch (error) {
    if (!(error instanceof RigcastError)) throw error;
    report.add('MATERIAL_VALUES_INVALID', scene.asset.name, 1, error.message);
    return [];
  }
}

class TextureAssigner implements TexturedScene {
  scene: RigScene;
  readonly values = new Map<number, MaterialValues>();
  readonly factors = new Map<number, TextureFactors>();
  readonly #resolver: TextureResolver | null;
  readonly #report: ReportBuilder;
  /** Maps rows of `scene.images` to the images that were added. */
  readonly #found = new Map<number, RawImage>();
  /**
   * Rows of added images. The key consists of name and pixel changes, so that materials can share
   * images.
   */
  readonly #rows = new Map<string, number>();
  /**
   * The scene for which `rows` was calculated, and the rows of images that are used as normal maps.
   */
  #normalRows: [scene: RigScene | null, rows: ReadonlySet<number>] = [null, new Set()];
  #isMissing = false;

  constructor(scene: RigScene, resolver: TextureResolver | null, report: ReportBuilder) {
    this.scene = scene;
    this.#resolver = resolver;
    this.#report = report;
  }

  async imageOf(row: number): Promise<RawImage | null> {
    const found = this.#found.get(row);
    if (found) return found;
    const { images, hints } = this.scene;
    const image = images[row];
    if (!image) return null;
    const name = image.path || (this.#resolver?.isListed ? image.name : '');
    const own = await findImage({ slot: '', name, settings: null, image, isExpected: true }, this.#resolver);
    return own ? { ...own, isTurned: !!hints?.directXNormals && this.#normals().has(row), isCut: false } : null;
  }

  /** Returns the rows of all images that are used as normal maps. */
  #normals(): ReadonlySet<number> {
    const { materials, textures } = this.scene;
    const [known, rows] = this.#normalRows;
    if (known === this.scene) return rows;
    const found = new Set<number>();
    for (const { slots } of materials)
      for (const { slot, texture } of slots) if (slot === 'normal') found.add(textures[texture ?? -1]?.image ?? -1);
    this.#normalRows = [this.scene, found];
    return found;
  }

  /** True if a material has a texture, or references an image that is missing. */
  get hasTextures(): boolean {
    return this.#isMissing || this.scene.materials.some(({ slots }) => slots.some(({ texture }) => texture !== undefined));
  }

  /** Adds resolved textures to a material, and applies the changes in `overrides`. */
  async assign({ row, requests, overrides: change, isGuessed, isReflectionOnly: isGloss }: MaterialTextures): Promise<void> {
    const material = this.scene.materials[row];
    if (!material) return;
    if (change) this.#replace(row, changed(material, change));
    if (isGloss) this.#report.add('MATERIAL_GLOSS', material.name, 1);
    const choices = requests.filter(({ chosen }) => chosen);
    if (choices.length > 0) this.#clear(row, choices);
    for (const request of requests) {
      if (request.settings) continue;
      const found = await findImage(request, this.#resolver);
      if (found) this.#put(row, request.slot, found, isGuessed && !request.chosen);
      else if (request.isExpected) {
        this.#isMissing = true;
        this.#report.add('TEXTURE_MISSING', request.name, 1, material.name);
      }
    }
  }

  /** Removes textures of the source from the slots for which images were chosen. */
  #clear(row: number, choices: readonly TextureRequest[]): void {
    const material = this.scene.materials[row]!;
    const slots = material.slots.flatMap(own => {
      const slot = own.texture === undefined ? own.slot : slotAfter(own.slot, choices);
      return slot === null ? [] : [{ ...own, slot }];
    });
    this.#replace(row, { ...material, slots });
  }

  #put(row: number, slot: string, found: FoundImage, isGuessed: boolean): void {
    const { materials, textures, images, hints } = this.scene;
    const material = materials[row];
    if (!material) return;
    if (isPhysicalSlot(slot) && !isPhysical(material)) {
      this.#report.add('TEXTURE_SLOT_LOST', material.name, 1, baseName(found.name));
      return;
    }
    const isTurned = slot === 'normal' && !!hints?.directXNormals;
    const isCut = usesColorKey(this.scene, material, slot);
    const name = baseName(found.name);
    const key = `${found.name}\n${isTurned}\n${isCut}`;
    let image = this.#rows.get(key);
    if (image === undefined) {
      this.#rows.set(key, (image = images.length));
      this.#found.set(image, { ...found, isTurned, isCut });
      const made: Image = { name, path: found.path ?? found.name };
      this.scene = { ...this.scene, images: [...images, made] };
    }
    if (isGuessed) this.#report.add('TEXTURE_GUESSED', found.name, 1, `${slot} of ${material.name}`);
    this.scene = { ...this.scene, textures: [...textures, plainTexture(name, image, slot)] };
    this.#replace(row, { ...material, slots: [...material.slots, { slot, source: name, texture: textures.length }] });
  }

  /** Replaces the values of materials. */
  setValues(all: readonly NamedMaterialValues[]): void {
    for (const [row, material] of this.scene.materials.entries()) {
      const values = valuesOf(all, material.name);
      if (!values) continue;
      const { metallic, roughness, uvSet } = values;
      const packings = material.slots.flatMap(({ slot, texture }) => (texture === undefined ? [] : (packingOf(slot) ?? [])));
      const factors: TextureFactors = {
        ...(metallic !== undefined && packings.some(({ metalness }) => metalness) && { metalness: metallic }),
        ...(roughness !== undefined && packings.some(packing => packing.roughness) && { roughness }),
      };
      this.values.set(row, values);
      if (Object.keys(factors).length > 0) this.factors.set(row, factors);
      this.#replace(row, withMaterialValues(material, values));
      if (uvSet !== undefined) this.#useUvSet(row, uvSet);
    }
  }

  #useUvSet(row: number, uvSet: number): void {
    const material = this.scene.materials[row]!;
    const textures = [...this.scene.textures];
    const slots = material.slots.map(each => {
      const texture = textures[each.texture ?? -1];
      return texture && texture.uvSet !== uvSet ? { ...each, texture: textures.push({ ...texture, uvSet }) - 1 } : each;
    });
    this.scene = { ...this.scene, textures };
    this.#replace(row, { ...material, slots });
  }

  #replace(row: number, material: Material): void {
    this.scene = { ...this.scene, materials: this.scene.materials.with(row, material) };
  }
}

function changed(material: Material, { color, opacity, ...values }: MaterialOverrides): Material {
  const [r, g, b] = color ?? material.color;
  return { ...material, ...values, color: [r, g, b, opacity ?? material.color[3]] };
}
