// Splits a scene into bodies, for formats that store only bones and meshes. A body consists of a
// skeleton and the meshes in its space.
import { isBone, parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { inverted, multiplied } from '../../core/math/matrix.ts';
import { multiply, quat } from '../../core/math/quaternion.ts';
import { entry } from '../../core/entry.ts';
import { pairTracks } from '../../core/pairing.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { Pose, PoseShape } from '../../rig/pose.ts';
import { WorldMatrices } from '../../rig/world.ts';
import type { ReportBuilder } from './report.ts';

export interface Body {
  name: string;
  /**
   * Row of the node that defines the space of the body: the root of the scene, or the top node of a
   * separate model.
   */
  owner: number;
  /** Rows of the nodes that are written as bones, in file order. */
  bones: readonly number[];
  /** Maps the row of a bone to its index in `bones`. */
  places: ReadonlyMap<number, number>;
  /** Index in `bones` of each bone's parent, or -1 if the parent is the owner. */
  parents: readonly number[];
  /** Rows of `scene.renderers` that belong to the body. */
  renderers: readonly number[];
}

/**
 * Splits a scene into bodies. A child of the root is a separate model if it is not a bone, all of
 * its descendants are bones, and no clip moves it. All other nodes form one body, in which every
 * node is written as a bone.
 */
export function bodiesOf(scene: RigScene, clips: readonly Clip[]): Body[] {
  const { nodes } = scene;
  const owners = ownersOf(scene, clips);
  const rows = new Map<number, number[]>();
  for (let row = 1; row < nodes.length; row++) if (owners[row] !== row) entry(rows, numberAt(owners, row), () => []).push(row);
  const shown = new Map<number, number[]>();
  for (const [r, { node, skin }] of scene.renderers.entries()) {
    const joint = scene.skins[skin ?? -1]?.joints[0];
    entry(shown, numberAt(owners, joint ?? node), () => []).push(r);
  }
  const made = [...new Set([0, ...owners])].filter(owner => rows.has(owner) || shown.has(owner) || owner > 0);
  return made.map(owner => {
    const own = rows.get(owner) ?? [];
    if (own.every(row => isBone(nodes, row))) own.sort((a, b) => numberAt(nodes.bones, a) - numberAt(nodes.bones, b));
    const places = new Map(own.map((row, i) => [row, i]));
    return {
      name: (owner > 0 ? nodes.names[owner] : '') || scene.asset.name,
      owner,
      bones: own,
      places,
      parents: own.map(row => places.get(parentOf(nodes, row)) ?? -1),
      renderers: shown.get(owner) ?? [],
    };
  });
}

/** Returns the row of the owner of each node's body. */
function ownersOf(scene: RigScene, clips: readonly Clip[]): Int32Array {
  const { nodes } = scene;
  const { length: count } = nodes;
  const moved = new Set(clips.flatMap(clip => pairTracks(clip, scene, {}).pairs.map(({ node }) => node)));
  const hasPlainBelow = new Uint8Array(count);
  for (let row = count - 1; row > 0; row--) if (!isBone(nodes, row) || hasPlainBelow[row]) hasPlainBelow[parentOf(nodes, row)] = 1;
  const isModel = (row: number): boolean => {
    const isPlain = parentOf(nodes, row) === 0 && !isBone(nodes, row);
    return isPlain && !hasPlainBelow[row] && !moved.has(row);
  };
  const owners = new Int32Array(count);
  for (let row = 1; row < count; row++) owners[row] = isModel(row) ? row : numberAt(owners, parentOf(nodes, row));
  // If a skin uses bones of several models, the scene is not split into bodies.
  const isSplit = scene.skins.some(({ joints }) => joints.some(row => owners[row] !== owners[joints[0]!]));
  const isOwner = scene.skins.some(({ joints }) => joints.some(row => owners[row] === row && row > 0));
  return isSplit || isOwner ? owners.fill(0) : owners;
}

/**
 * Gives unique names to nodes that are written as bones, because skeletal formats identify bones by
 * name. Bones of the source keep their names, because clips refer to these names. `rows`: the nodes
 * that are written as bones.
 */
export function withBoneNames(scene: RigScene, rows: readonly number[], report: ReportBuilder): RigScene {
  const { names } = scene.nodes;
  const isPlain = (row: number): boolean => !isBone(scene.nodes, row);
  const key = (name: string): string => name.trim().toLowerCase();
  const taken = new Set(rows.filter(row => !isPlain(row)).map(row => key(names[row]!)));
  const renamed = new Map<number, string>();
  for (const row of rows.filter(isPlain)) {
    const own = names[row]!;
    let name = own;
    for (let k = 1; taken.has(key(name)); k++) name = `${own}_node${k > 1 ? `_${k}` : ''}`;
    taken.add(key(name));
    if (name !== own) renamed.set(row, name);
  }
  const [first] = renamed;
  if (!first) return scene;
  const [row, name] = first;
  report.add('NODES_RENAMED', names[row]!, renamed.size, name);
  const nodes = { ...scene.nodes, names: names.map((name, row) => renamed.get(row) ?? name) };
  return { ...scene, nodes };
}

/** World transforms of all nodes in the rest pose, as column-major matrices. */
export class RestTransforms {
  readonly #scene: RigScene;
  readonly #matrices: Float64Array;

  constructor(scene: RigScene) {
    this.#scene = scene;
    const shape = new PoseShape(scene);
    const world = new WorldMatrices(shape);
    world.update(new Pose(shape));
    this.#matrices = world.matrices;
  }

  /** Returns the matrix of a node relative to `owner`. */
  of(row: number, owner: number): Float64Array {
    return multiplied(inverted(this.inScene(owner)), this.inScene(row));
  }

  /** Returns the product of the local rotations of all nodes from below `owner` down to `row`. */
  rotation(row: number, owner: number): Float64Array {
    const { nodes } = this.#scene;
    const turn = quat();
    for (let at = row; at > 0 && at !== owner; at = parentOf(nodes, at)) multiply(turn, 0, nodes.rotations, 4 * at, turn.slice(), 0);
    return turn;
  }

  /**
   * Returns the matrix of a node in scene space (metres, Y up). It includes the transform of the
   * root.
   */
  inScene(row: number): Float64Array {
    return this.#matrices.subarray(16 * row, 16 * row + 16);
  }
}
