// Writes the material files of UE Viewer (.mat), which assign textures to the materials of a PSK.
import type { Material, RigScene } from '../../core/types.ts';
import { baseName, slotBySuffix, stemOf } from '../../textures/names.ts';
import type { ImageFiles } from '../common/imageFiles.ts';
import type { WrittenFile } from '../common/written.ts';

const KEYS: Readonly<Record<string, string>> = {
  baseColor: 'Diffuse',
  normal: 'Normal',
  specularColor: 'Specular',
  gloss: 'SpecPower',
  opacity: 'Opacity',
  emissive: 'Emissive',
};

/** True if the name of the material is a valid file name on all file systems. */
const isPlain = (name: string): boolean => name.length <= 200 && !/[\\/:*?"<>|\p{Cc}]|^\.|^$|[. ]$/u.test(name);

/**
 * Returns the key of a texture slot in a .mat file, or null if the slot has no key. A packed
 * texture is written as `Mask` if its name indicates the packing.
 */
function keyOf(slot: string, name: string): string | null {
  return KEYS[slot] ?? (slotBySuffix(name) === slot ? 'Mask' : null);
}

/**
 * Returns the .mat file of a material, and the slots that it contains. If no slot can be written,
 * `file` is null.
 */
export async function materialFile(
  material: Material,
  { textures }: RigScene,
  images: ImageFiles,
): Promise<{ file: WrittenFile | null; storedSlots: ReadonlySet<string> }> {
  const storedSlots = new Set<string>();
  const lines: string[] = [];
  for (const { slot, texture = -1 } of isPlain(material.name) ? material.slots : []) {
    const image = textures[texture]?.image;
    const path = image === undefined ? null : await images.pathOf(image);
    const name = stemOf(baseName(path ?? ''));
    const key = keyOf(slot, name);
    if (!key || name === '' || storedSlots.has(slot) || /[\r\n=]/.test(name)) continue;
    storedSlots.add(slot);
    lines.push(`${key}=${name}`);
  }
  const bytes = new TextEncoder().encode(lines.map(line => `${line}\r\n`).join(''));
  return { file: lines.length > 0 ? { name: `${material.name}.mat`, pieces: [bytes] } : null, storedSlots };
}
