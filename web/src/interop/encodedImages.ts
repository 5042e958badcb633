// Adds the images of a file to its scene as encoded bytes.
import type { Material as ThreeMaterial, MeshStandardMaterial, Texture as ThreeTexture } from 'three';
import { ClampToEdgeWrapping, Loader, MirroredRepeatWrapping, NearestFilter, RepeatWrapping, Texture } from 'three';
import { fromBase64 } from '../core/keys.ts';
import { baseName, percentDecoded } from '../core/paths.ts';
import { listIn, member, numberIn, textIn } from '../core/properties.ts';
import type { Image, MaterialSlot, PropertyValue, RigScene, Texture as SceneTexture } from '../core/types.ts';
import type { ImportedFile } from './file.ts';
import { texturesOf } from './loaders.ts';
import type { Read } from './read.ts';

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

/** Loader that returns placeholders instead of loading images. */
export class PlaceholderLoader extends Loader {
  override load(url: string): ThreeTexture {
    const texture = new Texture();
    texture.userData = { url };
    return texture;
  }
}

/** Slots of the scene, by the property of a three.js material that holds the texture. */
const SLOTS: Readonly<Record<string, string>> = {
  map: 'baseColor',
  normalMap: 'normal',
  metalnessMap: 'metallicRoughness',
  aoMap: 'occlusion',
  emissiveMap: 'emissive',
  specularMap: 'specular',
  specularColorMap: 'specularColor',
  alphaMap: 'opacity',
  bumpMap: 'height',
};
const COLOR_SLOTS: readonly string[] = ['baseColor', 'emissive', 'specular', 'specularColor', 'sheenColorMap'];

/** Returns the scene with images, and with the textures that its materials use. */
function withTextures(
  { scene, materials }: ImportedFile,
  images: Image[],
  textureOf: (texture: ThreeTexture, isColor: boolean) => SceneTexture | null,
): RigScene {
  const textures: SceneTexture[] = [];
  const slotsOf = (material: ThreeMaterial): MaterialSlot[] =>
    Object.entries(texturesOf(material)).flatMap(([property, texture]) => {
      if (property === 'roughnessMap' && 'metalnessMap' in material && material.metalnessMap) return []; // one slot for both
      const slot = SLOTS[property] ?? property;
      const made = textureOf(texture, COLOR_SLOTS.includes(slot));
      return made ? [{ slot, source: property, texture: textures.push({ ...made, ...settingsOf(material, property, texture) }) - 1 }] : [];
    });
  /** Adds the textures to the slots that have a colour. */
  const combined = (colors: MaterialSlot[], textured: MaterialSlot[]): MaterialSlot[] => [
    ...textured.map(made => ({ ...colors.find(({ slot }) => slot === made.slot), ...made })),
    ...colors.filter(({ slot }) => !textured.some(made => made.slot === slot)),
  ];
  return {
    ...scene,
    images,
    materials: scene.materials.map((material, row) => ({
      ...material,
      slots: combined(material.slots, materials[row] ? slotsOf(materials[row]) : []),
    })),
    textures,
    features: scene.features.filter(({ kind }) => kind !== 'texture'),
  };
}

/**
 * Returns the strength of a normal or occlusion texture, and the rotation of a texture in radians, as
 * properties of the texture; nothing if they are the default.
 */
function settingsOf(material: ThreeMaterial, property: string, { rotation }: ThreeTexture): Pick<SceneTexture, 'properties'> {
  const { normalScale, aoMapIntensity = 1 } = material as Partial<MeshStandardMaterial>;
  const properties = {
    ...(property === 'normalMap' && normalScale && normalScale.x !== 1 && { normalScale: normalScale.x }),
    ...(property === 'aoMap' && aoMapIntensity !== 1 && { occlusionStrength: aoMapIntensity }),
    ...(rotation !== 0 && { rotation }),
  };
  return Object.keys(properties).length > 0 ? { properties } : {};
}

/**
 * Returns the scene of a glTF with the textures that its materials use. `read`: returns the bytes of
 * a file beside the glTF, or null; an image that isn't found keeps its path.
 */
export async function withImages(file: ImportedFile, parser: Parser, read: Read): Promise<RigScene> {
  const json = parser.json as PropertyValue;
  const images = await Promise.all(listIn(json, 'images').map((image, i) => imageOf(image, i, parser, read)));
  return withTextures(file, images, (texture, isColor) => {
    const index: unknown = texture.userData['gltfTexture'];
    return typeof index === 'number' ? textureOf(json, texture, index, isColor) : null;
  });
}

/**
 * Returns the scene of an FBX or OBJ with the textures that its materials use. Images inside the
 * file become bytes; others keep their path.
 */
export async function withPlaceholders(file: ImportedFile): Promise<RigScene> {
  const names = new Map<string, string>();
  for (const material of file.materials)
    for (const { name, userData } of Object.values(texturesOf(material)))
      if (typeof userData['url'] === 'string' && !names.has(userData['url'])) names.set(userData['url'], name);
  const urls = [...names.keys()];
  const images = await Promise.all(urls.map((url, i) => imageAt(url, names.get(url) || `image ${i}`)));
  return withTextures(file, images, (texture, srgb) => {
    const { name, wrapS, wrapT, magFilter, offset, repeat, channel } = texture;
    const url: unknown = texture.userData['url'];
    if (typeof url !== 'string') return null;
    return {
      name,
      image: urls.indexOf(url),
      wrapU: WRAPS_OF_THREE[wrapS] ?? 'repeat',
      wrapV: WRAPS_OF_THREE[wrapT] ?? 'repeat',
      filter: magFilter === NearestFilter ? 'nearest' : 'trilinear',
      offset: [offset.x, offset.y],
      scale: [repeat.x, repeat.y],
      uvSet: channel,
      srgb,
    };
  });
}

/** `url`: path of the image, or a data or blob URL that the loader made for an image inside the file. */
async function imageAt(url: string, name: string): Promise<Image> {
  if (!/^(blob|data):/i.test(url)) {
    const path = url.replaceAll('\\', '/');
    return { name: baseName(path), path };
  }
  const blob = await (await fetch(url)).blob();
  if (/^blob:/i.test(url)) URL.revokeObjectURL(url);
  return { name, ...(blob.type && { mimeType: blob.type }), bytes: new Uint8Array(await blob.arrayBuffer()) };
}

const WRAPS_OF_THREE: Readonly<Record<number, SceneTexture['wrapU']>> = {
  [ClampToEdgeWrapping]: 'clamp',
  [MirroredRepeatWrapping]: 'mirror',
  [RepeatWrapping]: 'repeat',
};

async function imageOf(image: PropertyValue, index: number, parser: Parser, read: Read): Promise<Image> {
  const view = numberIn(image, 'bufferView', -1);
  const [uri, mimeType] = [textIn(image, 'uri'), textIn(image, 'mimeType')];
  const [, type = '', data] = /^data:([^;,]*);base64,(.*)$/s.exec(uri) ?? [];
  const path = data === undefined ? percentDecoded(uri) : '';
  const name = textIn(image, 'name') || path || `image ${index}`;
  const bytes =
    view >= 0 ? new Uint8Array(await parser.getDependency('bufferView', view)) : data === undefined ? await read(path) : fromBase64(data);
  return { name, ...((mimeType || type) && { mimeType: mimeType || type }), ...(bytes ? { bytes } : { path }) };
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
