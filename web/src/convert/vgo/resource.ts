// Builds the binary resource of a VGO file, and the list of accessors that refer to it
// (docs/formats/vgo.md section 3).
import { numberAt } from '../../core/math/column.ts';
import { joined } from '../common/written.ts';
import { FiniteNumbers } from '../common/finite.ts';
import type { ReportBuilder } from '../common/report.ts';
import { type Branch, branch, type Tree } from './tree.ts';
import type { Budget } from '../common/budget.ts';
import { refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';

export const KIND = { image: 1, transforms: 2, mesh: 3, skin: 4 } as const;
export const TYPE = {
  u8: 0x10,
  u16: 0x20,
  u32: 0x30,
  f32: 0x50,
  vec2: 0x1250,
  vec3: 0x1350,
  vec4: 0x1450,
  bytes4: 0x1410,
  shorts4: 0x1420,
  mat4: 0x2450,
};

/** Number of components per element for each data type. */
const WIDTHS = new Map<number, number>([
  [TYPE.vec2, 2],
  [TYPE.vec3, 3],
  [TYPE.vec4, 4],
  [TYPE.bytes4, 4],
  [TYPE.shorts4, 4],
  [TYPE.mat4, 16],
]);

/**
 * Maximum size of a sparse accessor as a fraction of the complete accessor. If the sparse accessor
 * would be larger, the complete one is written.
 */
const WORTH = 0.8;
/** Maximum offset in the resource. Offsets are stored as signed 32-bit integers. */
const MAX_BYTES = 0x7fffffff;
/** Estimated JSON length of an accessor, in characters. */
const PER_ACCESSOR = 120;

type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array;

export class VgoResource {
  readonly accessors: Tree[];
  readonly #budget: Budget;
  readonly #pieces: Uint8Array[];
  readonly #numbers = new FiniteNumbers();
  #length: number;

  /**
   * `accessors`, `bytes`: existing accessors and resource bytes, after which new ones are added.
   */
  constructor(budget: Budget, accessors: readonly Tree[] = [], bytes: Uint8Array = new Uint8Array(0)) {
    this.#budget = budget;
    this.accessors = [...accessors];
    this.#pieces = [bytes];
    this.#length = bytes.length;
  }

  /** Adds a column and returns the index of its accessor. */
  add(kind: number, dataType: number, column: Column): number {
    const values = this.#numbers.column(column);
    const width = WIDTHS.get(dataType) ?? 1;
    const byteStride = width * values.BYTES_PER_ELEMENT;
    this.#budget.spend(kind === KIND.image ? 0 : values.byteLength); // image bytes do not count, because images are about as large in the source
    return this.#put({ kind, dataType, byteStride, count: values.length / width }, [bytesOf(values)]);
  }

  /**
   * Adds vertex indices in the smallest type that suffices for `vertexCount` vertices. Returns the
   * index of the accessor.
   */
  addIndices(values: Uint32Array, vertexCount: number): number {
    if (vertexCount <= 0x100) return this.add(KIND.mesh, TYPE.u8, Uint8Array.from(values));
    return vertexCount <= 0x10000 ? this.add(KIND.mesh, TYPE.u16, Uint16Array.from(values)) : this.add(KIND.mesh, TYPE.u32, values);
  }

  /**
   * Adds a column of vectors that are 0 except at the given vertices. Uses the shortest of three
   * encodings. Returns the index of the accessor.
   */
  addDeltas(vertices: Uint32Array, deltas: Float32Array, vertexCount: number): number {
    const vectors: number[] = [];
    const single: number[] = [];
    for (const [i, vertex] of vertices.entries()) {
      for (let c = 0; c < 3; c++) if (deltas[3 * i + c] !== 0) single.push(3 * vertex + c);
      if (single.length > 0 && (single.at(-1) ?? 0) >= 3 * vertex) vectors.push(i);
    }
    const [general, powerful] = [vectors.map(i => numberAt(vertices, i)), single].map(indexColumn) as [Column, Column];
    const sizes = [general.byteLength + 12 * vectors.length, powerful.byteLength + 4 * single.length] as const;
    if (vectors.length === 0 || Math.min(...sizes) > WORTH * 12 * vertexCount) {
      const dense = new Float32Array(3 * vertexCount);
      for (const [i, vertex] of vertices.entries()) dense.set(deltas.subarray(3 * i, 3 * i + 3), 3 * vertex);
      return this.add(KIND.mesh, TYPE.vec3, dense);
    }
    const isGeneral = sizes[0] <= sizes[1];
    const indices = isGeneral ? general : powerful;
    const values = new Float32Array(isGeneral ? 3 * vectors.length : single.length);
    if (isGeneral) for (const [k, i] of vectors.entries()) values.set(deltas.subarray(3 * i, 3 * i + 3), 3 * k);
    else for (let i = 0, k = 0; i < deltas.length; i++) if (deltas[i] !== 0) values[k++] = numberAt(deltas, i);
    const sparse = {
      sparseType: isGeneral ? 1 : 2,
      sparseCount: indices.length,
      sparseIndexDataType: indices.BYTES_PER_ELEMENT === 1 ? TYPE.u8 : indices.BYTES_PER_ELEMENT === 2 ? TYPE.u16 : TYPE.u32,
      sparseValueDataType: isGeneral ? TYPE.vec3 : TYPE.f32,
      sparseValueByteOffset: indices.byteLength,
    };
    this.#budget.spend(indices.byteLength + values.byteLength);
    return this.#put({ kind: KIND.mesh, dataType: TYPE.vec3, count: vertexCount, ...sparse }, [
      bytesOf(indices),
      bytesOf(this.#numbers.column(values)),
    ]);
  }

  /** Reports numbers that the file cannot store. */
  reportLosses(report: ReportBuilder): void {
    if (this.#numbers.count > 0) report.add('NUMBERS_REPAIRED', '', this.#numbers.count);
  }

  bytes(): Uint8Array {
    return joined(this.#pieces);
  }

  #put(members: object, pieces: readonly Uint8Array[]): number {
    const byteLength = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (this.#length + byteLength > MAX_BYTES) throw refusal(refusals, 'VGO_TOO_LARGE');
    this.#budget.spend(PER_ACCESSOR);
    const accessor: Branch = branch({ ...members, byteOffset: this.#length, byteLength });
    this.#pieces.push(...pieces);
    this.#length += byteLength;
    return this.accessors.push(accessor) - 1;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Column): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength);

/**
 * Returns indices as a column of the smallest type that can store them. The indices must be in
 * ascending order.
 */
function indexColumn(places: readonly number[]): Column {
  const largest = places.at(-1) ?? 0;
  return largest < 0x100 ? Uint8Array.from(places) : largest < 0x10000 ? Uint16Array.from(places) : Uint32Array.from(places);
}
