// Converts world rotations of bones to keys of their local rotations.
import { copyQuaternion, dotAt, IDENTITY, multiply, negate, type Quat, quat, rotateVector } from '../core/math/quaternion.ts';
import { copyVector, type Numbers, setDifference, type Vec3, vec3 } from '../core/math/vector.ts';
import { nameOf, parentOf } from '../core/tree.ts';
import type { NodeTable, Track } from '../core/types.ts';
import { inverseAt } from './frame.ts';
import { occurrenceOf, sampledTrack } from './table.ts';

const inverse = quat();
const local = vec3();
const scale = vec3();

/** Local transforms of all nodes, such as a pose, or a node table for the rest pose. */
type LocalTransforms = Record<'translations' | 'rotations' | 'scales', Numbers>;

/** Converts world rotations of bones to keys of their local rotations, frame by frame. */
export class LocalKeys {
  readonly #nodes: NodeTable;
  readonly #driven: readonly { row: number; keys: Float32Array }[];
  /**
   * The animated bones and their ancestors, parents first. `parent`: index of the parent in this
   * list. `driven`: index of the bone in `#driven`, or -1 for an ancestor without keys.
   */
  readonly #rows: { row: number; parent: number; driven: number; keys: Float32Array | null }[] = [];
  readonly #world: Float64Array;
  readonly #positions: Float32Array;
  /**
   * Index in `#driven` of the hips, the only bone with translation keys; -1 if no bone has them.
   */
  readonly #hips: number;
  /** Rows of the ancestors of the hips, from top to bottom. */
  readonly #above: number[] = [];

  constructor(nodes: NodeTable, driven: readonly { row: number }[], frames: number, hips = -1) {
    this.#nodes = nodes;
    this.#driven = driven.map(({ row }) => ({ row, keys: new Float32Array(4 * frames) }));
    this.#hips = hips;
    const needed = new Set<number>();
    for (const { row } of driven) for (let at = row; at >= 0 && !needed.has(at); at = parentOf(nodes, at)) needed.add(at);
    const order = [...needed].sort((a, b) => a - b);
    const indices = new Map(order.map((row, i) => [row, i]));
    const drivenIndices = new Map(driven.map(({ row }, i) => [row, i]));
    for (const row of order) {
      const driven = drivenIndices.get(row) ?? -1;
      this.#rows.push({ row, parent: indices.get(parentOf(nodes, row)) ?? -1, driven, keys: this.#driven[driven]?.keys ?? null });
    }
    for (let at = parentOf(nodes, driven[hips]?.row ?? 0); at >= 0; at = parentOf(nodes, at)) this.#above.push(at);
    this.#above.reverse();
    this.#world = new Float64Array(4 * order.length);
    this.#positions = new Float32Array(hips < 0 ? 0 : 3 * frames);
  }

  /**
   * Writes the keys of one frame. `worldRotations`: 4 numbers per animated bone. `position`: world
   * position of the hips. `locals`: transforms of all other bones (default: the rest pose).
   */
  setFrame(frame: number, worldRotations: Float64Array, position?: Vec3, locals: LocalTransforms = this.#nodes): void {
    if (position) this.#writePosition(frame, position, locals);
    const world = this.#world;
    const { rotations } = locals;
    let at = 0;
    for (const { row, parent, driven, keys } of this.#rows) {
      if (keys) {
        copyQuaternion(world, at, worldRotations, 4 * driven);
        if (parent < 0) inverse.set(IDENTITY);
        else inverseAt(inverse, world, 4 * parent);
        multiply(inverse, 0, inverse, 0, worldRotations, 4 * driven);
        write(keys, frame, inverse);
      } else if (parent < 0) copyQuaternion(world, at, rotations, 4 * row);
      else multiply(world, at, world, 4 * parent, rotations, 4 * row);
      at += 4;
    }
  }

  #writePosition(frame: number, world: Vec3, { translations, rotations, scales }: LocalTransforms): void {
    copyVector(local, 0, world, 0);
    for (const row of this.#above) {
      setDifference(local, local, 0, translations, 3 * row);
      inverseAt(inverse, rotations, 4 * row);
      rotateVector(local, 0, inverse);
      copyVector(scale, 0, scales, 3 * row);
      local[0] /= scale[0] || 1;
      local[1] /= scale[1] || 1;
      local[2] /= scale[2] || 1;
    }
    copyVector(this.#positions, 3 * frame, local, 0);
  }

  tracks(times: Float32Array): Track[] {
    const rotations = this.#driven.map(({ row, keys }) => this.#track(row, 'rotation', times, keys));
    const hips = this.#driven[this.#hips];
    return hips ? [this.#track(hips.row, 'translation', times, this.#positions), ...rotations] : rotations;
  }

  #track(row: number, path: 'translation' | 'rotation', times: Float32Array, values: Float32Array): Track {
    return sampledTrack({ target: nameOf(this.#nodes, row), occurrence: occurrenceOf(this.#nodes, row), path, times, values });
  }
}

/**
 * Writes a rotation key. Uses q or -q, which are the same rotation, whichever is closer to the
 * previous key.
 */
function write(keys: Float32Array, frame: number, rotation: Quat): void {
  if (frame > 0 && dotAt(keys, 4 * frame - 4, rotation, 0) < 0) negate(rotation);
  copyQuaternion(keys, 4 * frame, rotation, 0);
}
