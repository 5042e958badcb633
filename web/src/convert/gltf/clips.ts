// Motions: each bound to the model, its curves as glTF says them, and what it cannot say sampled by the pose engine.
import { bind, type BoundClip, type BoundTrack, someOf } from '../../core/bind.ts';
import { member } from '../../core/properties.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import type { PoseShape } from '../../rig/pose.ts';
import type { GltfNode } from '../vendor/gltfTransform.ts';
import type { AnimationList, Curve } from './animations.ts';
import type { GltfContext } from './context.ts';
import { type Driven, encode, type Encoded, type Value } from './exact.ts';
import { correctedRows, scaledRows, splitRows } from './locals.ts';
import { type Reach, reachOf } from './reach.ts';
import { bakeCorrected, bakeValue } from './sampled.ts';

/** Unity's wrap mode of motions that run back and forth (VGO). */
const PING_PONG = 4;

export class ClipWriter {
  readonly #context: GltfContext;
  readonly #shape: PoseShape;
  readonly #tolerance: number;
  readonly #list: AnimationList;
  readonly #numbers: ReadonlyMap<GltfNode, number>;
  #reach: Reach | undefined;

  /** When all nodes are there. `tolerance`: metres at the skin that sampling may be off. */
  constructor(context: GltfContext, shape: PoseShape, tolerance: number, list: AnimationList) {
    this.#context = context;
    this.#shape = shape;
    this.#tolerance = tolerance;
    this.#list = list;
    const nodes = context.document.getRoot().listNodes();
    this.#numbers = new Map(nodes.map((node, i) => [node, i]));
  }

  /** Writes a motion, its own file's or another's, under a name. */
  write(clip: Clip, name: string): void {
    const { ledger } = this.#context;
    const bound = this.#bind(clip, name);
    if (!bound) return;
    const tracks = this.#kept(bound, name);
    const end = Math.fround(bound.duration);
    const begin = tracks.reduce((first, { times }) => Math.min(first, times[0] ?? 0), 0);
    if (begin < 0) ledger.add('PREROLL_CUT', name, -begin);
    const curves: Curve[] = [];
    const corrected = this.#corrected(tracks);
    const sampled: Value[] = [];
    const values = this.#valuesOf(tracks).filter(({ path, row }) => path === 'weights' || !corrected.has(row));
    for (const value of values) {
      const encoded = value.path === 'unscale' ? null : encode(value, end);
      if (encoded) this.#add(curves, value, encoded);
      else sampled.push(value);
    }
    this.#sample(curves, name, sampled, values.length, end);
    if (corrected.size > 0) this.#correct(curves, name, tracks, corrected, end);
    if (curves.length === 0) {
      ledger.add('CLIP_EMPTY', name, 1);
      return;
    }
    stretch(curves, end);
    this.#list.add(name, curves, extrasOf(clip, name));
  }

  #bind(clip: Clip, name: string): BoundClip | null {
    const { scene, ledger } = this.#context;
    let bound = bind(clip, scene);
    const { unmatched, findings } = bound.report;
    const isDifference = findings.some(({ code }) => code === 'LOOKS_ADDITIVE');
    if (isDifference) bound = bind(clip, scene, { additive: 'rest' }); // no body stands it otherwise
    if (bound.tracks.length === 0) {
      ledger.add(clip.tracks.count > 0 ? 'CLIP_UNMATCHED' : 'CLIP_EMPTY', name, 1, someOf(unmatched));
      return null;
    }
    const additive = isDifference ? bound.tracks.length : bound.tracks.filter(({ mode }) => mode === 'additive').length;
    if (additive > 0) ledger.add('CLIP_ON_REST', name, additive);
    if (unmatched.length > 0) ledger.add('TRACKS_UNMATCHED', name, unmatched.length, someOf(unmatched));
    return bound;
  }

  /** What glTF animates. */
  #kept({ tracks }: BoundClip, name: string): BoundTrack[] {
    const lost = { VISIBILITY_TRACKS_LOST: 0, MATERIAL_TRACKS_LOST: 0, PROPERTY_TRACKS_LOST: 0 };
    const kept = tracks.filter(({ path, times }) => {
      if (path === 'visible' || path === 'shown') lost.VISIBILITY_TRACKS_LOST++;
      else if (path === 'material') lost.MATERIAL_TRACKS_LOST++;
      else if (path === 'property') lost.PROPERTY_TRACKS_LOST++;
      else return times.length > 0;
      return false;
    });
    for (const [code, count] of Object.entries(lost)) if (count > 0) this.#context.ledger.add(code, name, count);
    return kept;
  }

  #valuesOf(tracks: readonly BoundTrack[]): Value[] {
    const { scene } = this.#context;
    const byKey = new Map<string, Value & { tracks: BoundTrack[] }>();
    const take = (path: Exclude<Value['path'], 'unscale'>, row: number, track: BoundTrack): void => {
      const key = `${path} ${row}`;
      const known = byKey.get(key);
      if (known) known.tracks.push(track);
      else byKey.set(key, { path, row, tracks: [track], ...(path === 'weights' ? this.#weights(row) : nodeValue(scene.nodes, path, row)) });
    };
    for (const track of tracks) {
      if (track.path !== 'weight') take(track.path as 'translation', track.node, track);
      else for (const row of track.renderers) if (this.#context.shown[row]) take('weights', row, track);
    }
    for (const bone of this.#context.split) {
      const parent = byKey.get(`scale ${scene.nodes.parents[bone]}`);
      if (parent) byKey.set(`unscale ${bone}`, { ...parent, path: 'unscale', row: bone });
    }
    return [...byKey.values()];
  }

  #weights(renderer: number): Omit<Driven, 'tracks'> {
    const offsets = this.#shape.morphOffsets;
    const from = offsets[renderer] ?? 0;
    const width = (offsets[renderer + 1] ?? from) - from;
    const place: Driven['place'] = ({ morph }) => ({ first: this.#shape.weightRow(renderer, morph) - from, count: 1 });
    return { width, rest: Array.from({ length: width }, () => 0), isRotation: false, place };
  }

  /** Nodes whose local transforms in this motion are not those of the file (locals.ts). */
  #corrected(tracks: readonly BoundTrack[]): Set<number> {
    const { scene } = this.#context;
    const scaled = new Set<number>();
    const uneven = new Set<number>();
    scaledRows(scene.nodes.scales, scene.nodes.count, scaled, uneven);
    scaledByTracks(tracks, scaled, uneven);
    return correctedRows(scene, scaled, uneven, this.#context.split);
  }

  #sample(curves: Curve[], name: string, sampled: readonly Value[], total: number, end: number): void {
    if (sampled.length === 0) return;
    this.#reach ??= reachOf(this.#shape);
    const chain = longestChain(this.#context.scene.nodes.parents, sampled);
    let worst = 0;
    let keys = 0;
    for (const value of sampled) {
      const { times, values, error } = bakeValue(this.#shape, this.#reach, value, end, this.#tolerance / chain);
      worst = Math.max(worst, error);
      keys += times.length;
      this.#add(curves, value, { interpolation: 'LINEAR', times, values });
    }
    const detail = `${sampled.length} of ${total} curves, ${keys} keys`;
    if (worst * chain > EXACT) this.#context.ledger.add('CLIP_BAKED', name, worst * chain, detail);
  }

  #correct(curves: Curve[], name: string, tracks: readonly BoundTrack[], rows: ReadonlySet<number>, end: number): void {
    this.#reach ??= reachOf(this.#shape);
    const { channels, error, gap } = bakeCorrected(
      this.#shape,
      this.#reach,
      tracks,
      { rows, split: this.#context.split },
      end,
      this.#tolerance,
    );
    for (const { path, row, times, values } of channels) this.#add(curves, { path, row }, { interpolation: 'LINEAR', times, values });
    if (error > EXACT) this.#context.ledger.add('CLIP_BAKED', name, error, `bones whose scale is taken over in another way: ${rows.size}`);
    if (gap > EXACT) this.#context.ledger.add('BONE_SCALE_APPROXIMATED', name, gap);
  }

  #add(curves: Curve[], { path, row }: Pick<Value, 'path' | 'row'>, { interpolation, times, values }: Encoded): void {
    const { nodes, places, shown } = this.#context;
    const isPlace = path === 'translation' || path === 'unscale';
    const owner: GltfNode | null | undefined = path === 'weights' ? shown[row] : isPlace ? places[row] : nodes[row];
    const node = owner && this.#numbers.get(owner);
    if (node === undefined || node === null || times.length === 0) return;
    curves.push({ node, path: path === 'unscale' ? 'scale' : path, interpolation, times, values });
  }
}

/** A glTF animation ends with its last key: where the motion goes on, standing still, one value is held until then. */
function stretch(curves: Curve[], end: number): void {
  const last = curves.reduce((latest, { times }) => Math.max(latest, times.at(-1) ?? 0), 0);
  const curve = curves.find(({ interpolation }) => interpolation !== 'CUBICSPLINE') ?? curves[0];
  if (!curve || last >= end) return;
  const { times, values, interpolation } = curve;
  const isCubic = interpolation === 'CUBICSPLINE';
  const size = values.length / times.length;
  const longer = new Float32Array(values.length + size);
  longer.set(values);
  for (let i = 0; i < size; i++) {
    const isValue = !isCubic || Math.floor((3 * i) / size) === 1;
    longer[values.length + i] = isValue ? (values[values.length - size + i] ?? 0) : 0;
  }
  if (isCubic) longer.fill(0, values.length - size / 3, values.length); // the last key leaves without a slope
  curve.values = longer;
  curve.times = Float32Array.from([...times, end]);
}

/** Bones to which curves give a scale other than 1, and one that differs by axis. Adds to the sets. */
function scaledByTracks(tracks: Iterable<BoundTrack>, scaled: Set<number>, uneven: Set<number>): void {
  for (const { path, node, values, component, mode } of tracks) {
    if (path !== 'scale') continue;
    const isPlain = mode === 'absolute' && component < 0;
    if (!isPlain || values.some(value => Math.abs(value - 1) > 1e-6)) scaled.add(node);
    if (!isPlain || values.some((value, i) => Math.abs(value - (values[i - (i % 3)] ?? value)) > 1e-6)) uneven.add(node);
  }
}

/** Bones that take a node of their own to refuse their parent's scale, at rest or in one of the motions. */
export function splitBones(scene: RigScene, clips: readonly Clip[]): Set<number> {
  const { count, scales, segmentScaleCompensate } = scene.nodes;
  if (!segmentScaleCompensate.some(flag => flag !== 0)) return new Set();
  const uneven = new Set<number>();
  scaledRows(scales, count, new Set(), uneven);
  for (const clip of clips) scaledByTracks(bind(clip, scene).tracks, new Set(), uneven);
  return splitRows(scene, uneven);
}

/** Metres: what float32 keys cannot do better anyway. */
const EXACT = 1e-9;

const COLUMNS = { translation: 'translations', rotation: 'rotations', scale: 'scales' } as const;

function nodeValue(nodes: GltfContext['scene']['nodes'], path: 'translation' | 'rotation' | 'scale', row: number): Omit<Driven, 'tracks'> {
  const width = path === 'rotation' ? 4 : 3;
  const rest = [...nodes[COLUMNS[path]].subarray(width * row, width * (row + 1))];
  const place: Driven['place'] = ({ component }) => (component < 0 ? { first: 0, count: width } : { first: component, count: 1 });
  return { width, rest, isRotation: path === 'rotation', place };
}

/** How many sampled values meet at a vertex at most: each may be off by its share of the tolerance. */
function longestChain(parents: Int32Array, sampled: readonly Value[]): number {
  const own = new Uint32Array(parents.length);
  let weights = 0;
  for (const { path, row } of sampled) {
    if (path === 'weights') weights = 1;
    else own[row] = (own[row] ?? 0) + 1;
  }
  let longest = 0;
  for (let row = 0; row < parents.length; row++) {
    const parent = parents[row] ?? -1;
    if (parent >= 0) own[row] = (own[row] ?? 0) + (own[parent] ?? 0);
    longest = Math.max(longest, own[row] ?? 0);
  }
  return Math.max(longest + weights, 1);
}

/** What three's loader gives as `clip.userData`. */
function extrasOf({ name, loop, frameRate, frameCount, events, properties, start }: Clip, written: string): Record<string, unknown> {
  return {
    ...(name !== written && { name }),
    loop,
    ...(member(properties, 'wrapMode') === PING_PONG && { pingPong: true }),
    frameRate,
    frameCount,
    ...(start !== 0 && { start }),
    events: events.map(event => ({ time: event.time, name: event.name })),
    ...(properties && { properties }),
  };
}
