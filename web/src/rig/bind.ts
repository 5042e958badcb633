// The function `bind` that the package entry point rigcast/rig exports.
import { bind as bindByName, type BindByNameOptions, type BoundClip } from '../core/bind.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { bindRetargeted } from './bindRetargeted.ts';

/** Options for binding a clip to a scene. */
export interface BindOptions extends BindByNameOptions {
  /**
   * Scene with the skeleton that the clip was made for. If its world axes, unit, bone axes or rest
   * pose differ from those of the model, the clip is converted; the report lists the corrections.
   * Two humanoids whose bones have different names are matched by body part (BIND_BY_BODY).
   * Expressions and gaze are converted to curves of the model's morph targets and eyes. If
   * `retargetFrom` has no skeleton, keys are used as local values of the bones with the same names,
   * and only the unit is inferred.
   */
  retargetFrom?: RigScene;
}

/**
 * Binds a clip to the scene of a model: finds the bone of each track by name, and converts the keys
 * to the rest pose of the model. The clip can be of another file. With `retargetFrom`, the clip is
 * also retargeted. Tracks without a target are not an error; the report lists them. Throws a
 * TypeError if an option is invalid.
 */
export function bind(clip: Clip, model: RigScene, { retargetFrom, ...options }: BindOptions = {}): BoundClip {
  return retargetFrom ? bindRetargeted(clip, retargetFrom, model, options) : bindByName(clip, model, options);
}
