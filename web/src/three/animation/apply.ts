// The engine's poses on three's objects. What plays here needs no AnimationMixer.
import { type Numbers } from '../../core/math/vector.ts';
import type { Object3D } from 'three';
import { Animator } from '../../rig/animator.ts';
import { Layer } from '../../rig/layer.ts';
import { Notes } from '../../rig/notes.ts';
import { type Channel, CHANNEL_WIDTH, CHANNELS, Pose, type PoseShape } from '../../rig/pose.ts';
import type { Built } from '../build/build.ts';
import type { Motion } from './clips.ts';
import { propertyKey } from '../names.ts';
import { offerProperty } from './offered.ts';

/** How one row of a channel is found on the objects. */
interface Place {
  read(row: number, to: Numbers, at: number): void;
  write(row: number, from: Numbers, at: number): void;
}

/** Reads and writes the part of a rig's objects that a pose holds. */
export class PoseWriter {
  readonly #places: Record<Channel, Place>;
  /** What the objects held when they were read or written last. */
  readonly #last: Pose;

  constructor(shape: PoseShape, built: Built) {
    this.#places = placesOf(shape, built);
    this.#last = new Pose(shape);
  }

  /** Reads the objects into the pose. */
  read(pose: Pose): void {
    for (const channel of CHANNELS) {
      const width = CHANNEL_WIDTH[channel];
      const column = pose.column(channel);
      for (let row = 0; row * width < column.length; row++) this.#places[channel].read(row, column, row * width);
    }
    this.#last.copy(pose);
  }

  /** Reads those values into the pose that something else has changed since they were read or written here. */
  readChanges(pose: Pose, channels: readonly Channel[]): void {
    for (const channel of channels) {
      const width = CHANNEL_WIDTH[channel];
      const column = pose.column(channel);
      const last = this.#last.column(channel);
      for (let at = 0, row = 0; at < column.length; at += width, row++) {
        for (let c = 0; c < width; c++) value[c] = last[at + c]!; // a row without an object has not changed
        this.#places[channel].read(row, value, 0);
        let isSame = true;
        for (let c = 0; c < width; c++) isSame &&= value[c] === last[at + c];
        if (!isSame) for (let c = 0; c < width; c++) column[at + c] = last[at + c] = value[c]!;
      }
    }
  }

  /** Writes to the objects those values that differ from last time, so that values that nothing here changes stay as the page sets them. */
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
        this.#places[channel].write(row, column, at);
      }
    }
  }
}

const value = [0, 0, 0, 0];

function placesOf(shape: PoseShape, built: Built): Record<Channel, Place> {
  const { nodes, meshes } = built;
  const vector = (
    of: (node: Object3D) => { toArray(to: Numbers, at: number): unknown; fromArray(from: Numbers, at: number): unknown },
  ): Place => ({
    read: (row, to, at) => void (nodes[row] && of(nodes[row]).toArray(to, at)),
    write: (row, from, at) => void (nodes[row] && of(nodes[row]).fromArray(from, at)),
  });
  const visibility = (objects: readonly (Object3D | null)[]): Place => ({
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
        else if (nodes[node]) offerProperty(built, node, property, from[at]);
      },
    },
  };
}

/** What a motion says at a time: a step, a shot. */
export interface Note {
  type: 'note';
  name: string;
  /** Seconds into the motion. */
  time: number;
  motion: Motion;
  layer: Layer;
}

/** Motions on one rig, played by the engine: layers in, objects posed. What they do not move keeps what it held when they started. */
export class RigAnimator extends Animator {
  readonly #writer: PoseWriter;
  readonly #built: Built;
  readonly #tell: (note: Note) => void;
  readonly #notes = new Map<Layer, { motion: Motion; notes: Notes }>();
  #isPlaying = false;

  constructor(shape: PoseShape, built: Built, tell: (note: Note) => void = () => {}) {
    super(shape);
    this.#tell = tell;
    this.#built = built;
    this.#writer = new PoseWriter(shape, built);
  }

  /** A motion as a layer, on no stack yet: push it to `layers`. One that is bound to no model moves nothing. */
  layer(motion: Motion): Layer {
    const layer = new Layer(this.shape, motion.bound?.tracks ?? []);
    const { properties } = this.shape;
    const { nodes } = this.#built;
    const { events = [], start = 0 } = motion.bound?.clip ?? {};
    if (events.length) this.#notes.set(layer, { motion, notes: new Notes(events, start, motion.duration) });
    // Listed even where the motion leaves a property at its first value.
    for (const { node, property, rest } of properties)
      if (nodes[node] && !(propertyKey(property) in nodes[node].userData)) offerProperty(this.#built, node, property, rest);
    return layer;
  }

  /**
   * The objects take the pose of the layers' times; fades and solvers move on by `seconds`. Where seconds have passed, the notes that the layers' times have passed are told;
   * without, a layer has jumped.
   */
  apply(seconds = 0): void {
    if (!this.#isPlaying) this.#writer.read(this.base);
    this.#isPlaying = true;
    this.#writer.write(this.evaluate(seconds));
    for (const layer of this.layers) this.#passNotes(layer, seconds);
  }

  #passNotes(layer: Layer, seconds: number): void {
    const found = this.#notes.get(layer);
    if (!found) return;
    if (seconds > 0 && layer.weight > 0)
      found.notes.play(layer.time, ({ name, time }) => this.#tell({ type: 'note', name, time, motion: found.motion, layer }));
    else found.notes.jump(layer.time);
  }

  /** No layers any more, and what they moved is as it was before them. */
  stop(): void {
    this.layers.length = 0;
    if (this.#isPlaying) this.#writer.write(this.base);
    this.#isPlaying = false;
  }
}
