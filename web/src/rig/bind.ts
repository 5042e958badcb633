// `bind` of the package entry rigcast/rig.
import { bind as bindByName, type BindOptions, type BoundClip } from '../core/bind.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { bindRetargeted } from './boneRetargeter.ts';

export interface RetargetBindOptions extends BindOptions {
  /**
   * The skeleton that the clip was made for. World axes, unit, bone axes and rest pose are
   * converted if they differ from the model's; the report lists the corrections. Expressions and
   * gaze become curves of the model's morph targets and eyes. If the scene has no skeleton, values
   * count as local ones of the same bones, and only the unit is inferred.
   */
  retargetFrom?: RigScene;
}

/**
 * Binds a clip to a scene by bone names, like `bind` of `rigcast`, and retargets the clip if
 * `retargetFrom` is set. Never fails: tracks without a target are listed in the report.
 */
export function bind(clip: Clip, scene: RigScene, { retargetFrom, ...options }: RetargetBindOptions = {}): BoundClip {
  return retargetFrom ? bindRetargeted(clip, retargetFrom, scene, options) : bindByName(clip, scene, options);
}
