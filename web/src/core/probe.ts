// Determines the role of a file from its headers.
import type { Role } from './formatTraits.ts';
import { wasmFrom, type WasmSource } from './wasm.ts';

export type { Role };

export interface Probed {
  /**
   * Format id, detected from the content, otherwise from the extension. Null for unknown files and
   * companion files.
   */
  format: string | null;
  role: Role;
}

/** Length in bytes of the range that is read first, at the start of the file. */
const headSize = 4096;
/** Length in bytes of each further range. */
const pieceSize = 1024;

/**
 * Maximum number of ranges that are read. The role of a file with more headers is determined from
 * these.
 */
const maxPieces = 512;

/**
 * Determines the role of a file. Reads its first 4 KB and, if these do not indicate the role
 * (Cast), further ranges. Rejects if the bytes or rigcast.wasm cannot be loaded, never because of
 * the content.
 */
export async function probe(
  source: Blob | Uint8Array,
  name = 'name' in source ? String(source.name) : '',
  wasm?: WasmSource,
): Promise<Probed> {
  const size = source instanceof Blob ? source.size : source.length;
  const pieces = [await pieceAt(source, 0, headSize)];
  for (;;) {
    const [module, { helperOf }] = await Promise.all([wasmFrom(wasm).first, import('./onPage.ts')]);
    const glue = await helperOf(module);
    const [format, role, wanted] = glue.probe(name, size, joined(pieces)).split(' ') as [string, Role, string];
    const at = Number(wanted);
    if (at === 0 || at >= size || pieces.length === maxPieces) return { format: format || null, role };
    pieces.push(await pieceAt(source, at, pieceSize));
  }
}

interface Piece {
  offset: number;
  bytes: Uint8Array;
}

async function pieceAt(source: Blob | Uint8Array, offset: number, length: number): Promise<Piece> {
  if (!(source instanceof Blob)) return { offset, bytes: source.subarray(offset, offset + length) };
  return { offset, bytes: new Uint8Array(await source.slice(offset, offset + length).arrayBuffer()) };
}

/** Joins ranges in the format that the core expects: offset, length and bytes of each range. */
function joined(pieces: readonly Piece[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { bytes }) => sum + 16 + bytes.length, 0));
  const view = new DataView(all.buffer);
  let at = 0;
  for (const { offset, bytes } of pieces) {
    view.setFloat64(at, offset, true);
    view.setFloat64(at + 8, bytes.length, true);
    all.set(bytes, at + 16);
    at += 16 + bytes.length;
  }
  return all;
}
