// The distance from every node to what it moves: what a small error of its transform comes to at the skin, and at the nodes below.
import { Pose, type PoseShape } from '../../rig/pose.ts';
import type { RigScene } from '../../core/types.ts';
import { WorldMatrices } from '../../rig/world.ts';

/** Metres; what nothing hangs on counts as so long. */
const SHORTEST = 0.01;

export interface Reach {
  /** By node: the largest distance of what it moves, at rest, in the scene's metres. */
  lengths: Float64Array;
  /** By node: how many metres of the scene one unit of its translation is. */
  units: Float64Array;
  /** By node: its origin, and box corners of what it moves itself, in its own space, three numbers each. */
  corners: readonly (readonly number[])[];
}

const known = new WeakMap<RigScene, Reach>();

/** The same object for each shape of a scene. */
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
  const corners = Array.from({ length: nodes.count }, () => [0, 0, 0]);
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
    const own = corners[row] ?? [];
    for (let i = 0; i < own.length; i += 3)
      lengths[row] = Math.max(lengths[row] ?? 0, turned(m, row, own[i] ?? 0, own[i + 1] ?? 0, own[i + 2] ?? 0));
    const parent = nodes.parents[row] ?? -1;
    if (parent < 0) continue;
    const at = 16 * row + 12;
    const above = 16 * parent + 12;
    const apart = Math.hypot(
      (m[at] ?? 0) - (m[above] ?? 0),
      (m[at + 1] ?? 0) - (m[above + 1] ?? 0),
      (m[at + 2] ?? 0) - (m[above + 2] ?? 0),
    );
    lengths[parent] = Math.max(lengths[parent] ?? 0, apart + (lengths[row] ?? 0));
    units[row] = Math.max(turned(m, parent, 1, 0, 0), turned(m, parent, 0, 1, 0), turned(m, parent, 0, 0, 1));
  }
  return { lengths, units, corners };
}

function turned(m: Float64Array, row: number, x: number, y: number, z: number): number {
  const e = (i: number): number => m[16 * row + i] ?? 0;
  return Math.hypot(e(0) * x + e(4) * y + e(8) * z, e(1) * x + e(5) * y + e(9) * z, e(2) * x + e(6) * y + e(10) * z);
}

function addBox(corners: number[] | undefined, box: ArrayLike<number>): void {
  if (!corners || !((box[0] ?? 1) <= (box[3] ?? 0))) return;
  for (let corner = 0; corner < 8; corner++)
    for (let axis = 0; axis < 3; axis++) corners.push(box[axis + (corner & (1 << axis) ? 3 : 0)] ?? 0);
}

/** The farthest that two places of the nodes put a corner apart, metres. */
export function largestGap({ corners }: Reach, a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (const [row, own] of corners.entries()) {
    for (let i = 0; i < own.length; i += 3) {
      let sum = 0;
      for (let c = 0; c < 3; c++) {
        const gap = (e: number): number => (a[16 * row + e] ?? 0) - (b[16 * row + e] ?? 0);
        sum += (gap(c) * (own[i] ?? 0) + gap(4 + c) * (own[i + 1] ?? 0) + gap(8 + c) * (own[i + 2] ?? 0) + gap(12 + c)) ** 2;
      }
      most = Math.max(most, sum);
    }
  }
  return Math.sqrt(most);
}
