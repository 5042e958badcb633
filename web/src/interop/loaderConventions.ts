// Stores which skeleton each clip was made for. For scenes that were imported with a loader of
// three.js (open.ts), also stores functions that bind clips to the scene and apply the loader's
// materials to its rigs.
import { bind } from '../core/bind.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { bindRetargeted } from '../rig/bindRetargeted.ts';
import type { Rig, RigSource } from '../three/rig.ts';
import type { MaterialVariants } from './variants.ts';

/** Functions for a scene that was imported with a loader of three.js. */
export interface LoaderConventions {
  /** Binds a clip by comparing the rest poses of two skeletons, whose axes and units may differ. */
  bind: typeof bindRetargeted;
  /** Replaces the materials of a rig by those of the loader. */
  applyMaterials(rig: Rig): void;
  /** Material variants of the file; null if it has none. */
  variants: MaterialVariants | null;
  dispose(): void;
}

const conventions = new WeakMap<RigScene, LoaderConventions>();
/** Maps each clip to the scene that it was made for. */
const skeletonOfClip = new WeakMap<Clip, RigScene>();

export function setConventions(scene: RigScene, own: LoaderConventions): void {
  conventions.set(scene, own);
}

/** Registers the scene of a file as the scene that its clips were made for. Returns the file. */
export function registerClips<F extends Pick<RigFile, 'scene'>>(file: F): F {
  for (const clip of file.scene?.clips ?? []) skeletonOfClip.set(clip, file.scene!);
  return file;
}

/**
 * Binds a clip to a scene by the names of bones. If the clip was made for another scene and one of
 * the two scenes is imported, uses the `bind` function of its conventions. Otherwise uses `bind` of
 * core/bind.ts.
 */
export const bindWithConventions: typeof bind = (clip, scene, options) => bindFor(clip, scene, options, 'names');

/** Like `bindWithConventions`, but pairs bones by body part if their names don't match. */
export const bindByNameOrBody: typeof bind = (clip, scene, options) => bindFor(clip, scene, options);

function bindFor(clip: Clip, scene: RigScene, options: Parameters<typeof bind>[2], method?: 'names'): ReturnType<typeof bind> {
  const source = skeletonOfClip.get(clip);
  const other = source && source !== scene ? (conventions.get(source) ?? conventions.get(scene)) : undefined;
  return other ? other.bind(clip, source!, scene, options, method) : bind(clip, scene, options);
}

/** Replaces the materials of a rig by those of the loader, if the file is imported. */
export function applyLoaderMaterials({ scene }: RigFile, rig: Rig): void {
  if (scene) conventions.get(scene)?.applyMaterials(rig);
}

/** Returns the material variants of an imported file; null if it has none. */
export function variantsIn({ scene }: RigSource): MaterialVariants | null {
  return (scene && conventions.get(scene)?.variants) ?? null;
}

/** Frees the loader's materials of an imported file. */
export function disposeLoaderMaterials({ scene }: RigFile): void {
  if (scene) conventions.get(scene)?.dispose();
}
