// Opened files, and the description of the shown model.
import type { RigFile } from '../core/open.ts';
import type { RigScene } from '../core/types.ts';
import type { RetargetedPair } from '../rig/retargetedPair.ts';
import type { Retargeter } from '../rig/retargeter.ts';
import type { InputFile } from './inputFile.ts';
import type { CompanionFiles } from './companionFiles.ts';

export interface OpenedFile {
  input: InputFile;
  file: RigFile;
  /** Set if the animations were retargeted. */
  retargeted?: Retargeting;
  /**
   * True if the visitor has turned off retargeting for this file. Curves are then bound by bone
   * name.
   */
  isBoundByName?: boolean;
}

/** How the animations of a file were retargeted. */
export interface Retargeting {
  original: OpenedFile;
  /** Name of the model that the animations were made for. */
  madeFor: string;
  /** Scene of that model. */
  from: RigScene;
  /** `none` if the skeletons have too little in common; all bones are then paired by the visitor. */
  method: Retargeter['method'] | 'none';
  /** Describes in English how bones were paired. */
  pairing: string;
  /** Number of animated bones. */
  bones: number;
  /** Pairs of bones, ordered by the bones of the model. */
  pairs: readonly RetargetedPair[];
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
