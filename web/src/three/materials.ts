// The scene's materials as three's. Textures come later (textures.ts) and are put into the slots here.
import {
  AdditiveBlending,
  BackSide,
  type Blending,
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
import type { Material, RigScene } from '../core/types.ts';
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

export function buildMaterial(source: Material, { isStrands, hasColors, hasNormals, hasTangents }: MaterialTraits): ThreeMaterial {
  const { name, color, emissive, alphaMode, alphaCutoff } = source;
  const made = isStrands
    ? new LineBasicMaterial()
    : source.model === 'unlit'
      ? new MeshBasicMaterial()
      : source.model === 'specular'
        ? new MeshPhysicalMaterial()
        : new MeshStandardMaterial();
  made.name = name;
  made.color.setRGB(color[0], color[1], color[2]);
  if (made instanceof MeshStandardMaterial) {
    made.emissive.setRGB(...emissive);
    made.metalness = source.metalness;
    made.roughness = source.roughness;
    made.flatShading = !hasNormals;
  }
  if (made instanceof MeshPhysicalMaterial) {
    const specular = source.slots.find(slot => slot.slot === 'specularColor' || slot.slot === 'specular')?.color;
    if (specular) made.specularColor.setRGB(specular[0], specular[1], specular[2]);
  }
  made.opacity = color[3];
  made.vertexColors = hasColors;
  made.side = SIDES[source.side];
  made.visible = source.visible;
  if (alphaMode === 'opaque') made.opacity = 1;
  applyAlphaMode(made, alphaMode, alphaCutoff);
  made.userData = { name, renderOrder: source.renderOrder, slots: source.slots, hasTangents };
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
    if (material.emissive.getHex() === 0) material.emissive.setRGB(1, 1, 1);
    return true;
  }
  if (slot === 'specularColor' || slot === 'specular') {
    if (!(material instanceof MeshPhysicalMaterial)) return false;
    if (slot === 'specularColor') material.specularColorMap = texture;
    else material.specularIntensityMap = texture;
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
