// Creates clips and tracks from computed keys.
import { outOfRange } from '../core/error.ts';
import { numberAt } from '../core/math/column.ts';
import { nameOf, isBone } from '../core/tree.ts';
import type { BoundClip, BoundTrack } from '../core/bound.ts';
import type { Clip, ClipEvent, NodeTable, Track } from '../core/types.ts';

/**
 * Creates a clip from tracks with named targets. Each track states whether it is additive. Copies
 * only the listed properties from `facts`.
 */
export function makeClip(
  facts: Pick<Clip, 'name' | 'start' | 'duration' | 'frameRate' | 'frameCount' | 'loop'> & { events: readonly ClipEvent[] },
  tracks: readonly Track[],
): Clip {
  const { name, start, duration, frameRate, frameCount, loop, events } = facts;
  const table: Clip['tracks'] = {
    length: tracks.length,
    get: index => {
      const track = tracks[index];
      if (!track) throw outOfRange(`The clip has no track ${index}.`);
      return track;
    },
    uses: path => tracks.some(track => track.path === path),
    [Symbol.iterator]: () => tracks[Symbol.iterator](),
  };
  return { name, start, duration, frameRate, frameCount, loop, events: [...events], tracks: table, overrides: [] };
}

/**
 * Creates a clip with the name, times, events and morph tracks of a bound clip. `tracks`: replace
 * the other tracks of the bound clip.
 */
export function clipOf(bound: BoundClip, tracks: readonly Track[]): Clip {
  const { name, duration, frameRate, loop, events } = bound;
  const { start, frameCount } = bound.clip;
  const faces = [...bound.clip.tracks].filter(({ path }) => path === 'weight');
  return makeClip({ name, start, duration, frameRate, frameCount, loop, events }, [...tracks, ...faces]);
}

/**
 * Creates a track whose keys contain all components of a value. It uses linear interpolation, or
 * slerp for rotations.
 */
export function sampledTrack(
  track: Pick<Track, 'target' | 'occurrence' | 'path' | 'times' | 'values'> & Partial<Pick<Track, 'property' | 'mode'>>,
): Track {
  return {
    property: '',
    node: -1,
    component: -1,
    interpolation: track.path === 'rotation' ? 'slerp' : 'linear',
    mode: 'absolute',
    before: 'hold',
    after: 'hold',
    blendWeight: 1,
    ...track,
  };
}

/** Creates a track that is bound by the name of a node. `row`: row of this node. */
export function namedTrack(track: BoundTrack, nodes: NodeTable, row: number): Track {
  const { path, component, mode, blendWeight, times, values, interpolation, kinds, tangents, weights, before, after } = track;
  return {
    target: nodes.names[row] ?? '',
    occurrence: occurrenceOf(nodes, row),
    property: '',
    node: -1,
    path,
    component,
    mode,
    blendWeight,
    times,
    values,
    interpolation,
    before,
    after,
    ...(kinds && { kinds }),
    ...(tangents && { tangents }),
    ...(weights && { weights }),
  };
}

const occurrences = new WeakMap<NodeTable, Int32Array>();

/**
 * Returns the index of a node among all nodes with the same name. Bones are counted before other
 * nodes, as clips require.
 */
export function occurrenceOf(nodes: NodeTable, row: number): number {
  let all = occurrences.get(nodes);
  if (!all) {
    const { bones, length: count } = nodes;
    const rank = (at: number): number => (isBone(nodes, at) ? numberAt(bones, at) : count);
    const order = Array.from({ length: Math.max(count - 1, 0) }, (_, i) => i + 1).sort((a, b) => rank(a) - rank(b) || a - b);
    const counts = new Map<string, number>();
    all = new Int32Array(count);
    for (const at of order) {
      const before = counts.get(nameOf(nodes, at)) ?? 0;
      all[at] = before;
      counts.set(nameOf(nodes, at), before + 1);
    }
    occurrences.set(nodes, all);
  }
  return numberAt(all, row);
}
