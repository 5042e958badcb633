// Writes levels of detail (docs/formats/ueformat.md section 3.2).
import { numberAt } from '../../core/math/column.ts';
import type { Mesh, RigScene } from '../../core/types.ts';
import type { BodyMesh } from '../common/parts.ts';
import type { ReportBuilder } from '../common/report.ts';
import type { ActorXBones } from '../unreal/bones.ts';
import type { UeBytes } from './bytes.ts';
import { direction, position, UNIT, UNIT32 } from './space.ts';

/** Meshes that become one mesh of the file. `source`: mesh of the scene. */
export interface Level {
  name: string;
  meshes: readonly { mesh: BodyMesh; source: Mesh }[];
}

export interface LevelSource {
  scene: RigScene;
  bones: ActorXBones;
  /** Rows in `scene.materials` of the materials to list. */
  materials: readonly number[];
  report: ReportBuilder;
}

/** `isFirst`: true for the level that also lists materials without faces. */
export function writeLevel(bytes: UeBytes, { meshes }: Level, source: LevelSource, isFirst: boolean): void {
  const count = meshes.reduce((sum, { mesh }) => sum + mesh.count, 0);
  writePositions(bytes, meshes, count, source);
  writeDirections(bytes, meshes, count, source);
  writeUvs(bytes, meshes, source);
  writeIndices(bytes, meshes, source);
  writeColors(bytes, meshes, source);
  writeSections(bytes, meshes, source, isFirst);
  writeWeights(bytes, meshes, source);
  writeShapes(bytes, meshes, source);
}

type Meshes = Level['meshes'];

function writePositions(bytes: UeBytes, meshes: Meshes, count: number, { bones }: LevelSource): void {
  bytes.array('VERTICES', count, () => {
    for (const { mesh } of meshes)
      for (const [from, to] of blocks(mesh.count)) {
        const values = mesh.positions.slice(3 * from, 3 * to);
        for (let i = 0; i < values.length; i += 3) {
          bones.space.point(values, i);
          values.set(position(values, i, UNIT32), i);
        }
        bytes.column(values);
      }
  });
}

/** Number of elements that are converted at once, so that no column is copied as a whole. */
const BLOCK = 2 ** 14;

function* blocks(count: number): Generator<[from: number, to: number]> {
  for (let from = 0; from < count; from += BLOCK) yield [from, Math.min(from + BLOCK, count)];
}

/** Writes normals with the signs of the binormals, and tangents, if all meshes have them. */
function writeDirections(bytes: UeBytes, meshes: Meshes, count: number, { bones: { space }, report }: LevelSource): void {
  const has = (column: 'normals' | 'tangents'): boolean => {
    const having = meshes.filter(({ mesh }) => mesh[column]).length;
    if (having > 0 && having < meshes.length) report.add('NOT_SAID', column, having);
    return having === meshes.length;
  };
  const hasTangents = has('tangents');
  const moved = (values: Float32Array, at: number): number[] => {
    const own = values.slice(at, at + 3);
    space.normal(own, 0);
    return direction(own, 0);
  };
  if (has('normals'))
    bytes.array('NORMALS', count, () => {
      for (const { mesh } of meshes) {
        const side = mesh.isMirrored === space.isMirrored ? 1 : -1;
        for (const [from, to] of blocks(mesh.count)) {
          const values = new Float32Array(4 * (to - from));
          for (let v = from; v < to; v++)
            values.set([hasTangents ? side * mesh.tangents![4 * v + 3]! : 1, ...moved(mesh.normals!, 3 * v)], 4 * (v - from));
          bytes.column(values);
        }
      }
    });
  else if (hasTangents) report.add('NOT_SAID', 'signs of binormals, without normals', meshes.length);
  if (hasTangents)
    bytes.array('TANGENTS', count, () => {
      for (const { mesh } of meshes)
        for (const [from, to] of blocks(mesh.count)) {
          const values = new Float32Array(3 * (to - from));
          for (let v = from; v < to; v++) values.set(moved(mesh.tangents!, 4 * v), 3 * (v - from));
          bytes.column(values);
        }
    });
}

/** Returns the names of UV sets that are not the default ones. */
export function uvNamesOf({ properties }: Mesh): string[] {
  const names = properties?.['uvNames'];
  return Array.isArray(names) ? names.map(String) : [];
}

/** Returns the name that CUE4Parse gives to a UV set. */
export const defaultUvName = (set: number): string => `UV${set}`;

function writeUvs(bytes: UeBytes, meshes: Meshes, { report }: LevelSource): void {
  const sets = Math.max(...meshes.map(({ mesh }) => mesh.uvs.length));
  if (sets === 0) return;
  for (const { mesh } of meshes) if (mesh.uvs.length === 0) report.add('UVS_BLANK', mesh.name, mesh.count);
  const names = uvNamesOf(meshes[0]!.source);
  bytes.array('TEXCOORDS', sets, () => {
    for (let set = 0; set < sets; set++) {
      if (bytes.isV10) bytes.string(names[set] ?? defaultUvName(set));
      bytes.u32(meshes.reduce((sum, { mesh }) => sum + mesh.count, 0));
      for (const { mesh } of meshes) bytes.column(mesh.uvs[set]?.subarray(0, 2 * mesh.count) ?? new Float32Array(2 * mesh.count));
    }
  });
}

function writeIndices(bytes: UeBytes, meshes: Meshes, { bones }: LevelSource): void {
  const total = meshes.reduce((sum, { mesh }) => sum + cornersOf(mesh), 0);
  const order = bones.space.isMirrored ? [0, 2, 1] : [0, 1, 2];
  bytes.array('INDICES', total, () => {
    let first = 0;
    for (const { mesh } of meshes) {
      for (const { indices } of mesh.runs)
        for (const [from, to] of blocks(Math.floor(indices.length / 3))) {
          const values = new Uint32Array(3 * (to - from));
          for (let i = 0; i < values.length; i += 3)
            for (let corner = 0; corner < 3; corner++) values[i + corner] = first + numberAt(indices, 3 * from + i + order[corner]!);
          bytes.column(values);
        }
      first += mesh.count;
    }
  });
}

const cornersOf = ({ runs }: BodyMesh): number => runs.reduce((sum, { indices }) => sum + indices.length - (indices.length % 3), 0);

/** Writes vertex colours. Meshes without a set are white. */
function writeColors(bytes: UeBytes, meshes: Meshes, { report }: LevelSource): void {
  const sets = Math.max(...meshes.map(({ mesh }) => mesh.colors.length));
  if (sets === 0) return;
  const rounded = meshes.filter(({ mesh }) => mesh.colors.some(values => values instanceof Float32Array)).length;
  if (rounded > 0) report.add('COLORS_ROUNDED', '', rounded);
  bytes.array('VERTEXCOLORS', sets, () => {
    for (let set = 0; set < sets; set++) {
      bytes.string(meshes.find(({ source }) => source.colors[set]?.name)?.source.colors[set]?.name ?? `COL${set}`);
      bytes.u32(meshes.reduce((sum, { mesh }) => sum + mesh.count, 0));
      for (const { mesh } of meshes) bytes.column(bytesOf(mesh.colors[set], mesh.count));
    }
  });
}

function bytesOf(values: Uint8Array | Float32Array | undefined, count: number): Uint8Array {
  if (values instanceof Uint8Array) return values.subarray(0, 4 * count);
  if (!values) return new Uint8Array(4 * count).fill(255);
  return Uint8Array.from(values.subarray(0, 4 * count), value => Math.round(255 * Math.min(Math.max(value, 0), 1)));
}

/** Writes the sections, which assign materials to ranges of faces. */
function writeSections(bytes: UeBytes, meshes: Meshes, { scene, materials, report }: LevelSource, isFirst: boolean): void {
  const sections: { material: number; first: number; corners: number }[] = [];
  let first = 0;
  for (const { material, indices } of meshes.flatMap(({ mesh }) => mesh.runs)) {
    const corners = indices.length - (indices.length % 3);
    const last = sections.at(-1);
    if (last?.material === material) last.corners += corners;
    else sections.push({ material, first, corners });
    first += corners;
  }
  const used = new Set(sections.map(({ material }) => material));
  if (used.has(-1)) report.add('MATERIAL_BLANK', '', meshes.filter(({ mesh }) => mesh.runs.some(({ material }) => material < 0)).length);
  for (const material of isFirst ? materials : []) if (!used.has(material)) sections.push({ material, first, corners: 0 });
  bytes.array('MATERIALS', sections.length, () => {
    for (const { material, first, corners } of sections) {
      const { name = 'None', properties } = scene.materials[material] ?? {};
      const path = properties?.['path'];
      bytes
        .string(name)
        .string(typeof path === 'string' ? path : '')
        .u32(first)
        .u32(corners / 3);
    }
  });
}

/** Bone indices are 16-bit integers, which some readers treat as signed. */
const MOST_BONES = 32768;

/**
 * Writes weights, sorted by vertex and bone. Vertices without influences, in a model with
 * influences, follow the first bone.
 */
function writeWeights(bytes: UeBytes, meshes: Meshes, { bones, report }: LevelSource): void {
  if (bones.rows.length === 0 || meshes.every(({ mesh }) => !mesh.influences)) return;
  let total = 0;
  let beyond = 0;
  for (const { mesh } of meshes) {
    let unweighted = 0;
    for (let v = 0; v < mesh.count; v++) {
      const { kept, left } = weightsAt(mesh, v, bones);
      total += Math.max(kept.length, 1);
      beyond += left;
      if (kept.length === 0) unweighted++;
    }
    if (unweighted > 0 && mesh.influences) report.add('UNWEIGHTED_VERTICES', mesh.name, unweighted);
    if (mesh.influences && mesh.isDual) report.add('SKINNING_LINEAR', mesh.name, mesh.count);
  }
  if (beyond > 0) report.add('NOT_SAID', `weights of bones beyond ${MOST_BONES}`, beyond);
  bytes.array('WEIGHTS', total, () => {
    let first = 0;
    for (const { mesh } of meshes) {
      for (let v = 0; v < mesh.count; v++) {
        const { kept } = weightsAt(mesh, v, bones);
        if (kept.length === 0) kept.push([0, 1]);
        for (const [bone, weight] of kept)
          bytes
            .u16(bone)
            .u32(first + v)
            .f32(weight);
      }
      first += mesh.count;
    }
  });
}

/**
 * Returns the bones and weights of a vertex, sorted by bone, and the number of weights that are left
 * out because the indices of their bones are too large.
 */
function weightsAt(
  { influences }: BodyMesh,
  vertex: number,
  { places }: ActorXBones,
): { kept: [bone: number, weight: number][]; left: number } {
  const kept: [number, number][] = [];
  let left = 0;
  const { each, weights, bones } = influences ?? { each: 0, weights: [], bones: [] };
  for (let i = each * vertex; i < each * vertex + each; i++) {
    if (!(numberAt(weights, i) > 0)) continue;
    const bone = numberAt(places, numberAt(bones, i));
    if (bone < MOST_BONES) kept.push([bone, numberAt(weights, i)]);
    else left++;
  }
  kept.sort(([a], [b]) => a - b);
  return { kept, left };
}

interface Shape {
  name: string;
  count: number;
  parts: { shape: BodyMesh['shapes'][number]; first: number }[];
}

/** Writes morph targets. Morph targets of several meshes are merged if they have the same name. */
function writeShapes(bytes: UeBytes, meshes: Meshes, { bones: { space }, report }: LevelSource): void {
  const shapes = new Map<string, Shape>();
  let first = 0;
  let limits = 0;
  for (const { mesh } of meshes) {
    const seen = new Map<string, number>();
    for (const shape of mesh.shapes) {
      const nth = seen.get(shape.name) ?? 0;
      seen.set(shape.name, nth + 1);
      if (shape.maximum !== 1) limits++;
      const key = `${nth} ${shape.name}`;
      const merged = shapes.get(key) ?? { name: shape.name, count: 0, parts: [] };
      shapes.set(key, merged);
      merged.count += shape.vertices.length;
      merged.parts.push({ shape, first });
    }
    first += mesh.count;
  }
  if (shapes.size === 0) return;
  if (limits > 0) report.add('NOT_SAID', 'maximum weights of morph targets', limits);
  bytes.array('MORPHTARGETS', shapes.size, () => {
    for (const { name, count, parts } of shapes.values()) {
      bytes.string(name).u32(count);
      for (const { shape, first } of parts)
        for (const [i, vertex] of shape.vertices.entries()) {
          const offset = shape.positions.slice(3 * i, 3 * i + 3);
          const normal = shape.normals?.slice(3 * i, 3 * i + 3) ?? new Float32Array(3);
          space.direction(offset, 0);
          space.normal(normal, 0);
          bytes
            .floats(position(offset, 0, UNIT))
            .floats(direction(normal, 0))
            .u32(first + vertex);
        }
    }
  });
}
