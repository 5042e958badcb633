// From the core's description (wasm/scene/describe.cpp) to the objects of types.ts. Both know the fields by wasm/scene/scene.def.
//
// The description is JSON; what grows with the file lies in blocks, and the JSON names columns of them:
//   column   [block, type, byte offset in the block, number of scalars]; type one of u8 u16 u32 i32 f32
//   strings  one table; names of nodes, track targets, events are indices into it
//   nodes    {count, names, parents (u32, 0xFFFFFFFF: none), translations, rotations, scales, bones, flags (1 visible, 2 compensates),
//            properties: {row: bag}}
//   tracks   {count, block, and one column a member: targets, properties (strings), occurrences, nodes, keyCounts, then byte offsets in the
//            clip's block (0xFFFFFFFF: absent): times, values, kinds, tangents, weights; blendWeights; enums as u8: paths, components,
//            interpolations, modes, befores, afters}
//   references  of the scene, beside it: they become needs if the scene cannot be made without them
// Everything else has the shape of types.ts, absent optional members left out.
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

/** Names of `Track.kinds`' numbers. */
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
/** `same`: an earlier feature that has the same name and properties. */
type RawFeature = Feature & { same?: number };
type RawScene = Omit<RigScene, 'nodes' | 'meshes' | 'clips' | 'instances' | 'references'> & {
  strings: string[];
  nodes: RawNodes;
  meshes: RawMesh[];
  clips: RawClip[];
  instances: (Omit<InstanceSet, 'transforms' | 'names'> & { transforms?: Column; names?: Column })[];
};

/** The description as `JSON.parse` gives it. */
export interface Description {
  format: string;
  version: string;
  scene: RawScene | null;
  /** Of the scene; also present if the scene could not be made without them. */
  references: Reference[];
  report: Report;
}

/** A column as a typed array over its block. Throws where the description names what there is not. */
export function readColumn<T extends ColumnType>(blocks: readonly ArrayBuffer[], column: Column, type: T): ArrayOf<T> {
  const [block, stored, offset, count] = column;
  const buffer = blocks[block];
  if (!buffer || (stored !== type && !(stored === 'u32' && type === 'i32')))
    throw new Error(`description: no ${type} column in ${JSON.stringify(column)}`);
  return new arrays[type](buffer, offset, count) as ArrayOf<T>;
}

/** The scene's objects over `blocks`, whose keys `later` makes when the values of a track are asked for. The parsed description is used up. */
export function decodeScene(
  raw: RawScene,
  blocks: readonly ArrayBuffer[],
  references: Reference[],
  later?: { make(block: number): void } | null,
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
    clips: clips.map(clip => decodeClip(clip, strings, blocks, later)),
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
    count: raw.count,
    names: Array.from(readColumn(blocks, raw.names, 'u32'), id => stringAt(strings, id)),
    parents: readColumn(blocks, raw.parents, 'i32'), // 0xFFFFFFFF is -1
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
  later: { make(block: number): void } | null | undefined,
): Clip {
  const { tracks, eventTimes, eventNames, overrides, ...rest } = raw;
  const events: ClipEvent[] = [];
  if (eventTimes && eventNames) {
    const times = readColumn(blocks, eventTimes, 'f32');
    const names = readColumn(blocks, eventNames, 'u32');
    for (let i = 0; i < times.length; i++) events.push({ time: times[i]!, name: stringAt(strings, names[i]!) });
  }
  return {
    ...rest,
    tracks: new ColumnTracks(tracks, strings, blocks, later),
    events,
    overrides: overrides.map(entry => {
      checkWords(entry);
      return { ...entry, node: stringAt(strings, entry.node) };
    }),
  };
}

/** Rows of a clip's track table. Nothing is made of it until a row is asked for. */
class ColumnTracks implements TrackTable {
  readonly count: number;
  readonly #raw: RawTracks;
  readonly #strings: readonly string[];
  readonly #blocks: readonly ArrayBuffer[];
  #made: TrackColumns | undefined;
  #times: Float32Array | undefined;
  #later: { make(block: number): void } | null | undefined;

  constructor(
    raw: RawTracks,
    strings: readonly string[],
    blocks: readonly ArrayBuffer[],
    later: { make(block: number): void } | null | undefined,
  ) {
    this.#later = later;
    this.count = raw.count;
    this.#raw = raw;
    this.#strings = strings;
    const own: ArrayBuffer[] = []; // only the clip's block: one clip in use must not hold the others in memory
    if (raw.block !== undefined) own[raw.block] = blocks[raw.block]!;
    this.#blocks = own;
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
    return this.count > 0 && this.#columns.paths.includes(trackPaths.indexOf(path));
  }

  get(index: number): Track {
    if (!(index >= 0 && index < this.count)) throw new RangeError(`track ${index} of ${this.count}`);
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
    return this.#later ? this.#waiting(track) : track;
  }

  /** A track whose values are zeros until somebody looks at them: who asks for names alone has nothing made. */
  #waiting(track: Track): Track {
    const { values } = track;
    const get = (): Float32Array => {
      this.make();
      return values;
    };
    return Object.defineProperty(track, 'values', { get, enumerable: true, configurable: true });
  }

  make(): void {
    this.#later?.make(this.#raw.block!);
    this.#later = undefined; // a clip in use must not hold what the others wait for
  }

  /** Neighbouring tracks mostly share their times: they then get the same array. */
  #timesAt(buffer: ArrayBuffer, offset: number, keys: number): Float32Array {
    if (offset === none) return nothing;
    const last = this.#times;
    return last?.byteOffset === offset && last.length === keys ? last : (this.#times = new Float32Array(buffer, offset, keys));
  }

  *[Symbol.iterator](): Iterator<Track> {
    for (let i = 0; i < this.count; i++) yield this.get(i);
  }
}

/** Scalars a key: 3 for translation and scale, 4 for rotation, else 1; 1 where `component` names one. */
export function trackWidth(path: TrackPath, component: number): number {
  return component >= 0 ? 1 : path === 'rotation' || path === 'look' ? 4 : path === 'translation' || path === 'scale' ? 3 : 1;
}

/** Replaces the members of `owner` that are columns by typed arrays; property bags may look like columns and are left alone. */
function replaceColumns<T extends object>(owner: T, blocks: readonly ArrayBuffer[]): T {
  for (const [key, value] of Object.entries(owner))
    if (key !== 'properties' && Array.isArray(value) && typeof value[1] === 'string')
      (owner as Record<string, unknown>)[key] = readColumn(blocks, value as Column, value[1] as ColumnType);
  return owner;
}

function checkWords(owner: object): void {
  for (const [key, value] of Object.entries(owner)) {
    const known = Object.hasOwn(words, key) && typeof value === 'string' ? words[key] : undefined;
    if (known && !known.includes(value)) throw new Error(`description: unknown ${key} "${value}"`);
  }
}

function stringAt(strings: readonly string[], id: number): string {
  const text = strings[id];
  if (text === undefined) throw new Error(`description: no string ${id}`);
  return text;
}

function enumAt<T>(names: readonly T[], value: number, what: string): T {
  const name = names[value];
  if (name === undefined) throw new Error(`description: unknown ${what} ${value}`);
  return name;
}
