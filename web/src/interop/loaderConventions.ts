// Remembers the skeleton that each clip was made on, and how imported scenes (open.ts) are bound
// and get their materials.
import { bind } from '../core/bind.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { bindRetargeted } from '../rig/boneRetargeter.ts';
import type { Rig } from '../three/rig.ts';

/** Functions of a scene that another loader has read. */
export interface LoaderConventions {
  /** Binds by comparing the rest poses of two skeletons, whose axes and units may differ. */
  bind: typeof bindRetargeted;
  /** Gives a rig of the scene the loader's materials. */
  applyMaterials(rig: Rig): void;
  dispose(): void;
}

const conventions = new WeakMap<RigScene, LoaderConventions>();
/** Scene of the skeleton that each clip was made on. */
const skeletonOfClip = new WeakMap<Clip, RigScene>();

export function setConventions(scene: RigScene, its: LoaderConventions): void {
  conventions.set(scene, its);
}

/** Registers the skeleton of all clips in a file. */
export function registerClips<F extends Pick<RigFile, 'scene'>>(file: F): F {
  for (const clip of file.scene?.clips ?? []) skeletonOfClip.set(clip, file.scene!);
  return file;
}

/** Like `bind`, but uses the function of an imported scene if one of the two is imported. */
export const bindWithConventions: typeof bind = (clip, scene, options) => {
  const home = skeletonOfClip.get(clip);
  const other = home && home !== scene ? (conventions.get(home) ?? conventions.get(scene)) : undefined;
  return other ? other.bind(clip, home!, scene, options) : bind(clip, scene, options);
};

/** Gives the rig of an imported file the loader's materials. */
export function applyLoaderMaterials({ scene }: RigFile, rig: Rig): void {
  if (scene) conventions.get(scene)?.applyMaterials(rig);
}

export function disposeLoaderMaterials({ scene }: RigFile): void {
  if (scene) conventions.get(scene)?.dispose();
}
