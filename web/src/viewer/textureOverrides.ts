// Images that the visitor assigns to materials. The session stores them, so that they are applied
// again when the model is opened again.
import type { Intersection, Material, Mesh } from 'three';
import { slotBySuffix } from '../textures/names.ts';
import { isImage } from '../textures/sources.ts';
import type { Model } from '../session/model.ts';
import type { ImageAssignment } from '../session/session.ts';
import type { Rig } from '../three/index.ts';

export { isImage };

/** Slots that the visitor can choose. Each material uses some of them. */
export const SLOTS = ['baseColor', 'normal', 'emissive', 'orm', 'roughness', 'metallic', 'occlusion', 'opacity'] as const;

/** Returns whether the graphics card supports a compressed texture format, by WebGL extension. */
type Draws = (extension: string) => boolean;

/** A material of a rig. */
export interface MaterialRef {
  rig: Rig;
  /** Index into `scene.materials`. */
  row: number;
}

/**
 * Assigns an image. Returns the override to store, or null if the material does not use the slot.
 */
export async function assignImage(
  models: readonly Model[],
  { rig, row }: MaterialRef,
  slot: string,
  image: File,
  draws: Draws,
): Promise<ImageAssignment | null> {
  const isDrawn = await assign(rig, row, slot, image, draws);
  const owner = models.find(part => part.rig === rig);
  return isDrawn && owner ? { path: owner.input.path, material: materialName({ rig, row }), slot, image } : null;
}

/** Applies the stored overrides to models. Returns true if there were any. */
export async function applyOverrides(models: readonly Model[], assignments: readonly ImageAssignment[], draws: Draws): Promise<boolean> {
  let hasAny = false;
  for (const { input, rig } of models)
    for (const { path, material, slot, image } of assignments) {
      const row = path === input.path ? rig.file.scene!.materials.findIndex(({ name }) => name === material) : -1;
      if (row >= 0) hasAny = (await assign(rig, row, slot, image, draws)) || hasAny;
    }
  return hasAny;
}

const assign = (rig: Rig, row: number, slot: string, image: File, draws: Draws): Promise<boolean> =>
  rig.setTexture(row, slot, { name: image.name, bytes: image }, { draws });

export const materialName = ({ rig, row }: MaterialRef): string => rig.file.scene!.materials[row]?.name ?? '';

/** Returns the slot suggested by the suffix of an image's name; the base colour by default. */
export const slotFor = (image: File): string => slotBySuffix(image.name) ?? 'baseColor';

/**
 * Returns the material at a hit point, including models placed by a scene, or null if it does not
 * belong to a file.
 */
export function materialAt(models: readonly Model[], { object, face }: Intersection): MaterialRef | null {
  const materials = [(object as Mesh).material].flat();
  const material = materials[materials.length > 1 ? (face?.materialIndex ?? 0) : 0];
  if (!material) return null;
  for (const { rig } of models)
    for (const each of [rig, ...rig.instanceRigs])
      for (let row = 0; row < each.file.scene!.materials.length; row++)
        if ((each.materialsOf(row) as readonly Material[]).includes(material)) return { rig: each, row };
  return null;
}
