// What lies in a .zip, as if somebody had dropped the folder. Fetched with the first one.
import { Unzip, UnzipInflate } from 'fflate';
import type { GivenFile } from '../player/given.ts';

/** Bytes that all of it may take up when it is unpacked: what is more is no archive of rigs. */
const MOST_BYTES = 2 ** 30;

/**
 * Up to `most` files; folders and what cannot be unpacked are left out. The path begins with the archive's own. Rejects with RangeError where it would take up too
 * much room, and with what fflate says where it is damaged.
 */
export async function filesOfZip(
  { path, file }: GivenFile,
  most: number,
  signal?: AbortSignal,
): Promise<{ files: GivenFile[]; truncated: boolean }> {
  const files: GivenFile[] = [];
  let count = 0;
  /** Begun, and not at their end. */
  let left = 0;
  let bytes = 0;
  let failure: Error | null = null;
  const unzip = new Unzip(entry => {
    if (entry.name.endsWith('/')) return;
    if (++count > most) return;
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let own = 0;
    left++;
    entry.ondata = (error, data, isLast) => {
      failure ??= error;
      own += data?.length ?? 0;
      bytes += data?.length ?? 0;
      if (isLast && entry.originalSize !== undefined && own !== entry.originalSize) failure ??= new Error('of another size than it says');
      if (bytes > MOST_BYTES) failure ??= new RangeError(`${file.name}: more than ${MOST_BYTES / 2 ** 20} MB unpacked`);
      if (failure) return entry.terminate();
      parts.push(data as Uint8Array<ArrayBuffer>);
      if (!isLast) return;
      left--;
      files.push({ path: `${path}/${entry.name}`, file: new File(parts, entry.name.slice(entry.name.lastIndexOf('/') + 1)) });
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    signal?.throwIfAborted();
    unzip.push(value ?? new Uint8Array(0), done);
    if (failure) {
      await reader.cancel();
      throw failure as Error;
    }
    if (done && left > 0) throw new Error('cut off');
    if (done) return { files, truncated: count > most };
  }
}
