// The function `bind` that the package entry point rigcast/rig exports.
import { bind as bindByName, type BindOptions, type BoundClip } from '../core/bind.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { bindRetargeted } from './boneRetargeter.ts';

export interface RetargetBindOptions extends BindOptions {
  /**
   * Scene with the skeleton that the clip was made for. If its world axes, unit, bone axes or rest
   * pose differ from those of the model, the clip is converted; the report lists the corrections.
   * Expressions and gaze are converted to curves of the model's morph targets and eyes. If
   * `retargetFrom` has no skeleton, keys are used as local values of the bones with the same names,
   * and only the unit is inferred.
   */
  retargetFrom?: RigScene;
}

/**
 * Binds a clip to a scene by bone names, as `bind` of `rigcast` does, and retargets the clip if
 * `retargetFrom` is set. Never throws: the report lists tracks without a target.
 */
export function bind(clip: Clip, scene: RigScene, { retargetFrom, ...options }: RetargetBindOptions = {}): BoundClip {
  return retargetFrom ? bindRetargeted(clip, retargetFrom, scene, options) : bindByName(clip, scene, options);
}
