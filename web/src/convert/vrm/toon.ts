// Writes toon materials with the extension VRMC_materials_mtoon and the values that the viewer
// uses.
import type { Material, MaterialSlot, Texture } from '../../core/types.ts';
import { toonValues } from '../../three/materials/toonValues.ts';
import { redAsGrey, type StoredImage } from '../common/images.ts';
import type { GltfContext } from '../gltf/context.ts';
import { imageTexture, samplerOf } from '../gltf/materials.ts';
import { isToon } from '../gltf/toonSlots.ts';
import type { JSONDocument } from '../vendor/gltfTransform.ts';

type Json = JSONDocument['json'];

/** Maps slots to the VRMC_materials_mtoon properties for their textures. */
const PLACES: Readonly<Record<string, string>> = {
  shade: 'shadeMultiplyTexture',
  shadingShift: 'shadingShiftTexture',
  matcap: 'matcapTexture',
  rim: 'rimMultiplyTexture',
  outlineWidth: 'outlineWidthMultiplyTexture',
  uvAnimationMask: 'uvAnimationMaskTexture',
};
/**
 * Names of mask slots. Older shaders use the red channel of a mask, while VRM uses another channel.
 */
const MASKS = new Set(['outlineWidth', 'uvAnimationMask']);

/**
 * Maps image rows to mask images whose red channel was copied to green and blue. Contains only
 * masks of which the source uses the red channel.
 */
export async function greyMasks(
  { scene, report }: GltfContext,
  images: ReadonlyMap<number, StoredImage | null>,
): Promise<Map<number, StoredImage>> {
  const grey = new Map<number, StoredImage>();
  for (const material of scene.materials) {
    if (!isToon(material) || !toonValues(material).redMasks) continue;
    for (const { slot, texture } of material.slots) {
      const row = scene.textures[texture ?? -1]?.image ?? -1;
      const image = images.get(row);
      if (MASKS.has(slot) && image && !grey.has(row)) grey.set(row, await redAsGrey(image, report));
    }
  }
  return grey;
}

/**
 * Adds VRMC_materials_mtoon to all toon materials of the file. `masks`: the result of `greyMasks`.
 */
export function writeToon(
  context: GltfContext,
  json: Json,
  images: ReadonlyMap<number, StoredImage | null>,
  masks: ReadonlyMap<number, StoredImage>,
): void {
  const { scene, report, document } = context;
  const order = new Map(
    document
      .getRoot()
      .listTextures()
      .map((texture, i) => [texture, i]),
  );
  const made = new Map<string, number>();
  const textureAt = (slot: MaterialSlot, isMask: boolean): { index: number; settings: Texture } | null => {
    const settings = scene.textures[slot.texture ?? -1];
    const row = settings?.image ?? -1;
    const image = (isMask && masks.get(row)) || images.get(row);
    if (!settings || !image) return null;
    const source = order.get(imageTexture(context, image, settings.name)) ?? -1;
    const sampler = samplerOf(settings);
    const key = JSON.stringify([source, sampler]);
    let index = made.get(key);
    if (index === undefined) {
      (json.samplers ??= []).push(sampler);
      const at = { sampler: json.samplers.length - 1 };
      const isWebp = image.mimeType === 'image/webp';
      (json.textures ??= []).push(isWebp ? { ...at, extensions: { EXT_texture_webp: { source } } } : { ...at, source });
      made.set(key, (index = json.textures.length - 1));
    }
    return { index, settings };
  };
  const ranks = ranksOf(scene.materials);
  let count = 0;
  for (const [g, material] of document.getRoot().listMaterials().entries()) {
    const row = context.materialRows.get(material);
    const source = scene.materials[row ?? -1];
    const target = json.materials?.[g];
    if (!source || !target || !isToon(source)) continue;
    count++;
    const { redMasks, shadeFromBase, bumpScale: _, v0CompatShade: __, shadingShiftTextureScale, ...values } = toonValues(source);
    const own: Record<string, unknown> = { specVersion: '1.0', ...values };
    if (source.alphaMode === 'blend') {
      own['transparentWithZWrite'] = source.depthWrite === true;
      own['renderQueueOffsetNumber'] = ranks.get(source) ?? 0;
    }
    for (const slot of source.slots) {
      const found = Object.hasOwn(PLACES, slot.slot) ? textureAt(slot, redMasks && MASKS.has(slot.slot)) : null;
      if (!found) continue;
      own[PLACES[slot.slot] ?? ''] = {
        ...infoOf(found.index, found.settings, json),
        ...(slot.slot === 'shadingShift' && { scale: shadingShiftTextureScale }),
      };
    }
    const base = target.pbrMetallicRoughness?.baseColorTexture;
    if (shadeFromBase && base && !own['shadeMultiplyTexture']) own['shadeMultiplyTexture'] = base;
    target.extensions = { ...target.extensions, VRMC_materials_mtoon: own };
  }
  if (count === 0) return;
  report.add('TOON_NEAR', '', count);
  use(json, 'VRMC_materials_mtoon');
}

/**
 * Adds the textures of toon materials to the glTF document, including those that only
 * VRMC_materials_mtoon uses.
 */
export function addTextures(
  context: GltfContext,
  images: ReadonlyMap<number, StoredImage | null>,
  masks: ReadonlyMap<number, StoredImage>,
): void {
  const { scene } = context;
  for (const material of scene.materials.filter(isToon))
    for (const { slot, texture } of material.slots) {
      const settings = scene.textures[texture ?? -1];
      const row = settings?.image ?? -1;
      const image = (MASKS.has(slot) && toonValues(material).redMasks && masks.get(row)) || images.get(row);
      if (settings && image && Object.hasOwn(PLACES, slot)) imageTexture(context, image, settings.name);
    }
}

export function use(json: Json, extension: string): void {
  json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), extension])];
}

function infoOf(index: number, { uvSet, offset, scale }: Texture, json: Json): object {
  const isPlaced = offset[0] !== 0 || offset[1] !== 0 || scale[0] !== 1 || scale[1] !== 1;
  if (isPlaced) use(json, 'KHR_texture_transform');
  return { index, texCoord: uvSet, ...(isPlaced && { extensions: { KHR_texture_transform: { offset: [...offset], scale: [...scale] } } }) };
}

/**
 * Maps each transparent material to its `renderQueueOffsetNumber` in VRM, which is 0 to 9 if the
 * material writes depth, otherwise -9 to 0.
 */
function ranksOf(materials: readonly Material[]): Map<Material, number> {
  const ranks = new Map<Material, number>();
  for (const isDeep of [false, true]) {
    const list = materials.filter(each => each.alphaMode === 'blend' && (each.depthWrite === true) === isDeep);
    const orders = [...new Set(list.map(({ renderOrder }) => renderOrder))].sort((a, b) => a - b);
    const places = new Map(orders.map((order, i) => [order, i]));
    for (const each of list) {
      const rank = places.get(each.renderOrder) ?? 0;
      ranks.set(each, isDeep ? Math.min(rank, 9) : Math.max(rank - orders.length + 1, -9));
    }
  }
  return ranks;
}
