// Notices about dropped files, for example files that were skipped, as codes with arguments. The
// page contains the sentences.

/**
 * A file inside an archive that can't be unpacked. `why`: reason; `large` means that the file needs
 * ZIP64. `method`: compression method of the file, a number of the ZIP format.
 */
export interface SkippedEntry {
  name: string;
  why: 'encrypted' | 'method' | 'large' | 'damaged';
  method: number;
}

export type Notice =
  | { code: 'too-many-files'; maxFiles: number }
  /** The archive is damaged, or too large to unpack. */
  | { code: 'archive-skipped'; name: string; isLarge: boolean }
  /** Some files inside an archive could not be unpacked. */
  | { code: 'not-unpacked'; name: string; entries: readonly SkippedEntry[] }
  /**
   * There are too many animation files, so only those with names similar to the models' names were
   * opened.
   */
  | { code: 'too-many-animations'; opened: number; all: number }
  | { code: 'unreadable-animations'; names: readonly string[] }
  /**
   * Several models were dropped that do not belong to one character. `name`: the model that is
   * shown. `of`: number of models. `reason`: in what this model exceeds each of the others; null if
   * there is no such thing.
   */
  | { code: 'several-models'; name: string; of: number; reason: 'animations' | 'vertices' | null }
  /** No open file uses these companion files. */
  | { code: 'unused-companions'; names: readonly string[]; areImages: boolean };
