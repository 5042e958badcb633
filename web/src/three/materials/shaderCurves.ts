// Animates material properties by their names in Unity's shaders (docs/formats/vgo.md, section
// 5.10): `_Color.r`, `_MainTex_ST.x`, `_Cutoff`. Unity animates a renderer, not a shared material,
// so meshes with such curves have their own materials (build.ts). This module is imported only for
// files with Unity materials (modules.ts).
import { type Material as ThreeMaterial, MeshPhysicalMaterial, MeshStandardMaterial, Texture, type Vector2 } from 'three';
import { member } from '../../core/properties.ts';
import type { Material, Properties, RigScene } from '../../core/types.ts';
import { propertyKey } from '../names.ts';
import { ShaderValues } from './shaderValues.ts';
import type { ToonMaterial } from './toon.ts';
import { isToonMaterial } from './toonMaterial.ts';
import type { toonValues } from './toonValues.ts';

/**
 * Function that converts a toon material to MToon values; undefined for rigs without toon
 * materials.
 */
type ToonValuesOf = typeof toonValues | undefined;

/** Identifies one animated number among the shader properties of a Unity material. */
interface Place {
  map: 'colorProperties' | 'vectorProperties' | 'floatProperties';
  name: string;
  component: number;
  /**
   * Name of the texture whose scale and offset are animated (`_MainTex_ST`); empty for other
   * properties.
   */
  texture: string;
}

const PROPERTY = /^(_\w+?)(_ST)?(?:\.([rgbaxyzw]))?$/;

function placeOf(property: string): Place | null {
  const [matched, name = '', placing, letter] = PROPERTY.exec(property) ?? [];
  if (matched === undefined || (placing && !letter)) return null;
  const component = letter ? Math.max('rgba'.indexOf(letter), 'xyzw'.indexOf(letter)) : 0;
  if (placing) return { map: 'vectorProperties', name: name + placing, component, texture: name };
  return { map: letter ? 'colorProperties' : 'floatProperties', name, component, texture: '' };
}

type Bag = Record<string, number[] | number | undefined>;

/** A copy of a scene material, so that animation can change its numbers. */
class Changed {
  readonly source: Material;
  readonly #original: Material;

  constructor(original: Material) {
    this.#original = original;
    const properties = original.properties ?? {};
    const copyOf = (map: string): Properties => ({ ...(member(properties, map) as Properties | undefined) });
    this.source = {
      ...original,
      properties: {
        ...properties,
        colorProperties: copyOf('colorProperties'),
        vectorProperties: copyOf('vectorProperties'),
        floatProperties: copyOf('floatProperties'),
      },
    };
  }

  get(place: Place): number {
    const value = this.#bag(place)[place.name] ?? this.#otherwise(place);
    return Array.isArray(value) ? (value[place.component] ?? 0) : value;
  }

  set(place: Place, value: number): void {
    const bag = this.#bag(place);
    const old = bag[place.name] ?? this.#otherwise(place);
    bag[place.name] = Array.isArray(old) ? old.with(place.component, value) : value;
  }

  #bag({ map }: Place): Bag {
    return this.source.properties![map] as Bag;
  }

  #otherwise({ map, name, texture }: Place): number[] | number {
    if (map === 'floatProperties') return new ShaderValues(this.#original).number(name, 0);
    if (!texture) return [1, 1, 1, 1];
    const pair = (list: string, one: number): number[] => {
      const value = member(member(this.#original.properties, list), texture);
      return [0, 1].map(i => (Array.isArray(value) && typeof value[i] === 'number' ? value[i] : one));
    };
    return [...pair('textureScaleProperties', 1), ...pair('textureOffsetProperties', 0)];
  }
}

/**
 * Names of the shader properties for the base color, the emission and the base texture, in order of
 * preference.
 */
const BASE_COLORS = ['_BaseColor', '_Color', '_TintColor'];
const EMISSIONS = ['_EmissiveColor', '_EmissionColor'];
const BASE_TEXTURES = ['_BaseColorMap', '_BaseMap', '_MainTex'];

const firstIn = (names: readonly string[], source: Material): string =>
  names.find(name => member(member(source.properties, 'colorProperties'), name) !== undefined) ?? names[1]!;

/** Functions that set the three.js equivalent of a shader property, by name of the property. */
const NUMBERS: Record<string, (material: MeshStandardMaterial, value: number) => void> = {
  _Metallic: (material, value) => void (material.metalnessMap || (material.metalness = value)),
  _Glossiness: smooth,
  _Smoothness: smooth,
  _BumpScale: bump,
  _NormalScale: bump,
  _OcclusionStrength: (material, value) => void (material.aoMapIntensity = value),
};

function smooth(material: MeshStandardMaterial, value: number): void {
  if (!material.roughnessMap) material.roughness = Math.min(Math.max(1 - value, 0), 1);
}

function bump({ normalScale }: MeshStandardMaterial, value: number): void {
  normalScale.set(value, normalScale.y < 0 ? -value : value);
}

const CUTOFFS = ['_Cutoff', '_AlphaCutoff'];

/**
 * Returns true if changing the animated shader property changes how the three.js material is drawn.
 */
function isShown(place: Place, source: Material, material: ThreeMaterial, valuesOf: ToonValuesOf): boolean {
  const { map, name, texture } = place;
  if (texture) return source.slots.some(slot => slot.source === texture && slot.texture !== undefined);
  if (map === 'floatProperties' && CUTOFFS.includes(name)) return source.alphaMode === 'mask';
  if (map === 'colorProperties' && name === firstIn(BASE_COLORS, source)) return true;
  const isLit = material instanceof MeshStandardMaterial || isToonMaterial(material);
  if (map === 'colorProperties' && name === firstIn(EMISSIONS, source)) {
    const values = new ShaderValues(source); // HDRP's emission is in nits, and exposure isn't applied here
    return isLit && values.keyword('_EMISSION') !== false && !values.shader.startsWith('HDRP/');
  }
  if (isToonMaterial(material)) {
    const results = [0.25, 0.75].map(value => {
      const changed = new Changed(source);
      changed.set(place, value);
      return JSON.stringify(valuesOf?.(changed.source));
    });
    return results[0] !== results[1];
  }
  if (map === 'colorProperties') return name === '_SpecColor' && material instanceof MeshPhysicalMaterial;
  return material instanceof MeshStandardMaterial && Object.hasOwn(NUMBERS, name);
}

/**
 * The three.js materials of a mesh that were built from one scene material, including the outline,
 * with animated values.
 */
class Driven {
  readonly changed: Changed;
  readonly #materials: ThreeMaterial[];
  readonly #placed = new Map<ThreeMaterial, Map<string, Texture>>();
  readonly #valuesOf: ToonValuesOf;

  constructor(source: Material, materials: ThreeMaterial[], valuesOf: ToonValuesOf) {
    this.changed = new Changed(source);
    this.#materials = materials;
    this.#valuesOf = valuesOf;
  }

  shows(place: Place): boolean {
    return isShown(place, this.changed.source, this.#materials[0]!, this.#valuesOf);
  }

  set(place: Place, value: number): void {
    this.changed.set(place, value);
    const { source } = this.changed;
    for (const material of this.#materials) {
      if (place.texture) this.#move(material, place);
      else if (place.map === 'colorProperties') this.#color(material as MeshStandardMaterial, place.name);
      else if (CUTOFFS.includes(place.name))
        material.alphaTest = Math.max(value, 1e-6); // a value of 0 would require another shader program
      else if (material instanceof MeshStandardMaterial) NUMBERS[place.name]?.(material, value);
      if (isToonMaterial(material) && this.#valuesOf) applyToon(material, this.#valuesOf(source));
    }
  }

  #color(material: MeshStandardMaterial, name: string): void {
    const { source } = this.changed;
    const [r, g, b, a = 1] = member(member(source.properties, 'colorProperties'), name) as [number, number, number, number?];
    if (name === firstIn(BASE_COLORS, source)) {
      material.color.setRGB(r, g, b);
      if (source.alphaMode !== 'opaque') material.opacity = a;
    } else if (name === firstIn(EMISSIONS, source)) {
      material.userData['emissive'] = [r, g, b];
      const waits = source.slots.some(({ slot, texture }) => slot === 'emissive' && texture !== undefined) && !material.emissiveMap;
      if ('emissive' in material && !waits) material.emissive.setRGB(r, g, b);
    } else if (name === '_SpecColor' && material instanceof MeshPhysicalMaterial) {
      material.specularColor.setRGB(r, g, b);
    }
  }

  /**
   * Applies the scale and offset of the base texture to all textures that share them, as in Unity.
   * Textures are cloned first, so that other meshes don't change.
   */
  #move(material: ThreeMaterial, { name, texture: source }: Place): void {
    const [scaleX = 1, scaleY = 1, offsetX = 0, offsetY = 0] = member(
      member(this.changed.source.properties, 'vectorProperties'),
      name,
    ) as number[];
    const base = (material as MeshStandardMaterial).map;
    if (!BASE_TEXTURES.includes(source) || !base) return;
    let own = this.#placed.get(material);
    if (!own) {
      this.#placed.set(material, (own = new Map()));
      for (const [key, map] of Object.entries(textureMembers(material))) {
        if (!isSame(map.repeat, base.repeat) || !isSame(map.offset, base.offset)) continue;
        const copy = map.clone();
        own.set(key, copy);
        Object.assign(material, { [key]: copy });
        material.addEventListener('dispose', () => copy.dispose());
      }
    }
    for (const map of own.values()) {
      map.repeat.set(scaleX, scaleY);
      map.offset.set(offsetX, 1 - offsetY - scaleY); // the origin of textures is at the bottom in Unity
    }
  }
}

const isSame = (a: Vector2, b: Vector2): boolean => a.x === b.x && a.y === b.y;

/**
 * Returns the textures of a material by property name, including properties of toon materials that
 * are accessors.
 */
function textureMembers(material: ThreeMaterial): Record<string, Texture> {
  const names = new Set([...Object.keys(material), ...Object.getOwnPropertyNames(Object.getPrototypeOf(material))]);
  return Object.fromEntries(
    [...names].flatMap(name => {
      const value = name === 'uniforms' ? null : (material as unknown as Record<string, unknown>)[name];
      return value instanceof Texture && value.image !== null ? [[name, value]] : [];
    }),
  );
}

function applyToon(material: ToonMaterial, all: ReturnType<typeof toonValues>): void {
  const { redMasks: _, shadeFromBase: __, bumpScale, v0CompatShade: ___, outlineWidthMode: ____, ...values } = all;
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) (material as unknown as Record<string, { setRGB(...rgb: number[]): void }>)[name]!.setRGB(...value);
    else Object.assign(material, { [name]: value });
  }
  const { normalScale } = material;
  normalScale.set(bumpScale, normalScale.y < 0 ? -bumpScale : bumpScale);
  material.update(0);
}

/**
 * Value of the `shader` property of a mesh. It has one property for each animated number, which
 * tracks refer to.
 */
export class ShaderCurves {
  readonly #driven: Driven[];
  readonly #keys = new Map<string, string | null>();

  /** `materials` contains the three.js materials of the mesh by index in `scene.materials`. */
  constructor(scene: RigScene, materials: ReadonlyMap<number, ThreeMaterial[]>, valuesOf?: ToonValuesOf) {
    this.#driven = [...materials].flatMap(([row, made]) =>
      scene.materials[row] ? [new Driven(scene.materials[row], made, valuesOf)] : [],
    );
  }

  /**
   * Returns the key of a shader property in this object, or null if no material draws the property.
   */
  key(property: string): string | null {
    const known = this.#keys.get(property);
    if (known !== undefined) return known;
    const key = this.#define(property);
    this.#keys.set(property, key);
    return key;
  }

  /**
   * Returns the current value of a shader property; undefined if no material draws the property.
   */
  read(property: string): number | undefined {
    const key = this.key(property);
    return key === null ? undefined : (this as unknown as Record<string, number>)[key];
  }

  write(property: string, value: number): void {
    const key = this.key(property);
    if (key !== null) (this as unknown as Record<string, number>)[key] = value;
  }

  #define(property: string): string | null {
    const place = placeOf(property);
    const driven = place ? this.#driven.filter(each => each.shows(place)) : [];
    if (!place || !driven.length) return null;
    const key = propertyKey(property);
    Object.defineProperty(this, key, {
      get: () => driven[0]!.changed.get(place),
      set: (value: number) => driven.forEach(each => each.set(place, value)),
      configurable: true,
      enumerable: true,
    });
    return key;
  }
}
