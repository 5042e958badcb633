// A file that the visitor opened, with its path.

export interface InputFile {
  /** With folders, as the system gave it; for people and for telling files apart. */
  path: string;
  file: File;
  /** Reads the file again from disk; rejects if it no longer exists. Absent if the browser cannot read it again. */
  again?: (signal: AbortSignal) => Promise<File>;
}
