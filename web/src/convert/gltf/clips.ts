// Writes clips to glTF. Curves that glTF can store exactly are written exactly, and all others are
// sampled.
import { parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { bind, type BoundClip, type BoundTrack } from '../../core/bind.ts';
import { member } from '../../core/properties.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import type { PoseShape } from '../../rig/pose.ts';
import type { GltfNode } from '../vendor/gltfTransform.ts';
import { boundTo, longestChain, type Value, valuesOf } from '../common/driven.ts';
import type { AnimationList, Curve } from './animations.ts';
import type { GltfContext } from './context.ts';
import { encode, type Encoded } from './exact.ts';
import { bakeValue } from '../common/bakeValue.ts';
import { correctedRows, scaledByTracks, scaledRows } from '../common/scaleInheritance.ts';
import { splitRows } from './correctedLocals.ts';
import { type NodeExtents, nodeExtents } from '../common/nodeExtents.ts';
import { bakeCorrected } from './correctedCurves.ts';
import { withShortArcs } from './shortArcs.ts';

/** Estimated JSON length of a curve, in characters. */
const PER_CURVE = 250;
/** Number of Unity's wrap mode "ping-pong", which clips in VGO files can have. */
const PING_PONG = 4;

export class ClipWriter {
  readonly #context: GltfContext;
  readonly #shape: PoseShape;
  readonly #tolerance: number;
  readonly #list: AnimationList;
  readonly #numbers: ReadonlyMap<GltfNode, number>;
  #extents: NodeExtents | undefined;

  /**
   * `context`: a context whose nodes have been written. `tolerance`: largest error of sampled
   * curves at the skin, in metres.
   */
  constructor(context: GltfContext, shape: PoseShape, tolerance: number, list: AnimationList) {
    this.#context = context;
    this.#shape = shape;
    this.#tolerance = tolerance;
    this.#list = list;
    const nodes = context.document.getRoot().listNodes();
    this.#numbers = new Map(nodes.map((node, i) => [node, i]));
  }

  /** Writes a clip as an animation with the given name. */
  write(clip: Clip, name: string): void {
    const { report } = this.#context;
    const bound = boundTo(this.#context.scene, clip, name, report);
    if (!bound) return;
    const tracks = this.#kept(bound, name);
    const end = Math.fround(bound.duration);
    const begin = tracks.reduce((first, { times }) => Math.min(first, times[0] ?? 0), 0);
    if (begin < 0) report.add('PREROLL_CUT', name, -begin);
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
      report.add('CLIP_EMPTY', name, 1);
      return;
    }
    stretch(curves, end);
    const extras = extrasOf(clip, name);
    report.budget.spendJson(extras);
    this.#list.add(name, curves, extras);
  }

  /** Returns the tracks that glTF can animate, and reports all others. */
  #kept({ tracks }: BoundClip, name: string): BoundTrack[] {
    const lost = { VISIBILITY_TRACKS_LOST: 0, MATERIAL_TRACKS_LOST: 0, PROPERTY_TRACKS_LOST: 0 };
    const kept = tracks.filter(({ path, times }) => {
      if (path === 'visible' || path === 'shown') lost.VISIBILITY_TRACKS_LOST++;
      else if (path === 'material') lost.MATERIAL_TRACKS_LOST++;
      else if (path === 'property') lost.PROPERTY_TRACKS_LOST++;
      else return times.length > 0;
      return false;
    });
    for (const [code, count] of Object.entries(lost)) if (count > 0) this.#context.report.add(code, name, count);
    return kept;
  }

  #valuesOf(tracks: readonly BoundTrack[]): Value[] {
    const { scene, shown, split } = this.#context;
    const values = valuesOf(this.#shape, tracks, row => !!shown[row]);
    const scales = new Map(values.flatMap(value => (value.path === 'scale' ? [[value.row, value]] : [])));
    const undone = [...split].flatMap((bone): Value[] => {
      const parent = scales.get(parentOf(scene.nodes, bone));
      return parent ? [{ ...parent, path: 'unscale', row: bone }] : [];
    });
    return [...values, ...undone];
  }

  /**
   * Returns the nodes whose local transforms have to be corrected in a clip with these tracks (see
   * correctedLocals.ts).
   */
  #corrected(tracks: readonly BoundTrack[]): Set<number> {
    const { scene } = this.#context;
    const scaled = new Set<number>();
    const uneven = new Set<number>();
    scaledRows(scene.nodes.scales, scene.nodes.length, scaled, uneven);
    scaledByTracks(tracks, scaled, uneven);
    return correctedRows(scene, scaled, uneven, this.#context.split);
  }

  #sample(curves: Curve[], name: string, sampled: readonly Value[], total: number, end: number): void {
    if (sampled.length === 0) return;
    this.#extents ??= nodeExtents(this.#shape);
    const chain = longestChain(this.#context.scene.nodes.parents, sampled);
    let worst = 0;
    let keys = 0;
    let cut = 0;
    for (const value of sampled) {
      const { times, values, error, isCut } = bakeValue(
        this.#shape,
        this.#extents,
        value,
        end,
        this.#tolerance / chain,
        this.#context.report.budget,
      );
      worst = Math.max(worst, error);
      if (isCut) cut++;
      keys += times.length;
      this.#add(curves, value, { interpolation: 'LINEAR', times, values });
    }
    const detail = `${sampled.length} of ${total} curves, ${keys} keys`;
    const { report } = this.#context;
    if (worst * chain > EXACT) report.add('CLIP_BAKED', name, worst * chain, detail);
    if (cut > 0) report.add('WORK_LIMIT', name, 1, `${cut} curves have few samples between their keys`);
  }

  #correct(curves: Curve[], name: string, tracks: readonly BoundTrack[], rows: ReadonlySet<number>, end: number): void {
    this.#extents ??= nodeExtents(this.#shape);
    const { report, split } = this.#context;
    const { channels, error, gap, isCut } = bakeCorrected(
      this.#shape,
      this.#extents,
      tracks,
      { rows, split },
      end,
      this.#tolerance,
      report.budget,
    );
    for (const { path, row, times, values } of channels) this.#add(curves, { path, row }, { interpolation: 'LINEAR', times, values });
    const bones = `bones that inherit scale differently: ${rows.size}`;
    if (error > EXACT) report.add('CLIP_BAKED', name, error, bones);
    if (isCut) report.add('WORK_LIMIT', name, 1, `few samples between keys, ${bones}`);
    if (gap > EXACT) report.add('BONE_SCALE_APPROXIMATED', name, gap);
  }

  #add(curves: Curve[], { path, row }: Pick<Value, 'path' | 'row'>, { interpolation, times, values }: Encoded): void {
    const { nodes, places, shown } = this.#context;
    const isPlace = path === 'translation' || path === 'unscale';
    const owner: GltfNode | null | undefined = path === 'weights' ? shown[row] : isPlace ? places[row] : nodes[row];
    const node = owner && this.#numbers.get(owner);
    if (node === undefined || node === null || times.length === 0) return;
    const curve = { interpolation, times, values };
    const isTurn = path === 'rotation' && interpolation === 'LINEAR';
    const made = isTurn ? withShortArcs(curve) : curve;
    this.#context.report.budget.spend(PER_CURVE + made.times.byteLength + made.values.byteLength);
    curves.push({ node, path: path === 'unscale' ? 'scale' : path, ...made });
  }
}

/** Adds a key at `end` to one of the curves, because a glTF animation ends at its last key. */
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
    if (isValue) longer[values.length + i] = numberAt(values, values.length - size + i);
  }
  curve.values = longer;
  curve.times = Float32Array.from([...times, end]);
}

/**
 * Returns the bones with segment scale compensation that have to be written as two nodes, because
 * of the rest pose or a clip.
 */
export function splitBones(scene: RigScene, clips: readonly Clip[]): Set<number> {
  const { length: count, scales, segmentScaleCompensate } = scene.nodes;
  if (!segmentScaleCompensate.some(flag => flag !== 0)) return new Set();
  const uneven = new Set<number>();
  scaledRows(scales, count, new Set(), uneven);
  for (const clip of clips) scaledByTracks(bind(clip, scene).tracks, new Set(), uneven);
  return splitRows(scene, uneven);
}

/** Limit in metres below which errors come only from the precision of float32 keys. */
const EXACT = 1e-9;

/** Returns the `extras` of an animation, which three.js loads into `clip.userData`. */
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
