import { BufferAttribute, type TypedArray } from 'three';

/**
 * Morph deltas as the file keeps them: a few vertices of many. Reads like a dense attribute of three numbers a vertex; the dense array is
 * made
 * only when somebody asks for `array` (exporters, WebGPU): WebGLRenderer fills its own texture through getX, getY, getZ.
 */
export class SparseMorphAttribute extends BufferAttribute {
  readonly #vertices: Uint32Array;
  readonly #deltas: Float32Array;
  #dense: TypedArray | null = null;
  #cursor = 0;

  /** `vertices` ascending and unique, three `deltas` each, of `count` vertices. */
  constructor(vertices: Uint32Array, deltas: Float32Array, count: number) {
    super(new Float32Array(0), 3);
    this.#vertices = vertices;
    this.#deltas = deltas;
    Object.defineProperties(this, {
      count: { value: count, writable: true, enumerable: true },
      array: { get: () => (this.#dense ??= this.#expand()), set: (array: TypedArray) => { this.#dense = array; }, enumerable: true },
    });
  }

  override getX(index: number): number {
    return this.#at(index, 0);
  }

  override getY(index: number): number {
    return this.#at(index, 1);
  }

  override getZ(index: number): number {
    return this.#at(index, 2);
  }

  override getComponent(index: number, component: number): number {
    return this.#at(index, component);
  }

  override clone(): this {
    const copy = new BufferAttribute(this.array.slice() as TypedArray, 3);
    copy.name = this.name;
    return copy as this;
  }

  #at(index: number, component: number): number {
    if (this.#dense) return this.#dense[3 * index + component]!;
    const vertices = this.#vertices;
    let i = this.#cursor;
    if (vertices[i] !== index) {
      const isBetween = (vertices[i] ?? Infinity) > index && (i === 0 || vertices[i - 1]! < index);
      if (!isBetween) i = vertices[i + 1] === index ? i + 1 : lowerBound(vertices, index);
      this.#cursor = i;
      if (vertices[i] !== index) return 0;
    }
    return this.#deltas[3 * i + component]!;
  }

  #expand(): Float32Array {
    const dense = new Float32Array(3 * this.count);
    const vertices = this.#vertices, deltas = this.#deltas;
    for (let i = 0; i < vertices.length; i++) {
      const to = 3 * vertices[i]!, from = 3 * i;
      dense[to] = deltas[from]!;
      dense[to + 1] = deltas[from + 1]!;
      dense[to + 2] = deltas[from + 2]!;
    }
    return dense;
  }
}

function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
