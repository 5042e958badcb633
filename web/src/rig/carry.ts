// Retargets clips of another model by one of four methods, which depends on the two models:
// same bones and axes keeps rotations, fits translations to proportions proportions.ts
//   same bones, different axes     keeps rotations away from rest                      across.ts
//   two humanoids                  maps bones by their part of the body                retarget.ts
//   recorded hands                 maps joints to the fingers of a model               fingers.ts
// For all other models, the bones whose names are in both are animated.
import type { BoundClip } from '../core/bind.ts';
import { FITS } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { Crossing } from './across.ts';
import { FaceMotion } from './faceMotion.ts';
import { FingerMotion } from './fingers.ts';
import { Proportions, type ProportionOptions } from './proportions.ts';
import { Retargeter, type RetargetOptions } from './retarget.ts';
import { makeClip } from './table.ts';

/** A way to retarget clips from one model to another. */
export type Carrier =
  | {
      by: 'names';
      scale: number;
      /** Share of bones that both models have. */ share: number;
      carry(motion: BoundClip, options?: ProportionOptions): Clip;
    }
  | { by: 'body'; scale: number; body: Retargeter; carry(motion: BoundClip, options?: RetargetOptions): Clip }
  | { by: 'hands'; scale: 1; fingers: FingerMotion; carry(motion: BoundClip): Clip };

/**
 * Chooses how to retarget clips of the model `from` to the model `to`. Returns null if the models
 * share few bones, aren't both humanoids, and `from` isn't a recording of hands.
 */
export function carrierOf(from: RigScene, to: RigScene): Carrier | null {
  const carrier = bodyCarrierOf(from, to);
  if (!carrier) return null;
  const { carry }: { carry(motion: BoundClip, options?: object): Clip } = carrier;
  return { ...carrier, carry: (motion: BoundClip, options?: object) => withFace(carry(motion, options), FaceMotion.of(motion.clip, to)) };
}

/** Adds the expressions and gaze of an animation to a clip. */
function withFace(clip: Clip, face: FaceMotion | null): Clip {
  if (!face) return clip;
  const bones = [...clip.tracks].filter(({ path, target }) => path === 'weight' || !face.bones.includes(target));
  return makeClip(clip, [...bones, ...face.tracks()]);
}

/**
 * Smallest share of common bones for models that aren't humanoids. Those bones are animated and
 * keep their lengths.
 */
const SOME = 1 / 4;

function bodyCarrierOf(from: RigScene, to: RigScene): Carrier | null {
  const proportions = new Proportions(from, to);
  const { scale, share } = proportions;
  const byNames = (): Carrier => {
    const crossing = Crossing.of(from, to);
    const fit = (motion: BoundClip, options?: ProportionOptions): Clip => proportions.fit(motion, options).clip;
    return { by: 'names', scale, share, carry: crossing.isAlike ? fit : motion => crossing.carry(motion) };
  };
  if (share >= FITS) return byNames();
  const body = Retargeter.of(from, to);
  if (body) return { by: 'body', scale: body.scale, body, carry: (motion, options) => body.retarget(motion, options) };
  const fingers = FingerMotion.of(from, to);
  if (fingers) return { by: 'hands', scale: 1, fingers, carry: motion => fingers.carry(motion) };
  return share >= SOME ? byNames() : null;
}
