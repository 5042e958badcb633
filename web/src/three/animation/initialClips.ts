// Finds and plays the clips that start automatically. In Unity, each animation component plays a
// clip on its own object, and all of them play together.
import { type AnimationAction, type AnimationMixer, LoopOnce, LoopPingPong, LoopRepeat } from 'three';
import { member, numberIn } from '../../core/properties.ts';
import type { RigScene } from '../../core/types.ts';
import type { RigClip } from './rigClip.ts';

/**
 * Returns the indices in `scene.clips` of the clips that start automatically: one clip for each
 * visible object with an enabled animation component.
 */
export function initialClipIndices({ clips, features, nodes: { parents, visible } }: RigScene): number[] {
  const isShown = (row: number): boolean => {
    for (; row >= 0 && row < visible.length; row = parents[row]!) if (!visible[row]) return false;
    return true;
  };
  const found = new Set<number>();
  for (const { kind, node = -1, properties } of features) {
    if (
      kind !== 'animation' ||
      member(properties, 'playAutomatically') !== true ||
      member(properties, 'enabled') === false ||
      !isShown(node)
    )
      continue;
    const clip = numberIn(properties, 'clip', -1);
    if (clips[clip]) found.add(clip);
  }
  return [...found];
}

/** Plays clips on a mixer with the loop modes that the file declares. Returns their actions. */
export function startClips(clips: readonly RigClip[], mixer: AnimationMixer): AnimationAction[] {
  return clips.map(clip => {
    const action = clip.clipAction(mixer);
    action.setLoop(clip.pingPong ? LoopPingPong : clip.loop ? LoopRepeat : LoopOnce, clip.loop ? Infinity : 1);
    action.clampWhenFinished = true;
    return action.reset().play();
  });
}
