// Adds animations to the JSON and the buffer that glTF-Transform has written. In a glTF-Transform
// document, every curve has five objects with listeners, with which a thousand clips of 128 bones
// would take 36 s and 2.3 GB instead of 2 s. Each animation is encoded as JSON text immediately,
// because text takes a tenth of the memory that objects take.
import { numberAt } from '../../core/math/column.ts';
import { FiniteNumbers } from '../common/finite.ts';
import type { JSONDocument } from '../vendor/gltfTransform.ts';
import type { Encoded } from './exact.ts';

export interface Curve extends Encoded {
  /** Index of the animated glTF node. */
  node: number;
  path: 'translation' | 'rotation' | 'scale' | 'weights';
}

const TYPES = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;
const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4 } as const;
const FLOAT = 5126;

const encoder = new TextEncoder();

export class AnimationList {
  /**
   * Columns to append to the buffer, in this order and without duplicates. Their contents must not
   * change until the file is written.
   */
  readonly columns: Float32Array[] = [];
  readonly #json: JSONDocument['json'];
  readonly #numbers: FiniteNumbers;
  readonly #known = new Map<Float32Array, number>();
  readonly #accessors: Uint8Array[] = [];
  readonly #views: Uint8Array[] = [];
  readonly #animations: Uint8Array[] = [];
  #accessorCount: number;
  #viewCount: number;
  /** Length of the buffer including all columns, in bytes. */
  #end: number;

  /**
   * `json`: JSON of the file without animations. `before`: length of the file's buffer in bytes.
   */
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
    if (accessors.length === 0) return; // earlier animations have added all accessors
    this.#accessors.push(encoder.encode(JSON.stringify(accessors).slice(1, -1)));
    this.#views.push(encoder.encode(JSON.stringify({ buffer: 0, byteOffset: begin, byteLength: this.#end - begin })));
    this.#viewCount++;
  }

  /**
   * Returns the index of a column's accessor. A new accessor is added to `made`. `begin`: offset of
   * the buffer view in bytes.
   */
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

  /** Returns the JSON of the file with its animations, as UTF-8 pieces. */
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

/**
 * Returns the JSON text of an object member that contains a list. If the list is empty, returns no
 * text, because glTF does not allow empty lists.
 */
function listOf(name: string, known: readonly object[], added: readonly Uint8Array[]): Uint8Array[] {
  const all = [...(known.length > 0 ? [encoder.encode(JSON.stringify(known).slice(1, -1))] : []), ...added];
  if (all.length === 0) return [];
  const comma = encoder.encode(',');
  return [encoder.encode(`,"${name}":[`), ...all.flatMap((piece, i) => (i > 0 ? [comma, piece] : [piece])), encoder.encode(']')];
}
