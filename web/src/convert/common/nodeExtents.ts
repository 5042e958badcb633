// Measures the distance from each node to its vertices and descendants. Errors of a node's
// transform are multiplied by this distance to get the error at the skin.
import { numberAt } from '../../core/math/column.ts';
import { transformDirection, transformPoint } from '../../core/math/matrix.ts';
import { dot, subtract, type Vector, vec3, vectorAt } from '../../core/math/vector.ts';
import { Pose, type PoseShape } from '../../rig/pose.ts';
import type { RigScene } from '../../core/types.ts';
import { WorldMatrices } from '../../rig/world.ts';

/** Radius in metres of a node without vertices and descendants. */
const MIN_RADIUS = 0.01;

/** Measures of the geometry that each node moves. */
export interface NodeExtents {
  /** Distance in metres from each node to its farthest vertex or descendant in the rest pose. */
  radii: Float64Array;
  /**
   * Length in metres of one unit of each node's translation. If the parent is scaled non-uniformly,
   * this is the length on the axis with the largest scale.
   */
  parentScales: Float64Array;
  /**
   * Points of each node: its origin and the bounding box corners of its vertices, in the space of
   * the node.
   */
  corners: readonly (readonly Vector[])[];
}

const cache = new WeakMap<RigScene, NodeExtents>();

/** Returns the extents of all nodes. Each scene is measured only once. */
export function nodeExtents(shape: PoseShape): NodeExtents {
  const { scene } = shape;
  let extents = cache.get(scene);
  if (!extents) cache.set(scene, (extents = measure(shape)));
  return extents;
}

function measure(shape: PoseShape): NodeExtents {
  const { nodes, skins, renderers, meshes } = shape.scene;
  const world = new WorldMatrices(shape);
  world.update(new Pose(shape));
  const corners = Array.from({ length: nodes.length }, (): Vector[] => [[0, 0, 0]]);
  for (const { joints, jointBoxes } of skins)
    for (const [j, row] of joints.entries()) addBox(corners[row], jointBoxes.subarray(6 * j, 6 * j + 6));
  for (const { skin, mesh, node } of renderers) {
    const shown = meshes[mesh];
    if (skin === undefined && shown) addBox(corners[node], [...shown.min, ...shown.max]);
  }
  const m = world.matrices;
  const radii = new Float64Array(nodes.length).fill(MIN_RADIUS);
  const parentScales = new Float64Array(nodes.length).fill(1);
  for (let row = nodes.length - 1; row >= 0; row--) {
    const length = (corners[row] ?? []).reduce((most, corner) => Math.max(most, lengthIn(m, row, corner)), numberAt(radii, row));
    radii[row] = length;
    const parent = numberAt(nodes.parents, row);
    if (parent < 0) continue;
    const apart = Math.hypot(...subtract(vectorAt(m, 16 * row + 12), vectorAt(m, 16 * parent + 12)));
    radii[parent] = Math.max(numberAt(radii, parent), apart + length);
    parentScales[row] = Math.max(...AXES.map(axis => lengthIn(m, parent, axis)));
  }
  return { radii, parentScales, corners };
}

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Returns the world-space length of a vector in the space of a node. */
function lengthIn(matrices: Float64Array, row: number, v: Vector): number {
  const result: Vector = [0, 0, 0];
  transformDirection(result, matrices, 16 * row, v);
  return Math.hypot(...result);
}

function addBox(corners: Vector[] | undefined, box: ArrayLike<number>): void {
  const [min, max] = [vectorAt(box, 0), vectorAt(box, 3)];
  if (!corners || !(min[0] <= max[0])) return;
  for (const x of [min[0], max[0]]) for (const y of [min[1], max[1]]) for (const z of [min[2], max[2]]) corners.push([x, y, z]);
}

/** Returns the length of the longest vector in an array of 3D vectors. */
export function longestVector(vectors: Float32Array): number {
  let longest = 0;
  for (let i = 0; i + 2 < vectors.length; i += 3) longest = Math.max(longest, Math.hypot(...vectorAt(vectors, i)));
  return longest;
}

const gap = new Float64Array(16);
const moved = vec3();

/**
 * Returns the largest distance in metres that any of the corners moves between two poses. `a`, `b`:
 * world matrices of all nodes in the two poses.
 */
export function largestGap({ corners }: NodeExtents, a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (const [row, own] of corners.entries()) most = Math.max(most, gapOf(a, b, 16 * row, own));
  return most;
}

/**
 * Transforms each point with two matrices and returns the largest distance between the two results.
 * `at`: offset of the matrices in `a` and `b`.
 */
export function gapOf(a: Float64Array, b: Float64Array, at: number, points: readonly Vector[]): number {
  for (let e = 0; e < 16; e++) gap[e] = numberAt(a, at + e) - numberAt(b, at + e);
  let most = 0;
  for (const point of points) {
    transformPoint(moved, gap, 0, point);
    most = Math.max(most, dot(moved, moved));
  }
  return Math.sqrt(most);
}
