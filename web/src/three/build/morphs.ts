import { BufferAttribute, Quaternion, type TypedArray, Vector3 } from 'three';
import type { Mesh, MorphTarget } from '../../core/types.ts';

/**
 * Morph deltas, 3 floats each, for some of the vertices of a mesh. The vertex indices are ascending
 * and unique.
 */
export interface SparseDeltas {
  vertices: Uint32Array;
  deltas: Float32Array;
}

/**
 * An attribute that stores the deltas of a morph target sparsely but reads like a dense one with 3
 * floats per vertex. WebGLRenderer copies it to its morph texture through getX, getY and getZ. The
 * dense array is created only when `array` is read (by exporters and WebGPU).
 */
export class SparseMorphAttribute extends BufferAttribute {
  #source: SparseDeltas | (() => SparseDeltas);
  #dense: TypedArray | null = null;
  #cursor = 0;

  /**
   * Creates an attribute for `count` vertices. If `source` is a function, it is called when the
   * attribute is first read.
   */
  constructor(source: SparseDeltas | (() => SparseDeltas), count: number) {
    super(new Float32Array(0), 3);
    this.#source = source;
    Object.defineProperties(this, {
      count: { value: count, writable: true, enumerable: true },
      array: {
        get: () => (this.#dense ??= this.#expand()),
        set: (array: TypedArray) => {
          this.#dense = array;
        },
        enumerable: true,
      },
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
    const copy = new BufferAttribute(this.array.slice(), 3);
    copy.name = this.name;
    return copy as this;
  }

  get #sparse(): SparseDeltas {
    return typeof this.#source === 'function' ? (this.#source = this.#source()) : this.#source;
  }

  #at(index: number, component: number): number {
    if (this.#dense) return this.#dense[3 * index + component]!;
    const { vertices, deltas } = this.#sparse;
    let i = this.#cursor;
    if (vertices[i] !== index) {
      const isBetween = (vertices[i] ?? Infinity) > index && (i === 0 || vertices[i - 1]! < index);
      if (!isBetween) i = vertices[i + 1] === index ? i + 1 : lowerBound(vertices, index);
      this.#cursor = i;
      if (vertices[i] !== index) return 0;
    }
    return deltas[3 * i + component]!;
  }

  #expand(): Float32Array {
    const dense = new Float32Array(3 * this.count);
    const { vertices, deltas } = this.#sparse;
    for (let i = 0; i < vertices.length; i++) {
      const to = 3 * vertices[i]!;
      const from = 3 * i;
      dense[to] = deltas[from]!;
      dense[to + 1] = deltas[from + 1]!;
      dense[to + 2] = deltas[from + 2]!;
    }
    return dense;
  }
}

function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Maximum number of computed normals of a mesh: its vertices times its morph targets. Each normal
 * takes 16 bytes of GPU memory.
 */
const MAX_NORMALS = 1 << 22;

/**
 * Returns the normal deltas of all morph targets. They are computed at the first draw: each normal
 * rotates with the faces around its vertex. Returns null if the mesh has no triangles or normals,
 * or exceeds `MAX_NORMALS`.
 */
export function computedMorphNormals(mesh: Mesh): SparseMorphAttribute[] | null {
  const { normals, indices, morphs, vertexCount } = mesh;
  if (!normals || !indices || mesh.topology !== 'triangles' || morphs.length * vertexCount > MAX_NORMALS) return null;
  let around: FacesAround | undefined;
  return morphs.map(
    morph => new SparseMorphAttribute(() => rotatedNormals(mesh, morph, (around ??= facesAround(indices, vertexCount))), vertexCount),
  );
}

/**
 * The triangles around each vertex. For vertex v, `faces` contains their indices from `first[v]` up
 * to but excluding `first[v + 1]`.
 */
interface FacesAround {
  first: Uint32Array;
  faces: Uint32Array;
}

function facesAround(indices: Uint16Array | Uint32Array, vertexCount: number): FacesAround {
  const first = new Uint32Array(vertexCount + 1);
  const faces = new Uint32Array(indices.length);
  for (const v of indices) first[v + 1]!++;
  for (let v = 0; v < vertexCount; v++) first[v + 1]! += first[v]!;
  const next = first.slice();
  for (const [i, v] of indices.entries()) faces[next[v]!++] = Math.floor(i / 3);
  return { first, faces };
}

const before = /*@__PURE__*/ new Vector3();
const after = /*@__PURE__*/ new Vector3();
const normal = /*@__PURE__*/ new Vector3();
const way = /*@__PURE__*/ new Quaternion();
const edge = /*@__PURE__*/ new Vector3();
const other = /*@__PURE__*/ new Vector3();
const corner = /*@__PURE__*/ new Vector3();

function rotatedNormals(
  { positions, normals, indices, vertexCount }: Mesh,
  morph: MorphTarget,
  { first, faces }: FacesAround,
): SparseDeltas {
  const moved = positions.slice();
  const isTouched = new Uint8Array(vertexCount);
  for (const [i, v] of morph.vertices.entries()) {
    for (let c = 0; c < 3; c++) moved[3 * v + c]! += morph.positions[3 * i + c]!;
    for (let f = first[v]!; f < first[v + 1]!; f++) for (let c = 0; c < 3; c++) isTouched[indices![3 * faces[f]! + c]!] = 1;
  }
  /**
   * Computes the normal of a vertex: the sum of the normals of its faces, weighted by area and
   * normalized.
   */
  const sum = (of: Float32Array, v: number, result: Vector3): Vector3 => {
    result.set(0, 0, 0);
    for (let f = first[v]!; f < first[v + 1]!; f++) {
      const [a, b, c] = [0, 1, 2].map(k => 3 * indices![3 * faces[f]! + k]!) as [number, number, number];
      corner.fromArray(of, a);
      edge.fromArray(of, b).sub(corner);
      result.add(edge.cross(other.fromArray(of, c).sub(corner)));
    }
    return result.normalize();
  };
  const vertices: number[] = [];
  const deltas: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    if (!isTouched[v] || sum(positions, v, before).lengthSq() === 0 || sum(moved, v, after).lengthSq() === 0) continue;
    const from = normal.fromArray(normals!, 3 * v);
    const { x, y, z } = from;
    from.applyQuaternion(way.setFromUnitVectors(before, after));
    vertices.push(v);
    deltas.push(from.x - x, from.y - y, from.z - z);
  }
  return { vertices: Uint32Array.from(vertices), deltas: Float32Array.from(deltas) };
}
