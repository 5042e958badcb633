// Remembers from which bytes each scene was read, for converters.
import type { Supplied } from './instance.ts';
import type { RigScene } from './types.ts';

/** The bytes of the files from which a scene was read. */
export interface FileContents {
  bytes: Uint8Array;
  /** Companion files that were found or decrypted. */
  supplied: readonly Supplied[];
}

interface Contents {
  /** Total size in bytes of the file and its companions. */
  byteLength: number;
  read: () => Promise<FileContents>;
}

const contents = new WeakMap<RigScene, Contents>();

/** Remembers the contents of the file from which `open` read a scene. */
export const rememberContents = (scene: RigScene, of: Contents): void => void contents.set(scene, of);

/**
 * Returns the bytes from which a scene was read, for writers of the same format. Null if `open` did
 * not return this scene, for example if it is a modified copy.
 */
export async function contentsOf(scene: RigScene): Promise<FileContents | null> {
  return (await contents.get(scene)?.read()) ?? null;
}

/**
 * Returns the total size in bytes of the file from which a scene was read and its companions.
 * Undefined if `open` did not return this scene, for example if it is a modified copy.
 */
export function inputOf(scene: RigScene): number | undefined {
  return contents.get(scene)?.byteLength;
}
