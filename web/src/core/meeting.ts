// A clip's tracks and what they move on a model.
import { bindExpression, bindMorph, withinMaximum } from './bindMorphs.ts';
import { isOfMesh, type Matching, matchTargets, renderersOf, Twins } from './bindTargets.ts';
import { boundCurve, overridesOf } from './bindValues.ts';
import type { BindOptions, BoundTrack } from './bound.ts';
import type { Pair } from './looks.ts';
import { factsOf } from './sceneFacts.ts';
import type { Clip, RigScene, Track, TrackMode, TrackPath } from './types.ts';

/** A clip's tracks and the nodes they move. */
export interface Meeting {
  /** All tracks of the clip. Those of `pairs` are among them. */
  all: readonly Track[];
  /** Tracks of nodes that the model has, and their rows; a bone of each model of the file that has one of that name. */
  pairs: Pair[];
  /** Bones that are left to stand still. */
  dropped: number;
  morphs: BoundTrack[];
  /** Visibility and materials of meshes, which are no nodes. */
  shown: BoundTrack[];
  /** Names of what these move. */
  meshes: Set<string>;
  /** Names of expressions that the motion shows. */
  face: Set<string>;
  matching: Matching;
  /** Names without a partner. */
  unmatched: Set<string>;
  overrides: (node: number, path: TrackPath) => TrackMode | undefined;
}

export function meetModel(clip: Clip, scene: RigScene, options: BindOptions): Meeting {
  const all = [...clip.tracks];
  const isOwn = scene.clips.includes(clip);
  const matching = matchTargets(all, scene, options, isOwn);
  const unmatched = new Set(matching.unmatched);
  const pairs: Pair[] = [];
  const twins = new Twins(matching, scene, isOwn, pairs);
  const morphs: BoundTrack[] = [];
  const shown: BoundTrack[] = [];
  const meshes = new Set<string>();
  const face = new Set<string>();
  const lost = new Set<string>();
  for (const [i, track] of all.entries()) {
    if (track.path === 'weight') {
      const made = bindMorph(track, scene, isOwn);
      if (made.length === 0) unmatched.add(track.property);
      morphs.push(...made.flatMap(bound => withinMaximum(bound, scene)));
      continue;
    }
    if (track.path === 'look') continue; // of a face that this room knows nothing of (rig/faceMotion.ts)
    if (track.path === 'expression') {
      const made = bindExpression(track, scene);
      (made.length > 0 ? face : unmatched).add(track.property);
      morphs.push(...made);
      continue;
    }
    const isMeshs = isOfMesh(track);
    const node = isMeshs ? -1 : matching.rows[i]!;
    const renderers = isMeshs
      ? [...renderersOf(track, scene, isOwn)]
      : node < 0 && track.path === 'visible'
        ? factsOf(scene).drawn.renderers(track.target)
        : [];
    if (node >= 0) {
      pairs.push({ track, node });
      twins.add(track, node);
    } else if (renderers.length > 0) {
      shown.push(boundCurve(track, -1, renderers, track.path === 'material' ? track.property : track.target, 'absolute'));
      meshes.add(track.target);
    } else {
      lost.add(track.target);
      if (isMeshs) unmatched.add(track.target);
    }
  }
  for (const name of meshes) if (!lost.has(name)) unmatched.delete(name);
  const overrides = overridesOf(clip, scene, options, unmatched);
  return { all, pairs, dropped: twins.dropped, morphs, shown, meshes, face, matching, unmatched, overrides };
}
