// Images that the visitor has assigned to materials. The session stores them for all models. They
// are applied whenever a model is opened, shown or converted.
import { slotAfter } from '../textures/plan.ts';
import type { TextureChoice } from '../textures/sources.ts';
import type { CompanionFiles } from './companionFiles.ts';

/** An image that the visitor has assigned to a slot of a material. */
export interface ImageAssignment {
  /** Path of the model's file. */
  readonly path: string;
  /**
   * True if the image is used for materials with this name in all models of the dropped folder that
   * contains the model.
   */
  readonly isShared: boolean;
  readonly material: string;
  readonly slot: string;
  /** Path of the image. */
  readonly image: string;
  /** The image, if it was not opened as a companion file of the model. */
  readonly file?: File;
}

/** Returns the top folder of a path; '' if the path has no folder. */
export const topFolderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

/**
 * Adds an assignment. It replaces earlier assignments of the material in the same models. If both
 * images store values in channels, the earlier image keeps the values that the new one does not
 * store.
 */
export function withAssignment(all: readonly ImageAssignment[], added: ImageAssignment): readonly ImageAssignment[] {
  const left = all.flatMap(other => {
    const slot = isReplaced(other, added) ? slotAfter(other.slot, [added]) : other.slot;
    return slot === null ? [] : [slot === other.slot ? other : { ...other, slot }];
  });
  return [...left, added];
}

function isReplaced(other: ImageAssignment, { path, isShared, material }: ImageAssignment): boolean {
  if (other.material !== material) return false;
  return other.isShared ? isShared && topFolderOf(other.path) === topFolderOf(path) : other.path === path;
}

/** Removes the assignments of a slot that apply to a model. */
export const withoutAssignment = (
  all: readonly ImageAssignment[],
  { path, material, slot }: Pick<ImageAssignment, 'path' | 'material' | 'slot'>,
): readonly ImageAssignment[] =>
  all.filter(each => !(each.material === material && each.slot === slot && assignmentsFor([each], path).length > 0));

/**
 * Returns the assignments that apply to a model, in the order in which they are applied. An
 * assignment of the model itself overrides the assignments for all models.
 */
export function assignmentsFor(all: readonly ImageAssignment[], path: string): readonly ImageAssignment[] {
  const shared = all.filter(each => each.isShared && topFolderOf(each.path) === topFolderOf(path));
  const own = all.filter(each => !each.isShared && each.path === path);
  return [...shared, ...own].reduce<readonly ImageAssignment[]>(
    (list, each) => withAssignment(list, { ...each, path, isShared: false }),
    [],
  );
}

/** Returns the images to use for the materials of a model. Images that are not available are left out. */
export function choicesFor(all: readonly ImageAssignment[], path: string, companionFiles: CompanionFiles): TextureChoice[] {
  return assignmentsFor(all, path).flatMap(({ material, slot, image, file }) => {
    const bytes = file ?? companionFiles.at(image) ?? companionFiles.find(image, path);
    return bytes ? [{ material, slot, image: { name: image, bytes } }] : [];
  });
}
