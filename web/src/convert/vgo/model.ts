// Writes nodes, meshes and skins to the layout of a VGO. The written data is right-handed, and UVs
// have their origin at the top (docs/formats/vgo.md sections 5.1 to 5.5).
import { parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { normalize } from '../../core/math/quaternion.ts';
import { compose, identity } from '../../core/math/matrix.ts';
import { entry } from '../../core/entry.ts';
import type { Mesh, MorphTarget, Renderer, RigScene } from '../../core/types.ts';
import { materialOf } from '../../textures/drawnMaterials.ts';
import type { ReportBuilder } from '../common/report.ts';
import { KIND, TYPE, type VgoResource } from './resource.ts';
import { branch, type Branch, type Tree } from './tree.ts';

export interface ModelSource {
  scene: RigScene;
  resource: VgoResource;
  report: ReportBuilder;
  /** True if a clip moves the root of the scene. */
  movesRoot: boolean;
  /**
   * Returns the index of the material that faces without a material get. The material is created on
   * first use.
   */
  blank(): number;
  /** True if the shader of the material uses vertex colours. */
  drawsColors(material: number): boolean;
}

export interface VgoModel {
  nodes: Branch[];
  meshes: Tree[];
  skins: Tree[];
  nodeOf(row: number): number;
  nodeOfRenderer(row: number): number;
}

/** Maximum number of UV sets per mesh in VGO. */
const UV_SETS = 4;

export class ModelWriter implements VgoModel {
  readonly nodes: Branch[] = [];
  readonly meshes: Tree[] = [];
  readonly skins: Tree[] = [];
  readonly #source: ModelSource;
  readonly #places: Int32Array;
  readonly #matrices: number[] = [];
  readonly #shown: number[] = [];
  readonly #meshRows = new Map<string, { row: number; groups: readonly number[] } | null>();
  readonly #skinRows = new Map<number, number>();
  readonly #lost = new Map<string, number>();

  constructor(source: ModelSource) {
    this.#source = source;
    this.#places = new Int32Array(source.scene.nodes.length).fill(-1);
    this.#addNodes();
    for (const renderer of source.scene.renderers) this.#shown.push(this.#show(renderer));
    for (const [what, count] of this.#lost) source.report.add('NOT_SAID', what, count);
    source.resource.add(KIND.transforms, TYPE.mat4, Float32Array.from(this.#matrices));
  }

  nodeOf(row: number): number {
    return numberAt(this.#places, row);
  }

  nodeOfRenderer(row: number): number {
    return this.#shown[row] ?? -1;
  }

  /**
   * Adds all nodes, depth first. The root of the scene is left out if it has a single child, no
   * content and the identity transform.
   */
  #addNodes(): void {
    const { nodes, renderers } = this.#source.scene;
    const below = new Map<number, number[]>();
    for (let row = 1; row < nodes.length; row++) entry(below, parentOf(nodes, row), () => []).push(row);
    const isUsed = renderers.some(({ node }) => node === 0) || this.#source.movesRoot || !nodes.visible[0];
    const [only, ...others] = below.get(0) ?? [];
    const root = !isUsed && only !== undefined && others.length === 0 && isAtRest(nodes, 0) ? only : 0;
    const walk = [{ row: root, parent: -1 }];
    for (let at = walk.pop(); at; at = walk.pop()) {
      const { row, parent } = at;
      const name = nodes.names[row] || (row === 0 ? this.#source.scene.asset.name : '');
      const place = this.#add(name, parent, matrixOf(nodes, row), nodes.visible[row] !== 0);
      this.#places[row] = place;
      for (const child of (below.get(row) ?? []).toReversed()) walk.push({ row: child, parent: place });
    }
  }

  #add(name: string, parent: number, matrix: readonly number[], isActive: boolean): number {
    const place = this.nodes.push(branch({ name, ...(parent < 0 && { isRoot: true }), ...(!isActive && { isActive }) })) - 1;
    this.#matrices.push(...matrix);
    const above = this.nodes[parent];
    const siblings = above?.get('children');
    if (Array.isArray(siblings)) siblings.push(place);
    else above?.set('children', [place]);
    return place;
  }

  /** Writes a renderer. Returns the index of its node, or -1 if the renderer has no faces. */
  #show(renderer: Renderer): number {
    const { scene, report } = this.#source;
    const mesh = scene.meshes[renderer.mesh];
    const made = mesh && this.#meshOf(mesh, renderer);
    if (!made) return -1;
    const holder = Math.max(this.nodeOf(renderer.node), 0);
    const isFree = !this.nodes[holder]?.has('meshRenderer');
    const name = renderer.name || mesh.name;
    const place = isFree ? holder : this.#add(name, holder, IDENTITY, true);
    if (!isFree) report.add('NODE_ADDED', name, 1);
    report.budget.spend(200 + 8 * made.groups.length);
    const materials = made.groups.map(group => {
      const material = materialOf(mesh, renderer, group);
      return scene.materials[material] ? material : this.#source.blank();
    });
    const node = this.nodes[place];
    node?.set('meshRenderer', branch({ name, ...(!renderer.visible && { enabled: false }), mesh: made.row, materials }));
    if (renderer.skin !== undefined && mesh.joints) node?.set('skin', this.#skinOf(renderer.skin));
    return place;
  }

  #skinOf(row: number): number {
    let made = this.#skinRows.get(row);
    const skin = this.#source.scene.skins[row];
    if (made !== undefined || !skin) return made ?? -1;
    const inverseBindMatrices = this.#source.resource.add(KIND.skin, TYPE.mat4, skin.inverseBindMatrices.slice(0, 16 * skin.joints.length));
    this.#source.report.budget.spend(8 * skin.joints.length);
    const joints = Array.from(skin.joints, joint => Math.max(this.nodeOf(joint), 0));
    const skeleton = skin.skeletonRoot === undefined ? undefined : this.nodeOf(skin.skeletonRoot);
    made = this.skins.push(branch({ inverseBindMatrices, ...(skeleton !== undefined && { skeleton }), joints })) - 1;
    this.#skinRows.set(row, made);
    return made;
  }

  /**
   * Returns the index of a renderer's mesh, which is written on first use, and the groups that have
   * faces. Returns null if no group has faces.
   */
  #meshOf(mesh: Mesh, { mesh: row, materials, skin }: Renderer): { row: number; groups: readonly number[] } | null {
    const isDataDrawn = mesh.colors.length > 0 && !mesh.colorsAreMaterial && this.#drawsColors(mesh, materials);
    const isSkinned = skin !== undefined;
    const key = `${row} ${isDataDrawn} ${isSkinned}`;
    let made = this.#meshRows.get(key);
    if (made === undefined) this.#meshRows.set(key, (made = this.#write(mesh, isSkinned, !isDataDrawn)));
    return made;
  }

  #drawsColors({ groups }: Mesh, materials: Renderer['materials']): boolean {
    return groups.some((group, g) => this.#source.drawsColors(materials?.[g] ?? group.material ?? -1));
  }

  #write(mesh: Mesh, isSkinned: boolean, hasColors: boolean): { row: number; groups: readonly number[] } | null {
    const { report } = this.#source;
    if (mesh.topology === 'strands') this.#lose('hair', 1);
    if (mesh.topology === 'strands') return null;
    const runs = mesh.groups.length > 0 ? mesh.groups : [{ start: 0, count: mesh.indices?.length ?? mesh.vertexCount }];
    const groups = [...runs.keys()].filter(g => runs[g]!.count >= 3);
    if (mesh.vertexCount === 0 || groups.length === 0) {
      report.add('MESH_EMPTY', mesh.name, 1);
      return null;
    }
    const attributes = this.#attributes(mesh, isSkinned, hasColors);
    const subMeshes = groups.map(g => this.#faces(mesh, runs[g]!));
    const zeros = mesh.normals && mesh.morphs.length > 0 ? new Float32Array(3 * mesh.vertexCount) : null;
    let none: number | undefined;
    // If a mesh has normals, Unity's importer requires that all of its morph targets have normals.
    // Morph targets without normals share an accessor that contains zeros.
    const noNormals = (): number | undefined => (zeros ? (none ??= this.#source.resource.add(KIND.mesh, TYPE.vec3, zeros)) : undefined);
    const blendShapes = mesh.morphs.map(morph => this.#shape(mesh, morph, noNormals));
    const row = this.meshes.push(branch({ name: mesh.name, attributes, subMeshes, ...(blendShapes.length > 0 && { blendShapes }) })) - 1;
    return { row, groups };
  }

  #attributes(mesh: Mesh, isSkinned: boolean, hasColors: boolean): Record<string, number> {
    const { resource, report } = this.#source;
    const { positions, normals, tangents, uvs, colors, joints, weights, maxInfluences, vertexCount, skinning } = mesh;
    const add = (type: number, values: Float32Array | Uint8Array | Uint16Array): number => resource.add(KIND.mesh, type, values);
    const made: Record<string, number> = { POSITION: add(TYPE.vec3, positions) };
    if (normals) made['NORMAL'] = add(TYPE.vec3, normals);
    if (tangents) made['TANGENT'] = add(TYPE.vec4, tangents);
    for (const [i, uv] of uvs.slice(0, UV_SETS).entries()) made[`TEXCOORD_${i}`] = add(TYPE.vec2, uv);
    if (uvs.length > UV_SETS) this.#lose('UV sets', uvs.length - UV_SETS);
    const [color] = hasColors ? colors : [];
    if (color)
      made['COLOR_0'] = add(
        TYPE.vec4,
        color.values instanceof Float32Array ? color.values : Float32Array.from(color.values, value => value / 255),
      );
    if (colors.length > (color ? 1 : 0)) this.#lose('colour layers', colors.length - (color ? 1 : 0));
    if (!isSkinned || !joints || !weights) return made;
    made['JOINTS_0'] = joints.some(joint => joint > 0xff) ? add(TYPE.shorts4, joints) : add(TYPE.bytes4, Uint8Array.from(joints));
    made['WEIGHTS_0'] = add(TYPE.vec4, weights);
    if (maxInfluences > 4) report.add('INFLUENCES_REDUCED', mesh.name, countLong(mesh));
    if (skinning === 'dualQuaternion') report.add('SKINNING_LINEAR', mesh.name, vertexCount);
    return made;
  }

  /**
   * Returns the index of the accessor for a group's vertex indices, or -1 if the group uses all
   * vertices in order.
   */
  #faces({ indices, vertexCount }: Mesh, { start, count }: { start: number; count: number }): number {
    if (!indices && start === 0 && count === vertexCount) return -1;
    const faces = indices ? indices.slice(start, start + count) : Uint32Array.from({ length: count }, (_, i) => start + i);
    return this.#source.resource.addIndices(Uint32Array.from(faces), vertexCount);
  }

  #shape(mesh: Mesh, { name, vertices, positions, normals, maximum }: MorphTarget, noNormals: () => number | undefined): Branch {
    const { resource } = this.#source;
    const POSITION = resource.addDeltas(vertices, positions, mesh.vertexCount);
    const NORMAL = normals && mesh.normals ? resource.addDeltas(vertices, normals, mesh.vertexCount) : noNormals();
    if (maximum !== 1) this.#lose('maximum weights of morph targets', 1);
    return branch({ name, attributes: { POSITION, ...(NORMAL !== undefined && { NORMAL }) } });
  }

  #lose(what: string, count: number): void {
    this.#lost.set(what, (this.#lost.get(what) ?? 0) + count);
  }
}

const IDENTITY = [...identity()];

const isAtRest = (nodes: RigScene['nodes'], row: number): boolean => matrixOf(nodes, row).every((value, i) => value === IDENTITY[i]);

/** Returns the local matrix of a node in column-major order. */
function matrixOf({ translations: t, rotations: q, scales: s }: RigScene['nodes'], row: number): number[] {
  const rotation = Float64Array.from(q.subarray(4 * row, 4 * row + 4));
  normalize(rotation);
  const m: number[] = [];
  compose(m, t, 3 * row, rotation, 0, s[3 * row]!, s[3 * row + 1]!, s[3 * row + 2]!);
  return m.map(value => value + 0); // + 0 turns negative zero into zero
}

function countLong({ influenceOffsets }: Mesh): number {
  let count = 0;
  for (let v = 0; influenceOffsets && v + 1 < influenceOffsets.length; v++)
    if (numberAt(influenceOffsets, v + 1) - numberAt(influenceOffsets, v) > 4) count++;
  return count;
}
