// Reads a remote file in parts, so that a large file need not be downloaded as a whole.
import type { ByteStream, Parts } from './byteStream.ts';
import { RigcastError } from './error.ts';
import type { Family } from './formats.ts';
import { headSize, planOf, type InputBytes } from './input.ts';
import { MissingRange, RangesRefused } from './ranges.ts';
import type { RigcastGlue } from './wasm/rigcast.mjs';

/** Value of `plan` for formats whose reader can read a single clip. */
const canReadClip = 3;

/**
 * Starts the reader with the parts of the file that are there. If the reader needs another part,
 * requests it and starts the reader again in a new instance, because the core cannot wait for the
 * network. `instanceFor` creates an instance that can read a family of formats; '' means the family
 * that the file name suggests. Returns the stream of the whole file if it cannot be read in
 * parts. If a single clip is read, rejects in this case with FILE_CHANGED or RANGES_REFUSED, because
 * the list of clips may no longer be correct.
 */
export async function readInParts<Result>(
  job: { clip?: number | undefined; format: string; maxMemory: number; maxWork: number },
  name: string,
  { ranges, signal, whole }: Parts,
  instanceFor: (family: Family | '') => Promise<RigcastGlue>,
  read: (glue: RigcastGlue, taken: InputBytes, family: Family) => Result,
  onProgress: ((loaded: number, total: number | null) => void) | undefined,
): Promise<Result | ByteStream> {
  const { byteLength } = ranges.file;
  const clip = job.clip ?? -1;
  let family: Family | '' = '';
  try {
    for (;;) {
      signal?.throwIfAborted();
      onProgress?.(ranges.loaded, null);
      const glue = await instanceFor(family);
      const plan = planOf(glue, name, job.format, ranges.at(0, headSize), byteLength);
      if (plan.family && !plan.isLinked && family !== plan.family) {
        family = plan.family;
        continue;
      }
      if (plan.outside !== canReadClip) return await whole();
      glue.start(job.maxMemory, job.maxWork);
      if (!glue.useExternalFile(byteLength)) glue.input(Infinity); // the core reports that the file does not fit
      glue.selectClip(clip);
      glue.readFile = (offset, size, address) => glue.HEAPU8.set(ranges.at(offset, size), address);
      glue.announceRange = (offset, size) => void ranges.at(offset, size);
      try {
        return read(glue, { name, byteLength, kept: null, bytes: null, remote: ranges.file }, plan.family as Family);
      } catch (error) {
        if (!(error instanceof MissingRange)) throw error;
        await ranges.load(error, clip < 0, signal);
      }
    }
  } catch (error) {
    if (!(error instanceof RangesRefused)) throw error;
    if (clip >= 0) throw error.reason === 'FILE_CHANGED' ? new RigcastError('FILE_CHANGED', error.message) : error;
    return { ...(await whole()), refused: error };
  }
}
