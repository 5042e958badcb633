// Determines facts that indicate which character a model belongs to: rest pose, bounding box, and
// the bones that its vertices follow. Independent of three.js.
import { rotated } from './math/quaternion.ts';
import { add, type Vector } from './math/vector.ts';
import { restPoseOf } from './restPose.ts';
import type { Mesh, Renderer, RigScene } from './types.ts';

export interface ModelFacts {
  /**
   * Rest position of each bone in metres, in scene space, by lower-case name. Contains only the
   * first of several bones with the same name.
   */
  readonly bones: ReadonlyMap<string, Vector>;
  /** Lower-case name of the first bone; '' if there are no bones. */
  readonly root: string;
  /**
   * For each bone, by lower-case name: fraction (0 to 1) of the model's vertices for which it is
   * the strongest influence. Bones without vertices are absent.
   */
  readonly shares: ReadonlyMap<string, number>;
  /**
   * Bounding box of all meshes at rest, in metres, in scene space. If there are no meshes, `min` is
   * greater than `max`.
   */
  readonly min: Vector;
  readonly max: Vector;
  readonly vertexCount: number;
  /** Names of materials, and names or paths of images. */
  readonly textures: readonly string[];
}

const known = new WeakMap<RigScene, ModelFacts>();

/** Returns the facts of a scene, which are cached. */
export function modelFactsOf(scene: RigScene): ModelFacts {
  let facts = known.get(scene);
  if (!facts) known.set(scene, (facts = findFacts(scene)));
  return facts;
}

function findFacts(scene: RigScene): ModelFacts {
  const { nodes, meshes, renderers, materials, images } = scene;
  const rest = restPoseOf(nodes);
  const names = nodes.names.map(name => name.toLowerCase());
  const bones = new Map<string, Vector>();
  for (const [row, name] of names.entries()) if (nodes.bones[row]! >= 0 && !bones.has(name)) bones.set(name, rest.positions[row]!);
  const weights = new Map<string, number>();
  const min: Vector = [Infinity, Infinity, Infinity];
  const max: Vector = [-Infinity, -Infinity, -Infinity];
  let vertexCount = 0;
  for (const renderer of renderers) {
    const mesh = meshes[renderer.mesh];
    if (!mesh || mesh.vertexCount === 0) continue;
    vertexCount += mesh.vertexCount;
    const toScene = meshToScene(scene, rest, renderer);
    for (let corner = 0; corner < 8; corner++) {
      const at = toScene([0, 1, 2].map(axis => (corner & (1 << axis) ? mesh.max : mesh.min)[axis]) as Vector);
      for (const axis of [0, 1, 2] as const) {
        min[axis] = Math.min(min[axis], at[axis]);
        max[axis] = Math.max(max[axis], at[axis]);
      }
    }
    for (const [row, weight] of followedBy(scene, renderer, mesh)) weights.set(names[row]!, (weights.get(names[row]!) ?? 0) + weight);
  }
  return {
    bones,
    root: names.find((_, row) => nodes.bones[row]! >= 0) ?? '',
    shares: new Map(Array.from(weights, ([name, weight]) => [name, weight / vertexCount])),
    min,
    max,
    vertexCount,
    textures: [...materials.map(({ name }) => name), ...images.flatMap(({ name, path }) => [name, path ?? ''])].filter(Boolean),
  };
}

/**
 * Returns a function that transforms points from mesh space to scene space at rest. Uses the first
 * joint of the skin or, if there is no skin, the node of the renderer.
 */
function meshToScene(
  { skins }: RigScene,
  { positions, rotations, scales }: ReturnType<typeof restPoseOf>,
  { node, skin }: Renderer,
): (at: Vector) => Vector {
  const { joints, inverseBindMatrices: m } = skins[skin ?? -1] ?? { joints: [], inverseBindMatrices: [] };
  const row = joints[0] ?? node;
  const inJoint = ([x, y, z]: Vector): Vector =>
    [0, 1, 2].map(axis => m[axis]! * x + m[4 + axis]! * y + m[8 + axis]! * z + m[12 + axis]!) as Vector;
  return at => {
    const own = joints.length > 0 ? inJoint(at) : at;
    const scale = scales[row] ?? [1, 1, 1];
    return add(
      positions[row] ?? [0, 0, 0],
      rotated([own[0] * scale[0], own[1] * scale[1], own[2] * scale[2]], rotations[row] ?? [0, 0, 0, 1]),
    );
  };
}

/**
 * Counts the vertices for which each bone is the strongest influence. All vertices of a mesh
 * without a skin follow its node or, if that is not a bone, the nearest ancestor that is one.
 */
function followedBy({ nodes, skins }: RigScene, { node, skin }: Renderer, mesh: Mesh): [row: number, vertices: number][] {
  const rows = skins[skin ?? -1]?.joints;
  const { joints, weights, vertexCount } = mesh;
  if (!rows || !joints || !weights) {
    let row = node;
    while (row >= 0 && nodes.bones[row]! < 0) row = nodes.parents[row]!;
    return row >= 0 ? [[row, vertexCount]] : [];
  }
  // Only read the first of the four influences of a vertex, which is the strongest.
  const counts = new Uint32Array(rows.length);
  for (let vertex = 0; vertex < vertexCount; vertex++) if (weights[4 * vertex]! > 0) counts[joints[4 * vertex]!]!++;
  return Array.from(counts, (vertices, joint): [number, number] => [rows[joint]!, vertices]).filter(([, vertices]) => vertices > 0);
}
