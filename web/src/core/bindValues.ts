// Converts track values to the rest pose of a model. With rest value r, key k and first key f of
// the clip:
//
//     relative  translation r + k       scale r * k        rotation r k (in the bone's own space)
//     delta     translation r + k - f   scale r * k / f    rotation r f⁻¹ k
//
// Relative and delta tracks become absolute. Additive tracks stay additive: they are added to the
// pose of the layers below.
import { inverted, multiplied } from './math/quaternion.ts';
import type { BindByNameOptions, BoundPath, BoundTrack } from './bound.ts';
import type { Additive } from './additiveDetection.ts';
import { factsOf } from './sceneFacts.ts';
import type { Clip, ModeOverride, RigScene, Track, TrackMode, TrackPath } from './types.ts';

/**
 * Returns a function that finds the mode override for an animated property (`path`) of a node. It
 * searches the node's ancestors and uses the nearest override that includes the property.
 */
export function overridesOf(
  clip: Clip,
  scene: RigScene,
  options: BindByNameOptions,
  unmatched: Set<string>,
): (node: number, path: TrackPath) => TrackMode | undefined {
  const { names } = factsOf(scene);
  const byFirst = new Map<number, ModeOverride[]>();
  for (const entry of clip.overrides) {
    const node = names.find(entry.node);
    const list = byFirst.get(node) ?? [];
    // Only the first override of each path applies, so a node has at most three.
    const isNew = (['translation', 'rotation', 'scale'] as const).some(
      path => entry[path] && !list.some(other => other[path] && (other.includesNode || !entry.includesNode)),
    );
    if (node < 0) unmatched.add(entry.node);
    else if (isNew) byFirst.set(node, [...list, entry]);
  }
  const byNode = new Map([...byFirst].flatMap(([first, list]) => [first, ...names.duplicates(first)].map(node => [node, list] as const)));
  return (node, path) => {
    if (byNode.size === 0 || (path !== 'translation' && path !== 'rotation' && path !== 'scale')) return undefined;
    const { parents } = scene.nodes;
    for (let at = node; at >= 0; at = parents[at]!) {
      const applies = (candidate: ModeOverride): boolean => at !== node || candidate.includesNode || (options.includeNamedBone ?? false);
      const entry = byNode.get(at)?.find(candidate => candidate[path] && applies(candidate));
      if (entry) return entry.mode;
    }
    return undefined;
  };
}

/** Creates a bound track from a track and its target. */
export function boundCurve(track: Track, node: number, renderers: readonly number[], morph: string, mode: BoundTrack['mode']): BoundTrack {
  const { path, component, blendWeight, times, values, interpolation, before, after } = track;
  const bound: BoundTrack = {
    node,
    renderers,
    morph,
    path: path as BoundPath,
    component,
    mode,
    blendWeight,
    times,
    values,
    interpolation,
    before,
    after,
  };
  if (track.kinds) bound.kinds = track.kinds;
  if (track.tangents) bound.tangents = track.tangents;
  if (track.weights) bound.weights = track.weights;
  return bound;
}

export function boundTrack(track: Track, node: number, scene: RigScene, mode: TrackMode, additive: Additive['base']): BoundTrack {
  const bound = boundCurve(track, node, [], track.property, 'absolute');
  const { path } = track;
  if (path !== 'translation' && path !== 'rotation' && path !== 'scale') return bound;
  if (additive !== 'no' && mode === 'absolute') return additiveTrack(bound, scene, additive);
  if (mode === 'additive') return { ...bound, mode };
  if (mode === 'absolute') return bound;
  const column = { translation: scene.nodes.translations, rotation: scene.nodes.rotations, scale: scene.nodes.scales }[path];
  const size = path === 'rotation' ? 4 : 3;
  const rest = Array.from(column.subarray(size * node, size * node + size));
  if (path === 'rotation') {
    if (track.component >= 0) return bound; // no format has relative tracks of a single rotation component
    const base = mode === 'delta' ? multiplied(rest, inverted(Array.from(track.values.subarray(0, 4)))) : rest;
    return mapQuaternions(bound, key => multiplied(base, key));
  }
  const firstOf = (width: number): number[] => Array.from(track.values.subarray(0, width));
  const own = track.component >= 0 ? [rest[track.component]!] : rest;
  if (path === 'translation') {
    const offset = mode === 'delta' ? own.map((value, i) => value - (firstOf(own.length)[i] ?? 0)) : own;
    return mapValues(bound, (value, i) => value + offset[i % offset.length]!);
  }
  const factor = mode === 'delta' ? own.map((value, i) => value / (firstOf(own.length)[i] || 1)) : own;
  const scaled = mapValues(bound, (value, i) => value * factor[i % factor.length]!);
  if (bound.tangents) scaled.tangents = bound.tangents.map((slope, i) => slope * factor[i % factor.length]!);
  return scaled;
}

/**
 * Converts the absolute keys of an additive clip by the rules of Unreal: T = T_base + T_key, R =
 * R_key R_base. Scale tracks are unchanged.
 */
function additiveTrack(track: BoundTrack, scene: RigScene, additive: 'rest' | 'layer'): BoundTrack {
  const { translations, rotations } = scene.nodes;
  const { node, path, component } = track;
  if (path === 'scale' || (path === 'rotation' && component >= 0)) return track;
  if (path === 'translation') {
    if (additive === 'layer') return { ...track, mode: 'additive' };
    const rest = component >= 0 ? [translations[3 * node + component]!] : Array.from(translations.subarray(3 * node, 3 * node + 3));
    return mapValues(track, (value, i) => value + rest[i % rest.length]!);
  }
  const rest = Array.from(rotations.subarray(4 * node, 4 * node + 4));
  if (additive === 'rest') return mapQuaternions(track, key => multiplied(key, rest));
  // When layers are played, their rotations are multiplied from the right. Therefore express the
  // rotation in the rest frame of the bone.
  return { ...mapQuaternions(track, key => multiplied(inverted(rest), multiplied(key, rest))), mode: 'additive' };
}

function mapValues(track: BoundTrack, map: (value: number, index: number) => number): BoundTrack {
  return { ...track, values: track.values.map(map) };
}

/**
 * Applies `map` to the keys and tangents of a rotation track. Tangents can be mapped in the same
 * way as keys, because the quaternion product is linear.
 */
function mapQuaternions(track: BoundTrack, map: (key: number[]) => number[]): BoundTrack {
  const apply = (from: Float32Array): Float32Array => {
    const to = new Float32Array(from.length);
    for (let i = 0; i + 3 < from.length; i += 4) to.set(map([from[i]!, from[i + 1]!, from[i + 2]!, from[i + 3]!]), i);
    return to;
  };
  return { ...track, values: apply(track.values), ...(track.tangents && { tangents: apply(track.tangents) }) };
}
