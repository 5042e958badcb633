// A file that was opened, and what a session knows of one that stands on the stage.
import type { RigFile } from '../core/open.ts';
import type { Carrier } from '../rig/carry.ts';
import type { InputFile } from './inputFile.ts';
import type { CompanionFiles } from './companionFiles.ts';

export interface OpenedFile {
  given: InputFile;
  file: RigFile;
  /** Of motions that were retargeted over from another model: as they were, whose they are, how they came, and how many bones they move now. */
  retargeted?: { original: OpenedFile; owner: string; by: Carrier['by']; bones: number };
  /** Somebody wants them bone by bone, whatever they were made for. */
  isBoundByName?: boolean;
}

/** A part of the same character that is a file of its own: boots, a hat, a head. */
export interface CharacterPart extends OpenedFile {
  companionFiles: CompanionFiles;
}

/** A model that stands on the stage, and what building it has told. */
export interface ShownModel extends OpenedFile {
  /** What stands on its skeleton, and moves as it does. */
  pieces: readonly CharacterPart[];
  bones: number;
  /** There is no surface and no line: at most bones. */
  hasNoSurface: boolean;
  /** Materials without the textures that were looked for. */
  untexturedMaterials: readonly string[];
  /** Names of images that were given with it and that no material has taken. */
  unusedImages: readonly string[];
  /** Names of the files that it places and that were not there. */
  missingFiles: readonly string[];
}

/** Motions as their files have them: what was retargeted over to one model says nothing to another. */
export const asGiven = (animationFiles: readonly OpenedFile[]): readonly OpenedFile[] =>
  animationFiles.some(({ retargeted }) => retargeted)
    ? animationFiles.map(source => source.retargeted?.original ?? source)
    : animationFiles;

/** One motion of the list: a clip of a file, or several that start by themselves and play together. */
export interface AnimationRow {
  source: OpenedFile;
  /** Rows of its clips. */
  indices: readonly number[];
}
