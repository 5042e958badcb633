// Reads and writes the subset of BSON that VGO files use (docs/formats/vgo.md section 2.2).
import { joined } from '../common/written.ts';
import { type Branch, DEEPEST, type Tree, WholeNumber } from './tree.ts';

const DOUBLE = 1;
const TEXT = 2;
const BRANCH = 3;
const LIST = 4;
const BINARY = 5;
const FLAG = 8;
const NOTHING = 10;
const INT = 16;
const LONG = 18;

/**
 * Parses BSON. Binary values are returned as base64 strings, like in VGO files with JSON. Throws a
 * RangeError or SyntaxError if the data is invalid.
 */
export function parseBson(bytes: Uint8Array): Branch {
  return new Reader(bytes).document(0, bytes.length, false, 0)[0] as Branch;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Parses a document or list. Returns the value and the offset after its last byte. */
  document(at: number, limit: number, isList: boolean, depth: number): [Tree, number] {
    const end = at + this.#view.getInt32(at, true);
    if (end > limit || end < at + 5 || depth > DEEPEST) throw new SyntaxError('a document exceeds its parent or is nested too deeply');
    const members: Branch = new Map();
    for (let next = at + 4; next < end - 1;) {
      const type = this.#view.getUint8(next);
      const [name, from] = this.#name(next + 1, end);
      const [value, to] = this.#value(type, from, end, depth);
      members.set(name, value);
      next = to;
    }
    return [isList ? [...members.values()] : members, end];
  }

  #value(type: number, at: number, end: number, depth: number): [Tree, number] {
    const view = this.#view;
    if (type === DOUBLE) return [view.getFloat64(at, true), at + 8];
    if (type === BRANCH || type === LIST) return this.document(at, end, type === LIST, depth + 1);
    if (type === FLAG) return [view.getUint8(at) !== 0, at + 1];
    if (type === NOTHING) return [null, at];
    if (type === INT) return [view.getInt32(at, true), at + 4];
    if (type === LONG) {
      const long = view.getBigInt64(at, true);
      return [Number.isSafeInteger(Number(long)) ? Number(long) : new WholeNumber(String(long)), at + 8];
    }
    const length = view.getInt32(at, true);
    const from = at + (type === BINARY ? 5 : 4);
    if ((type !== TEXT && type !== BINARY) || length < (type === TEXT ? 1 : 0) || from + length > end)
      throw new SyntaxError(`unsupported value type ${type} at offset ${at}`);
    const bytes = this.#bytes.subarray(from, from + length);
    return [type === TEXT ? new TextDecoder().decode(bytes.subarray(0, -1)) : toBase64(bytes), from + length];
  }

  #name(at: number, end: number): [string, number] {
    const stop = this.#bytes.indexOf(0, at);
    if (stop < 0 || stop >= end) throw new SyntaxError('a name has no terminator');
    return [new TextDecoder().decode(this.#bytes.subarray(at, stop)), stop + 1];
  }
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/**
 * Encodes a tree as BSON. A list at the root is encoded as a document whose members are named 0, 1
 * and so on.
 */
export function printBson(value: Tree): Uint8Array {
  const pieces: Uint8Array[] = [];
  put(value, pieces);
  return joined(pieces);
}

const END = Uint8Array.of(0);

/** Appends the bytes of a document to `pieces`, and returns the number of these bytes. */
function put(value: Tree, pieces: Uint8Array[]): number {
  const head = new Uint8Array(4);
  pieces.push(head);
  let length = 5;
  const add = (bytes: Uint8Array): void => {
    pieces.push(bytes);
    length += bytes.length;
  };
  const entries = value instanceof Map ? value : Array.isArray(value) ? value.map((each, i): [string, Tree] => [String(i), each]) : [];
  for (const [name, each] of entries) {
    const isInside = each instanceof Map || Array.isArray(each);
    const [type, bytes] = isInside ? [each instanceof Map ? BRANCH : LIST, null] : scalar(each);
    add(Uint8Array.of(type));
    add(text(name));
    if (bytes) add(bytes);
    else if (isInside) length += put(each, pieces);
  }
  pieces.push(END);
  new DataView(head.buffer).setInt32(0, length, true);
  return length;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(`${value.replaceAll('\0', '\ufffd')}\0`);

function scalar(value: Exclude<Tree, Tree[] | Branch>): [number, Uint8Array] {
  const made = (type: number, size: number, set: (view: DataView) => void): [number, Uint8Array] => {
    const bytes = new Uint8Array(size);
    set(new DataView(bytes.buffer));
    return [type, bytes];
  };
  if (value === null) return [NOTHING, new Uint8Array(0)];
  if (typeof value === 'boolean') return [FLAG, Uint8Array.of(value ? 1 : 0)];
  if (typeof value === 'string') {
    const bytes = text(value);
    return made(TEXT, 4 + bytes.length, view => {
      view.setInt32(0, bytes.length, true);
      new Uint8Array(view.buffer).set(bytes, 4);
    });
  }
  if (value instanceof WholeNumber) return made(LONG, 8, view => view.setBigInt64(0, BigInt.asIntN(64, BigInt(value.text)), true));
  if (Number.isInteger(value) && Math.abs(value) <= 0x7fffffff && !Object.is(value, -0))
    return made(INT, 4, view => view.setInt32(0, value, true));
  return made(DOUBLE, 8, view => view.setFloat64(0, value, true));
}
