// Where motions come from, and what scenes of other kinds need (foreign.ts): how they are bound, and what they wear.
import { bind } from '../core/bind.ts';
import type { RigFile } from '../core/open.ts';
import type { Clip, RigScene } from '../core/types.ts';
import type { bindAcross } from '../rig/across.ts';
import type { Rig } from '../three/rig.ts';

/** What a scene brings along that was not opened by rigcast's own readers. */
export interface Manners {
  /** By what two skeletons look like at rest: bones of one name differ in axes and units. */
  bind: typeof bindAcross;
  /** Gives a rig of the scene the looks that its loader made. */
  wear(rig: Rig): void;
  dispose(): void;
}

const manners = new WeakMap<RigScene, Manners>();
/** The skeletons that motions were made on. */
const homes = new WeakMap<Clip, RigScene>();

export function adopt(scene: RigScene, its: Manners): void {
  manners.set(scene, its);
}

/** Remembers on which skeleton a file's motions were made. */
export function remember<F extends Pick<RigFile, 'scene'>>(file: F): F {
  for (const clip of file.scene?.clips ?? []) homes.set(clip, file.scene!);
  return file;
}

/** As `bind`; between files of ours and of others as the other's manners are. */
export const bindAny: typeof bind = (clip, scene, options) => {
  const home = homes.get(clip);
  const other = home && home !== scene ? (manners.get(home) ?? manners.get(scene)) : undefined;
  return other ? other.bind(clip, home!, scene, options) : bind(clip, scene, options);
};

/** The rig of a file of another kind looks as its loader says. */
export function wear({ scene }: RigFile, rig: Rig): void {
  if (scene) manners.get(scene)?.wear(rig);
}

export function unwear({ scene }: RigFile): void {
  if (scene) manners.get(scene)?.dispose();
}
