// Clips that play together on one rig.
import type { BindOptions } from '../../core/bind.ts';
import type { Clip, Finding } from '../../core/types.ts';
import type { Motion } from './clips.ts';
import type { Rig } from '../rig.ts';

export interface Layered {
  motions: Motion[];
  findings(): Finding[];
  /** True if one of the clips is additive by a guess. */
  isGuessed(): boolean;
}

/** Binds clips that play together, the later ones on top. Keys of a later clip that would be added to the rest pose are added to what plays below it instead. */
export function bindLayers(rig: Rig, clips: readonly Clip[], options: BindOptions = {}): Layered {
  const result = rig.bind(clips, options);
  const motions = result.motions.map((motion, i) => {
    const isAdded = i > 0 && motion.bound?.additive.base === 'rest';
    return isAdded ? rig.bind(clips[i]!, { ...options, additive: 'layer' }).motions[0]! : motion;
  });
  return {
    motions,
    findings: () => result.report.findings,
    isGuessed: () => result.motions.some(({ bound }) => bound?.additive.isGuessed),
  };
}
