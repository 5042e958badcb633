// Groups the animation curves of a clip by the value that they drive, such as a node's rotation.
import { numberAt } from '../../core/math/column.ts';
import { bind, type BoundClip, type BoundTrack, someOf } from '../../core/bind.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { groupByValue } from '../../rig/curveGroups.ts';
import type { PoseShape } from '../../rig/pose.ts';
import type { ReportBuilder } from './report.ts';

/**
 * A value with `width` components, and the tracks that drive them. A component without a track has
 * the value in `rest`. If several tracks drive the same component, the last track is used.
 */
export interface Driven {
  tracks: readonly BoundTrack[];
  width: number;
  rest: readonly number[];
  isRotation: boolean;
  /**
   * Returns the index of the first component that a track drives, and the number of driven
   * components.
   */
  place(track: BoundTrack): { first: number; count: number };
}

/**
 * A value that a clip animates: the translation, rotation or scale of a node, or the morph weights
 * of a renderer.
 */
export interface Value extends Driven {
  path: 'translation' | 'rotation' | 'scale' | 'unscale' | 'weights';
  /**
   * Row of the animated node in `scene.nodes`. For the path `weights`, row of the renderer in
   * `scene.renderers`.
   */
  row: number;
}

/**
 * The track that drives one component. Each key of `track` has `width` numbers, and `at` is the
 * index of the component among them.
 */
export interface Component {
  track: BoundTrack;
  at: number;
  width: number;
}

/** Returns the track of each component, or null for a component without a track. */
export function componentsOf({ tracks, width, place }: Driven): (Component | null)[] {
  const components: (Component | null)[] = Array.from({ length: width }, () => null);
  for (const track of tracks) {
    const { first, count } = place(track);
    for (let c = 0; c < count; c++) components[first + c] = { track, at: c, width: count };
  }
  return components;
}

/**
 * Binds a clip to a model, or returns null if no track of the clip matches the model. Reports
 * tracks without a match, and additive curves that were added to the rest pose.
 */
export function boundTo(scene: RigScene, clip: Clip, name: string, report: ReportBuilder): BoundClip | null {
  const bound = bind(clip, scene);
  const { unmatched } = bound.report;
  if (bound.tracks.length === 0) {
    report.add(clip.tracks.length > 0 ? 'CLIP_UNMATCHED' : 'CLIP_EMPTY', name, 1, someOf(unmatched));
    return null;
  }
  const additive = bound.tracks.filter(({ mode }) => mode === 'additive').length;
  if (additive > 0) report.add('CLIP_ON_REST', name, additive);
  if (unmatched.length > 0) report.add('TRACKS_UNMATCHED', name, unmatched.length, someOf(unmatched));
  return bound;
}

/**
 * Groups the tracks of transforms and morph weights by the value that they drive. `isShown`:
 * returns true for a renderer that the result contains.
 */
export function valuesOf(shape: PoseShape, tracks: readonly BoundTrack[], isShown: (renderer: number) => boolean): Value[] {
  type Target = { path: Exclude<Value['path'], 'unscale'>; row: number };
  const targetsOf = ({ path, node, renderers }: BoundTrack): Target[] =>
    path === 'weight'
      ? renderers.filter(isShown).map(row => ({ path: 'weights', row }))
      : [{ path: path as 'translation' | 'rotation' | 'scale', row: node }];
  return groupByValue(tracks, targetsOf, ({ path, row }) => `${path} ${row}`).map(({ target: { path, row }, tracks: curves }) => ({
    path,
    row,
    tracks: curves,
    ...(path === 'weights' ? weightsOf(shape, row) : nodeValue(shape.scene.nodes, path, row)),
  }));
}

function weightsOf(shape: PoseShape, renderer: number): Omit<Driven, 'tracks'> {
  const offsets = shape.morphOffsets;
  const from = numberAt(offsets, renderer);
  const width = numberAt(offsets, renderer + 1) - from;
  const place: Driven['place'] = ({ morph }) => ({ first: shape.weightRow(renderer, morph) - from, count: 1 });
  return { width, rest: Array.from({ length: width }, () => 0), isRotation: false, place };
}

const COLUMNS = { translation: 'translations', rotation: 'rotations', scale: 'scales' } as const;

function nodeValue(nodes: RigScene['nodes'], path: 'translation' | 'rotation' | 'scale', row: number): Omit<Driven, 'tracks'> {
  const width = path === 'rotation' ? 4 : 3;
  const rest = [...nodes[COLUMNS[path]].subarray(width * row, width * (row + 1))];
  const place: Driven['place'] = ({ component }) => (component < 0 ? { first: 0, count: width } : { first: component, count: 1 });
  return { width, rest, isRotation: path === 'rotation', place };
}

/**
 * Returns the largest number of sampled values that affect the same vertex. Their errors add up, so
 * the tolerance is divided by this number.
 */
export function longestChain(parents: Int32Array, sampled: readonly Value[]): number {
  const own = new Uint32Array(parents.length);
  let weights = 0;
  for (const { path, row } of sampled) {
    if (path === 'weights') weights = 1;
    else own[row]!++;
  }
  let longest = 0;
  for (const [row, parent] of parents.entries()) {
    if (parent >= 0) own[row]! += numberAt(own, parent);
    longest = Math.max(longest, numberAt(own, row));
  }
  return Math.max(longest + weights, 1);
}
