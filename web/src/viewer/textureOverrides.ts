// Assigns images to materials of the shown models (session/imageAssignments.ts).
import type { Intersection, Mesh } from 'three';
import { slotBySuffix } from '../textures/names.ts';
import { isImage } from '../textures/sources.ts';
import type { Model } from '../session/model.ts';
import { assignmentsFor, type ImageAssignment } from '../session/imageAssignments.ts';
import type { Rig } from '../three/index.ts';
import type { BlockExtension } from '../three/materials/imageKinds.ts';
import { drawnFor } from '../three/materials/materialValues.ts';

export { isImage };

/** Slots to which the visitor can assign images. Each material uses some of these slots. */
export const SLOTS = ['baseColor', 'normal', 'emissive', 'orm', 'roughness', 'metallic', 'occlusion', 'opacity'] as const;

/**
 * Returns true if the graphics card supports a compressed texture format. `extension`: name of a
 * WebGL extension.
 */
type Draws = (extension: BlockExtension) => boolean;

/** A material of a rig. */
export interface MaterialRef {
  rig: Rig;
  /** Index into `scene.materials`. */
  row: number;
}

/**
 * Assigns an image to a slot of a material. Resolves with the override to store; null if the
 * material does not use the slot.
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
  if (!isDrawn || !owner) return null;
  return { path: owner.input.path, isShared: false, material: materialName({ rig, row }), slot, image: image.name, file: image };
}

/**
 * Draws an assigned image on all materials to which it applies. Resolves with true if a material
 * draws it.
 */
export async function drawAssignment(models: readonly Model[], assignment: ImageAssignment, image: File, draws: Draws): Promise<boolean> {
  let isDrawn = false;
  for (const { input, rig } of models) {
    if (assignmentsFor([assignment], input.path).length === 0) continue;
    for (const [row, { name }] of rig.file.scene!.materials.entries())
      if (name === assignment.material) isDrawn = (await assign(rig, row, assignment.slot, image, draws)) || isDrawn;
  }
  return isDrawn;
}

const assign = (rig: Rig, row: number, slot: string, image: File, draws: Draws): Promise<boolean> =>
  rig.setTexture(row, slot, { name: image.name, bytes: image }, { draws });

export const materialName = ({ rig, row }: MaterialRef): string => rig.file.scene!.materials[row]?.name ?? '';

/**
 * Returns the slot that the suffix of the file name indicates; the base colour if there is no known
 * suffix.
 */
export const slotFor = (image: File): string => slotBySuffix(image.name) ?? 'baseColor';

/**
 * Returns the material at an intersection, including materials of instances; null if the material
 * does not come from a file.
 */
export function materialAt(models: readonly Model[], { object, face }: Intersection): MaterialRef | null {
  const materials = [(object as Mesh).material].flat();
  const material = materials[materials.length > 1 ? (face?.materialIndex ?? 0) : 0];
  if (!material) return null;
  for (const { rig } of models)
    for (const each of [rig, ...rig.instanceRigs])
      for (let row = 0; row < each.file.scene!.materials.length; row++)
        if (each.materialsOf(row).flatMap(drawnFor).includes(material)) return { rig: each, row };
  return null;
}
