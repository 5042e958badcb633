// Decodes the core's description (wasm/scene/describe.cpp) into the objects of types.ts. Both sides
// take the fields from wasm/scene/scene.def. The description is JSON. Data that grows with the file
// is stored in blocks, and the JSON refers to columns of them:
//
//     column      [block, type, byte offset in the block, number of scalars]
//                 Types: u8 u16 u32 i32 f32.
//     strings     One table. Node names, track targets and events are indices into it.
//     nodes       {count, names, parents (u32, 0xFFFFFFFF: none), translations, rotations, scales,
//                 bones, flags (1 visible, 2 segment scale compensate), properties: {row: properties}}
//     tracks      {count, block} and one column per member: targets, properties (strings),
//                 occurrences, nodes, keyCounts, blendWeights; byte offsets in the clip's block
//                 (0xFFFFFFFF: absent): times, values, kinds, tangents, weights; enums as u8:
//                 paths, components, interpolations, modes, befores, afters.
//     references  Files that the scene refers to. Stored beside the scene: if they are missing and no
//                 scene can be built without them, they are returned as needs.
//
// Everything else has the structure of types.ts. Optional members without a value are left out.
import type {
  Clip,
  ClipEvent,
  ColorLayer,
  Feature,
  InstanceSet,
  Mesh,
  ModeOverride,
  MorphTarget,
  NodeTable,
  Properties,
  Reference,
  Report,
  RigScene,
  SegmentKind,
  Track,
  TrackPath,
  TrackTable,
} from './types.ts';
import { extrapolations, interpolations, trackColumns, trackModes, trackPaths, words } from './sceneWords.ts';
import { outOfRange, RigcastError } from './error.ts';
import { unlessAborted } from './source.ts';

/** Segment kinds. The values in `Track.kinds` are indices into this list. */
export const SEGMENT_KINDS = ['step', 'linear', 'slerp', 'hermite', 'bezier'] as const satisfies readonly SegmentKind[];

const none = 0xffffffff;
const nothing = new Float32Array();

type ColumnType = 'u8' | 'u16' | 'u32' | 'i32' | 'f32';
type Column = [block: number, type: ColumnType, offset: number, count: number];

const arrays = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array, f32: Float32Array };
type ArrayOf<T extends ColumnType> = InstanceType<(typeof arrays)[T]>;

interface RawNodes {
  count: number;
  names: Column;
  parents: Column;
  translations: Column;
  rotations: Column;
  scales: Column;
  bones: Column;
  flags: Column;
  properties: Record<string, Properties>;
}

type TrackColumns = { [name in keyof typeof trackColumns]: ArrayOf<(typeof trackColumns)[name]> };
type RawTracks = { count: number; block?: number } & { [name in keyof typeof trackColumns]: Column };
type RawMesh = Omit<Mesh, 'uvs' | 'colors' | 'morphs'> & {
  uvs: Column[];
  colors: { name?: string; values: Column }[];
  morphs: Record<string, unknown>[];
};
type RawClip = Omit<Clip, 'tracks' | 'events' | 'overrides'> & {
  tracks: RawTracks;
  eventTimes?: Column;
  eventNames?: Column;
  overrides: (Omit<ModeOverride, 'node'> & { node: number })[];
};
/**
 * A feature as stored in the description. `same`: index of an earlier feature that has the same
 * name and properties.
 */
type RawFeature = Feature & { same?: number };
type RawScene = Omit<RigScene, 'nodes' | 'meshes' | 'clips' | 'instances' | 'references'> & {
  strings: string[];
  nodes: RawNodes;
  meshes: RawMesh[];
  clips: RawClip[];
  instances: (Omit<InstanceSet, 'transforms' | 'names'> & { transforms?: Column; names?: Column })[];
};

/** The description as returned by `JSON.parse`. */
export interface Description {
  format: string;
  version: string;
  scene: RawScene | null;
  /**
   * References of the scene. They are listed even if the scene cannot be read without these files.
   */
  references: Reference[];
  report: Report;
}

/** Returns a column as a view into its block. Throws if the column is out of bounds. */
export function readColumn<T extends ColumnType>(blocks: readonly ArrayBuffer[], column: Column, type: T): ArrayOf<T> {
  const [block, stored, offset, count] = column;
  const buffer = blocks[block];
  if (!buffer || (stored !== type && !(stored === 'u32' && type === 'i32')))
    throw new RigcastError('WASM_MISMATCH', `description: no ${type} column in ${JSON.stringify(column)}`);
  return new arrays[type](buffer, offset, count) as ArrayOf<T>;
}

/**
 * Decodes a scene whose typed arrays are views into `blocks`. `deferredKeys` decodes the keys of a
 * block when the values of one of its tracks are first read. `readClip` reads the keys of a clip
 * whose keys are unread. Modifies `raw`; do not use it afterwards.
 */
export function decodeScene(
  raw: RawScene,
  blocks: readonly ArrayBuffer[],
  references: Reference[],
  deferredKeys?: { decode(block: number): void } | null,
  readClip?: ReadClip,
): RigScene {
  const { strings, nodes, meshes, clips, instances, ...rest } = raw;
  for (const skin of rest.skins) replaceColumns(skin, blocks);
  for (const image of rest.images) replaceColumns(image, blocks);
  for (const feature of rest.features as RawFeature[]) {
    const same = feature.same === undefined ? undefined : rest.features[feature.same];
    if (same) {
      feature.name = same.name;
      if (same.properties) feature.properties = same.properties;
    }
    delete feature.same;
  }
  checkWords(rest);
  for (const list of [rest.materials, rest.textures, rest.lights]) for (const entry of list) checkWords(entry);
  return {
    ...rest,
    references,
    nodes: decodeNodes(nodes, strings, blocks),
    meshes: meshes.map(mesh => decodeMesh(mesh, blocks)),
    clips: clips.map((clip, index) => decodeClip(clip, strings, blocks, deferredKeys, readClip && (signal => readClip(index, signal)))),
    instances: instances.map(set => ({
      ...set,
      transforms: set.transforms ? readColumn(blocks, set.transforms, 'f32') : new Float32Array(),
      names: set.names ? Array.from(readColumn(blocks, set.names, 'u32'), id => stringAt(strings, id)) : [],
    })),
  };
}

function decodeNodes(raw: RawNodes, strings: readonly string[], blocks: readonly ArrayBuffer[]): NodeTable {
  const flags = readColumn(blocks, raw.flags, 'u8');
  return {
    length: raw.count,
    names: Array.from(readColumn(blocks, raw.names, 'u32'), id => stringAt(strings, id)),
    parents: readColumn(blocks, raw.parents, 'i32'), // 0xFFFFFFFF is read as -1
    translations: readColumn(blocks, raw.translations, 'f32'),
    rotations: readColumn(blocks, raw.rotations, 'f32'),
    scales: readColumn(blocks, raw.scales, 'f32'),
    bones: readColumn(blocks, raw.bones, 'i32'),
    visible: flags.map(flag => flag & 1),
    segmentScaleCompensate: flags.map(flag => (flag >> 1) & 1),
    properties: new Map(Object.entries(raw.properties).map(([row, bag]) => [Number(row), bag])),
  };
}

function decodeMesh(raw: RawMesh, blocks: readonly ArrayBuffer[]): Mesh {
  const { uvs, colors, morphs, ...rest } = raw;
  checkWords(rest);
  replaceColumns(rest, blocks);
  return {
    ...rest,
    uvs: uvs.map(uv => readColumn(blocks, uv, 'f32')),
    colors: colors.map(layer => ({ ...layer, values: readColumn(blocks, layer.values, layer.values[1]) }) as ColorLayer),
    morphs: morphs.map(morph => replaceColumns(morph, blocks) as unknown as MorphTarget),
  };
}

function decodeClip(
  raw: RawClip,
  strings: readonly string[],
  blocks: readonly ArrayBuffer[],
  deferredKeys: { decode(block: number): void } | null | undefined,
  readKeys: ((signal: AbortSignal | undefined) => Promise<ReadClipResult>) | undefined,
): Clip {
  const { tracks, eventTimes, eventNames, overrides, ...rest } = raw;
  const events: ClipEvent[] = [];
  if (eventTimes && eventNames) {
    const times = readColumn(blocks, eventTimes, 'f32');
    const names = readColumn(blocks, eventNames, 'u32');
    for (let i = 0; i < times.length; i++) events.push({ time: times[i]!, name: stringAt(strings, names[i]!) });
  }
  const clip: Clip = {
    ...rest,
    tracks: new ColumnTracks(tracks, strings, blocks, deferredKeys, rest.keysUnread ? readKeys : undefined, () => {
      clip.keysUnread = false;
    }),
    events,
    overrides: overrides.map(entry => {
      checkWords(entry);
      return { ...entry, node: stringAt(strings, entry.node) };
    }),
  };
  return clip;
}

/** The description of a scene with a single clip, with its keys. */
export interface ReadClipResult {
  scene: RawScene;
  blocks: readonly ArrayBuffer[];
}

/** Reads a clip by its index. */
export type ReadClip = (index: number, signal: AbortSignal | undefined) => Promise<ReadClipResult>;

/** The tracks of a clip, stored in columns. The object of a track is created when it is read. */
class ColumnTracks implements TrackTable {
  #raw!: RawTracks;
  #strings!: readonly string[];
  #blocks!: readonly ArrayBuffer[];
  #made: TrackColumns | undefined;
  #times: Float32Array | undefined;
  #deferredKeys: { decode(block: number): void } | null | undefined;
  /** Reads the keys; undefined if they are already read. */
  #readKeys: ((signal: AbortSignal | undefined) => Promise<ReadClipResult>) | undefined;
  readonly #onRead: () => void;
  #reading: Promise<void> | undefined;

  constructor(
    raw: RawTracks,
    strings: readonly string[],
    blocks: readonly ArrayBuffer[],
    deferredKeys: { decode(block: number): void } | null | undefined,
    readKeys: ((signal: AbortSignal | undefined) => Promise<ReadClipResult>) | undefined,
    onRead: () => void,
  ) {
    this.#deferredKeys = deferredKeys;
    this.#readKeys = readKeys;
    this.#onRead = onRead;
    this.#set(raw, strings, blocks);
  }

  #set(raw: RawTracks, strings: readonly string[], blocks: readonly ArrayBuffer[]): void {
    this.#raw = raw;
    this.#strings = strings;
    const own: ArrayBuffer[] = []; // only the clip's own block: the others are not kept in memory
    if (raw.block !== undefined) own[raw.block] = blocks[raw.block]!;
    this.#blocks = own;
    this.#made = this.#times = undefined;
  }

  get length(): number {
    return this.#raw.count;
  }

  async load(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    // Each caller has a signal of its own, so a read that another caller aborts is started again.
    while (this.#reading) await unlessAborted(this.#reading, signal);
    if (!this.#readKeys) return;
    let end!: () => void;
    this.#reading = new Promise(resolve => (end = resolve));
    try {
      const { scene, blocks } = await this.#readKeys(signal);
      const clip = scene.clips[0];
      if (!clip) throw new RigcastError('KEYS_NOT_READ', 'the keys of this animation could not be read');
      this.#set(clip.tracks, scene.strings, blocks);
      this.#readKeys = undefined;
      this.#onRead();
    } finally {
      this.#reading = undefined;
      end();
    }
  }

  get #columns(): TrackColumns {
    return (this.#made ??= Object.fromEntries(
      Object.entries(trackColumns).map(([name, type]) => [
        name,
        readColumn(this.#blocks, this.#raw[name as keyof typeof trackColumns], type),
      ]),
    ) as unknown as TrackColumns);
  }

  uses(path: TrackPath): boolean {
    return this.length > 0 && this.#columns.paths.includes(trackPaths.indexOf(path));
  }

  get(index: number): Track {
    if (!(index >= 0 && index < this.length)) throw outOfRange(`track ${index} of ${this.length}`);
    const columns = this.#columns;
    const buffer = this.#blocks[this.#raw.block!]!;
    const path = enumAt(trackPaths, columns.paths[index]!, 'path');
    const component = columns.components[index] === 255 ? -1 : columns.components[index]!;
    const keys = columns.keyCounts[index]!;
    const scalars = keys * trackWidth(path, component);
    const floats = (offset: number, count: number): Float32Array | undefined =>
      offset === none ? undefined : new Float32Array(buffer, offset, count);
    const track: Track = {
      target: stringAt(this.#strings, columns.targets[index]!),
      property: stringAt(this.#strings, columns.properties[index]!),
      occurrence: columns.occurrences[index]!,
      node: columns.nodes[index] === none ? -1 : columns.nodes[index]!,
      path,
      component,
      interpolation: enumAt(interpolations, columns.interpolations[index]!, 'interpolation'),
      mode: enumAt(trackModes, columns.modes[index]!, 'mode'),
      before: enumAt(extrapolations, columns.befores[index]!, 'extrapolation'),
      after: enumAt(extrapolations, columns.afters[index]!, 'extrapolation'),
      blendWeight: columns.blendWeights[index]!,
      times: this.#timesAt(buffer, columns.times[index]!, keys),
      values: floats(columns.values[index]!, scalars) ?? nothing,
    };
    if (columns.kinds[index] !== none) track.kinds = new Uint8Array(buffer, columns.kinds[index], keys);
    const tangents = floats(columns.tangents[index]!, scalars * 2);
    if (tangents) track.tangents = tangents;
    const weights = floats(columns.weights[index]!, scalars * 2);
    if (weights) track.weights = weights;
    if (this.#readKeys) return this.#unreadTrack(track, index);
    return this.#deferredKeys ? this.#deferredTrack(track) : track;
  }

  /**
   * Returns a track whose times and values can be read as soon as the keys are read. Until then,
   * they throw KEYS_NOT_READ.
   */
  #unreadTrack(track: Track, index: number): Track {
    const read = (): Track => {
      if (this.#readKeys)
        throw new RigcastError('KEYS_NOT_READ', 'the keys of this animation are not read yet; await `clip.tracks.load()` first');
      return this.get(index);
    };
    return Object.defineProperties(track, {
      times: { get: () => read().times, enumerable: true, configurable: true },
      values: { get: () => read().values, enumerable: true, configurable: true },
    });
  }

  /**
   * Returns a track whose values are decoded when they are first read. Reading its name or times
   * does not decode them.
   */
  #deferredTrack(track: Track): Track {
    const { values } = track;
    const get = (): Float32Array => {
      this.decode();
      return values;
    };
    return Object.defineProperty(track, 'values', { get, enumerable: true, configurable: true });
  }

  decode(): void {
    this.#deferredKeys?.decode(this.#raw.block!);
    this.#deferredKeys = undefined; // releases the data of other clips that is not decoded yet
  }

  /**
   * Returns the key times of a track. Reuses the array of the previous track if both have the same
   * times, as neighbouring tracks usually do.
   */
  #timesAt(buffer: ArrayBuffer, offset: number, keys: number): Float32Array {
    if (offset === none) return nothing;
    const last = this.#times;
    return last?.byteOffset === offset && last.length === keys ? last : (this.#times = new Float32Array(buffer, offset, keys));
  }

  *[Symbol.iterator](): Iterator<Track> {
    for (let i = 0; i < this.length; i++) yield this.get(i);
  }
}

/**
 * Returns the number of scalars per key: 3 for translation and scale, 4 for rotation and look,
 * otherwise 1. Always 1 for a track of a single component.
 */
export function trackWidth(path: TrackPath, component: number): number {
  return component >= 0 ? 1 : path === 'rotation' || path === 'look' ? 4 : path === 'translation' || path === 'scale' ? 3 : 1;
}

/**
 * Replaces the members of `owner` that are columns by typed arrays. Skips property bags, whose
 * values may look like columns.
 */
function replaceColumns<T extends object>(owner: T, blocks: readonly ArrayBuffer[]): T {
  for (const [key, value] of Object.entries(owner))
    if (key !== 'properties' && Array.isArray(value) && typeof value[1] === 'string')
      (owner as Record<string, unknown>)[key] = readColumn(blocks, value as Column, value[1] as ColumnType);
  return owner;
}

function checkWords(owner: object): void {
  for (const [key, value] of Object.entries(owner)) {
    const known = Object.hasOwn(words, key) && typeof value === 'string' ? words[key] : undefined;
    if (known && !known.includes(value)) throw new RigcastError('WASM_MISMATCH', `description: unknown ${key} "${value}"`);
  }
}

function stringAt(strings: readonly string[], id: number): string {
  const text = strings[id];
  if (text === undefined) throw new RigcastError('WASM_MISMATCH', `description: no string ${id}`);
  return text;
}

function enumAt<T>(names: readonly T[], value: number, what: string): T {
  const name = names[value];
  if (name === undefined) throw new RigcastError('WASM_MISMATCH', `description: unknown ${what} ${value}`);
  return name;
}
