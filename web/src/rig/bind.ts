// The function `bind` of the package entry point rigcast/rig.
import { bind as bindByName, type BindOptions, type BoundClip } from '../core/bind.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { bindRetargeted } from './boneRetargeter.ts';

export interface RetargetBindOptions extends BindOptions {
  /**
   * Scene with the skeleton that the clip was made for. World axes, unit, bone axes and rest pose
   * are converted if they differ from those of the model; the report lists the corrections.
   * Expressions and gaze are converted to curves of the model's morph targets and eyes. If
   * `retargetFrom` has no skeleton, keys are used as local values of the bones with the same names,
   * and only the unit is inferred.
   */
  retargetFrom?: RigScene;
}

/**
 * Binds a clip to a scene by bone names, as `bind` of `rigcast` does, and retargets the clip if
 * `retargetFrom` is set. Never fails: tracks without a target are listed in the report.
 */
export function bind(clip: Clip, scene: RigScene, { retargetFrom, ...options }: RetargetBindOptions = {}): BoundClip {
  return retargetFrom ? bindRetargeted(clip, retargetFrom, scene, options) : bindByName(clip, scene, options);
}
