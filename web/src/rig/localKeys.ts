// From the world back to keys of bones.
import { multiply, rotateVector } from '../core/math/quaternion.ts';
import type { NodeTable, Track } from '../core/types.ts';
import { occurrenceOf, sampledTrack } from './table.ts';

const inverse = new Float64Array(4);
const local = new Float64Array(3);

/** Collects keys of bones from rotations in the world, frame by frame. What is between and above the driven bones stays at rest. */
export class LocalKeys {
  readonly #nodes: NodeTable;
  readonly #driven: readonly { row: number }[];
  /** Driven rows and all above them, parents first; of each its parent among them and its place in `driven`, or -1. */
  readonly #rows: { row: number; parent: number; driven: number }[] = [];
  readonly #world: Float64Array;
  readonly #keys: Float32Array[];
  readonly #places: Float32Array;
  /** Which of the driven bones moves as well; -1: none does. */
  readonly #hips: number;
  /** What is above the hips and stays at rest, from the top. */
  readonly #above: number[] = [];

  constructor(nodes: NodeTable, driven: readonly { row: number }[], frames: number, hips = -1) {
    this.#nodes = nodes;
    this.#driven = driven;
    this.#hips = hips;
    const needed = new Set<number>();
    for (const { row } of driven) for (let at = row; at >= 0 && !needed.has(at); at = nodes.parents[at]!) needed.add(at);
    const order = [...needed].sort((a, b) => a - b);
    const indices = new Map(order.map((row, i) => [row, i]));
    const places = new Map(driven.map(({ row }, i) => [row, i]));
    for (const row of order) this.#rows.push({ row, parent: indices.get(nodes.parents[row]!) ?? -1, driven: places.get(row) ?? -1 });
    for (let at = nodes.parents[driven[hips]?.row ?? 0]!; at >= 0; at = nodes.parents[at]!) this.#above.push(at);
    this.#above.reverse();
    this.#world = new Float64Array(4 * order.length);
    this.#keys = driven.map(() => new Float32Array(4 * frames));
    this.#places = new Float32Array(hips < 0 ? 0 : 3 * frames);
  }

  /** How the bones are to be turned in the world, four numbers per driven one, and where the one that moves is to be. */
  pose(frame: number, wanted: Float64Array, place?: Float64Array): void {
    if (place) this.#place(frame, place);
    const world = this.#world;
    for (let i = 0; i < this.#rows.length; i++) {
      const { row, parent, driven } = this.#rows[i]!;
      if (driven < 0 && parent < 0) for (let c = 0; c < 4; c++) world[4 * i + c] = this.#nodes.rotations[4 * row + c]!;
      else if (driven < 0) multiply(world, 4 * i, world, 4 * parent, this.#nodes.rotations, 4 * row);
      else {
        for (let c = 0; c < 4; c++) world[4 * i + c] = wanted[4 * driven + c]!;
        for (let c = 0; c < 3; c++) inverse[c] = parent < 0 ? 0 : -world[4 * parent + c]!;
        inverse[3] = parent < 0 ? 1 : world[4 * parent + 3]!;
        multiply(inverse, 0, inverse, 0, wanted, 4 * driven);
        write(this.#keys[driven]!, frame, inverse);
      }
    }
  }

  #place(frame: number, world: Float64Array): void {
    const { translations, rotations, scales } = this.#nodes;
    const place = local;
    place.set(world);
    for (let i = 0; i < this.#above.length; i++) {
      const row = this.#above[i]!;
      for (let c = 0; c < 3; c++) place[c]! -= translations[3 * row + c]!;
      for (let c = 0; c < 3; c++) inverse[c] = -rotations[4 * row + c]!;
      inverse[3] = rotations[4 * row + 3]!;
      rotateVector(place, 0, inverse);
      for (let c = 0; c < 3; c++) place[c]! /= scales[3 * row + c]! || 1;
    }
    this.#places.set(place, 3 * frame);
  }

  tracks(times: Float32Array): Track[] {
    const rotations = this.#driven.map(({ row }, i) => this.#track(row, 'rotation', times, this.#keys[i]!));
    const mover = this.#driven[this.#hips];
    return mover ? [this.#track(mover.row, 'translation', times, this.#places), ...rotations] : rotations;
  }

  #track(row: number, path: 'translation' | 'rotation', times: Float32Array, values: Float32Array): Track {
    return sampledTrack({ target: this.#nodes.names[row]!, occurrence: occurrenceOf(this.#nodes, row), path, times, values });
  }
}

/** A key of a rotation, with the sign that is nearer to the key before it. */
function write(keys: Float32Array, frame: number, turn: Float64Array): void {
  let dot = 0;
  if (frame > 0) for (let c = 0; c < 4; c++) dot += keys[4 * (frame - 1) + c]! * turn[c]!;
  for (let c = 0; c < 4; c++) keys[4 * frame + c] = dot < 0 ? -turn[c]! : turn[c]!;
}
