// Reads the pose of a rig as numbers. The pose is computed as on a page: by the pose engine,
// three.js objects, and the same skinning as in the shaders.
import { InstancedMesh, LineSegments, Matrix4, Mesh, type Object3D, Quaternion, Vector3 } from 'three';
import type { RigClip } from './rigClip.ts';
import { propertyKey } from '../names.ts';
import type { Rig } from '../rig.ts';
import { drawnPositions } from '../build/skinning.ts';

type Vector = [number, number, number];

export interface NodePose {
  /** Name of the node in the file. */
  name: string;
  /** Index of the node's bone in the file; false if the node isn't a bone. */
  bone: number | false;
  /** True if the node and all its ancestors are visible. */
  visible: boolean;
  position: Vector;
  quaternion: [number, number, number, number];
  scale: Vector;
  /** World matrix of the node, column-major. */
  matrix: number[];
}

export interface MeshPose {
  name: string;
  /** True if the mesh and all its ancestors are visible. */
  visible: boolean;
  vertexCount: number;
  triangleCount: number;
  /** Minimum and maximum of the bounding box of the drawn vertices; null if there are none. */
  min: Vector | null;
  max: Vector | null;
}

/** A mesh that is drawn for an instance. */
export interface PlacedPose {
  /** Name of the instance in the file. */
  name: string;
  mesh: string;
  vertexCount: number;
  triangleCount: number;
  /** Matrix from the space of the mesh to world space, column-major. */
  matrix: number[];
  min: Vector | null;
  max: Vector | null;
}

/** The pose of a rig in world space. */
export interface RigPose {
  time: number | null;
  clip: string | null;
  /** Poses of the nodes in depth-first order, starting with the synthetic root. */
  nodes: NodePose[];
  /** Poses of the meshes in the order of `scene.renderers`, including hidden meshes. */
  meshes: MeshPose[];
  /** Poses of the meshes of instances; undefined if the file has no instances. */
  placed?: PlacedPose[];
  points: Record<string, Vector>;
  /** Values of morph targets and animated properties, by name. */
  values: Record<string, number>;
}

export interface PoseOptions {
  /** Animations that play together, in the order of their layers. Default: the rest pose. */
  clips?: readonly RigClip[];
  /** Times in the clips, in seconds. */
  times?: readonly number[];
  /**
   * Vertices whose positions are returned, each written as `index`, or as `Mesh:index` if there are
   * several meshes. `index` is the index of the vertex in the file; in a PSK, the index of the
   * point.
   */
  points?: readonly string[];
  /** Solve constraints and IK handles, as animators do. Default: false. */
  solve?: boolean;
}

/**
 * Returns one pose for each of `times`, in the same order. Without clips or times, returns the rest
 * pose. The current pose of the rig is restored afterwards.
 */
export function samplePoses(rig: Rig, { clips = [], times = [], points = [], solve = false }: PoseOptions = {}): RigPose[] {
  const animator = rig.createAnimator();
  if (rig.rigging && !solve) animator.remove(rig.rigging);
  const isPlaying = clips.length > 0 && times.length > 0;
  if (isPlaying) animator.layers.push(...clips.map(each => animator.layer(each)));
  const clip = isPlaying ? clips.map(({ name }) => name).join(' + ') : null;
  const poses = (times.length ? times : [null]).map(time => {
    for (const layer of animator.layers) layer.time = time ?? 0;
    animator.apply();
    rig.scene.updateMatrixWorld(true);
    return readPose(rig, time, clip, points);
  });
  animator.stop();
  rig.scene.updateMatrixWorld(true);
  return poses;
}

/** Returns the current pose of the rig, with its current world matrices. */
export function readPose(rig: Rig, time: number | null, clip: string | null, points: readonly string[] = []): RigPose {
  const { scene } = rig.file;
  const pose: RigPose = { time, clip, nodes: [], meshes: [], points: {}, values: {} };
  if (!scene) return pose;
  pose.nodes = treeOrder(scene.nodes.parents).map(i => nodePose(rig.nodes[i]!, scene.nodes.names[i]!, scene.nodes.bones[i]!));

  const values = new Map<string, number>();
  const wanted = points.map(point => ({ point, ...wantedPoint(point) }));
  for (const [r, renderer] of scene.renderers.entries()) {
    const object = rig.meshes[r];
    const mesh = scene.meshes[renderer.mesh];
    if (!object || !mesh) continue;
    const positions = drawnPositions(object, mesh);
    const name = renderer.name || mesh.name;
    const triangleCount = Math.floor((mesh.indices?.length ?? 0) / 3);
    pose.meshes.push({ name, visible: isVisible(object), vertexCount: mesh.vertexCount, triangleCount, ...box(positions) });
    for (const { point, index, mesh: meshName } of wanted) {
      if (Object.hasOwn(pose.points, point) || (meshName !== null && meshName !== name && meshName !== mesh.name)) continue;
      const vertex = mesh.sourceVertices ? mesh.sourceVertices.indexOf(index) : index;
      if (vertex >= 0 && vertex < mesh.vertexCount) pose.points[point] = [...positions.subarray(3 * vertex, 3 * vertex + 3)] as Vector;
    }
    for (const [m, morph] of mesh.morphs.entries()) {
      if (!values.has(morph.name)) values.set(morph.name, object.morphTargetInfluences?.[m] ?? 0);
    }
  }
  if (scene.instances.length) pose.placed = placedPoses(rig);
  for (const { node, property } of rig.animatedProperties)
    values.set(property, Number(rig.nodes[node]?.userData[propertyKey(property)] ?? 0));
  pose.values = Object.fromEntries(values); // files may contain any name, including `__proto__`
  return pose;
}

/**
 * Returns the poses of the meshes of all instances, in the order of the scene graph. An
 * InstancedMesh has one pose for each instance.
 */
function placedPoses(rig: Rig): PlacedPose[] {
  const own = new Set<Object3D | null>(rig.meshes);
  const poses: PlacedPose[] = [];
  const visit = (object: Object3D, instance: string): void => {
    const { name = '', instance: isCopy } = object.userData as { name?: string; instance?: string };
    const within = isCopy === undefined ? instance : name;
    if ((object instanceof Mesh || object instanceof LineSegments) && !own.has(object)) {
      const names = object.userData['instances'] as string[] | undefined;
      if (object instanceof InstancedMesh) {
        for (let i = 0; i < object.count; i++) {
          object.getMatrixAt(i, matrix);
          poses.push(placedPose(object, names?.[i] ?? '', name, matrix.premultiply(object.matrixWorld)));
        }
      } else poses.push(placedPose(object, within, name, object.matrixWorld));
    }
    for (const child of object.children) visit(child, within);
  };
  visit(rig.scene, '');
  return poses;
}

const matrix = new Matrix4();
const vertex = new Vector3();

function placedPose(object: Mesh | LineSegments, name: string, mesh: string, toWorld: Matrix4): PlacedPose {
  const { index, attributes } = object.geometry;
  const vertexCount = attributes['position']?.count ?? 0;
  const positions = new Float64Array(3 * vertexCount);
  for (let i = 0; i < vertexCount; i++) {
    if (object instanceof Mesh) object.getVertexPosition(i, vertex);
    else vertex.fromBufferAttribute(attributes['position']!, i);
    vertex.applyMatrix4(toWorld).toArray(positions, 3 * i);
  }
  const triangleCount = object instanceof Mesh ? Math.floor((index?.count ?? vertexCount) / 3) : 0;
  return { name, mesh, vertexCount, triangleCount, matrix: [...toWorld.elements], ...box(positions) };
}

/**
 * Returns the indices of all nodes in depth-first order. Children are in the order of the node
 * table.
 */
function treeOrder(parents: Int32Array): number[] {
  const children = Array.from(parents, (): number[] => []);
  for (const [i, parent] of parents.entries()) children[parent]?.push(i);
  const order: number[] = [];
  const open = parents.length ? [0] : [];
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    order.push(i);
    open.push(...children[i]!.toReversed());
  }
  return order;
}

const position = new Vector3();
const quaternion = new Quaternion();
const scale = new Vector3();

function isVisible(object: Object3D): boolean {
  for (let above: Object3D | null = object; above; above = above.parent) if (!above.visible) return false;
  return true;
}

function nodePose(node: Object3D, name: string, bone: number): NodePose {
  node.matrixWorld.decompose(position, quaternion, scale);
  return {
    name,
    bone: bone >= 0 ? bone : false,
    visible: isVisible(node),
    position: position.toArray(),
    quaternion: quaternion.toArray(),
    scale: scale.toArray(),
    matrix: [...node.matrixWorld.elements],
  };
}

function wantedPoint(point: string): { mesh: string | null; index: number } {
  const colon = point.lastIndexOf(':');
  return { mesh: colon < 0 ? null : point.slice(0, colon), index: Number(point.slice(colon + 1)) };
}

function box(positions: Float64Array): { min: Vector | null; max: Vector | null } {
  if (!positions.length) return { min: null, max: null };
  const min: Vector = [Infinity, Infinity, Infinity];
  const max: Vector = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    for (let c = 0; c < 3; c++) {
      const value = positions[i + c]!;
      if (value < min[c]!) min[c] = value;
      if (value > max[c]!) max[c] = value;
    }
  }
  return { min, max };
}
