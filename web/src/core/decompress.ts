// Decompresses compressed files in JavaScript, outside the core. Imported only for such files.
import type { ReadBytes } from './decrypt.ts';
import type { Need } from './types.ts';

/**
 * Decompresses the bytes for a need of kind `decompress`. The need's name is the method, and its
 * properties contain the byte range in the file and the size after decompression. If the content is
 * longer than this size, returns exactly one byte more, so that the reader can report it. If the
 * data is damaged, returns the bytes before the damage. Returns null if the file is too short.
 */
export async function decompressNeed({ name, properties }: Need, read: ReadBytes): Promise<Uint8Array | null> {
  const bytes = await read(Number(properties?.['offset']), Number(properties?.['byteLength']));
  if (!bytes) return null;
  const to = new Uint8Array(Number(properties?.['size']) + 1);
  const length = name === 'ZSTD' ? (await import('./zstd.ts')).decompressZstd(bytes, to) : await decompressGzip(bytes, to);
  return to.subarray(0, length);
}

async function decompressGzip(bytes: Uint8Array, to: Uint8Array): Promise<number> {
  let length = 0;
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    while (length < to.length) {
      const { value, done } = await reader.read();
      if (done) break;
      const part = value.subarray(0, to.length - length);
      to.set(part, length);
      length += part.length;
    }
  } catch {
    // The data is damaged or cut off. The bytes up to here are complete.
  }
  await reader.cancel().catch(() => {});
  return length;
}
