// Finds out what a file is for from its headers alone.
import type { Role } from './formatTraits.ts';
import { wasmFrom, type WasmSource } from './wasm.ts';

export type { Role };

export interface Probed {
  /** By content, else by the extension; null if neither is known, and of companions. */
  format: string | null;
  role: Role;
}

/** Of the start, and of what is asked for behind it. */
const headSize = 4096;
const pieceSize = 1024;

/** Files with more headers to look at are what the headers so far say. */
const mostPieces = 512;

/**
 * What a file is for. Reads its first 4 KB and, of formats that say it elsewhere (Cast), a kilobyte here and there. Rejects where the bytes cannot be
 * had or rigcast.wasm cannot be loaded; never because of what they are.
 */
export async function probe(
  source: Blob | Uint8Array,
  name = 'name' in source ? String(source.name) : '',
  wasm?: WasmSource,
): Promise<Probed> {
  const size = source instanceof Blob ? source.size : source.length;
  const pieces = [await pieceAt(source, 0, headSize)];
  for (;;) {
    const [module, { helperOf }] = await Promise.all([wasmFrom(wasm).first, import('./glue.ts')]);
    const glue = await helperOf(module);
    const [format, role, wanted] = glue.probe(name, size, joined(pieces)).split(' ') as [string, Role, string];
    const at = Number(wanted);
    if (at === 0 || at >= size || pieces.length === mostPieces) return { format: format || null, role };
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

/** As the core takes them: each behind its offset and its length. */
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
