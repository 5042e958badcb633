// Remembers the skeleton that each clip was made on, and how imported scenes (open.ts) are bound
// and get their materials.
import { bind } from '../core/bind.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { bindRetargeted } from '../rig/boneRetargeter.ts';
import type { Rig } from '../three/rig.ts';

/** Functions of a scene that another loader has read. */
export interface Manners {
  /** Binds by comparing the rest poses of two skeletons, whose axes and units may differ. */
  bind: typeof bindRetargeted;
  /** Gives a rig of the scene the loader's materials. */
  wear(rig: Rig): void;
  dispose(): void;
}

const manners = new WeakMap<RigScene, Manners>();
/** Scene of the skeleton that each clip was made on. */
const homes = new WeakMap<Clip, RigScene>();

export function adopt(scene: RigScene, its: Manners): void {
  manners.set(scene, its);
}

/** Registers the skeleton of all clips in a file. */
export function remember<F extends Pick<RigFile, 'scene'>>(file: F): F {
  for (const clip of file.scene?.clips ?? []) homes.set(clip, file.scene!);
  return file;
}

/** Like `bind`, but uses the function of an imported scene if one of the two is imported. */
export const bindAny: typeof bind = (clip, scene, options) => {
  const home = homes.get(clip);
  const other = home && home !== scene ? (manners.get(home) ?? manners.get(scene)) : undefined;
  return other ? other.bind(clip, home!, scene, options) : bind(clip, scene, options);
};

/** Gives the rig of an imported file the loader's materials. */
export function wear({ scene }: RigFile, rig: Rig): void {
  if (scene) manners.get(scene)?.wear(rig);
}

export function unwear({ scene }: RigFile): void {
  if (scene) manners.get(scene)?.dispose();
}
