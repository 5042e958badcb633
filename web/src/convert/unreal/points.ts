// Merges vertices that differ only in UVs, colours or material into PSK points.
import { numberAt } from '../../core/math/column.ts';
import type { BodyMesh } from '../common/parts.ts';

export interface Points {
  /** Index of each vertex's point. */
  of: Uint32Array;
  /**
   * Index of each point's first vertex, which determines the position and influences of the point.
   */
  first: Uint32Array;
}

/**
 * Merges vertices that have the same position, normal, influences and morph targets. If the source
 * declares points, only vertices of the same point are merged.
 */
export function pointsOf(mesh: BodyMesh): Points {
  const columns = columnsOf(mesh);
  const size = 2 ** Math.ceil(Math.log2(2 * mesh.count + 2));
  const table = new Int32Array(size).fill(-1);
  const firsts: number[] = [];
  const same = new Uint32Array(mesh.count);
  for (let v = 0; v < mesh.count; v++) {
    let slot = hashOf(columns, v) & (size - 1);
    let found = numberAt(table, slot);
    while (found >= 0 && !isSame(columns, found, v)) found = numberAt(table, (slot = (slot + 1) & (size - 1)));
    if (found < 0) {
      table[slot] = v;
      firsts.push(v);
      found = v;
    }
    same[v] = found;
  }
  const { sources } = mesh;
  if (sources) firsts.sort((a, b) => numberAt(sources, a) - numberAt(sources, b) || a - b);
  const numbers = new Uint32Array(mesh.count);
  for (const [point, vertex] of firsts.entries()) numbers[vertex] = point;
  return { of: same.map(vertex => numberAt(numbers, vertex)), first: Uint32Array.from(firsts) };
}

interface Column {
  words: Uint32Array;
  width: number;
}

function columnsOf({ count, positions, normals, influences, shapes, sources }: BodyMesh): Column[] {
  const bits = (values: Float32Array | Uint32Array, width: number): Column => ({
    words: new Uint32Array(values.buffer, values.byteOffset, values.length),
    width,
  });
  const columns = [bits(positions, 3)];
  if (normals) columns.push(bits(normals, 3));
  if (influences) columns.push(bits(influences.bones, influences.each), bits(influences.weights, influences.each));
  if (sources) columns.push(bits(sources, 1));
  if (shapes.length > 0) columns.push(shapeHashes(count, shapes));
  return columns;
}

/**
 * Returns two 32-bit hashes per vertex, calculated from the vertex's values in all morph targets.
 */
function shapeHashes(count: number, shapes: BodyMesh['shapes']): Column {
  const words = new Uint32Array(2 * count);
  for (const [s, { vertices, positions, normals }] of shapes.entries()) {
    const places = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
    const turns = normals && new Uint32Array(normals.buffer, normals.byteOffset, normals.length);
    for (const [i, vertex] of vertices.entries())
      for (const column of turns ? [places, turns] : [places])
        for (let c = 0; c < 3; c++) {
          const word = numberAt(column, 3 * i + c);
          words[2 * vertex] = mix(numberAt(words, 2 * vertex), word ^ (3 * s + c));
          words[2 * vertex + 1] = mix(numberAt(words, 2 * vertex + 1) ^ 0x9e3779b9, word + s);
        }
  }
  return { words, width: 2 };
}

const mix = (hash: number, word: number): number => {
  const mixed = Math.imul(hash ^ word, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

function hashOf(columns: readonly Column[], vertex: number): number {
  let hash = 0x811c9dc5;
  for (const { words, width } of columns) for (let c = 0; c < width; c++) hash = mix(hash, numberAt(words, width * vertex + c));
  return hash;
}

function isSame(columns: readonly Column[], a: number, b: number): boolean {
  for (const { words, width } of columns) for (let c = 0; c < width; c++) if (words[width * a + c] !== words[width * b + c]) return false;
  return true;
}
