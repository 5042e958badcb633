// Combines metalness and roughness textures into one glTF texture: roughness in green, metalness in
// blue.
import { numberAt } from '../../core/math/column.ts';
import type { Material, MaterialSlot, Texture } from '../../core/types.ts';
import { type Channel, packingOf } from '../../textures/slots.ts';
import { drawnMaterials } from '../../textures/drawnMaterials.ts';
import type { TexturedScene, RawImage } from './texturedScene.ts';
import { decode } from './images.ts';
import type { ReportBuilder } from './report.ts';
import { encodePng, type Pixels } from './png.ts';

/**
 * Names of slots whose textures already have glTF's channel order: roughness in green, metalness in
 * blue.
 */
const KNOWN = new Set(['metallicRoughness', 'orm', 'arm']);
const OFFSETS = { r: 0, g: 1, b: 2, a: 3 } as const satisfies Record<Channel, number>;
/** Channel index of occlusion, roughness and metalness in the glTF texture. */
const PLACES = { occlusion: 0, roughness: 1, metalness: 2 } as const;
type Part = keyof typeof PLACES;
const PARTS = Object.keys(PLACES) as Part[];

/** A texture that contains metalness, roughness or occlusion. */
interface ChannelTexture {
  slot: MaterialSlot;
  settings: Texture;
  image: number;
}

/** Returns the scene with combined textures. Textures that cannot be decoded stay unchanged. */
export async function packed(textured: TexturedScene, report: ReportBuilder): Promise<TexturedScene> {
  const { scene } = textured;
  const packedImages = new Map<string, Promise<RawImage | null>>();
  const images = [...scene.images];
  const textures = [...scene.textures];
  const materials = [...scene.materials];
  const found = new Map<number, RawImage>();
  for (const row of drawnMaterials(scene)) {
    const material = materials[row];
    const inputs = material && texturesToPack(material, scene.textures);
    if (!material || !inputs) continue;
    const key = [...inputs.map(({ slot, image }) => `${slot.slot} ${image}`), material.metalness, material.roughness].join();
    const packing = packedImages.get(key) ?? packOne(textured, material, inputs, report);
    packedImages.set(key, packing);
    const image = await packing;
    if (!image) continue;
    const [{ settings }] = inputs as [ChannelTexture];
    found.set(images.length, image);
    images.push({ name: image.name, path: image.name });
    textures.push({ ...settings, name: image.name, image: images.length - 1, srgb: false });
    const hasOcclusion = inputs.some(({ slot }) => packingOf(slot.slot)?.occlusion);
    const slot = { slot: hasOcclusion ? 'orm' : 'metallicRoughness', source: image.name, texture: textures.length - 1 };
    materials[row] = { ...material, slots: [...material.slots.filter(each => !inputs.some(other => other.slot === each)), slot] };
  }
  if (found.size === 0) return textured;
  const { values, factors } = textured;
  return {
    scene: { ...scene, images, textures, materials },
    imageOf: async row => found.get(row) ?? textured.imageOf(row),
    ...(values && { values }),
    ...(factors && { factors }),
  };
}

/**
 * Returns the textures of a material to combine, or null if it has no such textures or their UV
 * layouts differ.
 */
function texturesToPack({ slots, model }: Material, textures: readonly Texture[]): ChannelTexture[] | null {
  if (!['standard', 'specular'].includes(model) || slots.some(({ slot, texture }) => KNOWN.has(slot) && texture !== undefined)) return null;
  const inputs = slots.flatMap((slot): ChannelTexture[] => {
    const packing = packingOf(slot.slot);
    const settings = textures[slot.texture ?? -1];
    const isOurs = packing?.metalness !== undefined || packing?.roughness !== undefined;
    return isOurs && settings?.image !== undefined ? [{ slot, settings, image: settings.image }] : [];
  });
  const layout = ({ settings: { offset, scale, uvSet, wrapU, wrapV } }: ChannelTexture): string =>
    [offset, scale, uvSet, wrapU, wrapV].join();
  return inputs.length > 0 && new Set(inputs.map(layout)).size === 1 ? inputs : null;
}

async function packOne(
  textured: TexturedScene,
  material: Material,
  inputs: readonly ChannelTexture[],
  report: ReportBuilder,
): Promise<RawImage | null> {
  const sources: { slot: string; pixels: Pixels }[] = [];
  const names: string[] = [];
  for (const { slot, image } of inputs) {
    const raw = await textured.imageOf(image);
    if (!raw) return null;
    const bytes = raw.bytes instanceof Blob ? new Uint8Array(await raw.bytes.arrayBuffer()) : raw.bytes;
    const pixels = await decode(raw.name, bytes).catch(() => null);
    if (!pixels) return null;
    sources.push({ slot: slot.slot, pixels });
    names.push(raw.name);
  }
  const width = Math.max(...sources.map(({ pixels }) => pixels.width));
  const height = Math.max(...sources.map(({ pixels }) => pixels.height));
  const data = new Uint8Array(4 * width * height).fill(255);
  // Channels without a texture contain the factor of the material.
  fill(data, PLACES.metalness, material.metalness);
  fill(data, PLACES.roughness, material.roughness);
  for (const { slot, pixels } of sources)
    for (const part of PARTS) {
      const packing = packingOf(slot);
      const channel = packing?.[part];
      const isReversed = part === 'roughness' && packing?.isGloss === true;
      if (channel) copy(pixels, OFFSETS[channel], { data, width, height }, PLACES[part], isReversed);
    }
  report.add('TEXTURE_REENCODED', material.name, 1, `${names.join(' and ')}: metalness and roughness packed for glTF`);
  return { name: `${material.name}_metallicRoughness.png`, bytes: await encodePng({ data, width, height }), isTurned: false, isCut: false };
}

function fill(data: Uint8Array, place: number, value: number): void {
  const byte = Math.round(255 * Math.min(Math.max(value, 0), 1));
  for (let i = place; i < data.length; i += 4) data[i] = byte;
}

/**
 * Copies a channel of an image to channel `place` of another image. If the images have different
 * sizes, nearest-neighbour sampling is used. `isReversed`: true to invert the values.
 */
function copy(from: Pixels, channel: number, to: Pixels, place: number, isReversed: boolean): void {
  for (let y = 0; y < to.height; y++) {
    const row = Math.floor((y * from.height) / to.height);
    for (let x = 0; x < to.width; x++) {
      const value = numberAt(from.data, 4 * (row * from.width + Math.floor((x * from.width) / to.width)) + channel);
      to.data[4 * (y * to.width + x) + place] = isReversed ? 255 - value : value;
    }
  }
}
