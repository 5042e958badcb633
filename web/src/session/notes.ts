// What was left out while files were opened, as codes with arguments.

/** A file inside an archive that cannot be unpacked. `method`: the number of its compression method; `large`: it needs ZIP64. */
export interface LeftOut {
  name: string;
  why: 'encrypted' | 'method' | 'large' | 'damaged';
  method: number;
}

/** What was left out while files were opened. */
export type Note =
  | { code: 'too-many-files'; most: number }
  /** An archive that is damaged, or too large to unpack. */
  | { code: 'archive-left-out'; name: string; isLarge: boolean }
  /** Some files inside an archive. */
  | { code: 'not-unpacked'; name: string; entries: readonly LeftOut[] }
  /** Of so many motions in the library only some are opened: those that are called like its models. */
  | { code: 'too-many-motions'; opened: number; all: number }
  | { code: 'unread-motions'; names: readonly string[] }
  /** The first of several models that are not parts of one character, and why it is shown first. `of`: number of models. */
  | { code: 'one-of-many'; name: string; of: number; hasAnimations: boolean }
  /** Companions that nothing of what is open has asked for. */
  | { code: 'unwanted'; names: readonly string[]; areImages: boolean };
