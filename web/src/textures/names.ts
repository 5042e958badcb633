// Infers from the file name of an image which material and texture slot it belongs to.
import { entry } from '../core/entry.ts';

/**
 * Names of textures, without folders, by material slot. A name has an extension only if it has one
 * in the file.
 */
export type SlotNames = Map<string, string>;

const MATERIAL_SUFFIX = /_(mat|material|inst|mi)\d*$/i;

/**
 * Patterns for the suffix of a texture name (after the last underscore), each with the slot that it
 * indicates.
 */
const SUFFIX_SLOTS: readonly [RegExp, string][] = [
  [/^(d|di?ff?|diffuse|bc|base|basecolou?r|c|col|colou?r|alb|albedo)$/, 'baseColor'],
  [/^(n|nm|nrm|nor|norm|normals?)$/, 'normal'],
  [/^(orm|arm|occlusionroughnessmetallic)$/, 'orm'],
  [/^mro$/, 'mro'],
  [/^mra$/, 'mra'],
  [/^rma$/, 'rma'],
  [/^rmo$/, 'rmo'],
  [/^(s|spec|specular)$/, 'specularColor'],
  [/^(m|met|metal|metallic|metalness)$/, 'metallic'],
  [/^(r|rough|roughness)$/, 'roughness'],
  [/^(ao|occlusion)$/, 'occlusion'],
  [/^(e|em|emi|emis|emissive|emission|glow)$/, 'emissive'],
  [/^(a|alpha|o|opacity)$/, 'opacity'],
];

/** Returns the slot that the suffix of a texture name indicates. */
export function slotBySuffix(name: string): string | undefined {
  const suffix = stemOf(name).split('_').at(-1)!.toLowerCase();
  return SUFFIX_SLOTS.find(([pattern]) => pattern.test(suffix))?.[1];
}

/**
 * Finds the textures of a material by name. Without common prefixes, the name of a texture consists
 * of the material's name and a suffix that indicates the slot. An image with exactly the name of
 * the material is used as its base colour.
 */
export function guessTextures(material: string, names: readonly string[]): SlotNames {
  const wanted = materialSubject(material);
  const found: SlotNames = new Map();
  if (!wanted) return found;
  const own = material.toLowerCase();
  for (const { name, stem, core, slot, part: base } of indexOf(names).matching(own, wanted)) {
    if (stem === own) found.set('baseColor', name);
    else if (slot && base === wanted) {
      if (!found.has(slot)) found.set(slot, name);
    } else if (core === wanted && !found.has('baseColor')) found.set('baseColor', name);
  }
  return found;
}

/**
 * Returns an image for a material for which no textures were found by other means: an image with
 * the name of the model or, unless `hasOtherModels`, the only colour image that is not in `taken`.
 * `taken`: names of images that other materials use. `hasOtherModels`: true if the image may belong
 * to another model.
 */
export function remainingImage(
  model: string,
  taken: ReadonlySet<string>,
  names: readonly string[],
  hasOtherModels = false,
): string | undefined {
  const index = indexOf(names);
  return index.namedLike(model.toLowerCase(), taken) ?? (hasOtherModels ? undefined : index.onlyColor(taken));
}

/** Extensions of models whose files name materials, but no textures. */
const NAMES_MATERIALS_ONLY = /\.(pskx?|uemodel)$/i;

/**
 * True if the extension of a file is one of a model format whose files name materials, but no
 * textures.
 */
export const isModelWithoutTextures = (name: string): boolean => NAMES_MATERIALS_ONLY.test(name);

/**
 * Returns true if files belong to at least two models whose files name no textures. The levels of detail
 * of a model, such as Hero.psk and Hero_LOD1.psk, count as one model.
 */
export function hasSeveralModels(paths: Iterable<string>): boolean {
  const models = new Set<string>();
  for (const path of paths) {
    if (!isModelWithoutTextures(path)) continue;
    models.add(
      baseName(path)
        .toLowerCase()
        .replace(/(_?lod_?\d+)?\.\w+$/, ''),
    );
    if (models.size > 1) return true;
  }
  return false;
}

interface ImageName {
  name: string;
  /** Name in lower case, without extension. */
  stem: string;
  core: string;
  slot: string | undefined;
  /** `core` without the suffix (after the last underscore), which indicates the slot. */
  part: string;
}

/** Index of image names, for fast lookups. A game may have 100,000 images and as many materials. */
class NameIndex {
  readonly #names: readonly ImageName[];
  readonly #rows = new Map<string, Set<number>>();
  /** Names of images that may contain colour, by stem. */
  readonly #colors = new Map<string, string[]>();
  #colorCount = 0;

  constructor(names: readonly string[]) {
    this.#names = names.map((name): ImageName => {
      const stem = stemOf(name);
      const core = coreOf(stem);
      return { name, stem: stem.toLowerCase(), core, slot: slotBySuffix(stem), part: core.replace(/_[^_]*$/, '') };
    });
    for (const [row, { name, stem, core, part }] of this.#names.entries()) {
      for (const key of [stem, core, part]) entry(this.#rows, key, () => new Set()).add(row);
      if (name.includes('_') && ![undefined, 'baseColor'].includes(slotBySuffix(name))) continue;
      entry(this.#colors, stem, () => []).push(name);
      this.#colorCount++;
    }
  }

  /**
   * Returns the images whose `stem`, `core` or `part` equals one of `words`, in their original
   * order.
   */
  matching(...words: string[]): ImageName[] {
    const rows = new Set(words.flatMap(word => [...(this.#rows.get(word) ?? [])]));
    return [...rows].sort((a, b) => a - b).map(row => this.#names[row]!);
  }

  /** Returns the image with the name of a model, unless it is in `taken`. */
  namedLike(model: string, taken: ReadonlySet<string>): string | undefined {
    return taken.has(model) ? undefined : this.#colors.get(model)?.[0];
  }

  /** Returns the only colour image that is not in `taken`. */
  onlyColor(taken: ReadonlySet<string>): string | undefined {
    const count = [...taken].reduce((sum, stem) => sum - (this.#colors.get(stem)?.length ?? 0), this.#colorCount);
    return count === 1 ? [...this.#colors].find(([stem]) => !taken.has(stem))?.[1][0] : undefined;
  }
}

const indexes = new WeakMap<readonly string[], NameIndex>();

function indexOf(names: readonly string[]): NameIndex {
  let index = indexes.get(names);
  if (!index) indexes.set(names, (index = new NameIndex(names)));
  return index;
}

/** Returns the name of a material in lower case, without the prefix and suffix of materials. */
export const materialSubject = (material: string): string => coreOf(material.replace(MATERIAL_SUFFIX, ''));

/**
 * Returns the name of an image in lower case, without folders, extension, the prefix of textures, and
 * the suffix that indicates a slot.
 */
export function imageSubject(path: string): string {
  const core = coreOf(stemOf(path));
  return slotBySuffix(core) && core.includes('_') ? core.replace(/_[^_]*$/, '') : core;
}

function coreOf(name: string): string {
  return name.replace(/^(m|mi|mat|mtl|material|t|tx|tex|texture)_/i, '').toLowerCase();
}

/** Extensions of supported images, in order of preference. */
export const IMAGE_EXTENSIONS = ['png', 'webp', 'jpg', 'jpeg', 'tga', 'dds', 'tif', 'tiff', 'avif', 'bmp', 'gif', 'pcx'];
/**
 * Extensions of images that exist in games but are not supported. They are reported as unsupported
 * instead of missing.
 */
export const UNSUPPORTED_IMAGES = ['exr', 'hdr', 'psd', 'ktx', 'ktx2', 'basis', 'utx', 'iff', 'vtf', 'ftex'];
const IMAGE_EXTENSION = new RegExp(`\\.(${[...IMAGE_EXTENSIONS, ...UNSUPPORTED_IMAGES].join('|')})$`, 'i');

export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1)!;
}

export function stemOf(path: string): string {
  return baseName(path).replace(IMAGE_EXTENSION, '');
}
