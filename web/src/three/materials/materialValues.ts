// Applies material values (textures/materialValues.ts) to three.js materials, and restores the
// original state.
import { type Color, DoubleSide, FrontSide, type Material, MeshBasicMaterial, MeshStandardMaterial, SRGBColorSpace, Texture } from 'three';
import { linearColor, type MaterialValueName, type MaterialValues } from '../../textures/materialValues.ts';
import { endGrey } from './grey.ts';
import { applyAlphaMode, BLENDING } from './materials.ts';
import { isToonMaterial } from './toonMaterial.ts';

/** Properties of three.js materials that values can change, except colours and textures. */
const CHANGED = ['opacity', 'metalness', 'roughness', 'alphaTest', 'side', ...BLENDING] as const;

type Changed = Partial<Record<(typeof CHANGED)[number], unknown>>;

/** State of a material without values. */
interface Original {
  properties: Changed;
  color: Color | null;
  grey: unknown;
  /** Textures by property, if the values change the UV set. */
  textures: readonly (readonly [property: string, texture: Texture])[];
}

const originals = new WeakMap<Material, Original>();
/** Materials that are drawn in place of others. */
const replacements = new WeakMap<Material, Set<Material>>();
/** Copies of textures that use another UV set, by UV set. */
const copies = new WeakMap<Texture, Map<number, Texture>>();
const DEFAULT_CUTOFF = 0.5;

/**
 * Registers a material that is drawn in place of another, because it comes from a loader of
 * three.js. Values are applied to this material.
 */
export function setReplacement(material: Material, drawn: Material): void {
  const all = replacements.get(material) ?? new Set();
  replacements.set(material, all.add(drawn));
}

/** Returns the materials that are drawn for a material. */
export const drawnFor = (material: Material): readonly Material[] => [...(replacements.get(material) ?? [material])];

/** Restores the state of a material without values. */
export function removeValues(material: Material): void {
  const original = originals.get(material);
  if (!original) return;
  originals.delete(material);
  Object.assign(material, original.properties);
  if (original.color) (material as MeshStandardMaterial).color.copy(original.color);
  if (original.grey !== undefined) material.userData['grey'] = original.grey;
  for (const [property, texture] of original.textures) Object.assign(material, { [property]: texture });
  update(material);
}

/**
 * Applies values to a material. Values that were applied before are removed first. Returns the
 * textures that were copied, because they use another UV set.
 */
export function applyValues(material: Material, values: MaterialValues | null): readonly Texture[] {
  removeValues(material);
  if (!values) return [];
  const { color, opacity, metallic, roughness, alphaMode, alphaCutoff, uvSet, doubleSided } = values;
  const properties: Changed = {};
  for (const name of CHANGED) if (name in material) properties[name] = (material as unknown as Changed)[name];
  const isColored = 'color' in material;
  const textures = uvSet === undefined ? [] : texturesOf(material).filter(([, { channel }]) => channel !== uvSet);
  originals.set(material, {
    properties,
    color: isColored ? (material as MeshStandardMaterial).color.clone() : null,
    grey: material.userData['grey'],
    textures,
  });
  if (color !== undefined && isColored) {
    endGrey(material);
    (material as MeshStandardMaterial).color.setRGB(...linearColor(color));
  }
  if (alphaMode !== undefined) applyAlphaMode(material, alphaMode, alphaCutoff ?? (material.alphaTest || DEFAULT_CUTOFF));
  else if (alphaCutoff !== undefined && material.alphaTest > 0) material.alphaTest = alphaCutoff;
  if (opacity !== undefined) material.opacity = opacity;
  if (material instanceof MeshStandardMaterial) {
    material.metalness = metallic ?? material.metalness;
    material.roughness = roughness ?? material.roughness;
  }
  if (doubleSided !== undefined) material.side = doubleSided ? DoubleSide : FrontSide;
  const copied = textures.map(([property, texture]) => {
    const copy = copyOf(texture, uvSet!);
    Object.assign(material, { [property]: copy });
    return copy;
  });
  update(material);
  return copied;
}

/** Returns the current values of a material. Values that it does not have are left out. */
export function valuesIn(material: Material): MaterialValues {
  const { alphaTest, transparent, opacity, side } = material;
  const [, texture] = texturesOf(material)[0] ?? [];
  return {
    ...('color' in material && { color: `#${(material as MeshStandardMaterial).color.getHexString(SRGBColorSpace)}` }),
    opacity,
    ...(material instanceof MeshStandardMaterial && { metallic: material.metalness, roughness: material.roughness }),
    alphaMode: alphaTest > 0 ? 'mask' : transparent ? 'blend' : 'opaque',
    alphaCutoff: alphaTest || DEFAULT_CUTOFF,
    ...(texture && { uvSet: texture.channel }),
    doubleSided: side === DoubleSide,
  } satisfies { [Name in MaterialValueName]?: MaterialValues[Name] };
}

/** Returns the textures whose UV set can be changed, with their properties. */
function texturesOf(material: Material): [property: string, texture: Texture][] {
  if (!(material instanceof MeshStandardMaterial || material instanceof MeshBasicMaterial)) return [];
  return Object.entries(material).filter((entry): entry is [string, Texture] => entry[1] instanceof Texture && entry[0] !== 'envMap');
}

function copyOf(texture: Texture, uvSet: number): Texture {
  const known = copies.get(texture) ?? new Map<number, Texture>();
  copies.set(texture, known);
  const found = known.get(uvSet);
  if (found) return found;
  const copy = texture.clone();
  copy.channel = uvSet;
  copy.needsUpdate = true;
  known.set(uvSet, copy);
  return copy;
}

function update(material: Material): void {
  material.needsUpdate = true;
  if (isToonMaterial(material)) material.update(0); // copies opacity and other values to the uniforms
}
