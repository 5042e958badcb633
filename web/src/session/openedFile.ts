// Opened files, and the description of the shown model.
import type { RigFile } from '../core/open.ts';
import type { Retargeter } from '../rig/retargeter.ts';
import type { InputFile } from './inputFile.ts';
import type { CompanionFiles } from './companionFiles.ts';

export interface OpenedFile {
  input: InputFile;
  file: RigFile;
  /**
   * Set if the animations were retargeted: the original file, the model they were made for, the
   * method, and the number of animated bones.
   */
  retargeted?: { original: OpenedFile; madeFor: string; method: Retargeter['method']; bones: number };
  /**
   * True if the visitor turned off retargeting for this file. Curves are then bound by bone name.
   */
  isBoundByName?: boolean;
}

/** A part of the character in a file of its own, such as boots, a hat or a head. */
export interface CharacterPart extends OpenedFile {
  companionFiles: CompanionFiles;
}

/** The shown model, and the results of building it. */
export interface ShownModel extends OpenedFile {
  /** Parts that share the skeleton and its animations. */
  parts: readonly CharacterPart[];
  bones: number;
  /** True if there are no meshes, lines or points. */
  hasNoSurface: boolean;
  /** Names of materials with missing textures. */
  untexturedMaterials: readonly string[];
  /** Names of companion images that no material uses. */
  unusedImages: readonly string[];
  /** Names of missing files that the scene instances. */
  missingFiles: readonly string[];
}

/** Returns the animation files without retargeting, for use with another model. */
export const withoutRetargeting = (animationFiles: readonly OpenedFile[]): readonly OpenedFile[] =>
  animationFiles.some(({ retargeted }) => retargeted)
    ? animationFiles.map(source => source.retargeted?.original ?? source)
    : animationFiles;

/**
 * One row of the animation list: a clip of a file, or several that start with the model and play
 * together.
 */
export interface AnimationRow {
  source: OpenedFile;
  /** Indices of its clips in the file. */
  indices: readonly number[];
}
