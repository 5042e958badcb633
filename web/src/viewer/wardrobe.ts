// Images that somebody puts on materials by hand; the session remembers them, and they are put on again when the model comes back.
import type { Intersection, Material, Mesh } from 'three';
import { slotBySuffix } from '../textures/names.ts';
import { isImage } from '../textures/sources.ts';
import type { Model } from '../session/model.ts';
import type { ImageAssignment } from '../session/session.ts';
import type { Rig } from '../three/index.ts';

export { isImage };

/** Slots that a person may choose; each material draws some of them. */
export const SLOTS = ['baseColor', 'normal', 'emissive', 'orm', 'roughness', 'metallic', 'occlusion', 'opacity'] as const;

/** Whether the graphics card reads a kind of compressed image. */
type Draws = (extension: string) => boolean;

/** A material of the scene of a rig. */
export interface Place {
  rig: Rig;
  /** Row of `scene.materials`. */
  row: number;
}

/** Puts an image on. What to remember of it; null: nothing draws it. */
export async function putOn(
  models: readonly Model[],
  { rig, row }: Place,
  slot: string,
  image: File,
  draws: Draws,
): Promise<ImageAssignment | null> {
  const isDrawn = await put(rig, row, slot, image, draws);
  const owner = models.find(part => part.rig === rig);
  return isDrawn && owner ? { path: owner.given.path, material: materialName({ rig, row }), slot, image } : null;
}

/** Puts on again what these files wore. Whether there was any. */
export async function dress(models: readonly Model[], worn: readonly ImageAssignment[], draws: Draws): Promise<boolean> {
  let isAny = false;
  for (const { given, rig } of models)
    for (const { path, material, slot, image } of worn) {
      const row = path === given.path ? rig.file.scene!.materials.findIndex(({ name }) => name === material) : -1;
      if (row >= 0) isAny = (await put(rig, row, slot, image, draws)) || isAny;
    }
  return isAny;
}

const put = (rig: Rig, row: number, slot: string, image: File, draws: Draws): Promise<boolean> =>
  rig.setTexture(row, slot, { name: image.name, bytes: image }, { draws });

export const materialName = ({ rig, row }: Place): string => rig.file.scene!.materials[row]?.name ?? '';

/** The slot that the name of an image speaks of, else the colour. */
export const slotFor = (image: File): string => slotBySuffix(image.name) ?? 'baseColor';

/** The material that was hit, of these models or of what they place; null where it is none of a file's. */
export function placeOf(models: readonly Model[], { object, face }: Intersection): Place | null {
  const materials = [(object as Mesh).material].flat();
  const material = materials[materials.length > 1 ? (face?.materialIndex ?? 0) : 0];
  if (!material) return null;
  for (const { rig } of models)
    for (const each of [rig, ...rig.parts])
      for (let row = 0; row < each.file.scene!.materials.length; row++)
        if ((each.materialsOf(row) as readonly Material[]).includes(material)) return { rig: each, row };
  return null;
}
