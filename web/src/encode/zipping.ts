// Creates ZIP archives. This module is loaded when needed.
import { Zip, ZipPassThrough } from './vendor/fflate.ts';

/** Number of bytes that are added per step. Between steps, the page can respond. */
const PIECE = 2 ** 22;

/**
 * Returns a ZIP archive of the files. They are not compressed, because most formats are already
 * compressed.
 */
export async function zipOf(files: readonly { name: string; blob: Blob }[]): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, data) => {
    failure ??= error;
    parts.push(data as Uint8Array<ArrayBuffer>);
  });
  for (const { name, blob } of files) {
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    for (let at = 0; at < blob.size || at === 0; at += PIECE) {
      entry.push(new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer()), at + PIECE >= blob.size);
      await new Promise(resolve => setTimeout(resolve));
    }
  }
  zip.end();
  if (failure) throw failure as Error;
  return new Blob(parts, { type: 'application/zip' });
}
