// Who is who: which rows of a model the targets of a clip are.
import type { BindOptions } from './bound.ts';
import { trackWidth } from './description.ts';
import type { Pair } from './looks.ts';
import type { NodeNames, Target } from './names.ts';
import { factsOf } from './sceneFacts.ts';
import type { RigScene, Track } from './types.ts';

export interface Matching {
  /** By track; -1 where there is no such node. */
  rows: Int32Array;
  unmatched: string[];
  targetCount: number;
  /** What was left out of names to make them match. */
  prefixes: string[];
}

/** Of the clip that was matched last: the clips of one file mostly name the same targets in the same order. */
const lastMatching = new WeakMap<RigScene, { targets: readonly Target[]; bindRoot: boolean; matching: Matching }>();

export function matchTargets(tracks: readonly Track[], scene: RigScene, options: BindOptions, isOwn: boolean): Matching {
  const facts = factsOf(scene);
  const bindRoot = options.bindRoot ?? false;
  const isNamed = (track: Track): boolean => !isOfMesh(track) && !(isOwn && track.node >= 0);
  const named = tracks.filter(isNamed);
  if (named.length < tracks.length) {
    // some go by row: nothing to share with other clips
    const matching = matchNames(named, facts.names, scene, bindRoot);
    let next = 0;
    return { ...matching, rows: Int32Array.from(tracks, track => (isNamed(track) ? matching.rows[next++]! : isOwn ? track.node : -1)) };
  }
  const last = lastMatching.get(scene);
  const isSame =
    last?.bindRoot === bindRoot &&
    last.targets.length === named.length &&
    named.every(({ target, occurrence }, i) => last.targets[i]!.name === target && last.targets[i]!.occurrence === occurrence);
  if (isSame) return last.matching;
  const matching = matchNames(named, facts.names, scene, bindRoot);
  lastMatching.set(scene, { targets: named.map(({ target, occurrence }) => ({ name: target, occurrence })), bindRoot, matching });
  return matching;
}

/** A node as a motion calls it. */
export type NodeName = Pick<Track, 'target' | 'occurrence'>;

/** By name the row of the node that is meant, -1 where there is none: the rules by which tracks find their nodes. */
export function findNodes(named: readonly NodeName[], scene: RigScene, bindRoot = false): Int32Array {
  return matchNames(named, factsOf(scene).names, scene, bindRoot).rows;
}

function matchNames(tracks: readonly NodeName[], names: NodeNames, scene: RigScene, bindRoot: boolean): Matching {
  const indices = new Map<string, number>();
  const list: Target[] = [];
  const indexOf = ({ target: name, occurrence }: NodeName): number => {
    const key = `${occurrence} ${name}`;
    let index = indices.get(key);
    if (index === undefined) {
      indices.set(key, (index = list.length));
      list.push({ name, occurrence });
    }
    return index;
  };
  const targets = tracks.map(indexOf);
  let found = names.match(list);
  let prefixes: string[] = [];
  if (list.length > 0 && found.every(row => row < 0)) {
    const attempt = names.matchWithoutPrefix(list);
    if (attempt.prefixes.length > 0 && attempt.rows.some(row => row >= 0)) ({ rows: found, prefixes } = attempt);
  }
  const root = scene.nodes.bones.indexOf(0);
  if (bindRoot && list.length > 0 && found[0]! < 0 && root >= 0 && !found.includes(root)) found[0] = root;
  return {
    rows: Int32Array.from(targets, target => found[target]!),
    unmatched: list.filter((_, i) => found[i]! < 0).map(target => target.name),
    targetCount: list.length,
    prefixes,
  };
}

const OF_FACES = ['weight', 'expression', 'look'];

/** What is said of a mesh or a face, not of a node. */
export function isOfMesh({ path }: Track): boolean {
  return OF_FACES.includes(path) || path === 'shown' || path === 'material';
}

/** The rows of the mesh that a track is about: by its node in its own file, elsewhere by the renderer's, the mesh's or the node's name. */
export function renderersOf(track: Track, scene: RigScene, isOwn: boolean): ReadonlySet<number> {
  const { drawn } = factsOf(scene);
  return isOwn && track.node >= 0 ? drawn.ofNode(track.node) : drawn.meantBy(track.target);
}

/** Numbers that what a motion moves beyond the first bone of a name may hold: a small file can name thousands of models. */
const MOST_COPIED = 1 << 24;

/** Pairs of tracks with the bones of other models that have the name of the one that was matched. */
export class Twins {
  dropped = 0;
  #left = MOST_COPIED;
  readonly #names: NodeNames;
  readonly #rows: Int32Array;
  #taken: ReadonlySet<number> | undefined;
  readonly #isOwn: boolean;
  readonly #pairs: Pair[];

  constructor({ rows }: Matching, scene: RigScene, isOwn: boolean, pairs: Pair[]) {
    this.#names = factsOf(scene).names;
    this.#rows = rows;
    this.#isOwn = isOwn;
    this.#pairs = pairs;
  }

  /** What a clip gives by row, it means; a bone that another target has found is that one's. */
  add(track: Track, node: number): void {
    if (this.#isOwn && track.node >= 0) return;
    for (const twin of this.#names.twins(node)) {
      if ((this.#taken ??= new Set(this.#rows)).has(twin)) continue;
      this.#left -= 256 + track.times.length * trackWidth(track.path, track.component);
      if (this.#left < 0) this.dropped++;
      else this.#pairs.push({ track, node: twin });
    }
  }
}
