// Adds the images of a glTF to its scene as encoded bytes, for Node, which can't decode them.
import type { Material as ThreeMaterial, Texture as ThreeTexture } from 'three';
import { Texture } from 'three';
import { fromBase64 } from '../core/keys.ts';
import { listIn, member, numberIn, textIn } from '../core/properties.ts';
import type { Image, MaterialSlot, PropertyValue, RigScene, Texture as SceneTexture } from '../core/types.ts';
import type { ImportedFile } from './file.ts';

/** Parser of GLTFLoader. */
interface Parser {
  json: unknown;
  getDependency(type: 'bufferView', index: number): Promise<ArrayBuffer>;
}

/** Returns the placeholder for a texture, which the loader assigns to materials. */
export function placeholder(index: number): ThreeTexture {
  const texture = new Texture();
  texture.userData = { gltfTexture: index };
  return texture;
}

/** Slots of the scene, by the property of a three.js material that holds the texture. */
const SLOTS = {
  map: 'baseColor',
  normalMap: 'normal',
  metalnessMap: 'metallicRoughness',
  aoMap: 'occlusion',
  emissiveMap: 'emissive',
} as const;
const COLOR_SLOTS: readonly string[] = ['baseColor', 'emissive'];

/**
 * Returns the scene with the textures that its materials use. `read`: returns the bytes of a file
 * beside the glTF, or null; an image that isn't found keeps its path.
 */
export async function withImages(
  { scene, materials }: ImportedFile,
  parser: Parser,
  read: (path: string) => Uint8Array | null,
): Promise<RigScene> {
  const json = parser.json as PropertyValue;
  const images = await Promise.all(listIn(json, 'images').map((image, i) => imageOf(image, i, parser, read)));
  const textures: SceneTexture[] = [];
  const slotsOf = (material: ThreeMaterial): MaterialSlot[] =>
    Object.entries(SLOTS).flatMap(([property, slot]) => {
      const texture = (material as unknown as Record<string, ThreeTexture | null | undefined>)[property];
      const index: unknown = texture?.userData['gltfTexture'];
      if (!texture || typeof index !== 'number') return [];
      const place = textures.push(textureOf(json, texture, index, COLOR_SLOTS.includes(slot))) - 1;
      return [{ slot, source: property, texture: place }];
    });
  return {
    ...scene,
    images,
    materials: scene.materials.map((material, row) => ({ ...material, slots: materials[row] ? slotsOf(materials[row]) : [] })),
    textures,
    features: scene.features.filter(({ kind }) => kind !== 'texture'),
  };
}

async function imageOf(image: PropertyValue, index: number, parser: Parser, read: (path: string) => Uint8Array | null): Promise<Image> {
  const view = numberIn(image, 'bufferView', -1);
  const [uri, mimeType] = [textIn(image, 'uri'), textIn(image, 'mimeType')];
  const [, type = '', data] = /^data:([^;,]*);base64,(.*)$/s.exec(uri) ?? [];
  const path = data === undefined ? decoded(uri) : '';
  const name = textIn(image, 'name') || path || `image ${index}`;
  const bytes =
    view >= 0 ? new Uint8Array(await parser.getDependency('bufferView', view)) : data === undefined ? read(path) : fromBase64(data);
  return { name, ...((mimeType || type) && { mimeType: mimeType || type }), ...(bytes ? { bytes } : { path }) };
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Names of wrap modes and of filters without interpolation, by their numbers in WebGL. */
const WRAPS: Readonly<Record<number, SceneTexture['wrapU']>> = { 33071: 'clamp', 33648: 'mirror', 10497: 'repeat' };
const NEAREST = 9728;

/** `texture`: placeholder with the UV transform of the material. */
function textureOf(json: PropertyValue, { offset, repeat, channel }: ThreeTexture, index: number, srgb: boolean): SceneTexture {
  const texture = listIn(json, 'textures')[index];
  const sampler = listIn(json, 'samplers')[numberIn(texture, 'sampler', -1)];
  const extensions = member(texture, 'extensions');
  const sources = ['EXT_texture_webp', 'EXT_texture_avif', 'KHR_texture_basisu'].map(name =>
    numberIn(member(extensions, name), 'source', -1),
  );
  const image = [numberIn(texture, 'source', -1), ...sources].find(each => each >= 0);
  return {
    name: textIn(texture, 'name'),
    ...(image !== undefined && image < listIn(json, 'images').length && { image }),
    wrapU: WRAPS[numberIn(sampler, 'wrapS', 10497)] ?? 'repeat',
    wrapV: WRAPS[numberIn(sampler, 'wrapT', 10497)] ?? 'repeat',
    filter: numberIn(sampler, 'magFilter', 0) === NEAREST ? 'nearest' : 'trilinear',
    offset: [offset.x, offset.y],
    scale: [repeat.x, repeat.y],
    uvSet: channel,
    srgb,
  };
}
