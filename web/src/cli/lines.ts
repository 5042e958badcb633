// Reads and writes files with one line of JSON per row, which can be larger than a string.
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';

/** Size in bytes of the blocks that are read, and minimum length of the texts that are written. */
const blockSize = 2 ** 20;

/**
 * Yields the lines of a file. Reads the file in blocks, because a plan or report of some million results
 * does not fit into one string. Throws a SyntaxError behind the last line if it has no line end.
 */
export function* linesOf(path: string): Generator<string, void> {
  const file = openSync(path, 'r');
  try {
    const block = Buffer.allocUnsafe(blockSize);
    const decoder = new TextDecoder();
    let rest = '';
    for (let size = readSync(file, block); size > 0; size = readSync(file, block)) {
      const lines = (rest + decoder.decode(block.subarray(0, size), { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
    if (rest + decoder.decode() !== '') throw new SyntaxError('the last line is cut off');
  } finally {
    closeSync(file);
  }
}

/** Writes rows as lines of JSON, in blocks. */
export function writeLines(path: string, rows: Iterable<object>): void {
  const file = openSync(path, 'w');
  try {
    let text = '';
    for (const row of rows) {
      text += `${JSON.stringify(row)}\n`;
      if (text.length < blockSize) continue;
      writeFileSync(file, text);
      text = '';
    }
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** True if a file is empty or ends with a line end. */
export function endsWithLine(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
  } finally {
    closeSync(file);
  }
}
