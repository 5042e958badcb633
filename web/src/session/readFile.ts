// OpeningContext a file that may have gone since it was given.
import type { RigFile } from '../core/open.ts';
import type { InputFile } from './inputFile.ts';
import { openFile, type OpenContext } from './model.ts';
import { Refusal } from './problem.ts';

/** As `openFile`. Browsers keep no copy of what is dropped, and of a file that has gone since then they say no more than "network error": it is incompatible by name. */
export async function readFile(given: InputFile, context: OpenContext): Promise<RigFile> {
  try {
    return await openFile(given, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (await isReadable(given.file)) throw error;
    throw new Refusal({ code: 'gone', name: given.file.name });
  }
}

const isReadable = (file: Blob): Promise<boolean> =>
  // Of what was not there when it was dropped, all of nothing.
  (file.size > 0 ? file.slice(0, 1) : file).arrayBuffer().then(
    () => true,
    () => false,
  );
