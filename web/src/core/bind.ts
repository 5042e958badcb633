// A motion meets a model: which node every track moves, and what its values mean on that model's rest pose. No three.js.
//
// Rules: psk-psa (binding by name, lost tracks, additive motions) and cast (modes and overrides).
import { finding, makeReport, someOf } from './bindReport.ts';
import { boundTrack } from './bindValues.ts';
import { type BindOptions, type BoundClip, boundLater, type BoundTrack, checkOptions } from './bound.ts';
import { trackWidth } from './description.ts';
import { type Additive, decideAdditive, inspectMotion, type Looks, type Pair } from './looks.ts';
import { type Meeting, meetModel } from './meeting.ts';
import { factsOf, type SkeletonRows } from './sceneFacts.ts';
import type { Clip, Finding, RigScene } from './types.ts';

export { someOf } from './bindReport.ts';
export { findNodes } from './bindTargets.ts';
export type { BindOptions, BindReport, BoundClip, BoundTrack } from './bound.ts';

/** Binds a clip to a scene, its own or another file's. Never fails: what finds no partner is in the report. */
export function bind(clip: Clip, scene: RigScene, options: BindOptions = {}): BoundClip {
  checkOptions(options);
  let meeting: Meeting | undefined;
  let looks: ReturnType<typeof inspectMotion> | undefined;
  const meet = (): Meeting => (meeting ??= meetModel(clip, scene, options));
  const inspect = (): ReturnType<typeof inspectMotion> => (looks ??= inspectMotion(clip, meet().pairs, scene, factsOf(scene).skeleton));
  const bound = boundLater(
    clip,
    () => {
      clip.tracks.make?.();
      return makeTracks(meet(), inspect, bound.additive, scene, options);
    },
    () => makeReport(meet(), inspect, bound, scene, options),
    () => decideAdditive(clip, options.additive, () => inspect().verdict),
  );
  return bound;
}

/** Detects additive animations, with the evidence: the declaration of the file, or, if its format has none, the looks of the keys on this model. */
export function additiveLooks(clip: Clip, scene: RigScene): Looks {
  return inspectMotion(clip, meetModel(clip, scene, {}).pairs, scene, factsOf(scene).skeleton).verdict;
}

/** What a file's own motion asks of its meshes and none of them has: a shape, a mesh. Motions that move nodes alone are not looked at. */
export function curvesWithoutTarget(clip: Clip, scene: RigScene): Finding[] {
  const asksMeshes = (['weight', 'shown', 'material'] as const).some(path => clip.tracks.uses?.(path));
  if (!asksMeshes || scene.renderers.length === 0) return [];
  const { unmatched } = meetModel(clip, scene, {});
  return unmatched.size > 0 ? [finding('CURVE_NOT_PLAYED', 'info', clip.name, someOf([...unmatched]), unmatched.size)] : [];
}

function makeTracks(
  { pairs, morphs, shown, overrides }: Meeting,
  inspect: () => ReturnType<typeof inspectMotion>,
  { base }: Additive,
  scene: RigScene,
  options: BindOptions,
): BoundTrack[] {
  const { skeleton } = factsOf(scene);
  const stripped = options.motion === 'strip-zero-tracks' ? inspect().stripped : undefined;
  const traveller = options.lockRoot ? travellerOf(pairs, skeleton) : -1;
  const travellers = new Set([traveller, ...factsOf(scene).names.twins(traveller)]);
  const tracks = [...morphs, ...shown];
  for (const { track, node } of pairs) {
    const { path } = track;
    if (options.motion === 'rotation-only' && path === 'translation' && !skeleton.roots.has(node) && skeleton.bones.has(node)) continue;
    if (stripped?.has(node)) continue;
    const made = boundTrack(track, node, scene, overrides(node, path) ?? track.mode, base);
    tracks.push(travellers.has(node) && path === 'translation' ? held(made) : made);
  }
  return tracks;
}

/** The first bone, parents before children, whose translation changes; -1 where none travels. */
function travellerOf(pairs: readonly Pair[], skeleton: SkeletonRows): number {
  let first = -1;
  for (const { track, node } of pairs) {
    if (track.path !== 'translation' || !skeleton.bones.has(node) || (first >= 0 && node >= first)) continue;
    const width = trackWidth(track.path, track.component);
    const { values } = track;
    if (values.some((value, i) => value !== values[i % width])) first = node;
  }
  return first;
}

/** The same track with its first key alone. */
function held(track: BoundTrack): BoundTrack {
  const { kinds: _, tangents: __, weights: ___, ...rest } = track;
  const width = trackWidth(track.path, track.component);
  return { ...rest, interpolation: 'step', times: track.times.slice(0, 1), values: track.values.slice(0, width) };
}
