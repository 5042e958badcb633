// What the names of textures and images alone say.

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
  for (const name of names) {
    const stem = stemOf(name);
    const core = coreOf(stem);
    const slot = slotBySuffix(stem);
    if (stem.toLowerCase() === material.toLowerCase()) found.set('baseColor', name);
    else if (slot && core.replace(/_[^_]*$/, '') === wanted) {
      if (!found.has(slot)) found.set(slot, name);
    } else if (core === wanted && !found.has('baseColor')) found.set('baseColor', name);
  }
  return found;
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
