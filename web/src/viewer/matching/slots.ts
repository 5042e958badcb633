// The texture slots of the shown model that the dialog lists: with the images that the visitor has
// assigned, and with suggestions.
import type { MeshStandardMaterial, Texture } from 'three';
import { assignmentsFor, type ImageAssignment } from '../../session/imageAssignments.ts';
import { type Model, wholeCharacter } from '../../session/model.ts';
import { type ImageSuggestion, suggestImages } from '../../session/textureMatches.ts';
import { drawnMaterials, materialOf } from '../../textures/drawnMaterials.ts';
import { channelContents } from '../../textures/slots.ts';
import { isImage } from '../../textures/sources.ts';
import type { Session } from '../../session/session.ts';

/** Slots to which images can be assigned. All packings of several values are listed as one slot. */
export const MATCH_SLOTS = ['baseColor', 'normal', 'emissive', 'packed', 'metallic', 'roughness', 'gloss', 'occlusion', 'opacity'] as const;
export type MatchSlot = (typeof MATCH_SLOTS)[number];
export const DEFAULT_PACKING = 'packed:orm-';

/** Returns the row of the list for a slot; null if the slot is not listed. */
export function matchSlotOf(slot: string): MatchSlot | null {
  const listed = MATCH_SLOTS.find(each => each === slot);
  if (listed) return listed;
  return channelContents(slot) ? 'packed' : null;
}

/** A texture slot of a material. */
export interface SlotRow {
  slot: string;
  /** Path of the assigned or suggested image; null if there is none. */
  image: string | null;
  state: 'empty' | 'found' | 'assigned' | ImageSuggestion['by'];
  /** The texture that is drawn without an assignment; null if there is none. */
  texture: Texture | null;
}

export interface MaterialRows {
  /** Path of the file with the material. */
  path: string;
  name: string;
  triangles: number;
  isUntextured: boolean;
  slots: SlotRow[];
}

/** An image that was opened together with the model. */
export interface OfferedImage {
  path: string;
  file: File;
  /** True if a material of the model uses the image. */
  isUsed: boolean;
}

/** Returns the images that were opened together with the model, starting with those nearest to it. */
export function offeredImages(model: Model, { companionFiles, imageAssignments }: Session): OfferedImage[] {
  const parts = wholeCharacter(model);
  const files = new Map(model.parts.flatMap(part => [...part.companionFiles.files(part.input.path)]));
  for (const [path, file] of companionFiles.files(model.input.path)) files.set(path, file);
  const assigned = new Set(parts.flatMap(({ input }) => assignmentsFor(imageAssignments, input.path).map(({ image }) => image)));
  return [...files]
    .filter(([path]) => isImage(path))
    .map(([path, file]) => ({ path, file, isUsed: assigned.has(path) || !parts.some(part => part.unusedImages.has(path)) }));
}

/** Returns the materials of the model with their slots, starting with those without a texture. */
export function materialRows(model: Model, images: readonly OfferedImage[], session: Session): MaterialRows[] {
  const all = wholeCharacter(model).flatMap(part => rowsOf(part, session.imageAssignments));
  const unused = images.filter(({ isUsed }) => !isUsed).map(({ path, file }) => ({ path, size: file.size }));
  const open = all.filter(({ isUntextured, slots }) => isUntextured && slots[0]!.state === 'empty');
  for (const { material, slot, image, by } of suggestImages(open, unused, model.input.file.name)) {
    const rows = open.find(({ name }) => name === material)!.slots;
    const row = rows.find(each => matchSlotOf(each.slot) === matchSlotOf(slot));
    if (row) Object.assign(row, { image, state: by });
    else if (matchSlotOf(slot)) rows.push({ slot, image, state: by, texture: null });
  }
  return all.sort((a, b) => Number(b.isUntextured) - Number(a.isUntextured));
}

function rowsOf({ input, rig, file }: Model, assignments: readonly ImageAssignment[]): MaterialRows[] {
  const scene = file.scene!;
  const triangles = new Map<number, number>();
  for (const renderer of scene.renderers) {
    const mesh = scene.meshes[renderer.mesh];
    for (const [at, group] of (mesh?.groups ?? []).entries()) {
      const row = materialOf(mesh!, renderer, at);
      triangles.set(row, (triangles.get(row) ?? 0) + group.count / 3);
    }
  }
  const own = assignmentsFor(assignments, input.path);
  return drawnMaterials(scene).map(row => {
    const { name } = scene.materials[row]!;
    const material = rig.materialsOf(row)[0] as Partial<MeshStandardMaterial> | undefined;
    const assigned = own.filter(each => each.material === name);
    const texture = material?.map ?? null;
    const hasColor = assigned.some(({ slot }) => slot === 'baseColor');
    const slots = assigned.map(({ slot, image }): SlotRow => ({ slot, image, state: 'assigned', texture: null }));
    if (!hasColor) slots.unshift({ slot: 'baseColor', image: null, state: texture ? 'found' : 'empty', texture });
    slots.sort((a, b) => Number(b.slot === 'baseColor') - Number(a.slot === 'baseColor'));
    return { path: input.path, name, triangles: Math.round(triangles.get(row) ?? 0), isUntextured: hasColor || !texture, slots };
  });
}
