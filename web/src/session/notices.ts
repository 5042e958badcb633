// Notices about dropped files that were skipped, as codes with arguments. The page has the
// sentences.

/**
 * A file inside an archive that can't be unpacked. `method` is the ZIP number of its compression
 * method; `large` means that it needs ZIP64.
 */
export interface SkippedEntry {
  name: string;
  why: 'encrypted' | 'method' | 'large' | 'damaged';
  method: number;
}

export type Notice =
  | { code: 'too-many-files'; most: number }
  /** The archive is damaged, or too large to unpack. */
  | { code: 'archive-skipped'; name: string; isLarge: boolean }
  /** Some files inside an archive could not be unpacked. */
  | { code: 'not-unpacked'; name: string; entries: readonly SkippedEntry[] }
  /** Only the animation files with names similar to the models were opened. */
  | { code: 'too-many-animations'; opened: number; all: number }
  | { code: 'unreadable-animations'; names: readonly string[] }
  /**
   * Several models were opened that are not parts of one character. `of` is their number;
   * `hasAnimations` is true if the shown one was chosen for its animations.
   */
  | { code: 'several-models'; name: string; of: number; hasAnimations: boolean }
  /** No open file refers to these companion files. */
  | { code: 'unused-companions'; names: readonly string[]; areImages: boolean };
