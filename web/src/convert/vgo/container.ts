// Reads and writes the container of VGO 2.x, which consists of a header, an index, and chunks with
// four-letter ids (docs/formats/vgo.md section 1).
import { type Branch, parseJson, printJson, type Tree } from './tree.ts';
import { parseBson, printBson } from './bson.ts';
import { refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';

export interface VgoFacts {
  minor: number;
  isLeftHanded: boolean;
  /** True if UV coordinates have their origin at the bottom left. */
  isBottomLeft: boolean;
}

export interface VgoContainer extends VgoFacts {
  /** Chunk id in each slot of the composer chunk, or '' for empty slots. */
  slots: readonly string[];
  /** Maps each chunk id to the content of the chunk without padding, in index order. */
  chunks: ReadonlyMap<string, Uint8Array>;
}

/** Indices of the slots in the composer chunk. */
export const SLOT = { asset: 0, layout: 2, accessors: 4, crypt: 5, resource: 6 } as const;

const MAGIC = 0x4f4756;
const HEADER = 16;
const ENTRY = 16;

const idOf = (type: number): string => String.fromCharCode(type & 0xff, (type >> 8) & 0xff, (type >> 16) & 0xff, type >>> 24);

/** Reads a container. Throws a SyntaxError or RangeError if the file is damaged. */
export function readContainer(bytes: Uint8Array): VgoContainer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC || view.getUint8(8) !== 2) throw new SyntaxError('not a VGO 2 file');
  const chunks = new Map<string, Uint8Array>();
  const last = HEADER + 8 + view.getUint32(20, true);
  for (let at = HEADER + 8; at < last; at += ENTRY) {
    const [offset, length, padding] = [view.getUint32(at + 4, true), view.getUint32(at + 8, true), view.getUint8(at + 12)];
    if (length < 8 + padding || offset + length > bytes.length) throw new SyntaxError('a chunk exceeds the file');
    const id = idOf(view.getUint32(at, true));
    if (!chunks.has(id)) chunks.set(id, bytes.subarray(offset + 8, offset + length - padding));
  }
  const composer = chunks.get('COMP');
  if (!composer || composer.length < 32) throw new SyntaxError('the composer chunk is missing');
  const types = new DataView(composer.buffer, composer.byteOffset, 32);
  const slots = Array.from({ length: 8 }, (_, slot) => types.getUint32(4 * slot, true)).map(type => (type === 0 ? '' : idOf(type)));
  return { minor: view.getUint8(9), isLeftHanded: view.getUint8(10) === 2, isBottomLeft: view.getUint8(11) === 2, slots, chunks };
}

export function parseChunk(id: string, bytes: Uint8Array): Tree {
  return id.endsWith('B') ? parseBson(bytes) : parseJson(bytes);
}

/** Encodes a tree as BSON if the chunk id ends with `B`, otherwise as JSON. */
export function printChunk(id: string, value: Tree): Uint8Array {
  return id.endsWith('B') ? printBson(value) : printJson(value);
}

/** Encoded chunks to write, including chunks that the composer chunk does not list. */
export interface VgoPieces extends Omit<VgoFacts, 'minor'> {
  slots: readonly string[];
  chunks: ReadonlyMap<string, Uint8Array>;
  /** True if the file is encrypted with a key that it does not contain. */
  needsKey: boolean;
}

/**
 * Returns the pieces of a VGO 2.5 file. Throws a ConversionError if the file would exceed the
 * limits of the format.
 */
export function writeContainer({ isLeftHanded, isBottomLeft, slots, chunks, needsKey }: VgoPieces): Uint8Array[] {
  const composer = new DataView(new ArrayBuffer(32));
  for (const [slot, id] of slots.entries()) if (id) composer.setUint32(4 * slot, typeOf(id), true);
  const all = new Map([['COMP', new Uint8Array(composer.buffer)], ...chunks]);
  const view = new DataView(new ArrayBuffer(HEADER + 8 + ENTRY * all.size));
  const header = new Uint8Array(view.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, 8, true);
  header.set([2, 5, isLeftHanded ? 2 : 1, isBottomLeft ? 2 : 1, slots[SLOT.crypt] ? 1 : 0, needsKey ? 1 : 0], 8);
  view.setUint32(16, typeOf('IDX\0'), true);
  view.setUint32(20, ENTRY * all.size, true);
  const pieces: Uint8Array[] = [header];
  let entry = HEADER + 8;
  let at = header.length;
  for (const [id, payload] of all) {
    const padding = new Uint8Array(payload.length % 2).fill(isPlainJson(id) ? 0x20 : 0);
    const length = payload.length + padding.length;
    view.setUint32(entry, typeOf(id), true);
    view.setUint32(entry + 4, at, true);
    view.setUint32(entry + 8, 8 + length, true);
    view.setUint8(entry + 12, padding.length);
    pieces.push(new Uint8Array(Uint32Array.of(typeOf(id), length).buffer), payload, padding);
    entry += ENTRY;
    at += 8 + length;
  }
  if (at > 0xffffffff) throw refusal(refusals, 'VGO_TOO_LARGE');
  return pieces;
}

const typeOf = (id: string): number => [0, 1, 2, 3].reduce((type, i) => type + id.charCodeAt(i) * 2 ** (8 * i), 0);
const isPlainJson = (id: string): boolean => id[2] === 'P' && id[3] === 'J';

/** True if any object in the tree has `extensions`, which Unity does not accept in BSON. */
export function hasExtensions(value: Tree): boolean {
  if (Array.isArray(value)) return value.some(hasExtensions);
  if (!(value instanceof Map)) return false;
  const own: Tree | undefined = (value as Branch).get('extensions');
  return (own instanceof Map && own.size > 0) || [...value.values()].some(hasExtensions);
}
