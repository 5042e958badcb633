// Writes morph targets as sparse accessors. glTF-Transform requires complete columns, with which
// 800 morph targets of a face with 60,000 vertices would take a gigabyte.
import { numberAt } from '../../core/math/column.ts';
import type { Accessor, Document, GltfBuffer, JSONDocument } from '../vendor/gltfTransform.ts';

interface Column {
  count: number;
  /** Vertex indices in ascending order. */
  vertices: Uint32Array;
  values: Float32Array;
}

/** Prefix of the names of placeholder accessors. */
const NAME = 'sparse column ';
const U8 = 5121;
const U16 = 5123;
const U32 = 5125;

export class SparseColumns {
  readonly #columns: Column[] = [];

  /**
   * Adds an accessor of `count` vectors that are 0 except at `vertices`. Until `write` is called, a
   * placeholder with one vector represents the accessor.
   */
  add(document: Document, buffer: GltfBuffer, vertices: Uint32Array, deltas: Float32Array, count: number): Accessor {
    const accessor = document
      .createAccessor(`${NAME}${this.#columns.length}`)
      .setType('VEC3')
      .setArray(new Float32Array(3))
      .setBuffer(buffer);
    this.#columns.push({ count, ...nonzero(vertices, deltas) });
    return accessor.setSparse(true);
  }

  /**
   * Replaces the placeholder accessors in the JSON. Returns the bytes to append to the buffer.
   * `before`: length of the existing buffer in bytes.
   */
  write(json: JSONDocument['json'], before: number): ArrayBufferView[] {
    const written = (json.accessors ?? []).filter(({ name }) => name?.startsWith(NAME));
    const columns = written.flatMap(({ name = '' }) => this.#columns[Number(name.slice(NAME.length))] ?? []);
    const largest = columns.reduce((most, { vertices }) => Math.max(most, vertices.at(-1) ?? 0), 0);
    const IndexArray = largest < 0xff ? Uint8Array : largest < 0xff_ff ? Uint16Array : Uint32Array;
    const componentType = largest < 0xff ? U8 : largest < 0xff_ff ? U16 : U32;
    const indices: ArrayBufferView[] = [];
    const values: ArrayBufferView[] = [];
    let indexBytes = 0;
    let valueBytes = 0;
    const views = json.bufferViews ?? [];
    for (const [i, accessor] of written.entries()) {
      const { count, vertices, values: own } = columns[i] ?? { count: 0, vertices: new Uint32Array(0), values: new Float32Array(0) };
      delete accessor.name;
      Object.assign(accessor, { count, ...limitsOf(own) });
      if (vertices.length === 0) continue; // all vectors are 0
      accessor.sparse = {
        count: vertices.length,
        indices: { bufferView: views.length, byteOffset: indexBytes, componentType },
        values: { bufferView: views.length + 1, byteOffset: valueBytes },
      };
      const narrow = new IndexArray(Math.ceil((vertices.length * IndexArray.BYTES_PER_ELEMENT) / 4) * (4 / IndexArray.BYTES_PER_ELEMENT));
      narrow.set(vertices);
      indices.push(narrow);
      values.push(own);
      indexBytes += narrow.byteLength;
      valueBytes += own.byteLength;
    }
    if (indexBytes === 0) return [];
    json.bufferViews = [
      ...views,
      { buffer: 0, byteOffset: before, byteLength: indexBytes },
      { buffer: 0, byteOffset: before + indexBytes, byteLength: valueBytes },
    ];
    return [...indices, ...values];
  }
}

/**
 * Returns the nonzero vectors, sorted by vertex. If a vertex occurs twice, its last vector is used.
 */
function nonzero(vertices: Uint32Array, deltas: Float32Array): Pick<Column, 'vertices' | 'values'> {
  const isAscending = vertices.every((vertex, i) => i === 0 || vertex > numberAt(vertices, i - 1));
  const places = [...vertices.keys()];
  const rows = isAscending
    ? places
    : [...new Map(places.map(i => [numberAt(vertices, i), i])).entries()].sort(([a], [b]) => a - b).map(([, i]) => i);
  const kept = rows.filter(i => deltas[3 * i] || deltas[3 * i + 1] || deltas[3 * i + 2]);
  const values = new Float32Array(3 * kept.length);
  for (const [at, i] of kept.entries()) values.set(deltas.subarray(3 * i, 3 * i + 3), 3 * at);
  return { vertices: Uint32Array.from(kept, i => numberAt(vertices, i)), values };
}

/**
 * Returns the smallest and the largest value on each axis, including the value 0 of all other
 * vertices.
 */
function limitsOf(values: Float32Array): { min: number[]; max: number[] } {
  const min = [0, 0, 0];
  const max = [0, 0, 0];
  for (const [i, value] of values.entries()) {
    min[i % 3] = Math.min(min[i % 3]!, value);
    max[i % 3] = Math.max(max[i % 3]!, value);
  }
  return { min, max };
}
