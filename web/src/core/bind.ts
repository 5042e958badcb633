// Binds a clip to a model: finds the node of each track and converts its values to the model's rest
// pose. Independent of three.js.
//
// The rules are in docs/formats: psk-psa.md (binding by name, lost tracks, additive clips) and
// cast.md (modes and overrides).
import { finding, makeReport, someOf } from './bindReport.ts';
import { boundTrack } from './bindValues.ts';
import { type BindByNameOptions, type BoundClip, lazyBoundClip, type BoundTrack, checkOptions } from './bound.ts';
import { trackWidth } from './description.ts';
import { type Additive, decideAdditive, inspectKeys, type AdditiveEvidence, type Pair } from './additiveDetection.ts';
import { type Pairing, pairTracks } from './pairing.ts';
import { factsOf, type SkeletonRows } from './sceneFacts.ts';
import type { Clip, Finding, RigScene } from './types.ts';

export { someOf } from './bindReport.ts';
export { findNodes } from './bindTargets.ts';
export type { BindByNameOptions, BindReport, BoundClip, BoundTrack } from './bound.ts';

/**
 * Binds a clip to a scene, which may be of the same file or of another file. Tracks that have no
 * target in the scene are not an error; the report lists them.
 */
export function bind(clip: Clip, scene: RigScene, options: BindByNameOptions = {}): BoundClip {
  checkOptions(options);
  let pairing: Pairing | undefined;
  let inspection: ReturnType<typeof inspectKeys> | undefined;
  const pairOnce = (): Pairing => (pairing ??= pairTracks(clip, scene, options));
  const inspect = (): ReturnType<typeof inspectKeys> =>
    (inspection ??= inspectKeys(clip, pairOnce().pairs, scene, factsOf(scene).skeleton));
  const bound = lazyBoundClip(
    clip,
    () => {
      clip.tracks.decode?.();
      return makeTracks(pairOnce(), inspect, bound.additive, scene, options);
    },
    () => makeReport(pairOnce(), inspect, bound, scene, options),
    () => decideAdditive(clip, options.additive, () => inspect().verdict),
  );
  return bound;
}

/**
 * Determines whether a clip is additive, and returns the evidence: the declaration in the file or,
 * if the format does not reliably declare it, how the keys compare with the rest pose of this model.
 */
export function detectAdditive(clip: Clip, scene: RigScene): AdditiveEvidence {
  return inspectKeys(clip, pairTracks(clip, scene, {}).pairs, scene, factsOf(scene).skeleton).verdict;
}

/**
 * Reports the tracks whose morph target or mesh does not exist, for a clip and a scene of the same
 * file. Returns no findings if the clip only animates nodes.
 */
export function curvesWithoutTarget(clip: Clip, scene: RigScene): Finding[] {
  const animatesMeshes = (['weight', 'shown', 'material'] as const).some(path => clip.tracks.uses?.(path));
  if (!animatesMeshes || scene.renderers.length === 0) return [];
  const { unmatched } = pairTracks(clip, scene, {});
  return unmatched.size > 0 ? [finding('CURVE_NOT_PLAYED', 'info', clip.name, someOf([...unmatched]), unmatched.size)] : [];
}

function makeTracks(
  { pairs, morphs, shown, overrides }: Pairing,
  inspect: () => ReturnType<typeof inspectKeys>,
  { base }: Additive,
  scene: RigScene,
  options: BindByNameOptions,
): BoundTrack[] {
  const { skeleton } = factsOf(scene);
  const stripped = options.tracks === 'strip-zero-tracks' ? inspect().stripped : undefined;
  const travelingBone = options.lockRoot ? travelingBoneOf(pairs, skeleton) : -1;
  const travelingBones = new Set([travelingBone, ...factsOf(scene).names.duplicates(travelingBone)]);
  const tracks = [...morphs, ...shown];
  for (const { track, node } of pairs) {
    const { path } = track;
    if (options.tracks === 'rotation-only' && path === 'translation' && !skeleton.roots.has(node) && skeleton.bones.has(node)) continue;
    if (stripped?.has(track)) continue;
    const made = boundTrack(track, node, scene, overrides(node, path) ?? track.mode, base);
    tracks.push(travelingBones.has(node) && path === 'translation' ? firstKeyOf(made) : made);
  }
  return tracks;
}

/**
 * Returns the index of the first bone, in hierarchy order, whose translation changes. Returns -1 if
 * there is none.
 */
function travelingBoneOf(pairs: readonly Pair[], skeleton: SkeletonRows): number {
  let first = -1;
  for (const { track, node } of pairs) {
    if (track.path !== 'translation' || !skeleton.bones.has(node) || (first >= 0 && node >= first)) continue;
    const width = trackWidth(track.path, track.component);
    const { values } = track;
    if (values.some((value, i) => value !== values[i % width])) first = node;
  }
  return first;
}

/** Returns a copy of a track that contains only the first key. */
function firstKeyOf(track: BoundTrack): BoundTrack {
  const { kinds: _, tangents: __, weights: ___, ...rest } = track;
  const width = trackWidth(track.path, track.component);
  return { ...rest, interpolation: 'step', times: track.times.slice(0, 1), values: track.values.slice(0, width) };
}
