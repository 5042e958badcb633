// Writes meshes with one primitive per material. The primitives share vertex columns. Hair strands
// are written as lines.
import { type Vector, vectorAt } from '../../core/math/vector.ts';
import { numberAt } from '../../core/math/column.ts';
import { uniqueNames } from '../../core/names.ts';
import { entry } from '../../core/entry.ts';
import type { Mesh, MorphTarget, Renderer } from '../../core/types.ts';
import { materialOf } from '../../textures/drawnMaterials.ts';
import type { Accessor, GltfMesh } from '../vendor/gltfTransform.ts';
import type { GltfContext } from './context.ts';
import type { MaterialWriter } from './materials.ts';
import { skinColumns } from './skinColumns.ts';

/** Detail of a report entry: the source used dual quaternion skinning that ignores bone scales. */
const IGNORED_SCALE = 'scaled bones now scale the skin';

// WebGL constants for primitive modes.
const LINES = 1;
const TRIANGLES = 4;

/** Vertex columns of a mesh, which all renderers of the mesh share. */
interface MeshColumns {
  attributes: [semantic: string, accessor: Accessor][];
  targets: [semantic: string, accessor: Accessor][][];
  /** Three vertex indices per triangle or two per line, or null if the vertices are not indexed. */
  indices: Uint16Array | Uint32Array | null;
  /**
   * Index arrays for ranges of `indices`. The key consists of the start and the count of the range.
   */
  parts: Map<string, Uint16Array | Uint32Array>;
}

/** Properties of a renderer that determine which vertex attributes its glTF mesh gets. */
interface AttributeNeeds {
  isSkinned: boolean;
  /** True if a material has a normal map, so that the mesh needs tangents. */
  isBumpy: boolean;
  indices: MeshColumns['indices'];
}

/** Range of vertex indices that is drawn with one material. */
interface Run {
  start: number;
  count: number;
  material: number;
}

export class MeshWriter {
  readonly #context: GltfContext;
  readonly #materials: MaterialWriter;
  readonly #columns = new Map<string, MeshColumns>();
  readonly #reported = new Set<Mesh>();
  readonly #made = new Map<Renderer, GltfMesh | null>();

  constructor(context: GltfContext, materials: MaterialWriter) {
    this.#context = context;
    this.#materials = materials;
  }

  /** Returns the glTF mesh of a renderer, or null if the renderer has no faces. */
  write(renderer: Renderer): GltfMesh | null {
    let made = this.#made.get(renderer);
    if (made === undefined) this.#made.set(renderer, (made = this.#meshOf(renderer)));
    return made;
  }

  #meshOf(renderer: Renderer): GltfMesh | null {
    const { scene, document, report } = this.#context;
    const source = scene.meshes[renderer.mesh];
    if (!source) return null;
    const isSkinned = renderer.skin !== undefined && scene.skins[renderer.skin] !== undefined;
    const indices = indicesOf(source);
    const runs = source.vertexCount > 0 ? runsOf(source, renderer, indices?.length ?? source.vertexCount) : [];
    if (runs.length === 0) {
      if (!this.#reported.has(source)) report.add('MESH_EMPTY', source.name, 1);
      this.#reported.add(source);
      return null;
    }
    // Spends the estimated JSON length of the primitives and their morph targets.
    report.budget.spend(runs.length * (200 + 100 * source.morphs.length));
    report.budget.spendJson(source.properties);
    const painted = runs.map(run => ({ ...run, material: this.#materials.get(run.material, source.uvs.length) }));
    const isBumpy = painted.some(({ material }) => material.getNormalTexture());
    const columns = this.#columnsOf(renderer.mesh, source, { isSkinned, isBumpy, indices });
    const made = document.createMesh(source.name || renderer.name);
    const names = uniqueNames(source.morphs.map(({ name }) => name)); // importers expect unique names
    for (const { start, count, material } of painted) {
      const primitive = document.createPrimitive().setMode(source.topology === 'strands' ? LINES : TRIANGLES);
      for (const [semantic, accessor] of columns.attributes) primitive.setAttribute(semantic, accessor);
      if (columns.indices) {
        const isWhole = start === 0 && count === columns.indices.length;
        primitive.setIndices(this.#context.accessor(isWhole ? columns.indices : this.#part(columns, start, count), 'SCALAR'));
      }
      for (const [i, target] of columns.targets.entries()) {
        const made = document.createPrimitiveTarget(names[i]);
        for (const [semantic, accessor] of target) made.setAttribute(semantic, accessor);
        primitive.addTarget(made);
      }
      primitive.setMaterial(material);
      made.addPrimitive(primitive);
    }
    if (source.morphs.length > 0) {
      made.setWeights(source.morphs.map(() => 0));
      const maxima = source.morphs.map(({ maximum }) => maximum);
      made.setExtras({ targetNames: names, ...(maxima.some(maximum => maximum !== 1) && { targetMaxima: maxima }) });
    }
    if (source.properties) made.setExtras({ ...made.getExtras(), properties: source.properties });
    return made;
  }

  /** Returns a range of the vertex indices. Calls with the same range return the same array. */
  #part({ indices, parts }: MeshColumns, start: number, count: number): Uint16Array | Uint32Array {
    return entry(parts, `${start} ${count}`, () => {
      this.#context.report.budget.spend(4 * count);
      return (indices ?? new Uint16Array(0)).slice(start, start + count);
    });
  }

  #columnsOf(row: number, mesh: Mesh, needs: AttributeNeeds): MeshColumns {
    const key = `${row} ${needs.isSkinned} ${needs.isBumpy}`;
    let columns = this.#columns.get(key);
    if (!columns) this.#columns.set(key, (columns = this.#write(mesh, needs)));
    return columns;
  }

  #write(mesh: Mesh, { isSkinned, isBumpy, indices }: AttributeNeeds): MeshColumns {
    const { report } = this.#context;
    const isNew = !this.#reported.has(mesh);
    this.#reported.add(mesh);
    const attributes: MeshColumns['attributes'] = [['POSITION', this.#context.accessor(mesh.positions, 'VEC3')]];
    if (mesh.normals) {
      const { values, repaired } = unitVectors(mesh.normals, 3);
      attributes.push(['NORMAL', this.#context.accessor(values, 'VEC3')]);
      if (isNew && repaired > 0) report.add('NORMALS_REPAIRED', mesh.name, repaired);
      if (mesh.tangents && isBumpy) attributes.push(['TANGENT', this.#context.accessor(unitVectors(mesh.tangents, 4).values, 'VEC4')]);
    }
    for (const [i, uvs] of mesh.uvs.entries()) attributes.push([`TEXCOORD_${i}`, this.#context.accessor(uvs, 'VEC2')]);
    const colors = mesh.colorsAreMaterial ? 'COLOR_' : '_COLOR_';
    for (const [i, { values }] of mesh.colors.entries())
      attributes.push([`${colors}${i}`, this.#context.accessor(values, 'VEC4', values instanceof Uint8Array)]);
    if (isNew && mesh.colors.length > 0 && !mesh.colorsAreMaterial) report.add('VERTEX_COLORS_ASIDE', mesh.name, mesh.colors.length);
    if (isSkinned) attributes.push(...this.#skin(mesh, isNew));
    const targets = mesh.morphs.map(morph => this.#target(mesh, morph));
    return { attributes, targets, indices, parts: new Map() };
  }

  #skin(mesh: Mesh, isNew: boolean): MeshColumns['attributes'] {
    const { report } = this.#context;
    const columns = skinColumns(mesh);
    if (!columns) return [];
    const { sets, reduced, omitted, unweighted } = columns;
    if (isNew && reduced > 0)
      report.add(
        'INFLUENCES_REDUCED',
        mesh.name,
        reduced,
        `at most ${(100 * omitted).toPrecision(2)} % of the weight of a vertex is left out`,
      );
    if (isNew && unweighted > 0) report.add('UNWEIGHTED_VERTICES', mesh.name, unweighted);
    if (isNew && mesh.skinning === 'dualQuaternion')
      report.add('SKINNING_LINEAR', mesh.name, mesh.vertexCount, this.#context.scene.hints?.dualQuaternionScale ? '' : IGNORED_SCALE);
    return sets.flatMap(({ joints, weights }, i): MeshColumns['attributes'] => [
      [`JOINTS_${i}`, this.#context.accessor(joints, 'VEC4')],
      [`WEIGHTS_${i}`, this.#context.accessor(weights, 'VEC4')],
    ]);
  }

  #target(mesh: Mesh, { vertices, positions, normals }: MorphTarget): [string, Accessor][] {
    const { document, buffer, sparse, numbers, report } = this.#context;
    const column = (deltas: Float32Array | undefined): Accessor => {
      report.budget.spend(16 * vertices.length);
      if (!deltas) return sparse.add(document, buffer, new Uint32Array(0), new Float32Array(0), mesh.vertexCount);
      if (2 * vertices.length < mesh.vertexCount) return sparse.add(document, buffer, vertices, numbers.column(deltas), mesh.vertexCount);
      const dense = new Float32Array(3 * mesh.vertexCount);
      for (const [i, vertex] of vertices.entries()) dense.set(deltas.subarray(3 * i, 3 * i + 3), 3 * vertex);
      return this.#context.accessor(dense, 'VEC3');
    };
    const target: [string, Accessor][] = [['POSITION', column(positions)]];
    // If a mesh and one of its morph targets have normals, all of its morph targets get normals,
    // because glTF requires the same attributes for all of them.
    if (mesh.normals && mesh.morphs.some(morph => morph.normals)) target.push(['NORMAL', column(normals)]);
    return target;
  }
}

/** Merges adjacent groups with the same material. A mesh without groups gets a single range. */
function runsOf(mesh: Mesh, renderer: Renderer, total: number): Run[] {
  if (mesh.groups.length === 0) return total > 0 ? [{ start: 0, count: total, material: materialOf(mesh, renderer, 0) }] : [];
  const drawn = drawnAt(mesh);
  const runs: Run[] = [];
  for (const [g, group] of mesh.groups.entries()) {
    const start = drawn(group.start);
    const count = drawn(group.start + group.count) - start;
    if (count <= 0) continue;
    const last = runs.at(-1);
    const material = materialOf(mesh, renderer, g);
    if (last && last.material === material && last.start + last.count === start) last.count += count;
    else runs.push({ start, count, material });
  }
  return runs;
}

/**
 * Returns a function that converts an index offset of the source mesh to an offset in the written
 * indices. For hair, a strand of n vertices is written as n − 1 lines with two indices each.
 */
function drawnAt({ topology, strandOffsets }: Mesh): (at: number) => number {
  const firsts = topology === 'strands' ? strandOffsets?.subarray(0, -1) : undefined;
  return at => (firsts ? 2 * Math.max(at - countBelow(firsts, at), 0) : at);
}

/** Returns how many numbers are below the limit. The numbers must be in ascending order. */
function countBelow(numbers: Uint32Array, limit: number): number {
  let low = 0;
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (numberAt(numbers, middle) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Maximum number of vertices that 16-bit indices can address. Index 65,535 is reserved for
 * primitive restart.
 */
const LARGEST_SHORT = 65_535;

function indicesOf(mesh: Mesh): Uint16Array | Uint32Array | null {
  if (mesh.topology === 'strands') {
    const offsets = mesh.strandOffsets ?? new Uint32Array(0);
    const pairs: number[] = [];
    for (let s = 0; s + 1 < offsets.length; s++)
      for (let v = numberAt(offsets, s) + 1; v < numberAt(offsets, s + 1); v++) pairs.push(v - 1, v);
    return Uint32Array.from(pairs);
  }
  const { indices } = mesh;
  if (!indices) return null;
  return indices instanceof Uint16Array && mesh.vertexCount > LARGEST_SHORT ? Uint32Array.from(indices) : indices;
}

const UP: Vector = [0, 1, 0];

/**
 * Normalizes normals (`size` 3) or tangents (`size` 4). Sets the fourth number of tangents to 1 or
 * −1. Returns the same array if no vector changes.
 */
function unitVectors(source: Float32Array, size: 3 | 4): { values: Float32Array; repaired: number } {
  let values = source;
  let repaired = 0;
  for (let i = 0; i + size <= source.length; i += size) {
    const [x, y, z] = vectorAt(source, i);
    const length = Math.hypot(x, y, z);
    const side = size === 3 ? 1 : numberAt(source, i + 3);
    const isSided = Math.abs(side) === 1;
    if (Math.abs(length - 1) < 1e-4 && isSided) continue;
    if (values === source) values = source.slice();
    const isReal = length > 1e-12;
    values.set(isReal ? [x / length, y / length, z / length] : UP, i);
    if (size === 4) values[i + 3] = side < 0 ? -1 : 1;
    repaired++;
  }
  return { values, repaired };
}
