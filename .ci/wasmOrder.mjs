// The functions of a WebAssembly module in an order that gzip likes: 2 % fewer bytes for visitors. Those that are called most come first, as their
// numbers are one byte long then; each of the others follows what it is most like. No tool of Emscripten's does that.
import { Trouble } from './lib.mjs';

const CODE = 10;
const FUNCTION = 3;
/** How many numbers of functions are one byte long. */
const SHORT = 128;
/** Bytes that count as alike where so many in a row are the same. */
const RUN = 6;
/** How far back gzip looks for them, less the function itself. */
const WINDOW = 28_000;
/** So that the smallest functions, which are like everything, do not come first. */
const SMALL = 20;

/** Reads numbers and pieces one behind the other. */
class Cursor {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isDone() {
    return this.at === this.bytes.length;
  }

  byte() {
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
    return Array.from({ length: this.number() }, read);
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

function encoded(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

const framed = bytes => Buffer.concat([encoded(bytes.length), bytes]);
const listOf = parts => Buffer.concat([encoded(parts.length), ...parts]);

/** What follows an instruction of one byte, as `skip` takes it; undefined for one that is not known. */
function immediatesOf(code) {
  if (code === 0x0e || code === 0x1c) return 'list';
  if (code === 0x11) return 'LL';
  if ([0x02, 0x03, 0x04, 0x0c, 0x0d, 0x3f, 0x40, 0x41, 0x42, 0xd0].includes(code) || (code >= 0x20 && code <= 0x26)) return 'L';
  if (code >= 0x28 && code <= 0x3e) return 'M';
  if (code === 0x43) return '4';
  if (code === 0x44) return '8';
  const isBare = [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1].includes(code) || (code >= 0x45 && code <= 0xc4);
  return isBare ? '' : undefined;
}

/** The same behind the prefix of bulk memory and saturating conversions. */
function bulkImmediatesOf(code) {
  if (code <= 7) return '';
  return { 8: 'LL', 9: 'L', 10: 'LL', 11: 'L' }[code];
}

/** The same behind the prefix of vectors. */
function vectorImmediatesOf(code) {
  if (code <= 11 || code === 92 || code === 93) return 'M';
  if (code === 12 || code === 13) return [16];
  if (code >= 21 && code <= 34) return '1';
  return code >= 84 && code <= 91 ? 'M1' : '';
}

/** A function's body as bytes and, between them, the functions that it names. */
function splitAtCalls(body) {
  const cursor = new Cursor(body);
  const parts = [];
  let from = 0;
  cursor.list(() => cursor.skip('L1')); // locals
  while (!cursor.isDone) {
    const code = cursor.byte();
    if (code === 0x10 || code === 0xd2) {
      parts.push(body.subarray(from, cursor.at), cursor.number());
      from = cursor.at;
      continue;
    }
    const immediates =
      code === 0xfc ? bulkImmediatesOf(cursor.number()) : code === 0xfd ? vectorImmediatesOf(cursor.number()) : immediatesOf(code);
    if (immediates === undefined) throw new Trouble(`rigcast.wasm has an instruction that .ci/wasmOrder.mjs does not know: ${code}`);
    if (immediates === 'list') cursor.list(() => cursor.number());
    else cursor.skip(immediates);
    if (code === 0x0e) cursor.number();
  }
  return [...parts, body.subarray(from)];
}

function countImports(section) {
  const cursor = new Cursor(section);
  const limits = () => cursor.skip(cursor.byte() & 1 ? 'LL' : 'L');
  const kinds = cursor.list(() => {
    cursor.piece();
    cursor.piece();
    const kind = cursor.byte();
    if (kind === 0) cursor.number();
    else if (kind === 3) cursor.skip('2');
    else {
      if (kind === 1) cursor.byte();
      limits();
    }
    return kind;
  });
  return kinds.filter(kind => kind === 0).length;
}

/** Sections that name functions, with new numbers. */
const rewrites = {
  7: (cursor, renumber) =>
    cursor.list(() => {
      const name = framed(cursor.piece());
      const kind = cursor.byte();
      const index = cursor.number();
      return Buffer.concat([name, Buffer.from([kind]), encoded(kind === 0 ? renumber(index) : index)]);
    }),
  9: (cursor, renumber) =>
    cursor.list(() => {
      const begin = cursor.at;
      if (cursor.number() !== 0 || cursor.byte() !== 0x41)
        throw new Trouble('rigcast.wasm has a table that .ci/wasmOrder.mjs does not know');
      cursor.skip('L1'); // where in the table, and the end of that expression
      const head = cursor.bytes.subarray(begin, cursor.at);
      return Buffer.concat([head, listOf(cursor.list(() => encoded(renumber(cursor.number()))))]);
    }),
};

/** The numbers of all bodies: `first`, then always the one that has the largest share of its runs in the window before it. */
function byLikeness(bodies, first) {
  const numbers = new Map(); // of runs
  const owners = []; // of a run
  const runs = bodies.map((body, i) => {
    const own = new Set();
    for (let at = 0; at + RUN <= body.length; at++) {
      const run = body.readUIntLE(at, RUN);
      if (!numbers.has(run)) numbers.set(run, owners.push([]) - 1);
      own.add(numbers.get(run));
    }
    for (const run of own) owners[run].push(i);
    return [...own];
  });
  const times = owners.map(() => 0); // that a run is in the window
  const shared = bodies.map(() => 0); // how many runs of a body are in it
  const count = (i, by) => {
    for (const run of runs[i]) {
      const before = times[run];
      times[run] += by;
      if (before === 0 || times[run] === 0) for (const owner of owners[run]) shared[owner] += by;
    }
  };
  const order = [];
  const rest = new Set(bodies.keys());
  let begin = 0;
  let size = 0;
  const take = i => {
    order.push(i);
    rest.delete(i);
    count(i, 1);
    size += bodies[i].length;
    for (; size > WINDOW && order[begin] !== i; begin++) {
      size -= bodies[order[begin]].length;
      count(order[begin], -1);
    }
  };
  first.forEach(take);
  const likeness = i => shared[i] / (runs[i].length + SMALL);
  while (rest.size > 0) take([...rest].reduce((best, i) => (likeness(i) > likeness(best) ? i : best)));
  return order;
}

/** A module that does the same, its functions in that order. Debugging names would be wrong: it must have none. */
export function orderFunctions(module) {
  const whole = new Cursor(module, 8);
  const sections = [];
  while (!whole.isDone) sections.push({ id: whole.byte(), bytes: whole.piece() });
  const listIn = (id, read) => {
    const cursor = new Cursor(sections.find(section => section.id === id).bytes);
    return cursor.list(() => read(cursor));
  };
  const imports = sections.find(({ id }) => id === 2);
  const imported = imports ? countImports(imports.bytes) : 0;
  const types = listIn(FUNCTION, cursor => cursor.number());
  const bodies = listIn(CODE, cursor => cursor.piece());
  const split = bodies.map(splitAtCalls);

  const calls = bodies.map(() => 0);
  for (const part of split.flat()) if (part >= imported) calls[part - imported]++;
  const byCalls = [...bodies.keys()].sort((a, b) => calls[b] - calls[a] || a - b);
  const often = byCalls.slice(0, Math.max(0, SHORT - imported));
  const order = byLikeness(bodies, often);

  const numbers = [];
  order.forEach((old, now) => (numbers[old] = imported + now));
  const renumber = index => (index < imported ? index : numbers[index - imported]);
  const write = ({ id, bytes }) => {
    if (id === FUNCTION) return listOf(order.map(old => encoded(types[old])));
    if (id === CODE)
      return listOf(
        order.map(old => framed(Buffer.concat(split[old].map(part => (typeof part === 'number' ? encoded(renumber(part)) : part))))),
      );
    if (id === 8) return encoded(renumber(new Cursor(bytes).number()));
    return rewrites[id] ? listOf(rewrites[id](new Cursor(bytes), renumber)) : bytes;
  };
  const written = sections.map(section => Buffer.concat([Buffer.from([section.id]), framed(write(section))]));
  return Buffer.concat([module.subarray(0, 8), ...written]);
}
