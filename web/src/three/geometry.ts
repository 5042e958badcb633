// One BufferGeometry a mesh. The attributes are the scene's typed arrays themselves: nothing is copied and no vertex is visited.
import { Box3, BufferAttribute, BufferGeometry, Sphere, Vector3 } from 'three';
import type { Mesh, Renderer } from '../core/types.ts';
import { SparseMorphAttribute } from './morphs.ts';
import { TrackNames } from './names.ts';

/** UV sets that three has names for. */
const UV_NAMES = ['uv', 'uv1', 'uv2', 'uv3'];

export interface BuiltGeometry {
  geometry: BufferGeometry;
  /** For each material slot of the geometry the group of the mesh that stands for it. */
  slots: number[];
}

/** `renderers` are all that show the mesh: groups are merged only where every one of them gives them the same material. */
export function buildGeometry(mesh: Mesh, renderers: readonly Renderer[]): BuiltGeometry {
  const geometry = new BufferGeometry();
  geometry.name = mesh.name;
  geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  if (mesh.normals) geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
  if (mesh.tangents) geometry.setAttribute('tangent', new BufferAttribute(mesh.tangents, 4));
  for (const [i, uvs] of mesh.uvs.slice(0, UV_NAMES.length).entries()) geometry.setAttribute(UV_NAMES[i]!, new BufferAttribute(uvs, 2));
  const color = mesh.colors[0]?.values;
  if (color) geometry.setAttribute('color', new BufferAttribute(color, 4, color instanceof Uint8Array));
  if (mesh.joints && mesh.weights) {
    geometry.setAttribute('skinIndex', new BufferAttribute(mesh.joints, 4));
    geometry.setAttribute('skinWeight', new BufferAttribute(mesh.weights, 4));
  }
  const indices = mesh.topology === 'strands' ? strandIndices(mesh) : mesh.indices;
  if (indices) geometry.setIndex(new BufferAttribute(indices, 1));

  geometry.boundingBox = new Box3(new Vector3(...mesh.min), new Vector3(...mesh.max));
  geometry.boundingSphere = new Sphere(new Vector3(...mesh.center), mesh.radius);
  addMorphs(geometry, mesh);
  return { geometry, slots: addGroups(geometry, mesh, renderers) };
}

function addMorphs(geometry: BufferGeometry, mesh: Mesh): void {
  const { morphs, vertexCount } = mesh;
  if (!morphs.length) return;
  const names = new TrackNames();
  const nothing = new Uint32Array(0), noDeltas = new Float32Array(0);
  geometry.morphTargetsRelative = true;
  geometry.morphAttributes.position = morphs.map((morph, i) => {
    const attribute = new SparseMorphAttribute(morph.vertices, morph.positions, vertexCount);
    attribute.name = names.takeKey(morph.name, `morph_${i}`); // three makes the dictionary of these
    return attribute;
  });
  if (morphs.some(({ normals }) => normals)) {
    geometry.morphAttributes.normal = morphs.map(({ vertices, normals }) =>
      normals ? new SparseMorphAttribute(vertices, normals, vertexCount) : new SparseMorphAttribute(nothing, noDeltas, vertexCount));
  }
}

/** The material of a group as one renderer draws it; -1 for none. */
export function materialOf(mesh: Mesh, renderer: Renderer, group: number): number {
  return renderer.materials?.[group] ?? mesh.groups[group]?.material ?? -1;
}

/** Neighbouring groups of one material become one draw call; a mesh of one material needs no groups. */
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
  const total = geometry.index?.count ?? mesh.vertexCount;
  const whole = runs.length === 1 && runs[0]!.start === 0 && runs[0]!.count === total;
  if (runs.length && !whole) for (const { start, count, slot } of runs) geometry.addGroup(start, count, slot);
  return slots.length ? slots : [0];
}

/** Each strand is a run of vertices; lines join neighbours of one strand. */
function strandIndices(mesh: Mesh): Uint32Array | undefined {
  const offsets = mesh.strandOffsets;
  if (!offsets || offsets.length < 2) return undefined;
  const pairs: number[] = [];
  for (let s = 0; s + 1 < offsets.length; s++) {
    for (let v = offsets[s]! + 1; v < offsets[s + 1]!; v++) pairs.push(v - 1, v);
  }
  return Uint32Array.from(pairs);
}
