// A motion of another model: by the names of its bones where the two share them, else from body to body.
import type { BoundClip } from '../core/bind.ts';
import { FITS } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
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
  | { by: 'body'; scale: number; body: Retargeter; carry(motion: BoundClip, options?: RetargetOptions): Clip };

/** `from`: the model that the motions were made for. Null where the two neither share most of their bones nor are both human bodies. */
export function carrierOf(from: RigScene, to: RigScene): Carrier | null {
  const proportions = new Proportions(from, to);
  const { scale, share } = proportions;
  if (share >= FITS) return { by: 'names', scale, share, carry: (motion, options) => proportions.fit(motion, options).clip };
  const body = Retargeter.of(from, to);
  return body && { by: 'body', scale: body.scale, body, carry: (motion, options) => body.retarget(motion, options) };
}
