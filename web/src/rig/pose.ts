// The columns of a pose: everything that a motion can change of one scene, as numbers by row. All local, in the space of scene.nodes.
import { numberAt } from '../core/math/column.ts';
import { slerp } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import type { RigScene } from '../core/types.ts';

/** Kinds of values in a pose. */
export type Channel = 'translation' | 'rotation' | 'scale' | 'visible' | 'shown' | 'weight' | 'property';
export const CHANNELS = [
  'translation',
  'rotation',
  'scale',
  'visible',
  'shown',
  'weight',
  'property',
] as const satisfies readonly Channel[];

/** Numbers per row of a column. */
export const CHANNEL_WIDTH: Record<Channel, number> = {
  translation: 3,
  rotation: 4,
  scale: 3,
  visible: 1,
  shown: 1,
  weight: 1,
  property: 1,
};

/** The values of one channel: `CHANNEL_WIDTH` numbers per row. */
export type Column = Numbers & { readonly length: number };

/** Which rows there are: one shape per scene, shared by every pose and layer of it. */
export class PoseShape {
  readonly scene: RigScene;
  /** Renderer r has the weights `morphOffsets[r]` to `morphOffsets[r + 1]`, in the order of its mesh's morphs. */
  readonly morphOffsets: Int32Array;
  /** Animated properties that are no transforms, in the order in which motions asked for them; those of a renderer's materials have no node. */
  readonly properties: { node: number; property: string; rest: number; renderer?: number }[] = [];
  readonly #propertyRows = new Map<string, number>();

  constructor(scene: RigScene) {
    this.scene = scene;
    this.morphOffsets = new Int32Array(scene.renderers.length + 1);
    for (const [r, { mesh }] of scene.renderers.entries())
      this.morphOffsets[r + 1] = numberAt(this.morphOffsets, r) + (scene.meshes[mesh]?.morphs.length ?? 0);
  }

  /** The row of a morph's weight, by its name as the mesh spells it, else by that without case; -1 where the mesh has none. */
  weightRow(renderer: number, morph: string): number {
    const morphs = this.scene.meshes[this.scene.renderers[renderer]?.mesh ?? -1]?.morphs ?? [];
    let m = morphs.findIndex(({ name }) => name === morph);
    if (m < 0) m = morphs.findIndex(({ name }) => name.toLowerCase() === morph.toLowerCase());
    return m < 0 ? -1 : numberAt(this.morphOffsets, renderer) + m;
  }

  /** The row of a node's property, added when it is first asked for; `rest` is then what it holds without a motion. */
  propertyRow(node: number, property: string, rest: number, renderer?: number): number {
    const key = `${node} ${renderer} ${property}`;
    let row = this.#propertyRows.get(key);
    if (row === undefined) {
      this.#propertyRows.set(key, (row = this.properties.length));
      this.properties.push({ node, property, rest, ...(renderer !== undefined && { renderer }) });
    }
    return row;
  }
}

/**
 * One moment of a scene: local transforms per node (quaternions x y z w), visibility per node and per renderer (0 or 1), morph weights and
 * animated properties. Doubles, as three.js keeps them.
 */
export class Pose {
  readonly shape: PoseShape;
  readonly translations: Float64Array;
  readonly rotations: Float64Array;
  readonly scales: Float64Array;
  /** Per node: the node and all below it. */
  readonly visible: Uint8Array;
  /** Per renderer: its mesh alone. */
  readonly shown: Uint8Array;
  readonly weights: Float64Array;
  /** By row of `shape.properties`, which may have grown since. */
  readonly properties: number[];
  readonly #columns: Readonly<Record<Channel, Column>>;

  /** At rest. */
  constructor(shape: PoseShape) {
    const { nodes, renderers } = shape.scene;
    this.shape = shape;
    this.translations = new Float64Array(3 * nodes.count);
    this.rotations = new Float64Array(4 * nodes.count);
    this.scales = new Float64Array(3 * nodes.count);
    this.visible = new Uint8Array(nodes.count);
    this.shown = new Uint8Array(renderers.length);
    this.weights = new Float64Array(numberAt(shape.morphOffsets, renderers.length));
    this.properties = [];
    this.#columns = {
      translation: this.translations,
      rotation: this.rotations,
      scale: this.scales,
      visible: this.visible,
      shown: this.shown,
      weight: this.weights,
      property: this.properties,
    };
    this.reset();
  }

  column(channel: Channel): Column {
    return this.#columns[channel];
  }

  /** Back to rest. */
  reset(): void {
    const { nodes, renderers } = this.shape.scene;
    this.translations.set(nodes.translations);
    this.rotations.set(nodes.rotations);
    this.scales.set(nodes.scales);
    this.visible.set(nodes.visible);
    let r = 0;
    for (const { visible } of renderers) this.shown[r++] = visible ? 1 : 0;
    this.weights.fill(0);
    this.properties.length = 0;
    this.#addProperties();
  }

  /** The same as another pose of this shape. */
  copy(from: Pose): void {
    this.translations.set(from.translations);
    this.rotations.set(from.rotations);
    this.scales.set(from.scales);
    this.visible.set(from.visible);
    this.shown.set(from.shown);
    this.weights.set(from.weights);
    for (let p = 0; p < from.properties.length; p++) this.properties[p] = numberAt(from.properties, p);
    this.#addProperties();
  }

  /** Rows that motions have asked for since. */
  #addProperties(): void {
    const { properties } = this.shape;
    for (let p = this.properties.length; p < properties.length; p++) this.properties[p] = properties[p]!.rest;
  }
}

/** Moves a value of the column by `weight` towards another. */
export function blend(channel: Channel, column: Numbers, at: number, to: Numbers, atTo: number, weight: number): void {
  if (channel === 'visible' || channel === 'shown') {
    if (weight >= 0.5) column[at] = to[atTo]! >= 0.5 ? 1 : 0;
  } else if (channel === 'rotation' && weight !== 1) {
    slerp(column, at, column, at, to, atTo, weight);
  } else {
    for (let c = 0; c < CHANNEL_WIDTH[channel]; c++)
      column[at + c] = weight === 1 ? to[atTo + c]! : column[at + c]! + (to[atTo + c]! - column[at + c]!) * weight;
  }
}

/** Moves a whole pose by `weight` towards another one of its shape. */
export function blendPoses(pose: Pose, to: Pose, weight: number): void {
  for (const channel of CHANNELS) {
    const column = pose.column(channel);
    const other = to.column(channel);
    const length = Math.min(column.length, other.length);
    for (let at = 0; at < length; at += CHANNEL_WIDTH[channel]) blend(channel, column, at, other, at, weight);
  }
}
