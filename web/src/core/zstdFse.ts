// Tables of finite state entropy codes (RFC 8878, 4.1).
import { bitsAt, damaged } from './zstdBits.ts';

/** One element per state: its symbol, and the next state as a base plus some bits. */
export interface FseTable {
  /** Number of bits of a state. */
  log: number;
  symbols: Uint8Array;
  bits: Uint8Array;
  next: Uint16Array;
}

/**
 * Reads the description of a table (4.1.1) at byte `start`. Returns the table and the end of its
 * description. Throws if the table is larger than 2 to the power of `mostLog`, or if a symbol is
 * not below `symbols`.
 */
export function readFseTable(bytes: Uint8Array, start: number, mostLog: number, symbols: number): [table: FseTable, end: number] {
  const log = bitsAt(bytes, start * 8, 4) + 5;
  if (log > mostLog) damaged();
  let at = start * 8 + 4;
  const counts: number[] = [];
  for (let left = 1 << log; left > 0;) {
    // A value from 0 to left + 1. The smallest values take one bit less.
    const width = 32 - Math.clz32(left + 1);
    const shortValues = (1 << width) - 2 - left;
    let value = bitsAt(bytes, at, width);
    const short = value & ((1 << (width - 1)) - 1);
    if (short < shortValues) value = short;
    else if (value >= 1 << (width - 1)) value -= shortValues;
    at += short < shortValues ? width - 1 : width;
    counts.push(value - 1);
    left -= Math.abs(value - 1);
    if (left < 0) damaged();
    for (let zeros = value === 1 ? 3 : 0; zeros === 3;) {
      zeros = bitsAt(bytes, at, 2);
      at += 2;
      for (let i = 0; i < zeros; i++) counts.push(0);
    }
    if (counts.length > symbols) damaged();
  }
  const end = (at + 7) >> 3;
  if (end > bytes.length) damaged();
  return [buildFseTable(counts, log), end];
}

/**
 * Builds a table from the number of states of each symbol, which sum up to 2 to the power of `log`.
 * The number -1 indicates one state for a symbol of low probability (4.1.1).
 */
export function buildFseTable(counts: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const table: FseTable = { log, symbols: new Uint8Array(size), bits: new Uint8Array(size), next: new Uint16Array(size) };
  let end = size;
  counts.forEach((count, symbol) => {
    if (count < 0) table.symbols[--end] = symbol;
  });
  let at = 0;
  counts.forEach((count, symbol) => {
    for (let i = 0; i < count; i++) {
      table.symbols[at] = symbol;
      do at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1);
      while (at >= end);
    }
  });
  const states = counts.map(Math.abs);
  for (let i = 0; i < size; i++) {
    const state = states[table.symbols[i]!]!++;
    const bits = log - 31 + Math.clz32(state);
    table.bits[i] = bits;
    table.next[i] = (state << bits) - size;
  }
  return table;
}
