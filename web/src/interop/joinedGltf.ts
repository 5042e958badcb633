// Combines a .gltf and its buffers into one GLB.
import { RigcastError } from '../core/error.ts';
import { fromBase64 } from '../core/keys.ts';
import { percentDecoded } from '../core/paths.ts';
import type { Read } from './read.ts';

interface View {
  buffer?: number;
  byteOffset?: number;
  extensions?: { EXT_meshopt_compression?: View };
}

interface Json {
  buffers?: { uri?: string; byteLength?: number; extensions?: { EXT_meshopt_compression?: { fallback?: boolean } } }[];
  bufferViews?: View[];
}

const MAGIC = 0x46_54_6c_67;
const JSON_CHUNK = 0x4e_4f_53_4a;
const BINARY_CHUNK = 0x00_4e_49_42;

/**
 * Returns a GLB that contains all buffers of a .gltf and refers to the same images. `read`:
 * function that returns the bytes of a file by its path, or null. Throws a SyntaxError if the JSON
 * is damaged, and BUFFER_MISSING if a buffer is missing or too short.
 */
export async function joinedGltf(bytes: Uint8Array, read: Read): Promise<Uint8Array> {
  const json = JSON.parse(new TextDecoder().decode(bytes)) as Json;
  // A file that several buffers refer to is stored once, so that the GLB is not larger than the
  // original files.
  const pieces = new Map<string | undefined, { bytes: Uint8Array; start: number }>();
  const starts: number[] = [];
  let length = 0;
  for (const { uri, byteLength = 0, extensions } of json.buffers ?? []) {
    if (uri === undefined && extensions?.EXT_meshopt_compression?.fallback) {
      starts.push(0); // the loader allocates this buffer itself
      continue;
    }
    const known = pieces.get(uri);
    const { bytes: piece, start } = known ?? { bytes: await bytesOf(uri, read), start: length };
    if (!known) {
      pieces.set(uri, { bytes: piece, start });
      length += padded(piece.length);
    }
    if (piece.length < byteLength)
      throw new RigcastError('BUFFER_MISSING', `the buffer ${shown(uri)} has ${piece.length} of ${byteLength} bytes`);
    starts.push(start);
  }
  for (const view of json.bufferViews ?? []) {
    move(view, starts);
    if (view.extensions?.EXT_meshopt_compression) move(view.extensions.EXT_meshopt_compression, starts);
  }
  if (json.buffers) json.buffers = [{ byteLength: length }];
  return glbOf(
    new TextEncoder().encode(JSON.stringify(json)),
    [...pieces.values()].map(({ bytes }) => bytes),
    length,
  );
}

function shown(uri: string | undefined): string {
  if (uri === undefined) return 'without a URI';
  return uri.startsWith('data:') ? 'inside the file' : `"${uri}"`;
}

async function bytesOf(uri: string | undefined, read: Read): Promise<Uint8Array> {
  const data = /^data:[^,]*?(;base64)?,(.*)$/s.exec(uri ?? '');
  const found = data ? data[1] && fromBase64(data[2]!) : uri !== undefined && (await read(percentDecoded(uri)));
  if (!found) throw new RigcastError('BUFFER_MISSING', `the buffer ${shown(uri)} was not found in the folder of the file`);
  return found;
}

function move(view: View, starts: readonly number[]): void {
  view.byteOffset = (view.byteOffset ?? 0) + (starts[view.buffer ?? 0] ?? 0);
  view.buffer = 0;
}

const padded = (length: number): number => 4 * Math.ceil(length / 4);

function glbOf(text: Uint8Array, pieces: readonly Uint8Array[], length: number): Uint8Array {
  const start = 28 + padded(text.length);
  const all = new Uint8Array(start + length);
  const view = new DataView(all.buffer);
  [MAGIC, 2, all.length, padded(text.length), JSON_CHUNK].forEach((word, i) => view.setUint32(4 * i, word, true));
  all.fill(0x20, 20, start);
  all.set(text, 20);
  [length, BINARY_CHUNK].forEach((word, i) => view.setUint32(start - 8 + 4 * i, word, true));
  let at = start;
  for (const piece of pieces) {
    all.set(piece, at);
    at += padded(piece.length);
  }
  return all;
}
