// The scene's materials as three's. Textures come later (textures.ts) and are put into the slots here.
import {
  AdditiveBlending,
  BackSide,
  type Blending,
  Color,
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
  RED_RGTC1_Format,
  ShaderChunk,
  type Side,
  SIGNED_RED_RGTC1_Format,
  SRGBColorSpace,
  type Texture,
} from 'three';
import type { Material, MaterialSlot, RigScene } from '../core/types.ts';
import { patchShader, replaceChunk } from './shaderPatch.ts';
import type { Sidecar } from './sidecars.ts';
import type { Skinning } from './skinning.ts';
import { extendSkinning } from './skinningShader.ts';

export interface MaterialOptions {
  /** Draw vertex colours: true, false, or where the file says that they are part of the material (`auto`, the default). */
  vertexColors?: boolean | 'auto';
  /** Formats without colours of their own (Unreal's): grey until a texture comes. Default: as the file's format means it. */
  greyUntilTextured?: boolean;
}

const GREY = 0.6;

/** What a mesh asks of its material besides the file's words. */
export interface MaterialTraits {
  isStrands: boolean;
  hasColors: boolean;
  hasNormals: boolean;
  hasTangents: boolean;
  skinning?: Skinning | null;
}

const SIDES: Record<Material['side'], Side> = { front: FrontSide, back: BackSide, both: DoubleSide };
const BLENDINGS: Partial<Record<Material['alphaMode'], Blending>> = { add: AdditiveBlending, multiply: MultiplyBlending };

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
  side: 'front',
  visible: true,
  renderOrder: 0,
  slots: [],
};

/** One three material for each of the scene's and each kind of mesh that shows it: sharing survives. */
export class MaterialLibrary {
  readonly #scene: RigScene;
  readonly #options: MaterialOptions;
  readonly #made = new Map<string, { index: number; material: ThreeMaterial }>();

  constructor(scene: RigScene, options: MaterialOptions) {
    this.#scene = scene;
    this.#options = options;
  }

  get(index: number, traits: MaterialTraits): ThreeMaterial {
    const vertexColors = this.#options.vertexColors ?? 'auto';
    const colored = vertexColors === 'auto' ? traits.hasColors : vertexColors;
    const key = `${index} ${traits.isStrands} ${colored} ${traits.hasNormals} ${traits.hasTangents} ${traits.skinning?.eight} ${traits.skinning?.dual}`;
    let made = this.#made.get(key);
    if (!made) {
      const material = buildMaterial(this.#scene.materials[index] ?? PLAIN, { ...traits, hasColors: colored });
      if (this.#options.greyUntilTextured && !colored) makeGrey(material);
      if (traits.skinning) extendSkinning(material, traits.skinning);
      this.#made.set(key, (made = { index, material }));
    }
    return made.material;
  }

  all(): ThreeMaterial[] {
    return [...this.#made.values()].map(({ material }) => material);
  }

  /** The three materials made of one of the scene's. */
  of(index: number): ThreeMaterial[] {
    return [...this.#made.values()].filter(made => made.index === index).map(({ material }) => material);
  }
}

function makeGrey(material: ThreeMaterial): void {
  if (!('color' in material)) return;
  (material as MeshStandardMaterial).color.multiplyScalar(GREY);
  material.userData['isGrey'] = true;
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
export function unusedSlots({ slots }: Material): string[] {
  return slots.filter(({ slot, texture }) => !(texture === undefined ? COLOR_SLOTS : TEXTURE_SLOTS).has(slot)).map(({ source }) => source);
}

export function buildMaterial(source: Material, { isStrands, hasColors, hasNormals, hasTangents }: MaterialTraits): ThreeMaterial {
  const { name, color, emissive, alphaMode, alphaCutoff } = source;
  const made = isStrands
    ? new LineBasicMaterial()
    : source.model === 'unlit'
      ? new MeshBasicMaterial()
      : source.slots.some(({ slot }) => slot === 'specularColor' || slot === 'specular')
        ? new MeshPhysicalMaterial()
        : new MeshStandardMaterial();
  made.name = name;
  made.color.setRGB(color[0], color[1], color[2]);
  if (made instanceof MeshStandardMaterial) {
    // A factor of a texture that may never come: neither a glow nor a black metal without it.
    made.emissive.setRGB(...(hasTexture(source, 'emissive') ? NOTHING : emissive));
    made.metalness = hasTexture(source, 'metallic') ? 0 : source.metalness;
    made.emissiveIntensity = colorOf(source, 'emissiveStrength')?.[0] ?? 1;
    made.roughness = source.roughness;
    made.flatShading = !hasNormals;
  }
  if (made instanceof MeshPhysicalMaterial) {
    const specularColor = colorOf(source, 'specularColor');
    if (specularColor) {
      made.specularColor.setRGB(specularColor[0], specularColor[1], specularColor[2]);
      made.ior = MIRROR;
    }
    made.specularIntensity = colorOf(source, 'specular')?.[0] ?? 1;
  }
  made.opacity = color[3];
  made.vertexColors = hasColors;
  made.side = SIDES[source.side];
  made.visible = source.visible;
  if (alphaMode === 'opaque') made.opacity = 1;
  applyAlphaMode(made, alphaMode, alphaCutoff);
  made.userData = { name, renderOrder: source.renderOrder, slots: source.slots, hasTangents, emissive };
  if (source.properties) made.userData['properties'] = source.properties;
  return made;
}

/** What a sidecar says about a material beyond its textures. */
export function overrideMaterial(material: ThreeMaterial, { twoSided, blend, alphaCutoff }: Sidecar): void {
  if (twoSided) material.side = DoubleSide;
  if (blend) applyAlphaMode(material, blend, alphaCutoff ?? (material.alphaTest || 1 / 3));
  material.needsUpdate = true;
}

function applyAlphaMode(material: ThreeMaterial, mode: Material['alphaMode'], cutoff: number): void {
  const isBlended = mode !== 'opaque' && mode !== 'mask';
  material.alphaTest = mode === 'mask' ? cutoff : 0;
  material.transparent = isBlended;
  material.depthWrite = !isBlended;
  material.blending = BLENDINGS[mode] ?? NormalBlending;
  material.premultipliedAlpha = mode === 'multiply'; // three asks this of multiply blending
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

const TEXTURE_SLOTS = new Set([...Object.keys(PACKINGS), 'baseColor', 'opacity', 'normal', 'emissive', 'emissiveMask', 'specularColor', 'specular']);
const COLOR_SLOTS = new Set(['baseColor', 'emissive', 'emissiveStrength', 'metallic', 'roughness', 'gloss', 'specularColor', 'specular']);

/** Whether a texture in that slot can be drawn at all. */
export function isDrawnSlot(slot: string): boolean {
  return TEXTURE_SLOTS.has(slot);
}

/** Slots whose texture holds colour. */
export function isColorSlot(slot: string): boolean {
  return slot === 'baseColor' || slot === 'emissive' || slot === 'specularColor';
}

/**
 * Puts a texture where the slot says; false where three's material has no such place. `directX`: the green channel of normals points down
 * (Unreal).
 */
export function assignTexture(material: ThreeMaterial, slot: string, texture: Texture, { directX = false } = {}): boolean {
  if (isColorSlot(slot)) texture.colorSpace = SRGBColorSpace;
  material.needsUpdate = true;
  if (slot === 'baseColor') {
    if (material instanceof LineBasicMaterial) return tint(material, texture); // strands have no texture coordinates
    if (!('map' in material)) return false;
    (material as MeshStandardMaterial).map = texture;
    if (material.userData['isGrey']) (material as MeshStandardMaterial).color.multiplyScalar(1 / GREY);
    delete material.userData['isGrey'];
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
    material.normalScale.y = isDown ? -1 : 1;
    return true;
  }
  if (slot === 'emissive') {
    material.emissiveMap = texture;
    const [r, g, b] = (material.userData['emissive'] as Material['emissive'] | undefined) ?? NOTHING;
    if (r + g + b > 0) material.emissive.setRGB(r, g, b);
    else material.emissive.setRGB(1, 1, 1);
    return true;
  }
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

/** Colours a material as the texture is on the whole. */
function tint(material: LineBasicMaterial, texture: Texture): boolean {
  const color = averageColor(texture);
  if (color) material.color.multiply(color);
  return !!color;
}

/** Linear; null where the pixels cannot be read (compressed ones). */
function averageColor({ image }: Texture): Color | null {
  const { data } = image as { data?: unknown };
  const pixels = data instanceof Uint8Array || data instanceof Uint8ClampedArray ? data : pixelsOf(image);
  if (!pixels || pixels.length < 4) return null;
  const sum = new Color(0, 0, 0), one = new Color();
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
      const chunk = ShaderChunk.lights_physical_fragment.replace('vSpecularIntensityMapUv ).a', 'vSpecularIntensityMapUv ).r');
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
      shader.fragmentShader = replaceChunk(replaceChunk(shader.fragmentShader, 'emissivemap_fragment', masked), 'emissivemap_pars_fragment', pars);
    },
  });
}

function whitePixel(): Texture {
  const texture = new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
  texture.needsUpdate = true;
  return texture;
}

interface ChannelPatch extends Packing {
  invert?: boolean;
}

/** Teaches a material to read other channels than three's (occlusion r, roughness g, metalness b), and gloss as one minus roughness. */
function patchChannels(material: MeshStandardMaterial, more: ChannelPatch): void {
  const before = material.userData['channels'] as ChannelPatch | undefined;
  const patch: ChannelPatch = { occlusion: 'r', roughness: 'g', metalness: 'b', ...before, ...more };
  if (!before && isStandard(patch)) return;
  material.userData['channels'] = patch;
  patchShader(material, 'channels', {
    key: JSON.stringify(patch),
    apply: shader => {
      const roughness = `texelRoughness.${patch.roughness}`;
      const chunks = {
        roughnessmap_fragment: ['texelRoughness.g', patch.invert ? `( 1.0 - ${roughness} )` : roughness],
        metalnessmap_fragment: ['texelMetalness.b', `texelMetalness.${patch.metalness}`],
        aomap_fragment: ['vAoMapUv ).r', `vAoMapUv ).${patch.occlusion}`],
      } as const;
      for (const [name, [from, to]] of Object.entries(chunks) as [keyof typeof chunks, readonly [string, string]][]) {
        shader.fragmentShader = replaceChunk(shader.fragmentShader, name, ShaderChunk[name].replace(from, to));
      }
    },
  });
}

function isStandard({ occlusion, roughness, metalness, invert }: ChannelPatch): boolean {
  return occlusion === 'r' && roughness === 'g' && metalness === 'b' && !invert;
}
