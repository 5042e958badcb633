// Converts the result of another three.js loader to a scene of rigcast with vertices, skins, morph
// targets and clips. Rigs created from the scene use the loader's materials.
import type {
  AnimationClip,
  Material as ThreeMaterial,
  Mesh as ThreeMesh,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Object3D,
  SkinnedMesh,
  Texture,
} from 'three';
import { Matrix4 } from 'three';
import { entry } from '../core/entry.ts';
import { EFFECT_NAMES, ROTATED_TEXTURES } from '../core/materialEffects.ts';
import type {
  Clip,
  Feature,
  Finding,
  Group,
  Material,
  MaterialSlot,
  Mesh,
  MorphTarget,
  NodeTable,
  Renderer,
  RigScene,
  Skin,
  TrackPath,
} from '../core/types.ts';
import { importedClip } from './clips.ts';
import { droppedInfluences } from './fbxInfluences.ts';
import { type Attribute, floats, influencesOf } from './influences.ts';
import { texturesOf } from './loaders.ts';
import { type ImportedScene, importedScene } from './scene.ts';
import type { VrmFacts } from './vrm.ts';
import { setReplacement } from '../three/materials/materialValues.ts';
import { keyOf, type Skinning } from '../three/build/skinning.ts';
import type { Rig } from '../three/rig.ts';
import { physicalValues } from './physicalValues.ts';

/** A converted scene with the loader's materials. */
export interface ImportedFile {
  scene: RigScene;
  /** The loader's materials, one for each row of `scene.materials`. */
  materials: readonly ThreeMaterial[];
  /** The loader's meshes, one for each row of `scene.renderers`. */
  drawn: readonly ThreeMesh[];
  findings: Finding[];
}

/**
 * Converts objects to a scene. `unit`: length of one unit of the objects, in metres. `readFacts`:
 * function that returns the VRM data of the file, which the objects don't contain.
 */
export function importedFile(
  root: Object3D,
  animations: readonly AnimationClip[],
  name: string,
  unit = 1,
  readFacts: ((imported: ImportedScene) => VrmFacts | null) | null = null,
): ImportedFile {
  root.updateMatrixWorld(true);
  const imported = importedScene(root, true);
  const { scene, drawn, objects } = imported;
  const { nodes } = scene;
  nodes.scales.fill(unit, 0, 3);
  const materials: ThreeMaterial[] = [];
  const materialRows = new Map<ThreeMaterial, number>();
  const rowOf = (material: ThreeMaterial): number => entry(materialRows, material, () => materials.push(material) - 1);
  const findings: Finding[] = [];
  const report = (code: string, path: string, detail: string, count: number): void => {
    if (count > 0) findings.push({ code, severity: 'info', offset: null, path, detail, count });
  };
  const skins: Skin[] = [];
  const meshes: Mesh[] = [];
  const shared = new Map<string, number>();
  const rows = new Map(objects.map((object, row) => [object, row]));
  const renderers = scene.renderers.map((renderer, r): Renderer => {
    const object = drawn[r] as SkinnedMesh;
    // Objects with the same geometry share a mesh and its GPU memory.
    const key = `${object.geometry.uuid} ${scene.meshes[r]!.morphs.map(({ name }) => name).join()} ${drawsVertexColors(object)}`;
    const mesh = entry(shared, key, () => meshes.push(completeMesh(object, scene.meshes[r]!, rowOf)) - 1);
    const own = { ...renderer, mesh, materials: groupsOf(object).map(({ material }) => (material ? rowOf(material) : -1)) };
    if (!object.isSkinnedMesh || !object.skeleton) return own;
    skins.push(skinOf(object, meshes[mesh]!, rows));
    return { ...own, skin: skins.length - 1 };
  });
  const facts = readFacts?.(imported) ?? null;
  const made = animations.map(clip => importedClip(clip, imported, root, facts?.faces));
  for (const { clip, lost } of made) report('CURVE_NOT_PLAYED', clip.name, lost.slice(0, 5).join(', '), lost.length);
  const others = unsupportedObjects(imported);
  report('NOT_SHOWN', name, others.slice(0, 5).join(', '), others.length);
  for (const { name: mesh, vertices, most, share } of droppedInfluences(root)) {
    const detail = `up to ${most} influences per vertex; at most ${(100 * share).toFixed(1)} % of the weights of a vertex are missing`;
    findings.push({ code: 'INFLUENCES_NOT_READ', severity: 'warning', offset: null, path: mesh, detail, count: vertices });
  }
  let bones = nodes.bones.reduce((most, bone) => Math.max(most, bone), -1);
  const hasDeclared = bones >= 0 || (facts !== null && facts.bones.length > 0);
  const further = hasDeclared || scene.renderers.length > 0 ? (facts?.bones ?? []) : bonesOf(made, nodes);
  for (const row of further) if (nodes.bones[row]! < 0) nodes.bones[row] = ++bones;
  const textures = [...new Set(materials.flatMap(texturesIn))].map((texture): Feature => ({ kind: 'texture', name: texture.name }));
  return {
    scene: {
      ...scene,
      asset: { name, metresPerUnit: unit },
      meshes,
      renderers,
      skins,
      materials: materials.map(plainMaterial),
      clips: made.map(({ clip }) => clip),
      features: [...(facts?.features ?? []), ...textures],
      expressions: facts?.expressions ?? [],
    },
    materials,
    drawn,
    findings,
  };
}

/**
 * Returns the rows of the bones of a file without meshes. A glTF declares bones only in skins, and an
 * exported animation has no skin. It can also lack tracks of bones that do not move. The bones are
 * therefore all nodes of the hierarchies in which clips move a node, except parents at the origin that
 * only group the bones.
 */
function bonesOf(clips: readonly { clip: Clip }[], { parents, translations }: NodeTable): number[] {
  /** For each row, its topmost ancestor below the root object of the loader, which has row 1. */
  const tops: number[] = [];
  for (const [row, parent] of parents.entries()) tops.push(parent > 1 ? tops[parent]! : row);
  const tracks = clips.flatMap(({ clip }) => [...clip.tracks]);
  const moved = new Set(tracks.filter(({ path }) => MOVING.includes(path)).map(({ node }) => node));
  const movedTops = new Set([...moved].map(row => tops[row]));
  const bones = new Set<number>();
  for (const [row, parent] of parents.entries()) {
    const isGroup = !bones.has(parent) && !moved.has(row) && translations.subarray(3 * row, 3 * row + 3).every(value => value === 0);
    if (movedTops.has(tops[row]) && !isGroup) bones.add(row);
  }
  return [...bones];
}

const MOVING: readonly TrackPath[] = ['translation', 'rotation', 'scale'];

/**
 * Replaces the materials of a rig by those of the loader. `materials`: the loader's materials, one
 * for each row of `scene.materials`. `patched`: copies of them, see `materialFor`.
 */
export function applyMaterials(rig: Rig, materials: readonly ThreeMaterial[], patched: Map<string, ThreeMaterial>): void {
  const theirs = new Map(materials.flatMap((material, row) => rig.materialsOf(row).map(own => [own, material] as const)));
  for (const mesh of rig.meshes) {
    if (!mesh) continue;
    const replaced = (own: ThreeMaterial): ThreeMaterial => {
      const their = theirs.get(own);
      if (!their) return own;
      const drawn = materialFor(mesh, their, patched);
      setReplacement(own, drawn);
      return drawn;
    };
    mesh.material = Array.isArray(mesh.material) ? mesh.material.map(replaced) : replaced(mesh.material);
  }
}

/**
 * Returns a material of the loader that draws all influences of a mesh. If a vertex has more than
 * four, this is a patched copy, which is kept in `patched`.
 */
export function materialFor(mesh: Object3D, material: ThreeMaterial, patched: Map<string, ThreeMaterial>): ThreeMaterial {
  const { skinning } = mesh as { skinning?: Skinning | null };
  return skinning ? entry(patched, `${material.uuid} ${keyOf(skinning)}`, () => skinning.extend(material.clone())) : material;
}

/** Frees materials and their textures. */
export function disposeMaterials(materials: readonly ThreeMaterial[]): void {
  for (const material of materials) {
    for (const texture of texturesIn(material)) texture.dispose();
    material.dispose();
  }
}

const texturesIn = (material: ThreeMaterial): Texture[] => Object.values(texturesOf(material));

/**
 * Returns the names of objects that rigcast doesn't draw: lines, points, sprites and instanced
 * meshes.
 */
function unsupportedObjects({ objects }: ImportedScene): string[] {
  const kinds = ['isLine', 'isPoints', 'isSprite', 'isInstancedMesh'] as const;
  return objects.flatMap(object => (object && kinds.some(kind => kind in object) ? [object.name || object.type] : []));
}

// ---------------------------------------------------------------- meshes

/**
 * Returns the groups of a geometry with their materials. `start` and `count` refer to indices, or
 * to vertices if the geometry has no index.
 */
function groupsOf({ geometry, material }: ThreeMesh): { start: number; count: number; material: ThreeMaterial | undefined }[] {
  const all = Array.isArray(material) ? material : [material];
  const total = geometry.index?.count ?? geometry.getAttribute('position')?.count ?? 0;
  const groups = Array.isArray(material) && geometry.groups.length > 0 ? geometry.groups : [{ start: 0, count: total }];
  return groups.map(({ start, count, materialIndex = 0 }: Group & { materialIndex?: number }) => ({
    start,
    count: Math.min(count, total - start),
    material: all[materialIndex] ?? all[0],
  }));
}

/** True if the material of a mesh, or one of its materials, uses vertex colours. */
const drawsVertexColors = ({ material }: ThreeMesh): boolean =>
  (Array.isArray(material) ? material : [material]).some(({ vertexColors }) => vertexColors);

function completeMesh(object: ThreeMesh, bare: Mesh, rowOf: (material: ThreeMaterial) => number): Mesh {
  const { geometry } = object;
  const get = (name: string): Attribute | undefined => geometry.getAttribute(name) as Attribute | undefined;
  const [position, normal, tangent, color] = ['position', 'normal', 'tangent', 'color'].map(get);
  if (!position) return bare;
  const positions = floats(position, 3);
  const indices = geometry.index ? indicesOf(geometry.index.array) : undefined;
  const groups = groupsOf(object).map(({ start, count, material }): Group => ({
    start,
    count,
    ...(material && { material: rowOf(material) }),
  }));
  const uvs = ['uv', 'uv1', 'uv2', 'uv3'].flatMap(name => {
    const attribute = get(name);
    return attribute ? [floats(attribute, 2)] : [];
  });
  const mesh: Mesh = {
    ...bare,
    vertexCount: position.count,
    sourceVertexCount: position.count,
    positions,
    ...(normal && { normals: floats(normal, 3) }),
    ...(tangent && { tangents: floats(tangent, 4) }),
    ...(indices && { indices }),
    uvs,
    colors: color ? [{ values: floats(color, 4) }] : [],
    colorsAreMaterial: color !== undefined && drawsVertexColors(object),
    groups,
    morphs: bare.morphs.map((morph, i) => morphOf(object, morph, i, positions)),
    ...influencesOf(geometry),
  };
  return { ...mesh, ...bounds(mesh) };
}

function indicesOf(array: ArrayLike<number> & object): Uint16Array | Uint32Array {
  return array instanceof Uint16Array || array instanceof Uint32Array ? array : Uint32Array.from(array);
}

function morphOf({ geometry }: ThreeMesh, morph: MorphTarget, i: number, base: Float32Array): MorphTarget {
  const target = geometry.morphAttributes.position?.[i];
  if (!target) return morph;
  const deltas = floats(target, 3).slice();
  if (!geometry.morphTargetsRelative) for (let k = 0; k < deltas.length; k++) deltas[k]! -= base[k] ?? 0;
  const vertices: number[] = [];
  for (let v = 0; 3 * v < deltas.length; v++) if (deltas[3 * v] || deltas[3 * v + 1] || deltas[3 * v + 2]) vertices.push(v);
  const pick = (from: Float32Array): Float32Array =>
    Float32Array.from(vertices.flatMap(v => [from[3 * v]!, from[3 * v + 1]!, from[3 * v + 2]!]));
  const normal = geometry.morphTargetsRelative ? geometry.morphAttributes.normal?.[i] : undefined;
  return { ...morph, vertices: Uint32Array.from(vertices), positions: pick(deltas), ...(normal && { normals: pick(floats(normal, 3)) }) };
}

/**
 * Returns the bounding box without morph targets, and a sphere that contains the mesh with all
 * morph targets at full weight.
 */
function bounds({ positions, morphs }: Mesh): Pick<Mesh, 'min' | 'max' | 'center' | 'radius'> {
  const min: Mesh['min'] = [Infinity, Infinity, Infinity];
  const max: Mesh['max'] = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at++) {
    const c = at % 3;
    min[c] = Math.min(min[c]!, positions[at]!);
    max[c] = Math.max(max[c]!, positions[at]!);
  }
  if (!(min[0] <= max[0])) return { min: [0, 0, 0], max: [0, 0, 0], center: [0, 0, 0], radius: 0 };
  let reach = 0;
  for (const { positions: deltas } of morphs) {
    let most = 0;
    for (let at = 0; at < deltas.length; at += 3) most = Math.max(most, Math.hypot(deltas[at]!, deltas[at + 1]!, deltas[at + 2]!));
    reach += most;
  }
  const center = min.map((value, c) => (value + max[c]!) / 2) as Mesh['center'];
  return { min, max, center, radius: Math.hypot(...min.map((value, c) => (max[c]! - value) / 2)) + reach };
}

// ---------------------------------------------------------------- skins

function skinOf({ skeleton, bindMatrix, name }: SkinnedMesh, mesh: Mesh, rows: ReadonlyMap<Object3D | null, number>): Skin {
  const count = skeleton.bones.length;
  const inverseBindMatrices = new Float32Array(16 * count);
  const inverse = new Matrix4();
  for (const [j, own] of skeleton.boneInverses.entries()) inverse.multiplyMatrices(own, bindMatrix).toArray(inverseBindMatrices, 16 * j);
  const joints = Uint32Array.from(skeleton.bones, bone => rows.get(bone) ?? 0);
  return { name, joints, inverseBindMatrices, jointBoxes: jointBoxes(mesh, inverseBindMatrices, count) };
}

/** Returns the bounding box of each joint's vertices, in the space of the joint. */
function jointBoxes(mesh: Mesh, inverses: Float32Array, count: number): Float32Array {
  const { positions, influenceOffsets: offsets } = mesh;
  const [joints, weights] = offsets ? [mesh.influenceJoints, mesh.influenceWeights] : [mesh.joints, mesh.weights];
  const boxes = new Float32Array(6 * count);
  for (let j = 0; j < count; j++) boxes.set([1, 1, 1, -1, -1, -1], 6 * j);
  const seen = new Uint8Array(count);
  for (let k = 0, v = 0; k < (joints?.length ?? 0); k++) {
    if (!offsets) v = k >> 2;
    else while (offsets[v + 1]! <= k) v++;
    const j = joints![k]!;
    if (!(weights![k]! > 0) || j >= count) continue;
    const at = 3 * v;
    const [x, y, z] = [positions[at]!, positions[at + 1]!, positions[at + 2]!];
    for (let c = 0; c < 3; c++) {
      const m = 16 * j + c;
      const value = inverses[m]! * x + inverses[m + 4]! * y + inverses[m + 8]! * z + inverses[m + 12]!;
      const [low, high] = [6 * j + c, 6 * j + 3 + c];
      boxes[low] = seen[j] ? Math.min(boxes[low]!, value) : value;
      boxes[high] = seen[j] ? Math.max(boxes[high]!, value) : value;
    }
    seen[j] = 1;
  }
  return boxes;
}

// ---------------------------------------------------------------- materials

/**
 * Approximates a material of the loader for the scene. Rigs are drawn with the loader's own
 * material.
 */
function plainMaterial(material: ThreeMaterial): Material {
  const { name, opacity, transparent, alphaTest, visible, side } = material;
  const { color, emissive, emissiveIntensity, metalness, roughness } = material as ThreeMaterial & Partial<MeshStandardMaterial>;
  const physical = physicalValues(material);
  const glow = emissive?.clone().multiplyScalar(emissiveIntensity ?? 1);
  return {
    name,
    model: modelOf(material),
    color: [color?.r ?? 1, color?.g ?? 1, color?.b ?? 1, opacity],
    emissive: [glow?.r ?? 0, glow?.g ?? 0, glow?.b ?? 0],
    metalness: metalness ?? 0,
    roughness: roughness ?? 1,
    alphaMode: alphaTest > 0 ? 'mask' : transparent ? 'blend' : 'opaque',
    alphaCutoff: alphaTest,
    side: side === 2 ? 'both' : side === 1 ? 'back' : 'front',
    visible,
    renderOrder: 0,
    slots: specularSlots(material),
    ...(physical && { properties: { physical } }),
  };
}

/** Returns the shading model. It names effects, so that writers that do not have them report them as lost. */
function modelOf(material: ThreeMaterial): string {
  if ('isMeshBasicMaterial' in material) return 'unlit';
  const values = material as unknown as Record<string, unknown>;
  const effects: string[] = EFFECT_NAMES.filter(name => typeof values[name] === 'number' && values[name] > 0);
  if (texturesIn(material).some(({ rotation }) => rotation !== 0)) effects.push(ROTATED_TEXTURES);
  return effects.join(', ') || 'standard';
}

/**
 * Returns the slot with the reflectance at normal incidence, as KHR_materials_ior and
 * KHR_materials_specular define it; none if it is that of a standard material (0.04).
 */
function specularSlots(material: ThreeMaterial): MaterialSlot[] {
  if (!('isMeshPhysicalMaterial' in material)) return [];
  const { ior, specularIntensity, specularColor } = material as MeshPhysicalMaterial;
  const { r, g, b } = specularColor;
  if (ior === 1.5 && specularIntensity === 1 && r === 1 && g === 1 && b === 1) return [];
  const reflectance = ((ior - 1) / (ior + 1)) ** 2 * specularIntensity;
  return [{ slot: 'specularColor', source: 'specularColor', color: [r * reflectance, g * reflectance, b * reflectance, 1] }];
}
