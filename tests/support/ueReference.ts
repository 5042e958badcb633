// A strict reader for UEFormat files of versions 9 and 10, written from docs/formats/ueformat.md
// and independent of the core. It throws if a count or a size is not exact.
import { gunzipSync } from 'node:zlib';

class Cursor {
  at = 0;
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  take(count: number): Uint8Array {
    if (count < 0 || this.at + count > this.bytes.length) throw new Error(`${count} bytes at ${this.at} of ${this.bytes.length}`);
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  u8 = (): number => this.take(1)[0]!;
  u16 = (): number => (this.take(2), this.#view.getUint16(this.at - 2, true));
  i32 = (): number => (this.take(4), this.#view.getInt32(this.at - 4, true));
  f32 = (): number => (this.take(4), this.#view.getFloat32(this.at - 4, true));
  string = (): string => new TextDecoder('utf-8', { fatal: true }).decode(this.take(this.i32()));
  floats = (count: number): number[] => Array.from({ length: count }, this.f32);
  times = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read);
  /** An array that is preceded by its count. */
  list = <T>(read: () => T): T[] => this.times(this.i32(), read);
}

interface Part {
  /** Number of elements that version 9 declares. */
  count: number | undefined;
  cursor: Cursor;
}

type Parts = Map<string, Part>;

export interface UeLod {
  name: string;
  positions: number[][];
  normals: number[][];
  tangents: number[][];
  uvs: number[][];
  indices: number[];
  colors: { name: string; rgba: number[] }[];
  materials: { name: string; path: string; first: number; faces: number }[];
  weights: [bone: number, vertex: number, weight: number][];
  morphs: { name: string; deltas: { position: number[]; normal: number[]; vertex: number }[] }[];
}

export interface UeModel {
  identifier: string;
  version: number;
  name: string;
  lods: UeLod[];
  skeletonPath: string | undefined;
  bones: { name: string; parent: number; position: number[]; rotation: number[]; scale?: number[] }[];
  sockets: { name: string; bone: string; position: number[]; rotation: number[]; scale: number[] }[];
  virtualBones: [source: string, target: string, name: string][];
  hulls: { name: string; vertices: number[][]; indices: number[] }[];
}

export interface UeAnim {
  identifier: string;
  version: number;
  name: string;
  frames: number;
  rate: number;
  additiveType: number;
  tracks: { bone: string; position: UeKey[]; rotation: UeKey[]; scale: UeKey[] }[];
  curves: { name: string; keys: UeKey[] }[];
}

export interface UeKey {
  frame: number;
  value: number[];
}

/** Decompresses a GZIP body, whose sizes must be exact. */
function bodyOf(cursor: Cursor): Cursor {
  if (cursor.string() !== 'GZIP') throw new Error('unknown compression');
  const [size, compressedSize] = [cursor.i32(), cursor.i32()];
  const body = gunzipSync(cursor.take(compressedSize));
  if (!cursor.isAtEnd || body.length !== size) throw new Error('the sizes of the compression are not exact');
  return new Cursor(body);
}

class UeReader {
  readonly version: number;
  readonly identifier: string;
  readonly name: string;
  readonly #cursor: Cursor;

  constructor(bytes: Uint8Array) {
    const cursor = new Cursor(bytes);
    if (new TextDecoder().decode(cursor.take(8)) !== 'UEFORMAT') throw new Error('no magic');
    this.identifier = cursor.string();
    this.version = cursor.u8();
    this.name = cursor.string();
    if (this.#isV10) cursor.string();
    this.#cursor = cursor.u8() === 0 ? cursor : bodyOf(cursor);
  }

  get #isV10(): boolean {
    return this.version === 10;
  }

  #part(cursor: Cursor): [string, Part] {
    const name = cursor.string();
    const count = this.#isV10 ? undefined : cursor.i32();
    return [name, { count, cursor: new Cursor(cursor.take(cursor.i32())) }];
  }

  /** Reads the parts of a set. */
  #parts(cursor: Cursor): Parts {
    const list: [string, Part][] = [];
    if (this.#isV10) list.push(...cursor.list(() => this.#part(cursor)));
    else while (!cursor.isAtEnd) list.push(this.#part(cursor));
    if (new Set(list.map(([name]) => name)).size < list.length) throw new Error('a part occurs twice');
    return new Map(list);
  }

  /** Reads the elements of a part, which must fill it exactly. */
  #array<T>(parts: Parts, name: string, read: (cursor: Cursor) => T): T[] {
    const part = parts.get(name);
    if (!part) return [];
    const { cursor } = part;
    const elements = cursor.times(part.count ?? cursor.i32(), () => read(cursor));
    if (!cursor.isAtEnd) throw new Error(`${name} has a rest`);
    return elements;
  }

  #root(known: readonly string[]): Parts {
    const parts = this.#parts(this.#cursor);
    if (!this.#cursor.isAtEnd) throw new Error('the file has a rest');
    const unknown = [...parts.keys()].filter(name => !known.includes(name));
    if (unknown.length > 0) throw new Error(`unknown parts: ${unknown.join()}`);
    return parts;
  }

  model(): UeModel {
    const { identifier, version, name } = this;
    const root = this.#root(['LODS', 'SKELETON', 'COLLISION']);
    const skeleton = root.get('SKELETON');
    const parts: Parts = skeleton ? this.#parts(skeleton.cursor) : new Map<string, Part>();
    return {
      identifier,
      version,
      name,
      lods: this.#array(root, 'LODS', cursor => this.#lod(cursor)),
      skeletonPath: parts.get('METADATA')?.cursor.string(),
      bones: this.#bones(parts),
      sockets: this.#array(parts, 'SOCKETS', ({ string, floats }) => ({
        name: string(),
        bone: string(),
        position: floats(3),
        rotation: floats(4),
        scale: floats(3),
      })),
      virtualBones: this.#array(parts, 'VIRTUALBONES', ({ string }): [string, string, string] => [string(), string(), string()]),
      hulls: this.#array(root, 'COLLISION', ({ string, list, floats, i32 }) => ({
        name: string(),
        vertices: list(() => floats(3)),
        indices: list(i32),
      })),
    };
  }

  /** Bones of version 10 have a scale if they do not fill the part without one. */
  #bones(parts: Parts): UeModel['bones'] {
    const read = (hasScale: boolean) =>
      this.#array(parts, 'BONES', ({ string, i32, floats }) => ({
        name: string(),
        parent: i32(),
        position: floats(3),
        rotation: floats(4),
        ...(hasScale && { scale: floats(3) }),
      }));
    try {
      return read(false);
    } catch (error) {
      if (!this.#isV10) throw error;
      parts.get('BONES')!.cursor.at = 0;
      return read(true);
    }
  }

  #lod(cursor: Cursor): UeLod {
    const name = cursor.string();
    const parts = this.#parts(this.#isV10 ? cursor : new Cursor(cursor.take(cursor.i32())));
    return {
      name,
      positions: this.#array(parts, 'VERTICES', ({ floats }) => floats(3)),
      normals: this.#array(parts, 'NORMALS', ({ floats }) => floats(4)),
      tangents: this.#array(parts, 'TANGENTS', ({ floats }) => floats(3)),
      uvs: this.#array(parts, 'TEXCOORDS', own => (this.#isV10 && own.string(), own.list(() => own.floats(2)).flat())),
      indices: this.#array(parts, 'INDICES', ({ i32 }) => i32()),
      colors: this.#array(parts, 'VERTEXCOLORS', ({ string, list, u8 }) => ({
        name: string(),
        rgba: list(() => [u8(), u8(), u8(), u8()]).flat(),
      })),
      materials: this.#array(parts, 'MATERIALS', ({ string, i32 }) => ({ name: string(), path: string(), first: i32(), faces: i32() })),
      weights: this.#array(parts, 'WEIGHTS', ({ u16, i32, f32 }): [number, number, number] => [u16(), i32(), f32()]),
      morphs: this.#array(parts, 'MORPHTARGETS', ({ string, list, floats, i32 }) => ({
        name: string(),
        deltas: list(() => ({ position: floats(3), normal: floats(3), vertex: i32() })),
      })),
    };
  }

  animation(): UeAnim {
    const { identifier, version, name } = this;
    const root = this.#root(['METADATA', 'TRACKS', 'CURVES']);
    const { i32, f32, string, u8 } = root.get('METADATA')!.cursor;
    const [frames, rate] = [i32(), f32()];
    string();
    const additiveType = u8();
    const keys = ({ list, i32: frame, floats }: Cursor, width: number): UeKey[] => list(() => ({ frame: frame(), value: floats(width) }));
    return {
      identifier,
      version,
      name,
      frames,
      rate,
      additiveType,
      tracks: this.#array(root, 'TRACKS', cursor => ({
        bone: cursor.string(),
        position: keys(cursor, 3),
        rotation: keys(cursor, 4),
        scale: keys(cursor, 3),
      })),
      curves: this.#array(root, 'CURVES', cursor => ({ name: cursor.string(), keys: keys(cursor, 1) })),
    };
  }
}

export const readUeModel = (bytes: Uint8Array): UeModel => new UeReader(bytes).model();
export const readUeAnim = (bytes: Uint8Array): UeAnim => new UeReader(bytes).animation();
