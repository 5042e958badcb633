// UE Viewer's material files (.mat): which texture plays which part in a material, since a PSK names materials alone.
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

/** Names that every file system takes as they are; others are looked for in vain. */
const isPlain = (name: string): boolean => name.length <= 200 && !/[\\/:*?"<>|\p{Cc}]|^\.|^$|[. ]$/u.test(name);

/** What a .mat can say of a slot: a key of its own, or a mask whose name says what it packs. */
function keyOf(slot: string, name: string): string | null {
  return KEYS[slot] ?? (slotBySuffix(name) === slot ? 'Mask' : null);
}

/** By row of materials: its file, null where nothing can be said, and the slots that it does say. */
export async function materialFile(
  material: Material,
  { textures }: RigScene,
  images: ImageFiles,
): Promise<{ file: WrittenFile | null; said: ReadonlySet<string> }> {
  const said = new Set<string>();
  const lines: string[] = [];
  for (const { slot, texture = -1 } of isPlain(material.name) ? material.slots : []) {
    const image = textures[texture]?.image;
    const path = image === undefined ? null : await images.pathOf(image);
    const name = stemOf(baseName(path ?? ''));
    const key = keyOf(slot, name);
    if (!key || name === '' || said.has(slot) || /[\r\n=]/.test(name)) continue;
    said.add(slot);
    lines.push(`${key}=${name}`);
  }
  const bytes = new TextEncoder().encode(lines.map(line => `${line}\r\n`).join(''));
  return { file: lines.length > 0 ? { name: `${material.name}.mat`, pieces: [bytes] } : null, said };
}
