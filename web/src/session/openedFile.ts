// Opened files, and the description of the shown model.
import type { RigFile } from '../core/open.ts';
import type { Retargeter } from '../rig/retargeter.ts';
import type { InputFile } from './inputFile.ts';
import type { CompanionFiles } from './companionFiles.ts';

export interface OpenedFile {
  input: InputFile;
  file: RigFile;
  /**
   * Set if the animations were retargeted: the original file, the name of the model that they were
   * made for, the method, and the number of animated bones.
   */
  retargeted?: { original: OpenedFile; madeFor: string; method: Retargeter['method']; bones: number };
  /**
   * True if the visitor has turned off retargeting for this file. Curves are then bound by bone
   * name.
   */
  isBoundByName?: boolean;
}

/** A part of a character that is a separate file, such as boots, a hat or a head. */
export interface CharacterPart extends OpenedFile {
  companionFiles: CompanionFiles;
}

/** The shown model, with the results of building it. */
export interface ShownModel extends OpenedFile {
  /** Other parts of the character, which have the same skeleton and play the same animations. */
  parts: readonly CharacterPart[];
  bones: number;
  /** True if the model has no meshes, lines or points. */
  hasNoSurface: boolean;
  /** Names of materials with missing textures. */
  untexturedMaterials: readonly string[];
  /** Names of companion images that no material uses. */
  unusedImages: readonly string[];
  /** Names of missing files that instances refer to. */
  missingFiles: readonly string[];
}

/**
 * Returns the animation files, with the originals instead of retargeted files, for use with another
 * model.
 */
export const withoutRetargeting = (animationFiles: readonly OpenedFile[]): readonly OpenedFile[] =>
  animationFiles.some(({ retargeted }) => retargeted)
    ? animationFiles.map(source => source.retargeted?.original ?? source)
    : animationFiles;

/**
 * A row in the list of animations: a clip of a file, or several clips that the file plays
 * automatically and together.
 */
export interface AnimationRow {
  source: OpenedFile;
  /** Indices of the clips in the file. */
  indices: readonly number[];
}
