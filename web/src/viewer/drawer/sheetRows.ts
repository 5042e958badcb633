// Rows of the drawer: one per bone or animated mesh property, and optionally one per channel.
import type { BoundTrack } from '../../core/bind.ts';
import { childrenOf } from '../../core/tree.ts';
import type { RigScene } from '../../core/types.ts';
import { changes, mergeKeys, type MergedKeys } from '../../rig/keyTimes.ts';

export interface SheetRow {
  /** Identifies the row while the same animation is selected. */
  id: string;
  /** Node index; -1 for properties of meshes. */
  node: number;
  /** Name of the bone, node, morph target or property; '' for a channel. */
  name: string;
  /** Path and component of a channel; null for a row that contains all channels of its target. */
  channel: Pick<BoundTrack, 'path' | 'component'> | null;
  /** Number of ancestors; 0 for a mesh property. */
  depth: number;
  tracks: readonly BoundTrack[];
}

/**
 * `moving`: rows whose values change, or all rows with keys if there are none. `chosen`: the chosen
 * rows.
 */
export type RowFilter = 'moving' | 'keyed' | 'chosen' | 'all';

export interface RowChoice {
  filter: RowFilter;
  /** Words that names must contain, separated by spaces. */
  search: string;
  hasChannels: boolean;
  /** Identifiers of the chosen rows. */
  chosen: ReadonlySet<string>;
}

export const rowId = (node: number): string => `node ${node}`;

/**
 * Returns one row per node, parents before their children, and one per animated mesh property.
 */
export function targetRows(scene: RigScene, tracks: Iterable<BoundTrack>): SheetRow[] {
  const { nodes } = scene;
  const byId = new Map<string, BoundTrack[]>();
  for (const track of tracks) {
    const id = track.node >= 0 ? rowId(track.node) : `${track.path} ${track.morph}`;
    const found = byId.get(id);
    if (found) found.push(track);
    else byId.set(id, [track]);
  }
  const children = childrenOf(scene);
  const rows: SheetRow[] = [];
  const isListed = new Uint8Array(nodes.length);
  const pending: { node: number; depth: number }[] = [];
  for (let root = nodes.length - 1; root >= 0; root--) if (!(nodes.parents[root]! >= 0)) pending.push({ node: root, depth: 0 });
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, depth } = next;
    if (isListed[node]) continue;
    isListed[node] = 1;
    const isBone = nodes.bones[node]! >= 0;
    const own = byId.get(rowId(node)) ?? [];
    if (isBone || own.length > 0) rows.push({ id: rowId(node), node, name: nodes.names[node] ?? '', channel: null, depth, tracks: own });
    // Unlisted ancestors, for example the node of the file, don't indent their descendants.
    const below = depth + (isBone || own.length > 0 ? 1 : 0);
    for (const child of children[node]?.toReversed() ?? []) pending.push({ node: child, depth: below });
  }
  for (const [id, own] of byId)
    if (own[0]!.node < 0) rows.push({ id, node: -1, name: own[0]!.morph, channel: null, depth: 0, tracks: own });
  return rows;
}

/** Returns the rows that are listed. */
export function listedRows(rows: readonly SheetRow[], { filter, search, hasChannels, chosen }: RowChoice): SheetRow[] {
  const typed = search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const moving = filter === 'moving' ? rows.filter(isMoving) : [];
  const filtered =
    filter === 'all'
      ? rows
      : filter === 'chosen'
        ? rows.filter(({ id }) => chosen.has(id))
        : moving.length > 0
          ? moving
          : rows.filter(({ tracks }) => tracks.length > 0);
  const listed = filtered.filter(({ name }) => typed.every(word => name.toLowerCase().includes(word)));
  return hasChannels ? listed.flatMap(row => [row, ...channelRows(row)]) : listed;
}

/** Returns true if a value of the row changes during the animation. */
export const isMoving = ({ tracks }: SheetRow): boolean => tracks.some(changes);

/** Returns a row per track, if the target has more than one. */
function channelRows(row: SheetRow): SheetRow[] {
  if (row.tracks.length < 2) return [];
  return row.tracks.map((track, i) => ({
    ...row,
    id: `${row.id} ${i}`,
    name: '',
    channel: { path: track.path, component: track.component },
    depth: row.depth + 1,
    tracks: [track],
  }));
}

const merged = new WeakMap<readonly BoundTrack[], MergedKeys>();

/** Returns the keys of a row. The result is cached. */
export function keysOf({ tracks }: SheetRow): MergedKeys {
  let keys = merged.get(tracks);
  if (!keys) merged.set(tracks, (keys = mergeKeys(tracks)));
  return keys;
}
