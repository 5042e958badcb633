// A scene as formats say it that know bones and meshes alone: bodies, each a skeleton with the meshes that lie in its space.
import { entry } from '../core/entry.ts';
import type { Clip, RigScene } from '../core/types.ts';
import { Pose, PoseShape } from '../rig/pose.ts';
import { WorldMatrices } from '../rig/world.ts';
import { inverse, product } from './matrices.ts';

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
  const { count, parents, names, bones } = scene.nodes;
  const owners = ownersOf(scene, clips);
  const rows = new Map<number, number[]>();
  for (let row = 1; row < count; row++) if (owners[row] !== row) entry(rows, owners[row] ?? 0, () => []).push(row);
  const shown = new Map<number, number[]>();
  for (const [r, { node, skin }] of scene.renderers.entries()) {
    const joint = scene.skins[skin ?? -1]?.joints[0];
    entry(shown, owners[joint ?? node] ?? 0, () => []).push(r);
  }
  const made = [...new Set([0, ...owners])].filter(owner => rows.has(owner) || shown.has(owner) || owner > 0);
  return made.map(owner => {
    const own = rows.get(owner) ?? [];
    if (own.every(row => (bones[row] ?? -1) >= 0)) own.sort((a, b) => (bones[a] ?? 0) - (bones[b] ?? 0));
    const places = new Map(own.map((row, i) => [row, i]));
    return {
      name: (owner > 0 ? names[owner] : '') || scene.asset.name,
      owner,
      bones: own,
      places,
      parents: own.map(row => places.get(parents[row] ?? -1) ?? -1),
      renderers: shown.get(owner) ?? [],
    };
  });
}

function ownersOf(scene: RigScene, clips: readonly Clip[]): Int32Array {
  const { count, parents, names, bones } = scene.nodes;
  const moved = new Set<string>();
  for (const { tracks } of clips) for (const { path, target } of tracks) if (path !== 'weight') moved.add(target);
  const hasPlainBelow = new Uint8Array(count);
  for (let row = count - 1; row > 0; row--) if ((bones[row] ?? -1) < 0 || hasPlainBelow[row]) hasPlainBelow[parents[row] ?? 0] = 1;
  const isModel = (row: number): boolean => {
    const isPlain = parents[row] === 0 && (bones[row] ?? -1) < 0;
    return isPlain && !hasPlainBelow[row] && !moved.has(names[row] ?? '');
  };
  const owners = new Int32Array(count);
  for (let row = 1; row < count; row++) owners[row] = isModel(row) ? row : (owners[parents[row] ?? 0] ?? 0);
  // What hangs on bones of several models is one model.
  const isSplit = scene.skins.some(({ joints }) => joints.some(row => owners[row] !== owners[joints[0] ?? 0]));
  const isOwner = scene.skins.some(({ joints }) => joints.some(row => owners[row] === row && row > 0));
  return isSplit || isOwner ? owners.fill(0) : owners;
}

/** Where nodes are at rest, in the space of a node; column-major. */
export class RestPlaces {
  readonly #matrices: Float64Array;

  constructor(scene: RigScene) {
    const shape = new PoseShape(scene);
    const world = new WorldMatrices(shape);
    world.update(new Pose(shape));
    this.#matrices = world.matrices;
  }

  of(row: number, owner: number): Float64Array {
    return product(inverse(this.inScene(owner)), this.inScene(row));
  }

  /** In that of the scene, metres with Y up: with what the root does. */
  inScene(row: number): Float64Array {
    return this.#matrices.subarray(16 * row, 16 * row + 16);
  }
}
