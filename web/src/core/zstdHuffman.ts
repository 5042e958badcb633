// Huffman codes of Zstandard (RFC 8878, 4.2).
import { BackwardBits, damaged } from './zstdBits.ts';
import { readFseTable } from './zstdFse.ts';

const mostBits = 11;

/** For each value of the next `log` bits: the symbol times 16, plus the length of its code. */
export interface HuffmanTable {
  log: number;
  codes: Uint16Array;
}

/** Reads the description of a table (4.2.1). Returns the table and the end of its description. */
export function readHuffmanTable(bytes: Uint8Array, start: number, limit: number): [table: HuffmanTable, end: number] {
  const header = bytes[start] ?? damaged();
  const isDirect = header > 127;
  const end = start + 1 + (isDirect ? (header - 126) >> 1 : header);
  if (end > limit) damaged();
  const description = bytes.subarray(start + 1, end);
  const weights = isDirect
    ? Array.from({ length: header - 127 }, (_, i) => (description[i >> 1]! >> (i % 2 ? 0 : 4)) & 15)
    : readWeights(description);

  // The last weight is implied: the sum becomes a power of two.
  const sum = weights.reduce((total, weight) => total + (weight && 2 ** (weight - 1)), 0);
  const log = 32 - Math.clz32(sum);
  const rest = 2 ** log - sum;
  if (sum === 0 || log > mostBits || rest & (rest - 1)) damaged();
  weights.push(32 - Math.clz32(rest));

  const codes = new Uint16Array(2 ** log);
  for (let weight = 1, at = 0; weight <= log; weight++) {
    weights.forEach((other, symbol) => {
      if (other === weight) codes.fill(symbol * 16 + log + 1 - weight, at, (at += 2 ** (weight - 1)));
    });
  }
  return [{ log, codes }, end];
}

/** Reads weights that two alternating FSE states encode (4.2.1.2). */
function readWeights(description: Uint8Array): number[] {
  const [table, start] = readFseTable(description, 0, 6, mostBits + 1);
  const bits = new BackwardBits(description.subarray(start));
  const states = [bits.read(table.log), bits.read(table.log)];
  if (bits.left < 0) damaged();
  const weights: number[] = [];
  for (let turn = 0; ; turn ^= 1) {
    const state = states[turn]!;
    weights.push(table.symbols[state]!);
    states[turn] = table.next[state]! + bits.read(table.bits[state]!);
    if (bits.left < 0) weights.push(table.symbols[states[turn ^ 1]!]!);
    if (weights.length > 255) damaged();
    if (bits.left < 0) return weights;
  }
}

/** Reads as many symbols as `to` has elements from a stream that contains exactly these (4.2.2). */
export function readHuffmanStream(bytes: Uint8Array, { log, codes }: HuffmanTable, to: Uint8Array): void {
  const bits = new BackwardBits(bytes);
  for (let i = 0; i < to.length; i++) {
    const code = codes[bits.peek(log)]!;
    bits.left -= code & 15;
    to[i] = code >> 4;
    if (bits.left < 0) damaged();
  }
  if (bits.left !== 0) damaged();
}
