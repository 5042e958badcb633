// A WebAssembly module as what it is made of: for steps after the linker that no tool of Emscripten's does.
import { Trouble } from './lib.mjs';

/** Ids of sections. */
export const CUSTOM = 0;
export const IMPORTS = 2;
export const FUNCTIONS = 3;
export const EXPORTS = 7;
export const START = 8;
export const ELEMENTS = 9;
export const CODE = 10;

/** Kinds of what is imported and exported. */
export const FUNCTION = 0;
const TABLE = 1;
const GLOBAL = 3;

const I32_CONST = 0x41;
const END = 0x0b;

/** Reads numbers and pieces one behind the other. */
export class Cursor {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isDone() {
    return this.at === this.bytes.length;
  }

  byte() {
    if (this.at >= this.bytes.length) throw unknown('an end');
    return this.bytes[this.at++];
  }

  /** An unsigned number (LEB128). */
  number() {
    let value = 0;
    for (let power = 1; ; power *= 128) {
      const byte = this.byte();
      value += (byte & 127) * power;
      if (byte < 128) return value;
    }
  }

  piece(length = this.number()) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  list(read) {
    return Array.from({ length: this.number() }, () => read(this));
  }

  /** Smallest and largest size of a table or a memory. */
  limits() {
    this.skip(this.byte() & 1 ? 'LL' : 'L');
  }

  /** Immediates of an instruction, each an L (LEB128), an M (memory: alignment and offset) or a number of bytes. */
  skip(immediates) {
    for (const kind of immediates) {
      if (kind === 'L') this.number();
      else if (kind === 'M') this.skip('LL');
      else this.at += Number(kind);
    }
  }
}

export function encoded(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

/** A number of 0 or more as one that has a sign. */
function signed(value) {
  const bytes = [];
  for (; value >= 64; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

export const framed = bytes => Buffer.concat([encoded(bytes.length), bytes]);
export const listOf = parts => Buffer.concat([encoded(parts.length), ...parts]);

/** All sections in their order. */
export function sectionsOf(module) {
  const cursor = new Cursor(module, 8);
  const sections = [];
  while (!cursor.isDone) sections.push({ id: cursor.byte(), bytes: cursor.piece() });
  return sections;
}

export const moduleOf = sections =>
  Buffer.concat([Buffer.from('\0asm\x01\0\0\0'), ...sections.map(({ id, bytes }) => Buffer.concat([Buffer.from([id]), framed(bytes)]))]);

/** The kind of what is imported. */
export const readImport = cursor => {
  cursor.piece();
  cursor.piece();
  const kind = cursor.byte();
  if (kind === FUNCTION) cursor.number();
  else if (kind === GLOBAL) cursor.skip('2');
  else {
    if (kind === TABLE) cursor.byte();
    cursor.limits();
  }
  return kind;
};

export const readExport = cursor => ({ name: cursor.piece(), kind: cursor.byte(), index: cursor.number() });

export const writeExport = ({ name, kind, index }) => Buffer.concat([framed(name), Buffer.from([kind]), encoded(index)]);

/** Numbers of functions that are put into the table from `at` on. */
export const readElements = cursor => {
  if (cursor.number() !== 0 || cursor.byte() !== I32_CONST) throw unknown('a table');
  const at = cursor.number(); // it has a sign, which is never set
  if (cursor.byte() !== END) throw unknown('a table');
  return { at, functions: cursor.list(() => cursor.number()) };
};

export const writeElements = ({ at, functions }) =>
  Buffer.concat([Buffer.from([0, I32_CONST]), signed(at), Buffer.from([END]), listOf(functions.map(encoded))]);

/** What follows an instruction of one byte, as `skip` takes it; F: the number of a function. Undefined for one that is not known. */
function immediatesOf(code) {
  if (code === 0x0e || code === 0x1c) return 'list';
  if (code === 0x10 || code === 0xd2) return 'F';
  if (code === 0x11) return 'LL';
  if ([0x02, 0x03, 0x04, 0x0c, 0x0d, 0x3f, 0x40, I32_CONST, 0x42, 0xd0].includes(code) || (code >= 0x20 && code <= 0x26)) return 'L';
  if (code >= 0x28 && code <= 0x3e) return 'M';
  if (code === 0x43) return '4';
  if (code === 0x44) return '8';
  const isBare = [0x00, 0x01, 0x05, END, 0x0f, 0x1a, 0x1b, 0xd1].includes(code) || (code >= 0x45 && code <= 0xc4);
  return isBare ? '' : undefined;
}

/** The same behind the prefix of bulk memory and saturating conversions. */
function bulkImmediatesOf(code) {
  if (code <= 7) return '';
  return { 10: 'LL', 11: 'L' }[code];
}

/** The same behind the prefix of vectors. */
function vectorImmediatesOf(code) {
  if (code <= 11 || code === 92 || code === 93) return 'M';
  if (code === 12 || code === 13) return [16];
  if (code >= 21 && code <= 34) return '1';
  return code >= 84 && code <= 91 ? 'M1' : '';
}

/** A function's body as bytes and, between them, the numbers of the functions that it names. */
export function splitAtCalls(body) {
  const cursor = new Cursor(body);
  const parts = [];
  let from = 0;
  cursor.list(() => cursor.skip('L1')); // locals
  while (!cursor.isDone) {
    const code = cursor.byte();
    const immediates =
      code === 0xfc ? bulkImmediatesOf(cursor.number()) : code === 0xfd ? vectorImmediatesOf(cursor.number()) : immediatesOf(code);
    if (immediates === undefined) throw unknown(`an instruction (${code})`);
    if (immediates === 'F') {
      parts.push(body.subarray(from, cursor.at), cursor.number());
      from = cursor.at;
    } else if (immediates === 'list') cursor.list(() => cursor.number());
    else cursor.skip(immediates);
    if (code === 0x0e) cursor.number();
  }
  return [...parts, body.subarray(from)];
}

/** The body again, with other numbers. */
export const joined = (parts, renumber) => Buffer.concat(parts.map(part => (typeof part === 'number' ? encoded(renumber(part)) : part)));

const unknown = what => new Trouble(`rigcast.wasm has ${what} that .ci/wasmModule.mjs does not know.`);
