// A scene as formats say it that know bones and meshes alone: bodies, each a skeleton with the meshes that lie in its space.
import { isBone, parentOf } from '../../core/tree.ts';
import { numberAt } from '../../core/math/column.ts';
import { inverted, multiplied } from '../../core/math/matrix.ts';
import { multiply, quat } from '../../core/math/quaternion.ts';
import { entry } from '../../core/entry.ts';
import { meetModel } from '../../core/pairing.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import { Pose, PoseShape } from '../../rig/pose.ts';
import { WorldMatrices } from '../../rig/world.ts';
import type { Ledger } from './report.ts';

export interface Body {
  name: string;
  /** The node in whose space it all is: the scene's root, or a model of its own below it. */
  owner: number;
  /** Rows of nodes, in the order of the file; and where each row is among them. */
  bones: readonly number[];
  places: ReadonlyMap<number, number>;
  /** By bone: its parent among them, -1 where it hangs on the owner. */
  parents: readonly number[];
  /** Rows of `scene.renderers`. */
  renderers: readonly number[];
}

/**
 * Nodes below the root that have nothing but bones below them, and that no motion moves, are models of their own; all else is one body, in which nodes that are no
 * bones count as such.
 */
export function bodiesOf(scene: RigScene, clips: readonly Clip[]): Body[] {
  const { nodes } = scene;
  const owners = ownersOf(scene, clips);
  const rows = new Map<number, number[]>();
  for (let row = 1; row < nodes.count; row++) if (owners[row] !== row) entry(rows, numberAt(owners, row), () => []).push(row);
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

function ownersOf(scene: RigScene, clips: readonly Clip[]): Int32Array {
  const { nodes } = scene;
  const { count } = nodes;
  const moved = new Set(clips.flatMap(clip => meetModel(clip, scene, {}).pairs.map(({ node }) => node)));
  const hasPlainBelow = new Uint8Array(count);
  for (let row = count - 1; row > 0; row--) if (!isBone(nodes, row) || hasPlainBelow[row]) hasPlainBelow[parentOf(nodes, row)] = 1;
  const isModel = (row: number): boolean => {
    const isPlain = parentOf(nodes, row) === 0 && !isBone(nodes, row);
    return isPlain && !hasPlainBelow[row] && !moved.has(row);
  };
  const owners = new Int32Array(count);
  for (let row = 1; row < count; row++) owners[row] = isModel(row) ? row : numberAt(owners, parentOf(nodes, row));
  // What hangs on bones of several models is one model.
  const isSplit = scene.skins.some(({ joints }) => joints.some(row => owners[row] !== owners[joints[0]!]));
  const isOwner = scene.skins.some(({ joints }) => joints.some(row => owners[row] === row && row > 0));
  return isSplit || isOwner ? owners.fill(0) : owners;
}

/**
 * The scene, in which nodes that become bones have names of their own: formats of bones find those by name alone. Bones of the source keep theirs, since clips name them.
 * `rows`: all that become bones.
 */
export function withBoneNames(scene: RigScene, rows: readonly number[], ledger: Ledger): RigScene {
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
  ledger.add('NODES_RENAMED', names[row]!, renamed.size, name);
  const nodes = { ...scene.nodes, names: names.map((name, row) => renamed.get(row) ?? name) };
  return { ...scene, nodes };
}

/** Where nodes are at rest, in the space of a node; column-major. */
export class RestPlaces {
  readonly #scene: RigScene;
  readonly #matrices: Float64Array;

  constructor(scene: RigScene) {
    this.#scene = scene;
    const shape = new PoseShape(scene);
    const world = new WorldMatrices(shape);
    world.update(new Pose(shape));
    this.#matrices = world.matrices;
  }

  of(row: number, owner: number): Float64Array {
    return multiplied(inverted(this.inScene(owner)), this.inScene(row));
  }

  /** Product of the local rotations from a node, which is left out, down to another one below it. */
  turn(row: number, owner: number): Float64Array {
    const { nodes } = this.#scene;
    const turn = quat();
    for (let at = row; at > 0 && at !== owner; at = parentOf(nodes, at)) multiply(turn, 0, nodes.rotations, 4 * at, turn.slice(), 0);
    return turn;
  }

  /** In that of the scene, metres with Y up: with what the root does. */
  inScene(row: number): Float64Array {
    return this.#matrices.subarray(16 * row, 16 * row + 16);
  }
}
