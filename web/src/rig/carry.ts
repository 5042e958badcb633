// A motion of another model. There are four ways, and the two models decide which one is taken:
//   the same bones, built alike       rotations stay, translations go by the proportions      proportions.ts
//   the same bones, built otherwise   by how far each bone has turned away from rest           across.ts
//   two human bodies                  by what each bone is of the body                         retarget.ts
//   recorded hands                    joints to the fingers of a model                         fingers.ts
// Of bodies that are none of these the bones that both have move, by names.
import type { BoundClip } from '../core/bind.ts';
import { FITS } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { Crossing } from './across.ts';
import { FaceMotion } from './faceMotion.ts';
import { FingerMotion } from './fingers.ts';
import { Proportions, type ProportionOptions } from './proportions.ts';
import { Retargeter, type RetargetOptions } from './retarget.ts';
import { makeClip } from './table.ts';

/** How motions of one model come to another. */
export type Carrier =
  | {
      by: 'names';
      scale: number;
      /** The share of bones that both have. */ share: number;
      carry(motion: BoundClip, options?: ProportionOptions): Clip;
    }
  | { by: 'body'; scale: number; body: Retargeter; carry(motion: BoundClip, options?: RetargetOptions): Clip }
  | { by: 'hands'; scale: 1; fingers: FingerMotion; carry(motion: BoundClip): Clip };

/** `from`: the model that the motions were made for. Null where the two share next to no bones, are not both human bodies, and `from` is no recording of hands that `to` has. */
export function carrierOf(from: RigScene, to: RigScene): Carrier | null {
  const carrier = bodyCarrierOf(from, to);
  if (!carrier) return null;
  const { carry }: { carry(motion: BoundClip, options?: object): Clip } = carrier;
  return { ...carrier, carry: (motion: BoundClip, options?: object) => withFace(carry(motion, options), FaceMotion.of(motion.clip, to)) };
}

/** The clip with what the motion does to the face. */
function withFace(clip: Clip, face: FaceMotion | null): Clip {
  if (!face) return clip;
  const bones = [...clip.tracks].filter(({ path, target }) => path === 'weight' || !face.bones.includes(target));
  return makeClip(clip, [...bones, ...face.tracks()]);
}

/** The share of bones that two beasts or robots have in common: those move, and keep their own lengths. */
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
