// Resolves the targets of a clip's tracks to nodes of a model.
import type { BindByNameOptions } from './bound.ts';
import { trackWidth } from './description.ts';
import type { HandPairing } from './hands.ts';
import type { NodeNames, Target } from './names.ts';
import { factsOf } from './sceneFacts.ts';
import type { RigScene, Track } from './types.ts';

export interface Matching {
  /** Index of the target node of each track; -1 if the track has no target node. */
  rows: Int32Array;
  unmatched: string[];
  targetCount: number;
  /** Prefixes that were ignored to make names match. */
  prefixes: string[];
  /** Hands of a recording, if the model has hands with the same joints; otherwise null. */
  hands: HandPairing | null;
}

/**
 * Cached name matching of the last clip that was bound to each scene. It can often be reused,
 * because the clips of one file usually have the same targets in the same order.
 */
const lastMatching = new WeakMap<RigScene, { targets: readonly Target[]; bindRoot: boolean; matching: Matching }>();

export function matchTargets(tracks: readonly Track[], scene: RigScene, options: BindByNameOptions, isOwn: boolean): Matching {
  const facts = factsOf(scene);
  const bindRoot = options.bindRoot ?? false;
  const isNamed = (track: Track): boolean => !isMeshTrack(track) && !(isOwn && track.node >= 0);
  const named = tracks.filter(isNamed);
  if (named.length < tracks.length) {
    // the result is not cached, because some targets of this clip are not matched by name
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

/** The name of a node. `occurrence` selects one of several nodes with this name. */
export type NodeName = Pick<Track, 'target' | 'occurrence'>;

/**
 * Finds nodes by name, by the same rules as the targets of tracks. Returns a node index, or -1, for
 * each name.
 */
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
  const hands = names.handsFor(list);
  return {
    rows: Int32Array.from(targets, target => found[target]!),
    unmatched: list.filter((_, i) => found[i]! < 0 && !hands?.leftOut.has(i)).map(target => target.name),
    targetCount: list.length,
    prefixes,
    hands,
  };
}

const OF_FACES = ['weight', 'expression', 'look'];

/** True if a track animates a mesh, an expression or the gaze instead of a node. */
export function isMeshTrack({ path }: Track): boolean {
  return OF_FACES.includes(path) || path === 'shown' || path === 'material';
}

/**
 * Returns the renderers to which a track refers. A track of the same file may refer to a node by
 * index; otherwise, the target is the name of a renderer, mesh or node.
 */
export function renderersOf(track: Track, scene: RigScene, isOwn: boolean): ReadonlySet<number> {
  const { drawn } = factsOf(scene);
  return isOwn && track.node >= 0 ? drawn.ofNode(track.node) : drawn.matching(track.target);
}

/**
 * Maximum number of values that are copied for duplicate bones. Without a limit, a small file with
 * thousands of models could use up the memory.
 */
const MAX_COPIED = 1 << 24;

/**
 * Binds each track also to the bones that have the same name as its target but belong to other
 * models.
 */
export class DuplicateBones {
  dropped = 0;
  #left = MAX_COPIED;
  readonly #names: NodeNames;
  readonly #rows: Int32Array;
  #taken: ReadonlySet<number> | undefined;
  readonly #isOwn: boolean;
  readonly #pair: (track: Track, node: number) => void;

  /** `pair`: called for each pair of a track with a duplicate. */
  constructor({ rows }: Matching, scene: RigScene, isOwn: boolean, pair: (track: Track, node: number) => void) {
    this.#names = factsOf(scene).names;
    this.#rows = rows;
    this.#isOwn = isOwn;
    this.#pair = pair;
  }

  /**
   * Pairs a track with the duplicates of its node, except those that another target has matched.
   * Tracks that refer to a node by index are not duplicated.
   */
  add(track: Track, node: number): void {
    if (this.#isOwn && track.node >= 0) return;
    for (const duplicate of this.#names.duplicates(node)) {
      if ((this.#taken ??= new Set(this.#rows)).has(duplicate)) continue;
      this.#left -= 256 + track.times.length * trackWidth(track.path, track.component);
      if (this.#left < 0) this.dropped++;
      else this.#pair(track, duplicate);
    }
  }
}
