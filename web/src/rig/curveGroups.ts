// Groups the curves of a clip by animated value.
import type { BoundTrack } from '../core/bound.ts';
import type { CurvePart } from './stack.ts';

/**
 * The curves of one animated value (for example the rotation of a node) in the order of the file.
 */
export interface CurveGroup<Track, Target> {
  target: Target;
  tracks: Track[];
}

/**
 * Groups curves by the value that they animate. Two targets are the same value if `keyOf` returns
 * the same string for both. Skips curves without keys.
 */
export function groupByValue<Track extends Pick<BoundTrack, 'times'>, Target>(
  tracks: Iterable<Track>,
  targetsOf: (track: Track) => readonly Target[],
  keyOf: (target: Target) => string,
): CurveGroup<Track, Target>[] {
  const groups = new Map<string, CurveGroup<Track, Target>>();
  for (const track of tracks) {
    if (track.times.length === 0) continue;
    for (const target of targetsOf(track)) {
      const key = keyOf(target);
      const group = groups.get(key);
      if (group) group.tracks.push(track);
      else groups.set(key, { target, tracks: [track] });
    }
  }
  return [...groups.values()];
}

export const isAdditiveTrack = ({ mode }: Pick<BoundTrack, 'mode'>): boolean => mode === 'additive';

/**
 * Converts a track to a `CurvePart` of a stack. `width`: number of components of the animated
 * value.
 */
export function curvePart(track: BoundTrack, width: number): CurvePart {
  const { component, times, values, interpolation, kinds, tangents, weights, before, after } = track;
  const curve = { times, values, width: component < 0 ? width : 1, interpolation, kinds, tangents, weights, before, after };
  return { curve, component: Math.max(component, 0) };
}
