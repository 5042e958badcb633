// Reads the material files that Unreal exporters write next to a model: .mat and .props.txt files
// of UE Viewer, and material JSON of FModel and CUE4Parse. Imported when the first such file is
// found.
import { slotBySuffix, type SlotNames, stemOf } from './names.ts';
import { packingOf } from './slots.ts';

export interface Sidecar {
  textures: SlotNames;
  /**
   * Textures that may be unused defaults of a master material. They are used if they exist, but not
   * reported if they are missing.
   */
  optional?: SlotNames;
  /** True if none of the listed textures contains colour. */
  isColorless?: boolean;
  /** Base colour in linear RGB, if there is no colour texture. */
  color?: readonly [number, number, number];
  /** Roughness and metalness, if no texture contains them. */
  roughness?: number;
  metalness?: number;
  /** Opacity of a material that is blended, if there is no opacity texture. */
  opacity?: number;
  twoSided?: boolean;
  blend?: 'opaque' | 'mask' | 'blend' | 'add' | 'multiply';
  alphaCutoff?: number;
}

/** Slots by key in .mat files of UE Viewer. */
const MAT_SLOTS: Record<string, string> = {
  diffuse: 'baseColor',
  normal: 'normal',
  specular: 'specularColor',
  specpower: 'gloss',
  opacity: 'opacity',
  emissive: 'emissive',
  mask: 'mask',
  pbr: 'pbr',
};

/**
 * Patterns for common names of material parameters, and the slots that they indicate. The first
 * match applies.
 */
const PARAMETER_SLOTS: readonly [RegExp, string][] = [
  [/normal|^nrm|bump/, 'normal'],
  [/emissi|glow|illum/, 'emissive'],
  [/specular ?masks|^pm_specularmasks/, 'specularMasks'],
  [/\borm\b|occlusion.?rough.?metal/, 'orm'],
  [/\bmro\b/, 'mro'],
  [/\brma\b/, 'rma'],
  [/diffuse|albedo|base.?colou?r|colou?r.?map|^colou?r$|base.?texture/, 'baseColor'],
  [/rough/, 'roughness'],
  [/metal/, 'metallic'],
  [/ambient.?occlusion|^ao$|occlusion/, 'occlusion'],
  [/opacity|alpha/, 'opacity'],
  [/spec/, 'specularColor'],
  [/mask|packed/, 'mask'],
];

/**
 * Returns the object name in an Unreal reference: `T_Body_D` for `/Game/Body/T_Body_D.T_Body_D`,
 * `Texture2D'Package.Group.T_Body_D'` and `T_Body_D`.
 */
export function objectName(reference: string): string {
  const quoted = /'([^']*)'/.exec(reference)?.[1];
  const last = (quoted ?? reference)
    .trim()
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.\d+$/, '');
  if (quoted !== undefined) return last.slice(last.lastIndexOf('.') + 1);
  const half = (last.length - 1) / 2;
  const isTwice = last[half] === '.' && last.slice(0, half).toLowerCase() === last.slice(half + 1).toLowerCase();
  return isTwice ? last.slice(0, half) : last;
}

function slotByParameter(parameter: string, texture: string): string | undefined {
  const slot = PARAMETER_SLOTS.find(([pattern]) => pattern.test(parameter.toLowerCase()))?.[1];
  return slot === undefined || slot === 'mask' ? (packedSlot(texture) ?? slot) : slot;
}

/**
 * Returns the slot that the suffix of a texture name indicates, or undefined if it is `baseColor`
 * or `normal`.
 */
function packedSlot(texture: string): string | undefined {
  const slot = slotBySuffix(texture);
  return slot === 'baseColor' || slot === 'normal' ? undefined : slot;
}

/**
 * Reads a .mat file of UE Viewer, which contains lines of the form `Slot=TextureName`. Older
 * releases also list all other textures of the material and its parents as `Other[n]`, including
 * defaults of the master material that are never exported. These are only used if their names equal
 * that of Diffuse or Normal except for the suffix. If Diffuse contains packed channels, the colour
 * texture is one of the `Other[n]`.
 */
export function readMat(text: string): Sidecar {
  const textures: SlotNames = new Map();
  const others: string[] = [];
  let diffuse = '';
  for (const line of lines(text)) {
    const equals = line.indexOf('=');
    const key =
      equals < 0
        ? ''
        : line
            .slice(0, equals)
            .trim()
            .toLowerCase()
            .replace(/\[\d{0,9}\]$/, '');
    const name = objectName(line.slice(equals + 1));
    if (key === '' || name === '') continue;
    if (key === 'other') others.push(name);
    if (key === 'diffuse') diffuse = name;
    const known = MAT_SLOTS[key];
    const slot = known === undefined || known === 'mask' || known === 'pbr' ? (key === 'other' ? undefined : packedSlot(name)) : known;
    if (slot && !textures.has(slot)) textures.set(slot, name);
  }
  const stems = new Set([diffuse, textures.get('normal') ?? ''].filter(name => name !== '').map(familyOf));
  const family: SlotNames = new Map();
  for (const name of others) {
    const slot = slotBySuffix(name);
    if (slot && stems.has(familyOf(name)) && !family.has(slot)) family.set(slot, name);
  }
  const what = packedSlot(diffuse);
  const color = family.get('baseColor');
  if (what && color && familyOf(color) === familyOf(diffuse)) {
    textures.set('baseColor', color);
    if (!textures.has(what)) textures.set(what, diffuse);
  }
  const isShape = what !== undefined && !color && HAIR.test(diffuse);
  if (isShape) {
    textures.delete('baseColor');
    textures.set('opacity', diffuse);
  }
  for (const slot of textures.keys()) family.delete(slot);
  const isColorless =
    ![...textures.keys()].some(slot => COLOR_OR_SHAPE.has(slot)) && !others.some(name => slotBySuffix(name) === 'baseColor');
  return { textures, ...(family.size && { optional: family }), ...(isColorless && { isColorless }), ...(isShape && { color: HAIR_COLOR }) };
}

const COLOR_OR_SHAPE = new Set(['baseColor', 'opacity', 'emissive']);
/**
 * Pattern for the names of hair and lash masks. If such a mask is in the colour slot, it is used as
 * the opacity of a dark surface.
 */
const HAIR = /(lash|brow|hair|beard).*_(m|mask|a|alpha|o|opacity)$/i;
/** Base colour of hair and lashes that have only a mask, in linear RGB. */
const HAIR_COLOR = [0.02, 0.014, 0.01] as const;

/** Returns a texture name without its suffix. */
function familyOf(name: string): string {
  return stemOf(name)
    .replace(/_[^_]*$/, '')
    .toLowerCase();
}

/**
 * Reads a .props.txt file of UE Viewer, which contains one property per line, in blocks with
 * braces. A parameter is added at the end of its block, because its name may follow its value, and
 * blocks contain both `ParameterName` and an empty `ParameterInfo = { Name=None }`.
 */
export function readProps(text: string): Sidecar {
  const textures: SlotNames = new Map();
  const sidecar: Sidecar = { textures };
  let name = '';
  let value = '';
  let isDefault = false;
  for (const line of lines(text)) {
    const [, key, flag] = /^\s*(TwoSided|BlendMode|OpacityMaskClipValue)\s*=\s*(\S+)/.exec(line) ?? [];
    if (key !== undefined && flag !== undefined) applyFlag(sidecar, key, flag);
    const named = /\b(?:Parameter)?Name\s*=([^,}]*)/.exec(line)?.[1]!.trim().replace(/^"|"$/g, '').trim();
    if (named && !/^none$/i.test(named)) name = named;
    const [, member, reference] = /\b(ParameterValue|Texture)\s*=\s*(Texture\w*'[^']*')/.exec(line) ?? [];
    if (reference !== undefined) [value, isDefault] = [reference, member === 'Texture'];
    if (!/^\s*[{}]\s*$/.test(line)) continue;
    if (value) addParameter(textures, name, value, isDefault);
    name = value = '';
  }
  return sidecar;
}

/**
 * Assigns a texture parameter to a slot. `isDefault`: true if the parameter is a default of a
 * master material. It may be unused, so only colour and normal maps are assigned.
 */
function addParameter(textures: SlotNames, parameter: string, reference: string, isDefault = false): void {
  const name = objectName(reference);
  const slot = slotByParameter(parameter, name);
  if (isDefault && slot !== 'baseColor' && slot !== 'normal') return;
  if (slot && name && !/^none$/i.test(name) && !textures.has(slot)) textures.set(slot, name);
}

/** Values of Unreal's EBlendMode in order. CUE4Parse writes them as numbers. */
const BLEND_MODES = ['Opaque', 'Masked', 'Translucent', 'Additive', 'Modulate', 'AlphaComposite'];
const BLENDS: ReadonlyMap<string, NonNullable<Sidecar['blend']>> = new Map([
  ['opaque', 'opaque'],
  ['masked', 'mask'],
  ['translucent', 'blend'],
  ['additive', 'add'],
  ['modulate', 'multiply'],
  ['alphacomposite', 'blend'],
]);

function applyFlag(sidecar: Sidecar, key: string, value: unknown): void {
  if (key === 'TwoSided') sidecar.twoSided = value === true || value === 'true' || value === '1';
  if (key === 'OpacityMaskClipValue' && Number.isFinite(Number(value))) sidecar.alphaCutoff = Number(value);
  if (key === 'BlendMode') {
    const name = typeof value === 'number' ? BLEND_MODES[value] : /BLEND_(\w+)/.exec(String(value))?.[1];
    const blend = BLENDS.get(name?.toLowerCase() ?? '');
    if (blend) sidecar.blend = blend;
  }
}

/**
 * Prefix of the parameters that CUE4Parse adds. Each repeats the last texture of one kind, such as a
 * detail map, so it is used only if no other parameter indicates the slot.
 */
const FALLBACK_PARAMETER = /^PM_/;

/**
 * Names of scalar parameters whose meaning is the same in all materials, in lower case and without
 * separators. Scalars with other names, such as "Roughness Multiplier", change textures in a way
 * that only the material graph defines.
 */
const SCALARS: readonly [RegExp, 'roughness' | 'metalness' | 'opacity'][] = [
  [/^(base|constant)?roughness(value|constant)?$/, 'roughness'],
  [/^(base|constant)?(metallic|metalness)(value|constant)?$/, 'metalness'],
  [/^opacity(value|constant)?$/, 'opacity'],
];

/**
 * Reads material JSON, which is either an export of CUE4Parse (`{Textures: {name: path},
 * Parameters: {…}}`) or a property dump of FModel (a list of objects with
 * `Properties.TextureParameterValues`). Values of BasePropertyOverrides are only used if the file
 * marks them as active (`bOverride_…`). Without a colour texture, the first colour parameter whose
 * name indicates the base colour determines the colour. Scalar parameters determine roughness,
 * metalness and opacity that no texture contains. Returns null for other text.
 */
export function readMaterialJson(text: string): Sidecar | null {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
  const sidecar: Sidecar = { textures: new Map() };
  let isMaterial = false;
  const colors: [parameter: string, value: unknown][] = [];
  const scalars: [parameter: string, value: unknown][] = [];
  for (const object of Array.isArray(json) ? json.slice(0, 64) : [json]) {
    const textures = member(object, 'Textures');
    if (isRecord(textures)) {
      isMaterial = true;
      const entries = Object.entries(textures);
      const isFallback = ([parameter]: [string, unknown]): boolean => FALLBACK_PARAMETER.test(parameter);
      for (const [parameter, value] of [...entries.filter(entry => !isFallback(entry)), ...entries.filter(isFallback)]) {
        if (typeof value === 'string') addParameter(sidecar.textures, parameter, value);
      }
      const parameters = member(object, 'Parameters');
      const overrides = member(member(parameters, 'Properties'), 'BasePropertyOverrides');
      const own = member(parameters, 'Colors');
      if (isRecord(own)) colors.push(...Object.entries(own));
      const numbers = member(parameters, 'Scalars');
      if (isRecord(numbers)) scalars.push(...Object.entries(numbers));
      applyFlags(member(parameters, 'Properties'));
      // If an instance overrides other properties only, CUE4Parse writes opaque for any material.
      applyFlags(parameters, key => overrides === undefined || isOverridden(overrides, key));
      applyOverrides(overrides);
    }
    const properties = member(object, 'Properties');
    const values = member(properties, 'TextureParameterValues');
    const vectors = member(properties, 'VectorParameterValues');
    const numbers = member(properties, 'ScalarParameterValues');
    for (const [list, found] of [
      [vectors, colors],
      [numbers, scalars],
    ] as const) {
      if (!Array.isArray(list)) continue;
      isMaterial = true;
      for (const each of list) found.push([String(parameterOf(each)), member(each, 'ParameterValue')]);
    }
    if (Array.isArray(values)) {
      isMaterial = true;
      for (const value of values) {
        const name = parameterOf(value);
        const texture = member(value, 'ParameterValue');
        const reference = typeof texture === 'string' ? texture : (member(texture, 'ObjectName') ?? member(texture, 'ObjectPath'));
        if (typeof name === 'string' && typeof reference === 'string') addParameter(sidecar.textures, name, reference);
      }
    }
    applyFlags(properties);
    applyOverrides(member(properties, 'BasePropertyOverrides'));
  }
  const color = sidecar.textures.has('baseColor') ? undefined : baseColorIn(colors);
  if (color) sidecar.color = color;
  applyScalars(sidecar, scalars);
  return isMaterial ? sidecar : null;

  function applyFlags(from: unknown, isActive: (key: string) => boolean = () => true): void {
    for (const key of ['TwoSided', 'BlendMode', 'OpacityMaskClipValue']) {
      const value = member(from, key);
      if (value !== undefined && isActive(key)) applyFlag(sidecar, key, value);
    }
  }

  function applyOverrides(from: unknown): void {
    applyFlags(from, key => isOverridden(from, key));
  }
}

/** Returns the name of a parameter in a property dump of FModel. */
const parameterOf = (value: unknown): unknown => member(member(value, 'ParameterInfo'), 'Name') ?? member(value, 'ParameterName');

/** Returns the first colour whose parameter indicates the base colour. */
function baseColorIn(colors: readonly [parameter: string, value: unknown][]): Sidecar['color'] {
  for (const [parameter, value] of colors) {
    const [r, g, b] = ['R', 'G', 'B'].map(channel => Number(member(value, channel)));
    if (slotByParameter(parameter, '') === 'baseColor' && [r, g, b].every(each => each! >= 0 && each! <= 1)) return [r!, g!, b!];
  }
  return undefined;
}

/** Sets the values that no texture contains to those of the first parameters that indicate them. */
function applyScalars(sidecar: Sidecar, scalars: readonly [parameter: string, value: unknown][]): void {
  const slots = [...sidecar.textures.keys()];
  for (const [parameter, value] of scalars) {
    const name = parameter.toLowerCase().replace(/[\s_-]/g, '');
    const kind = SCALARS.find(([pattern]) => pattern.test(name))?.[1];
    if (kind === undefined || sidecar[kind] !== undefined || typeof value !== 'number' || value < 0 || value > 1) continue;
    const isInTexture = kind === 'opacity' ? slots.includes(kind) : slots.some(slot => packingOf(slot)?.[kind]);
    // Unreal ignores the opacity of opaque and masked materials.
    if (isInTexture || (kind === 'opacity' && sidecar.blend !== 'blend' && sidecar.blend !== 'add')) continue;
    sidecar[kind] = value;
  }
}

/** Returns true if BasePropertyOverrides mark a property as active. */
function isOverridden(overrides: unknown, key: string): boolean {
  return member(overrides, `bOverride_${key}`) === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Splits a text into lines. Limits their number and length; files that exporters write never reach
 * these limits.
 */
function lines(text: string): string[] {
  return text.split(/\r\n?|\n/, 20_000).map(line => line.slice(0, 4096));
}
