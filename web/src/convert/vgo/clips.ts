// Writes clips to VGO. In this format, each animated node has its own clip (docs/formats/vgo.md
// section 5.10), and the curves are always left-handed.
import { numberAt } from '../../core/math/column.ts';
import type { BoundClip, BoundTrack } from '../../core/bind.ts';
import { entry } from '../../core/entry.ts';
import { member } from '../../core/properties.ts';
import type { Clip } from '../../core/types.ts';
import type { PoseShape } from '../../rig/pose.ts';
import { boundTo, componentsOf, longestChain, type Value, valuesOf } from '../common/driven.ts';
import { type NodeExtents, nodeExtents } from '../common/nodeExtents.ts';
import { bakeValue } from '../common/bakeValue.ts';
import type { ReportBuilder } from '../common/report.ts';
import { componentCurve, curveTree, reduced, still, stretched, rotationCurves, turnsShortest, type UnityCurve } from './curves.ts';
import { branch, type Branch, type Tree } from './tree.ts';

/** Nodes and clips of the VGO file while it is written. */
export interface VgoContents {
  shape: PoseShape;
  /** Nodes of the VGO layout, in file order. */
  nodes: readonly Tree[];
  /** Clips of the VGO layout. New clips are added to this list. */
  clips: Tree[];
  /**
   * Returns the index of the VGO node for a row of `scene.nodes` (`nodeOf`) or for a renderer
   * (`nodeOfRenderer`), or -1 if the file does not contain this node.
   */
  nodeOf(row: number): number;
  nodeOfRenderer(row: number): number;
}

interface Binding {
  type: string;
  name: string;
  curve: UnityCurve;
  factor: number;
}

const PATHS = {
  translation: { name: 'LocalPosition', axes: 'xyz', factors: [1, 1, -1, 1] },
  rotation: { name: 'LocalRotation', axes: 'xyzw', factors: [-1, -1, 1, 1] },
  scale: { name: 'LocalScale', axes: 'xyz', factors: [1, 1, 1, 1] },
} as const;

const LOST = { material: 'MATERIAL_TRACKS_LOST', property: 'PROPERTY_TRACKS_LOST' } as const;

/** Numbers of Unity's wrap modes for clips. */
const ONCE = 1;
const LOOP = 2;
const PING_PONG = 4;

export class VgoClipWriter {
  readonly #stage: VgoContents;
  readonly #tolerance: number;
  readonly #report: ReportBuilder;
  #extents: NodeExtents | undefined;

  /** `tolerance`: largest error of sampled curves at the skin, in metres. */
  constructor(stage: VgoContents, tolerance: number, report: ReportBuilder) {
    this.#stage = stage;
    this.#tolerance = tolerance;
    this.#report = report;
  }

  /**
   * Writes a clip. Because a node can have only one clip, a clip that moves the same node as an
   * earlier clip is left out and reported.
   */
  write(clip: Clip, name: string): void {
    const { scene } = this.#stage.shape;
    const bound = boundTo(scene, clip, name, this.#report);
    if (!bound) return;
    const taken = [...this.#nodesOf(bound)].filter(node => (this.#stage.nodes[node] as Branch | undefined)?.has('animation')).length;
    if (taken > 0) return this.#report.add('CLIP_LEFT', name, 1, `${taken} nodes have an animation already`);
    this.#reportBinding(bound, name);
    this.#spend(bound);
    const bindings = this.#bindings(bound, name);
    if (bindings.size === 0) return this.#report.add('CLIP_EMPTY', name, 1);
    if (bindings.size > 1) this.#report.add('CLIP_SPLIT', name, bindings.size);
    for (const [node, own] of bindings) this.#place(clip, name, node, own, Math.fround(bound.duration));
  }

  /**
   * Spends the bytes of the curves from the work budget. A morph weight curve that drives several
   * meshes is counted once per mesh.
   */
  #spend({ tracks }: BoundClip): void {
    for (const { times, values, node, renderers } of tracks)
      this.#report.budget.spend(PER_KEY * (times.length + values.length) * (node >= 0 ? 1 : renderers.length));
  }

  #nodesOf({ tracks }: BoundClip): Set<number> {
    return new Set(tracks.flatMap(track => this.#targetsOf(track)).filter(node => node >= 0));
  }

  #targetsOf({ node, renderers }: BoundTrack): number[] {
    return node >= 0 ? [this.#stage.nodeOf(node)] : renderers.map(row => this.#stage.nodeOfRenderer(row));
  }

  #reportBinding({ clip, tracks }: BoundClip, name: string): void {
    for (const [path, code] of Object.entries(LOST)) {
      const count = tracks.filter(track => track.path === path).length;
      if (count > 0) this.#report.add(code, name, count);
    }
    if (clip.events.length > 0) this.#report.add('NOT_SAID', `animation events in ${name}`, clip.events.length);
  }

  #bindings({ tracks, duration }: BoundClip, name: string): Map<number, Binding[]> {
    const { shape } = this.#stage;
    const made = new Map<number, Binding[]>();
    const add = (node: number, binding: Binding): void => {
      if (node >= 0) entry(made, node, () => []).push(binding);
    };
    const moving = tracks.filter(({ path, times }) => times.length > 0 && ['translation', 'rotation', 'scale', 'weight'].includes(path));
    const values = valuesOf(shape, moving, row => this.#stage.nodeOfRenderer(row) >= 0);
    for (const [value, curves] of this.#curvesOf(values, duration, name)) {
      if (value.path === 'unscale') continue;
      if (value.path !== 'weights') {
        const { name: property, axes, factors } = PATHS[value.path];
        for (const [c, curve] of curves.entries())
          if (curve) add(this.#stage.nodeOf(value.row), { type: 'Transform', name: `${property}.${axes[c]}`, curve, factor: factors[c]! });
        continue;
      }
      const morphs = shape.scene.meshes[shape.scene.renderers[value.row]?.mesh ?? -1]?.morphs ?? [];
      for (const [c, curve] of curves.entries())
        if (curve)
          add(this.#stage.nodeOfRenderer(value.row), { type: SKINNED, name: `blendShape.${morphs[c]?.name ?? ''}`, curve, factor: 100 });
    }
    for (const track of tracks) {
      if ((track.path !== 'visible' && track.path !== 'shown') || track.times.length === 0) continue;
      const curve = componentCurve({ track, at: 0, width: 1 });
      for (const node of this.#targetsOf(track)) {
        if (track.path === 'visible') add(node, { type: 'UnityEngine.GameObject', name: 'm_IsActive', curve, factor: 1 });
        else add(node, { type: SKINNED, name: 'm_Enabled', curve, factor: 1 });
      }
    }
    return made;
  }

  #curvesOf(values: readonly Value[], end: number, name: string): Map<Value, (UnityCurve | null)[]> {
    const made = new Map<Value, (UnityCurve | null)[]>();
    const sampled: Value[] = [];
    let turned = 0;
    for (const value of values) {
      const components = componentsOf(value);
      const firstTrack = components[0]?.track;
      const isTurn = value.isRotation && components.some(component => component && turnsShortest(component.track));
      const isOne = components.every((component, c) => component?.track === firstTrack && component?.at === c);
      if (value.tracks.some(({ mode }) => mode !== 'absolute') || (isTurn && !isOne)) sampled.push(value);
      else if (isTurn && firstTrack) {
        const { curves, error } = rotationCurves(firstTrack, this.#report.budget);
        turned = Math.max(turned, error);
        made.set(value, curves);
      } else
        made.set(
          value,
          filled(
            value,
            components.map(component => component && componentCurve(component)),
          ),
        );
    }
    const chain = longestChain(this.#stage.shape.scene.nodes.parents, sampled);
    let worst = 0;
    let cut = 0;
    for (const value of sampled) {
      this.#extents ??= nodeExtents(this.#stage.shape);
      const {
        times,
        values: numbers,
        error,
        isCut,
      } = bakeValue(this.#stage.shape, this.#extents, value, Math.fround(end), this.#tolerance / chain, this.#report.budget);
      worst = Math.max(worst, error * chain);
      if (isCut) cut++;
      this.#report.budget.spend(PER_KEY * numbers.length);
      const track = {
        times,
        values: numbers,
        interpolation: value.isRotation ? 'slerp' : 'linear',
        before: 'hold',
        after: 'hold',
      } as BoundTrack;
      const width = value.width;
      const driven = componentsOf(value);
      if (value.isRotation) made.set(value, rotationCurves(track, this.#report.budget).curves);
      else
        made.set(
          value,
          Array.from({ length: width }, (_, at) => (value.path !== 'weights' || driven[at] ? componentCurve({ track, at, width }) : null)),
        );
    }
    if (worst > 1e-9) this.#report.add('CLIP_BAKED', name, worst, `${sampled.length} of ${values.length} curves`);
    if (cut > 0) this.#report.add('WORK_LIMIT', name, 1, `${cut} curves have few samples between their keys`);
    if (turned > 1e-9) this.#report.add('TURNS_CUBIC', name, (turned * 180) / Math.PI);
    return made;
  }

  #place(clip: Clip, name: string, node: number, unreduced: readonly Binding[], end: number): void {
    const bindings = unreduced.map(binding => ({ ...binding, curve: reduced(binding.curve) }));
    const isLong = bindings.some(({ curve }) => (curve.keys.at(-1)?.time ?? 0) >= end);
    const at = isLong ? -1 : bindings.findIndex(({ curve }) => curve.after === 'hold');
    const wrapMode = member(clip.properties, 'wrapMode') === PING_PONG ? PING_PONG : clip.loop ? LOOP : ONCE;
    const curveBindings = bindings.map(({ type, name: propertyName, curve, factor }, i) => ({
      type,
      propertyName,
      animationCurve: curveTree(i === at ? stretched(curve, end) : curve, factor),
    }));
    const clipIndex = this.#stage.clips.push(branch({ name, legacy: true, wrapMode, curveBindings })) - 1;
    const owner = this.#stage.nodes[node] as Branch;
    owner.set('animation', branch({ name, enabled: true, clipIndex, playAutomatically: true, wrapMode }));
  }
}

/** Estimated JSON length of a key, in characters. */
const PER_KEY = 60;
const SKINNED = 'UnityEngine.SkinnedMeshRenderer';

/**
 * Adds a constant curve for each component that has no curve, because Unity requires curves for all
 * components of a position or rotation.
 */
function filled({ path, rest }: Value, curves: readonly (UnityCurve | null)[]): (UnityCurve | null)[] {
  return path === 'weights' ? [...curves] : curves.map((curve, c) => curve ?? still(numberAt(rest, c)));
}
