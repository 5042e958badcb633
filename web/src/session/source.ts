// A file that was opened, and what a session knows of one that stands on the stage.
import type { RigFile } from '../core/open.ts';
import type { Carrier } from '../rig/carry.ts';
import type { GivenFile } from './given.ts';
import type { Shelf } from './shelf.ts';

export interface Source {
  given: GivenFile;
  file: RigFile;
  /** Of motions that were carried over from another model: as they were, whose they are, how they came, and how many bones they move now. */
  carried?: { original: Source; owner: string; by: Carrier['by']; bones: number };
  /** Somebody wants them bone by bone, whatever they were made for. */
  isAsIs?: boolean;
}

/** A part of the same character that is a file of its own: boots, a hat, a head. */
export interface Piece extends Source {
  shelf: Shelf;
}

/** A model that stands on the stage, and what building it has told. */
export interface Shown extends Source {
  /** What stands on its skeleton, and moves as it does. */
  pieces: readonly Piece[];
  bones: number;
  /** There is no surface and no line: at most bones. */
  isBare: boolean;
  /** Materials without the textures that were looked for. */
  missing: readonly string[];
  /** Names of images that were given with it and that no material has taken. */
  spareImages: readonly string[];
  /** Names of the files that it places and that were not there. */
  missingFiles: readonly string[];
}

/** Motions as their files have them: what was carried over to one model says nothing to another. */
export const asGiven = (sources: readonly Source[]): readonly Source[] =>
  sources.some(({ carried }) => carried) ? sources.map(source => source.carried?.original ?? source) : sources;

/** One motion of the list: a clip of a file, or several that start by themselves and play together. */
export interface Row {
  source: Source;
  /** Rows of its clips. */
  indices: readonly number[];
}
