// Opens an input file, and reports a deleted or moved one by name.
import type { RigFile } from '../core/open.ts';
import type { InputFile } from './inputFile.ts';
import { openFile, type OpenContext } from './model.ts';
import { Refusal } from './problem.ts';

/**
 * Opens a file like `openFile`, but throws a Refusal with its name if it was moved or deleted. The
 * browser only reports a "network error" for such a file.
 */
export async function readFile(input: InputFile, context: OpenContext): Promise<RigFile> {
  try {
    return await openFile(input, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (await isReadable(input.file)) throw error;
    throw new Refusal({ code: 'file-missing', name: input.file.name });
  }
}

const isReadable = (file: Blob): Promise<boolean> =>
  // An empty file has no first byte to test, so it is read whole.
  (file.size > 0 ? file.slice(0, 1) : file).arrayBuffer().then(
    () => true,
    () => false,
  );
