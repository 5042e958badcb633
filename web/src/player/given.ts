// A file that somebody gave, and what its path says.

export interface GivenFile {
  /** With folders, as the system gave it; for people and for telling files apart. */
  path: string;
  file: File;
  /** The file as it is now, where it can be had again; rejects where it is gone. */
  again?: (signal: AbortSignal) => Promise<File>;
}

/** Lower-case extension without the dot, '' where there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The folders above it. */
export function folderOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}
