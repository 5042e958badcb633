// A file that the visitor has opened, with its path.
import type { RangesRefused } from '../core/ranges.ts';
import type { RangedFile } from './rangedFile.ts';

/** A file in memory or on this device, or a large file on a server that is read in parts. */
export type SourceFile = File | RangedFile;

/** An input file that is not read in parts. */
export type LocalInput = InputFile & { file: File };

export const isLocal = (input: InputFile): input is LocalInput => input.file instanceof File;

export interface InputFile {
  /** Path with folders, as provided by the browser. The path identifies the file. */
  path: string;
  file: SourceFile;
  /** Reason why a file from a server was downloaded as a whole, although its format can be read in parts. */
  refused?: RangesRefused;
  /**
   * Reads the file again from disk or its URL. Rejects if the file no longer exists. Undefined if
   * the browser cannot read the file again.
   */
  reread?: (signal: AbortSignal) => Promise<SourceFile>;
}
