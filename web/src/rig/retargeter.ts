// Retargets clips that were made for another model. `createRetargeter` chooses one of these
// methods:
//
// - proportions.ts: same bones and axes. Keeps rotations and fits translations to the proportions.
// - boneRetargeter.ts: same bones, different axes. Keeps rotations relative to the rest pose.
// - bodyRetargeter.ts: two humanoids or two quadrupeds. Pairs bones by body part.
// - handRetargeter.ts: recorded hands. Pairs recorded joints with finger bones.
//
// The first two methods need two thirds of the bone names to match, or a quarter if the other
// methods can't be used. If the legs of the two bodies differ, they also use bodyRetargeter.ts
// to plant the feet.
import { bind, type BoundClip } from '../core/bind.ts';
import { FITS } from '../core/match.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { type BoneMap, resolveBoneMap, type StatedPair } from './boneMap.ts';
import { BoneRetargeter } from './boneRetargeter.ts';
import { FaceRetargeter } from './faceRetargeter.ts';
import { HandRetargeter } from './handRetargeter.ts';
import { BodyRetargeter, type BodyRetargetOptions } from './bodyRetargeter.ts';
import { Proportions, type ProportionOptions } from './proportions.ts';
import type { RetargetedPair } from './retargetedPair.ts';
import { clipOf, makeClip, namedTrack } from './table.ts';

/**
 * Options of `Retargeter.retarget`. The method 'names' uses `translations`, the method 'body' the
 * other options. If the legs of two bodies differ, 'names' also uses `plantFeet` and
 * `frameRate`, unless `translations` is given.
 */
export interface RetargetOptions extends ProportionOptions, BodyRetargetOptions {}

/**
 * Retargets clips of one model to another. Create one retargeter per pair of models with
 * `createRetargeter`.
 */
export type Retargeter = {
  /** Size of the model relative to the model that the clips were made for. */
  readonly scale: number;
  /**
   * Retargets `clip`, which must be bound to the model that it was made for. Bind the returned clip
   * to the other model by name.
   */
  retarget(clip: BoundClip, options?: RetargetOptions): Clip;
  /** Returns the pairs of bones that the retargeter uses, ordered by the bones of the model. */
  pairs(): RetargetedPair[];
} & RetargetMethod;

/**
 * How the retargeter pairs bones: by bone name, by body part, or by pairing recorded joints with
 * finger bones.
 */
type RetargetMethod =
  | {
      readonly method: 'names';
      /** Fraction of the bones in the clip's skeleton that also exist in the model, 0 to 1. */
      readonly share: number;
    }
  | { readonly method: 'body'; readonly bodies: BodyRetargeter }
  | { readonly method: 'hands'; readonly hands: HandRetargeter };

/**
 * Chooses a method for retargeting clips of the model `from` to the model `to`. Retargeting needs
 * common bone names, two humanoids, two quadrupeds, or a hand recording as `from`. Returns null for
 * other models. `boneMap`: pairs of bones that override those that the method finds. With it, any two
 * models can be retargeted. A map that moves bones other than fingers by a hand recording pairs all
 * bones by name.
 */
export function createRetargeter(from: RigScene, to: RigScene, boneMap: BoneMap = []): Retargeter | null {
  const { pairs } = resolveBoneMap(boneMap, from, to);
  const retargeter = pairs.length > 0 ? chooseRetargeter(from, to, pairs) : retargeterOf(from, to);
  return (
    retargeter && {
      ...retargeter,
      retarget: (clip, options) => withFace(retargeter.retarget(clip, options), FaceRetargeter.of(clip.clip, to)),
    }
  );
}

/** Describes in English how the bones are paired, and the factor for sizes or travel. */
export function pairingOf(retargeter: Retargeter): string {
  const factor = `times ${retargeter.scale.toFixed(3)}`;
  if (retargeter.method === 'names') return `by bone name, ${Math.round(100 * retargeter.share)} % match, size ${factor}`;
  if (retargeter.method === 'hands') return `from recorded hands, ${retargeter.hands.bones.length} finger bones, size ${factor}`;
  const { bones, source, target } = retargeter.bodies;
  return `by body part, ${bones.length} parts, found by ${source.detectedFrom} and ${target.detectedFrom}, travel ${factor}`;
}

/** Adds retargeted expressions and gaze of a VRM animation to a clip. */
function withFace(clip: Clip, face: FaceRetargeter | null): Clip {
  if (!face) return clip;
  const bones = [...clip.tracks].filter(({ path, target }) => path === 'weight' || !face.bones.includes(target));
  return makeClip(clip, [...bones, ...face.tracks()]);
}

/** Minimum fraction of common bone names for the method 'names' if no other method can be used. */
const SOME = 1 / 4;

const cache = new WeakMap<RigScene, WeakMap<RigScene, Retargeter | null>>();

/** Like `createRetargeter`, but leaves out expressions and gaze. One retargeter is cached per pair of scenes. */
export function retargeterOf(from: RigScene, to: RigScene): Retargeter | null {
  const models = cache.get(from) ?? new WeakMap<RigScene, Retargeter | null>();
  cache.set(from, models);
  const known = models.get(to);
  if (known !== undefined) return known;
  const made = chooseRetargeter(from, to);
  models.set(to, made);
  return made;
}

function chooseRetargeter(from: RigScene, to: RigScene, stated: readonly StatedPair[] = []): Retargeter | null {
  const proportions = new Proportions(from, to);
  const { scale, share } = proportions;
  const byNames = (): Retargeter => {
    const bones = BoneRetargeter.of(from, to, false, stated);
    // `Proportions` pairs bones by name only.
    const hasSameAxes = stated.length === 0 && bones.hasSameAxes;
    const bodies = BodyRetargeter.of(from, to, stated);
    const needsCorrection = bodies?.needsLegCorrection(!hasSameAxes);
    const retarget: Retargeter['retarget'] = (clip, options = {}) => {
      if (!bodies || !needsCorrection || (options.translations ?? 'auto') !== 'auto')
        return hasSameAxes ? proportions.fit(clip, options).clip : bones.retarget(clip);
      const copied = hasSameAxes ? bind(proportions.fit(clip).clip, to).tracks : bones.tracks(clip);
      const corrected = (bodies.correctLimbs(clip, copied, options) ?? copied).filter(({ node }) => node >= 0);
      return clipOf(
        clip,
        corrected.map(track => namedTrack(track, to.nodes, track.node)),
      );
    };
    return { method: 'names', scale, share, retarget, pairs: () => (hasSameAxes ? proportions : bones).pairs() };
  };
  if (share >= FITS) return byNames();
  const bodies = BodyRetargeter.of(from, to, stated);
  if (bodies) {
    const retarget: Retargeter['retarget'] = (clip, options) => bodies.retarget(clip, options);
    return { method: 'body', scale: bodies.scale, bodies, retarget, pairs: () => bodies.pairs() };
  }
  const hands = HandRetargeter.of(from, to, stated);
  if (hands) return { method: 'hands', scale: 1, hands, retarget: clip => hands.retarget(clip), pairs: () => hands.pairs() };
  if (stated.length > 0) return byNames();
  return share >= SOME ? byNames() : null;
}
