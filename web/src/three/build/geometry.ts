// Builds one BufferGeometry per mesh. Its attributes use the typed arrays of the scene without
// copying them, unless compact attributes are requested.
import { Box3, BufferAttribute, BufferGeometry, DataTexture, FloatType, RGFormat, Sphere, Vector3 } from 'three';
import type { Mesh, Renderer } from '../../core/types.ts';
import { materialOf } from '../../textures/drawnMaterials.ts';
import { compactNormals, compactTangents, compactWeights } from './compact.ts';
import { SparseMorphAttribute, computedMorphNormals } from './morphs.ts';
import { TrackNames } from '../names.ts';
import { needsMore, type Skinning } from './skinning.ts';
import type { extendSkinning } from './skinningShader.ts';

export interface BuiltGeometry {
  geometry: BufferGeometry;
  /** For each material index of the geometry, the index of a mesh group that uses this material. */
  slots: number[];
  /**
   * Skinning beyond four linear influences; null if unpatched materials of three.js can draw the
   * mesh.
   */
  skinning: Skinning | null;
}

export interface GeometryOptions {
  /**
   * Function that patches materials for more than four linear influences; null if the module that
   * contains it isn't loaded.
   */
  extend: typeof extendSkinning | null;
  /** Index of the vertex color layer that is drawn. */
  colorLayer?: number | undefined;
  /** True to compute normals for morph targets that have none. */
  computesMorphNormals?: boolean | undefined;
  /** True if the scale of bones has an effect in dual quaternion skinning. */
  isScaled?: boolean | undefined;
  /** True to store normals, tangents and weights with 16 bits per component. */
  isCompact?: boolean | undefined;
}

/**
 * Builds the geometry of a mesh. `renderers` are all renderers that draw the mesh. Neighbouring
 * groups are merged only if they have the same material in every renderer.
 */
export function buildGeometry(
  mesh: Mesh,
  renderers: readonly Renderer[],
  { extend, colorLayer = 0, computesMorphNormals = false, isScaled = false, isCompact = false }: GeometryOptions,
): BuiltGeometry {
  const geometry = new BufferGeometry();
  geometry.name = mesh.name;
  geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  const { normals, tangents } = mesh;
  if (normals) geometry.setAttribute('normal', isCompact ? compactNormals(normals) : new BufferAttribute(normals, 3));
  if (tangents) geometry.setAttribute('tangent', isCompact ? compactTangents(tangents) : new BufferAttribute(tangents, 4));
  // Built-in materials can use the first four sets of texture coordinates; custom shaders can use
  // all sets.
  for (const [i, uvs] of mesh.uvs.entries()) geometry.setAttribute(i ? `uv${i}` : 'uv', new BufferAttribute(uvs, 2));
  let skinning: Skinning | null = null;
  showColorLayer(geometry, mesh, colorLayer);
  if (mesh.joints && mesh.weights) {
    geometry.setAttribute('skinIndex', new BufferAttribute(mesh.joints, 4));
    geometry.setAttribute('skinWeight', isCompact ? compactWeights(mesh.weights) : new BufferAttribute(mesh.weights, 4));
    if (extend && needsMore(mesh)) {
      const dual = mesh.skinning === 'dualQuaternion';
      const eight = !!mesh.influenceOffsets && mesh.maxInfluences <= 8;
      const influences = mesh.influenceOffsets && !eight ? addRanges(geometry, mesh) : null;
      if (eight) addSecondFour(geometry, mesh);
      const made: Skinning = { eight, influences, dual, scaled: dual && isScaled, extend: material => extend(material, made) };
      skinning = made;
    }
  }
  const indices = mesh.topology === 'strands' ? strandIndices(mesh) : mesh.indices;
  if (indices) geometry.setIndex(new BufferAttribute(indices, 1));

  geometry.boundingBox = new Box3(new Vector3(...mesh.min), new Vector3(...mesh.max));
  geometry.boundingSphere = new Sphere(new Vector3(...mesh.center), mesh.radius);
  addMorphs(geometry, mesh, computesMorphNormals);
  return { geometry, slots: addGroups(geometry, mesh, renderers), skinning };
}

/** Selects the vertex color layer that is drawn. A mesh with fewer layers uses its last layer. */
export function showColorLayer(geometry: BufferGeometry, { colors }: Mesh, layer: number): void {
  const shown = colors[Math.min(layer, colors.length - 1)]?.values;
  if (shown && geometry.getAttribute('color')?.array !== shown)
    geometry.setAttribute('color', new BufferAttribute(shown, 4, shown instanceof Uint8Array));
}

/**
 * Adds attributes for the fifth to eighth influence of each vertex. Their weights are fractions of
 * the vertex's total weight, while the first four, in `skinWeight`, still sum to 1.
 */
function addSecondFour(geometry: BufferGeometry, mesh: Mesh): void {
  const joints = new Uint16Array(4 * mesh.vertexCount);
  const weights = new Float32Array(4 * mesh.vertexCount);
  eachTail(mesh, (vertex, first, shares) => {
    joints.set(mesh.influenceJoints!.subarray(first, first + shares.length), 4 * vertex);
    weights.set(shares, 4 * vertex);
  });
  geometry.setAttribute('skinIndex1', new BufferAttribute(joints, 4));
  geometry.setAttribute('skinWeight1', new BufferAttribute(weights, 4));
}

/** Width of the influence texture, in texels. */
const ROW = 4096;

/**
 * Stores all influences beyond the fourth in a texture. Each texel contains a bone index and a
 * fraction of the total weight. For each vertex, the attribute `skinRange` contains the column and
 * row of its first texel, the number of its texels, and the sum of their fractions. A vertex can
 * have any number of influences.
 */
function addRanges(geometry: BufferGeometry, mesh: Mesh): DataTexture {
  let count = 0;
  eachTail(mesh, (_, __, { length }) => (count += length));
  const width = Math.min(count, ROW);
  const height = Math.ceil(count / ROW);
  const influences = new Float32Array(2 * width * height);
  const ranges = new Float32Array(4 * mesh.vertexCount);
  let at = 0;
  eachTail(mesh, (vertex, first, shares) => {
    ranges.set([at % ROW, Math.floor(at / ROW), shares.length, shares.reduce((sum, share) => sum + share, 0)], 4 * vertex);
    for (const [k, share] of shares.entries()) influences.set([mesh.influenceJoints![first + k]!, share], 2 * at++);
  });
  geometry.setAttribute('skinRange', new BufferAttribute(ranges, 4));
  const texture = new DataTexture(influences, width, height, RGFormat, FloatType);
  texture.needsUpdate = true;
  geometry.addEventListener('dispose', () => texture.dispose());
  return texture;
}

/**
 * Calls `visit` for each vertex with more than four influences. `first` is the index of the
 * vertex's fifth influence in the influence list of the mesh. `shares` contains the fifth and all
 * later weights, as fractions of the vertex's total weight.
 */
function eachTail(mesh: Mesh, visit: (vertex: number, first: number, shares: number[]) => void): void {
  const { vertexCount, influenceOffsets, influenceWeights } = mesh as Required<Mesh>;
  for (let v = 0; v < vertexCount; v++) {
    const [first = 0, end = 0] = influenceOffsets.subarray(v, v + 2);
    if (end - first <= 4) continue;
    const weights = influenceWeights.subarray(first, end);
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    if (all > 0)
      visit(
        v,
        first + 4,
        Array.from(weights.subarray(4), weight => weight / all),
      );
  }
}

function addMorphs(geometry: BufferGeometry, mesh: Mesh, computesMorphNormals: boolean): void {
  const { morphs, vertexCount } = mesh;
  if (!morphs.length) return;
  const names = new TrackNames();
  const nothing = new Uint32Array(0);
  const noDeltas = new Float32Array(0);
  geometry.morphTargetsRelative = true;
  geometry.morphAttributes.position = morphs.map((morph, i) => {
    const attribute = new SparseMorphAttribute({ vertices: morph.vertices, deltas: morph.positions }, vertexCount);
    attribute.name = names.takeKey(morph.name, `morph_${i}`); // three.js builds morphTargetDictionary from these names
    return attribute;
  });
  if (morphs.some(({ normals }) => normals)) {
    geometry.morphAttributes.normal = morphs.map(
      ({ vertices, normals }) =>
        new SparseMorphAttribute(normals ? { vertices, deltas: normals } : { vertices: nothing, deltas: noDeltas }, vertexCount),
    );
  } else {
    const turning = computesMorphNormals ? computedMorphNormals(mesh) : null;
    if (turning) geometry.morphAttributes.normal = turning;
  }
}

/**
 * Adds a draw group for each run of neighbouring mesh groups with the same material. A mesh with
 * one material needs no groups.
 */
function addGroups(geometry: BufferGeometry, mesh: Mesh, renderers: readonly Renderer[]): number[] {
  const slotOf = new Map<string, number>();
  const slots: number[] = [];
  const runs: { start: number; count: number; slot: number }[] = [];
  for (const [g, { start, count }] of mesh.groups.entries()) {
    const key = renderers.map(renderer => materialOf(mesh, renderer, g)).join();
    let slot = slotOf.get(key);
    if (slot === undefined) {
      slotOf.set(key, (slot = slots.length));
      slots.push(g);
    }
    const last = runs.at(-1);
    if (last && last.slot === slot && last.start + last.count === start) last.count += count;
    else runs.push({ start, count, slot });
  }
  // The groups of a hair mesh are ranges of vertices, but three.js needs ranges of segment indices.
  // A strand has one segment less than vertices, and each segment has two indices.
  const strands = mesh.topology === 'strands' ? mesh.strandOffsets : undefined;
  const drawn = (at: number): number => (strands ? 2 * (at - strands.subarray(0, -1).findLastIndex(first => first < at) - 1) : at);
  const total = strands ? mesh.vertexCount : (geometry.index?.count ?? mesh.vertexCount);
  const isSingle = runs.length === 1 && runs[0]!.start === 0 && runs[0]!.count === total;
  if (runs.length && !isSingle)
    for (const { start, count, slot } of runs) geometry.addGroup(drawn(start), drawn(start + count) - drawn(start), slot);
  return slots.length ? slots : [0];
}

/** Returns the indices of line segments that connect consecutive vertices of each strand. */
function strandIndices(mesh: Mesh): Uint32Array | undefined {
  const offsets = mesh.strandOffsets;
  if (!offsets || offsets.length < 2) return undefined;
  const pairs: number[] = [];
  for (let s = 0; s + 1 < offsets.length; s++) {
    for (let v = offsets[s]! + 1; v < offsets[s + 1]!; v++) pairs.push(v - 1, v);
  }
  return Uint32Array.from(pairs);
}
