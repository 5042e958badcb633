// A file that was opened, and what a session knows of one that stands on the stage.
import type { RigFile } from '../core/open.ts';
import type { GivenFile } from './given.ts';

export interface Source {
  given: GivenFile;
  file: RigFile;
}

/** A model that stands on the stage, and what building it has told. */
export interface Shown extends Source {
  bones: number;
  /** There is no surface and no line: at most bones. */
  isBare: boolean;
  /** Textures that were looked for in vain. */
  missing: readonly string[];
  /** Names of the files that it places and that were not there. */
  missingFiles: readonly string[];
}
