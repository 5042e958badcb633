// Splits meshes for formats that allow only one material per mesh and use the rest pose as the bind
// pose.
import { copyVector, vec3, vectorAt } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import { determinant, identity, multiplied, transformDirection, transformPoint } from '../../core/math/matrix.ts';
import { entry } from '../../core/entry.ts';
import type { Mesh, MorphTarget, Renderer, RigScene } from '../../core/types.ts';
import { influencesAt } from './influences.ts';
import { materialOf } from '../../textures/drawnMaterials.ts';
import type { Body, RestTransforms } from './bodies.ts';
import type { ReportBuilder } from './report.ts';

/** Geometry that has a single material. It shares unchanged columns with the scene. */
export interface Part {
  name: string;
  /** Row of `scene.materials`, or -1 if the geometry has no material. */
  material: number;
  count: number;
  positions: Float32Array;
  normals?: Float32Array | undefined;
  tangents?: Float32Array | undefined;
  uvs: readonly Float32Array[];
  colors: readonly (Uint8Array | Float32Array)[];
  /**
   * Bone indices in the body, and their weights. Each vertex has `each` influences. Unused
   * influences have weight 0.
   */
  influences?: { each: number; bones: Uint32Array; weights: Float32Array } | undefined;
  isDual: boolean;
  /** Three vertex indices per triangle. */
  indices: Uint32Array;
  /**
   * Hair strands: index of each strand's first vertex, followed by the total number of vertices.
   */
  strands?: Uint32Array | undefined;
  shapes: Pick<MorphTarget, 'name' | 'maximum' | 'vertices' | 'positions' | 'normals'>[];
}

/** Mesh of a renderer, with its vertices converted to the space of the body. */
interface Placed extends Omit<Part, 'material' | 'indices' | 'strands'> {
  isMirrored: boolean;
}

/** A triangle mesh with all of its materials, for formats that allow several materials per mesh. */
export interface BodyMesh extends Placed {
  /** Index of each vertex in the source mesh. It is undefined if the indices are unchanged. */
  sources?: Uint32Array | undefined;
  runs: { material: number; indices: Uint32Array }[];
}

/** Returns the triangle meshes of a body, without hair strands. */
export function bodyMeshesOf(scene: RigScene, body: Body, rest: RestTransforms, report: ReportBuilder): BodyMesh[] {
  return body.renderers.flatMap((row): BodyMesh[] => {
    const found = runsOf(scene, row, report);
    if (!found || found.mesh.topology === 'strands') return [];
    const { renderer, mesh, runs } = found;
    report.budget.spend(sizeOf(mesh, 1));
    const placed = place(scene, renderer, mesh, body, rest, report);
    const made = [...runs].map(([material, ranges]) => ({ material, indices: cornersOf(mesh, ranges, placed.isMirrored) }));
    return [{ ...placed, sources: mesh.sourceVertices, runs: made.filter(({ indices }) => indices.length >= 3) }];
  });
}

export function partsOf(scene: RigScene, body: Body, rest: RestTransforms, report: ReportBuilder): Part[] {
  return body.renderers.flatMap(row => {
    const found = runsOf(scene, row, report);
    if (!found) return [];
    const { renderer, mesh, runs } = found;
    if (runs.size > 1) report.add('MESH_SPLIT', mesh.name, runs.size);
    report.budget.spend(sizeOf(mesh, runs.size));
    const placed = place(scene, renderer, mesh, body, rest, report);
    return [...runs].flatMap(([material, ranges]) => {
      const part = mesh.topology === 'strands' ? strandsOf(mesh, placed, ranges) : trianglesOf(mesh, placed, ranges, runs.size === 1);
      return part ? [{ ...part, material }] : [];
    });
  });
}

/**
 * Returns how many bytes a copy of the mesh takes from the work budget. `parts`: number of parts
 * into which the mesh is split.
 */
function sizeOf({ vertexCount, indices, uvs, colors, maxInfluences, morphs }: Mesh, parts: number): number {
  const columns = 40 + 8 * uvs.length + 16 * colors.length + 8 * maxInfluences;
  const moved = morphs.reduce((sum, { vertices }) => sum + vertices.length, 0);
  return columns * vertexCount + 4 * (indices?.length ?? vertexCount) + (24 + 4 * parts) * moved;
}

type Ranges = [start: number, end: number][];

/** Returns the index ranges that use each material, or null if the mesh is empty. */
function runsOf(scene: RigScene, row: number, report: ReportBuilder): { renderer: Renderer; mesh: Mesh; runs: Map<number, Ranges> } | null {
  const renderer = scene.renderers[row];
  const mesh = scene.meshes[renderer?.mesh ?? -1];
  if (!renderer || !mesh) return null;
  const runs = new Map<number, Ranges>();
  for (const [g, { start, count }] of mesh.groups.entries()) {
    const material = materialOf(mesh, renderer, g);
    entry(runs, material, () => []).push([start, start + count]);
  }
  const total = mesh.topology === 'strands' ? mesh.vertexCount : (mesh.indices?.length ?? mesh.vertexCount);
  if (mesh.groups.length === 0) runs.set(-1, [[0, total]]);
  if (mesh.vertexCount > 0 && total > 0) return { renderer, mesh, runs };
  report.add('MESH_EMPTY', mesh.name, 1);
  return null;
}

/**
 * Returns the material rows to list in each model, in ascending order. A material that no model
 * uses is listed in the model that uses the previous material.
 */
export function materialsOf(models: readonly (readonly Pick<Part, 'material'>[])[], count: number): number[][] {
  const users = new Map<number, Set<number>>();
  for (const [i, parts] of models.entries()) for (const { material } of parts) entry(users, material, () => new Set()).add(i);
  const rows = models.map((): number[] => []);
  let last = 0;
  for (let row = 0; row < count; row++) {
    const own = [...(users.get(row) ?? [])];
    for (const user of own.length > 0 ? own : [last]) rows[user]?.push(row);
    last = own.at(-1) ?? last;
  }
  return rows;
}

function trianglesOf(mesh: Mesh, placed: Placed, ranges: Ranges, isOnly: boolean): Omit<Part, 'material'> | null {
  const indices = cornersOf(mesh, ranges, placed.isMirrored);
  if (indices.length < 3) return null;
  return isOnly ? { ...placed, indices } : subset(placed, indices);
}

function cornersOf(mesh: Mesh, ranges: Ranges, isMirrored: boolean): Uint32Array {
  const all = mesh.indices ?? Uint32Array.from({ length: mesh.vertexCount }, (_, v) => v);
  const [only = [0, 0]] = ranges;
  if (ranges.length === 1 && !isMirrored && all instanceof Uint32Array) return all.subarray(...only); // large meshes are not copied
  const indices = new Uint32Array(ranges.reduce((sum, [start, end]) => sum + end - start, 0));
  let at = 0;
  for (const [start, end] of ranges) {
    indices.set(all.subarray(start, end), at);
    at += end - start;
  }
  if (isMirrored) for (let i = 0; i + 2 < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2]!, indices[i + 1]!];
  return indices;
}

function strandsOf(mesh: Mesh, placed: Placed, ranges: Ranges): Omit<Part, 'material'> | null {
  const offsets = mesh.strandOffsets ?? new Uint32Array(0);
  const isWithin = withinOf(ranges);
  const vertices: number[] = [];
  const strands = [0];
  for (let s = 0; s + 1 < offsets.length; s++) {
    const from = numberAt(offsets, s);
    if (!isWithin(from)) continue;
    for (let v = from; v < numberAt(offsets, s + 1); v++) vertices.push(v);
    strands.push(vertices.length);
  }
  if (vertices.length === 0) return null;
  return { ...subset(placed, Uint32Array.from(vertices)), strands: Uint32Array.from(strands) };
}

/**
 * Returns a function that tests whether a number is inside any of the ranges. The function must be
 * called with ascending numbers.
 */
function withinOf(ranges: Ranges): (at: number) => boolean {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  let next = 0;
  let last = 0;
  return at => {
    for (let range = sorted[next]; range && range[0] <= at; range = sorted[++next]) last = Math.max(last, range[1]);
    return at < last;
  };
}

/** Returns a mesh that contains only the vertices in `indices`. */
function subset(placed: Placed, indices: Uint32Array): Omit<Part, 'material'> {
  const kept = [...new Set(indices)].sort((a, b) => a - b);
  const places = new Map(kept.map((vertex, i) => [vertex, i]));
  const pick = <T extends Float32Array | Uint8Array | Uint32Array>(column: T, width: number): T => {
    const picked = column.slice(0, width * kept.length) as T;
    for (const [i, vertex] of kept.entries()) picked.set(column.subarray(width * vertex, width * vertex + width), width * i);
    return picked;
  };
  const { positions, normals, tangents, uvs, colors, influences, shapes } = placed;
  return {
    ...placed,
    count: kept.length,
    positions: pick(positions, 3),
    normals: normals && pick(normals, 3),
    tangents: tangents && pick(tangents, 4),
    uvs: uvs.map(each => pick(each, 2)),
    colors: colors.map(each => pick(each, 4)),
    influences: influences && {
      each: influences.each,
      bones: pick(influences.bones, influences.each),
      weights: pick(influences.weights, influences.each),
    },
    indices: indices.map(vertex => places.get(vertex)!),
    shapes: shapes.map(shape => {
      const rows = [...shape.vertices.keys()].filter(i => places.has(numberAt(shape.vertices, i)));
      return {
        ...shape,
        vertices: Uint32Array.from(rows, i => places.get(numberAt(shape.vertices, i))!),
        positions: picked(shape.positions, rows),
        ...(shape.normals && { normals: picked(shape.normals, rows) }),
      };
    }),
  };
}

const picked = (column: Float32Array, rows: readonly number[]): Float32Array =>
  Float32Array.from(rows.flatMap(i => Array.from(column.subarray(3 * i, 3 * i + 3))));

function place(scene: RigScene, renderer: Renderer, mesh: Mesh, body: Body, rest: RestTransforms, report: ReportBuilder): Placed {
  const { node } = renderer;
  const skin = mesh.joints ? scene.skins[renderer.skin ?? -1] : undefined;
  const base = {
    name: renderer.name || mesh.name,
    count: mesh.vertexCount,
    uvs: mesh.uvs,
    colors: mesh.colors.map(({ values }) => values),
    isDual: mesh.skinning === 'dualQuaternion',
  };
  if (!skin) {
    const bone = body.places.get(node);
    const matrix = rest.of(node, body.owner);
    const influences = bone === undefined ? undefined : rigid(mesh.vertexCount, bone);
    return { ...base, ...moved(mesh, isIdentity(matrix, mesh) ? null : () => matrix), influences, isMirrored: determinant(matrix) < 0 };
  }
  // Matrices are only calculated for joints that the mesh uses, because many small meshes can share
  // a large skin.
  const joints = jointsOf(mesh);
  const influences = influencesOf(mesh, joint => body.places.get(skin.joints[joint] ?? -1) ?? -1);
  const matrices = new Map<number, Float64Array>();
  for (const j of joints) {
    const joint = skin.joints[j];
    if (joint === undefined) continue;
    matrices.set(j, multiplied(rest.of(joint, body.owner), skin.inverseBindMatrices.subarray(16 * j, 16 * j + 16)));
  }
  const used = [...matrices.values()];
  const [first] = used;
  if (!first || used.every(matrix => isIdentity(matrix, mesh))) return { ...base, ...moved(mesh, null), influences, isMirrored: false };
  const isOne = used.every(matrix => isNear(matrix, first, mesh));
  if (!isOne) report.add('BIND_BAKED', mesh.name, mesh.vertexCount);
  const at = (vertex: number): Float64Array => (isOne ? first : blend(mesh, matrices, vertex));
  return { ...base, ...moved(mesh, at), influences, isMirrored: determinant(first) < 0 };
}

function rigid(count: number, bone: number): NonNullable<Part['influences']> {
  return { each: 1, bones: new Uint32Array(count).fill(bone), weights: new Float32Array(count).fill(1) };
}

/** Calls `take` with the joint and weight of each influence of a vertex. */
function each(mesh: Mesh, vertex: number, take: (joint: number, weight: number) => void): void {
  const { joints, weights, from, to } = influencesAt(mesh, vertex);
  for (let i = from; i < to; i++) take(numberAt(joints, i), numberAt(weights, i));
}

function influencesOf(mesh: Mesh, placeOf: (joint: number) => number): NonNullable<Part['influences']> {
  const most = Math.max(mesh.maxInfluences, 1);
  const bones = new Uint32Array(most * mesh.vertexCount);
  const weights = new Float32Array(most * mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    let at = most * v;
    each(mesh, v, (joint, weight) => {
      const bone = placeOf(joint);
      if (weight === 0 || bone < 0 || at === most * v + most) return;
      bones[at] = bone;
      weights[at++] = weight;
    });
  }
  return { each: most, bones, weights };
}

/** Returns the indices of the joints that the mesh uses, in ascending order. */
function jointsOf({ joints, weights, influenceJoints }: Mesh): number[] {
  const used = new Set(influenceJoints ?? joints?.filter((_, i) => (weights?.[i] ?? 0) > 0));
  return [...used].sort((a, b) => a - b);
}

function blend(mesh: Mesh, matrices: ReadonlyMap<number, Float64Array>, vertex: number): Float64Array {
  const sum = new Float64Array(16);
  let total = 0;
  each(mesh, vertex, (joint, weight) => {
    total += weight;
    const matrix = matrices.get(joint);
    if (matrix) for (let i = 0; i < 16; i++) sum[i]! += weight * matrix[i]!;
  });
  return total > 0 ? sum : identity();
}

/**
 * Tolerance for differences between matrix elements in single precision. For translations, the
 * tolerance is relative to the size of the mesh.
 */
const NEARLY = 2e-5;

function isNear(a: Float64Array, b: Float64Array, { min, max }: Mesh): boolean {
  const size = Math.max(...[...min, ...max].map(Math.abs), 1e-3);
  for (let i = 0; i < 15; i++) if (!(Math.abs(a[i]! - b[i]!) <= (i < 12 ? NEARLY : NEARLY * size * 4))) return false;
  return true;
}

const IDENTITY = identity();
const isIdentity = (matrix: Float64Array, mesh: Mesh): boolean => isNear(matrix, IDENTITY, mesh);

/**
 * Transforms positions, normals, tangents and morph targets. `at`: returns the matrix for a vertex,
 * or null to return the columns of the mesh unchanged.
 */
function moved(mesh: Mesh, at: ((vertex: number) => Float64Array) | null): Pick<Part, 'positions' | 'normals' | 'tangents' | 'shapes'> {
  const { positions, normals, tangents, morphs } = mesh;
  if (!at) return { positions, normals, tangents, shapes: morphs };
  const vector = vec3();
  const column = (source: Float32Array, width: number, isPoint: boolean, vertices?: Uint32Array): Float32Array => {
    const transform = isPoint ? transformPoint : transformDirection;
    const result = source.slice();
    for (let i = 0; width * i + 2 < source.length; i++) {
      copyVector(vector, 0, source, width * i);
      transform(vector, at(vertices ? numberAt(vertices, i) : i), 0, vector);
      for (let c = 0; c < 3; c++) result[width * i + c] = vector[c]! + 0; // + 0 turns negative zero into zero
    }
    return result;
  };
  return {
    positions: column(positions, 3, true),
    normals: normals && unit(column(normals, 3, false), 3),
    tangents: tangents && unit(column(tangents, 4, false), 4),
    shapes: morphs.map(({ name, maximum, vertices, positions: deltas, normals: turns }) => ({
      name,
      maximum,
      vertices,
      positions: column(deltas, 3, false, vertices),
      ...(turns && { normals: column(turns, 3, false, vertices) }),
    })),
  };
}

function unit(values: Float32Array, width: number): Float32Array {
  for (let i = 0; i + 2 < values.length; i += width) {
    const length = Math.hypot(...vectorAt(values, i)) || 1;
    for (let c = 0; c < 3; c++) values[i + c]! /= length;
  }
  return values;
}
