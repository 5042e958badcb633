// Registers the skeleton that each clip was made on, and for imported scenes (open.ts) the
// functions that bind clips to them and give their rigs the loader's materials.
import { bind } from '../core/bind.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { bindRetargeted } from '../rig/boneRetargeter.ts';
import type { Rig } from '../three/rig.ts';

/** Functions for a scene that a loader of three.js has read. */
export interface LoaderConventions {
  /** Binds by comparing the rest poses of two skeletons, whose axes and units may differ. */
  bind: typeof bindRetargeted;
  /** Replaces the materials of a rig by those of the loader. */
  applyMaterials(rig: Rig): void;
  dispose(): void;
}

const conventions = new WeakMap<RigScene, LoaderConventions>();
/** The scene with the skeleton that a clip was made on. */
const skeletonOfClip = new WeakMap<Clip, RigScene>();

export function setConventions(scene: RigScene, own: LoaderConventions): void {
  conventions.set(scene, own);
}

/** Registers the scene of a file as the skeleton of its clips. Returns the file. */
export function registerClips<F extends Pick<RigFile, 'scene'>>(file: F): F {
  for (const clip of file.scene?.clips ?? []) skeletonOfClip.set(clip, file.scene!);
  return file;
}

/**
 * Binds a clip to a scene. If the clip's own scene or the target scene is imported, calls `bind` of
 * its conventions. In all other cases it is `bind` of core.
 */
export const bindWithConventions: typeof bind = (clip, scene, options) => {
  const source = skeletonOfClip.get(clip);
  const other = source && source !== scene ? (conventions.get(source) ?? conventions.get(scene)) : undefined;
  return other ? other.bind(clip, source!, scene, options) : bind(clip, scene, options);
};

/** Replaces the materials of a rig by those of the loader, if the file is imported. */
export function applyLoaderMaterials({ scene }: RigFile, rig: Rig): void {
  if (scene) conventions.get(scene)?.applyMaterials(rig);
}

/** Frees the loader's materials of an imported file. */
export function disposeLoaderMaterials({ scene }: RigFile): void {
  if (scene) conventions.get(scene)?.dispose();
}
