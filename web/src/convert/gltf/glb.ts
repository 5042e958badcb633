// Builds a GLB file as a list of pieces, without copying their bytes (glTF 2.0, "GLB File Format
// Specification").
import { gigabytes, refusal } from '../common/refusals.ts';
import { refusals } from './messages.ts';

const MAGIC = 0x46_54_6c_67;
const JSON_CHUNK = 0x4e_4f_53_4a;
const BINARY_CHUNK = 0x00_4e_49_42;
/** Maximum length that a 32-bit field can store. */
const LONGEST = 0xff_ff_ff_ff;

/**
 * Returns the pieces of a GLB. `json`: pieces of the JSON text. Throws a ConversionError if the
 * file would exceed 4 GB.
 */
export function glb(json: readonly Uint8Array[], columns: readonly ArrayBufferView[]): ArrayBufferView[] {
  const text = lengthOf(json);
  const numbers = lengthOf(columns);
  const total = 12 + 8 + paddedLength(text) + (numbers > 0 ? 8 + paddedLength(numbers) : 0);
  if (total > LONGEST) throw refusal(refusals, 'GLB_TOO_LARGE', { size: gigabytes(total) });
  const padding = (length: number, byte: number): Uint8Array => new Uint8Array(paddedLength(length) - length).fill(byte);
  return [
    Uint32Array.of(MAGIC, 2, total, paddedLength(text), JSON_CHUNK),
    ...json,
    padding(text, 0x20),
    ...(numbers > 0 ? [Uint32Array.of(paddedLength(numbers), BINARY_CHUNK), ...columns, padding(numbers, 0)] : []),
  ];
}

export const lengthOf = (pieces: readonly ArrayBufferView[]): number => pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
export const paddedLength = (length: number): number => 4 * Math.ceil(length / 4);

/** Pads bytes with zeros to a multiple of four. */
export function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length % 4 === 0) return bytes;
  const longer = new Uint8Array(paddedLength(bytes.length));
  longer.set(bytes);
  return longer;
}
