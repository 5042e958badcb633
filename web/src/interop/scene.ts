// Converts objects of any three.js loader to a scene to which animations can be bound: nodes in
// their rest pose, and names of meshes and morph targets.
import { type Bone, Matrix4, type Mesh as ThreeMesh, Object3D, Quaternion, type SkinnedMesh, Vector3 } from 'three';
import { uniqueNames } from '../core/names.ts';
import type { Mesh, MorphTarget, NodeTable, Renderer, RigScene } from '../core/types.ts';

export interface ImportedScene {
  scene: RigScene;
  /**
   * The object from which each row of `scene.nodes` was created; null for row 0, the synthetic
   * root.
   */
  objects: readonly (Object3D | null)[];
  /** The mesh from which each row of `scene.renderers` was created. */
  drawn: readonly ThreeMesh[];
}

const isBone = (object: Object3D): boolean => (object as Bone).isBone === true;
const isDrawn = (object: Object3D): object is ThreeMesh => 'geometry' in object && 'material' in object;

/**
 * Converts `root` and its descendants. The transform of `root` is ignored unless `root` is a bone
 * or `keepsRootTransform` is true. The rest pose of a bone is the bind pose of its skeleton; for
 * all other nodes, it is the current transform. Meshes have names and morph targets, but no
 * vertices.
 */
export function importedScene(root: Object3D, keepsRootTransform = false): ImportedScene {
  const objects: (Object3D | null)[] = [null];
  root.traverse(object => void objects.push(object));
  const rows = new Map<Object3D | null, number>(objects.map((object, row) => [object, row]));
  const count = objects.length;
  const nodes = {
    length: count,
    names: objects.map(object => (object ? nameOf(object) : '')),
    parents: Int32Array.from(objects, object => (object === null ? -1 : object === root ? 0 : (rows.get(object.parent) ?? 0))),
    translations: new Float32Array(3 * count),
    rotations: new Float32Array(4 * count),
    scales: new Float32Array(3 * count).fill(1),
    bones: new Int32Array(count).fill(-1),
    visible: Uint8Array.from(objects, object => (object === null || object.visible ? 1 : 0)),
    segmentScaleCompensate: new Uint8Array(count),
    properties: new Map(),
  } satisfies NodeTable;
  nodes.rotations[3] = 1;
  const rests = localBindTransforms(objects);
  let bones = 0;
  for (const [row, object] of objects.entries()) {
    if (!object) continue;
    if (isBone(object)) nodes.bones[row] = bones++;
    const counts = keepsRootTransform || object !== root || isBone(object);
    const rest = counts ? (rests.get(object) ?? object) : ORIGIN;
    rest.position.toArray(nodes.translations, 3 * row);
    rest.quaternion.toArray(nodes.rotations, 4 * row);
    rest.scale.toArray(nodes.scales, 3 * row);
  }
  const drawn = objects.filter((object): object is ThreeMesh => object !== null && isDrawn(object));
  const meshes = drawn.map(meshWithoutVertices);
  const renderers = drawn.map((object, mesh): Renderer => ({ name: nameOf(object), node: rows.get(object) ?? 0, mesh, visible: true }));
  return { scene: { ...emptyScene(), asset: { name: nameOf(root), metresPerUnit: 1 }, nodes, meshes, renderers }, objects, drawn };
}

/**
 * Returns the name of an object in the file (`userData.name`) if the loader has stored it,
 * otherwise `name`. Loaders of three.js remove characters from `name`.
 */
export function nameOf({ name, userData }: Object3D): string {
  const own: unknown = userData['name'];
  return typeof own === 'string' && own !== '' ? own : name;
}

export function emptyScene(): Omit<RigScene, 'asset' | 'nodes' | 'meshes' | 'renderers'> {
  return {
    scaleInheritance: 'matrix',
    skins: [],
    materials: [],
    textures: [],
    images: [],
    clips: [],
    lights: [],
    cameras: [],
    instances: [],
    features: [],
    expressions: [],
    references: [],
  };
}

interface Local {
  position: Vector3;
  quaternion: Quaternion;
  scale: Vector3;
}

const ORIGIN: Local = /*@__PURE__*/ new Object3D();

/**
 * Returns the bind transforms, relative to the parent, of bones whose parents belong to the same
 * skeleton.
 */
function localBindTransforms(objects: readonly (Object3D | null)[]): Map<Object3D, Local> {
  const locals = new Map<Object3D, Local>();
  const seen = new Set<object>();
  for (const object of objects) {
    const skeleton = (object as SkinnedMesh | null)?.skeleton;
    if (!skeleton || seen.has(skeleton)) continue;
    seen.add(skeleton);
    const inverses = new Map(skeleton.bones.map((bone, i) => [bone as Object3D, skeleton.boneInverses[i]]));
    for (const [bone, own] of inverses) {
      const above = bone?.parent ? inverses.get(bone.parent) : undefined;
      if (!own || !above || locals.has(bone)) continue;
      const local = new Matrix4().copy(own).invert().premultiply(above);
      if (!local.elements.every(Number.isFinite) || Math.abs(own.determinant()) < 1e-30) continue;
      const rest: Local = { position: new Vector3(), quaternion: new Quaternion(), scale: new Vector3() };
      local.decompose(rest.position, rest.quaternion, rest.scale);
      locals.set(bone, rest);
    }
  }
  return locals;
}

const nothing = /*@__PURE__*/ new Float32Array(0);

/** Returns the names of the morph targets of a mesh, in the order of their indices. */
export function morphNames({ morphTargetDictionary = {}, morphTargetInfluences = [] }: ThreeMesh): string[] {
  const names = morphTargetInfluences.map((_, i) => `${i}`);
  for (const [name, i] of Object.entries(morphTargetDictionary)) if (i in names) names[i] = name;
  return uniqueNames(names);
}

function meshWithoutVertices(object: ThreeMesh): Mesh {
  const morphs = morphNames(object).map((name): MorphTarget => ({
    name,
    vertices: new Uint32Array(0),
    positions: nothing,
    maximum: Infinity,
  }));
  return {
    name: nameOf(object),
    topology: 'triangles',
    vertexCount: 0,
    positions: nothing,
    uvs: [],
    colors: [],
    colorsAreMaterial: false,
    maxInfluences: 0,
    skinning: 'linear',
    sourceVertexCount: 0,
    groups: [],
    morphs,
    min: [0, 0, 0],
    max: [0, 0, 0],
    center: [0, 0, 0],
    radius: 0,
  };
}
