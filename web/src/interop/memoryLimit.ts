// Estimates the memory that a loader of three.js would allocate for a file (glTF, FBX, OBJ, BVH).
// The loaders run on the main thread, because their results can't be sent from a worker. They trust
// every count in the file: a file of 232 bytes can request a gigabyte of zeros.
import type { Unzlib } from 'three/addons/libs/fflate.module.js';
import { RigcastError } from '../core/error.ts';
import { member, textIn } from '../core/properties.ts';
import type { PropertyValue } from '../core/types.ts';
import { pixelsOf } from '../three/materials/imageSize.ts';

/** Constant part of the memory limit, in bytes. */
const BASE_LIMIT = 64 * 2 ** 20;
/** Number of bytes by which each byte of the file raises the memory limit. */
const PER_BYTE = 24;
/** Maximum number of pixels in all decoded images: sixteen images of 4096 × 4096. */
const MAX_PIXELS = 2 ** 28;
/** Maximum depth of the node tree, which three.js visits recursively. */
const MAX_DEPTH = 4096;

// Approximate sizes of three.js objects, in bytes.
const NODE = 2048;
const MESH = 4096;
const MATERIAL = 3072;
const LINK = 128;
const JOINT = 300;
const CHANNEL = 1024;
const CORNER = 100;
const KEY = 200;
const NUMBER = 8;

export interface MemoryLimitOptions {
  /** Returns the size in bytes of a referenced file; 0 if the file is missing. */
  sizeOf?: (uri: string) => number;
  /** True if the loader decodes images (default: true). */
  decodesImages?: boolean;
}

/** True if the error is one with which `checkMemoryLimit` rejects. */
export const isMemoryLimitError = (error: unknown): boolean => error instanceof RigcastError && error.code === 'OUT_OF_PROPORTION';

/**
 * Rejects with OUT_OF_PROPORTION if a loader of three.js would need far more memory than the size
 * of the file justifies. Damaged files are left to the loader, which reports the damage.
 */
export async function checkMemoryLimit(format: string, bytes: Uint8Array, options: MemoryLimitOptions = {}): Promise<void> {
  const cost = new MemoryEstimate(bytes.length);
  try {
    if (format === 'fbx') await countFbx(bytes, cost);
    else if (format === 'obj') countObj(new TextDecoder().decode(bytes), cost);
    else if (format === 'bvh') countBvh(new TextDecoder().decode(bytes), cost);
    else countGltf(gltfOf(bytes), cost, options);
  } catch (error) {
    if (isMemoryLimitError(error)) throw error;
  }
}

class MemoryEstimate {
  readonly #size: number;
  #limit: number;
  #left: number;

  constructor(size: number) {
    this.#size = size;
    this.#left = this.#limit = BASE_LIMIT + PER_BYTE * size;
  }

  /** The limit in megabytes. */
  get limit(): number {
    return Math.round(this.#limit / 1e6);
  }

  /** Raises the limit because another file of the model, of size `bytes`, is loaded. */
  admit(bytes: number): void {
    this.#limit += PER_BYTE * bytes;
    this.#left += PER_BYTE * bytes;
  }

  /**
   * Adds memory that a loader would allocate to the estimate. Throws if the sum exceeds the limit.
   * `what`: contents of the memory, for the message.
   */
  add(bytes: number, what: string): void {
    this.check(bytes, what);
    this.#left -= bytes;
  }

  /** Throws if the estimate plus `bytes` exceeds the limit. */
  check(bytes: number, what: string): void {
    if (!(bytes <= this.#left))
      throw new RigcastError(
        'OUT_OF_PROPORTION',
        `${what}: ${this.#size.toLocaleString('en-US')} bytes would take more than ${this.limit} MB`,
      );
  }
}

// ---------------------------------------------------------------- glTF

const MAGIC = 0x46_54_6c_67;
const HEADER = 12;
const CHUNK = 8;
const JSON_CHUNK = 0x4e_4f_53_4a;
const BINARY_CHUNK = 0x00_4e_49_42;
/**
 * Maximum length, in characters, of the start of a data URL that is decoded to read the size of the
 * image.
 */
const MAX_URL_CHARS = 2 ** 18;
const WIDTHS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

type Value = PropertyValue | undefined;

/** Reads a member that is a count. Throws if the value is negative or not a number. */
function countIn(value: Value, name: string, otherwise = 0): number {
  const found = member(value, name);
  if (found === undefined) return otherwise;
  if (typeof found !== 'number' || !(found >= 0)) throw new RigcastError('OUT_OF_PROPORTION', `${name} is not a count`);
  return found;
}

function listOf(value: Value, name: string): readonly PropertyValue[] {
  const found = member(value, name);
  if (found !== undefined && !Array.isArray(found)) throw new RigcastError('OUT_OF_PROPORTION', `${name} is not a list`);
  return found ?? [];
}

/** Returns the indices that an object such as `attributes` contains as its members. */
function indicesIn(value: Value): number[] {
  const own = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  return Object.keys(own).map(name => countIn(own, name));
}

const most = (numbers: readonly number[]): number => numbers.reduce((largest, each) => Math.max(largest, each), 0);

function countGltf(
  { json, binary }: Gltf,
  cost: MemoryEstimate,
  { sizeOf = () => 0, decodesImages: hasPictures = true }: MemoryLimitOptions,
): void {
  const views = listOf(json, 'bufferViews');
  const nodes = listOf(json, 'nodes');
  const uris = new Set(listOf(json, 'buffers').map(buffer => textIn(buffer, 'uri')));
  for (const uri of uris) if (uri !== '' && !uri.startsWith('data:')) cost.admit(sizeOf(uri));
  for (const view of views)
    for (const name of ['EXT_meshopt_compression', 'KHR_meshopt_compression']) {
      const packed = member(member(view, 'extensions'), name);
      cost.add(countIn(packed, 'count') * countIn(packed, 'byteStride'), 'packed views');
    }
  const columns = new AccessorMemory(listOf(json, 'accessors'), cost);
  const drawn = listOf(json, 'meshes').map(mesh => listOf(mesh, 'primitives').map(primitive => columns.primitive(primitive)));
  checkTree(nodes);
  for (const node of nodes) {
    cost.add(NODE + LINK * listOf(node, 'children').length, 'nodes');
    for (const corners of drawn[countIn(node, 'mesh', -1)] ?? []) cost.add(MESH + 4 * corners, 'meshes of nodes');
    const copies = member(member(member(node, 'extensions'), 'EXT_mesh_gpu_instancing'), 'attributes');
    for (const place of indicesIn(copies)) cost.add(64 * columns.count(place), 'copies of meshes');
  }
  for (const scene of listOf(json, 'scenes')) cost.add(LINK * listOf(scene, 'nodes').length, 'nodes of scenes');
  for (const skin of listOf(json, 'skins'))
    cost.add(JOINT * listOf(skin, 'joints').length + columns.bytes(countIn(skin, 'inverseBindMatrices', -1)), 'joints of skins');
  cost.add(MATERIAL * (listOf(json, 'materials').length + listOf(json, 'textures').length), 'materials');
  for (const animation of listOf(json, 'animations')) {
    const samplers = listOf(animation, 'samplers');
    for (const channel of listOf(animation, 'channels')) {
      const sampler = samplers[countIn(channel, 'sampler', -1)];
      const keys = columns.bytes(countIn(sampler, 'input', -1)) + columns.bytes(countIn(sampler, 'output', -1));
      cost.add(CHANNEL + keys, 'keys of animations');
    }
  }
  if (hasPictures) countImages(listOf(json, 'images'), views, binary, cost);
}

interface Gltf {
  json: PropertyValue;
  /** Binary chunk of a GLB; empty for a .gltf. */
  binary: Uint8Array;
}

/**
 * Returns the JSON and the binary chunk of a GLB, or the JSON of a .gltf. If several chunks have
 * the same type, the last one is used, as three.js does. Throws a SyntaxError or RangeError for
 * damaged data.
 */
export function gltfOf(bytes: Uint8Array): Gltf {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parse = (text: Uint8Array): PropertyValue => JSON.parse(new TextDecoder().decode(text)) as PropertyValue;
  let binary = new Uint8Array(0);
  if (view.byteLength < 4 || view.getUint32(0, true) !== MAGIC) return { json: parse(bytes), binary };
  let json: Uint8Array = binary;
  for (let at = HEADER; at < bytes.length;) {
    const [length, kind] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const chunk = new Uint8Array(bytes.buffer, bytes.byteOffset + at + CHUNK, Math.min(length, bytes.length - at - CHUNK));
    if (kind === JSON_CHUNK) json = chunk;
    if (kind === BINARY_CHUNK) binary = chunk as Uint8Array<ArrayBuffer>;
    at += CHUNK + length;
  }
  return { json: parse(json), binary };
}

/**
 * Estimates the memory of accessors. Counts 4 bytes per number, even for accessors that are
 * quantized, sparse or have no data in the file.
 */
class AccessorMemory {
  readonly #accessors: readonly PropertyValue[];
  readonly #cost: MemoryEstimate;
  readonly #known = new Set<string>();

  constructor(accessors: readonly PropertyValue[], cost: MemoryEstimate) {
    this.#accessors = accessors;
    this.#cost = cost;
  }

  count(place: number): number {
    return countIn(this.#accessors[place], 'count');
  }

  bytes(place: number): number {
    return 4 * this.count(place) * (WIDTHS[textIn(this.#accessors[place], 'type')] ?? 16);
  }

  /**
   * Adds the memory of a primitive, unless a previous primitive uses the same accessors. Returns
   * the number of vertices to draw: the length of the index list or, without indices, of the
   * attributes.
   */
  primitive(primitive: PropertyValue): number {
    const attributes = indicesIn(member(primitive, 'attributes'));
    const indices = countIn(primitive, 'indices', -1);
    const vertices = most(attributes.map(place => this.count(place)));
    const targets = listOf(primitive, 'targets').map(indicesIn);
    const key = `${attributes.join()} ${indices} ${targets.join(' ')}`;
    if (!this.#known.has(key)) {
      const held = [...attributes, indices].reduce((sum, place) => sum + this.bytes(place), 0);
      this.#cost.add(held, 'vertices of meshes');
      // three.js creates an attribute for every morph target if any morph target has it.
      const columns = 12 * vertices * most(targets.map(target => target.length));
      for (const target of targets) this.#cost.add(most([columns, ...target.map(place => this.bytes(place))]), 'vertices of morph targets');
    }
    this.#known.add(key);
    return indices >= 0 ? this.count(indices) : vertices;
  }
}

/** Throws if the node tree is too deep for three.js or contains a cycle. */
function checkTree(nodes: readonly PropertyValue[]): void {
  const children = nodes.map(node => listOf(node, 'children').map(child => (typeof child === 'number' ? child : -1)));
  const depths = new Int32Array(nodes.length); // 0: unknown; -1: in progress
  for (const first of nodes.keys()) {
    const walk = [first];
    while (walk.length > 0) {
      const row = walk.at(-1) ?? 0;
      const below = children[row] ?? [];
      if (depths[row] === 0) {
        depths[row] = -1;
        for (const child of below) {
          if (depths[child] === -1) throw new RigcastError('OUT_OF_PROPORTION', 'a node contains itself');
          if (depths[child] === 0) walk.push(child);
        }
        continue;
      }
      walk.pop();
      if (depths[row] === -1) depths[row] = 1 + below.reduce((most, child) => Math.max(most, depths[child] ?? 0), 0);
      if ((depths[row] ?? 0) > MAX_DEPTH)
        throw new RigcastError('OUT_OF_PROPORTION', `nodes are more than ${MAX_DEPTH.toLocaleString('en-US')} levels deep`);
    }
  }
}

/** Estimates the memory of embedded images from their dimensions. */
function countImages(images: readonly PropertyValue[], views: readonly PropertyValue[], binary: Uint8Array, cost: MemoryEstimate): void {
  let pixels = 0;
  for (const image of images) {
    const view = views[countIn(image, 'bufferView', -1)];
    const from = countIn(view, 'byteOffset');
    const bytes = view === undefined ? startOfDataUrl(textIn(image, 'uri')) : binary.subarray(from, from + countIn(view, 'byteLength'));
    pixels += pixelsOf(bytes);
  }
  // Only count the pixels above the maximum, because almost every image is larger in memory than in
  // the file.
  cost.add(4 * Math.max(pixels - MAX_PIXELS, 0), `pictures of ${Math.round(pixels / 1e6)} million pixels`);
}

/** Returns the first bytes of a data URL. */
function startOfDataUrl(uri: string): Uint8Array {
  const base64 = /^data:[^,]*;base64,(.*)/s.exec(uri.slice(0, MAX_URL_CHARS))?.[1] ?? '';
  return Uint8Array.from(atob(base64.slice(0, base64.length - (base64.length % 4))), letter => letter.charCodeAt(0));
}

// ---------------------------------------------------------------- FBX

const SIZES: Readonly<Record<string, number>> = { C: 1, Y: 2, I: 4, F: 4, D: 8, L: 8 };
const ARRAYS: Readonly<Record<string, number>> = { b: 1, c: 1, i: 4, f: 4, d: 8, l: 8 };
const BINARY = 'Kaydara FBX Binary';
/** Number of compressed bytes that are inflated before the limit is checked again. */
const STEP = 2 ** 13;
const FOOTER = 176;

/**
 * Estimates the memory of a binary FBX from the declared and the inflated lengths of its arrays.
 * Text files can't declare more than they contain.
 */
async function countFbx(bytes: Uint8Array, cost: MemoryEstimate): Promise<void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const textAt = (at: number, length: number): string => String.fromCharCode(...bytes.subarray(at, at + length));
  if (textAt(0, BINARY.length) !== BINARY) return;
  const { Unzlib: Stream } = await import('three/addons/libs/fflate.module.js');
  const isWide = view.getUint32(23, true) >= 7500;
  const word = isWide ? 8 : 4;
  const isOver = (at: number): boolean => (bytes.length % 16 === 0 ? ((at + FOOTER) & ~0xf) >= bytes.length : at + FOOTER >= bytes.length);
  // Records are sequential: children follow the properties of their parent.
  const ends: number[] = [];
  for (let at = 27; ends.length > 0 || !isOver(at);) {
    const end = view.getUint32(at, true);
    const properties = view.getUint32(at + word, true);
    const length = view.getUint8(at + 3 * word);
    const name = textAt(at + 3 * word + 1, length);
    at += 3 * word + 1 + length;
    for (let i = 0; end > 0 && i < properties; i++) {
      const kind = textAt(at++, 1);
      const isArray = kind in ARRAYS;
      const isText = kind === 'S' || kind === 'R';
      if (!isArray && !isText && !(kind in SIZES)) return; // three.js stops here too
      const size = isArray ? view.getUint32(at + 8, true) : isText ? 4 + view.getUint32(at, true) : (SIZES[kind] ?? 0);
      if (isArray) {
        const count = view.getUint32(at, true);
        const isPacked = view.getUint32(at + 4, true) !== 0;
        cost.add((name === 'PolygonVertexIndex' ? CORNER : NUMBER) * count, `numbers of ${name}`);
        if (isPacked) inflate(Stream, bytes.subarray(at + 12, at + 12 + size), most => cost.check(most, `numbers of ${name}`));
        at += isPacked ? 12 + size : 12 + (ARRAYS[kind] ?? 1) * count;
      } else at += size;
    }
    if (end > 0) {
      cost.add(NODE, 'records');
      ends.push(end);
    }
    while (ends.length > 0 && at >= (ends.at(-1) ?? 0)) ends.pop();
  }
}

/** Inflates without storing the result. Calls `check` with the number of bytes inflated so far. */
function inflate(Stream: typeof Unzlib, bytes: Uint8Array, check: (length: number) => void): void {
  let length = 0;
  const stream = new Stream(piece => check((length += piece.length)));
  for (let at = 0; at < bytes.length; at += STEP) stream.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
}

// ---------------------------------------------------------------- OBJ and BVH

/**
 * Estimates the memory of an OBJ. A face with n corners is converted to n − 2 triangles, each with
 * its own vertices.
 */
function countObj(text: string, cost: MemoryEstimate): void {
  const joinedLines = text.includes('\\') ? text.replaceAll('\r\n', '\n').replaceAll('\\\n', '') : text;
  for (const [line, kind = ''] of joinedLines.matchAll(/^[^\S\n]*([flpog]|usemtl )[^\n]*/gm)) {
    if (kind === 'usemtl ') cost.add(MATERIAL, 'materials');
    else if (kind === 'o' || kind === 'g') cost.add(MESH, 'objects');
    else {
      const corners = line.match(/\s[^\s]/g)?.length ?? 0;
      cost.add(kind === 'f' ? 3 * CORNER * Math.max(corners - 2, 0) : CORNER * corners, 'corners');
    }
  }
}

/** Estimates the memory of a BVH. BVHLoader creates a key per joint and frame. */
function countBvh(text: string, cost: MemoryEstimate): void {
  const start = text.indexOf('MOTION');
  const joints = text.slice(0, start).match(/\{/g)?.length ?? 0;
  const lines = text.slice(start).match(/\S[^\r\n]*/g)?.length ?? 0;
  cost.add(joints * (NODE + KEY * lines), 'keys of joints');
}
