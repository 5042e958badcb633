// Animations as JSON and numbers of glTF, added to what glTF-Transform writes and not to its document: that keeps five objects with listeners for each curve. A
// thousand motions of 128 bones took 36 s and 2.3 GB so, of which reading and encoding were 2 s. Each animation is text as soon as it is known: as objects their JSON takes ten times the room.
import { numberAt } from '../../core/math/column.ts';
import { FiniteNumbers } from '../common/finite.ts';
import type { JSONDocument } from '../vendor/gltfTransform.ts';
import type { Encoded } from './exact.ts';

export interface Curve extends Encoded {
  /** Of the file's nodes. */
  node: number;
  path: 'translation' | 'rotation' | 'scale' | 'weights';
}

const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;
const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4 } as const;
const FLOAT = 5126;

const encoder = new TextEncoder();

export class AnimationList {
  /** What follows the buffer that the JSON tells of, in its order. Columns that several curves share are there once. They must not change until the file is written. */
  readonly columns: Float32Array[] = [];
  readonly #json: JSONDocument['json'];
  readonly #numbers: FiniteNumbers;
  readonly #known = new Map<Float32Array, number>();
  readonly #accessors: Uint8Array[] = [];
  readonly #views: Uint8Array[] = [];
  readonly #animations: Uint8Array[] = [];
  #accessorCount: number;
  #viewCount: number;
  /** Byte length of the buffer. */
  #end: number;

  /** `json`: the rest of the file, whose buffer has `before` bytes. */
  constructor(json: JSONDocument['json'], before: number, numbers = new FiniteNumbers()) {
    this.#numbers = numbers;
    this.#json = json;
    this.#accessorCount = json.accessors?.length ?? 0;
    this.#viewCount = json.bufferViews?.length ?? 0;
    this.#end = before;
  }

  add(name: string, curves: readonly Curve[], extras: Record<string, unknown>): void {
    const begin = this.#end;
    const accessors: object[] = [];
    const samplers = curves.map(({ interpolation, times, values, path }) => ({
      input: this.#accessor(accessors, begin, times, 'SCALAR', true),
      output: this.#accessor(accessors, begin, values, TYPES[path]),
      ...(interpolation !== 'LINEAR' && { interpolation }),
    }));
    const channels = curves.map(({ node, path }, sampler) => ({ sampler, target: { node, path } }));
    this.#animations.push(encoder.encode(JSON.stringify({ name, channels, samplers, extras })));
    if (accessors.length === 0) return; // all of them are those of earlier animations
    this.#accessors.push(encoder.encode(JSON.stringify(accessors).slice(1, -1)));
    this.#views.push(encoder.encode(JSON.stringify({ buffer: 0, byteOffset: begin, byteLength: this.#end - begin })));
    this.#viewCount++;
  }

  /** Its place in the file; a new one goes into the view that begins at `begin`. */
  #accessor(made: object[], begin: number, values: Float32Array, type: keyof typeof WIDTHS, isTime = false): number {
    const known = this.#known.get(values);
    if (known !== undefined) return known;
    const limits = isTime && { min: [numberAt(values, 0)], max: [numberAt(values, values.length - 1)] };
    const count = values.length / WIDTHS[type];
    made.push({ bufferView: this.#viewCount, byteOffset: this.#end - begin, componentType: FLOAT, count, type, ...limits });
    this.columns.push(this.#numbers.column(values));
    this.#known.set(values, this.#accessorCount);
    this.#end += values.byteLength;
    return this.#accessorCount++;
  }

  /** The JSON of the file with the animations in it, as pieces of UTF-8. */
  text(): Uint8Array[] {
    const { accessors = [], bufferViews = [], ...others } = this.#json;
    if (this.#end > 0) others.buffers = [{ ...others.buffers?.[0], byteLength: this.#end }];
    else delete others.buffers;
    return [
      encoder.encode(JSON.stringify(others).slice(0, -1)),
      ...listOf('accessors', accessors, this.#accessors),
      ...listOf('bufferViews', bufferViews, this.#views),
      ...listOf('animations', [], this.#animations),
      encoder.encode('}'),
    ];
  }
}

/** A member of an object that is a list; nothing where it is empty, which glTF does not allow. */
function listOf(name: string, known: readonly object[], added: readonly Uint8Array[]): Uint8Array[] {
  const all = [...(known.length > 0 ? [encoder.encode(JSON.stringify(known).slice(1, -1))] : []), ...added];
  if (all.length === 0) return [];
  const comma = encoder.encode(',');
  return [encoder.encode(`,"${name}":[`), ...all.flatMap((piece, i) => (i > 0 ? [comma, piece] : [piece])), encoder.encode(']')];
}
