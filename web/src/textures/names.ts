// What the names of textures and images alone say.
import { entry } from '../core/entry.ts';

/** Slot names as in the scene's materials -> texture names, without folders; with an extension only where the file gives one. */
export type SlotNames = Map<string, string>;

/** Ends of texture names, after the last underscore. */
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

/** The slot that a texture's own name speaks of. */
export function slotBySuffix(name: string): string | undefined {
  const suffix = stemOf(name).split('_').at(-1)!.toLowerCase();
  return SUFFIX_SLOTS.find(([pattern]) => pattern.test(suffix))?.[1];
}

/** Textures of a material by names alone: same name without the usual prefixes, and a suffix that names the slot. */
export function guessTextures(material: string, names: readonly string[]): SlotNames {
  const wanted = coreOf(material.replace(/_(mat|material|inst|mi)\d*$/i, ''));
  const found: SlotNames = new Map();
  if (!wanted) return found;
  const own = material.toLowerCase();
  for (const { name, stem, core, slot, part } of indexOf(names).like(own, wanted)) {
    if (stem === own) found.set('baseColor', name);
    else if (slot && part === wanted) {
      if (!found.has(slot)) found.set(slot, name);
    } else if (core === wanted && !found.has('baseColor')) found.set('baseColor', name);
  }
  return found;
}

/** Returns the image for a material that no file mentions: named as the model, or the only colour image that is not `taken`. */
export function leftImage(model: string, taken: ReadonlySet<string>, names: readonly string[]): string | undefined {
  return indexOf(names).left(model.toLowerCase(), taken);
}

interface ImageName {
  name: string;
  /** Lower case, without extension. */
  stem: string;
  core: string;
  slot: string | undefined;
  /** The core without its last word, which states the slot. */
  part: string;
}

/** Index of image names. A game has a hundred thousand of them, for as many materials. */
class NameIndex {
  readonly #names: readonly ImageName[];
  readonly #rows = new Map<string, Set<number>>();
  /** Images that may hold colour, by stem. */
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

  /** Returns the names whose stem, core or part is one of the words, in their original order. */
  like(...words: string[]): ImageName[] {
    const rows = new Set(words.flatMap(word => [...(this.#rows.get(word) ?? [])]));
    return [...rows].sort((a, b) => a - b).map(row => this.#names[row]!);
  }

  left(model: string, taken: ReadonlySet<string>): string | undefined {
    const own = taken.has(model) ? undefined : this.#colors.get(model)?.[0];
    if (own !== undefined) return own;
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

function coreOf(name: string): string {
  return name.replace(/^(m|mi|mat|mtl|material|t|tx|tex|texture)_/i, '').toLowerCase();
}

/** Extensions of images that can be drawn, the best first. */
export const IMAGE_EXTENSIONS = ['png', 'webp', 'jpg', 'jpeg', 'tga', 'dds', 'tif', 'tiff', 'avif', 'bmp', 'gif', 'pcx'];
/** Those that only other programs draw; told apart from no image at all. */
export const OTHER_IMAGES = ['exr', 'hdr', 'psd', 'ktx', 'ktx2', 'basis', 'utx', 'iff', 'vtf', 'ftex'];
const IMAGE_EXTENSION = new RegExp(`\\.(${[...IMAGE_EXTENSIONS, ...OTHER_IMAGES].join('|')})$`, 'i');

export function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1)!;
}

export function stemOf(path: string): string {
  return baseName(path).replace(IMAGE_EXTENSION, '');
}
