// Finds files with encoded images for files that a loader of three.js opened. The loader decodes the
// images, so that a conversion could not store them.
import type { RigFile } from '../core/open.ts';
import type { RigScene } from '../core/types.ts';

const reopened = new WeakMap<RigScene, () => Promise<RigFile>>();

/** Registers a function that opens the file of a scene again, with encoded images. */
export function setEncoded(scene: RigScene, reopen: () => Promise<RigFile>): void {
  reopened.set(scene, reopen);
}

/**
 * Returns the same file with encoded images, if a loader of three.js opened it. Returns all other
 * files unchanged.
 */
export async function encodedFile(file: RigFile): Promise<RigFile> {
  const encoded = await (file.scene && reopened.get(file.scene))?.();
  return encoded?.scene ? { ...encoded, report: file.report } : file;
}
