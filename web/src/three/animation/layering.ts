// Binds clips that play together on one rig.
import type { BindByNameOptions } from '../../core/bind.ts';
import type { Clip, Finding } from '../../core/types.ts';
import type { RigClip } from './rigClip.ts';
import type { Rig } from '../rig.ts';

export interface Layered {
  clips: RigClip[];
  findings(): Finding[];
  /** Returns true if a clip is treated as additive although its file doesn't say so. */
  isGuessed(): boolean;
}

/**
 * Binds clips that play together as layers; later clips are on top of earlier ones. Additive keys
 * of a clip are added to the result of the clips below it instead of to the rest pose.
 */
export function bindLayers(rig: Rig, clips: readonly Clip[], options: BindByNameOptions = {}): Layered {
  const result = rig.bind(clips, options);
  const layered = result.clips.map((clip, i) => {
    const isAdded = i > 0 && clip.bound?.additive.base === 'rest';
    // A new array is the source, because the rig keeps each result as long as its source.
    return isAdded ? rig.bind([clips[i]!], { ...options, additive: 'layer' }).clips[0]! : clip;
  });
  return {
    clips: layered,
    findings: () => result.report.findings,
    isGuessed: () => result.clips.some(({ bound }) => bound?.additive.isGuessed),
  };
}
