// Decompresses Zstandard frames (RFC 8878, whose sections are cited). No work exceeds a constant
// per byte read or written: each sequence writes at least three bytes, and decompression stops when
// the output is full.
import { buildFseTable, type FseTable, readFseTable } from './zstdFse.ts';
import { type HuffmanTable, readHuffmanStream, readHuffmanTable } from './zstdHuffman.ts';
import { BackwardBits, damaged } from './zstdBits.ts';

const magicNumber = 0xfd2fb528;
const mostBlockSize = 1 << 17;

/**
 * Decompresses one frame without a dictionary into `to`. Returns the number of bytes written: all
 * that precede the damage if the frame is damaged, and `to.length` if the content is at least as
 * long. Does not compare the content with the checksum.
 */
export function decompressZstd(bytes: Uint8Array, to: Uint8Array): number {
  const output = new Output(to);
  try {
    readFrame(bytes, output);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return output.length;
}

/** Decompressed bytes. Methods throw if the target is full, after filling it. */
class Output {
  length = 0;
  readonly target: Uint8Array;

  constructor(target: Uint8Array) {
    this.target = target;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    const { target, length } = this;
    const end = this.#endAfter(to - from);
    for (let i = length; i < end; i++) target[i] = bytes[from + i - length]!;
    this.#finish(end, to - from);
  }

  fill(value: number, count: number): void {
    const end = this.#endAfter(count);
    this.target.fill(value, this.length, end);
    this.#finish(end, count);
  }

  /** Repeats `count` bytes from `offset` bytes before the end. The ranges can overlap. */
  repeat(offset: number, count: number): void {
    if (offset < 1 || offset > this.length) damaged();
    const { target } = this;
    const end = this.#endAfter(count);
    for (let i = this.length; i < end; i++) target[i] = target[i - offset]!;
    this.#finish(end, count);
  }

  #endAfter(count: number): number {
    return Math.min(this.length + count, this.target.length);
  }

  #finish(end: number, count: number): void {
    const written = end - this.length;
    this.length = end;
    if (written < count) damaged();
  }
}

/** The state that blocks of a frame share (3.1.1.3.2.1.1, 3.1.1.5). */
interface Frame {
  huffman?: HuffmanTable;
  tables?: FseTable[];
  offsets: [number, number, number];
  literals: Uint8Array;
}

/** Reads the header (3.1.1.1) and the blocks (3.1.1.2). */
function readFrame(bytes: Uint8Array, output: Output): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const descriptor = view.getUint8(4);
  if (view.getUint32(0, true) !== magicNumber || descriptor & 8) damaged();
  const isSingle = (descriptor >> 5) & 1;
  const dictionarySize = [0, 1, 2, 4][descriptor & 3]!;
  let at = 6 - isSingle;
  for (const end = at + dictionarySize; at < end; at++) if (view.getUint8(at)) damaged();
  at += [isSingle, 2, 4, 8][descriptor >> 6]!;
  const frame: Frame = { offsets: [1, 4, 8], literals: new Uint8Array(mostBlockSize) };
  for (let isLast = false; !isLast;) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    isLast = (header & 1) === 1;
    at += 3;
    const stored = type === 1 ? 1 : size;
    if (size > mostBlockSize || at + stored > bytes.length) damaged();
    const block = bytes.subarray(at, at + stored);
    at += stored;
    if (type === 0) output.append(block, 0, size);
    else if (type === 1) output.fill(block[0]!, size);
    else if (type === 2) readBlock(block, frame, output);
    else damaged();
  }
}

function readBlock(block: Uint8Array, frame: Frame, output: Output): void {
  const { literals, end } = readLiterals(block, frame);
  readSequences(block, end, literals, frame, output);
}

/** Reads the literals section (3.1.1.3.1). Returns the literals and the end of the section. */
function readLiterals(block: Uint8Array, frame: Frame): { literals: Uint8Array; end: number } {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const first = view.getUint8(0);
  const type = first & 3;
  const format = (first >> 2) & 3;
  if (type < 2) {
    const start = [1, 2, 1, 3][format]!;
    const size =
      start === 1 ? first >> 3 : start === 2 ? view.getUint16(0, true) >> 4 : (view.getUint16(0, true) | (view.getUint8(2) << 16)) >> 4;
    const end = start + (type === 0 ? size : 1);
    if (size > mostBlockSize || end > block.length) damaged();
    const literals = type === 0 ? block.subarray(start, end) : frame.literals.subarray(0, size).fill(block[start]!);
    return { literals, end };
  }
  const width = [10, 10, 14, 18][format]!;
  const start = [3, 3, 4, 5][format]!;
  const header =
    view.getUint16(0, true) +
    (start > 3 ? view.getUint16(2, true) : view.getUint8(2)) * 2 ** 16 +
    (start > 4 ? view.getUint8(4) * 2 ** 32 : 0);
  const size = Math.floor(header / 16) % 2 ** width;
  const end = start + Math.floor(header / 2 ** (4 + width));
  if (size > mostBlockSize || end > block.length) damaged();
  let at = start;
  if (type === 2) [frame.huffman, at] = readHuffmanTable(block, start, end);
  if (!frame.huffman) damaged();
  const literals = frame.literals.subarray(0, size);
  if (format === 0) readHuffmanStream(block.subarray(at, end), frame.huffman, literals);
  else readFourStreams(block.subarray(at, end), frame.huffman, literals);
  return { literals, end };
}

/** Reads four Huffman streams, whose sizes precede them (3.1.1.3.1.6). */
function readFourStreams(bytes: Uint8Array, table: HuffmanTable, to: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const part = (to.length + 3) >> 2;
  for (let i = 0, at = 6; i < 4; i++) {
    const end = i < 3 ? at + view.getUint16(2 * i, true) : bytes.length;
    if (end > bytes.length || part * i > to.length) damaged();
    readHuffmanStream(bytes.subarray(at, end), table, to.subarray(part * i, i < 3 ? part * (i + 1) : to.length));
    at = end;
  }
}

// Extra bits of literals length codes and match length codes (3.1.1.3.2.1.1). The baselines follow.
const literalsBits = [...Array<number>(16).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const matchBits = [...Array<number>(32).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const literalsBase = baselines(literalsBits, 0);
const matchBase = baselines(matchBits, 3);

function baselines(bits: readonly number[], first: number): number[] {
  let next = first;
  return bits.map(count => (next += 2 ** count) - 2 ** count);
}

// The three kinds of codes in their order in a block: literals lengths, offsets, match lengths.
// Offset codes above 30 exceed the size of any output. The distributions are in 3.1.1.3.2.2.
const kinds = [
  {
    mostLog: 9,
    symbols: 36,
    default: buildFseTable(
      [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1],
      6,
    ),
  },
  {
    mostLog: 8,
    symbols: 31,
    default: buildFseTable([1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1], 5),
  },
  {
    mostLog: 9,
    symbols: 53,
    default: buildFseTable([1, 4, 3, 2, 2, 2, 2, 2, 2, ...Array<number>(37).fill(1), ...Array<number>(7).fill(-1)], 6),
  },
];

/** Reads the sequences section (3.1.1.3.2) and executes its sequences (3.1.1.4). */
function readSequences(block: Uint8Array, start: number, literals: Uint8Array, frame: Frame, output: Output): void {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  let at = start;
  let count = view.getUint8(at++);
  if (count === 255) {
    count = view.getUint16(at, true) + 0x7f00;
    at += 2;
  } else if (count > 127) count = ((count - 128) << 8) | view.getUint8(at++);
  if (count === 0) return output.append(literals, 0, literals.length);

  const modes = view.getUint8(at++);
  if (modes & 3) damaged();
  const tables = kinds.map((kind, index) => {
    const mode = (modes >> (6 - 2 * index)) & 3;
    if (mode === 0) return kind.default;
    if (mode === 3) return frame.tables?.[index] ?? damaged();
    const [table, end] =
      mode === 1 ? [buildRleTable(view.getUint8(at), kind.symbols), at + 1] : readFseTable(block, at, kind.mostLog, kind.symbols);
    at = end;
    return table;
  });
  frame.tables = tables;

  const [literalsTable, offsetTable, matchTable] = tables as [FseTable, FseTable, FseTable];
  const bits = new BackwardBits(block.subarray(at));
  let literalsState = bits.read(literalsTable.log);
  let offsetState = bits.read(offsetTable.log);
  let matchState = bits.read(matchTable.log);
  let used = 0;
  const limit = output.length + mostBlockSize;
  while (true) {
    const offsetValue = 2 ** offsetTable.symbols[offsetState]! + bits.read(offsetTable.symbols[offsetState]!);
    const matchCode = matchTable.symbols[matchState]!;
    const matchLength = matchBase[matchCode]! + bits.read(matchBits[matchCode]!);
    const literalsCode = literalsTable.symbols[literalsState]!;
    const literalsLength = literalsBase[literalsCode]! + bits.read(literalsBits[literalsCode]!);
    if (bits.left < 0 || used + literalsLength > literals.length || output.length + literalsLength + matchLength > limit) damaged();
    output.append(literals, used, (used += literalsLength));
    output.repeat(offsetOf(offsetValue, literalsLength === 0, frame.offsets), matchLength);
    if (--count === 0) break;
    literalsState = literalsTable.next[literalsState]! + bits.read(literalsTable.bits[literalsState]!);
    matchState = matchTable.next[matchState]! + bits.read(matchTable.bits[matchState]!);
    offsetState = offsetTable.next[offsetState]! + bits.read(offsetTable.bits[offsetState]!);
  }
  if (bits.left !== 0 || output.length + literals.length - used > limit) damaged();
  output.append(literals, used, literals.length);
}

/** Returns the offset for a value, and updates the three most recent offsets (3.1.1.5). */
function offsetOf(value: number, hasNoLiterals: boolean, recent: [number, number, number]): number {
  const index = value > 3 ? 3 : value - 1 + Number(hasNoLiterals);
  const offset = value > 3 ? value - 3 : index === 3 ? recent[0] - 1 : recent[index]!;
  if (index > 1) recent[2] = recent[1];
  if (index > 0) recent[1] = recent[0];
  recent[0] = offset;
  return offset;
}

function buildRleTable(symbol: number, symbols: number): FseTable {
  if (symbol >= symbols) damaged();
  return { log: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), next: new Uint16Array(1) };
}
