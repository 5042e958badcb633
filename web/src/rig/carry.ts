// A motion of another model: by the names of its bones where the two share them, else from body to body, or from recorded hands to fingers.
import type { BoundClip } from '../core/bind.ts';
import { FITS } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { FingerMotion } from './fingers.ts';
import { Proportions, type ProportionOptions } from './proportions.ts';
import { Retargeter, type RetargetOptions } from './retarget.ts';

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

/** `from`: the model that the motions were made for. Null where the two share few bones, are not both human bodies, and `from` is no recording of hands that `to` has. */
export function carrierOf(from: RigScene, to: RigScene): Carrier | null {
  const proportions = new Proportions(from, to);
  const { scale, share } = proportions;
  if (share >= FITS) return { by: 'names', scale, share, carry: (motion, options) => proportions.fit(motion, options).clip };
  const body = Retargeter.of(from, to);
  if (body) return { by: 'body', scale: body.scale, body, carry: (motion, options) => body.retarget(motion, options) };
  const fingers = FingerMotion.of(from, to);
  return fingers && { by: 'hands', scale: 1, fingers, carry: motion => fingers.carry(motion) };
}
