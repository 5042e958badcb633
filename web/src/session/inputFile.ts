// A file that the visitor has opened, with its path.

export interface InputFile {
  /** Path with folders, as provided by the browser. The path identifies the file. */
  path: string;
  file: File;
  /**
   * Reads the file again from disk or its URL. Rejects if the file no longer exists. Undefined if
   * the browser cannot read the file again.
   */
  reread?: (signal: AbortSignal) => Promise<File>;
}
