// Measures how far each node's influence reaches, to convert errors of its transform to distances
// at the skin and at nodes below it.
import { numberAt } from '../../core/math/column.ts';
import { transformDirection, transformPoint } from '../../core/math/matrix.ts';
import { dot, subtract, type Vector, vec3, vectorAt } from '../../core/math/vector.ts';
import { Pose, type PoseShape } from '../../rig/pose.ts';
import type { RigScene } from '../../core/types.ts';
import { WorldMatrices } from '../../rig/world.ts';

/** Reach of a node that moves nothing, metres. */
const SHORTEST = 0.01;

export interface Reach {
  /** Largest distance from each node to what it moves in the rest pose, metres of the scene. */
  lengths: Float64Array;
  /** Metres of the scene per unit of each node's translation. */
  units: Float64Array;
  /** Origin and bounding box corners of what each node moves directly, in its own space. */
  corners: readonly (readonly Vector[])[];
}

const known = new WeakMap<RigScene, Reach>();

/** Returns the reach of a scene, the same object for each shape of it. */
export function reachOf(shape: PoseShape): Reach {
  const { scene } = shape;
  let reach = known.get(scene);
  if (!reach) known.set(scene, (reach = measure(shape)));
  return reach;
}

function measure(shape: PoseShape): Reach {
  const { nodes, skins, renderers, meshes } = shape.scene;
  const world = new WorldMatrices(shape);
  world.update(new Pose(shape));
  const corners = Array.from({ length: nodes.count }, (): Vector[] => [[0, 0, 0]]);
  for (const { joints, jointBoxes } of skins)
    for (const [j, row] of joints.entries()) addBox(corners[row], jointBoxes.subarray(6 * j, 6 * j + 6));
  for (const { skin, mesh, node } of renderers) {
    const shown = meshes[mesh];
    if (skin === undefined && shown) addBox(corners[node], [...shown.min, ...shown.max]);
  }
  const m = world.matrices;
  const lengths = new Float64Array(nodes.count).fill(SHORTEST);
  const units = new Float64Array(nodes.count).fill(1);
  for (let row = nodes.count - 1; row >= 0; row--) {
    const length = (corners[row] ?? []).reduce((most, corner) => Math.max(most, lengthIn(m, row, corner)), numberAt(lengths, row));
    lengths[row] = length;
    const parent = numberAt(nodes.parents, row);
    if (parent < 0) continue;
    const apart = Math.hypot(...subtract(vectorAt(m, 16 * row + 12), vectorAt(m, 16 * parent + 12)));
    lengths[parent] = Math.max(numberAt(lengths, parent), apart + length);
    units[row] = Math.max(...AXES.map(axis => lengthIn(m, parent, axis)));
  }
  return { lengths, units, corners };
}

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Returns the length of a node's vector in world space. */
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

/** Returns the length of the longest vector. */
export function longestVector(vectors: Float32Array): number {
  let longest = 0;
  for (let i = 0; i + 2 < vectors.length; i += 3) longest = Math.max(longest, Math.hypot(...vectorAt(vectors, i)));
  return longest;
}

const gap = new Float64Array(16);
const moved = vec3();

/**
 * Returns the largest distance of a corner between two poses, metres. `a`, `b`: world matrices of
 * all nodes.
 */
export function largestGap({ corners }: Reach, a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (const [row, own] of corners.entries()) most = Math.max(most, gapOf(a, b, 16 * row, own));
  return most;
}

/** Returns the largest distance of a point between two matrices. */
export function gapOf(a: Float64Array, b: Float64Array, at: number, points: readonly Vector[]): number {
  for (let e = 0; e < 16; e++) gap[e] = numberAt(a, at + e) - numberAt(b, at + e);
  let most = 0;
  for (const point of points) {
    transformPoint(moved, gap, 0, point);
    most = Math.max(most, dot(moved, moved));
  }
  return Math.sqrt(most);
}
