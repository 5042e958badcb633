// A pose: all animatable values of a scene, in one array per channel. Transforms are local. Rows
// come from the shape of the pose and always exist in the arrays, so arrays are indexed without
// checks (`!`).
import { numberAt } from '../core/math/column.ts';
import { slerp } from '../core/math/quaternion.ts';
import { type Numbers } from '../core/math/vector.ts';
import type { RigScene } from '../core/types.ts';

/**
 * Kinds of animatable values in a pose.
 *
 * @experimental
 */
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

/** Components per value of each channel, for example 4 for a rotation. */
export const CHANNEL_WIDTH: Record<Channel, number> = {
  translation: 3,
  rotation: 4,
  scale: 3,
  visible: 1,
  shown: 1,
  weight: 1,
  property: 1,
};

/** Array with the values of one channel: `CHANNEL_WIDTH` numbers per row. */
export type Column = Numbers & { readonly length: number };

/**
 * Layout of a pose: which rows its arrays have. All poses and layers of an animator share one
 * shape.
 *
 * @experimental
 */
export class PoseShape {
  readonly scene: RigScene;
  /**
   * Row of the first morph weight of each renderer, followed by the total number of morph weights.
   * The weights of a renderer are in the order of its mesh's morph targets.
   */
  readonly morphOffsets: Int32Array;
  /**
   * Animated properties of nodes and materials, in the order in which layers requested them. For a
   * material property, `renderer` is set and `node` is -1.
   */
  readonly properties: { node: number; property: string; rest: number; renderer?: number }[] = [];
  readonly #propertyRows = new Map<string, number>();

  constructor(scene: RigScene) {
    this.scene = scene;
    this.morphOffsets = new Int32Array(scene.renderers.length + 1);
    for (const [r, { mesh }] of scene.renderers.entries())
      this.morphOffsets[r + 1] = numberAt(this.morphOffsets, r) + (scene.meshes[mesh]?.morphs.length ?? 0);
  }

  /**
   * Returns the row of a morph weight. The morph target is found by exact name or, failing that, by
   * name regardless of case. Returns -1 if no name matches.
   *
   * @internal
   */
  weightRow(renderer: number, morph: string): number {
    const morphs = this.scene.meshes[this.scene.renderers[renderer]?.mesh ?? -1]?.morphs ?? [];
    let m = morphs.findIndex(({ name }) => name === morph);
    if (m < 0) m = morphs.findIndex(({ name }) => name.toLowerCase() === morph.toLowerCase());
    return m < 0 ? -1 : numberAt(this.morphOffsets, renderer) + m;
  }

  /**
   * Returns the row of an animated property, and adds the property on the first call. `rest`: value
   * of the property if no curve animates it.
   *
   * @internal
   */
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
 * Pose of a scene: local transforms of the nodes (rotations are quaternions x y z w), visibility of
 * nodes and renderers (0 or 1), morph weights and animated properties.
 *
 * @experimental
 */
export class Pose {
  readonly shape: PoseShape;
  readonly translations: Float64Array;
  readonly rotations: Float64Array;
  readonly scales: Float64Array;
  /** Visibility of each node. A hidden node hides its descendants. */
  readonly visible: Uint8Array;
  /** Visibility of each renderer's mesh. */
  readonly shown: Uint8Array;
  readonly weights: Float64Array;
  /**
   * Values of `shape.properties`. If a property is added to the shape later, its value is added
   * here by the next `reset` or `copy`.
   */
  readonly properties: number[];
  readonly #columns: Readonly<Record<Channel, Column>>;

  /** Creates a rest pose. */
  constructor(shape: PoseShape) {
    const { nodes, renderers } = shape.scene;
    this.shape = shape;
    this.translations = new Float64Array(3 * nodes.length);
    this.rotations = new Float64Array(4 * nodes.length);
    this.scales = new Float64Array(3 * nodes.length);
    this.visible = new Uint8Array(nodes.length);
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

  /** Resets to the rest pose. */
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

  /** Copies another pose of the same shape. */
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

  /** Adds the rest values of properties that layers have requested since the last call. */
  #addProperties(): void {
    const { properties } = this.shape;
    for (let p = this.properties.length; p < properties.length; p++) this.properties[p] = properties[p]!.rest;
  }
}

/** Blends the value at `column[at]` towards the value at `to[atTo]` by `weight`, 0 to 1. */
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

/** Blends a pose towards another one of the same shape by `weight`, 0 to 1. */
export function blendPoses(pose: Pose, to: Pose, weight: number): void {
  for (const channel of CHANNELS) {
    const column = pose.column(channel);
    const other = to.column(channel);
    const length = Math.min(column.length, other.length);
    for (let at = 0; at < length; at += CHANNEL_WIDTH[channel]) blend(channel, column, at, other, at, weight);
  }
}
