// Pairs the tracks of a clip with their targets in a model.
import { bindExpression, bindMorph, clampToMaximum } from './bindMorphs.ts';
import { isMeshTrack, type Matching, matchTargets, renderersOf, DuplicateBones } from './bindTargets.ts';
import { boundCurve, overridesOf } from './bindValues.ts';
import type { BindByNameOptions, BoundTrack } from './bound.ts';
import type { Pair } from './additiveDetection.ts';
import { unscaledTrack } from './scaledTranslations.ts';
import { factsOf } from './sceneFacts.ts';
import type { Clip, RigScene, Track, TrackMode, TrackPath } from './types.ts';

/** Tracks of a clip with their targets. */
export interface Pairing {
  /** All tracks of the clip, including those in `pairs`. */
  all: readonly Track[];
  /**
   * Tracks whose target is a node of the scene. If the scene contains several models, a track may
   * be paired with a node in each of them. Translations that the clip multiplies by the scales of
   * bones are divided by them (`Clip.scaledTranslations`).
   */
  pairs: Pair[];
  /**
   * Number of pairs with duplicate bones that were left out, because too many values would have to
   * be copied.
   */
  dropped: number;
  morphs: BoundTrack[];
  /** Tracks that animate the visibility or material of meshes. */
  shown: BoundTrack[];
  /** Names, in the clip, of the meshes in `shown`. */
  meshes: Set<string>;
  /** Names of the expressions that the clip animates. */
  face: Set<string>;
  matching: Matching;
  /** Names in the clip for which the model has no target. */
  unmatched: Set<string>;
  overrides: (node: number, path: TrackPath) => TrackMode | undefined;
}

export function pairTracks(clip: Clip, scene: RigScene, options: BindByNameOptions): Pairing {
  const all = [...clip.tracks];
  const isOwn = scene.clips.includes(clip);
  const matching = matchTargets(all, scene, options, isOwn);
  const unmatched = new Set(matching.unmatched);
  const pairs: Pair[] = [];
  const unscaled = (track: Track, node: number): Track => (clip.scaledTranslations ? unscaledTrack(track, scene.nodes, node) : track);
  const duplicates = new DuplicateBones(matching, scene, isOwn, (track, node) => pairs.push({ track: unscaled(track, node), node }));
  const morphs: BoundTrack[] = [];
  const shown: BoundTrack[] = [];
  const meshes = new Set<string>();
  const face = new Set<string>();
  const missing = new Set<string>();
  for (const [i, track] of all.entries()) {
    if (track.path === 'weight') {
      const made = bindMorph(track, scene, isOwn);
      if (made.length === 0) unmatched.add(track.property);
      morphs.push(...made.flatMap(bound => clampToMaximum(bound, scene)));
      continue;
    }
    if (track.path === 'look') continue; // web/src/rig binds gaze tracks
    if (track.path === 'expression') {
      const made = bindExpression(track, scene);
      (made.length > 0 ? face : unmatched).add(track.property);
      morphs.push(...made);
      continue;
    }
    const isOfMesh = isMeshTrack(track);
    const node = isOfMesh ? -1 : matching.rows[i]!;
    const renderers = isOfMesh
      ? [...renderersOf(track, scene, isOwn)]
      : node < 0 && track.path === 'visible'
        ? factsOf(scene).drawn.renderers(track.target)
        : [];
    if (node >= 0) {
      pairs.push({ track: unscaled(track, node), node });
      duplicates.add(track, node);
    } else if (renderers.length > 0) {
      shown.push(boundCurve(track, -1, renderers, track.path === 'material' ? track.property : track.target, 'absolute'));
      meshes.add(track.target);
    } else {
      missing.add(track.target);
      if (isOfMesh) unmatched.add(track.target);
    }
  }
  for (const name of meshes) if (!missing.has(name)) unmatched.delete(name);
  const overrides = overridesOf(clip, scene, options, unmatched);
  return { all, pairs, dropped: duplicates.dropped, morphs, shown, meshes, face, matching, unmatched, overrides };
}
