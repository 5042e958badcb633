// Decompresses compressed files in JavaScript, outside the core. Imported only for such files.
import type { ReadBytes } from './decrypt.ts';
import type { Need } from './types.ts';

/**
 * Decompresses the bytes for a need of kind `decompress`. The need's name is the method, and its
 * properties contain the byte range in the file and the size after decompression, which the result
 * never exceeds. If the data is damaged, returns the bytes before the damage (GZIP) or none (ZSTD).
 * Returns null if the file is too short.
 */
export async function decompressNeed({ name, properties }: Need, read: ReadBytes): Promise<Uint8Array | null> {
  const bytes = await read(Number(properties?.['offset']), Number(properties?.['byteLength']));
  if (!bytes) return null;
  const size = Number(properties?.['size']);
  return name === 'ZSTD' ? zstd(bytes, size) : gzip(bytes, size);
}

async function gzip(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const to = new Uint8Array(size);
  let length = 0;
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    while (length < size) {
      const { value, done } = await reader.read();
      if (done) break;
      const part = value.subarray(0, size - length);
      to.set(part, length);
      length += part.length;
    }
  } catch {
    // The data is damaged or cut off. The bytes up to here are complete.
  }
  await reader.cancel().catch(() => {});
  return to.subarray(0, length);
}

async function zstd(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const declared = frameSize(bytes);
  if (declared === null || declared > size) return new Uint8Array();
  const { decompressZstd } = await import('./vendor/zstd.ts');
  const to = new Uint8Array(declared);
  try {
    decompressZstd(bytes, to);
    return to;
  } catch {
    return new Uint8Array();
  }
}

/**
 * Returns the size of the content that a Zstandard frame declares (RFC 8878), or
 * null if the frame is damaged or declares none.
 */
function frameSize(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 6 || view.getUint32(0, true) !== 0xfd2fb528) return null;
  const descriptor = bytes[4]!;
  const isSingle = (descriptor >> 5) & 1;
  const width = [isSingle, 2, 4, 8][descriptor >> 6]!;
  const at = 6 - isSingle + [0, 1, 2, 4][descriptor & 3]!;
  if (width === 0 || at + width > bytes.length) return null;
  if (width === 1) return view.getUint8(at);
  if (width === 2) return view.getUint16(at, true) + 256;
  return width === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
