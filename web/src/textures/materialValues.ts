// Values of materials that replace those of the model file: colour, opacity, metallic, roughness,
// alpha mode, UV set and visible sides. They are stored in a file NAME.materials.json beside the
// model. docs/materials.md describes the format.
import { RigcastError } from '../core/error.ts';
import type { Material } from '../core/types.ts';

const ALPHA_MODES = ['opaque', 'mask', 'blend'] as const;

/** Values that replace those of a material. A value that is missing stays as in the model file. */
export interface MaterialValues {
  /** Base colour in sRGB, such as `#c08040`. Multiplies the base colour texture. */
  color?: string;
  /** Opacity from 0 to 1. It is visible if the alpha mode is `mask` or `blend`. */
  opacity?: number;
  /** Metallic from 0 to 1. Multiplies the metallic texture. */
  metallic?: number;
  /** Roughness from 0 to 1. Multiplies the roughness texture. */
  roughness?: number;
  alphaMode?: (typeof ALPHA_MODES)[number];
  /** Smallest alpha that is drawn, from 0 to 1, if the alpha mode is `mask`. */
  alphaCutoff?: number;
  /** Index of the UV set of all textures, from 0 to 3. */
  uvSet?: number;
  /** True if both sides of faces are drawn, false if only front faces are drawn. */
  doubleSided?: boolean;
}

/** Values of all materials with the name `material`. */
export interface NamedMaterialValues extends MaterialValues {
  material: string;
}

export type MaterialValueName = keyof MaterialValues;

const VERSION = 1;
/** Ending of the names of files with material values. */
export const VALUES_ENDING = '.materials.json';
/** Maximum number of materials in a file. */
const MAX_MATERIALS = 10_000;
/** Maximum number of UV sets that three.js can draw. */
export const MAX_UV_SETS = 4;

const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

/** Functions that check a value, and the texts that describe valid values. */
const CHECKS: Record<MaterialValueName, [isValid: (value: unknown) => boolean, expected: string]> = {
  color: [value => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value), 'a colour such as "#c08040"'],
  opacity: [isShare, 'a number from 0 to 1'],
  metallic: [isShare, 'a number from 0 to 1'],
  roughness: [isShare, 'a number from 0 to 1'],
  alphaMode: [value => ALPHA_MODES.some(mode => mode === value), '"opaque", "mask" or "blend"'],
  alphaCutoff: [isShare, 'a number from 0 to 1'],
  uvSet: [value => Number.isInteger(value) && Number(value) >= 0 && Number(value) < MAX_UV_SETS, 'a whole number from 0 to 3'],
  doubleSided: [value => typeof value === 'boolean', 'true or false'],
};

/** Names of all values, in the order in which they are written. */
export const VALUE_NAMES = Object.keys(CHECKS) as readonly MaterialValueName[];

const invalid = (message: string): RigcastError =>
  new RigcastError('MATERIAL_VALUES_INVALID', `The material values are invalid: ${message}`);

/**
 * Reads material values from JSON text: `{"materialValues": 1, "materials": [{"material": "Body", "roughness": 0.4}]}`.
 * Throws a RigcastError with the code MATERIAL_VALUES_INVALID if the text is not such a file.
 */
export function readMaterialValues(text: string): readonly NamedMaterialValues[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('they are not JSON.');
  }
  const { materialValues: version, materials } = (value ?? {}) as Record<string, unknown>;
  if (version !== VERSION) throw invalid(`"materialValues" must be ${VERSION}.`);
  if (!Array.isArray(materials)) throw invalid('"materials" must be a list.');
  if (materials.length > MAX_MATERIALS) throw invalid(`the list has more than ${MAX_MATERIALS} materials.`);
  const names = new Set<string>();
  return materials.map((each: unknown, at) => {
    const { material } = (each ?? {}) as Record<string, unknown>;
    if (typeof material !== 'string') throw invalid(`entry ${at} must have the name of its "material".`);
    if (names.has(material)) throw invalid(`the material ${JSON.stringify(material)} is listed twice.`);
    names.add(material);
    return { material, ...checkedValues(each as Record<string, unknown>, material) };
  });
}

/** Returns the values in an object, without other members. Throws if one of them is invalid. */
function checkedValues(from: Record<string, unknown>, material: string): MaterialValues {
  const values: Record<string, unknown> = {};
  for (const name of VALUE_NAMES) {
    if (!Object.hasOwn(from, name)) continue;
    const [isValid, expected] = CHECKS[name];
    if (!isValid(from[name])) throw invalid(`"${name}" of the material ${JSON.stringify(material)} must be ${expected}.`);
    values[name] = from[name];
  }
  return values;
}

/** Returns true if an object from storage contains valid material values. */
export function isNamedMaterialValues(value: unknown): value is NamedMaterialValues {
  const { material, ...values } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof material === 'string' &&
    Object.entries(values).every(([name, each]) => Object.hasOwn(CHECKS, name) && CHECKS[name as MaterialValueName][0](each))
  );
}

/** Returns the JSON text of material values, one material per line. */
export function writeMaterialValues(all: readonly NamedMaterialValues[]): string {
  const lines = all.map(each => {
    const values = VALUE_NAMES.flatMap(name => (each[name] === undefined ? [] : [[name, each[name]] as const]));
    return `    ${JSON.stringify({ material: each.material, ...Object.fromEntries(values) })}`;
  });
  return `{\n  "materialValues": ${VERSION},\n  "materials": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** Returns the name of the file with the material values of a model file. */
export const valuesFileOf = (model: string): string => `${model.replace(/^.*[/\\]/s, '').replace(/\.[^.]*$/, '')}${VALUES_ENDING}`;

/** Returns the values of a material; null if there are none. */
export function valuesOf(all: readonly NamedMaterialValues[], name: string): MaterialValues | null {
  const found = all.find(({ material }) => material === name);
  if (!found) return null;
  const { material: _, ...values } = found;
  return Object.keys(values).length > 0 ? values : null;
}

/** Returns the list after a value of a material was set; `value`: undefined removes it. */
export function withValue<Name extends MaterialValueName>(
  all: readonly NamedMaterialValues[],
  material: string,
  name: Name,
  value: MaterialValues[Name] | undefined,
): readonly NamedMaterialValues[] {
  const changed: NamedMaterialValues = { ...all.find(each => each.material === material), material };
  if (value === undefined) delete changed[name];
  else Object.assign(changed, { [name]: value });
  const rest = all.filter(each => each.material !== material);
  return Object.keys(changed).length > 1 ? [...rest, changed] : rest;
}

/** Returns a material of a scene with these values, as far as its fields can contain them. */
export function withMaterialValues(material: Material, values: MaterialValues): Material {
  const { color, opacity, metallic, roughness, alphaMode, alphaCutoff, doubleSided } = values;
  const [r, g, b] = color === undefined ? material.color : linearColor(color);
  return {
    ...material,
    color: [r, g, b, opacity ?? material.color[3]],
    ...(metallic !== undefined && { metalness: metallic }),
    ...(roughness !== undefined && { roughness }),
    ...(alphaMode !== undefined && { alphaMode }),
    ...(alphaCutoff !== undefined && { alphaCutoff }),
    ...(doubleSided !== undefined && { side: doubleSided ? 'both' : 'front' }),
  };
}

/** Converts a colour such as `#c08040` from sRGB to linear values. */
export const linearColor = (color: string): [number, number, number] => {
  const linear = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [linear(1), linear(3), linear(5)];
};
