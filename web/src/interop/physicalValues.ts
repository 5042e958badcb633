// Reads the values of MeshPhysicalMaterial that materials of scenes do not have. GLTFLoader creates
// this material for the extensions KHR_materials_clearcoat, ior, sheen, transmission and others.
import { Color, type Material, MeshPhysicalMaterial, Vector2 } from 'three';
import type { Properties, PropertyValue } from '../core/types.ts';

/** Names in three.js. */
const VALUES = [
  'ior',
  'specularIntensity',
  'specularColor',
  'clearcoat',
  'clearcoatRoughness',
  'clearcoatNormalScale',
  'sheenColor',
  'sheenRoughness',
  'transmission',
  'thickness',
  'attenuationDistance',
  'attenuationColor',
  'iridescence',
  'iridescenceIOR',
  'anisotropy',
  'anisotropyRotation',
  'dispersion',
] as const satisfies readonly (keyof MeshPhysicalMaterial)[];

const PLAIN = new MeshPhysicalMaterial();

/** Returns the thickness of a thin film in nanometres. Older releases of three.js store it as a range. */
function thicknessOf(material: MeshPhysicalMaterial): Properties {
  const [minimum, maximum] =
    'iridescenceThicknessMinimum' in material
      ? [material.iridescenceThicknessMinimum, material.iridescenceThicknessMaximum]
      : (material as { iridescenceThicknessRange: [number, number] }).iridescenceThicknessRange;
  return { iridescenceThicknessMinimum: minimum, iridescenceThicknessMaximum: maximum };
}

/** Returns a number, or the numbers of a colour or vector; null for an infinite number. */
function valueOf(value: number | number[] | Color | Vector2): PropertyValue {
  if (value instanceof Color) return [value.r, value.g, value.b];
  if (value instanceof Vector2) return [value.x, value.y];
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}

/**
 * Returns the values of a MeshPhysicalMaterial that differ from the default, by their names in
 * three.js; null for other materials.
 */
export function physicalValues(material: Material): Properties | null {
  if (!('isMeshPhysicalMaterial' in material)) return null;
  const values = VALUES.map(name => [name, valueOf((material as MeshPhysicalMaterial)[name])] as const);
  const changed = values.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(valueOf(PLAIN[name])));
  return {
    ...Object.fromEntries(changed),
    ...((material as MeshPhysicalMaterial).iridescence > 0 && thicknessOf(material as MeshPhysicalMaterial)),
  };
}
