// Copies poses of the pose engine to and from three.js objects, and plays layers without an
// AnimationMixer.
import { type Numbers } from '../../core/math/vector.ts';
import type { Object3D } from 'three';
import { Animator } from '../../rig/animator.ts';
import { Layer } from '../../rig/layer.ts';
import { AnimationEvents } from '../../rig/animationEvents.ts';
import { type Channel, CHANNEL_WIDTH, CHANNELS, Pose, type PoseShape } from '../../rig/pose.ts';
import type { Built } from '../build/build.ts';
import type { RigClip } from './rigClip.ts';
import { propertyKey } from '../names.ts';
import { registerProperty } from './animatedProperties.ts';

/** Reads and writes one property of an object, such as its position. */
interface PropertyAccess {
  read(row: number, to: Numbers, at: number): void;
  write(row: number, from: Numbers, at: number): void;
}

/** Copies the values of a pose to and from the objects of a rig. */
export class PoseWriter {
  readonly #access: Record<Channel, PropertyAccess>;
  /** Values at the last read or write. */
  readonly #last: Pose;

  constructor(shape: PoseShape, built: Built) {
    this.#access = accessOf(shape, built);
    this.#last = new Pose(shape);
  }

  /** Reads the current values of the objects into the pose. */
  read(pose: Pose): void {
    for (const channel of CHANNELS) {
      const width = CHANNEL_WIDTH[channel];
      const column = pose.column(channel);
      for (let row = 0; row * width < column.length; row++) this.#access[channel].read(row, column, row * width);
    }
    this.#last.copy(pose);
  }

  /** Reads only the values that the page or a mixer has changed since the last read or write. */
  readChanges(pose: Pose, channels: readonly Channel[]): void {
    for (const channel of channels) {
      const width = CHANNEL_WIDTH[channel];
      const column = pose.column(channel);
      const last = this.#last.column(channel);
      for (let at = 0, row = 0; at < column.length; at += width, row++) {
        for (let c = 0; c < width; c++) value[c] = last[at + c]!; // rows without an object count as unchanged
        this.#access[channel].read(row, value, 0);
        let isSame = true;
        for (let c = 0; c < width; c++) isSame &&= value[c] === last[at + c];
        if (!isSame) for (let c = 0; c < width; c++) column[at + c] = last[at + c] = value[c]!;
      }
    }
  }

  /**
   * Writes only the values that have changed since the last read or write. All other values remain
   * as the page has set them.
   */
  write(pose: Pose, channels: readonly Channel[] = CHANNELS): void {
    for (const channel of channels) {
      const width = CHANNEL_WIDTH[channel];
      const column = pose.column(channel);
      const last = this.#last.column(channel);
      for (let at = 0, row = 0; at < column.length; at += width, row++) {
        let isSame = true;
        for (let c = 0; c < width; c++) isSame &&= column[at + c] === last[at + c];
        if (isSame) continue;
        for (let c = 0; c < width; c++) last[at + c] = column[at + c]!;
        this.#access[channel].write(row, column, at);
      }
    }
  }
}

const value = [0, 0, 0, 0];

function accessOf(shape: PoseShape, built: Built): Record<Channel, PropertyAccess> {
  const { nodes, meshes } = built;
  const vector = (
    of: (node: Object3D) => { toArray(to: Numbers, at: number): unknown; fromArray(from: Numbers, at: number): unknown },
  ): PropertyAccess => ({
    read: (row, to, at) => void (nodes[row] && of(nodes[row]).toArray(to, at)),
    write: (row, from, at) => void (nodes[row] && of(nodes[row]).fromArray(from, at)),
  });
  const visibility = (objects: readonly (Object3D | null)[]): PropertyAccess => ({
    read: (row, to, at) => void (to[at] = objects[row]?.visible === false ? 0 : 1),
    write: (row, from, at) => {
      if (objects[row]) objects[row].visible = from[at] !== 0;
    },
  });
  const owners = Int32Array.from({ length: shape.morphOffsets.at(-1)! });
  for (let r = 0; r < meshes.length; r++) owners.fill(r, shape.morphOffsets[r], shape.morphOffsets[r + 1]);
  const influencesOf = (row: number): number[] | undefined => meshes[owners[row]!]?.morphTargetInfluences;
  const morphOf = (row: number): number => row - shape.morphOffsets[owners[row]!]!;
  return {
    translation: vector(node => node.position),
    rotation: vector(node => node.quaternion),
    scale: vector(node => node.scale),
    visible: visibility(nodes),
    shown: visibility(meshes),
    weight: {
      read: (row, to, at) => void (to[at] = influencesOf(row)?.[morphOf(row)] ?? 0),
      write: (row, from, at) => {
        const influences = influencesOf(row);
        const morph = morphOf(row);
        if (influences && morph < influences.length) influences[morph] = from[at]!;
      },
    },
    property: {
      read: (row, to, at) => {
        const { node, renderer, property, rest } = shape.properties[row]!;
        if (renderer !== undefined) to[at] = built.shaders(renderer)?.read(property) ?? rest;
        else to[at] = Number(nodes[node]?.userData[propertyKey(property)] ?? rest);
      },
      write: (row, from, at) => {
        const { node, renderer, property } = shape.properties[row]!;
        if (renderer !== undefined) built.shaders(renderer)?.write(property, from[at]!);
        else if (nodes[node]) registerProperty(built, node, property, from[at]);
      },
    },
  };
}

/** An animation event that playback has passed, for example a footstep. */
export interface RigAnimationEvent {
  type: 'animationevent';
  /** Name of the event in the file. */
  name: string;
  /** Local time of the event in the clip, in seconds. */
  time: number;
  clip: RigClip;
  layer: Layer;
}

/**
 * Plays animation layers on a rig with the pose engine. Values that no layer animates remain as
 * they were at the start of playback.
 */
export class RigAnimator extends Animator {
  readonly #writer: PoseWriter;
  readonly #built: Built;
  readonly #dispatch: (event: RigAnimationEvent) => void;
  readonly #events = new Map<Layer, { clip: RigClip; events: AnimationEvents }>();
  #isPlaying = false;

  constructor(shape: PoseShape, built: Built, dispatch: (event: RigAnimationEvent) => void = () => {}) {
    super(shape);
    this.#dispatch = dispatch;
    this.#built = built;
    this.#writer = new PoseWriter(shape, built);
  }

  /**
   * Creates a layer that plays a clip. Add it to `layers` to start it. If the clip isn't bound to a
   * model, the layer has no effect.
   */
  layer(clip: RigClip): Layer {
    const layer = new Layer(this.shape, clip.bound?.tracks ?? []);
    const { properties } = this.shape;
    const { nodes } = this.#built;
    const { events = [], start = 0 } = clip.bound?.clip ?? {};
    if (events.length) this.#events.set(layer, { clip, events: new AnimationEvents(events, start, clip.duration) });
    // A property is registered even if its value never changes.
    for (const { node, property, rest } of properties)
      if (nodes[node] && !(propertyKey(property) in nodes[node].userData)) registerProperty(this.#built, node, property, rest);
    return layer;
  }

  /**
   * Evaluates the layers at their current times, advances fades and solvers by `seconds`, and
   * writes the pose to the objects. If `seconds` is positive, dispatches the animation events that
   * the layers have passed. Otherwise, the change of the layers' times counts as a jump, and no
   * events are dispatched.
   */
  apply(seconds = 0): void {
    if (!this.#isPlaying) this.#writer.read(this.base);
    this.#isPlaying = true;
    this.#writer.write(this.evaluate(seconds));
    for (const layer of this.layers) this.#passEvents(layer, seconds);
  }

  #passEvents(layer: Layer, seconds: number): void {
    const found = this.#events.get(layer);
    if (!found) return;
    if (seconds > 0 && layer.weight > 0)
      found.events.advance(layer.time, ({ name, time }) => this.#dispatch({ type: 'animationevent', name, time, clip: found.clip, layer }));
    else found.events.seek(layer.time);
  }

  /** Removes all layers and restores the pose from before playback. */
  stop(): void {
    this.layers.length = 0;
    if (this.#isPlaying) this.#writer.write(this.base);
    this.#isPlaying = false;
  }
}
