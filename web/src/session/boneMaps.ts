// Bone maps of the visitor. The session stores them for all models. They are applied whenever an
// animation is retargeted or converted.
import type { RigScene } from '../core/types.ts';
import { type BoneMap, resolveBoneMap } from '../rig/boneMap.ts';

/** A bone map that is used for the animations of a model. */
export interface ModelBoneMap {
  /** Path of the model's file. */
  readonly path: string;
  /**
   * Identifies the skeleton that the animations were made for (see `skeletonKey`). '' for all
   * skeletons without a bone map of their own.
   */
  readonly skeleton: string;
  readonly pairs: BoneMap;
}

/** Replaces the bone map of a model and a skeleton. A map without pairs removes it. */
export function withBoneMap(all: readonly ModelBoneMap[], added: ModelBoneMap): readonly ModelBoneMap[] {
  const left = all.filter(({ path, skeleton }) => path !== added.path || skeleton !== added.skeleton);
  const hidesGeneral = added.skeleton !== '' && left.some(({ path, skeleton }) => path === added.path && skeleton === '');
  return added.pairs.length > 0 || hidesGeneral ? [...left, added] : left;
}

/** Uses one bone map for all animations of a model. */
export const withOnlyBoneMap = (all: readonly ModelBoneMap[], path: string, pairs: BoneMap): readonly ModelBoneMap[] =>
  withBoneMap(
    all.filter(each => each.path !== path),
    { path, skeleton: '', pairs },
  );

/** Returns the pairs for animations of the skeleton `from` on the model at `path`. Empty if there are none. */
export function boneMapFor(all: readonly ModelBoneMap[], path: string, from: RigScene): BoneMap {
  const own = all.filter(each => each.path === path);
  if (own.length === 0) return [];
  const key = skeletonKey(from);
  return (own.find(({ skeleton }) => skeleton === key) ?? own.find(({ skeleton }) => skeleton === ''))?.pairs ?? [];
}

/** Returns true if a bone map changes how animations of the skeleton `from` are retargeted to a model. */
export function hasBoneMap(all: readonly ModelBoneMap[], path: string, from: RigScene, to: RigScene): boolean {
  const map = boneMapFor(all, path, from);
  return map.length > 0 && resolveBoneMap(map, from, to).pairs.length > 0;
}

const keys = new WeakMap<RigScene, string>();

/** Returns a text that is the same for all skeletons with the same bone names. */
export function skeletonKey(scene: RigScene): string {
  let key = keys.get(scene);
  if (key === undefined) {
    const { names, bones } = scene.nodes;
    const hasBones = bones.some(bone => bone >= 0);
    const listed = names.filter((_, row) => row > 0 && (!hasBones || (bones[row] ?? -1) >= 0));
    keys.set(scene, (key = hashOf(listed.sort().join('\n'))));
  }
  return key;
}

/** Hash of a text as 16 hexadecimal digits: FNV-1a with two different offsets. */
function hashOf(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
  }
  return [low, high].map(half => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
