// A file that the visitor opened, with its path.

export interface InputFile {
  /** Path with folders, as the system gave it. Identifies the file. */
  path: string;
  file: File;
  /**
   * Reads the file again from disk; rejects if it no longer exists. Absent if the browser cannot
   * read it again.
   */
  reread?: (signal: AbortSignal) => Promise<File>;
}
