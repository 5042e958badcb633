// Animations as JSON and numbers of glTF, added to what glTF-Transform writes and not to its document: that keeps five objects with listeners for each curve. A
// thousand motions of 128 bones took 36 s and 2.3 GB so, of which reading and encoding were 2 s.
import type { JSONDocument } from '../vendor/gltfTransform.ts';
import type { Encoded } from './exact.ts';

export interface Curve extends Encoded {
  /** Of the file's nodes. */
  node: number;
  path: 'translation' | 'rotation' | 'scale' | 'weights';
}

interface Accessor {
  bufferView: number;
  byteOffset: number;
  componentType: 5126;
  count: number;
  type: 'SCALAR' | 'VEC3' | 'VEC4';
  min?: [number];
  max?: [number];
}

const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;
const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4 } as const;
const FLOAT = 5126;

export class AnimationList {
  readonly #animations: object[] = [];
  readonly #accessors: Accessor[] = [];
  /** Byte length of each animation's numbers. */
  readonly #views: number[] = [];
  readonly #columns: Float32Array[] = [];
  readonly #known = new Map<Float32Array, number>();

  /** Columns that several curves share are written once. They must not change until the file is written. */
  add(name: string, curves: readonly Curve[], extras: Record<string, unknown>): void {
    this.#views.push(0);
    const samplers = curves.map(({ interpolation, times, values, path }) => ({
      input: this.#accessor(times, 'SCALAR', true),
      output: this.#accessor(values, TYPES[path]),
      ...(interpolation !== 'LINEAR' && { interpolation }),
    }));
    const channels = curves.map(({ node, path }, sampler) => ({ sampler, target: { node, path } }));
    this.#animations.push({ name, channels, samplers, extras });
  }

  #accessor(values: Float32Array, type: Accessor['type'], isTime = false): number {
    const known = this.#known.get(values);
    if (known !== undefined) return known;
    const view = this.#views.length - 1;
    const byteOffset = this.#views[view] ?? 0;
    const limits = isTime && { min: [values[0] ?? 0] as [number], max: [values.at(-1) ?? 0] as [number] };
    const count = values.length / WIDTHS[type];
    this.#views[view] = byteOffset + values.byteLength;
    this.#columns.push(values);
    this.#known.set(values, this.#accessors.length);
    return this.#accessors.push({ bufferView: view, byteOffset, componentType: FLOAT, count, type, ...limits }) - 1;
  }

  /** Adds the animations to a file's JSON. Gives what is to follow the `before` bytes of its buffer. */
  addTo(json: JSONDocument['json'], before: number): Float32Array[] {
    if (this.#animations.length === 0) return [];
    const firstAccessor = json.accessors?.length ?? 0;
    const firstView = json.bufferViews?.length ?? 0;
    let at = before;
    const views = this.#views.map(byteLength => {
      const view = { buffer: 0, byteOffset: at, byteLength };
      at += byteLength;
      return view;
    });
    for (const accessor of this.#accessors) accessor.bufferView += firstView;
    for (const { samplers } of this.#animations as { samplers: { input: number; output: number }[] }[])
      for (const sampler of samplers) {
        sampler.input += firstAccessor;
        sampler.output += firstAccessor;
      }
    json.accessors = [...(json.accessors ?? []), ...this.#accessors];
    json.bufferViews = [...(json.bufferViews ?? []), ...views];
    json.animations = this.#animations as NonNullable<typeof json.animations>;
    json.buffers = [{ ...json.buffers?.[0], byteLength: at }];
    return this.#columns;
  }
}
